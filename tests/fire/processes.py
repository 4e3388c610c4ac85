"""Processes that are killed and started again, as an init system would."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Supervised:
    """A command that ``tend`` starts again whenever it has ended.

    Its whole family dies with ``kill``: that is what a machine without power does. ``kill_one``
    kills a process of the family that ``chance`` picks.
    """

    def __init__(self, command, log: Path):
        self._command = command
        self._log = log
        self._process = None
        self.starts = 0

    def tend(self):
        if self._process is None or self._process.poll() is not None:
            with self._log.open("a") as log:
                self._process = subprocess.Popen(
                    self._command, stdout=log, stderr=log, start_new_session=True, cwd=Path.cwd()
                )
            self.starts += 1

    def wait(self, timeout):
        self._process.wait(timeout)

    @property
    def exit_code(self):
        return None if self._process is None else self._process.poll()

    def kill(self):
        for process in self._family():
            process.kill()
        if self._process is not None:
            self._process.wait()

    def kill_one(self, chance):
        family = self._family()
        if family:
            chance.choice(family).kill()

    def signal(self, number):
        os.kill(self._process.pid, number)

    def _family(self):
        if self._process is None or self._process.poll() is not None:
            return []
        try:
            leader = psutil.Process(self._process.pid)
            return [leader, *leader.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []


def scheduler(port, folder):
    return Supervised(
        [
            sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port),
            "--no-dashboard", "--dashboard-address", "127.0.0.1:0",
        ],
        folder / "scheduler.log",
    )  # fmt: skip


def worker(port, folder, number):
    return Supervised(
        [
            sys.executable, "-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1",
            "--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0",
            "--local-directory", str(folder / f"worker-{number}"),
        ],
        folder / f"worker-{number}.log",
    )  # fmt: skip


def runner(store, ledger, address, folder, *lease):
    return Supervised(
        [sys.executable, "-m", "tests.fire.runner", store, str(ledger), address, *map(str, lease)],
        folder / "runner.log",
    )
