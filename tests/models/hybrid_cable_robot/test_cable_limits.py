"""Limits of each cable: tensions, diameters, lengths and speeds."""

import re

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.optimize import linprog

from models import Infeasible
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, workspace
from models.hybrid_cable_robot.cables.geometry import cable_lengths, scaled_wrench_matrix
from models.hybrid_cable_robot.cell_results import LENGTH, PASSED, SPEED
from models.hybrid_cable_robot.robot import numbered_pulleys, robot_of
from models.hybrid_cable_robot.workspace_grid.workspace import tested_cells as results_of
from tests.oracles import cable_robot_cells

OWN = {
    "f_min": [0.0, 0.5, 0.0, 0.2, 0.3, 0.0, 0.1, 0.0],
    "f_max": [23.0, 30.0, 18.0, 23.0, 25.0, 40.0, 12.0, 23.0],
    "cable_diameter": [0.002, 0.004, 0.006, 0.002, 0.002, 0.008, 0.002, 0.002],
}
EASY = {"wrench_set": "gravity", "orientations": "nominal", "cells": 10}


def test_one_value_for_all_cables_and_the_same_value_for_each_are_the_same():
    one = workspace(HybridCableRobot(**EASY, f_min=0.1))
    each = workspace(HybridCableRobot(**EASY, f_min=[0.1] * 8, f_max=[23.0] * 8, cable_diameter=[0.002] * 8))
    for name in ("verdicts", "capacity_margins", "interference_margins", "inv_cond_stiffness"):
        np.testing.assert_array_equal(getattr(one, name), getattr(each, name))


@pytest.mark.parametrize("arrangement", ["constrained", "suspended"])
def test_kernels_give_what_the_definition_gives(arrangement):
    lengths = {"length_min": 0.35, "length_max": [1.0] * 7 + [0.95]}
    speeds = {"max_cable_speed": 1.0, "task_speed": 0.72}
    parameters = MODEL.resolve(arrangement, {**EASY, **OWN, **lengths, **speeds})
    found, robot = workspace(parameters), robot_of(parameters)
    expected = cable_robot_cells.evaluate_cells(robot, found.grid.centers(), every_index=False)
    np.testing.assert_array_equal(found.verdicts.ravel(), expected.verdicts)
    np.testing.assert_allclose(found.capacity_margins.ravel(), expected.margins, atol=1e-9)
    np.testing.assert_allclose(
        found.interference_margins.ravel(), expected.distances - robot.diameter, atol=1e-12
    )
    assert {LENGTH, SPEED} & set(found.verdicts.ravel().tolist())


def test_verdicts_and_tensions_are_those_of_linear_programmes():
    parameters = HybridCableRobot(**{**EASY, **OWN})
    rng, held = np.random.default_rng(6), 0
    for _ in range(40):
        position = rng.uniform(-0.3, 0.3, 3)
        wrench = np.array([*rng.uniform(-8, 8, 2), -20.0, *rng.uniform(-0.8, 0.8, 3)])
        pose = evaluate_pose(parameters, position, [0, 0, 0], wrench)
        bounds = list(zip(OWN["f_min"], OWN["f_max"], strict=True))
        found = linprog(np.zeros(8), A_eq=pose.wrench_matrix, b_eq=-wrench, bounds=bounds)
        assert (pose.capacity_margin >= 0) == (found.status == 0)
        assert (pose.tension_verdict == "held") == (found.status == 0)
        if found.status == 0:
            held += 1
            assert (pose.tensions >= OWN["f_min"]).all()
            assert (pose.tensions <= OWN["f_max"]).all()
    assert 5 < held < 35


@pytest.mark.parametrize("rule", ["minimum-norm", "centroid", "closed-form", "paper"])
@pytest.mark.parametrize("cables", [8, 9])
def test_every_rule_keeps_the_limits_of_each_cable(rule, cables):
    preset = HybridCableRobot()
    pulleys = [*numbered_pulleys(preset).tolist(), [0.0, 0.0, 0.6]]
    ends = [*preset.attachments, (0.01, 0.0, 0.05)]
    own = {name: (OWN[name] + [OWN[name][0]])[:cables] for name in ("f_min", "f_max")}
    parameters = HybridCableRobot(
        pulleys=pulleys[:cables], attachments=ends[:cables],
        tension_rule=rule, orientations="nominal", wrench_set="gravity", **own,
    )  # fmt: skip
    held = 0
    for position in np.random.default_rng(2).uniform(-0.2, 0.2, (25, 3)):
        pose = evaluate_pose(parameters, position, [0, 0, 0])
        if pose.tension_verdict == "held":
            held += 1
            assert (pose.tensions >= np.array(own["f_min"]) - 1e-9).all()
            assert (pose.tensions <= np.array(own["f_max"]) + 1e-9).all()
    assert held > 5 or rule in ("closed-form", "paper")


def test_a_wider_limit_loses_no_cell():
    base = {**EASY, **OWN, "length_max": 1.0, "length_min": 0.4}
    before = workspace(HybridCableRobot(**base)).feasible
    wider = {
        "f_max": [value + 5 for value in OWN["f_max"]],
        "f_min": [0.0] * 8,
        "cable_diameter": [value / 2 for value in OWN["cable_diameter"]],
        "length_max": 1.1,
        "length_min": 0.3,
    }
    for name, value in wider.items():
        assert (workspace(HybridCableRobot(**{**base, name: value})).feasible >= before).all(), name


