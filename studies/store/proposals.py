"""Proposals: designs put into studies at work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from studies.records import Proposal
from studies.store.tables import proposal, run


def add(
    connection: Connection, study_id: int, layout: str, design: Mapping[str, Any], author: str, now: float
) -> int:
    """Store a proposal; its number."""
    values = {
        "study_id": study_id, "layout": layout, "design": dict(design), "author": author, "created": now,
    }  # fmt: skip
    return connection.execute(insert(proposal).values(values)).inserted_primary_key[0]  # pyrefly: ignore


def after(connection: Connection, run_id: int, number: int) -> list[Proposal]:
    """The proposals that a run has to evaluate, after that with a number, in their order."""
    return [Proposal(*row) for row in connection.execute(_AFTER, {"of_run": run_id, "after": number})]


_AFTER = (
    select(proposal.c.id, proposal.c.layout, proposal.c.design, proposal.c.author, proposal.c.created)
    .join(run, (run.c.study_id == proposal.c.study_id) & (run.c.layout == proposal.c.layout))
    .where(run.c.id == bindparam("of_run"), proposal.c.id > bindparam("after"))
    .order_by(proposal.c.id)
)
