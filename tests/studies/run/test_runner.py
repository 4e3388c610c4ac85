"""Crews and runners over one store: queue, wishes, several runs at once, versions, branches."""

import dataclasses
import itertools
import os
import threading
from contextlib import contextmanager

import pytest

from errors import InputError, LeaseError, StoreError, VersionError, WorkerError
from models import load
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.fronts import fronts
from studies.results.reevaluation import reproduce
from studies.run import heartbeat, pool, provenance
from studies.run.launch import branch_study, resume_study, run_study
from studies.run.runner import Runner
from studies.store import Store, this_process
from studies.store.events import KEPT_DAYS
from tests.conftest import InlineExecutor
from tests.studies.store.building_blocks import Clock

SEEDS = "seeds = [1, 2, 3, 4]"


@pytest.fixture
def definition(bnh_study):
    return parse_study(bnh_study.replace("seeds = [1]", SEEDS))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Wishes are heard at once."""
    monkeypatch.setattr(heartbeat.Heartbeat.__init__, "__defaults__", (0.02, heartbeat.LEASE_SECONDS))
    monkeypatch.setattr(pool, "POLL_SECONDS", 0.02)


@pytest.fixture
def impatient(monkeypatch):
    """A runner that never idles."""
    monkeypatch.setattr("studies.run.runner.IDLE_SECONDS", 0.0)


def opener(executor):
    @contextmanager
    def opened():
        yield executor

    return opened


def queue(store, definition):
    return store.create_study(definition, check(definition))


def states(store, name="bnh"):
    return [run.state for run in store.study(name).runs]


class Meddling(InlineExecutor):
    """Does something once, after some evaluations, as if somebody else did."""

    def __init__(self, after, meddle):
        super().__init__()
        self._after = after
        self._meddle = meddle

    def evaluate(self, tasks, sink, should_stop, limits=None, **said):
        if self._meddle is not None and len(self.keys) >= self._after:
            meddle, self._meddle = self._meddle, None
            meddle()
        super().evaluate(tasks, sink, should_stop)


class Meeting(InlineExecutor):
    """Has many workers, and begins only when two runs ask at the same time."""

    workers = 40

    def __init__(self):
        super().__init__()
        self._asking = 0
        self._met = threading.Event()
        self._lock = threading.Lock()

    def evaluate(self, tasks, sink, should_stop, limits=None, **said):
        with self._lock:
            self._asking += 1
            if self._asking == 2:
                self._met.set()
        assert self._met.wait(timeout=20), "no other run asked meanwhile"
        with self._lock:
            super().evaluate(tasks, sink, should_stop)
            self._asking -= 1


def test_a_runner_finishes_the_queue(store, definition):
    queue(store, definition)
    Runner(store, opener(InlineExecutor()), once=True).run()
    assert states(store) == ["done"] * 4


def test_a_runner_deletes_old_events_of_ended_runs(tmp_path, definition):
    clock = Clock()
    with Store(str(tmp_path / "old.db"), clock=clock) as store:
        queue(store, definition)
        store.stop_study("bnh")
        clock.now += KEPT_DAYS * 24 * 3600.0 + 1.0
        assert Runner(store, opener(InlineExecutor()), once=True).run()
        assert store.events() == []


def test_several_runs_share_the_workers_and_end_as_if_alone(store, definition, tmp_path):
    queue(store, definition)
    Runner(store, opener(Meeting()), once=True).run()
    with Store(str(tmp_path / "alone.db")) as alone:
        run_study(alone, definition, opener(InlineExecutor()))
        assert fronts(store, store.study("bnh")) == fronts(alone, alone.study("bnh"))
        assert [run.message for run in store.study("bnh").runs] == [
            run.message for run in alone.study("bnh").runs
        ]


def test_a_runner_that_is_shut_down_leaves_its_run_in_the_queue(store, definition):
    queue(store, definition)
    asked = threading.Event()
    Runner(store, opener(Meddling(30, asked.set)), should_stop=asked.is_set).run()
    assert states(store) == ["queued"] * 4
    assert "its runner was shut down" in store.study("bnh").runs[0].message
    Runner(store, opener(InlineExecutor()), once=True).run()
    assert states(store) == ["done"] * 4


@pytest.mark.parametrize(("wish", "state"), [("pause_study", "paused"), ("stop_study", "cancelled")])
def test_wishes_are_granted_in_the_middle_of_a_run(store, definition, wish, state):
    def meddle():
        getattr(store, wish)("bnh")
        threading.Event().wait(0.2)

    study = run_study(store, definition, opener(Meddling(30, meddle)))
    assert [run.state for run in study.runs] == [state] * 4
    assert 0 < store.generations(study.runs[0])[-1].number < 6


def test_a_run_that_is_taken_over_is_left_without_a_word(store, definition):
    stored = []

    def meddle():
        run = store.study("bnh").runs[0]
        with store._engine.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE run_lease SET owner = 'another', epoch = epoch + 1 WHERE run_id = ?", (run.id,)
            )
        stored.extend(store.generations(run))

    with pytest.raises(LeaseError, match="taken"):
        run_study(store, definition, opener(Meddling(30, meddle)))
    run = store.study("bnh").runs[0]
    assert run.state == "running"
    assert store.generations(run) == stored


def test_a_run_whose_workers_fail_once_is_tried_again(store, definition, impatient):
    def break_down():
        raise WorkerError("the cluster is gone")

    queue(store, definition)
    heard = []
    runner = Runner(store, opener(Meddling(0, break_down)), once=True, complain=heard.append)
    assert not runner.run()
    assert heard == ["the cluster is gone"]
    assert states(store) == ["done"] * 4


class Refusing(InlineExecutor):
    """Cannot evaluate designs of one seed's run, the first that asks."""

    def __init__(self, error):
        super().__init__()
        self._error = error
        self._refused = None

    def evaluate(self, tasks, sink, should_stop, limits=None, **said):
        self._refused = self._refused or {task.key for task in tasks}
        if {task.key for task in tasks} <= self._refused:
            sink([])  # as executors do that flush their results at the end
            raise self._error
        super().evaluate(tasks, sink, should_stop)


