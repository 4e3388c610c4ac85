"""The schema: made in an empty database, brought up to date on demand, refused when it is not ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from models.errors import SchemaError, StoreError
from studies.store.database import Database, name_of

_OURS = {"alembic_version", "run_evaluation"}
_UPGRADE_LOCK = 7_210_541_990_032  # any number, the same in every process


def _alembic(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def current_revision(database: Database) -> str | None:
    """The schema's revision; None for an empty database."""
    return database.read(_revision_of)


def _revision_of(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def head_revision() -> str:
    """The revision that this version of Tautline writes."""
    return ScriptDirectory.from_config(_alembic()).get_current_head() or ""


def upgrade(database: Database) -> None:
    """Bring the schema to the version that this Tautline writes, in one transaction."""

    def work(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":  # two that make the schema at once would collide
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        command.upgrade(_alembic(connection), "head")

    database.write(work)


def require_schema(database: Database, *, migrate: bool = False) -> None:
    """Create the schema in an empty database; refuse one of another program or another version.

    ``migrate`` brings an older schema up to date instead of refusing it.
    """
    name = name_of(database.engine.url)
    tables, found = database.read(lambda connection: (_tables(connection), _revision_of(connection)))
    if not tables:
        upgrade(database)
        return
    if not tables >= _OURS:
        raise StoreError(f"{name} is a database of another program; name another store")
    expected = head_revision()
    if found == expected:
        return
    scripts: list[Any] = list(ScriptDirectory.from_config(_alembic()).walk_revisions())
    if found not in {script.revision for script in scripts}:
        raise SchemaError(f"{name} has schema {found}, which only a newer Tautline knows; use that one")
    if not migrate:
        raise SchemaError(
            f"{name} has schema {found}, this Tautline writes {expected}: run `tautline store upgrade`"
        )
    upgrade(database)


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())
