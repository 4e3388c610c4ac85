"""Stiffness by EA and by tensions: against differences of the cables' wrench, closed forms and definitions."""

import itertools
import re

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.optimize import minimize

from errors import InputError
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose
from models.hybrid_cable_robot.cables.geometry import wrench_matrix
from models.hybrid_cable_robot.robot import robot_of, rotation_matrix, wrench_centers
from models.hybrid_cable_robot.stiffness import cable_stiffness, pose_stiffness
from models.hybrid_cable_robot.workspace_grid import cell_evaluation, grid_evaluation
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.symmetry import symmetries
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from models.hybrid_cable_robot.wrench_sets import suspended_mass
from tests.oracles import cable_robot_cells

LEVEL = (0.0, 0.0, 0.0)
CORNERS = [list(point) for point in itertools.product((-0.5, 0.5), repeat=3)]


def random_robot(count, seed, **settings):
    rng = np.random.default_rng(seed)
    return HybridCableRobot(
        pulleys=rng.uniform(-1, 1, (count, 3)).tolist(),
        attachments=rng.uniform(-0.2, 0.2, (count, 3)).tolist(),
        **{"cable_stiffness": rng.uniform(50, 500, count).tolist(), **settings},
    )


def held_wrench(parameters, position, turn, seed):
    """A wrench that random tensions hold."""
    W = evaluate_pose(parameters, position, turn).wrench_matrix
    return -W @ np.random.default_rng(seed).uniform(3, 20, W.shape[1])


def differences(robot, position, rotation, tensions):
    """-dw/dx of the cables' wrench by central differences; tensions grow with the cables' lengths."""

    def wrench(twist):
        moved, turned = position + twist[:3], rotation_matrix(twist[3:]) @ rotation
        change = lengths(robot, moved, turned) - start
        return wrench_matrix(robot, moved, turned) @ (tensions + stiffness * change)

    start = lengths(robot, position, rotation)
    stiffness = cable_stiffness(robot, start)
    step = 1e-5
    return -np.array([(wrench(step * axis) - wrench(-step * axis)) / (2 * step) for axis in np.eye(6)]).T


def lengths(robot, position, rotation):
    return np.linalg.norm(robot.pulleys - position - robot.attachments @ rotation.T, axis=1)


@pytest.mark.parametrize("count", [6, 7, 8, 10, 12])
@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("axial", [None, 300.0])
def test_stiffness_is_the_gradient_of_the_cables_wrench(count, geometric, axial):
    parameters = random_robot(count, count, geometric_stiffness=geometric, axial_stiffness=axial)
    position, turn = np.array([0.05, -0.1, 0.02]), np.array([0.3, 0.2, -0.4])
    pose = evaluate_pose(parameters, position, turn, held_wrench(parameters, position, turn, 1))
    assert pose.tension_verdict == "held"
    tensions = pose.tensions if geometric else np.zeros(count)
    expected = differences(robot_of(parameters), position, rotation_matrix(turn), tensions)
    np.testing.assert_allclose(pose.stiffness_matrix, expected, atol=1e-6 * np.abs(expected).max())


def test_skew_part_of_the_stiffness_is_half_the_cables_torque():
    parameters = random_robot(8, 3, geometric_stiffness=True)
    wrench = held_wrench(parameters, LEVEL, LEVEL, 1)
    pose = evaluate_pose(parameters, LEVEL, LEVEL, wrench)
    x, y, z = -wrench[3:]
    skew = (pose.stiffness_matrix - pose.stiffness_matrix.T) / 2
    np.testing.assert_allclose(
        skew[3:, 3:], np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) / 2, rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(skew[:3], 0.0, atol=1e-12)
    settings = {"wrench_set": "gravity", "weight_moment": "ignored", "geometric_stiffness": True}
    still = MODEL.resolve("constrained", settings)
    K = evaluate_pose(still, (0.1, 0.05, 0.0), LEVEL).stiffness_matrix
    np.testing.assert_allclose(K, K.T, atol=1e-9 * np.abs(K).max())


