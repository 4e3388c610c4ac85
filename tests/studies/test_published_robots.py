"""The published robots of the literature, searched with their own limits from a file of a few lines."""

import tomllib
from pathlib import Path

import pytest

from studies.definition.study_file import read_study
from studies.problem.problem import check
from studies.results.fronts import fronts
from studies.run.launch import run_study

EXAMPLES = Path(__file__).parents[2] / "examples"
ROBOTS = tomllib.loads(
    (Path(__file__).parents[1] / "models" / "hybrid_cable_robot" / "robots.toml").read_text()
)
POSE_LIMITS = {
    "cogiro": ((-7.0, -5.0, 0.0), (7.0, 5.0, 5.0)),
    "ipanema-1": ((-4.5, -3.5, 0.0), (4.5, 3.5, 3.5)),
    "segesta": ((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0)),
}
GRAVITY = 9.81  # [m/s^2]


@pytest.mark.parametrize("name", ROBOTS)
def test_the_file_states_what_the_source_states(name):
    robot, problem = ROBOTS[name], check(read_study(EXAMPLES / f"{name}.toml"))["default"]
    stated = problem.model.resolve(None, problem.settings)
    assert stated.pulleys == tuple(map(tuple, robot["pulleys"]))
    assert stated.attachments == tuple(map(tuple, robot["attachments"]))
    assert (stated.f_min, stated.f_max) == (robot["f_min"], robot["f_max"])
    assert stated.space == POSE_LIMITS[name]
    x, y, _ = robot["centre_of_mass"]
    weight = -GRAVITY * robot["mass"]
    if stated.wrench_set == "gravity":
        assert stated.platform_body.mass == robot["mass"]
        assert stated.platform_body.centre_of_mass == tuple(robot["centre_of_mass"])
        assert sum(link.mass for link in stated.arm_links) == 0.0
    else:
        assert stated.wrench_set.center == pytest.approx((0, 0, weight, y * weight, -x * weight, 0), rel=0.01)


@pytest.mark.parametrize("name", ROBOTS)
def test_a_small_search_finds_designs_with_a_workspace(name, store, inline, make_executor):
    definition = read_study(EXAMPLES / f"{name}.toml")
    search = definition.search.model_copy(update={"population": 6, "generations": 2})
    small = {**definition.parameters, "cells": 6}
    changes = {"seeds": [1], "search": search, "parameters": small}
    study = run_study(store, definition.model_copy(update=changes), inline(make_executor()))
    assert study.state == "done"
    front = fronts(store, study)["default"]
    assert front
    assert all(design.metrics["workspace_volume"] > 0 for design in front)
