"""The Dask executor on real local clusters."""

import itertools
import time
import urllib.error
import urllib.request
from contextlib import nullcontext

import psutil
import pytest

from errors import InputError
from models import load
from studies.definition.study_file import parse_study
from studies.execution import evaluation_call, open_executor
from studies.execution.evaluation import task_of
from studies.run.launch import run_study
from studies.store import Store


@pytest.fixture(scope="module")
def executor(forked_workers):
    with open_executor(2) as opened:
        yield opened


def tasks_of(model, settings):
    found = load(model)
    return [task_of(found, found.resolve(None, s).model_dump(mode="json"), "plain", 0) for s in settings]


def tasks(count, **settings):
    return tasks_of("faulty", [{**settings, "x": i / count} for i in range(count)])


def collect(executor, given):
    results, flushes = [], []

    def sink(records):
        results.extend(records)
        flushes.append(time.monotonic())

    executor.evaluate(given, sink, lambda: False)
    return results, flushes


def sleepers(count, delay):
    return tasks_of("zdt1", [{"x.0": i / count, "delay": delay} for i in range(count)])


@pytest.fixture(scope="module")
def of_cheap_models(forked_workers):
    with open_executor(2) as opened:
        yield opened


@pytest.fixture
def patient(monkeypatch):
    """Limits of a cheap model that hold on a machine that is busy with other tests."""
    monkeypatch.setattr(evaluation_call, "CHEAP_SECONDS", 0.05)
    monkeypatch.setattr("studies.execution.executor.DEAR_SECONDS", 60.0)
    monkeypatch.setattr("studies.execution.executor.PATIENCE_SECONDS", 60.0)


@pytest.mark.usefixtures("patient")
def test_cheap_models_are_evaluated_beside_the_driver_and_need_no_cluster(of_cheap_models):
    results, _ = collect(of_cheap_models, tasks(200))
    children = [
        p
        for p in psutil.Process().children()
        if "studies.execution.evaluation_child" in " ".join(p.cmdline())
    ]
    assert {r.worker for r in results} == {"driver"}
    assert len(results) == 200
    assert of_cheap_models.workers == 2
    assert children


def test_a_design_that_answers_for_its_neighbours_harms_none_of_them(of_cheap_models):
    collect(of_cheap_models, tasks(50))  # known to be cheap: many designs go to the child at once
    results, _ = collect(of_cheap_models, tasks(40, threshold=0.95, fault="forge"))
    ends = {result.task.parameters["x"]: result for result in results}
    guilty = ends.pop(39 / 40)
    assert (guilty.state, guilty.kind) == ("failed", "worker_lost")
    assert {result.state for result in ends.values()} == {"done"}


def test_slow_models_flush_while_they_go_on(executor):
    collect(executor, sleepers(4, 0.3))  # the driver helps out until workers have started
    results, flushes = collect(executor, sleepers(24, 0.12))
    assert len(results) == 24
    assert {r.worker for r in results} >= {"0", "1"}
    gaps = [b - a for a, b in itertools.pairwise(flushes)]
    assert len(flushes) >= 2
    assert max(gaps) < 2.5


SLOW = """
name = "slow"
model = "zdt1"
[parameters]
x = [0, 0, 0]
delay = 0.003
[variables]
x.0 = { lower = 0, upper = 1 }
x.1 = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 5
"""


@pytest.mark.usefixtures("forked_workers")
def test_one_and_two_workers_give_the_same_log(tmp_path, inline, executor):
    logs = []
    for number, opened in enumerate((open_executor(1), nullcontext(executor))):
        with Store(str(tmp_path / f"{number}.db")) as store, opened as own:
            assert own.workers == number + 1
            study = run_study(store, parse_study(SLOW), inline(own))
            assert {m.evaluation.worker for m in store.history(study.runs[0])} <= {"0", "1", "driver"}
            logs.append([(b.keys, b.objectives.tobytes()) for b in store.log(study.runs[0])])
    assert logs[0] == logs[1]


def test_a_missing_scheduler_is_reported():
    with (
        pytest.raises(InputError, match="no Dask scheduler answers"),
        open_executor(None, "tcp://127.0.0.1:9"),
    ):
        pass


def test_a_local_cluster_listens_on_loopback_only_and_shows_no_page(executor, listening_addresses):
    collect(executor, sleepers(4, 0.3))
    listening = listening_addresses()
    assert listening
    assert {address.ip for address in listening} == {"127.0.0.1"}
    port = executor._cluster.current().client.scheduler_info()["services"].get("dashboard")
    if port is not None:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5)
