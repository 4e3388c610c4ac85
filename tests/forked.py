"""The command line in processes of its own, forked from one that has imported what it needs.

Each is as much on its own as one that starts from nothing, at a quarter of the cost. That the installed
command starts from nothing is shown where it is called by name: by the commands of the documentation's
pages, and by the wheel.
"""

import atexit
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

from distributed.cli import dask_scheduler, dask_worker

from tests.patience import be_patient

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.preloaded"])


class Begun:
    """A command that runs, with the methods of :class:`subprocess.Popen` that tests use.

    What it writes goes to files: to the end of ``log``, if that is given. With ``script``, a Python file
    runs in its place.
    """

    def __init__(self, folder, arguments, env=None, log=None, script=None):
        self._written = [log or _unused(Path(folder), stream) for stream in ("out", "err")]
        words = [str(script or "tautline"), *map(str, arguments)]
        settings = {**os.environ, **(env or {})}
        target = _work if script is None else _run_script
        self._process = _FORKS.Process(target=target, args=(str(folder), words, settings, self._written))
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
            # pyrefly: ignore[bad-argument-type]
            raise subprocess.TimeoutExpired("tautline", timeout)
        return self.returncode

    def communicate(self, timeout=None):
        """All that it wrote, when it has ended."""
        self.wait(timeout)
        return tuple(path.read_text(encoding="utf-8") for path in self._written)

    def send_signal(self, number):
        if self.poll() is None:
            # pyrefly: ignore[bad-argument-type]
            os.kill(self.pid, number)

    def kill(self):
        """The command with all that it started and that has not left its session."""
        with suppress(ProcessLookupError):
            # pyrefly: ignore[bad-argument-type]
            os.killpg(self.pid, signal.SIGKILL)


def begin():
    """Start the process from which others are forked, if it does not run."""
    forkserver.ensure_running()


DASK = {"scheduler": dask_scheduler.__file__, "worker": dask_worker.__file__}


def dask(command, folder, options, env=None, log=None):
    """A ``dask scheduler`` or ``dask worker``."""
    return Begun(folder, options, env, log, script=DASK[command])


def _unused(folder, stream):
    """A new file for what a command writes, where no test looks."""
    hidden = folder.parent / f"{folder.name}-written"
    hidden.mkdir(exist_ok=True)
    file = hidden / f"{len(list(hidden.iterdir()))}.{stream}"
    file.touch()  # before the process does: the next one gets other files
    return file


def run(folder, *arguments, check=None, timeout=240, env=None, script=None):
    """A command, or a script, that has ended: as :func:`subprocess.run` returns it."""
    command = Begun(folder, arguments, {"COLUMNS": "200", **(env or {})}, script=script)
    try:
        out, problem = command.communicate(timeout)
    except subprocess.TimeoutExpired:
        command.kill()
        raise
    if check is not None:
        assert command.returncode == check, out + problem
    # pyrefly: ignore[bad-argument-type]
    return subprocess.CompletedProcess(arguments, command.returncode, out, problem)


def _work(folder, words, settings, files):
    """In the new process: what a shell does, and then the command."""
    from service.cli import main

    _surround(folder, words, settings, files)
    try:
        main()
    finally:
        atexit._run_exitfuncs()


def _run_script(folder, words, settings, files):
    """In the new process: what ``python SCRIPT`` does."""
    _surround(folder, words, settings, files)
    sys.path.insert(0, str(Path(words[0]).resolve().parent))
    try:
        runpy.run_path(words[0], run_name="__main__")
    finally:
        atexit._run_exitfuncs()


def _surround(folder, words, settings, files):
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would ignore it
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(settings)
    sys.path[:0] = filter(None, settings.get("PYTHONPATH", "").split(os.pathsep))
    be_patient()
    for number, path in enumerate(files, start=1):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    sys.argv = words