def test_a_turning_weight_adds_its_gradient_and_makes_the_stiffness_symmetric():
    settings = {"wrench_set": "gravity", "geometric_stiffness": True}
    parameters, ignored = (
        MODEL.resolve("constrained", {**settings, "weight_moment": moment})
        for moment in ("included", "ignored")
    )
    robot, rotation = robot_of(parameters), rotation_matrix(np.array([0.05, 0.1, -0.02]))
    position = np.array([0.05, 0.02, 0.0])
    pose = evaluate_pose(parameters, position, (0.05, 0.1, -0.02))
    assert pose.tension_verdict == "held"

    def torque(twist):
        return wrench_centers(robot, rotation_matrix(twist) @ rotation)[0, 3:]

    step = 1e-6
    weight = -np.array([(torque(step * axis) - torque(-step * axis)) / (2 * step) for axis in np.eye(3)]).T
    expected = differences(robot, position, rotation, pose.tensions)
    expected[3:, 3:] += weight
    np.testing.assert_allclose(pose.stiffness_matrix, expected, atol=1e-5 * np.abs(expected).max())
    K = pose.stiffness_matrix
    np.testing.assert_allclose(K, K.T, atol=1e-9 * np.abs(K).max())
    pointlike = evaluate_pose(ignored, position, (0.05, 0.1, -0.02)).stiffness_matrix
    assert np.abs(pointlike - K).max() > 1e-3


def test_displacement_is_that_of_the_least_energy():
    """Linear springs, and masses in the places where the arm has them, pushed sideways."""
    push = 0.02  # [N]
    settings = {"wrench_set": "gravity", "geometric_stiffness": True, "test_load": [push, 0, 0, 0, 0, 0]}
    parameters = MODEL.resolve("constrained", settings)
    robot, pose = robot_of(parameters), evaluate_pose(parameters, LEVEL, LEVEL)
    stiffness, weight = robot.stiffness, suspended_mass(parameters) * 9.81
    slack = lengths(robot, np.zeros(3), np.eye(3)) - pose.tensions / stiffness

    def energy(x):
        position, rotation = x[:3] / 100, rotation_matrix(x[3:] / 10)
        stretched = lengths(robot, position, rotation) - slack
        height = weight * position[2] + 9.81 * (rotation @ robot.first_moments[0])[2]
        return 1e3 * (stiffness @ stretched**2 / 2 + height - push * position[0])

    found = minimize(energy, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x[:3] / 100
    assert pose.displacement_under_load == pytest.approx(np.linalg.norm(found), rel=5e-3)
    strong = MODEL.resolve("constrained", {**settings, "test_load": [9.81, 0, 0, 0, 0, 0]})
    assert evaluate_pose(strong, LEVEL, LEVEL).displacement_under_load == pytest.approx(0.0086, abs=5e-5)


def test_point_held_from_the_corners_of_a_cube_has_the_stiffness_of_the_closed_form():
    k, tension, length = 700.0, 5.0, np.sqrt(0.75)
    settings = {
        "pulleys": CORNERS,
        "attachments": [[0.0, 0.0, 0.0]] * 8,
        "cable_stiffness": k,
        "f_min": tension,
        "wrench_set": {"center": [0.0] * 6},
    }
    elastic = evaluate_pose(HybridCableRobot(**settings), LEVEL, LEVEL)
    np.testing.assert_allclose(elastic.stiffness_matrix[:3, :3], 8 / 3 * k * np.eye(3), atol=1e-9)
    assert elastic.inv_cond_stiffness_translation == pytest.approx(1.0)
    both = evaluate_pose(HybridCableRobot(**settings, geometric_stiffness=True), LEVEL, LEVEL)
    np.testing.assert_allclose(both.tensions, tension)
    expected = 8 / 3 * (k + 2 * tension / length) * np.eye(3)
    np.testing.assert_allclose(both.stiffness_matrix[:3, :3], expected, atol=1e-9)
    np.testing.assert_allclose(both.stiffness_matrix[3:], 0.0, atol=1e-12)
    assert elastic.displacement_under_load == np.inf
    assert elastic.rotation_sensitivity == np.inf


def test_orthonormal_structure_has_the_numbers_of_the_closed_form():
    directions = np.vstack([np.eye(3), np.eye(3)])
    arms = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]]
    pulleys = (np.array(arms) + 5 * directions).tolist()
    pose = evaluate_pose(
        HybridCableRobot(pulleys=pulleys, attachments=arms, axial_stiffness=35.0), LEVEL, LEVEL
    )
    np.testing.assert_allclose(pose.stiffness_matrix, 14 * np.eye(6), atol=1e-12)
    assert pose.displacement_under_load == pytest.approx(9.81 / 14)
    assert pose.rotation_sensitivity == pytest.approx(1 / np.sqrt(2))
    assert pose.point_sensitivity == pytest.approx(1 / np.sqrt(2))
    for name in ("jacobian", "stiffness"):
        for block in ("translation", "rotation"):
            assert getattr(pose, f"inv_cond_{name}_{block}") == pytest.approx(1.0)


