"""The status of runs: state, deadline and lease, locked until the transaction ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from errors import LeaseError
from studies.records import RunKind, RunState
from studies.store import lease
from studies.store.tables import chunks, event, run, run_lease, study

PASSING_SECONDS = 60.0
"""Longest time for which a run may stay pausing or cancelling; then any process may end that state."""

PASSING: Mapping[RunState, RunState] = {"pausing": "paused", "cancelling": "cancelled"}
"""State after each passing state."""

_EVENT_LOCK = 7_210_541_990_031  # any number, the same in every process


@dataclass(frozen=True, slots=True)
class LockedRun:
    """A run's state and lease as they are while this transaction lasts."""

    run_id: int
    study: str
    layout: str
    seed: int
    state: RunState
    deadline: float | None
    lease: Mapping[str, Any]
    host: str
    now: float
    kind: RunKind = "search"

    @property
    def label(self) -> str:
        """The run in a message."""
        return f"{self.layout}, seed {self.seed}," if self.kind == "search" else f"job {self.run_id}"

    @property
    def held(self) -> bool:
        """True if a living process holds the lease."""
        return lease.is_held(self.lease, self.host, self.now)

    @property
    def overdue(self) -> bool:
        """True if a passing state has gone on for too long."""
        return self.deadline is None or lease.due(self.deadline, PASSING_SECONDS, self.now)

    def next_claim(self, owner: lease.Owner) -> lease.Claim:
        """The claim that ``owner`` would have."""
        return lease.Claim(self.run_id, owner.id, self.lease["epoch"] + 1)

    def refusal(self, owner: str) -> LeaseError:
        """Make the error that refuses ``owner`` the run now."""
        return lease.refusal(self.label, self.lease, owner, self.host, self.now)


def lock_runs(
    connection: Connection, run_ids: Iterable[int], host: str, now: float, *, skip_locked: bool = False
) -> list[LockedRun]:
    """Lock the leases of runs, in one order for all processes, then read their status.

    Two statements: on PostgreSQL the second one sees what was committed while the first one waited.
    ``skip_locked`` leaves out those that another transaction has locked.
    """
    leases: dict[int, Mapping[str, Any]] = {}
    for some in chunks(sorted(set(run_ids))):
        locked = select(run_lease).where(run_lease.c.run_id.in_(some)).order_by(run_lease.c.run_id)
        rows = connection.execute(locked.with_for_update(skip_locked=skip_locked)).mappings()
        leases |= {row["run_id"]: {**row} for row in rows}
    columns = (run.c.id, study.c.name, run.c.layout, run.c.seed, run.c.state, run.c.deadline, run.c.kind)
    found: list[LockedRun] = []
    for some in chunks(sorted(leases)):
        query = select(*columns).join(study).where(run.c.id.in_(some)).order_by(run.c.id)
        for run_id, name, layout, seed, state, deadline, kind in connection.execute(query).all():
            found.append(
                LockedRun(run_id, name, layout, seed, state, deadline, leases[run_id], host, now, kind)
            )
    return found


def set_state(
    connection: Connection,
    run_id: int,
    state: RunState,
    message: str,
    now: float,
    *,
    deadline: float | None = None,
    with_event: bool = True,
) -> None:
    """Move a run to a state and, unless there is no room, note it among the events."""
    connection.execute(
        update(run).where(run.c.id == run_id).values(state=state, message=message, deadline=deadline)
    )
    if with_event:
        note(connection, run_id, state, message, now)


def note(connection: Connection, run_id: int, kind: str, message: str, now: float) -> None:
    """Write an event; best as the last statement, because other events wait for the transaction's end."""
    order_events(connection)
    connection.execute(insert(event).values(run_id=run_id, time=now, kind=kind, message=message))


def order_events(connection: Connection) -> None:
    """Let events get their numbers in the order in which they can be seen.

    PostgreSQL gives numbers before commit; a reader that goes on after the last one it saw would miss
    an event with a smaller number that is committed later.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _EVENT_LOCK})


def settle(connection: Connection, locked_run: LockedRun, message: str) -> RunState:
    """End a passing state in its owner's place, and end the owner's right to write."""
    state = PASSING[locked_run.state]
    lease.take_away(connection, locked_run.run_id)
    set_state(connection, locked_run.run_id, state, message, locked_run.now)
    return state
