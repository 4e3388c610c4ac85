"""The right to write a run: one living process has it at a time; an epoch fences off the late ones."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from errors import LeaseError
from studies.process_identity import lives, started
from studies.records import RunState
from studies.store.tables import run, run_lease

LEASE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that runs studies."""

    id: str
    host: str
    pid: int
    started: float


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to write a run, for as long as nobody claims it under a later epoch."""

    run_id: int
    owner: str
    epoch: int


UNCLAIMED: Mapping[str, Any] = {
    "owner": "", "host": "", "pid": 0, "process_started": 0.0, "epoch": 0, "expires": 0.0,
}  # fmt: skip
"""A lease that nobody has held."""


@cache
def this_process() -> Owner:
    """The owner that this process is."""
    return Owner(uuid.uuid4().hex, socket.gethostname()[:255], os.getpid(), started(os.getpid()))


def due(moment: float, span: float, now: float) -> bool:
    """True if a moment set at most ``span`` seconds ahead has come.

    One that lies much further ahead was set by a clock that has been put back since; it counts as
    over, so that nothing waits for the hour or the day that the clock jumped.
    """
    return not now < moment <= now + 2.0 * span


def is_held(lease: Any, host: str, now: float) -> bool:
    """True if a lease is valid: not expired, and its process not known to have ended."""
    if lease["expires"] == 0.0 or due(lease["expires"], LEASE_SECONDS, now):
        return False
    return lease["host"] != host or lives(lease["pid"], lease["process_started"])


def refusal(what: str, lease: Mapping[str, Any], owner: str, host: str, now: float) -> LeaseError:
    """Make the error that refuses ``owner`` on ``host`` the lease of ``what``, which another one holds."""
    left = max(lease["expires"] - now, 0.0)
    return LeaseError(
        f"{what} is being worked on by process {lease['pid']} on {lease['host']}; let it finish or stop it "
        f"(its lease ends in {left:.0f} s unless it renews it)",
        # A lease of this very process may be left over from work that failed, so it may lapse as well.
        left if lease["host"] != host or lease["owner"] == owner else None,
    )


def take(connection: Connection, claim: Claim, owner: Owner, now: float) -> Claim:
    """Write ``claim``, which is ``owner``'s, into a locked lease."""
    connection.execute(
        update(run_lease)
        .where(run_lease.c.run_id == claim.run_id)
        .values(
            owner=claim.owner,
            host=owner.host,
            pid=owner.pid,
            process_started=owner.started,
            epoch=claim.epoch,
            expires=now + LEASE_SECONDS,
        )
    )
    return claim


def take_away(connection: Connection, run_id: int) -> None:
    """End a lease whoever holds it; its epoch is raised, so that the holder's writes are refused."""
    connection.execute(
        update(run_lease)
        .where(run_lease.c.run_id == run_id)
        .values(owner="", epoch=run_lease.c.epoch + 1, expires=0.0)
    )


def fence(connection: Connection, held: Claim, now: float) -> None:
    """Renew the lease inside the caller's transaction; raise ``LeaseError`` when it is no longer ours."""
    if not renew(connection, held, now):
        raise LeaseError(_loss(connection, held))


def renew(connection: Connection, held: Claim, now: float) -> bool:
    """Renew a lease that is still ours; whether it was."""
    ours = {"held": held.run_id, "held_owner": held.owner, "held_epoch": held.epoch}
    return connection.execute(_RENEWAL, {**ours, "until": now + LEASE_SECONDS}).rowcount == 1


# Built once: every write of a run renews, and building takes longer than renewing.
_RENEWAL = (
    update(run_lease)
    .where(
        run_lease.c.run_id == bindparam("held"),
        run_lease.c.owner == bindparam("held_owner"),
        run_lease.c.epoch == bindparam("held_epoch"),
        run_lease.c.expires > 0.0,
    )
    .values(expires=bindparam("until"))
)


def release(connection: Connection, held: Claim) -> None:
    """End the lease if it is ours; owner and epoch stay, to tell a repeated release from a lost lease."""
    connection.execute(update(run_lease).where(*_ours(held)).values(expires=0.0))


def was_released(connection: Connection, held: Claim) -> bool:
    """True if the lease is the one that ``held`` gave up, and nobody's since."""
    query = select(run_lease.c.run_id).where(*_ours(held), run_lease.c.expires == 0.0)
    return connection.execute(query).first() is not None


def states(connection: Connection, held: Iterable[Claim]) -> dict[int, RunState]:
    """The states of the runs claimed."""
    query = select(run.c.id, run.c.state).where(run.c.id.in_([claim.run_id for claim in held]))
    return {row.id: row.state for row in connection.execute(query)}


def _ours(held: Claim) -> tuple[Any, ...]:
    columns = run_lease.c
    return (columns.run_id == held.run_id, columns.owner == held.owner, columns.epoch == held.epoch)


def _loss(connection: Connection, held: Claim) -> str:
    query = select(run.c.state, run_lease.c.owner).join(run).where(run.c.id == held.run_id)
    row = connection.execute(query).first()
    if row is None:
        return "the run was deleted; this process stops and writes nothing more"
    if row.owner in {"", held.owner}:
        return f"the run was taken from this process and is {row.state}; it stops and writes nothing more"
    return "another process has taken over the run; this one stops and writes nothing more"
