"""The log of a run: designs and results, indicators. Rows only; no decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from errors import DivergedError, StoreError
from studies.records import FloatArray, GenerationRecord, LoggedBatch, Origin, RunRecord
from studies.store.lease import is_held
from studies.store.tables import chunks, front_member, generation, run, run_evaluation, run_lease, study

_FLOAT = np.dtype("<f8")
PLAIN = Origin()


def pack(values: FloatArray) -> bytes:
    """Floats as little-endian bytes, exactly; raises ``StoreError`` when one is not finite."""
    return _exact(values).tobytes()


def _packed(rows: FloatArray) -> list[bytes]:
    return [row.tobytes() for row in _exact(rows)]


def _exact(values: FloatArray) -> FloatArray:
    if not np.isfinite(values).all():
        raise StoreError("an array with numbers that are not finite cannot be stored")
    return np.ascontiguousarray(values, dtype=_FLOAT)


def unpack(blob: bytes) -> FloatArray:
    """The floats that :func:`pack` wrote."""
    return np.frombuffer(blob, dtype=_FLOAT).astype(np.float64)


def append_once(connection: Connection, run_id: int, batch: LoggedBatch, record: GenerationRecord) -> bool:
    """Log one generation with its indicators; False when it is logged already.

    Raises ``DivergedError`` when other designs are logged as this generation, and ``StoreError``
    when a generation before it is missing.
    """
    first_ask = record.asked - len(batch.keys)
    last, asked = _last(connection, run_id)
    if record.number <= last:
        query = select(run_evaluation.c.key).order_by(run_evaluation.c.ask_no)
        own = (run_evaluation.c.run_id == run_id) & (run_evaluation.c.generation == record.number)
        if tuple(connection.execute(query.where(own)).scalars()) == batch.keys:
            return False
        raise DivergedError(f"generation {record.number} is already in the log, with other designs")
    if (record.number, batch.generation, first_ask) != (last + 1, last + 1, asked):
        raise StoreError(
            f"generation {record.number} from ask {first_ask} does not follow the log, which ends with "
            f"generation {last} and {asked} designs"
        )
    _append_batch(connection, run_id, first_ask, batch)
    values: dict[str, Any] = {name: getattr(record, name) for name in record.__slots__}
    connection.execute(insert(generation).values(run_id=run_id, **values))
    return True


def take_back(connection: Connection, run_id: int) -> None:
    """Forget the last logged generation of a run: its log and front are as before it.

    The evaluations stay. A reference point that this generation had fixed goes with it.
    """
    number, _ = _last(connection, run_id)
    own = front_member.c.run_id == run_id
    connection.execute(delete(front_member).where(own, front_member.c.entered == number))
    connection.execute(update(front_member).where(own, front_member.c.exited == number).values(exited=None))
    for table in (run_evaluation, generation):
        column = table.c.generation if table is run_evaluation else table.c.number
        connection.execute(delete(table).where(table.c.run_id == run_id, column == number))
    feasible = select(func.max(generation.c.feasible)).where(generation.c.run_id == run_id)
    if not connection.execute(feasible).scalar():
        connection.execute(update(run).where(run.c.id == run_id).values(reference_point=None))


def _last(connection: Connection, run_id: int) -> tuple[int, int]:
    """The last logged generation and how many designs were asked for until its end."""
    row = connection.execute(_LAST, {"of_run": run_id}).first()
    return (0, 0) if row is None else (row.number, row.asked)


# Built once, as the others below: building a query takes longer than answering it.
_LAST = (
    select(generation.c.number, generation.c.asked)
    .where(generation.c.run_id == bindparam("of_run"))
    .order_by(generation.c.number.desc())
    .limit(1)
)


def set_reference_point(
    connection: Connection, run_id: int, point: FloatArray, volumes: Mapping[int, float]
) -> None:
    """Move the point against which the run's hypervolumes are measured; ``volumes`` by earlier generation."""
    connection.execute(update(run).where(run.c.id == run_id).values(reference_point=pack(point)))
    if volumes:
        rows = [{"of_run": run_id, "of_number": n, "measured": volume} for n, volume in volumes.items()]
        connection.execute(_MEASURED, rows)


_MEASURED = (
    update(generation)
    .where(generation.c.run_id == bindparam("of_run"), generation.c.number == bindparam("of_number"))
    .values(hypervolume=bindparam("measured"))
)


def _append_batch(connection: Connection, run_id: int, first_ask: int, batch: LoggedBatch) -> None:
    columns = (batch.keys, _packed(batch.points), _packed(batch.objectives), batch.violations.tolist())
    origins = batch.origins or (PLAIN,) * len(batch.keys)
    rows = [
        {
            "run_id": run_id,
            "ask_no": first_ask + i,
            "generation": batch.generation,
            "key": key,
            "point": point,
            "objectives": objectives,
            "violation": violation,
            **origin._asdict(),
        }
        for i, (key, point, objectives, violation, origin) in enumerate(zip(*columns, origins, strict=True))
    ]
    connection.execute(insert(run_evaluation), rows)


