"""A copy of a store that is in use: consistent, and whole or not there at all."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import URL

from errors import InputError, StoreError
from studies.store.database import name_of
from studies.store.errors import why_read_only
from studies.store.sqlite import make_private


def back_up(url: URL, target: Path) -> None:
    """Copy the store as it is at this moment to a new file, while others read and write.

    The copy has another name until it is complete and on the disk.
    """
    if url.get_backend_name() != "sqlite":
        raise InputError("a PostgreSQL store is backed up by its own tool, pg_dump", ("store",)).mended_by(
            "store", "dump", name_of(url), file=str(target)
        )
    if target.exists():
        raise InputError(f"'{target}' exists already; name a new file", ("file",))
    if not target.parent.is_dir():
        raise InputError(f"there is no folder '{target.parent}'", ("file",))
    part = target.with_name(f"{target.name}.part")
    source = f"file:{quote(str(Path(url.database or '').absolute()))}?mode=ro"
    try:
        part.unlink(missing_ok=True)
        make_private(part)
        with closing(sqlite3.connect(source, uri=True)) as store, closing(sqlite3.connect(part)) as copy:
            # All pages in one step: a step that finds the store changed would begin again.
            store.backup(copy, pages=-1)
            _require_whole(copy, part)
        _keep(part, target)
    except sqlite3.Error as error:
        reason = why_read_only(Path(url.database or ""), error) or why_read_only(part, error) or str(error)
        raise StoreError(f"no backup was made: {reason}") from error
    except OSError as error:
        raise StoreError(f"no backup was made: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def _require_whole(copy: sqlite3.Connection, path: Path) -> None:
    (answer,) = copy.execute("PRAGMA quick_check").fetchone()
    if answer != "ok":
        error = StoreError(f"the copy {path} is damaged ({answer}); check the store")
        raise error.mended_by("store", "check")


def _keep(part: Path, target: Path) -> None:
    """Give the copy its name once the disk has it."""
    _to_disk(part)
    os.link(part, target)  # fails where a file has appeared meanwhile, instead of replacing it
    _to_disk(target.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
