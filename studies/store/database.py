"""Connections: every one durable, every writer alone, and the schema at the version we write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from models.errors import InputError, SchemaError, StoreError

BUSY_TIMEOUT_MS = 10_000


def parse_url(text: str) -> URL:
    """The database URL in ``text``; a bare file name means a SQLite file."""
    place = "--store"
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise InputError("is no database URL; expected e.g. sqlite:///tautline.db", place) from None
    if url.get_backend_name() != "sqlite":
        raise InputError(f"'{url.get_backend_name()}' is not supported; use sqlite:///FILE", place)
    return url


def connect(url: URL) -> Engine:
    """An engine whose SQLite connections are durable (WAL, synchronous FULL) and wait for locks."""
    _refuse_foreign_file(url)
    try:
        engine = create_engine(url, json_serializer=_json, hide_parameters=True)
    except (NoSuchModuleError, ImportError, ArgumentError) as error:
        raise InputError(f"cannot be used: {error}", "--store") from None
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


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
    write = connection.get_execution_options().get("tautline_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


@contextmanager
def reading(engine: Engine) -> Generator[Connection]:
    """A transaction that only reads: one consistent picture."""
    with _told_plainly(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Generator[Connection]:
    """A transaction that writes, alone from its start; all of it is stored, or nothing."""
    with (
        _told_plainly(),
        engine.connect().execution_options(tautline_write=True) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def _told_plainly() -> Generator[None]:
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"the store refused: {error.orig}; nothing of this step was written") from error


def _alembic(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def current_revision(engine: Engine) -> str | None:
    """The schema's revision; None for an empty database."""
    with reading(engine) as connection:
        return MigrationContext.configure(connection).get_current_revision()


def head_revision() -> str:
    """The revision that this version of Tautline writes."""
    return ScriptDirectory.from_config(_alembic()).get_current_head() or ""


def upgrade(engine: Engine) -> None:
    """Bring the schema to the version that this Tautline writes, in one transaction."""
    with writing(engine) as connection:
        command.upgrade(_alembic(connection), "head")


def require_schema(engine: Engine, *, migrate: bool = False) -> None:
    """Create the schema in an empty database; refuse one of another program or another version.

    ``migrate`` brings an older schema up to date instead of refusing it.
    """
    with reading(engine) as connection:
        tables = set(inspect(connection).get_table_names())
    if not tables:
        upgrade(engine)
        return
    found, expected = current_revision(engine), head_revision()
    if found == expected:
        return
    known = {script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()}
    if found not in known:
        raise SchemaError(f"{engine.url} has schema {found}, which only a newer Tautline knows; use that one")
    if not migrate:
        raise SchemaError(
            f"{engine.url} has schema {found}, this Tautline writes {expected}: run `tautline store upgrade`"
        )
    upgrade(engine)


def _refuse_foreign_file(url: URL) -> None:
    """Look at a SQLite file before anything is written to it, even a journal mode."""
    place = "--store"
    if not url.database or url.database == ":memory:":
        raise InputError("names no file; a store must outlive the process that writes it", place)
    path = Path(url.database)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder '{path.parent}'", place)
    if not path.exists() or path.stat().st_size == 0:
        return
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None
    tables = {name for (name,) in rows}
    if tables and not {"alembic_version", "run_evaluation"} <= tables:
        raise StoreError(f"{path} is a database of another program; name another store")
