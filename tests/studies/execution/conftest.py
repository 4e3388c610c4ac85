"""A scheduler and workers in processes of their own, as a team would start them."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import psutil
import pytest
from dask import config as dask_config

from tests import forked


class SeparateCluster:
    """``workers`` processes that are one worker each, or with ``nanny`` one that starts and watches so many.

    With ``environment``, they start from nothing: a fork would have their imports already.
    """

    def __init__(self, folder, count, options, environment, nanny):
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._common = ["--scheduler-file", self._file, "--host", "127.0.0.1", "--no-dashboard", *options]
        self._count = count
        self._nanny = nanny
        self.environment = environment
        self.scheduler = self._dask("scheduler", "--port", "0")
        self.address = self._address()
        self.workers = self.start_workers()

    def _address(self):
        deadline = time.monotonic() + 300
        while True:
            try:
                return json.loads(self._file.read_text())["address"]
            except (FileNotFoundError, json.JSONDecodeError):  # it is being written
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def start_workers(self):
        options = ["--nthreads", "1"]
        if self._nanny:
            self.workers = [self._worker(*options, "--nanny", "--nworkers", str(self._count))]
        else:
            self.workers = [self._worker(*options, "--no-nanny") for _ in range(self._count)]
        return self.workers

    def _worker(self, *options):
        if not self.environment:
            return self._dask("worker", *options)
        command = [sys.executable, "-P", forked.DASK["worker"], *options, *map(str, self._common)]
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)

    def end_workers(self):
        for worker in self.workers:
            worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            worker.wait(300)

    def restart_scheduler(self):
        """On the same port, which knows nothing of what was before."""
        self._file.unlink(missing_ok=True)
        self.scheduler = self._dask("scheduler", "--port", self.address.rsplit(":", 1)[1])

    def _dask(self, command, *options):
        return forked.dask(command, self._folder, [*options, *self._common])

    def close(self):
        for process in (*self.workers, self.scheduler):
            family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for one in family:
                if one.is_running():
                    one.kill()


@pytest.fixture(scope="module")
def forked_workers():
    """Workers of local clusters come from the process that has their imports; they start as users' do elsewhere."""
    forked.begin()
    with dask_config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


@pytest.fixture(scope="module")
def separate_cluster(tmp_path_factory):
    @contextmanager
    def opened(workers=2, *, options=(), environment=None, nanny=False):
        folder = tmp_path_factory.mktemp("cluster")
        cluster = SeparateCluster(folder, workers, options, environment or {}, nanny)
        try:
            yield cluster
        finally:
            cluster.close()

    return opened


@pytest.fixture
def listening_addresses():
    """Addresses on which this process and its descendants listen; one that ends meanwhile has none."""

    def found():
        addresses = []
        for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                addresses += [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
        return addresses

    return found
