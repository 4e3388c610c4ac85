"""Results are stored as they come, whatever ends the run before their generation is logged."""

import dataclasses

import pytest

from errors import StoreFullError
from studies.definition.study_file import parse_study
from studies.execution import Interrupted
from studies.run.launch import run_study
from studies.run.run import TaskResults
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.studies.store.building_blocks import begun, definition, results

GIVEN = results(3)
TASKS = [record.task for record in GIVEN]


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "results.db")) as opened:
        yield opened


@pytest.fixture
def claim(store):
    return begun(store, store.create_study(definition(), ["default"]).runs[0])


def test_results_are_stored_as_they_come(store, claim):
    found = TaskResults(store, claim, TASKS)
    found.take(GIVEN[:1])
    assert (found.stored, found.missing, found.done) == (1, TASKS[1:], 1)
    assert store.known(TASKS) == {GIVEN[0].key: GIVEN[0]}
    found.take([])
    found.take(GIVEN[1:])
    assert (found.stored, found.missing, found.done) == (3, [], 3)
    assert store.known(TASKS) == found.by_key == {record.key: record for record in GIVEN}


def test_what_is_stored_is_final_and_not_computed_again(store, claim):
    lost = dataclasses.replace(GIVEN[0], state="failed", kind="worker_lost", metrics={})
    store.save_results(claim, [lost, GIVEN[1]])
    found = TaskResults(store, claim, [*TASKS, TASKS[2]])
    assert (found.missing, found.computed(TASKS), found.stored) == ([TASKS[0], TASKS[2]], 2, 1)


class EndingExecutor(InlineExecutor):
    """Is asked to stop just after it has handed on the last result of the second generation."""

    def evaluate(self, *args, **said):
        super().evaluate(*args)
        if len(self.keys) == 24:
            raise Interrupted


def test_results_of_a_generation_that_was_not_logged_are_there_when_the_run_goes_on(store, bnh_study, inline):
    executor = EndingExecutor()
    study = run_study(store, parse_study(bnh_study), inline(executor))
    assert study.state == "paused"
    assert len(store.log(study.runs[0])) == 1
    assert set(store.evaluations(executor.keys)) == set(executor.keys)
    second = InlineExecutor()
    assert run_study(store, parse_study(bnh_study), inline(second)).state == "done"
    assert not set(executor.keys) & set(second.keys)


class FullStore(Store):
    """Has no space for a generation from one of them on."""

    fails_at = None

    def save_generation(self, claim, batch, *others):
        if self.fails_at is not None and batch.generation >= self.fails_at:
            raise StoreFullError("the disk is full")
        super().save_generation(claim, batch, *others)


def test_a_full_disk_pauses_the_run_and_it_goes_on(tmp_path, inline, inline_executor, bnh_study):
    study = parse_study(bnh_study)
    with FullStore(str(tmp_path / "full.db")) as store:
        store.fails_at = 3
        run_study(store, study, inline(inline_executor))
        (run,) = store.study(study.name).runs
        assert run.state == "paused"
        assert "disk is full" in run.message
        assert len(store.log(run)) == 2
        store.fails_at = None
        run_study(store, study, inline(inline_executor))
        assert store.study(study.name).state == "done"
    with Store(str(tmp_path / "calm.db")) as calm:
        run_study(calm, study, inline(inline_executor))
        fronts = [[m.evaluation.key for m in s.front(s.study(study.name).runs[0])] for s in (store, calm)]
    assert fronts[0] == fronts[1]
