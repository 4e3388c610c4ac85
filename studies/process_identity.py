"""Identity of a process, and its owner.

The number of a process is given out again, so that the moment of its start belongs to it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from getpass import getuser
from pathlib import Path

import psutil

SAME_START_SECONDS = 2.0
LONGEST_USER_NAME = 64
"""Characters."""


def user_name() -> str:
    """The name of the operating system's user; empty where the system has none for who runs this process."""
    with suppress(OSError, ImportError, KeyError):  # a container without a table of users
        return getuser()[:LONGEST_USER_NAME]
    return ""


def started(pid: int) -> float:
    """Start of a process; raises ``psutil.NoSuchProcess`` when there is none.

    On Linux in seconds since boot, which no step of the wall clock moves.
    """
    return _look(pid)[0]


def lives(pid: int, begin: float) -> bool:
    """True if the process runs that had this number and began then."""
    try:
        began, ended = _look(pid)
    except psutil.NoSuchProcess:
        return False
    return abs(began - begin) < SAME_START_SECONDS and not ended


def _look(pid: int) -> tuple[float, bool]:
    """Start of a process, and True if it has ended and only its entry is left."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:  # another system, or no such process
        process = psutil.Process(pid)
        return process.create_time(), process.status() == psutil.STATUS_ZOMBIE
    fields = stat.rpartition(b")")[2].split()  # those after the name, which may hold anything
    return int(fields[19]) / os.sysconf("SC_CLK_TCK"), fields[0] == b"Z"
