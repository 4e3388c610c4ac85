"""Motion patterns: closed forms of points, planar bodies and bars, and every kernel against the definitions."""

import itertools
import math
import re

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.spatial import ConvexHull

from models import Evaluation
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, workspace
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import block_conditions, responses
from tests.models.hybrid_cable_robot.robots import BAR, BODY, CORNERS, CRANE, PATTERNS, POINT, RING
from tests.oracles import cable_robot_cells


def weight(parameters):
    return 9.81 * (parameters.platform_body.mass + sum(link.mass for link in parameters.arm_links))


def test_a_point_under_four_symmetric_cables_is_held_by_a_quarter_over_the_cosine():
    parameters = HybridCableRobot(**CRANE)
    for height in (-0.8, 0.0, 0.7):
        pose = evaluate_pose(parameters, [0, 0, height], [0, 0, 0])
        cosine = (1 - height) / math.sqrt(2 + (1 - height) ** 2)
        np.testing.assert_allclose(pose.tensions, weight(parameters) / (4 * cosine), rtol=1e-12)
        assert pose.feasible


def test_a_suspended_point_works_below_the_hull_of_its_pulleys_and_nowhere_else():
    cells = workspace(HybridCableRobot(**CRANE))
    x, y, z = (cells.grid.centers()[:, k] for k in range(3))
    below = (np.abs(x) < 1) & (np.abs(y) < 1) & (z < 0.95)
    np.testing.assert_array_equal(cells.feasible.ravel(), below)


def test_a_planar_point_closes_wrenches_within_the_hull_of_its_pulleys():
    cells = workspace(HybridCableRobot(**POINT))
    points = cells.grid.centers()[:, :2]
    hull = ConvexHull(np.array(RING)[:, :2])
    inside = (points @ hull.equations[:, :2].T + hull.equations[:, 2] < -1e-5).all(axis=1)
    np.testing.assert_array_equal(cells.feasible.ravel(), inside)
    assert cells.area("xy") == pytest.approx(hull.volume, rel=0.1)
    assert len(cells.grid.axes[2]) == 1


def test_the_null_vector_of_four_planar_cables_is_that_of_their_three_subdeterminants():
    parameters = HybridCableRobot(**BODY)
    pose = evaluate_pose(parameters, [0.1, 0.0, -0.2], [0, 0.1, 0])
    W = pose.wrench_matrix[[0, 2, 4]]
    null = [(-1) ** i * np.linalg.det(np.delete(W, i, axis=1)) for i in range(4)]
    np.testing.assert_allclose(W @ null, 0.0, atol=1e-12)
    assert not pose.wrench_matrix[[1, 3, 5]].any()
    centre = np.array([0.0, 0.0, -weight(parameters)])
    assert pose.tension_verdict == "held"
    residual = W @ pose.tensions + evaluated_load(parameters, pose, centre)
    np.testing.assert_allclose(residual, 0.0, atol=1e-9)


