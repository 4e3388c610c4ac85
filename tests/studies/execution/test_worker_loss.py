"""Workers and schedulers that die, hang or go away."""

import os
import signal
import threading
import time
from contextlib import suppress

import psutil
import pytest

from errors import WorkerError
from studies.execution import Interrupted, open_executor
from studies.execution.cluster import ClusterTimeouts
from tests import forked
from tests.studies.execution.contract import Heard, evaluated, gone_within, processes_in, row

SHORT = ClusterTimeouts(lost=1.5, reconnect=20.0, worker_ttl=1.0)
"""Dask counts a worker as lost after five seconds at least, however often it looks."""
SILENCE = 4.0
"""A sign of life is due every second, with time for a machine that is busy with others."""


pytestmark = pytest.mark.usefixtures("forked_workers")


class Working(threading.Thread):
    """An evaluation in the background, so that the test can do harm meanwhile."""

    def __init__(self, executor, tasks):
        super().__init__(daemon=True)
        self.heard = Heard()
        self.error = None
        self._work = (executor, tasks)
        self.start()

    def run(self):
        executor, tasks = self._work
        self.heard([])
        try:
            executor.evaluate(tasks, self.heard, lambda: False)
        except BaseException as error:  # noqa: BLE001
            self.error = error

    def finish(self, seconds=300):
        """One record for every task, however often one was delivered by Dask."""
        self.join(seconds)
        assert not self.is_alive()
        if self.error:
            raise self.error
        assert sorted(r.key for r in self.heard.records) == sorted(t.key for t in self._work[1])
        return self.heard


def wait_for(condition, seconds=300):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to this in time"
        time.sleep(0.05)


def has_ended(process):
    with suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def workers_of(note):
    """The Dask workers whose children evaluate."""
    return [psutil.Process(child).parent() for child in processes_in(note)]


def complete(executor):
    """The executor of a test before this one, once all its workers evaluate, also those started anew."""

    def all_evaluate():
        seen = {record.worker for record in evaluated(executor, row(4, delay=0.3)).records}
        return len(seen - {"driver"}) == executor.workers

    wait_for(all_evaluate)
    return executor


@pytest.fixture(scope="module")
def local_cluster(forked_workers):
    with open_executor(2) as own:
        yield own


@pytest.fixture
def two_workers(local_cluster):
    return complete(local_cluster)


@pytest.fixture(scope="module")
def short_of_patience(forked_workers):
    with open_executor(2, timeouts=SHORT) as own:
        yield own


@pytest.fixture
def impatient(short_of_patience):
    return complete(short_of_patience)


def guilty_one_is_found(own, step):
    evaluated(own, row(120, delay=0.004))  # so that chunks hold several
    heard = evaluated(own, row(24, threshold=0.97, fault="kill_worker", delay=0.0041)[::step])
    failed = [r for r in heard.records if r.state != "done"]
    assert [(r.kind, r.task.parameters["x"]) for r in failed] == [("worker_lost", 1.0)]
    assert "its worker died" in failed[0].reason


def test_a_design_that_kills_its_worker_is_found_and_its_neighbours_finish(two_workers):
    guilty_one_is_found(two_workers, 1)


@pytest.mark.soak
def test_a_design_that_kills_the_only_worker_is_found_and_its_neighbours_finish():
    with open_executor(1) as own:
        evaluated(own, row(4, delay=0.3))
        guilty_one_is_found(own, -1)


def test_a_worker_killed_from_outside_costs_nothing_but_time(two_workers, tmp_path):
    note = tmp_path / "note"
    work = Working(two_workers, row(6, delay=0.5, note=str(note)))
    wait_for(lambda: len(processes_in(note)) == 2)
    child = next(iter(processes_in(note)))
    psutil.Process(child).parent().kill()
    wait_for(lambda: not psutil.pid_exists(child))
    heard = work.finish()
    assert {r.state for r in heard.records} == {"done"}
    assert heard.longest_silence < SILENCE


def test_a_worker_that_hangs_does_not_hang_the_run(impatient, tmp_path):
    note = tmp_path / "note"
    work = Working(impatient, row(6, delay=0.5, note=str(note)))
    wait_for(lambda: len(processes_in(note)) == 2)
    stuck = workers_of(note)[0]
    stuck.suspend()
    heard = work.finish()
    assert {r.state for r in heard.records} == {"done"}
    wait_for(lambda: has_ended(stuck))
    evaluated(impatient, row(2, y=0.5, delay=0.3))
    assert heard.longest_silence < SILENCE


