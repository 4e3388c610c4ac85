"""Sweeps: grids of conditions for the front of a study or for its search, and the studies that search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Connection, delete, select

from errors import UnknownNameError
from studies.records import RunState, SweepMode, SweepRecord
from studies.store import lease
from studies.store.database import Database
from studies.store.lease import Owner, SweepClaim, this_process
from studies.store.statements import insert_first, insert_of
from studies.store.tables import study, sweep, sweep_lease, sweep_study

_HELD = ("host", "pid", "process_started", "expires")
"""Columns that say whether a lease is held."""


class Sweeps:
    """The sweeps of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, name: str, mode: SweepMode, grid: Mapping[str, Sequence[Any]], digest: str, owner: str = ""
    ) -> SweepRecord:
        """Store a sweep of the study ``name``; the same one again is returned as it is."""

        def work(connection: Connection) -> SweepRecord:
            now = self._database.now(connection)
            row = {
                "study_id": _study_id(connection, name),
                "mode": mode,
                "grid": {path: list(values) for path, values in grid.items()},
                "digest": digest,
                "owner": owner,
                "created": now,
            }
            insert = insert_of(connection.dialect.name, sweep).values(**row)
            # The same one again is locked by this, so that nobody deletes it before it is read.
            locked = insert.on_conflict_do_update(
                index_elements=["study_id", "digest"], set_={"digest": digest}
            )
            sweep_id = connection.execute(locked.returning(sweep.c.id)).scalar_one()
            insert_first(connection, sweep_lease, {"sweep_id": sweep_id, **lease.UNCLAIMED})
            return _find(connection, name, sweep_id, now)

        return self._database.write(work)

    def of(self, name: str) -> list[SweepRecord]:
        """The sweeps of the study ``name``, oldest first."""
        return self._database.read(lambda c: _of(c, name, self._database.now(c)))

    def find(self, name: str, sweep_id: int) -> SweepRecord:
        """One of them by its number; raises ``UnknownNameError``."""
        return self._database.read(lambda c: _find(c, name, sweep_id, self._database.now(c)))

    def with_digest(self, name: str, digest: str) -> SweepRecord | None:
        """The sweep of the study ``name`` with ``digest``; it has another number when it was stored anew."""
        return next((found for found in self.of(name) if found.digest == digest), None)

    def claim(self, record: SweepRecord, owner: Owner) -> SweepClaim:
        """Claim a sweep for the one process that computes it.

        Raises ``LeaseError`` while a living process has it, this one included, and ``UnknownNameError`` when
        it was deleted.
        """
        before: list[SweepClaim] = []

        def work(connection: Connection) -> SweepClaim:
            query = select(sweep_lease).where(sweep_lease.c.sweep_id == record.id).with_for_update()
            row = connection.execute(query).mappings().first()
            if row is None:
                raise UnknownNameError("sweep", str(record.id), (), ("sweep",))
            held: Mapping[str, Any] = cast("Mapping[str, Any]", row)
            now, host = self._database.now(connection), this_process().host
            holder = SweepClaim(record.id, held["owner"], held["epoch"])
            if lease.is_held(held, host, now) and holder not in before:
                raise lease.refusal(f"sweep {record.id} of '{record.study}'", held, owner.id, host, now)
            claim = SweepClaim(record.id, owner.id, held["epoch"] + 1)
            before.append(lease.take(connection, claim, owner, now))
            return before[-1]

        return self._database.write(work)

    def renew(self, claims: Iterable[SweepClaim]) -> dict[SweepClaim, RunState]:
        """Keep claims alive; those that are still ours, which go on."""
        ordered = sorted(claims, key=lambda claim: claim.sweep_id)

        def work(connection: Connection) -> dict[SweepClaim, RunState]:
            now = self._database.now(connection)
            return {claim: "running" for claim in ordered if lease.renew(connection, claim, now)}

        return self._database.write(work)

    def release(self, claim: SweepClaim) -> None:
        """End a claim if it is still ours."""
        self._database.write(lambda c: lease.release(c, claim))

    def add_study(self, sweep_id: int, number: int, name: str) -> None:
        """Make the study ``name`` the one that searches under a condition, counted from 1.

        Raises ``UnknownNameError`` where the sweep or the study was deleted meanwhile.
        """

        def work(connection: Connection) -> None:
            held = select(sweep.c.id).where(sweep.c.id == sweep_id).with_for_update(read=True, key_share=True)
            if connection.execute(held).first() is None:
                raise UnknownNameError("sweep", str(sweep_id), (), ("sweep",))
            row = {"sweep_id": sweep_id, "number": number, "study_id": _study_id(connection, name)}
            insert_first(connection, sweep_study, row)

        self._database.write(work)

    def remove(self, name: str, sweep_id: int) -> SweepRecord:
        """Delete a sweep; the evaluations and studies that it made stay. It as it was."""
        before: list[SweepRecord] = []

        def work(connection: Connection) -> SweepRecord:
            try:
                found = _find(connection, name, sweep_id, self._database.now(connection))
            except UnknownNameError:
                if before:
                    return before[0]  # the first try was stored, only its answer was lost
                raise
            before.append(found)
            connection.execute(delete(sweep).where(sweep.c.id == sweep_id))
            return found

        return self._database.write(work)


def _study_id(connection: Connection, name: str) -> int:
    query = select(study.c.id).where(study.c.name == name).with_for_update(read=True, key_share=True)
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise UnknownNameError("study", name, ())
    return found


def _find(connection: Connection, name: str, sweep_id: int, now: float) -> SweepRecord:
    every = _of(connection, name, now)
    found = next((one for one in every if one.id == sweep_id), None)
    if found is None:
        raise UnknownNameError("sweep", str(sweep_id), [str(one.id) for one in every], ("sweep",))
    return found


def _of(connection: Connection, name: str, now: float) -> list[SweepRecord]:
    held = (sweep_lease.c[each].label(f"lease_{each}") for each in _HELD)
    own = select(sweep, *held).join(sweep_lease)
    own = own.join(study, study.c.id == sweep.c.study_id).where(study.c.name == name)
    rows = connection.execute(own.order_by(sweep.c.id)).mappings().all()
    return [
        SweepRecord(
            row["id"], name, row["mode"], {path: tuple(values) for path, values in row["grid"].items()},
            row["digest"], row["owner"], row["created"], _studies(connection, row["id"]),
            lease.is_held({each: row[f"lease_{each}"] for each in _HELD}, this_process().host, now),
        )
        for row in rows
    ]  # fmt: skip


def _studies(connection: Connection, sweep_id: int) -> dict[int, str]:
    query = select(sweep_study.c.number, study.c.name).join(study, study.c.id == sweep_study.c.study_id)
    rows = connection.execute(query.where(sweep_study.c.sweep_id == sweep_id).order_by(sweep_study.c.number))
    return {row.number: row.name for row in rows}
