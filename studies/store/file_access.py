"""The reason why this process may not write a SQLite store, or not even read it, and the remedy."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from errors import StoreReadOnlyError

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