def test_a_local_cluster_without_workers_is_started_anew(impatient):
    connection = impatient._cluster.current()

    async def lose_all():
        for nanny in list(connection._cluster.workers.values()):
            await nanny.close()

    work = Working(impatient, row(4, y=0.5, delay=0.5))
    connection._soon(lose_all()).result(30)
    heard = work.finish()
    assert {r.state for r in heard.records} == {"done"}
    assert impatient._cluster.current() is not connection


def test_a_scheduler_that_comes_back_is_used_again(separate_cluster, tmp_path):
    note = tmp_path / "note"
    with separate_cluster(1) as cluster, open_executor(None, cluster.address, timeouts=SHORT) as own:
        work = Working(own, row(4, delay=0.5, note=str(note)))
        wait_for(lambda: {w.pid for w in cluster.workers} & {w.pid for w in workers_of(note)})
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        for worker in cluster.workers:  # they leave when their scheduler does; a supervisor starts them anew
            worker.wait(300)
        assert gone_within(30.0, note)
        cluster.restart_scheduler()
        cluster.start_workers()
        heard = work.finish()
    assert {r.state for r in heard.records} == {"done"}
    assert heard.longest_silence < SILENCE


@pytest.mark.soak
def test_a_scheduler_that_stays_away_ends_the_run_with_the_cause(separate_cluster, tmp_path):
    note = tmp_path / "note"
    timeouts = ClusterTimeouts(lost=1.0, reconnect=2.0)
    with separate_cluster() as cluster, open_executor(None, cluster.address, timeouts=timeouts) as own:
        work = Working(own, row(4, threshold=0.0, fault="sleep", note=str(note)))
        wait_for(lambda: processes_in(note))
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        with pytest.raises(WorkerError, match=r"did not come back within 2 s.*can be resumed"):
            work.finish()
        assert work.heard.longest_silence < SILENCE


@pytest.mark.soak
def test_a_scheduler_that_hangs_is_left(separate_cluster, tmp_path):
    note = tmp_path / "note"
    timeouts = ClusterTimeouts(lost=1.0, reconnect=1.0)
    with separate_cluster() as cluster, open_executor(None, cluster.address, timeouts=timeouts) as own:
        work = Working(own, row(4, threshold=0.0, fault="sleep", note=str(note)))
        wait_for(lambda: processes_in(note))
        cluster.scheduler.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(WorkerError, match="did not come back"):
                work.finish()
        finally:
            cluster.scheduler.send_signal(signal.SIGCONT)


def test_a_stop_is_heard_while_the_cluster_is_away(separate_cluster, tmp_path):
    note = tmp_path / "note"
    stop = threading.Event()
    with separate_cluster() as cluster, open_executor(None, cluster.address) as own:
        threading.Thread(
            target=lambda: (
                wait_for(lambda: processes_in(note)),
                cluster.scheduler.kill(),
                time.sleep(1.0),
                stop.set(),
            )
        ).start()
        with pytest.raises(Interrupted):
            own.evaluate(row(5, threshold=0.0, fault="sleep", note=str(note))[1:], Heard(), stop.is_set)
        start = time.monotonic()
    assert time.monotonic() - start < 15


RUNNER = """
import sys
from studies.execution import open_executor
from tests.studies.execution.contract import Heard, row
with open_executor(None, sys.argv[1]) as own:
    own.evaluate(row(5, threshold=0.0, fault="sleep", note=sys.argv[2])[1:], Heard(), lambda: False)
"""


def test_a_runner_that_is_killed_leaves_no_work_behind(separate_cluster, tmp_path):
    note, script = tmp_path / "note", tmp_path / "runner.py"
    script.write_text(RUNNER)
    with separate_cluster() as cluster:
        runner = forked.Begun(tmp_path, [cluster.address, note], script=script)
        try:
            wait_for(lambda: len(processes_in(note)) >= 2)
        finally:
            # pyrefly: ignore[bad-argument-type]
            os.kill(runner.pid, signal.SIGKILL)
            runner.wait()
        assert gone_within(60.0, note)


def test_two_runs_on_one_cluster_both_go_on(two_workers):
    first = Working(two_workers, row(20, y=0.1, delay=0.1))
    second = Working(two_workers, row(20, y=0.2, delay=0.1))
    one, two = first.finish(), second.finish()
    end = min(sink.records[-1].finished for sink in (one, two))
    assert all(sum(r.finished < end for r in sink.records) > 5 for sink in (one, two))
