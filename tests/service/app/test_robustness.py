"""Designs under tolerances as a service gives them: a few seconds at a time, for those who may see them."""

import re
import shutil
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from errors import AbsentError, ForbiddenError, InputError, StateError
from service.app import designs, jobs, robustness
from service.resources.models import DesignEvaluationRequest
from service.resources.robustness import RobustRequest, SensitivityRequest
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store, this_process
from tests.conftest import InlineExecutor
from tests.service.working import runner_at_work
from tests.studies.definition.test_tolerances import BNH


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "tautline.db"
    with Store(str(path)) as store:
        run_study(store, parse_study(BNH), lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture
def store(made, tmp_path):
    with Store(str(shutil.copy(made, tmp_path))) as opened:
        yield opened


@pytest.fixture
def at_work(store):
    """A runner beside the service."""
    with runner_at_work(store):
        yield


@pytest.fixture
def built(local):
    return local.fronts.list("built").items[0].key


def finish(ask):
    found = ask()
    while not found.done:
        found = ask()
    return found


@pytest.mark.usefixtures("at_work")
def test_a_design_has_statistics_robots_figures_and_indices(local, built):
    found = finish(lambda: local.robustness.design(built, "built", RobustRequest(index_rows=16)))
    assert found.evaluated == found.wanted
    assert (found.samples, found.works, found.feasible) == (16, 16, 16)
    assert found.toleranced == ["x1", "x2"]
    metric = next(each for each in found.metrics if each.metric == "f1")
    stored = local.designs.get(built).metrics
    for one in metric.statistics:
        assert one.value == stored[f"robust.f1.{one.statistic}"]
        assert one.error == stored.get(f"robust.f1.{one.statistic}.error")
    assert len(metric.robots) == 16
    assert [bar.path for bar in metric.tornado] == ["x1", "x2"]
    assert sum(metric.histogram_figure.data[0]["y"]) == 16
    assert metric.tornado_figure.data[0]["y"][0] in ("x1", "x2")
    assert {each.metric for each in found.indices} == {"f1", "f2", "c1"}
    assert [each.factor for each in found.indices[0].factors] == ["x1", "x2"]


def test_a_design_with_another_variable_has_statistics_over_robots_too(local, built):
    """Without them its constraints on statistics would have no value."""
    stored = local.designs.get(built, "built")
    same = local.designs.evaluate(built, "built", DesignEvaluationRequest(metrics=["gap", "robust.f1.q95"]))
    assert same.metrics == {name: stored.metrics[name] for name in ("gap", "robust.f1.q95")}
    moved = DesignEvaluationRequest(variables={"t": 2.0})
    found = local.designs.evaluate(built, "built", moved)
    assert set(found.metrics) == set(stored.metrics)
    assert found.metrics["robust.f1.mean"] == pytest.approx(found.metrics["f1"], rel=0.05)
    assert found.metrics["gap"] == found.metrics["robust.cost.q95"] - found.metrics["cost"]
    nominal = moved.model_copy(update={"metrics": ["cost"]})
    assert local.designs.evaluate(built, "built", nominal).metrics == {"cost": found.metrics["cost"]}


def test_robots_that_take_long_are_made_of_a_design_only_when_a_statistic_is_named(local, built, monkeypatch):
    quick = DesignEvaluationRequest(variables={"t": 2.0})
    whole = local.designs.evaluate(built, "built", quick).metrics
    monkeypatch.setattr(designs, "_WAIT_SECONDS", 0.0)
    found = local.designs.evaluate(built, "built", quick)
    assert found.metrics == {name: whole[name] for name in ("f1", "f2", "c1", "c2", "cost")}
    assert found.warnings == [
        "statistics over robots are left out, which take long; name one among the metrics to have it"
    ]
    named = quick.model_copy(update={"metrics": ["gap"]})
    assert local.designs.evaluate(built, "built", named).metrics == {"gap": whole["gap"]}
    monkeypatch.undo()
    finer = DesignEvaluationRequest(settings={"x1": 1.0})
    assert "gap" not in local.designs.evaluate(built, "built", finer).metrics, (
        "settings may make it take longer"
    )


def test_a_request_waits_a_while_for_its_job_and_the_next_one_goes_on(store, local, built, monkeypatch):
    monkeypatch.setattr(robustness, "_SECONDS", 0.0)
    first = local.robustness.design(built, "built")
    assert (first.evaluated < first.wanted, first.done, first.metrics) == (True, False, [])
    (job,) = local.jobs.list("built").items
    assert (job.kind, job.state) == ("robust", "queued")
    monkeypatch.undo()
    with runner_at_work(store):
        assert finish(lambda: local.robustness.design(built, "built")).done
    assert local.jobs.get("built", job.job).state == "done"
    assert local.robustness.design(built[:10]).done, "from the store, by the first characters, of any study"


def test_the_next_request_plans_nothing_and_says_that_no_runner_is_at_work(store, local, built, monkeypatch):
    monkeypatch.setattr(robustness, "_SECONDS", 0.0)
    first = local.robustness.design(built, "built")
    assert (first.evaluated, first.wanted, first.message) == (0, 21, "")
    (job,) = store.jobs.of("built")
    ((_, claim),) = store.claim_runs([job], this_process())
    store.begin_run(claim, {})
    store.save_results(claim, [], 13)

    def plan(*_):
        raise AssertionError("planned anew")

    monkeypatch.setattr(robustness.DesignSamples, "tasks", plan)
    monkeypatch.setattr(jobs, "_SOON_SECONDS", 0.0)
    found = local.robustness.design(built, "built")
    assert (found.evaluated, found.wanted, found.message) == (13, 21, "")
    assert (local.jobs.get("built", job.id).evaluated, local.jobs.get("built", job.id).wanted) == (13, 21)
    store.leave_run(claim, "queued")
    found = local.robustness.design(built, "built")
    assert re.fullmatch(
        r"no runner has been at work for \d+ s; this waits until one is started", found.message
    )


def test_a_job_that_is_paused_or_stopped_is_told_to_those_who_wait(local, built, anne, vera, monkeypatch):
    monkeypatch.setattr(robustness, "_SECONDS", 0.0)
    local.robustness.design(built, "built")
    (job,) = local.jobs.list("built").items
    assert local.jobs.pause("built", job.job).state == "paused"
    assert local.jobs.resume("built", job.job).state == "queued"
    for person in (anne, vera):
        with pytest.raises(AbsentError):
            person.jobs.stop("built", job.job)
    with pytest.raises(AbsentError, match="unknown job"):
        local.jobs.get("built", job.job + 1)
    monkeypatch.setattr(robustness, "_SECONDS", 60.0)
    meanwhile = SimpleNamespace(sleep=lambda _: local.jobs.stop("built", job.job), monotonic=time.monotonic)
    monkeypatch.setattr(jobs, "time", meanwhile)
    with pytest.raises(StateError, match=f"job {job.job} is cancelled: by request"):
        local.robustness.design(built, "built")


@pytest.mark.usefixtures("at_work")
def test_tolerances_of_a_request_replace_those_of_the_study(local, built):
    request = RobustRequest(tolerances={"x1": {"uniform": 0.01}}, samples=32, metrics=["f2"], tornado=False)
    found = finish(lambda: local.robustness.design(built, "built", request))
    assert found.toleranced == ["x1"]
    assert found.wanted == 33
    assert [each.metric for each in found.metrics] == ["f2"]
    assert found.metrics[0].tornado_figure is None


@pytest.mark.parametrize(
    ("request_", "place", "words"),
    [
        (RobustRequest(tolerances={"x1": {"normal": -1}}), ("tolerances", "x1", "normal"), "negative"),
        (RobustRequest(tolerances={"x9": {"normal": 1}}), ("tolerances", "x9"), "x1"),
        (RobustRequest(tolerances={"x1": {"norml": 1}}), ("tolerances", "x1"), "normal"),
        (RobustRequest(tolerances={}, metrics=["f7"]), ("metrics",), "f1"),
        (RobustRequest(samples=100), ("samples",), "power of two"),
        (RobustRequest(index_rows=3), ("index_rows",), "power of two"),
    ],
)
def test_faulty_requests_name_the_place(local, built, request_, place, words):
    before = local.evaluations.list("built").items
    with pytest.raises(InputError, match=words) as caught:
        local.robustness.design(built, "built", request_)
    assert caught.value.place == place
    assert local.evaluations.list("built").items == before


@pytest.mark.usefixtures("at_work")
def test_indices_of_a_study(local, built):
    found = finish(lambda: local.robustness.variables("built", SensitivityRequest(rows=16)))
    assert found.layout == "default"
    assert [each.factor for each in found.indices[0].factors] == ["x1", "t"]
    with pytest.raises(InputError, match="power of two"):
        local.robustness.variables("built", SensitivityRequest(rows=17))


def test_only_those_who_see_the_study_see_its_designs(local, built, anne, vera):
    with pytest.raises(AbsentError):
        anne.robustness.design(built, "built")
    with pytest.raises(AbsentError):
        anne.robustness.design(built)
    with pytest.raises(AbsentError):
        anne.robustness.variables("built")
    with pytest.raises(AbsentError):
        vera.robustness.design(built)


@pytest.mark.usefixtures("at_work")
def test_viewers_read_what_is_there_and_compute_nothing(store, local, built, vera):
    from service.resources.studies import StudyEdit

    local.studies.edit("built", StudyEdit(visibility="shared"))
    with pytest.raises(ForbiddenError):
        vera.robustness.design(built, "built")
    finish(lambda: local.robustness.design(built, "built"))
    assert vera.robustness.design(built, "built").done