def test_a_run_that_workers_never_can_evaluate_does_not_block_the_queue(store, definition, impatient):
    queue(store, definition)
    executor = Refusing(WorkerError("another version is installed there"))
    runner = Runner(store, opener(executor), once=True)
    assert not runner.run()
    assert states(store) == ["paused", "done", "done", "done"]
    message = store.study("bnh").runs[0].message
    assert "another version is installed there; 3 attempts failed" in message
    assert len(store.provenance(store.study("bnh").runs[0])) == 3
    store.queue_study("bnh")
    assert not runner.run(), "resumed, it is tried again by the same runner"
    assert len(store.provenance(store.study("bnh").runs[0])) == 6


def test_a_run_that_will_be_tried_again_says_when_and_why(store, definition):
    queue(store, definition)
    seen = []

    class Broken(InlineExecutor):
        def evaluate(self, tasks, sink, should_stop, limits=None, **said):
            raise WorkerError("the local workers could not be started: Nanny failed to start")

    def should_stop():
        seen.append(store.study("bnh").runs[0].message)
        return "again" in seen[-1]

    Runner(store, opener(Broken()), should_stop).run()
    assert seen[-1] == (
        "could not be evaluated: the local workers could not be started: Nanny failed to start; the runner "
        "tries again in a few seconds (1 of 3 attempts gave no result)"
    )
    assert set(states(store)) <= {"queued"}


def test_what_the_store_refuses_ends_the_run_in_a_state_with_the_cause(store, definition, monkeypatch):
    refused = StoreError("inf is not a finite number and cannot be stored")

    def refuse(*_):
        raise refused

    monkeypatch.setattr(Store, "save_generation", refuse)
    with pytest.raises(StoreError, match="cannot be stored"):
        run_study(store, definition, opener(InlineExecutor()))
    for run in store.study("bnh").runs:
        assert run.state == "paused"
        assert "the store failed: inf is not a finite number" in run.message


class Failing(InlineExecutor):
    """Is lost again and again, each time after one generation."""

    def __init__(self):
        super().__init__()
        self._asked = 0

    def evaluate(self, tasks, sink, should_stop, limits=None, **said):
        self._asked += 1
        if self._asked % 2 == 0:
            raise WorkerError("the worker is gone")
        super().evaluate(tasks, sink, should_stop)


def test_a_run_that_gets_on_between_losses_is_never_left(store, definition, impatient):
    queue(store, definition)
    Runner(store, opener(Failing()), once=True).run()
    assert states(store) == ["done"] * 4
    assert len(store.provenance(store.study("bnh").runs[0])) > 3


