"""The little that SQLite and PostgreSQL say differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table, literal
from sqlalchemy.dialects import postgresql, sqlite

_PER_STATEMENT = 500


def insert_of(dialect: str, table: Table) -> Any:
    """An INSERT that knows ``ON CONFLICT``."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def insert_first(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is there already; whether it was inserted."""
    statement = insert_of(connection.dialect.name, table).values(**row).on_conflict_do_nothing()
    return connection.execute(statement.returning(literal(1))).first() is not None


def chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Pieces small enough to name each item in one statement."""
    return (items[start : start + _PER_STATEMENT] for start in range(0, len(items), _PER_STATEMENT))
