"""Sweeps of stored fronts as a service gives them: asked for, worked off by a runner, watched."""

import time

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.resources.sweeps import SweepRequest
from studies.results.evaluation_plan import count_missing
from studies.run.launch import run_study
from studies.uncertainty.sweep import read_plan
from tests.conftest import InlineExecutor
from tests.service.working import runner_at_work
from tests.studies.uncertainty.sweep_studies import two_layouts

OVER = SweepRequest(over={"x2": [0.5, 2.0]})


@pytest.fixture
def sweeps(store, inline):
    run_study(store, two_layouts("[1]"), inline(InlineExecutor()))
    return StoreServices(Context(store=store)).sweeps


def ended(sweeps, number):
    deadline = time.monotonic() + 60
    while (found := sweeps.get("sides", number)).state in ("queued", "running"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def test_a_runner_computes_it_once_however_often_it_is_asked_for(store, sweeps):
    asked = [sweeps.start("sides", OVER) for _ in range(3)]
    assert {(found.sweep, found.state) for found in asked} == {(asked[0].sweep, "queued")}
    with runner_at_work(store), runner_at_work(store):
        found = ended(sweeps, asked[0].sweep)
    assert (found.state, found.done) == ("done", found.wanted)
    assert sweeps.map("sides", found.sweep).complete
    assert sweeps.start("sides", OVER).state == "done", "what is stored is not computed again"
    assert [job.state for job in store.jobs.of("sides")] == ["done"]


def test_one_that_was_cancelled_says_so_and_goes_on_when_it_is_asked_for_again(store, sweeps):
    made = sweeps.start("sides", OVER)
    (job,) = store.jobs.of("sides")
    store.jobs.stop("sides", job.id)
    found = sweeps.get("sides", made.sweep)
    assert (found.state, found.message) == (
        "failed", f"job {job.id} is cancelled: by request; ask again, and it goes on"
    )  # fmt: skip
    assert sweeps.start("sides", OVER).state == "queued"
    with runner_at_work(store):
        assert ended(sweeps, made.sweep).state == "done"


def test_one_deleted_and_asked_for_again_is_computed_under_its_new_number(store, sweeps):
    old = sweeps.start("sides", OVER)
    sweeps.delete("sides", old.sweep)
    assert store.jobs.of("sides") == []
    new = sweeps.start("sides", OVER)
    assert new.sweep != old.sweep
    with runner_at_work(store):
        assert ended(sweeps, new.sweep).state == "done"
    plan = read_plan(store, store.sweeps.find("sides", new.sweep))
    assert count_missing(plan, store) == 0


def test_who_watches_reads_the_row_of_the_job_alone(store, sweeps, monkeypatch):
    made = sweeps.start("sides", OVER)

    def plan(*_):
        raise AssertionError("planned anew")

    for name in ("read_plan", "store_sweep"):
        monkeypatch.setattr(f"service.app.sweeps.{name}", plan)
    monkeypatch.setattr("service.app.jobs._SOON_SECONDS", 0.0)
    found = sweeps.get("sides", made.sweep)
    assert (found.state, found.done, found.wanted) == ("queued", 0, made.wanted)
    assert "no runner has been at work" in found.message
    monkeypatch.undo()
    with runner_at_work(store):
        assert ended(sweeps, made.sweep).state == "done"
    (job,) = store.jobs.of("sides")
    assert (job.evaluated, job.wanted) == (made.wanted, made.wanted)


def test_searches_under_conditions_wait_for_a_runner_too(sweeps, monkeypatch):
    monkeypatch.setattr("service.app.jobs._SOON_SECONDS", 0.0)
    found = sweeps.start("sides", OVER.model_copy(update={"mode": "search"}))
    assert found.state == "queued"
    assert "no runner has been at work" in found.message


def test_a_front_under_evaluation_is_read_from_the_row_of_its_job(store, sweeps, monkeypatch):
    reevaluations = StoreServices(Context(store=store)).reevaluations
    job = store.jobs.ask("sides", "reevaluation", {}, wanted=7)

    def plan(*_):
        raise AssertionError("planned anew")

    monkeypatch.setattr("service.app.reevaluations.front_tasks", plan)
    monkeypatch.setattr("service.app.jobs._SOON_SECONDS", 0.0)
    found = reevaluations.get("sides")
    assert (found.state, found.evaluated, found.designs, found.model) == ("queued", 0, 7, "bnh")
    assert "no runner has been at work" in found.message
    store.jobs.stop("sides", job.id)
    monkeypatch.undo()
    assert reevaluations.get("sides").state == "done", "all of this version is stored"
