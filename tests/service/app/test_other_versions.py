"""Stored designs of another version of their model: drawn by their geometry, and never mixed in silence."""

from dataclasses import replace

import pytest

from errors import InputError
from models import load
from service.app import designs
from service.resources.models import DesignEvaluationRequest
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from tests.service.app.test_refused_studies import COARSE

ROBOT = COARSE.replace("[layouts.upper.variables]\ncells = { options = [4, 6] }\n", "")


@pytest.fixture
def raise_version(monkeypatch):
    """From now on, every back-end has a later version."""

    def install():
        monkeypatch.setattr(designs, "load_code", lambda name: replace(load(name), version=99))

    return install


def test_a_robot_is_drawn_by_its_geometry_and_the_picture_says_so(
    store, local, inline, make_executor, raise_version
):
    run_study(store, parse_study(ROBOT), inline(make_executor()))
    key = local.fronts.list("coarse").items[0].key
    whole = local.designs.figure(key, "coarse")
    assert (whole.remark, local.designs.get(key, "coarse").remark) == ("", "")
    raise_version()
    version = load("hybrid-cable-robot").version
    said = f"was evaluated by version {version} of hybrid-cable-robot, and version 99 is installed"
    found = local.designs.figure(key, "coarse")
    assert found.remark == f"The geometry alone is drawn, nothing that is computed: the design {said}."
    names = {trace.get("name") for trace in found.data}
    assert "cables" in names
    assert "workspace" in {trace.get("name") for trace in whole.data} - names
    assert found.remark in local.designs.scene(key, "coarse").caption
    assert local.designs.get(key, "coarse").remark == f"It {said} and computes other results."
    moved = local.designs.draw(key, "coarse", DesignEvaluationRequest(variables={"beta1": 1.0}))
    assert moved.remark == found.remark
    assert moved.data != found.data
    with pytest.raises(InputError, match="no view of this design: it was evaluated by version"):
        local.designs.figure(key, "coarse", "least_tension")
    with pytest.raises(InputError, match="no file of this design: it was evaluated by version"):
        local.designs.export(key, "json", "coarse")


def test_a_model_without_an_outline_is_not_drawn(local, finished, raise_version):
    key = local.fronts.list(finished).items[0].key
    raise_version()
    with pytest.raises(InputError, match="no view of this design: it was evaluated by version 1 of bnh"):
        local.designs.figure(key, finished)
