"""Sweeps on a server: small ones in its sandbox, the rest by workers; of several servers by one."""

import threading
import time
from dataclasses import replace

import pytest

from errors import LimitError, WorkerError
from service.app import sweep_computation
from service.app.context import Context
from service.app.reevaluation_jobs import ReevaluationJobs
from service.app.services import StoreServices
from service.app.sweep_computation import SandboxFirst, compute_while_wanted
from service.resources.sweeps import SweepRequest
from studies.execution import Interrupted
from studies.execution.evaluation import evaluate_task, failure
from studies.run.launch import run_study
from studies.uncertainty.sweep import read_plan, store_sweep, wanted_keys
from tests.conftest import InlineExecutor
from tests.studies.store.building_blocks import someone
from tests.studies.uncertainty.sweep_studies import two_layouts


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
        SandboxFirst(store, sandbox, workers)(record, should_stop)
        return found

    carry_out.wanted = len(keys)
    return carry_out


def test_a_small_one_is_computed_by_the_server(store, record, sandbox, left):
    assert left() == []
    keys = wanted_keys(read_plan(store, record))
    assert store.count_evaluations(keys) == len(keys) == len(sandbox.limits)
    assert {limits.timeout for limits in sandbox.limits} == {sweep_computation.MOMENT_SECONDS}
    assert left() == []
    assert len(sandbox.limits) == len(keys), "what is stored is not computed again"


def test_what_would_take_long_is_left_to_workers_once_that_is_known(sandbox, left):
    sandbox.seconds = 1.0
    assert left.wanted - 3 > sweep_computation.MOMENT_SECONDS
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


class Server:
    """A server that shares the store: its jobs, and its sandbox, where designs wait until ``go`` is set."""

    def __init__(self, store):
        self.go, self.evaluated = threading.Event(), 0
        self.jobs = ReevaluationJobs(store)
        compute = SandboxFirst(store, self, lambda *_: pytest.fail("nothing is left to workers"))
        self.sweeps = StoreServices(Context(store=store), jobs=self.jobs, compute_sweep=compute).sweeps

    def evaluate(self, task, limits):
        assert self.go.wait(60)
        self.evaluated += 1
        return evaluate_task(task, "server")

    def start(self):
        return self.sweeps.start("sides", SweepRequest(over={"x2": [0.5, 2.0]}))

    def wait_for(self, *states):
        deadline = time.monotonic() + 60
        while (found := self.sweeps.get("sides", 1)).state not in states:
            assert time.monotonic() < deadline, found.state
            time.sleep(0.01)
        return found


def test_of_two_servers_on_one_store_one_computes_and_both_see_it(store, record):
    first, second = Server(store), Server(store)
    assert first.start().state in {"queued", "running"}
    while not store.sweeps.find("sides", 1).claimed:
        assert first.wait_for("queued", "running")
    assert second.start().state == "running"
    first.go.set()
    assert second.wait_for("done").wanted == first.evaluated
    assert (first.wait_for("done").done, second.evaluated) == (first.evaluated, 0)
    assert second.start().state == "done"


def test_one_that_another_process_took_first_is_left_to_it(store, record, sandbox):
    compute = SandboxFirst(store, sandbox, lambda *_: pytest.fail("nothing is left to workers"))
    held = store.sweeps.claim(record, someone())
    compute_while_wanted(store, record, compute, lambda: False)
    assert sandbox.limits == []
    store.sweeps.release(held)
    compute_while_wanted(store, record, compute, lambda: False)
    assert len(sandbox.limits) == read_plan(store, record).wanted


def test_why_it_fails_is_raised_where_nobody_else_computes_it(store, record):
    def fail(*_):
        raise WorkerError("no workers")

    with pytest.raises(WorkerError, match="no workers"):
        compute_while_wanted(store, record, fail, lambda: False)
    store.sweeps.remove("sides", record.id)
    compute_while_wanted(store, record, fail, lambda: False)  # nobody wants it any more


def test_one_deleted_and_asked_for_again_is_computed_under_its_new_number(store, record):
    begun = []

    def compute(wanted, should_stop):
        begun.append(wanted.id)
        if len(begun) == 1:
            store.sweeps.remove("sides", record.id)
            store_sweep(store, "sides", record.grid)
        store.sweeps.find("sides", wanted.id)

    compute_while_wanted(store, record, compute, lambda: False)
    assert begun == [record.id, store.sweeps.with_digest("sides", record.digest).id]
    assert begun[0] != begun[1]


def test_a_great_plan_is_not_looked_at(monkeypatch, sandbox, left):
    monkeypatch.setattr(sweep_computation, "MOST_DESIGNS", left.wanted - 1)
    assert left() == [left.wanted]
    assert sandbox.limits == []
