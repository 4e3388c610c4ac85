"""Proposals: designs put into studies at work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from errors import LimitError, StateError, UnknownNameError
from studies.records import UNFINISHED, Proposal
from studies.store import lease
from studies.store.lease import Claim
from studies.store.tables import proposal, run, run_evaluation, study

MOST_PROPOSALS = 10_000
"""Proposals of one study: a run reads those that are new before each generation."""


def add(
    connection: Connection, name: str, layout: str, design: Mapping[str, Any], author: str, now: float
) -> Proposal:
    """Store a proposal; raises ``StateError`` where no run would take it, and ``LimitError`` for too many."""
    states = connection.execute(_STATES, {"of_study": name, "of_layout": layout}).scalars().all()
    if not UNFINISHED.intersection(states):
        what = (
            "have not begun; write the design into search.initial"
            if "draft" in states
            else "have ended; extend the study first, or begin a new one with the design in search.initial"
        )
        raise StateError(f"the searches of '{layout}' {what}")
    study_id, count = connection.execute(_COUNT, {"of_study": name}).one()
    if count >= MOST_PROPOSALS:
        raise LimitError(f"study '{name}' has {count} proposals, and no more than {MOST_PROPOSALS}")
    values = {"study_id": study_id, "layout": layout, "design": dict(design), "author": author}
    written = insert(proposal).values(**values, created=now, taken=False).returning(proposal.c.id)
    return Proposal(connection.execute(written).scalar_one(), layout, design, author, now)


def after(connection: Connection, run_id: int, number: int) -> list[Proposal]:
    """The proposals that a run has to evaluate, after that with a number, in their order."""
    return [Proposal(*row) for row in connection.execute(_AFTER, {"of_run": run_id, "after": number})]


def take(connection: Connection, held: Claim, number: int, now: float) -> list[Proposal]:
    """Take the proposals of :func:`after` for the claimed run, which evaluates them from now on."""
    lease.fence(connection, held, now)
    locked = _AFTER.with_for_update(of=proposal)
    rows = connection.execute(locked, {"of_run": held.run_id, "after": number}).all()
    found = [Proposal(*row) for row in rows]
    ids = [each.id for each in found]
    connection.execute(update(proposal).where(proposal.c.id.in_(ids)).values(taken=True))
    return found


def withdraw(connection: Connection, name: str, number: int) -> None:
    """Delete a proposal of a study that no run has taken; raises ``StateError`` where one has."""
    ids = select(study.c.id).where(study.c.name == name).scalar_subquery()
    own = (proposal.c.id == number) & (proposal.c.study_id == ids)
    if connection.execute(delete(proposal).where(own, ~proposal.c.taken)).rowcount:
        return
    if connection.execute(select(proposal.c.id).where(own)).first() is None:
        raise UnknownNameError("proposal", str(number), [])
    raise StateError(
        f"a run of '{name}' has taken proposal {number} and evaluates it; only one that no run has taken yet "
        "can be withdrawn"
    )


def of_study(connection: Connection, name: str) -> list[tuple[Proposal, tuple[tuple[int, str], ...]]]:
    """The proposals of a study, each with the seeds that have evaluated it and the key of its evaluation."""
    found = [Proposal(*row) for row in connection.execute(_OF_STUDY, {"of_study": name})]
    told: dict[int, list[tuple[int, str]]] = {}
    for number, seed, key in connection.execute(_TOLD, {"of_study": name}):
        told.setdefault(number, []).append((seed, key))
    return [(each, tuple(told.get(each.id, ()))) for each in found]


_FIELDS = select(
    proposal.c.id,
    proposal.c.layout,
    proposal.c.design,
    proposal.c.author,
    proposal.c.created,
    proposal.c.taken,
).order_by(proposal.c.id)
_AFTER = _FIELDS.join(
    run, (run.c.study_id == proposal.c.study_id) & (run.c.layout == proposal.c.layout)
).where(run.c.id == bindparam("of_run"), proposal.c.id > bindparam("after"))
_OF_STUDY = _FIELDS.join(study, study.c.id == proposal.c.study_id).where(
    study.c.name == bindparam("of_study")
)
_TOLD = (
    select(run_evaluation.c.proposal, run.c.seed, run_evaluation.c.key)
    .join(run, run.c.id == run_evaluation.c.run_id)
    .join(study, study.c.id == run.c.study_id)
    .where(study.c.name == bindparam("of_study"), run_evaluation.c.proposal.is_not(None))
    .order_by(run_evaluation.c.proposal, run.c.seed)
)
_STATES = (
    select(run.c.state)
    .join(study, study.c.id == run.c.study_id)
    .where(
        study.c.name == bindparam("of_study"),
        run.c.layout == bindparam("of_layout"),
        run.c.kind == "search",
    )
)
_COUNT = (
    select(study.c.id, func.count(proposal.c.id))
    .outerjoin(proposal, proposal.c.study_id == study.c.id)
    .where(study.c.name == bindparam("of_study"))
    .group_by(study.c.id)
)