def test_axial_stiffness_is_that_over_the_length():
    position, turn = (0.1, 0.05, -0.1), (0.1, 0.0, 0.2)
    axial = MODEL.resolve("constrained", {"axial_stiffness": [1000.0 + i for i in range(8)]})
    pose = evaluate_pose(axial, position, turn)
    equal = ((1000.0 + np.arange(8)) / pose.lengths).tolist()
    other = evaluate_pose(MODEL.resolve("constrained", {"cable_stiffness": equal}), position, turn)
    np.testing.assert_allclose(pose.stiffness_matrix, other.stiffness_matrix, rtol=1e-12)
    assert pose.inv_cond_stiffness == pytest.approx(other.inv_cond_stiffness, rel=1e-10)


def test_twice_the_stiffness_gives_way_half_as_far():
    for name in ("cable_stiffness", "axial_stiffness"):
        once, twice = (
            evaluate_pose(MODEL.resolve("suspended", {name: value}), (0.1, 0.1, 0), LEVEL)
            for value in (500.0, 1000.0)
        )
        np.testing.assert_allclose(twice.stiffness_matrix, 2 * once.stiffness_matrix, rtol=1e-12)
        assert twice.displacement_under_load == pytest.approx(once.displacement_under_load / 2)
        assert twice.inv_cond_stiffness == pytest.approx(once.inv_cond_stiffness)
        assert twice.rotation_sensitivity == once.rotation_sensitivity


def test_turning_the_world_turns_the_stiffness():
    turn = np.array([0.4, -0.7, 0.5])
    R = rotation_matrix(turn)
    parameters = random_robot(9, 5, geometric_stiffness=True, f_max=1e4)
    turned = parameters.model_copy(update={"pulleys": tuple(map(tuple, np.array(parameters.pulleys) @ R.T))})
    both = np.kron(np.eye(2), R)
    wrench = held_wrench(parameters, (0.1, 0, 0), LEVEL, 2)
    one = evaluate_pose(parameters, (0.1, 0, 0), LEVEL, wrench)
    other = evaluate_pose(turned, R @ [0.1, 0, 0], turn, both @ wrench)
    scale = np.abs(one.stiffness_matrix).max()
    np.testing.assert_allclose(
        other.stiffness_matrix, both @ one.stiffness_matrix @ both.T, atol=1e-7 * scale
    )
    for name in ("rotation_sensitivity", "point_sensitivity", "inv_cond_jacobian_rotation"):
        assert getattr(other, name) == pytest.approx(getattr(one, name))


