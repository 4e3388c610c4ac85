"""Trials, the designs that runs evaluated: page by page, as numbers, and by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, case, func, select, tuple_

from errors import InputError
from studies.records import FAILED, EvaluationState, FailureKind, FloatArray
from studies.store.column_types import deferred
from studies.store.evaluations import KEY
from studies.store.run_log import unpack
from studies.store.run_statistics import UNDEFINED_GOAL
from studies.store.tables import chunks, evaluation, generation, run, run_evaluation, study


@dataclass(frozen=True, slots=True)
class TrialFilter:
    """Filter of trials.

    Parameters
    ----------
    runs : sequence of int
        The runs whose designs they are.
    after : tuple of int, optional
        Run and ask number of the last design of the page before.
    limit : int
        At most so many.
    state : str, optional
        Only those that ended so.
    kind : str, optional
        Only those that failed so.
    key : str, optional
        Only those of this evaluation.
    step : int
        Only those whose ask number is a multiple of it.
    in_full : bool
        Only those that were evaluated in full, and not on a rung only.
    """

    runs: Sequence[int]
    after: tuple[int, int] | None = None
    limit: int = 100
    state: EvaluationState | None = None
    kind: FailureKind | None = None
    key: str | None = None
    step: int = 1
    in_full: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """One design of a run's log; ``violation`` is its own where it is infeasible, else the search's.

    A design that has metrics, but failed in its study, is a failed one. ``point`` ``(d,)`` lies in the
    unit cube; ``seconds`` is the time that its evaluation took.
    """

    run_id: int
    ask_no: int
    generation: int
    key: str
    state: EvaluationState
    kind: FailureKind
    reason: str
    violation: float
    parameters: Mapping[str, Any]
    metrics: Mapping[str, float | None]
    seconds: float = field(compare=False)
    point: FloatArray = field(compare=False)
    rung: int | None = None
    """The fidelity below the full one, counted from 1; None where it was evaluated in full."""


def page(connection: Connection, wanted: TrialFilter) -> list[Trial]:
    """Designs in the order of runs and of asking."""
    query = _LOGGED.where(run_evaluation.c.run_id.in_(wanted.runs)).limit(wanted.limit)
    if wanted.after is not None:
        query = query.where(tuple_(run_evaluation.c.run_id, run_evaluation.c.ask_no) > wanted.after)
    if wanted.state is not None:
        query = query.where(_STATE.in_([wanted.state]))
    if wanted.kind is not None:
        query = query.where(_KIND.in_([wanted.kind]))
    if wanted.key is not None:
        query = query.where(run_evaluation.c.key == wanted.key)
    if wanted.step > 1:
        query = query.where(run_evaluation.c.ask_no % wanted.step == 0)
    if wanted.in_full:
        query = query.where(IN_FULL)
    return [_trial(*row) for row in connection.execute(query).all()]


def nearest(connection: Connection, run_id: int, most: int) -> list[Trial]:
    """Different designs of a run with the least violations that did not fail, the least first.

    Those that were evaluated on a rung only come last: their violations are of another resolution.
    """
    own = run_evaluation.c.run_id == run_id
    least = (
        select(run_evaluation.c.key, func.min(run_evaluation.c.ask_no))
        .where(own, run_evaluation.c.violation < FAILED)
        .group_by(run_evaluation.c.key)
        .order_by(
            func.min(case((IN_FULL, 0), else_=1)),
            func.min(run_evaluation.c.violation),
            func.min(run_evaluation.c.ask_no),
        )
        .limit(most)
    )
    asked = [number for _, number in connection.execute(least).all()]
    rows = connection.execute(_LOGGED.where(own, run_evaluation.c.ask_no.in_(asked))).all()
    return sorted((_trial(*row) for row in rows), key=lambda trial: asked.index(trial.ask_no))


def _trial(*row: Any) -> Trial:
    *fields, point, rung = row
    return Trial(*fields, point=unpack(point), rung=None if rung is None else rung + 1)


IN_FULL = run_evaluation.c.rung.is_(None)
"""Condition of a logged design whose evaluation is that of the study, and not of a rung below it."""

# Its own where a design is infeasible, else that of the search.
_VIOLATION = case(
    (evaluation.c.state == "infeasible", evaluation.c.violation), else_=run_evaluation.c.violation
)

_STATE: ColumnElement[str] = case((UNDEFINED_GOAL, "failed"), else_=evaluation.c.state)
_KIND: ColumnElement[str] = case((UNDEFINED_GOAL, "non_finite"), else_=evaluation.c.kind)

_LOGGED = (
    select(
        run_evaluation.c.run_id, run_evaluation.c.ask_no, run_evaluation.c.generation, evaluation.c.key,
        _STATE, _KIND, evaluation.c.reason,
        _VIOLATION,
        deferred(evaluation.c.parameters), evaluation.c.metrics, evaluation.c.seconds, run_evaluation.c.point,
        run_evaluation.c.rung,
    )
    .join(run_evaluation, run_evaluation.c.key == evaluation.c.key)
    .order_by(run_evaluation.c.run_id, run_evaluation.c.ask_no)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Numbers:
    """Wanted numbers of designs: dotted paths of parameters, and names of metrics.

    Of every run the designs whose ask number is a multiple of ``step``.
    """

    paths: Sequence[str]
    metrics: Sequence[str]
    step: int = 1


def numbers(connection: Connection, place: TrialFilter, wanted: Numbers) -> list[tuple[Any, ...]]:
    """Rows of run, ask, generation, state, violation, rung, then parameters and metrics; None where absent.

    A design that was evaluated on a rung only has no metrics here: its own are those of another resolution.

    The database takes the values out of what it stores: reading all of it takes five times as long.
    """
    columns = (
        *(evaluation.c.parameters[_json_path(path)] for path in wanted.paths),
        *(case((IN_FULL, evaluation.c.metrics[name].as_float())) for name in wanted.metrics),
    )
    query = (
        select(run_evaluation.c.run_id, run_evaluation.c.ask_no, run_evaluation.c.generation,
               _STATE, _VIOLATION, run_evaluation.c.rung + 1, *columns)
        .join(run_evaluation, run_evaluation.c.key == evaluation.c.key)
        .where(run_evaluation.c.run_id.in_(place.runs))
        .order_by(run_evaluation.c.run_id, run_evaluation.c.ask_no)
        .limit(place.limit)
    )  # fmt: skip
    if place.after is not None:
        query = query.where(tuple_(run_evaluation.c.run_id, run_evaluation.c.ask_no) > place.after)
    if wanted.step > 1:
        query = query.where(run_evaluation.c.ask_no % wanted.step == 0)
    return [tuple(row) for row in connection.execute(query)]


def _json_path(path: str) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdecimal() else step for step in path.split("."))


def studies_by_key(connection: Connection, key: str) -> list[tuple[str, str]]:
    """Keys that are, or begin with, ``key``, each with the name of every study that asked for it."""
    if not KEY.fullmatch(key):
        raise InputError(
            f"'{key}' is not a key; give the first 6 to 64 characters of a key (0-9, a-f)", ("key",)
        )
    query = (
        select(run_evaluation.c.key, study.c.name)
        .join(run, run.c.id == run_evaluation.c.run_id)
        .join(study, study.c.id == run.c.study_id)
        .where(run_evaluation.c.key.between(key, key + "g"))
        .distinct()
    )
    return [(row.key, row.name) for row in connection.execute(query)]


def counts(connection: Connection, runs: Sequence[int]) -> dict[int, int]:
    """Number of designs that each run has logged."""
    found: dict[int, int] = {}
    for some in chunks(runs):
        rows = connection.execute(_COUNTS, {"of_runs": some}).all()
        found.update((run_id, count) for run_id, count in rows if count is not None)
    return found


# The last generation of each run, found by the index: there may be thousands before it.
_COUNTS = select(
    run.c.id,
    select(generation.c.asked)
    .where(generation.c.run_id == run.c.id)
    .order_by(generation.c.number.desc())
    .limit(1)
    .scalar_subquery(),
).where(run.c.id.in_(bindparam("of_runs", expanding=True)))
