"""The log of a run: what was asked and told, its indicators, its front. Rows only; no decisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select, update

from studies.records import FloatArray, GenerationRecord, LoggedBatch, RunRecord, RunState
from studies.store.tables import event, front_member, generation, run, run_evaluation, run_lease, study

_FLOAT = np.dtype("<f8")


def pack(values: FloatArray) -> bytes:
    """Floats as little-endian bytes, exactly."""
    return np.ascontiguousarray(values, dtype=_FLOAT).tobytes()


def unpack(blob: bytes) -> FloatArray:
    """The floats that :func:`pack` wrote."""
    return np.frombuffer(blob, dtype=_FLOAT).astype(np.float64)


def state_of(connection: Connection, run_id: int) -> str:
    """The run's state."""
    return connection.execute(select(run.c.state).where(run.c.id == run_id)).scalar_one()


def set_state(connection: Connection, run_id: int, state: RunState, message: str, now: float) -> None:
    """Move a run to a state and note it among the events."""
    connection.execute(update(run).where(run.c.id == run_id).values(state=state, message=message))
    connection.execute(insert(event).values(run_id=run_id, time=now, kind=state, message=message))


def set_reference_point(connection: Connection, run_id: int, point: FloatArray) -> None:
    """Fix the point against which the run's hypervolume is measured."""
    connection.execute(update(run).where(run.c.id == run_id).values(reference_point=pack(point)))


def append_batch(connection: Connection, run_id: int, first_ask: int, batch: LoggedBatch) -> None:
    """Log one generation as asked and told."""
    columns = zip(batch.keys, batch.points, batch.objectives, batch.violations, strict=True)
    rows = [
        {
            "run_id": run_id,
            "ask_no": first_ask + i,
            "tell_no": first_ask + i,
            "generation": batch.generation,
            "key": key,
            "point": pack(point),
            "objectives": pack(objectives),
            "violation": float(violation),
        }
        for i, (key, point, objectives, violation) in enumerate(columns)
    ]
    connection.execute(insert(run_evaluation), rows)


def append_generation(connection: Connection, run_id: int, record: GenerationRecord) -> None:
    """Store a generation's indicators."""
    values: dict[str, Any] = {name: getattr(record, name) for name in record.__slots__}
    connection.execute(insert(generation).values(run_id=run_id, **values))


def change_front(
    connection: Connection, run_id: int, number: int, entered: Sequence[int], left: Sequence[int]
) -> None:
    """Designs, by ask number, that joined and left the front in generation ``number``."""
    if entered:
        rows = [{"run_id": run_id, "ask_no": ask, "entered": number} for ask in entered]
        connection.execute(insert(front_member), rows)
    for ask in left:
        member = (front_member.c.run_id == run_id) & (front_member.c.ask_no == ask)
        connection.execute(update(front_member).where(member).values(left=number))


def log(connection: Connection, run_id: int) -> list[LoggedBatch]:
    """Every logged generation in order."""
    query = select(run_evaluation).where(run_evaluation.c.run_id == run_id).order_by(run_evaluation.c.ask_no)
    rows = connection.execute(query).mappings()
    return [_batch(number, list(group)) for number, group in groupby(rows, key=lambda row: row["generation"])]


def _batch(number: int, rows: list[Any]) -> LoggedBatch:
    return LoggedBatch(
        number,
        tuple(row["key"] for row in rows),
        np.stack([unpack(row["point"]) for row in rows]),
        np.stack([unpack(row["objectives"]) for row in rows]),
        np.array([row["violation"] for row in rows], dtype=np.float64),
    )


def generations(connection: Connection, run_id: int) -> list[GenerationRecord]:
    """Indicators per generation in order."""
    query = select(generation).where(generation.c.run_id == run_id).order_by(generation.c.number)
    rows = connection.execute(query).mappings()
    names = GenerationRecord.__slots__
    return [GenerationRecord(**{name: row[name] for name in names}) for row in rows]


def runs_of(connection: Connection, study_id: int) -> tuple[RunRecord, ...]:
    """The runs of a study, in the order of its file."""
    query = (
        select(run, study.c.name, run_lease.c.host, run_lease.c.pid, run_lease.c.expires)
        .join(study, study.c.id == run.c.study_id)
        .outerjoin(run_lease, run_lease.c.run_id == run.c.id)
        .where(run.c.study_id == study_id)
        .order_by(run.c.id)
    )
    return tuple(_run(row) for row in connection.execute(query).mappings())


def _run(row: Any) -> RunRecord:
    point = row["reference_point"]
    owner = f"{row['host']}:{row['pid']}" if row["expires"] else ""
    return RunRecord(
        row["id"], row["name"], row["layout"], row["seed"], row["state"], row["message"],
        None if point is None else unpack(point), owner,
    )  # fmt: skip
