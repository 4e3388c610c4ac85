"""What can be read from a store: every method is one transaction, and what it returns is frozen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, select

from models.errors import StoreError
from studies.records import (
    EvaluationRecord,
    EventRecord,
    GenerationRecord,
    LoggedBatch,
    RunRecord,
    StudyRecord,
)
from studies.store import catalogue, evaluations, fronts, runs
from studies.store.database import Clock, Database, connect, name_of, parse_url
from studies.store.events import events
from studies.store.faults import is_damage
from studies.store.lease import this_process
from studies.store.schema import current_revision, require_schema
from studies.store.soundness import problems
from studies.store.tables import provenance

DEFAULT_STORE = "tautline.db"
T = TypeVar("T")


class Reader:
    """The half of a :class:`studies.store.Store` that reads. All arrays handed out are copies."""

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

    def study(self, name: str) -> StudyRecord:
        """The study called ``name``."""
        return self._read(lambda c, now: catalogue.find(c, name, self._here, now))

    def studies(self) -> list[StudyRecord]:
        """All studies, newest first."""
        return self._read(lambda c, now: catalogue.everything(c, self._here, now))

    def run(self, run: RunRecord) -> RunRecord:
        """The run as it is now."""
        return self._read(lambda c, now: runs.find(c, run.id, self._here, now))

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

    def evaluations(self, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
        """The stored evaluations among ``keys``."""
        return self._database.read(lambda c: evaluations.find(c, keys))

    def find_evaluation(self, key: str) -> EvaluationRecord:
        """The stored evaluation with ``key``, or the only one whose key begins with it."""
        return self._database.read(lambda c: evaluations.named(c, key))

    def front(self, run: RunRecord, generation: int | None = None) -> list[fronts.Member]:
        """The run's front, now or as it stood after ``generation``."""
        return self._database.read(lambda c: fronts.members(c, run.id, generation))

    def history(self, run: RunRecord) -> list[fronts.Member]:
        """Every design that the run asked for, in order."""
        return self._database.read(lambda c: fronts.history(c, run.id))

    def check(self) -> list[str]:
        """Problems found in what is stored, as sentences; none when the store is sound."""
        try:
            return self._database.read(problems)
        except StoreError as error:
            if not is_damage(error.__cause__):
                raise
            return [f"the file is damaged: {error}"]  # so badly that SQLite cannot finish looking
