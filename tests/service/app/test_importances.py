"""Importance of variables as a service gives it: from the store alone, for those who may see the study."""

import pytest

from errors import AbsentError, InputError
from studies.results.variable_importance import variable_importances
from tests.service.app.conftest import ANNE, BERT, as_person


@pytest.fixture
def built(store, local, define_bnh, run_inline):
    local.studies.create(define_bnh())
    run_inline(store, "bnh")


def test_numbers_are_those_of_the_study_with_a_figure_each(store, local, built):
    found = local.importances.get("bnh")
    expected = variable_importances(store, "bnh")
    assert (found.layout, found.designs) == ("default", expected.designs)
    for metric, own in zip(found.metrics, expected.metrics, strict=True):
        assert [one.importance for one in metric.variables] == [one.importance for one in own.variables]
        assert metric.figure.data[0]["name"] == "importance"
    assert [one.metric for one in local.importances.get("bnh", metrics=["c1"]).metrics] == ["c1"]


def test_a_study_that_has_hardly_begun_is_told_apart(local, define_bnh):
    local.studies.create(define_bnh())
    found = local.importances.get("bnh")
    assert found.designs == 0
    assert all("at least 30 are needed" in metric.remark for metric in found.metrics)
    assert local.importances.slice("bnh", "f1", "x1").figure.data == []


def test_a_slice_has_the_stored_designs(local, built):
    found = local.importances.slice("bnh", "f1", "x1")
    count = local.importances.get("bnh").designs
    assert sum(len(trace["x"]) for trace in found.figure.data[:-1]) == count
    assert str(count) in found.caption
    assert local.importances.slice("bnh", "f1", "x1", "x2").figure.data[0]["type"] == "heatmap"


@pytest.mark.parametrize(
    ("given", "place", "words"),
    [
        (("f9", "x1"), ("metric",), "f1"),
        (("f1", "x9"), ("variable",), "x1"),
        (("f1", "x1", "x9"), ("other",), "x2"),
        (("f1", "x1", "x1"), ("other",), "another variable"),
        (("f1", "x1", None, "left"), ("layout",), "default"),
    ],
)
def test_faulty_questions_name_the_place(local, built, given, place, words):
    with pytest.raises(InputError, match=words) as caught:
        local.importances.slice("bnh", *given)
    assert caught.value.place == place


def test_somebody_else_s_private_study_is_missing(store, define_bnh):
    as_person(store, ANNE).studies.create(define_bnh())
    with pytest.raises(AbsentError):
        as_person(store, BERT).importances.get("bnh")
    with pytest.raises(AbsentError):
        as_person(store, BERT).importances.slice("bnh", "f1", "x1")
