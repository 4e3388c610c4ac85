"""The front of a run and how it changes; logged designs with their evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select, bindparam, insert, select, update

from studies.records import EvaluationRecord, EvaluationState, FailureKind, FloatArray
from studies.store.evaluations import record_of
from studies.store.run_log import unpack
from studies.store.tables import chunks, evaluation, front_member, run_evaluation


@dataclass(frozen=True, slots=True)
class Member:
    """One design as a run asked for it, at a point ``(d,)`` of the unit cube, with what became of it."""

    ask_no: int
    generation: int
    objectives: FloatArray
    violation: float
    evaluation: EvaluationRecord
    point: FloatArray


def members(connection: Connection, run_id: int, generation: int | None) -> list[Member]:
    """The front now (``generation`` None) or as it stood after a generation, in order of asking."""
    return [member_of(row) for row in connection.execute(members_query(run_id, generation)).mappings()]


def members_query(run_id: int, generation: int | None) -> Select[Any]:
    """The query behind :func:`members`: it starts from the few members, not from the long log."""
    query = (
        select(*COLUMNS)
        .select_from(front_member)
        .join(
            run_evaluation,
            (run_evaluation.c.run_id == front_member.c.run_id)
            & (run_evaluation.c.ask_no == front_member.c.ask_no),
        )
        .join(evaluation, evaluation.c.key == run_evaluation.c.key)
        .where(front_member.c.run_id == run_id)
        .order_by(front_member.c.ask_no)
    )
    if generation is None:
        return query.where(front_member.c.exited.is_(None))
    return query.where(
        front_member.c.entered <= generation,
        front_member.c.exited.is_(None) | (front_member.c.exited > generation),
    )


@dataclass(frozen=True, slots=True)
class Places:
    """The designs of a run's front: keys, objectives ``(n, m)``, violations, and points ``(n, d)``."""

    keys: tuple[str, ...]
    objectives: FloatArray
    violations: FloatArray
    points: FloatArray


def places(connection: Connection, run_id: int) -> Places:
    """The front now, in order of asking, without what is stored of its designs: there may be thousands."""
    rows = connection.execute(_PLACES, {"of_run": run_id}).all()
    keys, objectives, violations, points = zip(*rows, strict=True) if rows else ((), (), (), ())
    stacked = [unpack(b"".join(each)).reshape(len(keys), -1 if rows else 0) for each in (objectives, points)]
    return Places(keys, stacked[0], np.array(violations, dtype=np.float64), stacked[1])


_PLACES = (
    select(
        run_evaluation.c.key, run_evaluation.c.objectives, run_evaluation.c.violation, run_evaluation.c.point
    )
    .select_from(front_member)
    .join(
        run_evaluation,
        (run_evaluation.c.run_id == front_member.c.run_id)
        & (run_evaluation.c.ask_no == front_member.c.ask_no),
    )
    .where(front_member.c.run_id == bindparam("of_run"), front_member.c.exited.is_(None))
    .order_by(front_member.c.ask_no)
)


def history(connection: Connection, run_id: int) -> list[Member]:
    """Everything that the run asked for, in order."""
    return [member_of(row) for row in connection.execute(_logged(run_id)).mappings()]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One design as a run asked for it, with what became of it, but without what is stored of it."""

    key: str
    state: EvaluationState
    kind: FailureKind
    reason: str
    seconds: float
    violation: float
    point: FloatArray
    rung: int | None = None
    """The fidelity below the full one, counted from 1; None where it was evaluated in full."""


def outcomes(connection: Connection, run_id: int) -> list[Outcome]:
    """Everything that the run asked for, in order, without parameters and metrics, which take the time."""
    rows = connection.execute(_OUTCOMES, {"of_run": run_id}).all()
    return [
        Outcome(key, state, kind, reason, seconds, violation, unpack(point), rung)
        for key, state, kind, reason, seconds, violation, point, rung in rows
    ]


_OUTCOMES = (
    select(
        evaluation.c.key, evaluation.c.state, evaluation.c.kind, evaluation.c.reason, evaluation.c.seconds,
        run_evaluation.c.violation, run_evaluation.c.point, run_evaluation.c.rung + 1,
    )
    .join(run_evaluation, run_evaluation.c.key == evaluation.c.key)
    .where(run_evaluation.c.run_id == bindparam("of_run"))
    .order_by(run_evaluation.c.ask_no)
)  # fmt: skip


def _logged(run_id: int) -> Select[Any]:
    return (
        select(*COLUMNS)
        .join(run_evaluation, run_evaluation.c.key == evaluation.c.key)
        .where(run_evaluation.c.run_id == run_id)
        .order_by(run_evaluation.c.ask_no)
    )


COLUMNS = (
    evaluation,
    run_evaluation.c.ask_no,
    run_evaluation.c.generation,
    run_evaluation.c.objectives,
    run_evaluation.c.point,
    run_evaluation.c.violation.label("search_violation"),
)


def member_of(row: Any) -> Member:
    """The design in a row of :data:`COLUMNS`."""
    return Member(
        row["ask_no"], row["generation"], unpack(row["objectives"]), row["search_violation"], record_of(row),
        unpack(row["point"]),
    )  # fmt: skip


def change_front(
    connection: Connection, run_id: int, number: int, entered: Sequence[int], left: Sequence[int]
) -> None:
    """Designs, by ask number, that joined and left the front in generation ``number``."""
    if entered:
        joins = [{"run_id": run_id, "ask_no": ask, "entered": number} for ask in entered]
        connection.execute(insert(front_member), joins)
    for some in chunks(left):
        own = (front_member.c.run_id == run_id) & front_member.c.ask_no.in_(some)
        connection.execute(update(front_member).where(own).values(exited=number))
