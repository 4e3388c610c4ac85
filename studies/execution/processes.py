"""Starting, ending and describing the processes in which designs are evaluated."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from uuid import uuid4

import psutil

from studies.process_identity import lives, started

SECRETS = ("TAUTLINE_STORE", "TAUTLINE_TOKEN", "DATABASE_URL", "PG")
"""Environment variables that begin so name or open a database or a server; no worker needs one."""
KILL_SECONDS = 5.0
MARK = "TAUTLINE_EVALUATION"
"""Environment variable of an evaluation process: who started it (number, start time), and its own name."""
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_KEPT = str(2 * 1024**3 - 1)
_HEAP = {
    "MALLOC_TRIM_THRESHOLD_": _KEPT,
    "MALLOC_MMAP_THRESHOLD_": _KEPT,
    "MALLOC_TOP_PAD_": str(64 * 1024**2),
}
"""Let glibc keep memory from design to design: paper-100 takes 5:32 instead of 6:20 on two workers."""


def secret_names(environment: Mapping[str, str]) -> list[str]:
    """The variables that workers and their children must not see."""
    return [name for name in environment if name.startswith(SECRETS)]


def clean_environment() -> dict[str, str]:
    """The environment of this process without secrets, with its import path as ``PYTHONPATH``."""
    secrets = secret_names(os.environ)
    harmless = {name: value for name, value in os.environ.items() if name not in secrets}
    return {**harmless, "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)}


class Process(subprocess.Popen[bytes]):
    """A child whose descendants all carry its mark in their environment."""

    def __init__(self, code: str, arguments: Sequence[object], descriptors: Sequence[int]) -> None:
        self.mark = f"{_namespace()}-{os.getpid()}-{started(os.getpid())}-{uuid4().hex}"
        super().__init__(
            [sys.executable, "-P", "-c", code, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            env={**clean_environment(), **_HEAP, MARK: self.mark},
            pass_fds=descriptors,
            start_new_session=True,
        )


def start(code: str, arguments: Sequence[object], descriptors: Sequence[int]) -> Process:
    """Run Python code in a session of its own, with these file descriptors open.

    The process is started by a thread that lives as long as we do: Linux counts a child as
    orphaned when the thread that started it ends.
    """
    return _starter().submit(Process, code, arguments, descriptors).result()


@cache
def _starter() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "tautline-starter")


# ---------------------------------------------------------------- in the child


def end_with_parent(parent: int, lifeline: Connection) -> None:
    """Die when the parent does, even when it is killed outright and we are deep in a kernel.

    Linux sends a signal. Elsewhere a thread waits for the pipe that ``lifeline`` is the end of to
    break, which needs the interpreter. Processes that our own ones leave behind become ours, so
    that whoever ends us finds them.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        with contextlib.suppress(OSError):  # when memory runs out, the system should take us, not the runner
            Path("/proc/self/oom_score_adj").write_text("500")
    if os.getppid() != parent:
        os._exit(0)

    def watch() -> None:
        with contextlib.suppress(EOFError, OSError):
            lifeline.recv_bytes()  # nothing is ever sent
        os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=watch, name="tautline-lifeline", daemon=True).start()


# ---------------------------------------------------------------- in the parent


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, at once; of a :class:`Process` also what outlived it."""
    if process.poll() is None:  # afterwards its number may be another's
        kill_family(process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
    deadline = time.monotonic() + KILL_SECONDS
    while isinstance(process, Process) and (left := _marked(process.mark)) and time.monotonic() < deadline:
        for one, _ in left:
            kill_family(one.pid)


def kill_orphans() -> None:
    """End what evaluation processes have left behind whose owner was killed before it could end them."""
    for one, mark in _marked(f"{_namespace()}-"):
        with contextlib.suppress(psutil.Error, OSError, ValueError):  # anybody can write such a variable
            owner, since, _ = mark.split("-")[1:]
            if not lives(int(owner), float(since)):
                kill_family(one.pid)


def _marked(mark: str) -> list[tuple[psutil.Process, str]]:
    """Processes of this user that carry a mark that begins so, and the mark."""
    found: list[tuple[psutil.Process, str]] = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            theirs = one.environ().get(MARK)
            if theirs is not None and theirs.startswith(mark) and one.status() != psutil.STATUS_ZOMBIE:
                found.append((one, theirs))
    return found


@cache
def _namespace() -> str:
    """Namespace in which the number of a process counts: a container numbers its processes by itself."""
    with contextlib.suppress(OSError):
        return str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    return "0"


def kill_family(number: int | None) -> None:
    """End a process by its number and all that descend from it."""
    if number is None:
        return
    with contextlib.suppress(psutil.NoSuchProcess):
        root = psutil.Process(number)
        with contextlib.suppress(psutil.Error):
            root.suspend()  # it starts no further process
        deadline = time.monotonic() + KILL_SECONDS
        while (living := _living(root)) and time.monotonic() < deadline:
            for one in living:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            psutil.wait_procs(living, timeout=0.05)
        root.kill()


def _living(root: psutil.Process) -> list[psutil.Process]:
    """Descendants that are more than an entry in the table of processes."""
    found: list[psutil.Process] = []
    for one in root.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if one.status() != psutil.STATUS_ZOMBIE:
                found.append(one)
    return found


def resident(process: psutil.Process) -> int:
    """Bytes of memory that a process holds; 0 when it is gone."""
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def describe_end(code: int) -> str:
    """The end of a process, in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "unknown"
    return f"signal {-code} ({name})"
