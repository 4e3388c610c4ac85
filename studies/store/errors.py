"""Errors of databases as ours: try again, the disk is full, or tell the user."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from errors import StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError
from studies.store.file_access import why_read_only

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
