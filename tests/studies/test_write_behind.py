"""A generation is written while the next one is worked on: nothing is lost, forgotten or done twice."""

import threading

import pytest

from errors import StoreError, StoreFullError
from studies.generation_results import WriteBehind
from studies.launch import run_study
from studies.store import Store
from studies.study_file import parse_study

STUDY = """
name = "twice"
model = "bnh"
seeds = [1]
[variables]
x1 = { type = "integer", lower = 0, upper = 2 }
x2 = { type = "integer", lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "lhs"
population = 6
generations = 4
"""


def test_a_write_goes_on_beside_and_is_waited_for():
    free, written = threading.Event(), []

    def write():
        free.wait(10)
        written.append(1)

    with WriteBehind() as behind:
        behind.start(write)
        assert written == []
        free.set()
    assert written == [1]


@pytest.mark.parametrize("end", [lambda behind: behind.start(lambda: None), lambda behind: behind.settle()])
def test_a_write_that_fails_is_told_once(end):
    def fail():
        raise StoreError("gone")

    behind = WriteBehind()
    behind.start(fail)
    while not behind.failed:
        pass
    with pytest.raises(StoreError, match="gone"):
        end(behind)
    behind.settle()
    assert not behind.failed


def test_a_failed_write_goes_before_what_ended_its_owner():
    def fail():
        raise StoreError("gone")

    def owner():
        with WriteBehind() as behind:
            behind.start(fail)
            raise KeyboardInterrupt

    with pytest.raises(StoreError, match="gone"):
        owner()


class Slow(Store):
    """Writes each generation late, or not at all from one of them on."""

    fails_at = None

    def save_generation(self, claim, batch, *others):
        threading.Event().wait(0.1)
        if self.fails_at is not None and batch.generation >= self.fails_at:
            raise StoreFullError("the disk is full")
        super().save_generation(claim, batch, *others)


def test_a_design_that_is_on_its_way_into_the_store_is_not_computed_again(tmp_path, inline, inline_executor):
    with Slow(str(tmp_path / "slow.db")) as store:
        run_study(store, parse_study(STUDY), inline(inline_executor))
        assert len(store.log(store.study("twice").runs[0])) > 1
    assert len(inline_executor.keys) == len(set(inline_executor.keys))


def test_a_disk_that_fills_up_behind_pauses_the_run_and_it_goes_on(
    tmp_path, inline, inline_executor, bnh_study
):
    study = parse_study(bnh_study)
    with Slow(str(tmp_path / "slow.db")) as store:
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