@pytest.mark.parametrize("count", [8, 9])
@pytest.mark.parametrize("settings", [{"axial_stiffness": 800.0}, {"geometric_stiffness": True}])
def test_cells_have_the_stiffness_of_their_poses(count, settings):
    base = {"cells": 4, "orientations": "nominal", "wrench_set": "gravity", **settings}
    parameters = MODEL.resolve("constrained", base)
    if count == 9:
        nine = [*parameters.attachments, (0.0, 0.0, 0.05)]
        pulleys = [*robot_of(parameters).pulleys.tolist(), [0.0, 0.0, 0.5]]
        stiffness = {} if "axial_stiffness" in settings else {"cable_stiffness": 300.0}
        parameters = MODEL.resolve(None, {**base, "pulleys": pulleys, "attachments": nine, **stiffness})
    cells = workspace(parameters)
    inside = cells.feasible.ravel()
    assert inside.any()
    poses = [evaluate_pose(parameters, center, LEVEL).inv_cond_stiffness for center in cells.points]
    np.testing.assert_allclose(cells.inv_cond_stiffness.ravel()[inside], poses, rtol=1e-9)
    mean = np.sqrt(np.mean(np.square(poses)))
    assert cells.indices["stiffness_index"] == pytest.approx(mean)
    assert MODEL.evaluate(parameters, "workspace", 0).metrics["stiffness_index"] == pytest.approx(mean)


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@pytest.mark.parametrize("axial", [None, 500.0])
def test_compiled_condition_is_that_of_the_definition(preset, axial):
    parameters = MODEL.resolve(preset, {"cells": 5, "geometric_stiffness": True, "axial_stiffness": axial})
    robot, centers = robot_of(parameters), grid_of(parameters).centers()
    fast = cell_evaluation.evaluate_cells(robot, centers, every_index=True)
    plain = cable_robot_cells.evaluate_cells(robot, centers, every_index=True)
    np.testing.assert_allclose(fast.conditions_k, plain.conditions_k, rtol=1e-9, atol=1e-14)


def test_cells_that_hold_nothing_have_their_elastic_stiffness():
    settings = {"cells": 5, "index_domain": "cube", "wrench_set": "gravity", "orientations": "nominal"}
    elastic, both = (
        workspace(MODEL.resolve("suspended", {**settings, "geometric_stiffness": on})) for on in (False, True)
    )
    assert 0 < both.feasible.sum() < both.feasible.size
    held = np.array([
        evaluate_pose(MODEL.resolve("suspended", settings), center, LEVEL).tension_verdict == "held"
        for center in both.grid.centers()
    ]).reshape(both.grid.shape)  # fmt: skip
    assert not np.any(both.feasible & ~held)
    np.testing.assert_allclose(
        both.inv_cond_stiffness[~held], elastic.inv_cond_stiffness[~held], rtol=1e-9, atol=1e-15
    )
    assert np.all(np.abs(both.inv_cond_stiffness[held] / elastic.inv_cond_stiffness[held] - 1) > 1e-6)


def test_poses_that_hold_nothing_have_their_elastic_stiffness():
    parameters = MODEL.resolve("suspended", {"weight_moment": "ignored", "geometric_stiffness": True})
    pose = evaluate_pose(parameters, LEVEL, LEVEL, (0, 0, -1e4, 0, 0, 0))
    assert pose.tension_verdict == "infeasible"
    elastic = evaluate_pose(MODEL.resolve("suspended", {}), LEVEL, LEVEL)
    np.testing.assert_array_equal(pose.stiffness_matrix, elastic.stiffness_matrix)


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_symmetry_holds_with_axial_stiffness(preset):
    parameters = MODEL.resolve(
        preset, {"cells": 10, "weight_moment": "ignored", "axial_stiffness": 500.0, "index_domain": "cube"}
    )
    robot, grid = robot_of(parameters), grid_of(parameters)
    assert len(symmetries(robot, grid)) == 4
    folded = workspace(parameters)
    plain = cell_evaluation.evaluate_cells(robot, grid.centers(), every_index=True)
    np.testing.assert_allclose(folded.inv_cond_stiffness.ravel(), plain.conditions_k, rtol=1e-10, atol=1e-14)
    uneven = MODEL.resolve(
        preset, {"cells": 4, "weight_moment": "ignored", "axial_stiffness": [500.0] * 7 + [501.0]}
    )
    assert len(symmetries(robot_of(uneven), grid)) == 1


def test_symmetry_is_not_used_where_tensions_count():
    parameters = MODEL.resolve(
        "suspended", {"weight_moment": "ignored", "cells": 4, "geometric_stiffness": True}
    )
    assert len(grid_evaluation.orbits(robot_of(parameters), grid_of(parameters)).chosen) == 16


def test_workspaces_with_constant_stiffness_compute_nothing_more(monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(cell_evaluation, "fill_stiffness_conditions", refuse)
    MODEL.evaluate(MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 4}), "workspace", 0)
    with pytest.raises(AssertionError):
        MODEL.evaluate(
            MODEL.resolve("suspended", {"weight_moment": "ignored", "cells": 4, "axial_stiffness": 1.0}),
            "workspace",
            0,
        )