def test_lengths_beyond_the_drum_exclude_a_cell():
    parameters = HybridCableRobot(**EASY, length_max=[0.9] * 8)
    cells, robot = workspace(parameters), robot_of(parameters)
    free = workspace(HybridCableRobot(**EASY))
    longest = cable_lengths(robot, cells.grid.centers(), np.eye(3)).max(axis=1).reshape(cells.grid.shape)
    np.testing.assert_array_equal(cells.verdicts == LENGTH, free.feasible & (longest > 0.9))
    assert cells.counters["failed_length"] == np.count_nonzero(cells.verdicts == LENGTH) > 0


def test_a_platform_speed_that_winches_do_not_reach_is_infeasible_by_what_lacks():
    parameters = HybridCableRobot(**EASY, max_cable_speed=0.5, task_speed=1.0)
    outcome = MODEL.evaluate(parameters, "workspace", 0)
    assert isinstance(outcome, Infeasible)
    assert "cables would have to be faster than max_cable_speed" in outcome.reason
    assert 0 < outcome.violation < 1
    point = {
        "freedoms": "3T", "attachments": [[0, 0, 0]] * 4, "wrench_set": "gravity", "cells": 4,
        "pulleys": [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]],
    }  # fmt: skip
    exact = workspace(HybridCableRobot(**point, max_cable_speed=1.0, task_speed=1.0))
    assert PASSED in exact.verdicts  # the speed of a point is that of its fastest cable


def test_a_point_is_as_fast_as_its_cables_and_a_body_slower():
    point = {
        "freedoms": "3T", "attachments": [[0, 0, 0]] * 4, "wrench_set": "gravity", "cells": 4, "f_max": 200.0,
        "pulleys": [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], "max_cable_speed": 1.5, "task_speed": 0.5,
    }  # fmt: skip
    found = MODEL.evaluate(HybridCableRobot(**point), "speed", 0).metrics
    assert found["platform_speed"] == pytest.approx(1.5, rel=1e-12)
    cells = workspace(HybridCableRobot(**point))
    tensions = [evaluate_pose(HybridCableRobot(**point), x, [0, 0, 0]).tensions.max() for x in cells.points]
    assert found["task_power"] == pytest.approx(0.5 * max(tensions), rel=1e-9)
    parameters = HybridCableRobot(**EASY, max_cable_speed=1.5)
    body = MODEL.evaluate(parameters, "speed", 0).metrics
    assert body["platform_speed"] < body["platform_speed.q05"] < 1.5
    assert body["task_power"] is None
    pose = workspace(parameters).points[0]
    columns = np.linalg.norm(scaled_wrench_matrix(robot_of(parameters), pose, np.eye(3)), axis=0)
    directions = np.random.default_rng(1).normal(size=(20_000, 6))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    rates = np.abs(directions @ scaled_wrench_matrix(robot_of(parameters), pose, np.eye(3))).max()
    assert 0.9 * columns.max() < rates <= columns.max()


def test_torque_and_power_of_the_winch_limit_the_tension():
    free = workspace(HybridCableRobot(**EASY, f_max=10.0))
    torque = workspace(HybridCableRobot(**EASY, f_max=23.0, max_winch_torque=0.2, winch_radius=0.02))
    np.testing.assert_array_equal(free.verdicts, torque.verdicts)
    parameters = HybridCableRobot(**EASY, max_winch_power=10.0, task_speed=0.5)
    upper = parameters.tension_limits[1]
    arms = np.linalg.norm(parameters.attachments, axis=1)
    np.testing.assert_allclose(upper, np.minimum(23.0, 20.0 / np.hypot(1, arms / parameters.length_scale)))


def test_acceleration_adds_the_inertia_of_the_carried_mass():
    still, moving = (robot_of(HybridCableRobot(acceleration=a)) for a in (0.0, 2.0))
    np.testing.assert_allclose((moving.wrench_range - still.wrench_range)[:3], 2.0 * 2.236, rtol=1e-12)
    assert (moving.wrench_range[3:] > still.wrench_range[3:]).all()
    slow, fast = (workspace(HybridCableRobot(**EASY, acceleration=a)).feasible for a in (0.0, 2.0))
    assert (fast <= slow).all()
    assert fast.sum() < slow.sum()


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"f_max": [23.0] * 7}, "'f_max' lists 7 values for 8 cables"),
        ({"f_min": [0, 0, 0, 30, 0, 0, 0, 0]}, "'f_min' of cable 4 (30 N) must be less than 'f_max' (23 N)"),
        (
            {"length_min": 1.0, "length_max": [2.0] * 7 + [0.5]},
            "'length_min' of cable 8 (1 m) must be less than its 'length_max' (0.5 m)",
        ),
        (
            {"f_min": 5.0, "max_winch_torque": 0.01},
            "with what 'max_winch_torque' and 'max_winch_power' allow",
        ),
        ({"max_winch_power": 5.0}, "at the speed 'task_speed', which is not set"),
        ({"bounds": True, "cable_diameter": [0.002] * 8}, "leave 'cable_diameter' unset"),
    ],
)
def test_limits_that_make_no_sense_are_refused_in_a_sentence(changes, part):
    with pytest.raises(ValidationError, match=re.escape(part)):
        HybridCableRobot(**changes)


@pytest.mark.parametrize("wrenches", ["gravity", "paper-extreme"])
def test_one_evaluation_tests_its_cells_once(monkeypatch, wrenches):
    calls = []

    def counted(parameters):
        calls.append(parameters)
        return results_of(parameters)

    monkeypatch.setattr("models.hybrid_cable_robot.evaluation.tested_cells", counted)
    parameters = HybridCableRobot(
        cells=6, max_cable_speed=1.0, task_speed=0.5, floor=-2.0, wrench_set=wrenches
    )
    for cost_class in ("speed", "all"):
        MODEL.evaluate(parameters, cost_class, 0)
        assert calls == [parameters]
        calls.clear()
