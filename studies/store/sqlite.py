"""SQLite: every connection durable, every writer alone, and files of other programs left untouched."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from errors import InputError, StoreError, StoreReadOnlyError
from studies.store.errors import is_busy, require_reachable, why_read_only

BUSY_TIMEOUT_MS = 10_000
_TURN_SECONDS = (0.0005, 0.004)


def sqlite_engine(url: URL, options: dict[str, Any]) -> Engine:
    """An engine whose connections are durable (WAL, synchronous FULL) and wait for locks."""
    _refuse_foreign_file(url)
    make_private(Path(url.database or ""))
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are begun by _on_begin, not by sqlite3
    cursor = connection.cursor()
    # The timeout stands first: even a PRAGMA can find the database locked.
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _on_begin(connection: Connection) -> None:
    # A deferred transaction that reads and then writes fails at once when another one writes.
    options = connection.get_execution_options()
    if not options.get("tautline_write", False):
        connection.exec_driver_sql("BEGIN")
        return
    handle: Any = connection.connection.driver_connection
    if options["tautline_migration"]:
        # It makes tables anew: with references on, dropping the old one would delete what refers to it.
        handle.execute("PRAGMA foreign_keys=OFF")
    begin_alone(handle, min(options["tautline_patience"], BUSY_TIMEOUT_MS / 1000))


def begin_alone(handle: sqlite3.Connection, patience: float) -> None:
    """Take the write lock, at random moments until it is free.

    SQLite's own waiting grows to a tenth of a second between looks, so that a process that writes
    without a pause keeps all others out; short random waits give each the same chance.
    """
    end = time.monotonic() + patience
    handle.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                handle.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > end:
                    raise
                time.sleep(random.uniform(*_TURN_SECONDS))  # noqa: S311 - a wait, not a secret
            else:
                return
    finally:
        handle.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def make_private(path: Path) -> None:
    """Make a new file that only its owner may read; SQLite gives its companions the same mode.

    What stops this stops SQLite, too, which says so.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def make_private_again(path: Path) -> str:
    """Take from others the right to read what an older version let them read; one sentence on it, or "".

    A mode other than 0644 was chosen by somebody, and stays.
    """
    companions = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-reserve"))]
    with suppress(OSError):
        open_to_all = [one for one in companions if one.exists() and _is_open_to_all(one.lstat())]
        for one in open_to_all:
            one.chmod(0o600)
        if open_to_all:
            return f"{path} could be read by all users of this machine; now its owner alone may (mode 0600)"
    return ""


def _is_open_to_all(found: os.stat_result) -> bool:
    return found.st_mode == stat.S_IFREG | 0o644 and found.st_uid == os.geteuid()


def _refuse_foreign_file(url: URL) -> None:
    """Look at a SQLite file before anything is written to it, even a journal mode."""
    place = ("store",)
    if not url.database or url.database == ":memory:":
        raise InputError("names no file; a store must outlive the process that writes it", place)
    path = Path(url.database)
    require_reachable(path)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder '{path.parent}'", place)
    if not path.exists() or path.stat().st_size == 0:
        return
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error as error:
        if sentence := why_read_only(path, error):
            raise StoreReadOnlyError(sentence) from None
        raise StoreError(f"{path} cannot be opened: {error}") from None
    tables = {name for (name,) in rows}
    if tables and not {"alembic_version", "run_evaluation"} <= tables:
        raise StoreError(f"{path} is a database of another program; name another store")
