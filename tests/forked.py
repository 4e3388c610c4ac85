"""The command line in processes of its own, forked from one that has imported what it needs.

Each is as much on its own as one that starts from nothing, at a quarter of the cost. That the installed
command starts from nothing is shown where it is called by name: by the commands of the documentation's
pages, by the wheel, and by the servers under fire.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.preloaded"])


class Begun:
    """A command that runs, with the methods of :class:`subprocess.Popen` that tests use.

    What it writes goes to files: to the end of ``log``, if that is given.
    """

    def __init__(self, folder, arguments, env=None, log=None):
        self._told = [log or _unused(Path(folder), stream) for stream in ("out", "err")]
        words = ["tautline", *map(str, arguments)]
        settings = {**os.environ, **(env or {})}
        self._process = _FORKS.Process(target=_work, args=(str(folder), words, settings, self._told))
        self._process.start()
        self.pid = self._process.pid

    @property
    def returncode(self):
        """None while it runs; minus the signal that ended it."""
        return self._process.exitcode

    def poll(self):
        return self.returncode

    def wait(self, timeout=None):
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("tautline", timeout)
        return self.returncode

    def communicate(self, timeout=None):
        """All that it wrote, when it has ended."""
        self.wait(timeout)
        return tuple(path.read_text(encoding="utf-8") for path in self._told)

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        """The command with all that it started and that has not left its session."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def _unused(folder, stream):
    """A new file for what a command writes, where no test looks."""
    hidden = folder.parent / f"{folder.name}-written"
    hidden.mkdir(exist_ok=True)
    return hidden / f"{len(list(hidden.iterdir()))}.{stream}"


def _work(folder, words, settings, told):
    """In the new process: what a shell does, and then the command."""
    from service.cli import main

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(settings)
    for number, path in enumerate(told, start=1):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    sys.argv = words
    try:
        main()
    finally:
        atexit._run_exitfuncs()
