"""The store: every method is one transaction, and what leaves it is a frozen record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from sqlalchemy import insert, select

from models.errors import InputError, LeaseError
from studies.definition import StudyDefinition
from studies.records import (
    UNFINISHED,
    EvaluationRecord,
    FloatArray,
    GenerationRecord,
    LoggedBatch,
    RunRecord,
    RunState,
    StudyRecord,
)
from studies.store import catalogue, evaluations, fronts, lease, runs
from studies.store.database import (
    connect,
    current_revision,
    parse_url,
    reading,
    require_schema,
    writing,
)
from studies.store.lease import Claim, Owner
from studies.store.tables import provenance, run_lease

DEFAULT_STORE = "tautline.db"


class Store:
    """A database of studies.

    Any number of processes may read; writes wait for each other (SQLite: ``BEGIN IMMEDIATE``).
    Writes to a run need a :class:`Claim` and renew it; a claim that was taken over raises
    ``LeaseError`` and writes nothing. All arrays handed out are copies.

    Parameters
    ----------
    url : str
        A database URL or the name of a SQLite file.
    migrate : bool
        Bring an older schema up to date instead of refusing it.
    clock : callable () -> float
        UTC seconds.
    """

    def __init__(
        self, url: str = DEFAULT_STORE, *, migrate: bool = False, clock: Callable[[], float] = time.time
    ) -> None:
        self._engine = connect(parse_url(url))
        self._clock = clock
        require_schema(self._engine, migrate=migrate)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @property
    def revision(self) -> str:
        """The schema's revision."""
        return current_revision(self._engine) or ""

    # ------------------------------------------------------------ studies

    def create_study(self, definition: StudyDefinition, layouts: Iterable[str]) -> StudyRecord:
        """Store a study and its queued runs; see :func:`studies.store.catalogue.create`."""
        with writing(self._engine) as connection:
            return catalogue.create(connection, definition, list(layouts), self._clock())

    def study(self, name: str) -> StudyRecord:
        """The study called ``name``."""
        with reading(self._engine) as connection:
            return catalogue.find(connection, name)

    def studies(self) -> list[StudyRecord]:
        """All studies, newest first."""
        with reading(self._engine) as connection:
            return catalogue.everything(connection)

    def delete_study(self, name: str) -> int:
        """Delete a study that nobody is working on; how many evaluations went with it."""
        here = lease.this_process()
        with writing(self._engine) as connection:
            ids = [run.id for run in catalogue.find(connection, name).runs]
            held = connection.execute(select(run_lease).where(run_lease.c.run_id.in_(ids))).mappings().all()
            if any(lease.is_held(row, here.host, self._clock()) for row in held):
                raise LeaseError(f"study '{name}' is being worked on; stop that process first")
            return catalogue.remove(connection, name)

    # ------------------------------------------------------------ runs

    def run(self, run: RunRecord) -> RunRecord:
        """The run as it is now."""
        return next(item for item in self.study(run.study).runs if item.id == run.id)

    def require_free(self, wanted: Sequence[RunRecord]) -> None:
        """Raise ``LeaseError`` when a living process works on one of the runs."""
        me = lease.this_process()
        with reading(self._engine) as connection:
            for run in wanted:
                lease.require_free(connection, run.id, me, self._clock())

    def claim_run(self, run: RunRecord, owner: Owner, record: dict[str, Any]) -> Claim | None:
        """Take a run for ``owner``, mark it running and keep the provenance ``record``.

        None when the run is finished, whatever ``run`` says.
        """
        now = self._clock()
        with writing(self._engine) as connection:
            if runs.state_of(connection, run.id) not in UNFINISHED:
                return None
            claim = lease.claim(connection, run.id, owner, now)
            runs.set_state(connection, run.id, "running", "", now)
            row = {"run_id": run.id, "epoch": claim.epoch, "started": now, "record": record}
            connection.execute(insert(provenance).values(**row))
            return claim

    def renew(self, claim: Claim) -> None:
        """Keep the claim alive."""
        with writing(self._engine) as connection:
            lease.fence(connection, claim, self._clock())

    def save_results(self, claim: Claim, records: Iterable[EvaluationRecord]) -> None:
        """Store finished evaluations."""
        with writing(self._engine) as connection:
            lease.fence(connection, claim, self._clock())
            evaluations.insert_results(connection, records)

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

        ``results`` are stored again where a deletion took them meanwhile.
        """
        run_id = claim.run_id
        with writing(self._engine) as connection:
            lease.fence(connection, claim, self._clock())
            evaluations.insert_results(connection, results)
            runs.append_batch(connection, run_id, record.asked - len(batch.keys), batch)
            runs.append_generation(connection, run_id, record)
            runs.change_front(connection, run_id, record.number, *front_change)
            if reference_point is not None:
                runs.set_reference_point(connection, run_id, reference_point)

    def leave_run(self, claim: Claim, state: RunState, message: str = "") -> None:
        """Move a run to the state in which it is left, and give up the claim."""
        now = self._clock()
        with writing(self._engine) as connection:
            lease.fence(connection, claim, now)
            runs.set_state(connection, claim.run_id, state, message, now)
            lease.release(connection, claim)

    def log(self, run: RunRecord) -> list[LoggedBatch]:
        """What the run's search asked and was told."""
        with reading(self._engine) as connection:
            return runs.log(connection, run.id)

    def generations(self, run: RunRecord) -> list[GenerationRecord]:
        """Indicators per generation."""
        with reading(self._engine) as connection:
            return runs.generations(connection, run.id)

    def provenance(self, run: RunRecord) -> list[dict[str, Any]]:
        """What ran the run, one record per process that took it up."""
        query = select(provenance).where(provenance.c.run_id == run.id).order_by(provenance.c.epoch)
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings()
            return [{"started": row["started"], **row["record"]} for row in rows]

    # ------------------------------------------------------------ evaluations and fronts

    def evaluations(self, keys: Sequence[str]) -> dict[str, EvaluationRecord]:
        """The stored evaluations among ``keys``."""
        with reading(self._engine) as connection:
            return evaluations.find(connection, keys)

    def front(self, run: RunRecord, generation: int | None = None) -> list[fronts.Member]:
        """The run's front, now or as it stood after ``generation``."""
        with reading(self._engine) as connection:
            return fronts.members(connection, run.id, generation)

    def history(self, run: RunRecord) -> list[fronts.Member]:
        """Every design that the run asked for, in order."""
        with reading(self._engine) as connection:
            return fronts.history(connection, run.id)


def open_existing(url: str, *, migrate: bool = False) -> Store:
    """The store at ``url``; raises ``InputError`` where a SQLite file is missing, instead of making one."""
    parsed = parse_url(url)
    if parsed.database is not None and not Path(parsed.database).is_file():
        raise InputError(
            f"there is no store at '{parsed.database}'; `tautline study run FILE` makes one",
            "--store",
        )
    return Store(url, migrate=migrate)
