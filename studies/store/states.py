"""The states of runs, and who may move a run from one to the other.

::

    draft ──► queued ──► running ──► done, failed, diverged
                ▲  │       │  ▲
                │  ▼       ▼  │ resumed or taken over
              paused ◄── pausing
                │          │
                ▼          ▼
             cancelled ◄── cancelling

An owner moves its run through :func:`begin` and :func:`leave`; others ask with :func:`pause`,
:func:`stop` and :func:`queue`. Whoever asks a living owner sets a deadline; when it is over, or the
owner is gone, anyone may settle the run, and the late owner is fenced off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select, update

from errors import StateError
from studies.records import ENDED, RunState, StudyRecord
from studies.store import lease
from studies.store.lease import Claim
from studies.store.run_lock import PASSING, PASSING_SECONDS, LockedRun, lock_runs, note, set_state, settle
from studies.store.tables import insert_first, provenance, run, study

_BEGINS: frozenset[RunState] = frozenset({"queued", "running", "paused"})
_LEFT_AS: frozenset[RunState] = ENDED.union(("paused", "queued"))
_GONE = "its process is gone"
_LATE = f"its process did not answer for {PASSING_SECONDS:.0f} s"


def settled(connection: Connection, run_ids: Iterable[int], host: str, now: float) -> list[LockedRun]:
    """The status of runs, after those whose owner has ended or is late have left their state."""
    found: list[LockedRun] = []
    for locked_run in lock_runs(connection, run_ids, host, now):
        held = locked_run.held
        if locked_run.state in PASSING and (not held or locked_run.overdue):
            state = settle(connection, locked_run, _LATE if held else _GONE)
            ended = {**locked_run.lease, "owner": "", "epoch": locked_run.lease["epoch"] + 1, "expires": 0.0}
            found.append(replace(locked_run, state=state, deadline=None, lease=ended))
        else:
            found.append(locked_run)
    return found


def passing(connection: Connection) -> list[int]:
    """The runs that are pausing or cancelling."""
    return list(connection.execute(select(run.c.id).where(run.c.state.in_(PASSING))).scalars())


def begin(connection: Connection, held: Claim, record: Mapping[str, Any], host: str, now: float) -> None:
    """The claimed run starts; raises ``StateError`` when somebody paused or stopped it meanwhile."""
    lease.fence(connection, held, now)
    (locked_run,) = lock_runs(connection, [held.run_id], host, now)
    if locked_run.state not in _BEGINS:
        raise StateError(
            f"{locked_run.label} is {locked_run.state} and cannot begin; allowed: {_listed(_BEGINS)}"
        )
    row = {"run_id": held.run_id, "epoch": held.epoch, "started": now, "record": dict(record)}
    if insert_first(connection, provenance, row):  # else this transaction is a repeated one
        set_state(connection, held.run_id, "running", "", now)


def remark(connection: Connection, held: Claim, message: str, now: float) -> None:
    """Keep what the claimed run waits for, empty once it goes on; a run that is asked to stop is left alone.

    The begin of a wait is an event; its end is none, because the next generation is one.
    """
    lease.fence(connection, held, now)
    at_work = (run.c.id == held.run_id) & (run.c.state == "running") & (run.c.message != message)
    if connection.execute(update(run).where(at_work).values(message=message)).rowcount and message:
        note(connection, held.run_id, "running", message, now)


def leave(
    connection: Connection,
    held: Claim,
    state: RunState,
    message: str,
    host: str,
    now: float,
    *,
    with_event: bool,
) -> None:
    """The claimed run is left in ``state``, and the claim ends; left so already, nothing happens.

    A request of the user comes before the owner's: what is cancelling is not paused or queued but
    cancelled, and what is pausing is not queued but paused.
    """
    if state not in _LEFT_AS:
        raise StateError(f"a run cannot be left as '{state}'; allowed: {_listed(_LEFT_AS)}")
    if lease.was_released(connection, held):
        (locked_run,) = lock_runs(connection, [held.run_id], host, now)
        if locked_run.state in (state, *_OVERRULED.get(state, ())):
            return
    lease.fence(connection, held, now)
    (locked_run,) = lock_runs(connection, [held.run_id], host, now)
    if locked_run.state in ENDED:
        raise StateError(f"{locked_run.label} is {locked_run.state}, which is final")
    if locked_run.state == "cancelling" and state not in ENDED:
        state = "cancelled"
    elif locked_run.state == "pausing" and state == "queued":
        state = "paused"
    set_state(connection, held.run_id, state, message, now, with_event=with_event)
    lease.release(connection, held)


_OVERRULED: Mapping[RunState, tuple[RunState, ...]] = {
    "paused": ("cancelled",),
    "queued": ("paused", "cancelled"),
}


def pause(connection: Connection, name: str, ids: Iterable[int], host: str, now: float) -> None:
    """Ask the owners of running runs to pause; what has not begun is paused at once."""
    locked_runs = settled(connection, ids, host, now)
    _require(locked_runs, name, "paused", {"queued", "running", "pausing", "paused"})
    for item in locked_runs:
        if item.state == "running" and item.held:
            _ask(connection, item, "pausing", now)
        elif item.state in {"running", "queued"}:
            _move(connection, item, "paused", now)
        elif item.state == "paused" and item.held:
            lease.take_away(connection, item.run_id)  # claimed, but not begun


def stop(connection: Connection, name: str, ids: Iterable[int], host: str, now: float) -> None:
    """Ask the owners of running runs to cancel; what nobody works on is cancelled at once."""
    locked_runs = settled(connection, ids, host, now)
    _require(
        locked_runs,
        name,
        "stopped",
        {"draft", "queued", "running", "pausing", "paused", "cancelling", "cancelled"},
    )
    for item in locked_runs:
        if item.state in {"running", "pausing"} and item.held:
            _ask(connection, item, "cancelling", now)
        elif item.state not in ENDED | {"cancelling"}:
            _move(connection, item, "cancelled", now)


def queue(connection: Connection, name: str, ids: Iterable[int], host: str, now: float) -> None:
    """Put paused runs into the queue, for a runner to take."""
    locked_runs = settled(connection, ids, host, now)
    _require(locked_runs, name, "queued", {"draft", "queued", "running", "pausing", "paused"})
    for item in locked_runs:
        if item.state in {"draft", "paused"}:
            set_state(connection, item.run_id, "queued", "", now)


def reopen(connection: Connection, of: StudyRecord, run_ids: Iterable[int], host: str, now: float) -> None:
    """Queue finished or failed runs of a study again, which has a larger limit; nobody may work on it."""
    locked_runs = settled(connection, [item.id for item in of.runs], host, now)
    if any(item.held for item in locked_runs):
        raise StateError(f"study '{of.name}' is being worked on; pause it first")
    wanted = set(run_ids)
    for item in locked_runs:
        if item.run_id in wanted and item.state in {"done", "failed"}:
            set_state(connection, item.run_id, "queued", "", now)


def _ask(connection: Connection, item: LockedRun, state: RunState, now: float) -> None:
    set_state(
        connection, item.run_id, state, "its process was asked to do so", now, deadline=now + PASSING_SECONDS
    )


def _move(connection: Connection, item: LockedRun, state: RunState, now: float) -> None:
    lease.take_away(connection, item.run_id)
    set_state(connection, item.run_id, state, "by request", now)


def _require(locked_runs: list[LockedRun], name: str, action: str, allowed: set[RunState]) -> None:
    """Raise ``StateError`` unless one run at least is in a state that ``action`` applies to."""
    states = {item.state for item in locked_runs}
    if not states & allowed:
        raise StateError(f"{name} is {_listed(states)} and cannot be {action}; allowed: {_listed(allowed)}")


def _listed(states: Iterable[str]) -> str:
    return ", ".join(sorted(states))


StateChange = Callable[[Connection, str, Iterable[int], str, float], None]


def of_study(connection: Connection, change: StateChange, name: str, host: str, now: float) -> None:
    """Apply one of :func:`pause`, :func:`stop`, :func:`queue` to all searches of a study."""
    query = select(run.c.id).join(study).where(study.c.name == name, run.c.kind == "search")
    change(connection, f"study '{name}'", list(connection.execute(query).scalars()), host, now)
