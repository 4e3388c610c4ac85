"""The store: every method is one transaction, and what leaves it is a frozen record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, select

from models.errors import InputError, StoreFullError, UnknownNameError
from studies.definition import StudyDefinition
from studies.records import (
    EvaluationRecord,
    EventRecord,
    FloatArray,
    GenerationRecord,
    LoggedBatch,
    RunRecord,
    RunState,
    StudyRecord,
)
from studies.store import catalogue, evaluations, fronts, lease, queue, runs, states
from studies.store.database import Clock, Database, connect, name_of, parse_url
from studies.store.events import events
from studies.store.lease import Claim, Owner, this_process
from studies.store.schema import current_revision, require_schema
from studies.store.tables import provenance

DEFAULT_STORE = "tautline.db"
T = TypeVar("T")


class Store:
    """A database of studies.

    Any number of processes may read; writes wait for each other. Writes to a run need a
    :class:`Claim` and renew it; a claim that was taken over or taken away raises ``LeaseError`` and
    writes nothing. A busy or restarting database is waited for up to a minute; every method may
    therefore be carried out twice, and does the same then. All arrays handed out are copies. One
    store may be used by several threads.

    Parameters
    ----------
    url : str
        A database URL or the name of a SQLite file.
    migrate : bool
        Bring an older schema up to date instead of refusing it.
    clock : callable () -> float, optional
        UTC seconds; without it PostgreSQL's own clock, or the machine's on SQLite.
    """

    def __init__(
        self, url: str = DEFAULT_STORE, *, migrate: bool = False, clock: Clock | None = None
    ) -> None:
        self._engine = connect(parse_url(url))
        self._database = Database(self._engine, clock)
        self._here = this_process().host
        try:
            require_schema(self._database, migrate=migrate)
        except BaseException:
            self._engine.dispose()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _read(self, work: Callable[[Connection, float], T]) -> T:
        return self._database.read(lambda connection: work(connection, self._database.now(connection)))

    def _write(self, work: Callable[[Connection, float], T]) -> T:
        return self._database.write(lambda connection: work(connection, self._database.now(connection)))

    @property
    def revision(self) -> str:
        """The schema's revision."""
        return current_revision(self._database) or ""

    @property
    def name(self) -> str:
        """The database's name as it may be printed, without password."""
        return name_of(self._engine.url)

    # ------------------------------------------------------------ studies

    def create_study(
        self, definition: StudyDefinition, layouts: Iterable[str], *, branch_of: str | None = None
    ) -> StudyRecord:
        """Store a study and its queued runs; see :func:`studies.store.catalogue.create`."""
        named = list(layouts)

        return self._write(lambda c, now: catalogue.create(c, definition, named, branch_of, self._here, now))

    def study(self, name: str) -> StudyRecord:
        """The study called ``name``."""
        return self._read(lambda c, now: catalogue.find(c, name, self._here, now))

    def studies(self) -> list[StudyRecord]:
        """All studies, newest first."""
        return self._read(lambda c, now: catalogue.everything(c, self._here, now))

    def delete_study(self, name: str) -> int:
        """Delete a study that nobody is working on; how many evaluations went with it."""
        removed: list[int] = []

        def work(connection: Connection, now: float) -> int:
            try:
                count = catalogue.remove(connection, name, self._here, now)
            except UnknownNameError:
                if removed:
                    return removed[0]  # the first try was stored, only its answer was lost
                raise
            removed.append(count)
            return count

        return self._write(work)

    def pause_study(self, name: str) -> StudyRecord:
        """Ask the owners of running runs to pause; pause what has not begun. See :mod:`.states`."""
        return self._wish(states.pause, name)

    def stop_study(self, name: str) -> StudyRecord:
        """Cancel what is not finished, for good; living owners are asked, and have a deadline."""
        return self._wish(states.stop, name)

    def queue_study(self, name: str) -> StudyRecord:
        """Put paused runs into the queue, for a runner to take."""
        return self._wish(states.queue, name)

    def _wish(self, wish: states.Wish, name: str) -> StudyRecord:
        def work(connection: Connection, now: float) -> StudyRecord:
            catalogue.find(connection, name, self._here, now)
            states.of_study(connection, wish, name, self._here, now)
            return catalogue.find(connection, name, self._here, now)

        return self._write(work)

    def settle(self) -> None:
        """Pause and cancel in the place of owners that are gone or did not do it in time."""
        if self._database.read(states.passing):
            self._write(lambda c, now: states.settled(c, states.passing(c), self._here, now))

    # ------------------------------------------------------------ runs

    def run(self, run: RunRecord) -> RunRecord:
        """The run as it is now."""
        return self._read(lambda c, now: runs.find(c, run.id, self._here, now))

    def claim_runs(self, wanted: Sequence[RunRecord], owner: Owner) -> list[tuple[RunRecord, Claim]]:
        """Claim all of ``wanted`` that are not finished, or raise ``LeaseError`` when one is held.

        States stay as they are, but a run whose owner went away while it was pausing or cancelling
        is first paused or cancelled; a cancelled one is not claimed.
        """
        ids = [run.id for run in wanted]

        def work(connection: Connection, now: float) -> list[tuple[RunRecord, Claim]]:
            claims = queue.claim_named(connection, ids, owner, now)
            return [(runs.find(connection, item.run_id, owner.host, now), item) for item in claims]

        return self._write(work)

    def claim_next(self, owner: Owner) -> tuple[RunRecord, Claim] | None:
        """Claim the oldest run that is queued, or running without a living owner; None when there is none."""
        self.settle()
        waiting = self._read(lambda c, now: queue.candidates(c, owner.host, now))
        if not waiting:
            return None
        before: list[Claim] = []

        def work(connection: Connection, now: float) -> tuple[RunRecord, Claim] | None:
            # A claim of an earlier try was stored if it can be renewed: only the answer was lost.
            stored = before and lease.renew(connection, before[-1], now)
            claim = before[-1] if stored else queue.claim_first(connection, waiting, owner, now)
            if claim is None:
                return None
            before.append(claim)
            return runs.find(connection, claim.run_id, owner.host, now), claim

        return self._write(work)

    def begin_run(self, claim: Claim, record: Mapping[str, Any]) -> RunRecord:
        """Mark a claimed run as running and keep the provenance ``record``.

        Raises ``StateError`` when the run was asked to pause or stop meanwhile.
        """

        def work(connection: Connection, now: float) -> RunRecord:
            states.begin(connection, claim, record, self._here, now)
            return runs.find(connection, claim.run_id, self._here, now)

        return self._write(work)

    def renew(self, claims: Iterable[Claim]) -> dict[Claim, RunState]:
        """Keep claims alive; the states of the runs that are still ours."""
        ordered = sorted(claims, key=lambda claim: claim.run_id)

        def work(connection: Connection, now: float) -> dict[Claim, RunState]:
            ours = [claim for claim in ordered if lease.renew(connection, claim, now)]
            found = lease.states(connection, ours)
            return {claim: found[claim.run_id] for claim in ours}

        return self._write(work) if ordered else {}

    def leave_run(self, claim: Claim, state: RunState, message: str = "") -> None:
        """Move a run to the state in which it is left, and give up the claim; see :func:`.states.leave`.

        On a full disk it is tried again without what takes room: the event, then the message.
        """
        for text, noted in ((message, True), (message, False), ("", False)):

            def work(connection: Connection, now: float, text: str = text, noted: bool = noted) -> None:
                states.leave(connection, claim, state, text, self._here, now, noted=noted)

            try:
                return self._write(work)
            except StoreFullError as error:
                full = error
        raise full

    def give_up(self, claims: Iterable[Claim]) -> None:
        """End those claims that are still ours; the states of their runs stay as they are."""
        ordered = sorted(claims, key=lambda claim: claim.run_id)
        if ordered:
            self._database.write(lambda c: [lease.release(c, claim) for claim in ordered])

    def save_results(self, claim: Claim, records: Iterable[EvaluationRecord]) -> None:
        """Store finished evaluations."""
        results = list(records)

        def work(connection: Connection, now: float) -> None:
            lease.fence(connection, claim, now)
            evaluations.insert_results(connection, results)

        self._write(work)

    def save_generation(
        self,
        claim: Claim,
        batch: LoggedBatch,
        results: Iterable[EvaluationRecord],
        record: GenerationRecord,
        front_change: tuple[Sequence[int], Sequence[int]],
        reference_point: FloatArray | None,
    ) -> None:
        """Log one generation: what was asked and told, indicators, and the change of the front.

        ``results`` are stored again where a deletion took them meanwhile. Given again, a generation
        changes nothing; with other designs it raises ``DivergedError``.
        """
        run_id, saved = claim.run_id, list(results)

        def work(connection: Connection, now: float) -> None:
            lease.fence(connection, claim, now)
            evaluations.insert_missing(connection, saved)
            if runs.append_once(connection, run_id, batch, record):
                runs.change_front(connection, run_id, record.number, *front_change)
                if reference_point is not None:
                    runs.set_reference_point(connection, run_id, reference_point)

        self._write(work)

    def log(self, run: RunRecord) -> list[LoggedBatch]:
        """What the run's search asked and was told."""
        return self._database.read(lambda c: runs.log(c, run.id))

    def generations(self, run: RunRecord) -> list[GenerationRecord]:
        """Indicators per generation."""
        return self._database.read(lambda c: runs.generations(c, run.id))

    def provenance(self, run: RunRecord) -> list[dict[str, Any]]:
        """What ran the run, one record per process that took it up."""
        query = select(provenance).where(provenance.c.run_id == run.id).order_by(provenance.c.epoch)
        rows = self._database.read(lambda c: c.execute(query).mappings().all())
        return [{"started": row["started"], **row["record"]} for row in rows]

    def events(self, after: int = 0, limit: int = 1000) -> list[EventRecord]:
        """Changes of states with a number above ``after``, oldest first."""
        return self._database.read(lambda c: events(c, after, limit))

    # ------------------------------------------------------------ evaluations and fronts

    def evaluations(self, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
        """The stored evaluations among ``keys``."""
        return self._database.read(lambda c: evaluations.find(c, keys))

    def find_evaluation(self, key: str) -> EvaluationRecord:
        """The stored evaluation with ``key``, or the only one whose key begins with it."""
        return self._database.read(lambda connection: evaluations.named(connection, key))

    def front(self, run: RunRecord, generation: int | None = None) -> list[fronts.Member]:
        """The run's front, now or as it stood after ``generation``."""
        return self._database.read(lambda c: fronts.members(c, run.id, generation))

    def history(self, run: RunRecord) -> list[fronts.Member]:
        """Every design that the run asked for, in order."""
        return self._database.read(lambda c: fronts.history(c, run.id))


def open_existing(url: str, *, migrate: bool = False) -> Store:
    """The store at ``url``; raises ``InputError`` where a SQLite file is missing, instead of making one."""
    parsed = parse_url(url)
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database is not None
    if is_file and not Path(parsed.database or "").is_file():
        raise InputError(
            f"there is no store at '{parsed.database}'; `tautline study run FILE` makes one",
            "--store",
        )
    return Store(url, migrate=migrate)