def evaluated_load(parameters, pose, force):
    """The weight and its moment (3,) N and N m in the rows x, z and about y."""
    from models.hybrid_cable_robot.robot import middle_wrench
    from models.numerics.rotations import rotation_matrix

    wrench = middle_wrench(robot_of(parameters), rotation_matrix(np.array([0, 0.1, 0])))
    assert wrench[2] == pytest.approx(force[2])
    return wrench[[0, 2, 4]]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_kernels_give_what_the_definition_gives(pattern):
    parameters = HybridCableRobot(**{**PATTERNS[pattern], "cells": 8 if pattern != "2T" else 16})
    found, robot = workspace(parameters), robot_of(parameters)
    centers = found.grid.centers()
    expected = cable_robot_cells.evaluate_cells(robot, centers, every_index=False)
    np.testing.assert_array_equal(found.verdicts.ravel(), expected.verdicts)
    assert found.feasible.any()
    size = robot.f_max if robot.f_max < 1e4 else 1e-3 * robot.f_max
    np.testing.assert_allclose(found.capacity_margins.ravel(), expected.margins, atol=1e-11 * size)
    np.testing.assert_allclose(found.inv_cond_jacobian.ravel(), expected.conditions_j, atol=1e-12)
    np.testing.assert_allclose(found.inv_cond_stiffness.ravel(), expected.conditions_k, atol=1e-12)
    inside = found.points[:: max(1, len(found.points) // 20)]
    np.testing.assert_allclose(
        block_conditions(robot, inside), cable_robot_cells.block_conditions(robot, inside), atol=1e-12
    )
    np.testing.assert_allclose(
        responses(robot, inside), cable_robot_cells.responses(robot, inside), rtol=1e-9, atol=1e-15
    )


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_class_of_metrics_is_finite(pattern):
    parameters = HybridCableRobot(**{"f_min": 1.0, **PATTERNS[pattern]}, cable_density=0.01)
    for cost_class in ("detail", "vibration", "sag"):
        outcome = MODEL.evaluate(parameters, cost_class, 0)
        assert isinstance(outcome, Evaluation), outcome
        assert all(value is None or math.isfinite(value) for value in outcome.metrics.values())
    assert MODEL.scene(parameters).shapes
    assert MODEL.mechanism(parameters).cables


def test_small_oscillations_of_a_hanging_point_are_those_of_a_pendulum():
    parameters = HybridCableRobot(**{**CRANE, "cable_stiffness": 1e9})
    pose = evaluate_pose(parameters, [0, 0, -1], [0, 0, 0])
    assert len(pose.natural_frequencies) == 3
    tension = weight(parameters) / (4 * 2 / math.sqrt(6))
    cosines = np.array([[x, y, 2.0] for x, y, _ in CORNERS]) / math.sqrt(6)
    K = 1e9 * cosines.T @ cosines + tension / math.sqrt(6) * (4 * np.eye(3) - cosines.T @ cosines)
    mass = weight(parameters) / 9.81
    expected = np.sqrt(np.linalg.eigvalsh(K) / mass) / (2 * np.pi)
    np.testing.assert_allclose(pose.natural_frequencies, expected, rtol=1e-9)


def test_no_torque_about_a_bar_is_a_load():
    free = evaluate_pose(HybridCableRobot(**BAR), [0, 0, 0], [0, 0, 0])
    turned = evaluate_pose(HybridCableRobot(**BAR), [0, 0, 0], [0, 0, 0], wrench=[0, 0, -21.935, 0, 0, 5.0])
    assert turned.feasible
    assert turned.capacity_margin > 0
    assert free.natural_frequencies.shape == (5,)
    across = evaluate_pose(HybridCableRobot(**BAR), [0, 0, 0], [0, 0, 0], wrench=[0, 0, -21.935, 500.0, 0, 0])
    assert not across.feasible


def test_a_planar_robot_is_the_same_in_both_upright_planes():
    load = {"center": [0, 0, -20, 0, 0, 0], "half_range": [4, 4, 2, 0, 0, 0]}
    found = []
    for plane, axes in (("xz", [0, 1, 2]), ("yz", [1, 0, 2])):
        names = ("pulleys", "attachments", "space", "platform_half_size")
        turned = {name: np.array(BODY[name])[..., axes].tolist() for name in names}
        parameters = HybridCableRobot(**{**BODY, **turned, "plane": plane, "wrench_set": load})
        metrics = MODEL.evaluate(parameters, "detail", 0).metrics
        found.append({name: value for name, value in metrics.items() if value is not None})
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_larger_limit_of_tension_and_a_smaller_one_of_rotation_lose_no_cell(pattern):
    base = {**PATTERNS[pattern], "f_max": 40.0, "cells": 10}
    before = workspace(HybridCableRobot(**base)).feasible
    assert (workspace(HybridCableRobot(**{**base, "f_max": 60.0})).feasible >= before).all()
    assert (workspace(HybridCableRobot(**{**base, "rotation_limit": 0.05})).feasible >= before).all()


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"freedoms": "3T"}, "all 'attachments' must be one point"),
        ({"freedoms": "2R3T"}, "must lie on one line"),
        ({**CRANE, "freedoms": "3R3T"}, "'freedoms' 3R3T needs at least 6 cables, but 'attachments' lists 4"),
        ({**CRANE, "bounds": True}, "'bounds' proves volumes of platforms with six freedoms"),
        ({"pulley_axis": [0.0, 0.0, 0.0]}, "'pulley_axis' 1 has no length"),
        ({"pulley_axis": [[0.0, 0.0, 1.0]] * 3}, "lists 3 axes for 8 cables"),
        (
            {**BODY, "trajectory": {"platform_positions": [[0, 0, 0], [0, 0.1, 0]]}},
            "'platform_positions' leave the plane xz",
        ),
        (
            {
                **CRANE,
                "trajectory": {
                    "platform_positions": [[0, 0, 0]] * 2, "platform_rotations": [[0, 0, 0], [0, 0, 1]],
                },
            },
            "about an axis that 'freedoms' 3T does not have",
        ),
    ],
)  # fmt: skip
def test_patterns_that_the_robot_does_not_have_are_refused_in_a_sentence(changes, part):
    with pytest.raises(ValidationError, match=re.escape(part)):
        HybridCableRobot(**changes)


def test_limits_of_rotation_hold_for_each_axis():
    robot = robot_of(HybridCableRobot(rotation_limit=[0.0, 0.0, 0.5], orientations="corners"))
    assert len(robot.rotations) == 3
    expected = [np.diag([1.0, 1.0]), *(np.array([[c, -s], [s, c]]) for c, s in rotations_about_z(0.5))]
    for found, plane in itertools.zip_longest(robot.rotations, expected):
        np.testing.assert_allclose(found[:2, :2], plane, atol=1e-15)


def rotations_about_z(angle):
    return [(math.cos(turn), math.sin(turn)) for turn in (-angle, angle)]
