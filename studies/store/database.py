"""Transactions: all or nothing, tried again when the database is busy or away for a while."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from errors import InputError, StoreError
from studies.store.column_types import decoded, encoded
from studies.store.errors import FAULTS, Fault, passes, user_error
from studies.store.log_mark import LogMark
from studies.store.postgresql import postgresql_engine
from studies.store.sqlite import sqlite_engine

PATIENCE_SECONDS = 60.0
"""Longest time for which a transaction is tried again while the database is busy or away."""

LOCK_SECONDS = 10.0
"""Longest time for which one try waits for a lock."""

_SHORT_SECONDS, _BUSY_SECONDS = 0.2, 2.0
"""Waits in a server: a write soon after one that failed on a lock waits only this briefly, for a server
has few threads, and a thread that waits for a lock answers no other request."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 2.0
_POOL = {"pool_size": 20, "max_overflow": 20}  # a run pool's threads, its heartbeat and the caller at once
_POSTGRESQL = {"postgresql", "postgres"}

Clock = Callable[[], float]
T = TypeVar("T")


def parse_url(text: str) -> URL:
    """The database URL in ``text``; a bare file name means a SQLite file."""
    place = ("store",)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise InputError(
            "is not a database URL; expected for example sqlite:///tautline.db or "
            "postgresql://user@host/database",
            place,
        ) from None
    scheme = url.get_backend_name()
    if scheme in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if scheme != "sqlite":
        raise InputError(f"'{scheme}' is not supported; use sqlite:///FILE or postgresql://...", place)
    return url


def name_of(url: URL) -> str:
    """A name for the database that may be printed: neither password nor options."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    return str(URL.create("postgresql", url.username, None, url.host, url.port, url.database))


def connect(url: URL) -> Engine:
    """An engine for the database; see the modules of SQLite and PostgreSQL for what it guarantees."""
    options: dict[str, Any] = {
        "json_serializer": encoded,
        "json_deserializer": decoded,
        "hide_parameters": True,
        **_POOL,
    }
    if url.get_backend_name() == "sqlite":
        return sqlite_engine(url, options)
    return postgresql_engine(url, options)


class Database:
    """Transactions on one database.

    ``read`` and ``write`` take the work as a function of a connection, because they may call it
    again: when the database was busy or away nothing of the first try was stored, or all of it was and
    only the acknowledgement got lost. Work must therefore do the same when it is done twice.

    Parameters
    ----------
    engine : Engine
        Where connections come from.
    clock : callable () -> float, optional
        UTC seconds; without it the database's own clock on PostgreSQL, the machine's on SQLite.
    patience : float, optional
        How long a transaction is tried, s; ``PATIENCE_SECONDS`` when not given.
    """

    def __init__(self, engine: Engine, clock: Clock | None = None, patience: float | None = None) -> None:
        self.engine = engine
        self._patience = patience
        self._busy_until = 0.0
        self._clock = clock
        self._mark = LogMark(Path(engine.url.database or "")) if engine.dialect.name == "sqlite" else None
        self._asks_server = clock is None and engine.dialect.name == "postgresql"

    def now(self, connection: Connection) -> float:
        """UTC seconds."""
        if self._asks_server:
            return float(connection.execute(_SERVER_TIME).scalar_one())
        return time.time() if self._clock is None else self._clock()

    def read(self, work: Callable[[Connection], T]) -> T:
        """A transaction that only reads: one consistent picture."""
        return self._insist(work, self._tried_for, write=False)

    @property
    def _tried_for(self) -> float:
        return PATIENCE_SECONDS if self._patience is None else self._patience

    def write(self, work: Callable[[Connection], T], patience: float | None = None) -> T:
        """A transaction that writes; all of it is stored, or nothing.

        ``patience`` is for what is better not written than waited for, s. Raises ``StoreBusyError``
        when another program held the lock for so long.
        """
        wanted = self._tried_for if patience is None else patience
        if time.monotonic() < self._busy_until:
            wanted = min(wanted, _SHORT_SECONDS)
        done = self._insist(work, wanted, write=True)
        if self._mark is not None:
            self._mark.renew()
        return done

    def migrate(self, work: Callable[[Connection], None]) -> None:
        """A transaction that changes tables; references are checked at its end.

        Raises ``StoreError`` where a row then refers to one that is not there.
        """

        def checked(connection: Connection) -> None:
            work(connection)
            if connection.dialect.name == "sqlite":
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                if broken is not None:
                    raise StoreError(
                        f"row {broken[1]} of {broken[0]} refers to a row of {broken[2]} that does not exist; "
                        "it is not upgraded; check the store with the Tautline that wrote it"
                    ).mended_by("store", "check")

        try:
            self._insist(checked, self._tried_for, write=True, migration=True)
        finally:
            self.engine.dispose()  # SQLite's connection had references off

    def empty_log(self) -> None:
        """Write SQLite's log from its beginning again, if nobody reads what stands in it."""
        if self.engine.dialect.name == "sqlite":
            with suppress(*FAULTS), self.engine.connect() as connection:
                handle: Any = connection.connection.driver_connection
                handle.execute("PRAGMA wal_checkpoint(RESTART)")

    def _insist(
        self, work: Callable[[Connection], T], patience: float, *, write: bool, migration: bool = False
    ) -> T:
        end = time.monotonic() + patience
        pause = _FIRST_PAUSE
        while True:
            try:
                with _transaction(
                    self.engine, write=write, patience=patience, migration=migration
                ) as connection:
                    return work(connection)
            except FAULTS as error:
                if not passes(error) or time.monotonic() + pause > end:
                    if write and passes(error) and patience > 0.0 and self._patience is not None:
                        self._busy_until = time.monotonic() + _BUSY_SECONDS
                    raise _told(error, self.engine) from error
            time.sleep(random.uniform(0.5, 1.0) * pause)  # noqa: S311 - a wait, not a secret
            pause = min(2.0 * pause, _LONGEST_PAUSE)


_SERVER_TIME = select(func.extract("epoch", func.clock_timestamp()))


@contextmanager
def reading(engine: Engine) -> Generator[Connection]:
    """One transaction that only reads, not tried again."""
    try:
        with _transaction(engine, write=False) as connection:
            yield connection
    except FAULTS as error:
        raise _told(error, engine) from error


def _told(error: Fault, engine: Engine) -> StoreError:
    return user_error(error, name_of(engine.url), engine.url.password or "")


@contextmanager
def _transaction(
    engine: Engine, *, write: bool, patience: float = PATIENCE_SECONDS, migration: bool = False
) -> Generator[Connection]:
    with engine.connect() as connection:
        if write:
            connection.execution_options(
                tautline_write=True, tautline_patience=patience, tautline_migration=migration
            )
        elif engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            if write and engine.dialect.name == "postgresql" and patience < LOCK_SECONDS:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, int(1000 * patience))}")
            yield connection
