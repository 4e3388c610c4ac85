"""Building blocks of the conformance suites: small studies, results and clocks, and what a store holds."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, Engine, inspect, select, text

from errors import StoreError
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.records import (
    EvaluationRecord,
    GenerationRecord,
    LoggedBatch,
    RunRecord,
    RunState,
    Task,
)
from studies.store.database import Database
from studies.store.lease import Claim, Owner, this_process
from studies.store.store import Store
from studies.store.tables import metadata

NOBODY = 2**22 + 1
"""A process number that no system gives out."""

ENDED: tuple[RunState, ...] = ("cancelled", "failed", "diverged", "done")


def definition(name: str = "contract", seeds: Sequence[int] = (1,)) -> StudyDefinition:
    """A study of a model that nobody needs to have."""
    table = {"x": {"lower": 0, "upper": 1}}
    objectives = {"f1": "minimize", "f2": "minimize"}
    named = {"name": name, "model": "none", "seeds": list(seeds)}
    return define({**named, "variables": table, "objectives": objectives})


def add_accounts(store: Store, *names: str) -> None:
    """Accounts for owners and bearers to be: the store refuses names that are none."""
    for name in names:
        store.accounts.add(name, "editor")


def results(count: int, first: int = 0) -> list[EvaluationRecord]:
    """Finished evaluations with keys of their own, numbers that need every bit, and all kinds of text."""
    found: list[EvaluationRecord] = []
    for i in range(first, first + count):
        key = hashlib.sha256(str(i).encode()).hexdigest()
        parameters = {"x": i / 7, "names": ["ä", "€"], "nested": {"b": 1, "a": None}}
        task = Task(key, "none", 1, parameters, "plain", 0)
        metrics = {"f1": 1.0 / (i + 1), "f2": 0.1 * i, "absent": None}
        found.append(
            EvaluationRecord(task, "done", "", "", 0.0, metrics, {"n": i}, ("w",), 0.1, "here", 1.0 + i)
        )
    return found


def batch(number: int, records: Sequence[EvaluationRecord]) -> LoggedBatch:
    """One generation that asked for ``records``; all of them nondominated."""
    n = len(records)
    chance = np.random.default_rng(number)
    line = chance.random(n)
    return LoggedBatch(
        number,
        tuple(record.key for record in records),
        chance.random((n, 3)),
        np.column_stack([line, 1.0 - line]),
        np.zeros(n),
    )


def generation(number: int, asked: int, front: int = 1) -> GenerationRecord:
    """Indicators that go with it."""
    return GenerationRecord(number, asked, asked, asked, 0, front, 1.0 / 3.0, 0.0, 0.1, 10.0 + number)


def someone(name: str = "someone", **changes: Any) -> Owner:
    """Another owner in this very process, so alive; or changed to be elsewhere or gone."""
    return dataclasses.replace(this_process(), id=name, **changes)


def begun(store: Store, run: RunRecord, owner: Owner | None = None) -> Claim:
    """A claim under which the run is at work."""
    claims = store.claim_runs([run], owner or this_process())
    assert len(claims) == 1
    store.begin_run(claims[0][1], {"who": "test"})
    return claims[0][1]


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """UTC seconds."""
        return self.now


def brought_to(store: Store, state: RunState, owner: Owner | None = None) -> tuple[RunRecord, Claim]:
    """The run of a new study in a state, and the claim that it was worked on under."""
    study = store.create_study(definition(state), ["default"])
    claim = begun(store, study.runs[0], owner)
    if state in {"pausing", "cancelling"}:
        (store.pause_study if state == "pausing" else store.stop_study)(study.name)
    elif state != "running":
        store.leave_run(claim, state)
    run = store.run(study.runs[0])
    assert run.state == state
    return run, claim


def tables_of(engine: Engine) -> dict[str, list[str]]:
    """Columns, keys, CHECKs and indices of all tables; the order of all but columns says nothing."""
    found = inspect(engine)
    rest = (
        found.get_unique_constraints,
        found.get_check_constraints,
        found.get_foreign_keys,
        found.get_indexes,
    )
    return {
        table: [
            *map(str, found.get_columns(table)),
            str(found.get_pk_constraint(table)),
            *(each for get in rest for each in sorted(map(_said, get(table)))),
        ]
        for table in found.get_table_names()
    }


def _said(part: Any) -> str:
    options = part.get("dialect_options", {})  # conditions among them are objects on SQLite
    return str({**part, "dialect_options": {name: str(value) for name, value in options.items()}})


def contents(store: Store) -> dict[str, list[Any]]:
    """Every row of every table, to compare two stores."""

    def rows(connection: Connection) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for name, table in metadata.tables.items():
            query = select(table).order_by(*table.primary_key.columns)
            found[name] = [dict(row) for row in connection.execute(query).mappings()]
        return found

    return store._database.read(rows)


class Forgetful(Database):
    """A database whose every acknowledgement gets lost once: each write is carried out twice."""

    def write(self, work: Callable[[Connection], Any], patience: float | None = None) -> Any:
        """As the retries after a lost connection do it."""
        super().write(work, patience)
        return super().write(work, patience)


def save(
    store: Store,
    claim: Claim,
    number: int,
    records: Sequence[EvaluationRecord],
    *,
    before: int = 0,
    reference: Any = None,
    indicators: GenerationRecord | None = None,
    **changes: Any,
) -> None:
    """Save a generation whose designs are all on the front."""
    asked = before + len(records)
    store.save_generation(
        claim,
        dataclasses.replace(batch(number, records), **changes),
        records,
        indicators or generation(number, asked, asked),
        (list(range(before, asked)), []),
        reference,
    )


class StoreFixtures:
    """Fixtures of every suite: a store in an empty database, under a clock that tests set."""

    @pytest.fixture
    def url(self) -> str:
        """The URL of an empty database."""
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> Clock:
        """The time that the store knows."""
        return Clock()

    @pytest.fixture
    def store(self, url: str, clock: Clock) -> Iterator[Store]:
        """A store in the empty database."""
        with closing(Store(url, clock=clock)) as opened:
            yield opened


def refused(store: Store, statements: list[str]) -> list[str]:
    """Statements that the database refuses."""

    def is_refused(statement: str) -> bool:
        try:
            store._database.write(lambda connection: connection.execute(text(statement)))
        except StoreError as error:
            return "refused" in str(error)
        return False

    return list(filter(is_refused, statements))


class TwiceFixtures(StoreFixtures):
    """The same for suites whose writes may be sent again after a lost connection."""

    @pytest.fixture(params=["once", "twice"])
    def written(self, request: pytest.FixtureRequest) -> str:
        """Number of times that each write reaches the database."""
        return request.param

    @pytest.fixture
    def store(self, url: str, clock: Clock, written: str) -> Iterator[Store]:
        """A store; and one whose every acknowledgement gets lost once, which must look the same."""
        with closing(Store(url, clock=clock)) as opened:
            if written == "twice":
                opened._database = Forgetful(opened._engine, clock)
            yield opened