def test_extreme_stiffness_and_tension_stay_finite():
    for stiffness in (1e-9, 1e12):
        settings = {"cells": 4, "cable_stiffness": stiffness, "geometric_stiffness": True, "f_max": 1e9}
        outcome = MODEL.evaluate(MODEL.resolve("constrained", {**settings, "f_min": 1e8}), "detail", 0)
        assert all(np.isfinite(value) for value in outcome.metrics.values() if value is not None)
    K = pose_stiffness(robot_of(HybridCableRobot()), np.zeros(3), np.eye(3), np.full(8, 1e9))
    assert np.isfinite(K).all()


@pytest.mark.parametrize("arrangement", ["constrained", "suspended"])
@pytest.mark.parametrize("explicit", [False, True])
def test_cable_order_says_which_cable_runs_from_which_pulley(arrangement, explicit):
    base = MODEL.resolve(arrangement, {})
    points = robot_of(base).pulleys
    order = [3, 1, 2, 8, 7, 6, 5, 4]
    lists = ("attachments", "platform_half_size", "cable_stiffness")
    own = {"pulleys": points.tolist(), **{name: getattr(base, name) for name in lists}}
    chosen = own if explicit else {}
    changed = robot_of(MODEL.resolve(arrangement, {**chosen, "cable_order": order}))
    np.testing.assert_array_equal(changed.pulleys, points[np.array(order) - 1])
    plain = MODEL.resolve(arrangement, {**chosen, "cable_order": list(range(1, 9))})
    np.testing.assert_array_equal(robot_of(plain).pulleys, points)
    lines = MODEL.scene(MODEL.resolve(arrangement, {"cells": 2, **chosen, "cable_order": order})).shapes
    np.testing.assert_array_equal(lines[0].points[1], points[2])


def test_renaming_cables_together_with_all_that_is_theirs_changes_nothing():
    base = MODEL.resolve("constrained", {"cells": 5, "wrench_set": "gravity"})
    order = np.array([5, 3, 8, 1, 2, 7, 6, 4])
    settings = {
        "cells": 5,
        "wrench_set": "gravity",
        "cable_order": order.tolist(),
        "attachments": np.array(base.attachments)[order - 1].tolist(),
        "cable_stiffness": np.array(base.cable_stiffness)[order - 1].tolist(),
    }
    one, other = (
        MODEL.evaluate(parameters, "all", 0).metrics
        for parameters in (base, MODEL.resolve("constrained", settings))
    )
    for name, value in one.items():
        assert other[name] == (value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9))


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 7], "each pulley from 1 to 8 once; missing: 8; more than once: 7"),
        ([1, 2, 3, 4, 5, 6, 7], "missing: 8"),
        ([1, 2, 3, 4, 5, 6, 7, 9], "missing: 8; no such pulley: 9"),
        ([0, 1, 2, 3, 4, 5, 6, 7], "greater than or equal to 1"),
        ([], "missing: 1, 2, 3, 4, 5, 6, 7, 8"),
    ],
)
def test_cable_orders_that_are_no_permutation_are_refused(order, words):
    with pytest.raises(ValidationError, match=re.escape(words)):
        HybridCableRobot(cable_order=order)


def test_axial_stiffness_replaces_the_constant_one():
    assert MODEL.resolve("constrained", {"axial_stiffness": "2 kN"}).axial_stiffness == 2000.0
    with pytest.raises(InputError, match="has no effect beside 'axial_stiffness'"):
        MODEL.resolve("constrained", {"axial_stiffness": 1.0, "cable_stiffness": 1.0})
    with pytest.raises(InputError, match="'axial_stiffness' lists 2 values for 8 cables"):
        MODEL.resolve("constrained", {"axial_stiffness": [1.0, 2.0]})
    six = {"pulleys": CORNERS[:6], "attachments": [[0.1, 0.0, 0.0]] * 6}
    assert robot_of(MODEL.resolve(None, {**six, "axial_stiffness": 5.0})).stiffness.tolist() == [5.0] * 6
