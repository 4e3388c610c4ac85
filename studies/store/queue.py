"""Claiming runs: those named, or the next one in the queue; how many one account may queue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, select

from errors import LimitError
from studies.records import MOVING, UNFINISHED, RunState
from studies.store import lease
from studies.store.column_types import belongs_to
from studies.store.lease import LEASE_SECONDS, Claim, Owner
from studies.store.run_lock import lock_runs, order_events
from studies.store.states import settled
from studies.store.tables import run, run_lease, study, sweep_study

MOST_JOBS = 2
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
    return [lease.take(connection, item.next_claim(owner), owner, now) for item in waiting]


def candidates(
    connection: Connection, owner: Owner, host: str, now: float, *, jobs: bool | None = None
) -> list[int]:
    """Runs that may be free for a runner on this host, oldest first; read without a lock.

    ``jobs`` asks for jobs alone, or for searches alone. Of an account, ``MOST_JOBS`` are at work at once, so
    that the long ones of one do not keep the questions of others waiting.
    """
    busy = select(run.c.account).join(run_lease).where(run.c.kind != "search", run_lease.c.expires > now)
    busy = busy.group_by(run.c.account).having(func.count() >= MOST_JOBS)
    query = _candidates(owner, host, now).where((run.c.kind == "search") | run.c.account.not_in(busy))
    if jobs is not None:
        query = query.where(run.c.kind != "search" if jobs else run.c.kind == "search")
    return list(connection.execute(query).scalars())


def claim_first(
    connection: Connection, run_ids: Sequence[int], owner: Owner, host: str, now: float
) -> Claim | None:
    """Claim the first run that is free, passing over those that another process is just taking."""
    for run_id in run_ids:
        for item in lock_runs(connection, [run_id], host, now, skip_locked=True):
            if item.state in _WAITING and not item.held:
                return lease.take(connection, item.next_claim(owner), owner, now)
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


def count_running(connection: Connection, owner: str, besides: str | None = None) -> int:
    """Studies of ``owner`` that are queued or at work, ``besides`` one, and jobs that ``owner`` asked for.

    Studies of one sweep count as one.
    """
    each = func.coalesce(-sweep_study.c.sweep_id, study.c.id)
    query = select(func.count(each.distinct())).select_from(study)
    query = query.join(run, run.c.study_id == study.c.id)
    query = query.outerjoin(sweep_study, sweep_study.c.study_id == study.c.id)
    moving = run.c.state.in_(sorted(MOVING))
    query = query.where(belongs_to(study.c.owner, owner), moving, run.c.kind == "search")
    if besides is not None:
        other, named = sweep_study.alias(), study.alias()
        own = select(other.c.sweep_id).join(named, named.c.id == other.c.study_id)
        same = sweep_study.c.sweep_id.in_(own.where(named.c.name == besides))
        query = query.where(study.c.name != besides, sweep_study.c.sweep_id.is_(None) | ~same)
    jobs = select(func.count()).where(run.c.account == owner, moving, run.c.kind != "search")
    return connection.execute(query).scalar_one() + connection.execute(jobs).scalar_one()


def require_quota(connection: Connection, owner: str, name: str, most: int | None) -> None:
    """Raise ``LimitError`` unless one more study, ``name``, may be queued; None allows any number.

    Whoever queues writes events, so that the lock of these keeps others out until this is committed.
    """
    if most is None:
        return
    order_events(connection)
    others = count_running(connection, owner, besides=name)
    if others >= most:
        raise LimitError(
            f"{others} of your studies and jobs are queued or running; at most {most} are allowed at once. "
            "Pause or stop one, or wait until one is done"
        )
