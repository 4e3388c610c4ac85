"""What became of the designs of runs, counted in the database however long the logs are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, func, select

from studies.store.dialect import chunks
from studies.store.tables import evaluation, run_evaluation

_LOGGED = run_evaluation.c.key == evaluation.c.key


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which numbers a metric shall be; ``absent`` is judged where a design has none."""

    metric: str
    lower: float
    upper: float
    absent: float


def counted(connection: Connection, run_ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Rows of run, state, kind, reason, whether a constraint is broken, how many, and a key of them."""
    breaks = (evaluation.c.state == "done") & (run_evaluation.c.violation > 0)
    groups = (
        run_evaluation.c.run_id, evaluation.c.state, evaluation.c.kind, evaluation.c.reason,
        case((breaks, 1), else_=0).label("broken"),
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for some in chunks(run_ids):
        query = select(*groups, func.count(), func.min(evaluation.c.key)).join(run_evaluation, _LOGGED)
        query = query.where(run_evaluation.c.run_id.in_(some)).group_by(*groups)
        rows += [(*row[:4], bool(row[4]), *row[5:]) for row in connection.execute(query)]
    return rows


def broken(connection: Connection, run_ids: Sequence[int], bounds: Sequence[Bounds]) -> list[int]:
    """How many designs that have metrics are outside each of the bounds."""
    totals = [0] * len(bounds)
    for some in chunks(run_ids):
        query = select(*map(_outside, bounds)).join(run_evaluation, _LOGGED)
        query = query.where(run_evaluation.c.run_id.in_(some), evaluation.c.state == "done")
        query = query.where(run_evaluation.c.violation > 0)
        found = connection.execute(query).one()
        totals = [total + (number or 0) for total, number in zip(totals, found, strict=True)]
    return totals


def _outside(bounds: Bounds) -> Any:
    value = func.coalesce(evaluation.c.metrics[bounds.metric].as_float(), bounds.absent)
    return func.sum(case((value.between(bounds.lower, bounds.upper), 0), else_=1))
