"""Processes that are killed and started again, as an init system would."""

import os
import socket
from pathlib import Path

import psutil

from tests import forked

RUNNER = Path(__file__).with_name("runner.py")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Supervised:
    """A command that ``tend`` starts again whenever it has ended.

    ``begin`` starts it. Its whole family dies with ``kill``: that is what a machine without power does.
    ``kill_one`` kills a process of the family that ``chance`` picks.
    """

    def __init__(self, begin):
        self._begin = begin
        self._process = None
        self.starts = 0

    def tend(self):
        if self._process is None or self._process.poll() is not None:
            self._process = self._begin()
            self.starts += 1

    def wait(self, timeout):
        self._process.wait(timeout)

    @property
    def pid(self):
        return self._process.pid

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
    options = ["--host", "127.0.0.1", "--port", port, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    return Supervised(lambda: forked.dask("scheduler", folder, options, log=folder / "scheduler.log"))


def worker(port, folder, number, *, nanny):
    options = [
        f"tcp://127.0.0.1:{port}", "--host", "127.0.0.1", "--nthreads", "1", "--nanny" if nanny else "--no-nanny",
        "--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--local-directory", folder / f"worker-{number}",
    ]  # fmt: skip
    return Supervised(lambda: forked.dask("worker", folder, options, log=folder / f"worker-{number}.log"))


def runner(store, ledger, address, folder, *lease):
    arguments = [store, ledger, address, *lease]
    return Supervised(lambda: forked.Begun(folder, arguments, log=folder / "runner.log", script=RUNNER))
