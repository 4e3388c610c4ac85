"""Jobs and sweeps: questions about stored studies that a runner answers by evaluations, like runs."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, select, update

from errors import UnknownNameError
from studies.records import ENDED, RunKind, RunRecord, SweepMode, SweepRecord
from studies.store import queue, run_log, states
from studies.store.database import Database
from studies.store.lease import UNCLAIMED, this_process
from studies.store.run_lock import lock_runs, order_events, set_state
from studies.store.tables import event, insert_first, insert_of, run, run_lease, study, sweep, sweep_study

KEPT_DAYS = 30
"""A job is deleted so many days after it ended, when another question is asked about its study."""
_DIGITS = 40
"""Hexadecimal digits of a request's digest in the name of its job."""


def name_of_job(kind: RunKind, request: Mapping[str, Any]) -> str:
    """The name of a job: its kind and the digest of what is asked. Layouts have no spaces in theirs."""
    text = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return f"{kind} {hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}"


class Jobs:
    """The jobs of a store; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._host = this_process().host

    def ask(
        self,
        name: str,
        kind: RunKind,
        request: Mapping[str, Any],
        *,
        wanted: int = 0,
        account: str = "",
        queued: bool = True,
        most_running: int | None = None,
    ) -> RunRecord:
        """The job that answers ``request`` about the study ``name``: queued, or paused for whoever claims it.

        The same request again is the same job; one that has ended begins anew. ``wanted`` evaluations answer
        it. Jobs of the study that ended ``KEPT_DAYS`` ago are deleted. Raises ``LimitError`` when ``account``
        would have more than ``most_running`` studies and jobs at work.
        """
        row = {
            "layout": name_of_job(kind, request), "seed": 0, "state": "draft", "message": "", "kind": kind,
            "request": dict(request), "account": account,
        }  # fmt: skip

        def work(connection: Connection) -> RunRecord:
            now = self._database.now(connection)
            values = {**row, "study_id": study_id_of(connection, name)}
            _remove_old(connection, values["study_id"], now)
            insert = insert_of(connection.dialect.name, run).values(**values).on_conflict_do_nothing()
            made = connection.execute(insert.returning(run.c.id)).scalar_one_or_none()
            if made is not None:
                # The number of a deleted job may be given out again: claims of the old one must not fit.
                lease = {**UNCLAIMED, "epoch": secrets.randbelow(2**30)}
                insert_first(connection, run_lease, {"run_id": made, **lease})
            own = (run.c.study_id == values["study_id"]) & (run.c.layout == row["layout"])
            job_id = connection.execute(select(run.c.id).where(own)).scalar_one()
            (locked,) = lock_runs(connection, [job_id], self._host, now)
            if locked.state in ENDED | {"draft", "paused"} and not locked.held:
                if queued:
                    queue.require_quota(connection, account, "", most_running)
                order_events(connection)
                connection.execute(
                    update(run).where(run.c.id == job_id).values(account=account, wanted=wanted, evaluated=0)
                )
                set_state(connection, job_id, "queued" if queued else "paused", "", now)
            return run_log.find(connection, job_id, self._host, now)

        return self._database.write(work)

    def of(self, name: str) -> list[RunRecord]:
        """The jobs of the study ``name``, oldest first."""
        return self._database.read(lambda c: self._found(c, _ids(name)))

    def find(self, name: str, job_id: int) -> RunRecord:
        """One of them by its number; raises ``UnknownNameError``."""
        return self._database.read(lambda c: self._find(c, name, job_id))

    def asked(self, name: str, kind: RunKind, request: Mapping[str, Any]) -> RunRecord | None:
        """The job that answers ``request``, if it was ever asked."""
        same = _ids(name).where(run.c.layout == name_of_job(kind, request))
        return next(iter(self._database.read(lambda c: self._found(c, same))), None)

    def pause(self, name: str, job_id: int) -> RunRecord:
        """Pause a job; see :meth:`studies.store.Store.pause_study`."""
        return self._change(states.pause, name, job_id)

    def stop(self, name: str, job_id: int) -> RunRecord:
        """Cancel a job; what it has evaluated stays."""
        return self._change(states.stop, name, job_id)

    def resume(self, name: str, job_id: int, *, most_running: int | None = None) -> RunRecord:
        """Queue a paused job; raises ``LimitError`` as :meth:`ask` does."""
        return self._change(states.queue, name, job_id, most_running)

    def _change(
        self, change: states.StateChange, name: str, job_id: int, most_running: int | None = None
    ) -> RunRecord:
        def work(connection: Connection) -> RunRecord:
            before = self._find(connection, name, job_id)
            if before.state == "paused":
                queue.require_quota(connection, before.account, "", most_running)
            now = self._database.now(connection)
            change(connection, f"job {job_id}", [job_id], self._host, now)
            return self._find(connection, name, job_id)

        return self._database.write(work)

    def _find(self, connection: Connection, name: str, job_id: int) -> RunRecord:
        found = self._found(connection, _ids(name).where(run.c.id == job_id))
        if not found:
            every = connection.execute(_ids(name)).scalars()
            raise UnknownNameError("job", str(job_id), [str(number) for number in every], ("job",))
        return found[0]

    def _found(self, connection: Connection, ids: Select[Any]) -> list[RunRecord]:
        numbers = [int(number) for number in connection.execute(ids).scalars()]
        now = self._database.now(connection)
        return run_log.runs_with(connection, numbers, self._host, now)


def study_id_of(connection: Connection, name: str) -> int:
    """The number of a study, which nobody deletes before this transaction ends."""
    query = select(study.c.id).where(study.c.name == name).with_for_update(read=True, key_share=True)
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise UnknownNameError("study", name, ())
    return found


def forget(connection: Connection, name: str, kind: RunKind, request: Mapping[str, Any]) -> None:
    """Delete a job, whoever works on it."""
    ids = _ids(name).where(run.c.layout == name_of_job(kind, request)).order_by(None)
    connection.execute(delete(run).where(run.c.id.in_(ids)))


def count(connection: Connection, job_id: int, evaluated: int) -> None:
    """Note how many of its evaluations a job has."""
    connection.execute(update(run).where(run.c.id == job_id).values(evaluated=evaluated))


def _remove_old(connection: Connection, study_id: int, now: float) -> None:
    """Delete the jobs of a study to which nothing has happened for ``KEPT_DAYS`` since they ended.

    Their evaluations stay, so that the same question is answered from the store.
    """
    late = select(event.c.id).where(event.c.run_id == run.c.id, event.c.time > now - KEPT_DAYS * 24 * 3600.0)
    own = (run.c.study_id == study_id) & (run.c.kind != "search") & run.c.state.in_(sorted(ENDED))
    connection.execute(delete(run).where(own, ~late.exists()))


def _ids(name: str) -> Select[tuple[int]]:
    own = select(run.c.id).join(study, study.c.id == run.c.study_id)
    return own.where(study.c.name == name, run.c.kind != "search").order_by(run.c.id)


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
            forget(connection, name, "sweep", {"sweep": sweep_id})
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
