"""Claiming runs: those named, or the next one in the queue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Select, select

from studies.records import UNFINISHED, RunState
from studies.store import lease
from studies.store.lease import LEASE_SECONDS, Claim, Owner
from studies.store.run_lock import lock_runs
from studies.store.states import settled
from studies.store.tables import run, run_lease

_WAITING: tuple[RunState, ...] = ("queued", "running")


def claim_named(
    connection: Connection,
    run_ids: Sequence[int],
    owner: Owner,
    host: str,
    now: float,
    *,
    before: Collection[Claim],
) -> list[Claim]:
    """Claim all runs that are not finished, or raise ``LeaseError`` when a living process holds one.

    That may be this very process, in another thread. Only the claims of an earlier try of the same
    transaction, ``before``, are no hindrance.
    """
    locked_runs = settled(connection, run_ids, host, now)
    waiting = [item for item in locked_runs if item.state in UNFINISHED or item.state == "cancelling"]
    for item in waiting:
        holder = Claim(item.run_id, item.lease["owner"], item.lease["epoch"])
        if item.held and holder not in before:
            raise item.refusal(owner.id)
    return [lease.take(connection, item.run_id, item.lease["epoch"], owner, now) for item in waiting]


def candidates(connection: Connection, owner: Owner, host: str, now: float) -> list[int]:
    """Runs that may be free for a runner on this host, oldest first; read without a lock."""
    return list(connection.execute(_candidates(owner, host, now)).scalars())


def claim_first(
    connection: Connection, run_ids: Sequence[int], owner: Owner, host: str, now: float
) -> Claim | None:
    """Claim the first run that is free, passing over those that another process is just taking."""
    for run_id in run_ids:
        for item in lock_runs(connection, [run_id], host, now, skip_locked=True):
            if item.state in _WAITING and not item.held:
                return lease.take(connection, run_id, item.lease["epoch"], owner, now)
    return None


def _candidates(owner: Owner, host: str, now: float) -> Select[Any]:
    ended = run_lease.c.expires <= now
    ahead = run_lease.c.expires > now + 2.0 * LEASE_SECONDS
    maybe_gone = (run_lease.c.host == host) & (run_lease.c.owner != owner.id)
    return (
        select(run.c.id)
        .join(run_lease)
        .where(run.c.state.in_(_WAITING), ended | ahead | maybe_gone)
        .order_by(run.c.id)
    )
