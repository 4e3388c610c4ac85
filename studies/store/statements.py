"""The little that SQLite and PostgreSQL say differently, and many rows in one statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Table, literal
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


class InsertMany:
    """A statement that is executed for many rows, each a mapping from bound names to values.

    Values pass through the types of their columns, as SQLAlchemy's own execution does it: JSON is
    written, and what is not finite is refused.

    Parameters
    ----------
    build : callable (name of a dialect) -> statement
        The INSERT or UPDATE; all its values are bound.
    """

    def __init__(self, build: Callable[[str], Any]) -> None:
        self._build = build
        self._compiled: dict[str, _Compiled] = {}

    def execute(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Execute the statement once per row."""
        if not rows:
            return
        dialect = connection.dialect
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = _Compiled(self._build(dialect.name), list(rows[0]), dialect)
            self._compiled[dialect.name] = compiled
        connection.exec_driver_sql(compiled.text, compiled.parameters(rows))


class _Compiled:
    def __init__(self, statement: Any, names: list[str], dialect: Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=names)
        self.text = str(compiled)
        self._order: list[str] | None = compiled.positiontup
        types = {name: bind.type for name, bind in compiled.binds.items()}
        found = {name: kind.dialect_impl(dialect).bind_processor(dialect) for name, kind in types.items()}
        self._processors = [(name, found[name]) for name in names if found.get(name) is not None]

    def parameters(self, rows: Sequence[dict[str, Any]]) -> list[Any]:
        """The rows as the driver wants them."""
        for name, process in self._processors:
            for row in rows:
                row[name] = process(row[name])
        if self._order is None:
            return list(rows)
        if len(self._order) == 1:
            return [(row[self._order[0]],) for row in rows]
        return list(map(itemgetter(*self._order), rows))
