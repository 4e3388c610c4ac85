"""The schema: made in an empty database, brought up to date on demand, refused when it is not ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    text,
)

from errors import SchemaError, StoreError
from studies.store.database import Database, name_of
from studies.store.tables import metadata

_OURS = {"alembic_version", "run_evaluation"}
_REVISION = Table(  # as alembic would make it
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
_MIGRATIONS = Path(__file__).parent / "migrations"
_UPGRADE_LOCK = 7_210_541_990_032  # any number, the same in every process


@cache
def revisions() -> tuple[str, ...]:
    """All that this Tautline knows, oldest first: the number that each migration's file begins with."""
    return tuple(sorted(path.name.partition("_")[0] for path in _MIGRATIONS.glob("versions/[0-9]*.py")))


def head_revision() -> str:
    """The revision that this version of Tautline writes."""
    return revisions()[-1]


def current_revision(database: Database) -> str | None:
    """The schema's revision; None for an empty database."""
    return database.read(_revision_of)


def _revision_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(database: Database) -> None:
    """Bring the schema to the version that this Tautline writes, in one transaction."""
    from alembic import command  # a while to import: only where the schema changes
    from alembic.config import Config

    def work(connection: Connection) -> None:
        _alone(connection)
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    database.migrate(work)


def _create(database: Database) -> None:
    """Make the tables in one transaction, unless another process has just done so.

    They are those that all migrations together make, in a tenth of the time.
    """

    def work(connection: Connection) -> None:
        _alone(connection)
        if not _tables(connection):
            metadata.create_all(connection, checkfirst=False)
            _REVISION.create(connection)
            connection.execute(insert(_REVISION).values(version_num=head_revision()))

    database.write(work)


def _alone(connection: Connection) -> None:
    """Two that make or change the schema at once would collide; SQLite lets only one write anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})


def require_schema(database: Database, *, migrate: bool = False) -> None:
    """Create the schema in an empty database; refuse one of another program or another version.

    ``migrate`` brings an older schema up to date instead of refusing it.
    """
    name = name_of(database.engine.url)
    tables, found = database.read(lambda connection: (_tables(connection), _revision_of(connection)))
    if not tables:
        _create(database)
        tables, found = database.read(lambda connection: (_tables(connection), _revision_of(connection)))
    if not tables >= _OURS:
        raise StoreError(f"{name} is a database of another program; name another store")
    expected = head_revision()
    if found == expected:
        return
    if found not in revisions():
        raise SchemaError(f"{name} has schema {found}, which needs a newer Tautline; install that version")
    if not migrate:
        raise SchemaError(
            f"{name} has schema {found}, this Tautline writes {expected}; upgrade the store"
        ).mended_by("store", "upgrade")
    upgrade(database)


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())
