"""Sweeps: grids of conditions for the front of a study or for its search, and the studies that search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, select

from errors import UnknownNameError
from studies.records import SweepMode, SweepRecord
from studies.store import jobs
from studies.store.database import Database
from studies.store.jobs import study_id_of
from studies.store.statements import insert_first, insert_of
from studies.store.tables import study, sweep, sweep_study


class Sweeps:
    """The sweeps of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, name: str, mode: SweepMode, grid: Mapping[str, Sequence[Any]], digest: str, owner: str = ""
    ) -> SweepRecord:
        """Store a sweep of the study ``name``; the same one again is returned as it is."""

        def work(connection: Connection) -> SweepRecord:
            row = {
                "study_id": study_id_of(connection, name),
                "mode": mode,
                "grid": {path: list(values) for path, values in grid.items()},
                "digest": digest,
                "owner": owner,
                "created": self._database.now(connection),
            }
            insert = insert_of(connection.dialect.name, sweep).values(**row)
            # The same one again is locked by this, so that nobody deletes it before it is read.
            locked = insert.on_conflict_do_update(
                index_elements=["study_id", "digest"], set_={"digest": digest}
            )
            sweep_id = connection.execute(locked.returning(sweep.c.id)).scalar_one()
            return _find(connection, name, sweep_id)

        return self._database.write(work)

    def of(self, name: str) -> list[SweepRecord]:
        """The sweeps of the study ``name``, oldest first."""
        return self._database.read(lambda c: _of(c, name))

    def find(self, name: str, sweep_id: int) -> SweepRecord:
        """One of them by its number; raises ``UnknownNameError``."""
        return self._database.read(lambda c: _find(c, name, sweep_id))

    def add_study(self, sweep_id: int, number: int, name: str) -> None:
        """Make the study ``name`` the one that searches under a condition, counted from 1.

        Raises ``UnknownNameError`` where the sweep or the study was deleted meanwhile.
        """

        def work(connection: Connection) -> None:
            held = select(sweep.c.id).where(sweep.c.id == sweep_id).with_for_update(read=True, key_share=True)
            if connection.execute(held).first() is None:
                raise UnknownNameError("sweep", str(sweep_id), (), ("sweep",))
            row = {"sweep_id": sweep_id, "number": number, "study_id": study_id_of(connection, name)}
            insert_first(connection, sweep_study, row)

        self._database.write(work)

    def remove(self, name: str, sweep_id: int) -> SweepRecord:
        """Delete a sweep; the evaluations and studies that it made stay. It as it was."""
        before: list[SweepRecord] = []

        def work(connection: Connection) -> SweepRecord:
            try:
                found = _find(connection, name, sweep_id)
            except UnknownNameError:
                if before:
                    return before[0]  # the first try was stored, only its answer was lost
                raise
            before.append(found)
            connection.execute(delete(sweep).where(sweep.c.id == sweep_id))
            jobs.forget(connection, name, "sweep", {"sweep": sweep_id})
            return found

        return self._database.write(work)


def _find(connection: Connection, name: str, sweep_id: int) -> SweepRecord:
    every = _of(connection, name)
    found = next((one for one in every if one.id == sweep_id), None)
    if found is None:
        raise UnknownNameError("sweep", str(sweep_id), [str(one.id) for one in every], ("sweep",))
    return found


def _of(connection: Connection, name: str) -> list[SweepRecord]:
    own = select(sweep).join(study, study.c.id == sweep.c.study_id).where(study.c.name == name)
    rows = connection.execute(own.order_by(sweep.c.id)).mappings().all()
    return [
        SweepRecord(
            row["id"], name, row["mode"], {path: tuple(values) for path, values in row["grid"].items()},
            row["digest"], row["owner"], row["created"], _studies(connection, row["id"]),
        )
        for row in rows
    ]  # fmt: skip


def _studies(connection: Connection, sweep_id: int) -> dict[int, str]:
    query = select(sweep_study.c.number, study.c.name).join(study, study.c.id == sweep_study.c.study_id)
    rows = connection.execute(query.where(sweep_study.c.sweep_id == sweep_id).order_by(sweep_study.c.number))
    return {row.number: row.name for row in rows}
