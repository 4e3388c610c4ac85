"""Sweeps on a server: small ones in its sandbox, and to workers whatever the sandbox should not do."""

from dataclasses import replace

import pytest

from errors import LimitError
from service.app import sweeper
from service.app.sweeper import SandboxSweeper
from studies.execution import Interrupted
from studies.execution.evaluation import evaluate_task, failure
from studies.launch import run_study
from studies.sweep import read_plan, store_sweep, wanted_keys
from tests.conftest import InlineExecutor
from tests.studies.sweep_studies import two_layouts


class FakeSandbox:
    """Evaluates in this process, and pretends that each design took ``seconds``."""

    def __init__(self, seconds=0.1):
        self.seconds, self.limits, self.problem = seconds, [], None

    def evaluate(self, task, limits):
        self.limits.append(limits)
        if isinstance(self.problem, Exception):
            raise self.problem
        if self.problem is not None:
            return self.problem.record(task, "server")
        return replace(evaluate_task(task, "server"), seconds=self.seconds)


@pytest.fixture
def record(store, inline):
    run_study(store, two_layouts("[1]"), inline(InlineExecutor()))
    return store_sweep(store, "sides", {"x2": [0.5, 2.0]})


@pytest.fixture
def sandbox():
    return FakeSandbox()


@pytest.fixture
def left(store, sandbox, record):
    """Carries the sweep out, and tells how many evaluations were missing when the workers got it."""
    keys = wanted_keys(read_plan(store, record))

    def carry_out(should_stop=lambda: False):
        found = []
        workers = lambda _, __: found.append(len(keys) - store.count_evaluations(keys))  # noqa: E731
        SandboxSweeper(store, sandbox, workers)(record, should_stop)
        return found

    carry_out.wanted = len(keys)
    return carry_out


def test_a_small_one_is_computed_by_the_server(store, record, sandbox, left):
    assert left() == []
    keys = wanted_keys(read_plan(store, record))
    assert store.count_evaluations(keys) == len(keys) == len(sandbox.limits)
    assert {limits.timeout for limits in sandbox.limits} == {sweeper.MOMENT_SECONDS}
    assert left() == []
    assert len(sandbox.limits) == len(keys), "what is stored is not computed again"


def test_what_would_take_long_is_left_to_workers_once_that_is_known(sandbox, left):
    sandbox.seconds = 1.0
    assert left.wanted - 3 > sweeper.MOMENT_SECONDS
    assert left() == [left.wanted - 3]


@pytest.mark.parametrize(
    "problem",
    [LimitError("busy"), failure("timeout", "too long"), failure("worker_lost", "gone")],
    ids=["busy", "timeout", "lost"],
)
def test_workers_get_what_the_sandbox_could_not_do(store, record, sandbox, left, problem):
    sandbox.problem = problem
    assert left() == [left.wanted]
    assert store.count_evaluations(wanted_keys(read_plan(store, record))) == 0, "no verdict yet"


def test_a_design_that_the_model_fails_for_good_is_one_result_of_others(sandbox, left):
    sandbox.problem = failure("model_error", "division by zero")
    assert left() == []


def test_it_stops_when_it_is_told_to_and_keeps_what_it_has(store, sandbox, left, record):
    with pytest.raises(Interrupted):
        left(lambda: len(sandbox.limits) == 2)
    assert store.count_evaluations(wanted_keys(read_plan(store, record))) == 2


def test_a_great_plan_is_not_looked_at(monkeypatch, sandbox, left):
    monkeypatch.setattr(sweeper, "MOST_DESIGNS", left.wanted - 1)
    assert left() == [left.wanted]
    assert sandbox.limits == []
