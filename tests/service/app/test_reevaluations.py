"""Fronts that are evaluated again in the background: one for an account at a time, and every end is a state."""

import threading
import time

import pytest

from errors import AbsentError, LimitError, WorkerError
from models import load
from service.app.reevaluation_jobs import ReevaluationJobs, one_by_one
from studies.execution.evaluation import evaluate_task, task_of


class Work:
    """Evaluates when it is let, after raising what it was given."""

    def __init__(self, *errors):
        self.errors, self.go, self.evaluated = list(errors), threading.Event(), 0

    def evaluate(self, task):
        assert self.go.wait(60)
        if self.errors:
            raise self.errors.pop(0)
        self.evaluated += 1
        return evaluate_task(task, "here")


@pytest.fixture
def tasks():
    model = load("bnh")
    return [
        task_of(model, model.resolve(None, {"x1": x}).model_dump(mode="json"), model.cost_classes[0], 0)
        for x in (1.0, 2.0)
    ]


@pytest.fixture
def jobs(store, monkeypatch):
    monkeypatch.setattr(store, "study", lambda name: name)  # each of them is there
    made = ReevaluationJobs(store)
    yield made
    made.close()


def ended(jobs, study, **which):
    """State and message of a job after its end."""
    deadline = time.monotonic() + 60
    while jobs.state(study, **which)[0] in {"queued", "running"}:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return jobs.state(study, **which)


def test_a_front_is_evaluated_once_however_often_it_is_asked_for(store, jobs, tasks):
    work = Work()
    for _ in range(3):
        jobs.begin("one", "edda", one_by_one(store, "one", tasks, work))
    assert jobs.state("one")[0] in {"queued", "running"}
    work.go.set()
    assert ended(jobs, "one") == ("", "")
    assert work.evaluated == len(store.known(tasks)) == 2


def test_an_account_has_one_front_evaluated_at_a_time(store, jobs, tasks):
    work = Work()
    jobs.begin("one", "edda", one_by_one(store, "one", tasks, work))
    with pytest.raises(LimitError, match="the front of 'one' is being evaluated again for you"):
        jobs.begin("two", "edda", one_by_one(store, "two", tasks, work))
    jobs.begin("three", "adam", one_by_one(store, "three", tasks, work))
    assert jobs.state("three")[0] == "queued"
    work.go.set()
    assert ended(jobs, "three") == ("", "")
    jobs.begin("two", "edda", one_by_one(store, "two", tasks, work))
    assert ended(jobs, "two") == ("", "")


def test_what_computes_for_others_is_waited_for(store, jobs, tasks):
    work = Work(LimitError("busy"), LimitError("busy"))
    work.go.set()
    jobs.begin("one", "", one_by_one(store, "one", tasks, work))
    assert ended(jobs, "one") == ("", "")
    assert len(store.known(tasks)) == 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (WorkerError("no worker is there"), "no worker"),
        (ZeroDivisionError("0/0"), "the server's log says more"),
    ],
)
def test_one_that_failed_says_why_and_may_be_asked_for_again(store, jobs, tasks, error, said):
    work = Work(error)
    work.go.set()
    jobs.begin("one", "", one_by_one(store, "one", tasks, work))
    state, message = ended(jobs, "one")
    assert (state, said in message) == ("failed", True)
    jobs.begin("one", "", one_by_one(store, "one", tasks, work))
    assert ended(jobs, "one") == ("", "")
    assert len(store.known(tasks)) == 2


def test_nothing_more_is_evaluated_of_a_study_that_was_deleted(store, jobs, tasks, monkeypatch):
    def gone(name):
        raise AbsentError(f"there is no study '{name}'")

    work = Work()
    work.go.set()
    monkeypatch.setattr(store, "study", gone)
    jobs.begin("one", "edda", one_by_one(store, "one", tasks, work))
    assert ended(jobs, "one") == ("failed", "there is no study 'one'")
    assert work.evaluated == 0


def test_work_on_a_deleted_sweep_is_none_on_the_next(store, define_bnh, tasks):
    store.create_study(define_bnh(), ["default"])
    old = store.sweeps.add("bnh", "reevaluate", {"x1": (1.0,)}, "a" * 64)
    jobs, work = ReevaluationJobs(store), Work()
    jobs.begin("bnh", "edda", one_by_one(store, "bnh", tasks, work), sweep=old.digest)
    store.sweeps.remove("bnh", old.id)
    new = store.sweeps.add("bnh", "reevaluate", {"x1": (2.0,)}, "b" * 64)
    assert new.id != old.id
    assert jobs.state("bnh", sweep=new.digest) == ("", "")
    work.go.set()
    assert ended(jobs, "bnh", sweep=old.digest) == ("", "")
    jobs.close()
