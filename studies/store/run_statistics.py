"""Statistics of runs and of their designs, counted in the database however long their logs are.

Lists of studies and pages that follow a study ask these again and again, so that no answer may cost
more than the rows it is made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, String, bindparam, case, cast, func, select

from studies.records import FAILED, EvaluationState, FailureKind, FloatArray, GenerationRecord
from studies.store.database import Database
from studies.store.run_log import unpack
from studies.store.tables import (
    chunks,
    evaluation,
    event,
    front_member,
    generation,
    run,
    run_evaluation,
    run_lease,
)

_any = generation.alias()
_LAST_NUMBER = (
    select(func.max(_any.c.number)).where(_any.c.run_id == run.c.id).correlate(run).scalar_subquery()
)
"""Found by the index, for each run by itself."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Budget that a run has spent until its last generation, and that generation."""

    last: GenerationRecord
    seconds: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """Reasons for a wait in the queue: its start (UTC seconds), runs ahead, and runs at work."""

    seconds: float
    ahead: int
    at_work: int


class RunStatistics:
    """Reads about many runs of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def spent(self, run_ids: Sequence[int]) -> dict[int, Spent]:
        """The last generation of each run that has one, and the wall time of all of them."""
        return self._database.read(lambda c: _spent(c, run_ids))

    def recent(self, run_ids: Sequence[int], most: int) -> dict[int, list[GenerationRecord]]:
        """The last generations of each run, oldest first."""
        condition = generation.c.number > _LAST_NUMBER - most
        return self._database.read(lambda c: _generations(c, run_ids, condition))

    def growth(self, run_ids: Sequence[int], points: int) -> dict[int, list[GenerationRecord]]:
        """Some generations of each run, about ``points`` at equal steps and always the last one."""
        condition = (generation.c.number % (_LAST_NUMBER // points + 1) == 0) | (
            generation.c.number == _LAST_NUMBER
        )
        return self._database.read(lambda c: _generations(c, run_ids, condition))

    def fronts(self, run_ids: Sequence[int]) -> dict[int, FloatArray]:
        """The minimised objectives ``(n, m)`` of the front of each run that has one."""
        return self._database.read(lambda c: _fronts(c, run_ids))

    def outcome_counts(self, run_ids: Sequence[int]) -> list[OutcomeCount]:
        """The outcomes of all trials of the runs, counted by reason."""
        return self._database.read(lambda c: [OutcomeCount(*row) for row in counted(c, run_ids)])

    def broken(self, run_ids: Sequence[int], bounds: Sequence[Bounds]) -> list[int]:
        """Number of designs outside each of the bounds."""
        return self._database.read(lambda c: broken(c, run_ids, bounds))

    def quiet(self, run_ids: Sequence[int]) -> dict[int, float]:
        """Seconds in which nothing has happened to each run: since it began, or since a generation."""
        return self._database.read(lambda c: _quiet(c, run_ids, self._database.now(c)))

    def waiting(self, run_ids: Sequence[int]) -> Waiting | None:
        """Wait of the first of these runs, if it does; None when none is queued and free."""
        return self._database.read(lambda c: _waiting(c, run_ids, self._database.now(c)))

    def unattended(self, run_id: int) -> float | None:
        """Seconds for which a queued run or job waits while nobody works on any; None for any other."""
        return self._database.read(lambda c: _unattended(c, run_id, self._database.now(c)))


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """Number of designs of a run that ended the same way, and the key of one of them."""

    run_id: int
    state: EvaluationState
    kind: FailureKind
    reason: str
    broken: bool
    """True if a constraint is broken, of a design that is done."""
    count: int
    key: str
    on_rung: bool = False
    """True if they were evaluated on a rung only, and not in full."""


def _spent(connection: Connection, run_ids: Sequence[int]) -> dict[int, Spent]:
    last = _generations(connection, run_ids, generation.c.number == _LAST_NUMBER)
    seconds: dict[int, float] = {}
    for some in chunks(run_ids):
        query = select(generation.c.run_id, func.sum(generation.c.seconds).label("seconds")).group_by(
            generation.c.run_id
        )
        rows = connection.execute(query.where(generation.c.run_id.in_(some)))
        seconds.update((row.run_id, row.seconds) for row in rows)
    return {run_id: Spent(found[0], seconds[run_id]) for run_id, found in last.items()}


def _generations(
    connection: Connection, run_ids: Sequence[int], condition: Any
) -> dict[int, list[GenerationRecord]]:
    found: dict[int, list[GenerationRecord]] = {}
    names = GenerationRecord.__slots__
    for some in chunks(run_ids):
        query = select(generation).join(run, run.c.id == generation.c.run_id)
        query = query.where(run.c.id.in_(some), condition).order_by(run.c.id, generation.c.number)
        for row in connection.execute(query).mappings():
            record = GenerationRecord(**{name: row[name] for name in names})
            found.setdefault(row["run_id"], []).append(record)
    return found


def _fronts(connection: Connection, run_ids: Sequence[int]) -> dict[int, FloatArray]:
    found: dict[int, list[bytes]] = {}
    logged = (run_evaluation.c.run_id == front_member.c.run_id) & (
        run_evaluation.c.ask_no == front_member.c.ask_no
    )
    for some in chunks(run_ids):
        query = select(front_member.c.run_id, run_evaluation.c.objectives).join(run_evaluation, logged)
        query = query.where(front_member.c.run_id.in_(some), front_member.c.exited.is_(None))
        for run_id, objectives in connection.execute(query):
            found.setdefault(run_id, []).append(objectives)
    return {run_id: unpack(b"".join(blobs)).reshape(len(blobs), -1) for run_id, blobs in found.items()}


def _quiet(connection: Connection, run_ids: Sequence[int], now: float) -> dict[int, float]:
    other = event.alias()
    waits = (other.c.kind == "running") & (other.c.message != "")
    newest = select(func.max(other.c.id)).where(other.c.run_id == run.c.id, ~waits)
    last = newest.correlate(run).scalar_subquery()
    found: dict[int, float] = {}
    for some in chunks(run_ids):
        query = select(run.c.id, event.c.time).select_from(run).join(event, event.c.id == last)
        rows = connection.execute(query.where(run.c.id.in_(some)))
        found.update((run_id, max(now - time, 0.0)) for run_id, time in rows)
    return found


def _waiting(connection: Connection, run_ids: Sequence[int], now: float) -> Waiting | None:
    held = run_lease.c.expires > now
    searches = run.c.kind == "search"
    queued = (
        select(run.c.id).join(run_lease).where(searches, run.c.state == "queued", ~held).order_by(run.c.id)
    )
    own = set(run_ids)
    ahead = 0
    for run_id in connection.execute(queued).scalars():
        if run_id in own:
            break
        ahead += 1
    else:
        return None
    at_work = select(func.count()).select_from(run_lease).join(run).where(held, searches)
    seconds = _queued_for(connection, run_id, now)
    return Waiting(seconds, ahead, connection.execute(at_work).scalar_one())


def _queued_for(connection: Connection, run_id: int, now: float) -> float:
    since = select(func.max(event.c.time)).where(event.c.run_id == run_id, event.c.kind == "queued")
    begun = connection.execute(since).scalar_one()
    return max(now - begun, 0.0) if begun else 0.0


def _unattended(connection: Connection, run_id: int, now: float) -> float | None:
    held = connection.execute(select(run_lease.c.run_id).where(run_lease.c.expires > now).limit(1)).first()
    state = connection.execute(select(run.c.state).where(run.c.id == run_id)).scalar_one_or_none()
    return None if held is not None or state != "queued" else _queued_for(connection, run_id, now)


_LOGGED = run_evaluation.c.key == evaluation.c.key


def last_generations(connection: Connection, run_ids: Sequence[int]) -> dict[int, GenerationRecord]:
    """Indicators after the last generation of each run that has one, by run."""
    found: dict[int, GenerationRecord] = {}
    for some in chunks(run_ids):
        rows = connection.execute(_LAST_GENERATIONS, {"of_runs": some}).all()
        found.update((run_id, GenerationRecord(*values)) for run_id, *values in rows)
    return found


_earlier = generation.alias()
_LAST_GENERATIONS = (
    select(generation.c.run_id, *(generation.c[name] for name in GenerationRecord.__slots__))
    .select_from(run)
    .join(generation, generation.c.run_id == run.c.id)
    .where(
        run.c.id.in_(bindparam("of_runs", expanding=True)),
        generation.c.number
        == select(func.max(_earlier.c.number)).where(_earlier.c.run_id == run.c.id).scalar_subquery(),
    )
)


def warnings(connection: Connection, run_id: int, most: int) -> list[tuple[str, int]]:
    """Warnings of the model in designs on the front, with their numbers; the most frequent first."""
    query = (
        select(evaluation.c.warnings)
        .select_from(front_member)
        .join(
            run_evaluation,
            (run_evaluation.c.run_id == front_member.c.run_id)
            & (run_evaluation.c.ask_no == front_member.c.ask_no),
        )
        .join(evaluation, _LOGGED)
        .where(front_member.c.run_id == run_id, front_member.c.exited.is_(None))
        .where(cast(evaluation.c.warnings, String) != "[]")
        .order_by(front_member.c.ask_no)
    )
    found = Counter(text for texts in connection.execute(query).scalars() for text in texts)
    return found.most_common(most)


UNDEFINED = "an expression of the study is no finite number"
"""Reason for the failure of a design that has all metrics."""
UNDEFINED_GOAL = (evaluation.c.state == "done") & (run_evaluation.c.violation >= FAILED)
"""Condition of such a design."""


ON_RUNG = "on a rung only"
"""Remark on what is known of designs by an evaluation below the full one."""
_ON_RUNG = case((run_evaluation.c.rung.is_(None), 0), else_=1)


def of_rung(reason: str, on_rung: bool) -> str:
    """A reason, with the remark where it is that of an evaluation below the full one."""
    return f"{ON_RUNG}: {reason or 'a constraint is broken'}" if on_rung else reason


def reasons(connection: Connection, run_id: int, most: int) -> list[tuple[str, int]]:
    """Reasons why designs failed or have no metrics ("" for others), and counts; the most frequent first.

    Those of designs that were evaluated on a rung only begin with :data:`ON_RUNG`.
    """
    count, reason = func.count(), case((UNDEFINED_GOAL, UNDEFINED), else_=evaluation.c.reason).label("judged")
    on_rung = _ON_RUNG.label("on_rung")
    query = (
        select(reason, on_rung, count)
        .select_from(run_evaluation)
        .join(evaluation, _LOGGED)
        .where(run_evaluation.c.run_id == run_id)
        .group_by(reason, on_rung)
        .order_by(count.desc(), func.min(run_evaluation.c.ask_no))
        .limit(most)
    )
    return [(of_rung(reason, bool(coarse)), number) for reason, coarse, number in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a metric; ``absent`` is judged where a design has none."""

    metric: str
    lower: float
    upper: float
    absent: float


