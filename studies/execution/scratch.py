"""A folder for the files of workers, of one driver alone; those of drivers that were killed are removed."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "tautline-workers-"
_LOCK = "driver.lock"


class ScratchFolder:
    """A new folder that its owner alone may enter, locked while its driver lives.

    The kernel ends the lock with the process, however it ends. Making a folder removes those of the same user
    whose lock is free.
    """

    def __init__(self) -> None:
        _remove_abandoned(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # The lock has another name until it is held: one that is free belongs to a driver that is gone.
        begun = self.path / f"{_LOCK}.new"
        self._lock = os.open(begun, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        begun.rename(self.path / _LOCK)

    def remove(self) -> None:
        """Delete the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and _is_free(folder / _LOCK):
                shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _is_free(lock: Path) -> bool:
    """True where nobody holds the lock; raises ``OSError`` where somebody does, or where there is none."""
    handle = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(handle)
    return True