def log(connection: Connection, run_id: int) -> list[LoggedBatch]:
    """Every logged generation in order."""
    rows = connection.execute(_LOG, {"of_run": run_id}).all()
    return [_batch(number, group) for number, group in groupby(rows, key=lambda row: row.generation)]


def _batch(number: int, rows: Iterator[Any]) -> LoggedBatch:
    _, keys, points, objectives, violations, *origins = zip(*rows, strict=True)
    stated = () if set(zip(*origins, strict=True)) == {PLAIN} else tuple(map(Origin, *origins))
    return LoggedBatch(
        number, keys, _stacked(points), _stacked(objectives), np.array(violations, dtype=np.float64), stated
    )


def _stacked(blobs: Sequence[bytes]) -> FloatArray:
    return unpack(b"".join(blobs)).reshape(len(blobs), -1)


_LOG = (
    select(
        *(run_evaluation.c[name] for name in ("generation", "key", "point", "objectives", "violation")),
        *(run_evaluation.c[name] for name in Origin._fields),
    )
    .where(run_evaluation.c.run_id == bindparam("of_run"))
    .order_by(run_evaluation.c.ask_no)
)


def generations(
    connection: Connection, run_id: int, after: int = 0, limit: int | None = None
) -> list[GenerationRecord]:
    """Indicators per generation in order: at most so many, after a generation's number."""
    own = (generation.c.run_id == run_id) & (generation.c.number > after)
    columns = (generation.c[name] for name in GenerationRecord.__slots__)
    query = select(*columns).where(own).order_by(generation.c.number).limit(limit)
    return [GenerationRecord(*row) for row in connection.execute(query).all()]


def runs_of(connection: Connection, study_id: int, host: str, now: float) -> tuple[RunRecord, ...]:
    """The runs of a study, in the order of its file, as seen from ``host``."""
    rows = connection.execute(_RUNS_OF, {"of_study": study_id}).mappings()
    return tuple(_run(row, host, now) for row in rows)


def runs_of_all(
    connection: Connection, study_ids: Sequence[int], host: str, now: float
) -> dict[int, tuple[RunRecord, ...]]:
    """The runs of many studies, by study: a few statements instead of one for each."""
    found: dict[int, list[RunRecord]] = {}
    for some in chunks(study_ids):
        for row in connection.execute(_RUNS_OF_ALL, {"of_studies": some}).mappings():
            found.setdefault(row["study_id"], []).append(_run(row, host, now))
    return {study_id: tuple(its_runs) for study_id, its_runs in found.items()}


def runs_with(connection: Connection, ids: Iterable[int], host: str, now: float) -> list[RunRecord]:
    """The runs and jobs with these numbers, in their order."""
    rows = connection.execute(_RUNS.where(run.c.id.in_(list(ids))).order_by(run.c.id)).mappings()
    return [_run(row, host, now) for row in rows]


def find(connection: Connection, run_id: int, host: str, now: float) -> RunRecord:
    """One run; raises ``StoreError`` when it was deleted."""
    row = connection.execute(_RUNS.where(run.c.id == run_id)).mappings().first()
    if row is None:
        raise StoreError("the run was deleted, and its study with it")
    return _run(row, host, now)


_RUNS = (
    select(
        run, study.c.name, run_lease.c.host, run_lease.c.pid, run_lease.c.process_started, run_lease.c.expires
    )
    .join(study, study.c.id == run.c.study_id)
    .join(run_lease, run_lease.c.run_id == run.c.id)
)
_SEARCHES = _RUNS.where(run.c.kind == "search").order_by(run.c.id)
_RUNS_OF = _SEARCHES.where(run.c.study_id == bindparam("of_study"))
_RUNS_OF_ALL = _SEARCHES.where(run.c.study_id.in_(bindparam("of_studies", expanding=True)))
_WITH_OWNER = {"running", "pausing", "cancelling"}


def _run(row: Any, host: str, now: float) -> RunRecord:
    point = row["reference_point"]
    owned = row["expires"] != 0.0
    return RunRecord(
        row["id"], row["name"], row["layout"], row["seed"], row["state"], row["message"],
        None if point is None else unpack(point),
        f"{row['host']}:{row['pid']}" if owned else "",
        row["deadline"],
        (owned or row["state"] in _WITH_OWNER) and not is_held(row, host, now),
        row["kind"], row["request"] or {}, row["account"], row["wanted"], row["evaluated"],
    )  # fmt: skip