def counted(connection: Connection, run_ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Rows of run, state, kind, reason, whether a constraint is broken, how many, a key, if on a rung."""
    breaks = (evaluation.c.state == "done") & (run_evaluation.c.violation > 0) & ~UNDEFINED_GOAL
    groups = (
        run_evaluation.c.run_id,
        case((UNDEFINED_GOAL, "failed"), else_=evaluation.c.state).label("judged"),
        case((UNDEFINED_GOAL, "non_finite"), else_=evaluation.c.kind).label("judged_kind"),
        case((UNDEFINED_GOAL, UNDEFINED), else_=evaluation.c.reason).label("judged_reason"),
        case((breaks, 1), else_=0).label("broken"),
        _ON_RUNG.label("on_rung"),
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for some in chunks(run_ids):
        query = select(*groups, func.count(), func.min(evaluation.c.key)).join(run_evaluation, _LOGGED)
        query = query.where(run_evaluation.c.run_id.in_(some)).group_by(*groups)
        rows += [(*row[:4], bool(row[4]), *row[6:], bool(row[5])) for row in connection.execute(query)]
    return rows


def broken(connection: Connection, run_ids: Sequence[int], bounds: Sequence[Bounds]) -> list[int]:
    """Number of designs, evaluated in full, whose metrics are outside each of the bounds."""
    totals = [0] * len(bounds)
    for some in chunks(run_ids):
        query = select(*map(_outside, bounds)).join(run_evaluation, _LOGGED)
        query = query.where(run_evaluation.c.run_id.in_(some), evaluation.c.state == "done")
        query = query.where(run_evaluation.c.rung.is_(None))
        query = query.where(run_evaluation.c.violation > 0, run_evaluation.c.violation < FAILED)
        found = connection.execute(query).one()
        totals = [total + (number or 0) for total, number in zip(totals, found, strict=True)]
    return totals


def _outside(bounds: Bounds) -> Any:
    value = func.coalesce(evaluation.c.metrics[bounds.metric].as_float(), bounds.absent)
    return func.sum(case((value.between(bounds.lower, bounds.upper), 0), else_=1))
