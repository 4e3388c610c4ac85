"""Queries on long logs find their rows by indices, on both databases; their cost is that of the answer."""

import pytest

from benchmarks.store import fill
from studies.store import Store, fronts, studies
from studies.store.database import reading

COUNT, MEMBERS = 20_000, 50


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("large") / "a.db")
    with Store(path) as store:
        fill(store, COUNT, MEMBERS)
        yield store


@pytest.fixture(scope="module")
def large_pg(postgresql):
    with Store(postgresql.new_database()) as store:
        fill(store, COUNT, MEMBERS)
        yield store


def plan(store, query):
    dialect = store._engine.dialect
    told = str(query.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    command = "EXPLAIN QUERY PLAN " if dialect.name == "sqlite" else "EXPLAIN "
    with reading(store._engine) as connection:
        return [" ".join(map(str, row)) for row in connection.exec_driver_sql(command + told)]


@pytest.mark.parametrize("generation", [None, 1])
def test_a_front_is_found_by_indices_on_sqlite(large, generation):
    steps = plan(large, fronts.members_query(large.study("large").runs[0].id, generation))
    assert [step.split()[3:5] for step in steps] == [
        ["SEARCH", "front_member"], ["SEARCH", "run_evaluation"], ["SEARCH", "evaluation"],
    ], steps  # fmt: skip
    assert len(large.front(large.study("large").runs[0], generation)) == MEMBERS


@pytest.mark.parametrize("generation", [None, 1])
def test_a_front_is_found_by_indices_on_postgresql(large_pg, generation):
    steps = plan(large_pg, fronts.members_query(large_pg.study("large").runs[0].id, generation))
    assert not any(
        "Seq Scan on run_evaluation" in step or "Seq Scan on evaluation" in step for step in steps
    ), steps
    assert len(large_pg.front(large_pg.study("large").runs[0], generation)) == MEMBERS


def test_a_deletion_looks_up_each_key(large):
    steps = plan(large, studies.used_only_by("large"))
    assert not any(step.split()[3] == "SCAN" for step in steps), steps
