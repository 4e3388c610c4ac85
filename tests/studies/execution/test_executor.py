"""The Dask executor on real local clusters."""

import itertools
import threading
import time
import urllib.error
import urllib.request

import psutil
import pytest

from models import load
from models.errors import InputError
from studies.definition import parse_study
from studies.execution.cluster import open_cluster
from studies.execution.evaluation import task_of
from studies.execution.executor import DaskExecutor, Interrupted
from studies.launch import run_study
from studies.store import Store


@pytest.fixture(scope="module")
def client():
    with open_cluster(2, None) as opened:
        yield opened


def tasks(count, model="faulty", **settings):
    found = load(model)
    spread = [{**settings, "x": i / count} if model == "faulty" else settings for i in range(count)]
    return [task_of(found, found.resolve(None, s).model_dump(mode="json"), "plain", 0) for s in spread]


def collect(executor, given, should_stop=lambda: False):
    results, flushes = [], []

    def sink(records):
        results.extend(records)
        flushes.append(time.monotonic())

    executor.evaluate(given, sink, should_stop)
    return results, flushes


def test_every_task_gets_one_record(client):
    given = tasks(50)
    results, _ = collect(DaskExecutor(client), given)
    assert sorted(r.key for r in results) == sorted(t.key for t in given)
    assert {r.state for r in results} == {"done"}


def test_fast_models_move_into_the_driver_once_measured(client):
    executor = DaskExecutor(client)
    collect(executor, tasks(20))
    results, _ = collect(executor, tasks(200, y=0.5))
    assert {r.worker for r in results} == {"driver"}
    assert len(results) == 200


def test_slow_models_flush_while_they_go_on(client):
    found = load("zdt1")
    given = [
        task_of(
            found, found.resolve(None, {"x.0": i / 40, "delay": 0.12}).model_dump(mode="json"), "plain", 0
        )
        for i in range(40)
    ]
    results, flushes = collect(DaskExecutor(client), given)
    assert len(results) == 40
    assert {r.worker for r in results} == {"0", "1"}
    gaps = [b - a for a, b in itertools.pairwise(flushes)]
    assert len(flushes) >= 2
    assert max(gaps) < 2.5


def test_no_task_is_no_work(client):
    assert collect(DaskExecutor(client), []) == ([], [])


def test_a_stop_keeps_what_is_finished(client):
    found = load("zdt1")
    given = [
        task_of(found, found.resolve(None, {"x.0": i / 40, "delay": 0.1}).model_dump(mode="json"), "plain", 0)
        for i in range(40)
    ]
    stop = threading.Event()
    results = []
    threading.Timer(1.0, stop.set).start()
    start = time.monotonic()
    with pytest.raises(Interrupted):
        DaskExecutor(client).evaluate(given, results.extend, stop.is_set)
    assert time.monotonic() - start < 3
    assert 0 < len(results) < 40


@pytest.mark.parametrize(("workers", "step"), [(2, 1), (1, -1)])
def test_a_design_that_kills_its_worker_is_found_and_its_neighbours_finish(workers, step):
    with open_cluster(workers, None) as own:
        given = tasks(12, threshold=0.9, fault="crash")[::step]
        results, _ = collect(DaskExecutor(own), given)
    states = {r.task.parameters["x"] > 0.9: (r.state, r.kind) for r in results}
    assert len(results) == 12
    assert states == {True: ("failed", "worker_lost"), False: ("done", "")}


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


def test_one_and_two_workers_give_the_same_log(tmp_path, inline):
    logs = []
    for workers in (1, 2):
        with Store(str(tmp_path / f"{workers}.db")) as store, open_cluster(workers, None) as own:
            study = run_study(store, parse_study(SLOW), inline(DaskExecutor(own)))
            assert {m.evaluation.worker for m in store.history(study.runs[0])} <= {"0", "1"}
            logs.append([(b.keys, b.objectives.tobytes()) for b in store.log(study.runs[0])])
    assert logs[0] == logs[1]


def test_a_running_scheduler_is_joined_and_a_missing_one_told(client):
    with open_cluster(None, client.scheduler.address) as joined:
        assert len(joined.nthreads()) == 2
    with (
        pytest.raises(InputError, match="no Dask scheduler answers"),
        open_cluster(None, "tcp://127.0.0.1:9"),
    ):
        pass


def test_a_local_cluster_listens_on_loopback_only_and_shows_no_page(client):
    me = psutil.Process()
    listening = [
        c.laddr
        for p in (me, *me.children(recursive=True))
        for c in p.net_connections()
        if c.status == "LISTEN"
    ]
    assert listening
    assert {address.ip for address in listening} == {"127.0.0.1"}
    port = client.scheduler_info()["services"].get("dashboard")
    if port is not None:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5)
