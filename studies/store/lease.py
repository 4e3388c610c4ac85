"""Who may write a run: one living process at a time, and an epoch that fences off the late ones."""

from __future__ import annotations

import os
import socket
import uuid
from dataclasses import dataclass
from functools import cache
from typing import Any

import psutil
from sqlalchemy import Connection, insert, select, update

from models.errors import LeaseError
from studies.store.tables import run, run_lease

LEASE_SECONDS = 30.0
_SAME_START_SECONDS = 2.0


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


@cache
def this_process() -> Owner:
    """The owner that this process is."""
    process = psutil.Process()
    return Owner(uuid.uuid4().hex, socket.gethostname(), os.getpid(), process.create_time())


def require_free(connection: Connection, run_id: int, owner: Owner, now: float) -> Any:
    """The run's lease, if it has one; raises ``LeaseError`` when somebody else who lives holds it."""
    query = select(run_lease, run.c.layout, run.c.seed).join(run).where(run_lease.c.run_id == run_id)
    lease = connection.execute(query).mappings().first()
    if lease is not None and lease["owner"] != owner.id and is_held(lease, owner.host, now):
        raise LeaseError(
            f"{lease['layout']}, seed {lease['seed']}, is being worked on by process {lease['pid']} on "
            f"{lease['host']}; let it finish or stop it (its lease ends in "
            f"{max(lease['expires'] - now, 0):.0f} s unless it renews it)"
        )
    return lease


def claim(connection: Connection, run_id: int, owner: Owner, now: float) -> Claim:
    """Take the run's lease, or raise ``LeaseError`` naming the living owner and the expiry."""
    lease = require_free(connection, run_id, owner, now)
    values: dict[str, Any] = {
        "owner": owner.id,
        "host": owner.host,
        "pid": owner.pid,
        "process_started": owner.started,
        "epoch": 1 if lease is None else lease["epoch"] + 1,
        "expires": now + LEASE_SECONDS,
    }
    if lease is None:
        connection.execute(insert(run_lease).values(run_id=run_id, **values))
    else:
        connection.execute(update(run_lease).where(run_lease.c.run_id == run_id).values(**values))
    return Claim(run_id, owner.id, values["epoch"])


def is_held(lease: Any, here: str, now: float) -> bool:
    """Whether a lease stands: not expired, and its process not known to be gone."""
    if lease["expires"] <= now:
        return False
    return lease["host"] != here or _lives(lease["pid"], lease["process_started"])


def _lives(pid: int, started: float) -> bool:
    try:
        process = psutil.Process(pid)
        return (
            abs(process.create_time() - started) < _SAME_START_SECONDS
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def fence(connection: Connection, held: Claim, now: float) -> None:
    """Renew the lease inside the caller's transaction; raise ``LeaseError`` when it was taken over."""
    renewed = connection.execute(
        update(run_lease)
        .where(run_lease.c.run_id == held.run_id)
        .where(run_lease.c.owner == held.owner)
        .where(run_lease.c.epoch == held.epoch)
        .values(expires=now + LEASE_SECONDS)
    )
    if renewed.rowcount != 1:
        raise LeaseError("another process has taken over the run; this one stops and writes nothing more")


def release(connection: Connection, held: Claim) -> None:
    """End the lease; its epoch stays, so that a late write is still refused."""
    connection.execute(
        update(run_lease)
        .where(run_lease.c.run_id == held.run_id)
        .where(run_lease.c.epoch == held.epoch)
        .values(expires=0.0)
    )
