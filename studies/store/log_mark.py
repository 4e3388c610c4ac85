"""A mark that tells a SQLite store from one whose write-ahead log was removed while the log was needed.

The mark is one number in two places, on two pages of the file: a row of ``sqlite_sequence``, and
``user_version`` in the first page. Every transaction leaves both equal, so they are equal in every store
that is whole, whichever program brought the log into it. :meth:`LogMark.renew` lets them differ *in the main
file alone*:

1. one transaction counts both up;
2. a reader holds this state, and a second transaction writes the first page again;
3. a checkpoint goes as far as that reader. It writes the page of the row, and skips the first page, whose
   newest version is beyond.

The numbers in the main file then differ until a checkpoint brings the rest of the log into it. Without the
log they still differ when the file is opened.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection

from studies.store.sqlite import begin_alone

_PATIENCE = 0.05
_TICK_NS = 50_000_000  # two writes of a file that are no further apart may have the same time
_ROW = "tautline log"  # no table has this name, so SQLite itself never touches the row
_NUMBERS = "SELECT seq, (SELECT user_version FROM pragma_user_version) FROM sqlite_sequence WHERE name = ?"

REMOVED = (
    "the write-ahead log of this store (the file that ends in -wal) was removed while it was needed, "
    "or the store was copied without it: what was written last, up to whole studies, is missing. Bring the "
    "log back while nothing runs and before anything is written, or restore a backup; a check that accepts "
    "the loss goes on with what is left"
)


class LogMark:
    """The mark of one SQLite file, renewed after transactions that write.

    Parameters
    ----------
    path : Path
        The main file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written = 0  # when the main file was last written while the mark was in force, ns
        self._alone = threading.Lock()

    def renew(self) -> None:
        """Set the mark unless it is in force; try again after the next transaction where that fails."""
        if not self._alone.acquire(blocking=False):
            return
        try:
            with suppress(OSError, sqlite3.Error):
                if self._last_write() == self._written:
                    return
                if not self._in_force():
                    self._set()
                written = self._last_write()
                settled = time.time_ns() - written > _TICK_NS
                self._written = written if settled and self._in_force() else 0
        finally:
            self._alone.release()

    def _last_write(self) -> int:
        """Only checkpoints write the main file."""
        return self._path.stat().st_mtime_ns

    def _in_force(self) -> bool:
        """Look at the main file without its log."""
        address = f"file:{quote(str(self._path.absolute()))}?mode=ro&immutable=1"
        # SQLite must open the file: closing it by other means would end SQLite's own locks on it.
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True)) as connection:
            row, version = connection.execute(_NUMBERS, (_ROW,)).fetchone() or (0, 0)
            return _differ(row, version)
        return False

    def _set(self) -> None:
        with closing(self._connected()) as writer, closing(self._connected()) as reader:
            begin_alone(writer, _PATIENCE)
            version = _begin_counting(writer) + 1
            writer.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ?", (_ROW,))
            writer.execute(f"PRAGMA user_version={version}")
            writer.execute("COMMIT")
            reader.execute("BEGIN")
            reader.execute(_NUMBERS, (_ROW,)).fetchone()
            begin_alone(writer, _PATIENCE)
            version = writer.execute("PRAGMA user_version").fetchone()[0]
            writer.execute(f"PRAGMA user_version={version}")  # writes the page though the number is the same
            writer.execute("COMMIT")
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        return connection


def _differ(row: int, version: int) -> bool:
    """A 0 is a store that was never marked, or came from a dump, which has no ``user_version``."""
    return 0 not in (row, version) and row != version


def _begin_counting(writer: sqlite3.Connection) -> int:
    """The number in the first page; where counting has not begun, both begin at 1 in the main file, too."""
    row, version = writer.execute(_NUMBERS, (_ROW,)).fetchone() or (0, 0)
    if 0 in (row, version):
        _count_from_one(writer)
        writer.execute("COMMIT")
        writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
        begin_alone(writer, _PATIENCE)
        version = writer.execute("PRAGMA user_version").fetchone()[0]
    return int(version)


def _count_from_one(writer: sqlite3.Connection) -> None:
    writer.execute("DELETE FROM sqlite_sequence WHERE name = ?", (_ROW,))
    writer.execute("INSERT INTO sqlite_sequence VALUES (?, 1)", (_ROW,))
    writer.execute("PRAGMA user_version=1")


def log_was_removed(connection: Connection) -> bool:
    """True where the two numbers differ in the store as it is read, with its log if there is one."""
    if connection.dialect.name != "sqlite":
        return False
    found = connection.exec_driver_sql(_NUMBERS, (_ROW,)).first()
    return found is not None and _differ(*found)


def accept_loss(connection: Connection) -> None:
    """Begin to count anew, so that the loss is no longer reported."""
    handle: Any = connection.connection.driver_connection
    _count_from_one(handle)
