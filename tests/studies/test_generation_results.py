"""Results wait for the log of their generation only where it follows at once, and are never dropped."""

import dataclasses

import pytest

from studies.execution import Interrupted
from studies.generation_results import GenerationResults
from studies.launch import run_study
from studies.store import Store
from studies.study_file import parse_study
from tests.conftest import InlineExecutor
from tests.studies.store.building_blocks import begun, definition, results

GIVEN = results(3)
TASKS = [record.task for record in GIVEN]


class CountingStore(Store):
    """Notes the transactions in which evaluations are stored."""

    saved: list

    def save_results(self, claim, records):
        records = list(records)
        self.saved.append(len(records))
        super().save_results(claim, records)

    def save_generation(self, claim, batch, results, record, front_change, reference_point, fresh=()):
        fresh = list(fresh)
        self.saved.append(-len(fresh))
        super().save_generation(claim, batch, results, record, front_change, reference_point, fresh)


@pytest.fixture
def counting(tmp_path):
    with CountingStore(str(tmp_path / "counted.db")) as store:
        store.saved = []
        yield store


@pytest.fixture
def claim(counting):
    return begun(counting, counting.create_study(definition(), ["default"]).runs[0])


def test_only_the_results_that_complete_a_generation_wait(counting, claim):
    harvest = GenerationResults(counting, claim, TASKS, {}, last_waits=True)
    harvest.take(GIVEN[:1])
    assert (counting.saved, harvest.saved, harvest.missing) == ([1], 1, TASKS[1:])
    harvest.take([])
    harvest.take(GIVEN[1:])
    assert (counting.saved, harvest.saved, harvest.missing) == ([1], 1, [])
    assert harvest.unsaved == GIVEN[1:]
    harvest.save()
    assert (counting.saved, harvest.saved, harvest.unsaved) == ([1, 2], 3, [])
    assert counting.known(TASKS) == harvest.results == {record.key: record for record in GIVEN}


def test_where_something_slow_follows_nothing_waits(counting, claim):
    harvest = GenerationResults(counting, claim, TASKS, {}, last_waits=False)
    harvest.take(GIVEN)
    assert (counting.saved, harvest.unsaved) == ([3], [])


def test_what_is_stored_is_final_and_not_computed_again(counting, claim):
    lost = dataclasses.replace(GIVEN[0], state="failed", kind="worker_lost", metrics={})
    counting.save_results(claim, [lost, GIVEN[1]])
    harvest = GenerationResults(counting, claim, [*TASKS, TASKS[2]], {}, last_waits=True)
    assert (harvest.missing, harvest.computed(TASKS), harvest.saved) == ([TASKS[0], TASKS[2]], 2, 1)


def test_a_generation_of_cheap_designs_is_one_transaction(counting, bnh_study, inline):
    run_study(counting, parse_study(bnh_study), inline(InlineExecutor()))
    assert counting.saved == [-12] * 6


class EndingExecutor(InlineExecutor):
    """Is asked to stop just after it has handed on the last result of the second generation."""

    def evaluate(self, *args):
        super().evaluate(*args)
        if len(self.keys) == 24:
            raise Interrupted


def test_results_that_wait_are_stored_when_the_run_stops_before_the_log(counting, bnh_study, inline):
    executor = EndingExecutor()
    study = run_study(counting, parse_study(bnh_study), inline(executor))
    assert (study.state, counting.saved) == ("paused", [-12, 12])
    assert len(counting.log(study.runs[0])) == 1
    assert set(counting.evaluations(executor.keys)) == set(executor.keys)
