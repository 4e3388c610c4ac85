"""The little that SQLite and PostgreSQL say differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

_PER_STATEMENT = 500


def insert_of(dialect: str, table: Table) -> Any:
    """An INSERT that knows ``ON CONFLICT``."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def insert_new(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> int:
    """Insert rows whose key is not there yet; how many, when there is only one row to insert."""
    if not rows:
        return 0
    statement = insert_of(connection.dialect.name, table).on_conflict_do_nothing()
    return connection.execute(statement, rows if len(rows) > 1 else rows[0]).rowcount


def chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Pieces small enough to name each item in one statement."""
    return (items[start : start + _PER_STATEMENT] for start in range(0, len(items), _PER_STATEMENT))