def test_an_error_of_one_run_leaves_it_paused_and_the_others_finish(store, definition, impatient):
    queue(store, definition)
    heard = []
    executor = Refusing(ZeroDivisionError("a plug-in's"))
    assert not Runner(store, opener(executor), once=True, complain=heard.append).run()
    assert states(store) == ["paused", "done", "done", "done"]
    assert "stopped by an error: ZeroDivisionError: a plug-in's" in store.study("bnh").runs[0].message
    assert heard == ['ZeroDivisionError("a plug-in\'s")']


def test_a_study_that_this_machine_cannot_run_does_not_stop_the_others(store, definition, monkeypatch):
    queue(store, definition.model_copy(update={"name": "other", "seeds": [1]}))
    queue(store, definition)
    sound = check

    def no_model(given):
        if given.name == "other":
            raise InputError("unknown model 'other'")
        return sound(given)

    monkeypatch.setattr("studies.run.runner.check", no_model)
    Runner(store, opener(InlineExecutor()), once=True).run()
    assert states(store, "other") == ["paused"]
    assert "this machine cannot run it: unknown model" in store.study("other").runs[0].message
    assert states(store) == ["done"] * 4


def test_without_a_cluster_nothing_leaves_the_queue(store, definition):
    def no_cluster():
        raise InputError("no Dask scheduler answers", ("scheduler",))

    queue(store, definition)
    assert not Runner(store, no_cluster, once=True).run()
    assert states(store) == ["queued"] * 4


def test_a_wish_heard_before_a_run_begins_is_granted(store, definition):
    """A run taken over from a killed process is stopped while kernels load."""
    queue(store, definition)
    (_, claim), *_ = store.claim_runs(store.study("bnh").runs[:1], this_process())
    store.begin_run(claim, {"packages": {}, "model_version": 1})
    store.give_up([claim])

    @contextmanager
    def slow_start():
        store.stop_study("bnh")
        yield InlineExecutor()

    resume_study(store, "bnh", slow_start)
    assert states(store) == ["cancelled"] * 4


def test_a_long_silence_of_the_store_pauses_nothing(store, definition, monkeypatch):
    """The claim grows old in the middle of a run; the store answers again before anybody takes over."""
    silent = threading.Event()
    renew = type(store).renew

    def renew_or_not(self, claims):
        if silent.is_set():
            raise StoreError("no answer")
        return renew(self, claims)

    def fall_silent():
        silent.set()
        threading.Event().wait(0.5)
        threading.Timer(0.3, silent.clear).start()

    class Stopping(Meddling):
        def evaluate(self, tasks, sink, should_stop, limits=None, **said):
            super().evaluate(tasks, sink, lambda: should_stop() and not threading.Event().wait(0.6), limits)

    monkeypatch.setattr(heartbeat.Heartbeat.__init__, "__defaults__", (0.02, 0.4))
    monkeypatch.setattr(type(store), "renew", renew_or_not)
    study = run_study(store, definition, opener(Stopping(30, fall_silent)))
    assert [run.state for run in study.runs] == ["done"] * 4


def test_another_version_of_the_model_is_refused_and_not_called_diverged(store, definition, monkeypatch):
    run_study(store, definition, opener(InlineExecutor(stop_after=30)))
    model = load("bnh")
    newer = dataclasses.replace(model, version=model.version + 1)
    monkeypatch.setattr("studies.definition.stored_model.load", lambda name: newer)
    with pytest.raises(VersionError, match="version 1 of bnh"):
        resume_study(store, "bnh", opener(InlineExecutor()))
    assert states(store) == ["paused"] * 4


def test_other_versions_refuse_to_resume_and_a_branch_starts_anew(store, definition, monkeypatch):
    run_study(store, definition, opener(InlineExecutor(stop_after=30)))
    monkeypatch.setattr(provenance, "version", lambda name: "99.0")
    with pytest.raises(VersionError, match=r"pymoo .* as a branch") as refused:
        resume_study(store, "bnh", opener(InlineExecutor()))
    assert refused.value.remedy[:3] == ("studies", "branch", ("bnh",))
    assert states(store) == ["paused"] * 4
    queue(store, definition)
    store.queue_study("bnh")
    Runner(store, opener(InlineExecutor()), once=True).run()
    assert states(store) == ["paused"] * 4
    assert "as a branch under a new name" in store.study("bnh").runs[0].message

    with pytest.raises(InputError, match="name that differs from its study's"):
        branch_study(store, "bnh", "bnh")
    branch = branch_study(store, "bnh", "bnh-99")
    assert branch.branch_of == "bnh"
    executor = InlineExecutor()
    resume_study(store, "bnh-99", opener(executor))
    assert states(store, "bnh-99") == ["done"] * 4
    asked = sum(store.generations(run)[-1].asked for run in store.study("bnh-99").runs)
    assert len(executor.keys) <= asked - 30, "evaluated designs were computed again"


