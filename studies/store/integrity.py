"""Integrity of a store: rules that the database promises, and rules that only we know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np
from sqlalchemy import JSON, Connection, Text, cast, func, select, type_coerce

from models.messages import json_fault
from studies.search.dominance import nondominated
from studies.store.column_types import Finite
from studies.store.log_mark import REMOVED, log_was_removed
from studies.store.run_log import unpack
from studies.store.tables import front_member, generation, metadata, run, run_evaluation, study

_FLOAT_BYTES = 8
_MOST_TOLD = 20


def problems(connection: Connection) -> list[str]:
    """Problems, as sentences; none when the store is sound."""
    damage = list(_damage(connection))
    if damage:
        return damage  # the rows of a damaged file say nothing
    return [*_numbers(connection), *_documents(connection), *_runs(connection)]


def _damage(connection: Connection) -> Iterator[str]:
    """Damage that SQLite finds; PostgreSQL checks its own pages and references while it runs."""
    if connection.dialect.name != "sqlite":
        return
    if log_was_removed(connection):
        yield REMOVED
    for (answer,) in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_TOLD})"):
        if answer != "ok":
            yield f"the file is damaged: {answer}"
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to a row of {parent} that does not exist"


def _numbers(connection: Connection) -> Iterator[str]:
    """Floats that are not finite: both databases order them at the ends."""
    limit = 1.7976931348623157e308
    for table in metadata.sorted_tables:
        for column in table.c:
            if isinstance(column.type, Finite):
                inside = column.between(-limit, limit)
                count = connection.execute(
                    select(func.count()).select_from(table).where(column.is_not(None), ~inside)
                ).scalar_one()
                if count:
                    yield f"{count} values of {table.name}.{column.name} are not finite"


def _documents(connection: Connection) -> Iterator[str]:
    """JSON that cannot be read, or holds numbers that are not finite."""
    streamed = connection.execution_options(stream_results=True, yield_per=1000)
    for table in metadata.sorted_tables:
        key = next(iter(table.primary_key.columns))
        for column in table.c:
            if isinstance(column.type, JSON):
                # As text: what is to be checked is what stands there.
                query = select(key, cast(type_coerce(column, Text), Text)).where(column.is_not(None))
                for owner, written in streamed.execute(query):
                    fault = _fault(written)
                    if fault:
                        yield f"{table.name}.{column.name} of {owner}: {fault}"


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"holds {name}")


def _fault(written: Any) -> str:
    try:
        json.loads(written, parse_constant=_refuse)
    except (TypeError, ValueError) as error:
        return f"unreadable JSON: {json_fault(str(written), error)}"
    return ""


def _runs(connection: Connection) -> Iterator[str]:
    query = select(run.c.id, study.c.name, run.c.layout, run.c.seed, run.c.reference_point).join(study)
    for found in connection.execute(query.order_by(run.c.id)).all():
        for problem in _run(connection, found.id, found.reference_point):
            yield f"{found.name}, {found.layout}, seed {found.seed}: {problem}"


def _run(connection: Connection, run_id: int, reference_point: bytes | None) -> Iterator[str]:
    columns = run_evaluation.c
    query = select(
        columns.ask_no,
        columns.generation,
        columns.key,
        columns.point,
        columns.objectives,
        columns.violation,
        columns.rung,
    )
    rows = connection.execute(query.where(columns.run_id == run_id).order_by(columns.ask_no)).all()
    yield from _log(connection, run_id, rows)
    blobs = [(row.ask_no, name, getattr(row, name)) for row in rows for name in ("point", "objectives")]
    if reference_point is not None and rows:
        blobs.append((-1, "objectives", reference_point))
    wrong = list(_arrays(blobs))
    yield from wrong
    if not wrong:
        yield from _front(connection, run_id, rows)


def _log(connection: Connection, run_id: int, rows: Sequence[Any]) -> Iterator[str]:
    """Asks without a gap, in generations without a gap, each as long as its indicators say."""
    if [row.ask_no for row in rows] != list(range(len(rows))):
        yield "the log lacks designs that the search asked for"
    query = select(generation.c.number, generation.c.asked).where(generation.c.run_id == run_id)
    logged = connection.execute(query.order_by(generation.c.number)).all()
    if [row.number for row in logged] != list(range(1, len(logged) + 1)):
        yield "the indicators of a generation are missing"
    ends: dict[int, int] = {}
    for row in rows:
        ends[row.generation] = row.ask_no + 1
    if ends != {row.number: row.asked for row in logged}:
        yield "the log and the indicators have different generations"


def _arrays(blobs: list[tuple[int, str, bytes]]) -> Iterator[str]:
    """Arrays of other lengths than the run's first, or with numbers that are not finite."""
    lengths: dict[str, int] = {}
    for ask_no, name, blob in blobs:
        place = "the reference point" if ask_no < 0 else f"design {ask_no}: {name}"
        if len(blob) % _FLOAT_BYTES or len(blob) != lengths.setdefault(name, len(blob)):
            yield f"{place} has {len(blob)} bytes, expected {lengths.get(name)}"
        elif not np.isfinite(unpack(blob)).all():
            yield f"{place} holds numbers that are not finite"


def _front(connection: Connection, run_id: int, rows: Sequence[Any]) -> Iterator[str]:
    """The front that is stored against the nondominated ones of all designs that are feasible in full."""
    first: dict[str, Any] = {}
    for row in rows:
        first.setdefault(row.key, row)
    feasible = [row for row in first.values() if row.violation == 0.0 and row.rung is None]
    if feasible:
        keep = nondominated(np.stack([unpack(row.objectives) for row in feasible]))
        expected = {row.ask_no for row, kept in zip(feasible, keep, strict=True) if kept}
    else:
        expected = set[int]()
    query = select(front_member.c.ask_no).where(
        front_member.c.run_id == run_id, front_member.c.exited.is_(None)
    )
    stored = set(connection.execute(query).scalars())
    if stored != expected:
        yield (
            f"the stored front differs from the nondominated designs in the log: {len(stored - expected)} "
            f"too many, {len(expected - stored)} missing"
        )
