"""Errors of databases as ours: who may write the file, room for a full disk, try again, or tell the user."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from errors import StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError

_COPY = "copy the store, with the file that ends in -wal if there is one, to a folder of your own"
_REFUSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


def why_read_only(path: Path, error: sqlite3.Error) -> str:
    """Sentence on the store at ``path``, which SQLite may not write; "" for an error of another kind."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code not in _REFUSED:
        return ""
    if reason := _obstacle(path):
        return f"{path} {reason}"
    return f"{path} is read-only ({error}); {_COPY}" if code == sqlite3.SQLITE_READONLY else ""


def require_reachable(path: Path) -> None:
    """Raise ``StoreReadOnlyError`` where a folder above ``path`` keeps this process out."""
    try:
        path.stat()
    except PermissionError:
        above = reversed(path.resolve().parents)
        closed = next((folder for folder in above if not _may(folder, os.X_OK)), None)
        if closed is not None:
            reason = f"the folder {closed} {_rights(closed)}; {_remedy(closed, 'u+rwx')}"
            raise StoreReadOnlyError(f"{path} cannot be reached: {reason}") from None
        raise
    except OSError:
        pass


def _obstacle(path: Path) -> str:
    """The first thing that stops this process, with the remedy; "" where none is found."""
    real = path.resolve()
    folder, exists = real.parent, real.exists()
    if exists and not _may(path, os.R_OK):
        return f"may not be read: it {_rights(path)}; {_remedy(path, 'u+rw')}"
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return f"is read-only: its file system is mounted read-only; {_COPY}"
    for file in (real, *(real.with_name(real.name + end) for end in ("-wal", "-shm"))):
        if exists and file.exists() and not _may(file, os.W_OK):
            which = "it" if file == real else file.name
            return f"is read-only: {which} {_rights(file)}; {_remedy(file, 'u+w')}"
    if not _may(folder, os.W_OK):
        beside = ", and SQLite writes files beside a store, also to read it" if exists else ""
        kind = "is read-only" if exists else "cannot be made"
        return f"{kind}: its folder {folder} {_rights(folder)}{beside}; {_remedy(folder, 'u+w')}"
    return ""


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _rights(path: Path) -> str:
    return f"has mode {path.stat().st_mode & 0o7777:04o} and belongs to {_owner(path)}"


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:
        return f"user {path.stat().st_uid}"


def _remedy(path: Path, change: str) -> str:
    """Command for the owner; others ask the owner, or take a copy where they may read."""
    if path.stat().st_uid == os.geteuid():
        return f"run `chmod {change} {path}`"
    return "ask its owner for the right" if "r" in change else f"ask its owner for the right, or {_COPY}"


BYTES = 256 * 1024
"""More than the log of a change of state takes."""


def _file(url: URL) -> Path | None:
    """The file that keeps the room; None for PostgreSQL."""
    return Path(f"{url.database}-reserve") if url.get_backend_name() == "sqlite" else None


def keep_room(url: URL) -> None:
    """Write the file unless it is there; on a disk without room for it nothing is kept."""
    path = _file(url)
    if path is None or path.exists():
        return
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(bytes(BYTES))
    except FileExistsError:
        pass  # another run was first
    except OSError:
        path.unlink(missing_ok=True)


def free_room(url: URL) -> None:
    """Delete the file."""
    path = _file(url)
    if path is not None:
        with suppress(OSError):
            path.unlink()


Fault = StatementError | PoolTimeoutError | sqlite3.Error
FAULTS = (StatementError, PoolTimeoutError, sqlite3.Error)
"""Errors of a transaction: SQLite's own errors come as they are from where a transaction begins,
and the pool's when all connections are in use."""

# Classes of SQLSTATE that pass: lost connections, deadlocks and lost races, too many connections,
# locks that were not given in time, the server stopping or starting, sessions that were ended.
_PASSING = ("08", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "57P05", "25P03", "25P04")
_DISK_FULL = "53100"
# SQLite names only ENOSPC a full disk; a quota (EDQUOT) and a limit on the size of files (EFBIG) it does not.
_REFUSED_WRITE = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_NO_MORE = "takes no more: a quota or a limit on the size of files is reached, or the disk fails"
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def passes(error: Fault) -> bool:
    """True if the same transaction may succeed a little later."""
    cause = _cause(error)
    if isinstance(cause, sqlite3.Error):
        return is_busy(cause)
    if not isinstance(error, DBAPIError):
        return isinstance(error, PoolTimeoutError)
    state = _sqlstate(error.orig)
    if error.connection_invalidated or (state or "").startswith(_PASSING):
        return True
    # Without a state, the server was not reached or went away in the middle.
    return state is None and isinstance(error, (OperationalError, InterfaceError))


def user_error(error: Fault, name: str, hidden: str = "") -> StoreError:
    """The error for the user of the store called ``name``; ``hidden``, a password, is blotted out."""
    cause = _cause(error)
    if isinstance(cause, StoreError):
        return cause
    text = " ".join(str(cause).split())
    if hidden:
        text = text.replace(hidden, "***")
    if isinstance(cause, sqlite3.Error) and (sentence := why_read_only(Path(name), cause)):
        return StoreReadOnlyError(f"{sentence}. Nothing of this step was written")
    if is_full(error):
        why = "is full" if "full" in text or not isinstance(cause, sqlite3.Error) else _NO_MORE
        return StoreFullError(
            f"the disk of the store {name} {why} ({text}); nothing of this step was written. Everything "
            "stored before can be read; free some space, then resume"
        )
    if passes(error):
        return StoreBusyError(
            f"the store {name} could not be written to or reached in time ({text}); check whether another "
            "program, such as a backup that did not end, has locked it. Nothing of this step was written"
        )
    return StoreError(f"the store {name} refused: {text}; nothing of this step was written")


def is_full(error: Fault) -> bool:
    """True if there is no room left for what was to be written."""
    cause = _cause(error)
    if isinstance(cause, sqlite3.Error):
        refused = getattr(cause, "sqlite_errorcode", 0) in _REFUSED_WRITE
        return refused or _sqlite_code(cause) == sqlite3.SQLITE_FULL
    return _sqlstate(cause) == _DISK_FULL


def is_damage(error: BaseException | None) -> bool:
    """True if SQLite found its own file broken."""
    cause = _cause(error)
    return isinstance(cause, sqlite3.Error) and _sqlite_code(cause) in _DAMAGED


def is_busy(error: sqlite3.Error) -> bool:
    """True if SQLite's lock is with another connection."""
    return _sqlite_code(error) in _BUSY


def _cause(error: BaseException | None) -> BaseException | None:
    """The driver's error, where SQLAlchemy wrapped it."""
    return error.orig if isinstance(error, StatementError) else error


def _sqlite_code(error: sqlite3.Error) -> int:
    """The primary code; extended ones carry more in their upper bytes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _sqlstate(error: Any) -> str | None:
    return getattr(error, "sqlstate", None)