def test_a_design_is_reproduced_and_a_change_of_one_bit_is_found(store, definition):
    study = run_study(store, definition, opener(InlineExecutor()))
    record = store.front(study.runs[0])[0].evaluation
    found = reproduce(store, record.key[:12])
    assert found.identical
    assert dict(found.again.metrics) == dict(record.metrics)
    bent = '{"f1":1.0000000000000002' + ',"f2":2.0,"c1":1.0,"c2":1.0}'
    with store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE evaluation SET metrics = ? WHERE key = ?", (bent, record.key))
    assert set(reproduce(store, record.key).differences) == {"f1", "f2", "c1", "c2"}
    with pytest.raises(InputError, match="no stored design"):
        reproduce(store, "f" * 20 + "0" * 20)
    with pytest.raises(InputError, match="first 6 to 64"):
        reproduce(store, "%")
    with store._engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE evaluation SET state = 'failed', kind = 'timeout' WHERE key = ?", (record.key,)
        )
    with pytest.raises(
        InputError, match="no result that could be reproduced: its evaluation ended as timeout"
    ):
        reproduce(store, record.key)


def test_wall_time_and_stagnation_end_a_run_in_words(store, bnh_study):
    text = bnh_study.replace("generations = 6", "generations = 4000\nwall_time = 1e-6")
    study = run_study(store, parse_study(text), opener(InlineExecutor()))
    assert store.generations(study.runs[0])[-1].number == 1
    assert "its wall time of 1e-06 s is used up" in study.runs[0].message
    text = bnh_study.replace("generations = 6", "generations = 4000\nstagnation = 3")
    study = run_study(store, parse_study(text.replace('"bnh"', '"still"', 1)), opener(InlineExecutor()))
    past = [generation.hypervolume for generation in store.generations(study.runs[0])]
    assert "not improved for 3 generations" in study.runs[0].message
    assert past[-1] - past[-4] <= 1e-4 * past[-1] < past[4] - past[1]


def test_claims_are_given_up_when_a_crew_ends(store, definition):
    run_study(store, definition, opener(InlineExecutor(stop_after=30)))
    claimed = store.claim_runs(store.study("bnh").runs, this_process())
    assert len(claimed) == 4


OWNERS = {
    "on another-machine": dataclasses.replace(this_process(), id="far", host="another-machine"),
    f"process {os.getpid()} on": this_process(),
}
"""Nobody here knows whether the one lives, or whether the other's thread that claimed is still at work."""


def claimed_by(store, definition, owner):
    return store.claim_runs(queue(store, definition).runs, owner)


@pytest.mark.parametrize("owner", OWNERS, ids=["elsewhere", "here"])
def test_a_lease_that_nobody_may_be_keeping_is_waited_for(tmp_path, definition, monkeypatch, owner):
    moments = itertools.count(0.0, 5.0)
    monkeypatch.setattr("studies.run.launch.time.sleep", lambda _: next(moments))
    with Store(str(tmp_path / "tautline.db"), clock=lambda: 1e9 + next(moments)) as store:
        claimed_by(store, definition, OWNERS[owner])
        heard = []
        study = resume_study(store, "bnh", opener(InlineExecutor()), report=heard.append)
    assert study.state == "done"
    assert heard[0].phase == "waiting"
    assert "being worked on by process" in heard[0].message
    assert owner in heard[0].message


@pytest.mark.parametrize("owner", OWNERS, ids=["elsewhere", "here"])
def test_whoever_renews_a_lease_keeps_its_runs(store, definition, monkeypatch, owner):
    claimed = claimed_by(store, definition, OWNERS[owner])
    monkeypatch.setattr(
        "studies.run.launch.time.sleep", lambda _: store.renew([claim for _, claim in claimed])
    )
    with pytest.raises(LeaseError, match=owner):
        resume_study(store, "bnh", opener(InlineExecutor()))
    assert len(store.renew([claim for _, claim in claimed])) == len(claimed)
