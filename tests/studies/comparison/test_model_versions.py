"""A model whose version was raised: old results stay readable, comparisons say so, a front is evaluated again."""

import dataclasses
import re

import pytest

import models.registry
from errors import InputError, VersionError
from models import Evaluation, load
from service.app.context import Context
from service.app.services import StoreServices
from studies.comparison.comparison import compare_layouts
from studies.comparison.conditions import version_remarks
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study, run_study
from studies.run.questions import reevaluate_front
from studies.store import this_process


def second_version(parameters):
    """As the first version, but for one constraint and half of the designs' first objective."""
    found = load("bnh-first").evaluate(parameters, "plain", 0)
    metrics = dict(found.metrics)
    metrics["f1"] = metrics["f1"] + (100.0 if parameters.x1 > 2.0 else 0.0)
    metrics["c1"] = metrics["c1"] - (1000.0 if found.metrics["f1"] > 60.0 else 0.0)
    return Evaluation(metrics)


@pytest.fixture
def raise_version(monkeypatch):
    """Installs another version of BNH from now on."""
    first = load("bnh")
    second = dataclasses.replace(first, version=2, stages={"plain": second_version})
    versions = {"bnh": first, "bnh-first": first}

    def found(name):
        return versions[name] if name in versions else ORIGINAL(name)

    for module in (
        "models.registry", "models", "studies.comparison.conditions", "studies.execution.evaluation", "service.app.models", "studies.results.reevaluation", "studies.definition.stored_model",
    ):  # fmt: skip
        monkeypatch.setattr(f"{module}.load", found)
    monkeypatch.setattr(f"{__name__}.load", found)

    def install():
        versions["bnh"] = second

    return install


def plain_text(page):
    """A page's text with plain spaces."""
    return " ".join(re.sub("<[^>]*>", " ", page).replace("\N{NO-BREAK SPACE}", " ").split())


ORIGINAL = models.registry.load


@pytest.fixture
def old_study(store, bnh_study, inline, make_executor, raise_version):
    study = run_study(store, parse_study(bnh_study), inline(make_executor()))
    raise_version()
    return study


def test_a_study_of_an_older_version_is_readable_in_all_faces(store, old_study):
    local = StoreServices(Context(store=store))
    assert [study.name for study in local.studies.list().items] == ["bnh"]
    (remark,) = local.studies.get("bnh").remarks
    assert "evaluated by version 1 of bnh; version 2 is installed" in remark
    assert "its front can be evaluated again" in remark
    assert local.runs.list("bnh").items[0].hypervolume > 0.0
    assert len(local.fronts.list("bnh").items) > 5
    assert local.fronts.picks("bnh").items
    assert local.studies.quantities("bnh").objectives
    assert local.exports.table("bnh", "json").designs == 72
    assert remark in local.comparisons.layouts("bnh").unequal
    assert remark in local.comparisons.studies(["bnh"]).conditions
    assert remark.split("`")[0].strip() in " ".join(
        local.exports.report("bnh").replace("\N{NO-BREAK SPACE}", " ").split()
    )
    assert local.designs.get(local.fronts.list("bnh").items[0].key).model_version == 1


def test_what_the_installed_version_evaluated_needs_no_remark(store, bnh_study, inline, make_executor):
    study = run_study(store, parse_study(bnh_study), inline(make_executor()))
    assert version_remarks(store, study) == []
    assert StoreServices(Context(store=store)).studies.get("bnh").remarks == []


def test_a_comparison_across_versions_says_so(store, old_study, bnh_study, inline, make_executor):
    again = parse_study(bnh_study.replace('name = "bnh"', 'name = "again"'))
    run_study(store, again, inline(make_executor()))
    found = StoreServices(Context(store=store)).comparisons.studies(["bnh", "again"], across_conditions=True)
    assert "different versions of bnh (bnh: 1, again: 2)" in found.conditions[0]
    assert found.same_conditions is False
    assert any(one.condition == "version" for one in found.differences)


def test_a_run_of_an_older_version_does_not_go_on(store, bnh_study, inline, make_executor, raise_version):
    run_study(store, parse_study(bnh_study), inline(make_executor(stop_after=30)))
    raise_version()
    with pytest.raises(VersionError, match="version 1 of bnh"):
        resume_study(store, "bnh", inline(make_executor()))


def test_runs_of_one_study_may_be_of_two_versions(store, bnh_study):
    study = store.create_study(parse_study(bnh_study), ["one", "two"])
    for version, (_, claim) in enumerate(store.claim_runs(study.runs, this_process()), 1):
        store.begin_run(claim, {"model_version": version})
    first, *_ = version_remarks(store, study)
    assert "several versions of bnh (one 1, two 2)" in first


def test_a_front_is_evaluated_again_beside_the_stored_one(store, old_study, inline, make_executor):
    executor = make_executor()
    before = compare_layouts(store, old_study).fronts["default"]
    rows = reevaluate_front(store, "bnh", inline(executor))
    assert [row.stored.key for row in rows] == [design.key for design in before]
    assert len(executor.keys) == len(rows)
    assert {row.stored.task.model_version for row in rows} == {1}
    assert {row.again.task.model_version for row in rows} == {2}
    for row in rows:
        x1 = row.stored.task.parameters["x1"]
        assert row.again.task.parameters == row.stored.task.parameters
        assert row.again.metrics["f1"] == row.stored.metrics["f1"] + (100.0 if x1 > 2.0 else 0.0)
        assert (row.outcome == "constraint broken") == (row.stored.metrics["f1"] > 60.0)
    assert {row.outcome for row in rows} >= {"stays", "constraint broken"}
    assert store.study("bnh") == old_study
    assert [d.metrics for d in compare_layouts(store, old_study).fronts["default"]] == [
        d.metrics for d in before
    ]


def test_a_front_that_was_evaluated_again_costs_nothing_the_next_time(
    store, old_study, inline, make_executor
):
    first = reevaluate_front(store, "bnh", inline(make_executor()))
    executor = make_executor()
    assert reevaluate_front(store, "bnh", inline(executor)) == first
    assert executor.keys == []
    assert store.check() == []


def test_a_study_that_the_installed_version_refuses_is_said_to_be(
    store, old_study, monkeypatch, inline, make_executor
):
    def refuse(definition):
        raise InputError("is a numerical setting", ("variables", "x1"))

    monkeypatch.setattr("studies.results.reevaluation.check", refuse)
    with pytest.raises(InputError, match="numerical setting"):
        reevaluate_front(store, "bnh", inline(make_executor()))
