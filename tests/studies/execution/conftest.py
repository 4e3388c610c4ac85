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


class SeparateCluster:
    def __init__(self, folder, workers, options, environment, nanny):
        self.file = folder / "scheduler.json"
        self._options = options
        self._workers = workers
        self._nanny = nanny
        self._environment = {**os.environ, **environment}
        self.scheduler = self._dask("scheduler", "--port", "0")
        self.address = self._address()
        self.worker = self.start_workers()

    def _address(self):
        deadline = time.monotonic() + 30
        while True:
            try:
                return json.loads(self.file.read_text())["address"]
            except (FileNotFoundError, json.JSONDecodeError):  # it is being written
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def start_workers(self):
        nanny = "--nanny" if self._nanny else "--no-nanny"
        self.worker = self._dask("worker", "--nworkers", str(self._workers), "--nthreads", "1", nanny)
        return self.worker

    def restart_scheduler(self):
        """On the same port, which knows nothing of what was before."""
        self.file.unlink(missing_ok=True)
        self.scheduler = self._dask("scheduler", "--port", self.address.rsplit(":", 1)[1])

    def _dask(self, *command):
        common = ["--scheduler-file", str(self.file), "--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "dask", *command, *common, *self._options],
            env=self._environment,
            stderr=subprocess.DEVNULL,
        )

    def close(self):
        for process in (self.worker, self.scheduler):
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
def separate_cluster(tmp_path_factory):
    @contextmanager
    def opened(workers=2, *, options=(), environment=None, nanny=True):
        folder = tmp_path_factory.mktemp("cluster")
        cluster = SeparateCluster(folder, workers, options, environment or {}, nanny)
        try:
            yield cluster
        finally:
            cluster.close()

    return opened


@pytest.fixture
def listening_addresses():
    """Where this process and its descendants listen; one that ends meanwhile listens nowhere."""

    def found():
        addresses = []
        for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                addresses += [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
        return addresses

    return found
