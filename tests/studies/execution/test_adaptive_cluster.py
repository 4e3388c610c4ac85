"""Clusters whose workers come and go: more, fewer, none, others, small and large ones."""

import os
import signal
import threading
import time
from contextlib import contextmanager

import pytest
from distributed import Client, LocalCluster

from errors import WorkerError
from studies.definition.study_file import parse_study
from studies.execution import open_executor
from studies.execution.cluster import AHEAD, ClusterTimeouts
from studies.run.launch import run_study
from studies.store import Store
from tests.studies.execution.contract import evaluated, row

pytestmark = pytest.mark.usefixtures("forked_workers")

STUDY = """
schema_version = 1
name = "comes-and-goes"
model = "faulty"
[parameters]
delay = {delay}
[variables]
x = {{ lower = 0, upper = 1 }}
y = {{ lower = 0, upper = 1 }}
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
generations = 8
"""


@contextmanager
def cluster_of(workers, **options):
    """A cluster of others, whose workers are processes; it is joined by its address."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, **options
    ) as cluster:
        yield cluster


def until(condition, missed):
    """Wait for what must come."""
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, missed
        time.sleep(0.05)


def searched(folder, executor, delay):
    """Designs and front of the study, as points."""
    with Store(str(folder / f"{delay}.db")) as store:
        study = run_study(store, parse_study(STUDY.format(delay=delay)), lambda: Opened(executor))
        assert study.state == "done"
        (run,) = study.runs
        return [batch.points.tobytes() for batch in store.log(run)], [
            member.ask_no for member in store.front(run)
        ]


class Opened:
    """An executor that is open, and stays so."""

    def __init__(self, executor):
        self._executor = executor

    def __enter__(self):
        return self._executor

    def __exit__(self, *_):
        pass


def test_the_front_is_that_of_one_worker_while_workers_come_and_go(tmp_path):
    with open_executor(1) as alone:
        expected = searched(tmp_path, alone, 0.001)
    counts, said = [], []
    with (
        cluster_of(1) as cluster,
        open_executor(None, cluster.scheduler_address, say=said.append) as executor,
    ):

        def change():
            for workers in (3, 1, 0, 2):
                cluster.scale(workers)
                until(
                    lambda n=workers: len(cluster.scheduler.workers) == n, "the workers did not come, or go"
                )
                until(lambda n=workers: executor.workers == max(1, n), "the number of workers was not heard")
                until(lambda n=workers: n or said, "nobody was told that workers are waited for")
                counts.append(executor.workers)

        changing = threading.Thread(target=change)
        changing.start()
        found = searched(tmp_path, executor, 0.2)
        in_time = len(counts)
        changing.join()
    assert in_time == 4, "the run ended before the last change"
    assert found == expected
    assert len(said) == 1
    assert "waiting for workers" in said[0]
    assert "for 600 s" in said[0]


def test_an_adaptive_cluster_without_workers_starts_as_many_as_there_is_work_for():
    with cluster_of(0) as cluster:
        cluster.adapt(minimum=0, maximum=3, interval="100ms", target_duration="200ms")
        with open_executor(None, cluster.scheduler_address) as executor:
            heard = evaluated(executor, row(40, delay=0.3))
            workers = {record.worker for record in heard.records}
            assert len(workers - {"driver"}) == 3
            until(lambda: not cluster.scheduler.workers, "idle workers did not leave")
            again = evaluated(executor, row(6, y=0.5, delay=0.3))
    assert {record.state for record in (*heard.records, *again.records)} == {"done"}


def test_a_killed_worker_costs_the_others_nothing_but_its_designs():
    with cluster_of(2) as cluster, open_executor(None, cluster.scheduler_address) as executor:

        def kill():
            until(
                lambda: any(w.processing for w in cluster.scheduler.workers.values()), "nothing is evaluated"
            )
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

        killing = threading.Thread(target=kill)
        killing.start()
        heard = evaluated(executor, row(20, delay=0.3))
        killing.join()
    assert {record.state for record in heard.records} == {"done"}


@pytest.mark.parametrize("asynchronous", ["false", "true"])
def test_a_run_says_that_it_waits_for_workers_until_one_comes(tmp_path, asynchronous):
    text = STUDY.format(delay=0.3).replace("generations = 8", "evaluations = 400")
    text = f"{text}asynchronous = {asynchronous}\n"
    stop = threading.Event()
    with (
        Store(str(tmp_path / "waits.db")) as store,
        cluster_of(0) as cluster,
        open_executor(None, cluster.scheduler_address) as executor,
    ):

        def work():
            run_study(store, parse_study(text), lambda: Opened(executor), stop.is_set)

        def said():
            return [run.message for study in store.studies() for run in store.study(study.name).runs]

        working = threading.Thread(target=work)
        working.start()
        try:
            until(lambda: any(said()), "the run did not say that it waits")
            assert f"waiting for workers: the scheduler at '{cluster.scheduler_address}'" in said()[0]
            cluster.scale(1)
            until(lambda: said() == [""], "the run did not say that it goes on")
            assert store.study("comes-and-goes").state == "running"
        finally:
            stop.set()
            working.join()


def test_a_cluster_that_stays_empty_ends_the_run_with_the_cause():
    said = []
    patience = ClusterTimeouts(workers=1.5)
    with (
        cluster_of(0) as cluster,
        open_executor(None, cluster.scheduler_address, timeouts=patience, say=said.append) as executor,
        pytest.raises(WorkerError, match=r"had no worker for 1\.5 s; start workers, then resume the run"),
    ):
        evaluated(executor, row(4, delay=0.3))
    assert len(said) == 1


def test_a_design_that_a_small_worker_cannot_hold_is_evaluated_on_a_large_one():
    with (
        cluster_of(1, memory_limit="600MB") as cluster,
        Client(cluster.scheduler_address, set_as_default=False) as client,
        open_executor(None, cluster.scheduler_address) as executor,
    ):
        (alone,) = evaluated(executor, row(2, fault="large", threshold=0.5)[1:]).records
        assert alone.kind == "out_of_memory"
        assert "more than the limit of 572" in alone.reason
        cluster.worker_spec["large"] = {
            **cluster.new_spec,
            "options": {**cluster.new_spec["options"], "memory_limit": "4GB"},
        }
        cluster.sync(cluster._correct_state)
        client.wait_for_workers(2)
        heard = evaluated(executor, row(8, fault="large", threshold=0.5, delay=0.3))
    assert {record.state for record in heard.records} == {"done"}
    assert {str(r.worker) for r in heard.records if r.task.parameters["x"] > 0.5} == {"large"}


def test_a_cluster_is_sent_enough_that_it_sees_how_many_workers_it_needs():
    with cluster_of(0) as cluster, open_executor(None, cluster.scheduler_address) as executor:
        stop = threading.Event()
        given_up = []

        def evaluate():
            try:
                executor.evaluate(row(AHEAD + 20, delay=0.5), lambda _: None, stop.is_set)
            except Exception as error:  # noqa: BLE001 - Interrupted
                given_up.append(type(error).__name__)

        work = threading.Thread(target=evaluate)
        work.start()
        until(lambda: len(cluster.scheduler.tasks) >= AHEAD, "the tasks did not arrive")
        stop.set()
        work.join()
    assert given_up == ["Interrupted"]
