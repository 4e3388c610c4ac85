"""The store: every method is one transaction, and what leaves it is a frozen record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError

from errors import InputError, StoreError, StoreFullError, UnknownNameError
from studies.definition.study_definition import StudyDefinition
from studies.records import (
    EvaluationRecord,
    FloatArray,
    GenerationRecord,
    LoggedBatch,
    Proposal,
    RunRecord,
    RunState,
    StudyRecord,
)
from studies.store import (
    errors,
    evaluations,
    events,
    fronts,
    jobs,
    lease,
    log_mark,
    proposals,
    queue,
    run_lock,
    run_log,
    states,
    studies,
)
from studies.store.backup import back_up
from studies.store.database import parse_url
from studies.store.errors import require_reachable
from studies.store.lease import Claim, Owner
from studies.store.reader import Reader
from studies.store.studies import CreationOptions
from studies.store.tables import idempotency, insert_of, study

REMEMBERED_SECONDS = 24 * 3600.0
LONGEST_KEY = 255
PLACE = ("request_key",)


@dataclass(frozen=True, slots=True)
class Request:
    """A request under a key that its sender chose; ``digest`` is of everything that it asks for."""

    account: str
    key: str
    digest: str


def require_searchable(definition: StudyDefinition) -> None:
    """Raise ``InputError`` for a study whose results come from elsewhere: no search continues them."""
    if definition.imported is not None:
        raise InputError(
            f"holds results imported from {definition.imported.source}, which no search made and none can "
            f'continue; a new study may begin with their designs: [search] from = ["{definition.name}"]',
            ("imported",),
        )


def made_before(connection: Connection, request: Request, now: float) -> str | None:
    """The study that the same request made before; raises ``InputError`` when the key was for another."""
    if not 0 < len(request.key) <= LONGEST_KEY:
        raise InputError(f"the key has {len(request.key)} characters; it must have 1 to {LONGEST_KEY}", PLACE)
    connection.execute(delete(idempotency).where(idempotency.c.created < now - REMEMBERED_SECONDS))
    query = select(study.c.name, idempotency.c.digest).join(study, study.c.id == idempotency.c.study_id)
    own = (idempotency.c.account == request.account) & (idempotency.c.key == request.key)
    row = connection.execute(query.where(own)).first()
    if row is None:
        return None
    if row.digest != request.digest:
        raise InputError(
            "this key was already used for another request; choose a new key for a new request", PLACE
        )
    return row.name


def remember(connection: Connection, request: Request, name: str, now: float) -> None:
    """Keep what the request made, in the transaction that made it; the same request may have come first."""
    study_id = connection.execute(select(study.c.id).where(study.c.name == name)).scalar_one()
    row = {"account": request.account, "key": request.key, "digest": request.digest}
    statement = insert_of(connection.dialect.name, idempotency).values(**row, study_id=study_id, created=now)
    connection.execute(statement.on_conflict_do_nothing())


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """Results from elsewhere as one run of a study; ``batch`` and what follows are None where it has none."""

    layout: str
    seed: int
    message: str
    records: Sequence[EvaluationRecord] = ()
    batch: LoggedBatch | None = None
    generation: GenerationRecord | None = None
    front: Sequence[int] = ()
    reference_point: FloatArray | None = None


def _insert_imported(connection: Connection, run_id: int, imported: ImportedRun, now: float) -> None:
    evaluations.insert_missing(connection, imported.records)
    if imported.batch is not None and imported.generation is not None:
        run_log.append_once(connection, run_id, imported.batch, imported.generation)
        fronts.change_front(connection, run_id, imported.generation.number, imported.front, ())
    if imported.reference_point is not None:
        run_log.set_reference_point(connection, run_id, imported.reference_point, {})
    run_lock.set_state(connection, run_id, "done", imported.message, now)


class Store(Reader):
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
    patience : float, optional
        How long a transaction is tried while the database is locked or away, s, instead of a minute; then
        it raises ``StoreBusyError``. A server that answers people has little.
    """

    def backup(self, target: Path) -> None:
        """Copy a SQLite store that is in use to a new file; PostgreSQL has ``pg_dump``."""
        back_up(self._engine.url, target)

    def accept_loss(self) -> None:
        """Go on with what is left after the write-ahead log was removed; see :attr:`lost`."""
        if self.lost:
            self._database.write(log_mark.accept_loss)

    # ------------------------------------------------------------ studies

    def create_study(
        self,
        definition: StudyDefinition,
        layouts: Iterable[str],
        *,
        branch_of: str | None = None,
        owner: str = "",
        launch: bool = True,
        request: Request | None = None,
        most_running: int | None = None,
        replaces: str = "",
    ) -> StudyRecord:
        """Store a study and its runs, queued or as drafts; see :func:`studies.store.studies.create`.

        A draft that it ``replaces`` goes in the same transaction; its owner and visibility stay.

        The same ``request`` again gives the study that it made. Raises ``LimitError`` when ``owner``
        would have more than ``most_running`` studies at work.
        """
        require_searchable(definition)
        named, options = list(layouts), CreationOptions(owner, branch_of, launch, replaces=replaces)
        replaced: list[str] = []

        def work(connection: Connection, now: float) -> StudyRecord:
            if request is not None and (made := made_before(connection, request, now)) is not None:
                return studies.find(connection, made, self._host, now)
            if replaced and not studies.owners(connection, [replaces]):
                return studies.find(connection, replaced[0], self._host, now)  # only the answer was lost
            study = studies.create(connection, definition, named, options, self._host, now)
            replaced.extend([study.name] if replaces else [])
            if launch and study.state == "draft":  # it was stored before
                states.of_study(connection, states.queue, study.name, self._host, now)
                study = studies.find(connection, study.name, self._host, now)
            if any(run.state == "queued" for run in study.runs):
                queue.require_quota(connection, study.owner if replaces else owner, study.name, most_running)
            if request is not None:
                remember(connection, request, study.name, now)
            return study

        return self._write(work)

    def import_study(
        self, definition: StudyDefinition, runs: Sequence[ImportedRun], *, owner: str = ""
    ) -> StudyRecord:
        """Store a study whose results come from elsewhere: with its designs and fronts, done from the start.

        All is stored or nothing. The same import again returns what is stored; raises ``NameTakenError`` when
        another study has the name.
        """
        layouts = list(dict.fromkeys(each.layout for each in runs))

        def work(connection: Connection, now: float) -> StudyRecord:
            options = CreationOptions(owner, launch=False)
            made = studies.create(connection, definition, layouts, options, self._host, now)
            found = {(run.layout, run.seed): run for run in made.runs if run.state == "draft"}
            for each in runs:
                run = found.get((each.layout, each.seed))
                if run is not None:
                    _insert_imported(connection, run.id, each, now)
            return studies.find(connection, made.name, self._host, now)

        return self._write(work)

    def edit_study(self, name: str, changes: Mapping[str, Any], revision: int | None = None) -> StudyRecord:
        """Change ``owner``, ``visibility``, ``archived`` or ``note`` of a study.

        With ``revision``, only if the study is still at it; else ``EditConflictError``.
        """
        reached: list[int] = []

        def work(connection: Connection, now: float) -> StudyRecord:
            if reached:  # the first try may have been stored, and only its answer lost
                found = studies.find(connection, name, self._host, now)
                if found.revision == reached[0] and all(getattr(found, k) == v for k, v in changes.items()):
                    return found
                reached.clear()
            study = studies.edit(connection, name, changes, revision, self._host, now)
            reached.append(study.revision)
            return study

        return self._write(work)

    def propose(self, name: str, layout: str, design: Mapping[str, Any], author: str = "") -> Proposal:
        """Put a design into a study at work: every run of the layout evaluates it soon.

        Sent twice it is stored twice, which costs nothing: a design is evaluated once.
        """
        return self._write(lambda c, now: proposals.add(c, name, layout, design, author, now))

    def take_proposals(self, claim: Claim, after: int = 0) -> list[Proposal]:
        """Proposals that a claimed run has to evaluate, after that with the number ``after``: it does now."""
        run_id = claim.run_id
        if not self._read(lambda c, _: proposals.after(c, run_id, after)):
            return []  # most times, which costs no write
        return self._write(lambda c, now: proposals.take(c, claim, after, now))

    def withdraw_proposal(self, name: str, number: int) -> None:
        """Delete a proposal of a study that no run has taken yet; raises ``StateError`` for another one."""
        self._write(lambda c, _: proposals.withdraw(c, name, number))

    def extend_study(
        self,
        study: StudyRecord,
        definition: StudyDefinition,
        queued: Sequence[int],
        taken_back: Iterable[int] = (),
        *,
        most_running: int | None = None,
    ) -> StudyRecord:
        """Store a larger budget of a study on which nobody works, queue finished runs again, add seeds.

        The last generation of the runs ``taken_back`` leaves the log. Raises ``EditConflictError`` when the
        study is no longer as ``study`` says.
        """
        require_searchable(definition)
        cut = list(taken_back)

        def work(connection: Connection, now: float) -> StudyRecord:
            if not studies.redefine(connection, study, definition, self._host, now):
                return studies.find(connection, study.name, self._host, now)
            queue.require_quota(connection, study.owner, study.name, most_running)
            states.reopen(connection, study, queued, self._host, now)
            studies.add_seeds(connection, study, definition, now)
            for run_id in cut:
                run_log.take_back(connection, run_id)
            return studies.find(connection, study.name, self._host, now)

        return self._write(work)

    def delete_study(self, name: str, revision: int | None = None, *, with_decisions: bool = False) -> int:
        """Delete a study that nobody is working on; how many evaluations went with it.

        With ``revision``, only if the study is still at it; else ``EditConflictError``. A study on which
        somebody has decided raises ``StateError``, unless its decisions shall go ``with_decisions``.
        """
        removed: list[int] = []

        def work(connection: Connection, now: float) -> int:
            try:
                count = studies.remove(
                    connection, name, revision, self._host, now, with_decisions=with_decisions
                )
            except UnknownNameError:
                if removed:
                    return removed[0]  # the first try was stored, only its answer was lost
                raise
            removed.append(count)
            return count

        return self._write(work)

    def pause_study(self, name: str) -> StudyRecord:
        """Ask the owners of running runs to pause; pause what has not begun. See :mod:`.states`."""
        return self._change(states.pause, name)

    def stop_study(self, name: str) -> StudyRecord:
        """Cancel what is not finished, for good; living owners are asked, and have a deadline."""
        return self._change(states.stop, name)

    def queue_study(self, name: str, *, most_running: int | None = None) -> StudyRecord:
        """Put drafts and paused runs into the queue, for a runner to take.

        Raises ``LimitError`` when the owner would have more than ``most_running`` studies at work.
        """
        return self._change(states.queue, name, most_running)

    def _change(self, change: states.StateChange, name: str, most_running: int | None = None) -> StudyRecord:
        def work(connection: Connection, now: float) -> StudyRecord:
            owner = studies.find(connection, name, self._host, now).owner
            queue.require_quota(connection, owner, name, most_running)
            states.of_study(connection, change, name, self._host, now)
            return studies.find(connection, name, self._host, now)

        return self._write(work)

    def keep_models(self) -> None:
        """Store the tables of loaded models with studies that were stored before studies kept them."""
        self._write(lambda connection, _: studies.keep_models(connection))

    def settle(self) -> None:
        """Pause and cancel in the place of owners that are gone or did not do it in time."""
        if self._database.read(states.passing):
            self._write(lambda c, now: states.settled(c, states.passing(c), self._host, now))

    def remove_old_events(self) -> None:
        """Delete events older than ``KEPT_DAYS`` of runs that have ended.

        Each transaction deletes a thousand, so that nobody waits for long.
        """
        while self._write(events.remove_old) > 0:
            pass

    # ------------------------------------------------------------ runs

    def claim_runs(self, wanted: Sequence[RunRecord], owner: Owner) -> list[tuple[RunRecord, Claim]]:
        """Claim all of ``wanted`` that are not finished, or raise ``LeaseError`` when one is held.

        States stay as they are, but a run whose owner went away while it was pausing or cancelling
        is first paused or cancelled; a cancelled one is not claimed. A run that another thread of
        this process works on is held like any other.
        """
        ids = [run.id for run in wanted]
        before: list[Claim] = []

        def work(connection: Connection, now: float) -> list[tuple[RunRecord, Claim]]:
            claims = queue.claim_named(connection, ids, owner, self._host, now, before=before)
            before.extend(claims)
            return [(run_log.find(connection, item.run_id, self._host, now), item) for item in claims]

        return self._write(work)

    def claim_next(self, owner: Owner, *, jobs: bool | None = None) -> tuple[RunRecord, Claim] | None:
        """Claim the oldest run that is queued, or running without a living owner; None when there is none.

        ``jobs`` asks for jobs alone, or for searches alone.
        """
        self.settle()
        waiting = self._read(lambda c, now: queue.candidates(c, owner, self._host, now, jobs=jobs))
        if not waiting:
            return None
        before: list[Claim] = []

        def work(connection: Connection, now: float) -> tuple[RunRecord, Claim] | None:
            # A claim of an earlier try was stored if it can be renewed: only the answer was lost.
            stored = before and lease.renew(connection, before[-1], now)
            claim = before[-1] if stored else queue.claim_first(connection, waiting, owner, self._host, now)
            if claim is None:
                return None
            before.append(claim)
            return run_log.find(connection, claim.run_id, self._host, now), claim

        return self._write(work)

    def begin_run(self, claim: Claim, record: Mapping[str, Any]) -> RunRecord:
        """Mark a claimed run as running and keep the provenance ``record``.

        Raises ``StateError`` when the run was asked to pause or stop meanwhile.
        """
        errors.keep_room(self._engine.url)

        def work(connection: Connection, now: float) -> RunRecord:
            states.begin(connection, claim, record, self._host, now)
            return run_log.find(connection, claim.run_id, self._host, now)

        return self._write(work)

    def renew(self, claims: Iterable[Claim]) -> dict[Claim, RunState]:
        """Keep claims alive; the states of the runs that are still ours."""
        ordered = sorted(claims, key=lambda claim: claim.run_id)

        def work(connection: Connection, now: float) -> dict[Claim, RunState]:
            ours = [claim for claim in ordered if lease.renew(connection, claim, now)]
            found = lease.states(connection, ours)
            return {claim: found[claim.run_id] for claim in ours}

        return self._write(work) if ordered else {}

    def remark(self, claim: Claim, message: str) -> None:
        """Keep what a run at work waits for as its message; empty once it goes on."""
        self._write(lambda connection, now: states.remark(connection, claim, message, now))

    def leave_run(self, claim: Claim, state: RunState, message: str = "") -> None:
        """Move a run to the state in which it is left, and give up the claim; see :func:`.states.leave`.

        On a full disk it is tried again with the room that is kept for this and with an empty log, then
        without what takes room: the event, then the message.
        """
        for text, with_event in ((message, True), (message, True), (message, False), ("", False)):

            def work(
                connection: Connection, now: float, text: str = text, with_event: bool = with_event
            ) -> None:
                states.leave(connection, claim, state, text, self._host, now, with_event=with_event)

            try:
                return self._write(work)
            except StoreFullError as error:
                full = error
                errors.free_room(self._engine.url)
                self._database.empty_log()
        raise full

    def give_up(self, claims: Iterable[Claim]) -> None:
        """End those claims that are still ours; the states of their runs stay as they are."""
        ordered = sorted(claims, key=lambda claim: claim.run_id)
        if ordered:
            self._database.write(lambda c: [lease.release(c, claim) for claim in ordered])

    def save_results(
        self, claim: Claim, records: Iterable[EvaluationRecord], evaluated: int | None = None
    ) -> None:
        """Store finished evaluations, and of a job how many it has ``evaluated`` by now."""
        results = list(records)

        def work(connection: Connection, now: float) -> None:
            lease.fence(connection, claim, now)
            evaluations.insert_results(connection, results)
            if evaluated is not None:
                jobs.count(connection, claim.run_id, evaluated)

        self._write(work)

    def save_generation(
        self,
        claim: Claim,
        batch: LoggedBatch,
        results: Iterable[EvaluationRecord],
        record: GenerationRecord,
        front_change: tuple[Sequence[int], Sequence[int]],
        reference_point: FloatArray | None,
        earlier: Mapping[int, float] | None = None,
    ) -> None:
        """Log one generation: designs and results, indicators, and the change of the front.

        ``reference_point`` is given where it has moved, and ``earlier`` maps generations to the hypervolumes
        that they have against it.
        ``results`` are stored already; those that a deletion took meanwhile are stored again. Given
        again, a generation changes nothing; with other designs it raises ``DivergedError``.
        """
        run_id, saved = claim.run_id, list(results)

        def work(connection: Connection, now: float, missing: Iterable[EvaluationRecord] = ()) -> None:
            lease.fence(connection, claim, now)
            evaluations.insert_missing(connection, missing)
            if run_log.append_once(connection, run_id, batch, record):
                fronts.change_front(connection, run_id, record.number, *front_change)
                if reference_point is not None:
                    run_log.set_reference_point(connection, run_id, reference_point, earlier or {})
                run_lock.note(connection, run_id, "generation", str(record.number), now)

        try:
            self._write(work)
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            # The log refers to an evaluation that is no longer there.
            self._write(lambda c, now: work(c, now, saved))


def open_existing(url: str, *, migrate: bool = False) -> Store:
    """The store at ``url``; raises ``InputError`` where a SQLite file is missing, instead of making one."""
    _existing(url)
    return Store(url, migrate=migrate)


def back_up_store(url: str, target: Path) -> None:
    """Copy a SQLite store, also one with an older schema, to a new file; see :meth:`Store.backup`."""
    back_up(_existing(url), target)


def _existing(url: str) -> URL:
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database is None:
        return parsed
    require_reachable(Path(parsed.database))
    if not Path(parsed.database).is_file():
        raise InputError(
            f"there is no store at '{parsed.database}'; check the name, or make one with a first study",
            ("store",),
        ).mended_by("studies", "create", "FILE")
    return parsed
