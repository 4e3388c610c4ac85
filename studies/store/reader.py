"""Reader of a store: every method is one transaction, and its result is frozen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, select

from errors import StoreError
from models.html_table import html_table
from studies.records import (
    EvaluationRecord,
    EventRecord,
    GenerationRecord,
    LoggedBatch,
    Proposal,
    RunRecord,
    StudyRecord,
    Task,
    Visibility,
)
from studies.store import evaluations, events, fronts, proposals, run_log, run_statistics, studies, trials
from studies.store.accounts import Accounts, Tokens
from studies.store.annotations import Annotations
from studies.store.database import Clock, Database, connect, name_of, parse_url
from studies.store.decisions import Decisions
from studies.store.errors import is_damage
from studies.store.evaluations import Result
from studies.store.events import News
from studies.store.integrity import problems
from studies.store.jobs import Jobs, Sweeps
from studies.store.lease import this_process
from studies.store.log_mark import REMOVED, log_was_removed
from studies.store.run_statistics import RunStatistics
from studies.store.schema import current_revision, require_schema
from studies.store.sqlite import make_private_again
from studies.store.studies import Wanted
from studies.store.tables import provenance
from studies.store.trials import Numbers, Trial, TrialFilter
from studies.store.webhooks import Webhooks

DEFAULT_STORE = "tautline.db"
ALL = Wanted()
T = TypeVar("T")


class Reader:
    """The half of a :class:`studies.store.Store` that reads. All arrays handed out are copies."""

    def __init__(
        self,
        url: str = DEFAULT_STORE,
        *,
        migrate: bool = False,
        clock: Clock | None = None,
        patience: float | None = None,
    ) -> None:
        self._engine = connect(parse_url(url))
        self._database = Database(self._engine, clock, patience)
        self._host = this_process().host
        try:
            require_schema(self._database, migrate=migrate)
        except BaseException:
            self._engine.dispose()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """The table of a notebook: the studies, newest first."""
        found, place = self.studies(), name_of(self._engine.url)
        rows = [(one.name, one.definition.get("model"), len(one.runs), one.state) for one in found]
        title = f"Store {place}: {len(found)} {'study' if len(found) == 1 else 'studies'}"
        return html_table(title, ("study", "model", "runs", "state"), rows)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _read(self, work: Callable[[Connection, float], T]) -> T:
        return self._database.read(lambda connection: work(connection, self._database.now(connection)))

    def _write(self, work: Callable[[Connection, float], T]) -> T:
        return self._database.write(lambda connection: work(connection, self._database.now(connection)))

    @property
    def accounts(self) -> Accounts:
        """Accounts of a server of this store."""
        return Accounts(self._database)

    @property
    def decisions(self) -> Decisions:
        """Decisions for designs, with their reasons."""
        return Decisions(self._database)

    @property
    def jobs(self) -> Jobs:
        """Questions about studies that evaluations answer."""
        return Jobs(self._database)

    @property
    def annotations(self) -> Annotations:
        """Notes, tags and favourites."""
        return Annotations(self._database)

    @property
    def tokens(self) -> Tokens:
        """Tokens that let programs and browsers in."""
        return Tokens(self._database)

    @property
    def webhooks(self) -> Webhooks:
        """Addresses that are told of the ends of runs, and how far each is."""
        return Webhooks(self._database)

    @property
    def sweeps(self) -> Sweeps:
        """Grids of conditions for the front of a study, or for its search."""
        return Sweeps(self._database)

    @property
    def statistics(self) -> RunStatistics:
        """Progress, outcomes and waiting times of many runs."""
        return RunStatistics(self._database)

    @property
    def revision(self) -> str:
        """The schema's revision."""
        return current_revision(self._database) or ""

    @property
    def name(self) -> str:
        """The database's name as it may be printed, without password."""
        return name_of(self._engine.url)

    def study(self, name: str) -> StudyRecord:
        """The study called ``name``."""
        return self._read(lambda c, now: studies.find(c, name, self._host, now))

    def studies(self, wanted: Wanted = ALL) -> list[StudyRecord]:
        """All studies, or those that are wanted, newest first."""
        return self._read(lambda c, now: studies.listed(c, wanted, self._host, now))

    def owners(self, names: Collection[str]) -> dict[str, tuple[str, Visibility]]:
        """Owner and visibility of those studies among ``names`` that there are."""
        return self._database.read(lambda c: studies.owners(c, names)) if names else {}

    def run(self, run: RunRecord) -> RunRecord:
        """The run as it is now."""
        return self._read(lambda c, now: run_log.find(c, run.id, self._host, now))

    def log(self, run: RunRecord) -> list[LoggedBatch]:
        """Batches that the run's search asked for, and the results that it got."""
        return self._database.read(lambda c: run_log.log(c, run.id))

    def proposals_of(self, name: str) -> list[tuple[Proposal, tuple[tuple[int, str], ...]]]:
        """The proposals of a study, each with the seeds that have evaluated it and the key of the result."""
        return self._database.read(lambda c: proposals.of_study(c, name))

    def generations(self, run: RunRecord, after: int = 0, limit: int | None = None) -> list[GenerationRecord]:
        """Indicators per generation: at most so many, after a generation's number."""
        return self._database.read(lambda c: run_log.generations(c, run.id, after, limit))

    def last_generations(self, runs: Sequence[RunRecord]) -> dict[int, GenerationRecord]:
        """Indicators after the last generation of each run, by its number; without those before the first."""
        return self._database.read(lambda c: run_statistics.last_generations(c, [run.id for run in runs]))

    def warnings(self, run: RunRecord, most: int) -> list[tuple[str, int]]:
        """The most frequent warnings of designs on the run's front, and of how many they are."""
        return self._database.read(lambda c: run_statistics.warnings(c, run.id, most))

    def reasons(self, run: RunRecord, most: int) -> list[tuple[str, int]]:
        """The most frequent reasons why designs failed or have no metrics; see :mod:`.run_statistics`."""
        return self._database.read(lambda c: run_statistics.reasons(c, run.id, most))

    def provenance(self, run: RunRecord) -> list[dict[str, Any]]:
        """Provenance of the run, one record per process that took it up."""
        query = select(provenance).where(provenance.c.run_id == run.id).order_by(provenance.c.epoch)
        rows = self._database.read(lambda c: c.execute(query).mappings().all())
        return [{"started": row["started"], **row["record"]} for row in rows]

    def events(self, after: int = 0, limit: int = 1000, study: str | None = None) -> list[EventRecord]:
        """Events with a number above ``after``, oldest first; of one study's runs, or of all."""
        return self._database.read(lambda c: events.events(c, after, limit, study))

    def news(self, after: int = 0, limit: int = 1000) -> list[News]:
        """Events like :meth:`events`, each with who may see its study as it is now."""
        return self._database.read(lambda c: events.news(c, after, limit))

    def last_event(self) -> int:
        """The number of the newest event; a reader that goes on after it sees only what comes."""
        return self._database.read(events.last)

    def evaluations(self, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
        """The stored evaluations among ``keys``."""
        return self._database.read(lambda c: evaluations.find(c, keys))

    def known(self, tasks: Sequence[Task]) -> dict[str, EvaluationRecord]:
        """The stored evaluations of ``tasks``, by key."""
        return self._database.read(lambda c: evaluations.known(c, tasks))

    def count_evaluations(self, keys: Sequence[str]) -> int:
        """Number of these evaluations that are stored."""
        return self._database.read(lambda c: evaluations.count(c, keys))

    def find_evaluation(self, key: str) -> EvaluationRecord:
        """The stored evaluation with ``key``, or the only one whose key begins with it."""
        return self._database.read(lambda c: evaluations.named(c, key))

    def front(self, run: RunRecord, generation: int | None = None) -> list[fronts.Member]:
        """The run's front, now or as it stood after ``generation``."""
        return self._database.read(lambda c: fronts.members(c, run.id, generation))

    def front_places(self, run: RunRecord) -> fronts.Places:
        """The designs of the run's front now, without their stored evaluations."""
        return self._database.read(lambda c: fronts.places(c, run.id))

    def results(self, keys: Sequence[str]) -> dict[str, Result]:
        """Parameters and metrics of the stored evaluations among ``keys``."""
        return self._database.read(lambda c: evaluations.results(c, keys))

    def history(self, run: RunRecord) -> list[fronts.Member]:
        """Every design that the run asked for, in order."""
        return self._database.read(lambda c: fronts.history(c, run.id))

    def outcomes(self, run: RunRecord) -> list[fronts.Outcome]:
        """The outcome of every design that the run asked for, in order."""
        return self._database.read(lambda c: fronts.outcomes(c, run.id))

    def trials(self, wanted: TrialFilter) -> list[Trial]:
        """A page of trials."""
        return self._database.read(lambda c: trials.page(c, wanted))

    def nearest_trials(self, run: RunRecord, most: int) -> list[Trial]:
        """The different designs of a run with the least violations that did not fail, the least first."""
        return self._database.read(lambda c: trials.nearest(c, run.id, most))

    def trial_values(self, place: TrialFilter, wanted: Numbers) -> list[tuple[Any, ...]]:
        """A page of single numbers of trials; see :func:`.trials.numbers`."""
        return self._database.read(lambda c: trials.numbers(c, place, wanted))

    def trial_counts(self, runs: Sequence[RunRecord]) -> dict[int, int]:
        """Number of trials of each run, by its number."""
        return self._database.read(lambda c: trials.counts(c, [run.id for run in runs]))

    def studies_by_key(self, key: str) -> list[tuple[str, str]]:
        """Keys that begin with ``key``, each with the name of every study that asked for it."""
        return self._database.read(lambda c: trials.studies_by_key(c, key))

    def check(self) -> list[str]:
        """Problems found in what is stored, as sentences; none when the store is sound."""
        try:
            return self._database.read(problems)
        except StoreError as error:
            if not is_damage(error.__cause__):
                raise
            return [f"the file is damaged: {error}"]  # so badly that SQLite cannot finish looking

    @property
    def lost(self) -> str:
        """The problem of a store whose write-ahead log was removed while it was needed; "" for any other."""
        return REMOVED if self._database.read(log_was_removed) else ""

    def prepared(self) -> list[str]:
        """Make the file of an older version private; sentences on that and on a loss, for users."""
        url = self._engine.url
        is_file = url.get_backend_name() == "sqlite"
        private = make_private_again(Path(url.database or "")) if is_file else ""
        return [notice for notice in (self.lost and f"warning: {self.lost}", private) if notice]
