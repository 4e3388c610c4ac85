"""A run ends when its wall time does, not a generation later."""

import itertools
import time
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from studies.definition.study_file import parse_study
from studies.execution import Interrupted
from studies.execution.evaluation import evaluate_task
from studies.run.launch import resume_study, run_study
from tests.studies.run.test_run import picture


class Clock:
    """A clock that only evaluations move."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


class SlowExecutor:
    """Every design takes so many seconds of the clock."""

    workers = 1

    def __init__(self, clock, seconds):
        self.clock, self.seconds, self.count = clock, seconds, 0

    def evaluate(self, tasks, sink, should_stop, limits=None, **said):
        for task in tasks:
            if should_stop():
                raise Interrupted
            self.clock.now += self.seconds
            self.count += 1
            sink([evaluate_task(task, "slow")])


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("studies.run.run.time", SimpleNamespace(monotonic=clock.monotonic, time=time.time))
    return clock


@pytest.fixture
def timed(bnh_study):
    return parse_study(bnh_study.replace("generations = 6", 'wall_time = "15 s"'))


def test_wall_time_ends_a_run_within_a_generation(store, timed, clock, inline):
    executor = SlowExecutor(clock, 1.0)
    study = run_study(store, timed, inline(executor))
    (run,) = study.runs
    assert run.state == "done"
    assert run.message.endswith("its wall time of 15 s is used up")
    generations = store.generations(run)
    assert [generation.asked for generation in generations] == [12, 15]
    assert sum(generation.seconds for generation in generations) == 15.0
    assert executor.count == 15


def test_a_generation_that_was_cut_is_repeated_like_any_other(store, timed, clock, inline):
    run_study(store, timed, inline(SlowExecutor(clock, 1.0)))
    before = picture(store, "bnh")
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE run SET state = 'paused'"))
    executor = SlowExecutor(clock, 1.0)
    assert resume_study(store, "bnh", inline(executor)).state == "done"
    assert picture(store, "bnh") == before
    assert executor.count == 0


def test_a_run_asks_for_one_design_however_short_its_time(store, timed, clock, inline):
    (run,) = run_study(store, timed, inline(SlowExecutor(clock, 3600.0))).runs
    assert [(g.asked, g.seconds) for g in store.generations(run)] == [(1, 3600.0)]


def test_time_that_ends_before_the_first_design_of_a_generation_ends_the_run(store, timed, clock, inline):
    (run,) = run_study(store, timed, inline(SlowExecutor(clock, 15.0 / 12.0))).runs
    assert [generation.asked for generation in store.generations(run)] == [12]
    assert run.state == "done"


def test_the_share_that_is_spent_grows_within_a_generation(store, timed, clock, inline):
    shares = []
    run_study(
        store, timed, inline(SlowExecutor(clock, 1.0)), report=lambda p: shares.append((p.phase, p.share))
    )
    searched = [share for phase, share in shares if phase == "searching"]
    assert all(after >= before for before, after in itertools.pairwise(searched))
    assert searched[5] == pytest.approx(6.0 / 15.0)
