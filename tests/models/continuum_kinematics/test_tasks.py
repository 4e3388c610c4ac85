"""Paths, task poses in the world frame, and the margin of tasks."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from errors import InputError, place_text
from models.continuum_kinematics import (
    MODEL,
    follow_path,
    forward,
    inverse,
    least_bent,
    least_changed,
    robot_from_limits,
    robot_of,
    solve_path,
)
from models.continuum_kinematics.reachable_volume import random_states
from models.continuum_kinematics.redundancy_resolution import LENGTHS, winding_rows
from models.continuum_kinematics.robot import SCALE
from models.continuum_kinematics.shapes import backbones, cable_lines, guide_rings, pose_axes
from models.continuum_kinematics.tasks import base_pose, solve_task_poses, task_margin

BODY = robot_from_limits([[6, 8]] * 3, [math.radians(135)] * 3, 10, 0.5)
TURNED = np.diag([1.0, -1.0, -1.0, 1.0])


def line(first, last, count):
    targets = np.tile(np.eye(4), (count, 1, 1))
    targets[:, :3, 3] = np.linspace(first, last, count)
    return targets


def test_a_path_is_met_pose_by_pose_and_closer_between_them_with_more_of_them():
    body = robot_from_limits([[6, 6]] * 4, [math.radians(170)] * 4, 10, 0.5)  # no limit holds along the path
    errors, begin = [], follow_path(line([5, 3, 17], [-5, 3, 17], 1), body).solutions[0].sections
    for count in (6, 11, 21):
        way = follow_path(line([5, 3, 17], [-5, 3, 17], count), body, near=begin)
        assert way.missed == []
        assert all(found.position_error < 1e-8 for found in way.solutions)
        np.testing.assert_allclose(way.tips[::16], way.wanted, rtol=0, atol=1e-7)
        errors.append(way.path_error)
    rates = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    np.testing.assert_allclose(rates, 2.0, atol=0.05)  # second order in the distance of the poses


def test_steps_are_the_largest_changes_from_pose_to_pose():
    way = follow_path(line([5, 3, 17], [-5, 3, 17], 6), BODY)
    sections = np.array([found.sections for found in way.solutions])
    wound = np.cumsum([found.lengths for found in way.solutions], axis=1)  # a cable runs through all before
    np.testing.assert_array_equal(way.section_steps, np.abs(np.diff(sections, axis=0)).max(axis=0))
    np.testing.assert_array_equal(way.cable_steps, np.abs(np.diff(wound, axis=0)).max(axis=0))


THIRD = np.diag([0.0, 0.0, 1.0, 1.0])
THIRD[:2, :2] = [[-0.5, -math.sqrt(0.75)], [math.sqrt(0.75), -0.5]]
LEFT = np.diag([-1.0, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("moved", [THIRD, LEFT], ids=["turned by 120 degrees", "mirrored"])
def test_a_path_is_followed_in_the_same_way_when_the_cables_are_seen_so_again(moved):
    """Cables stand 120 degrees apart, one of them in the plane of mirroring."""
    parameters = MODEL.parameters()
    body = robot_of(parameters)
    targets = np.array([base_pose(parameters, pose) for pose in parameters.path])
    way, other = follow_path(targets, body), follow_path(moved @ targets @ moved.T, body)
    assert other.cable_steps.max() == pytest.approx(way.cable_steps.max(), rel=1e-6)
    assert other.path_error == pytest.approx(way.path_error, rel=1e-6)
    assert 1e3 * way.cable_steps.max() < 4.8  # one start gave 9.8, and 5.6 when turned


def test_a_path_of_a_larger_robot_is_larger():
    targets = line([5, 3, 17], [-5, 3, 17], 6)
    small = targets * np.array([[1, 1, 1, 0.01]] * 3 + [[1, 1, 1, 1]])
    large = follow_path(targets, BODY, tolerance=1e-6)
    little = follow_path(small, BODY._replace(lower=BODY.lower / 100, upper=BODY.upper / 100, radius=0.005))
    assert 100 * little.cable_steps.max() == pytest.approx(large.cable_steps.max(), rel=1e-3)
    assert 100 * little.path_error == pytest.approx(large.path_error, rel=1e-3)


def test_more_starts_change_a_path_little():
    few, many = (follow_path(line([5, 3, 17], [-5, 3, 17], 6), BODY, starts=starts) for starts in (10, 60))
    assert few.cable_steps.max() == pytest.approx(many.cable_steps.max(), rel=0.05)


def nearest_by_scipy(rows, reference, begin, body):
    """The least change of all sections that meet the tip of ``begin``, by sequential quadratic programming."""
    wanted, k = forward(begin), len(begin)

    def missing(x):
        pose = forward(x.reshape(k, 3))
        turn = wanted[:3, :3].T @ pose[:3, :3]
        return np.concatenate([pose[:3, 3] - wanted[:3, 3], Rotation.from_matrix(turn).as_rotvec()])

    def room(x):
        return body.bend**2 - (x.reshape(k, 3)[:, 1:] ** 2).sum(axis=1)

    found = minimize(
        lambda x: float(((rows @ (x - reference.ravel())) ** 2).sum()),
        begin.ravel(),
        method="SLSQP",
        bounds=[
            each for n in range(k) for each in ((body.lower[n], body.upper[n]), (None, None), (None, None))
        ],
        constraints=[{"type": "eq", "fun": missing}, {"type": "ineq", "fun": room}],
        options={"maxiter": 300, "ftol": 1e-12},
    )
    return math.sqrt(found.fun)


@pytest.mark.parametrize("seed", range(4))
def test_no_other_search_finds_a_smaller_change_or_bend(seed):
    before, after = random_states(BODY, np.random.default_rng(seed).random((2, 3, 3)))
    target = forward(before + 0.15 * (after - before))
    rows = winding_rows(BODY)
    found = least_changed(target, BODY, "pose", before)
    change = np.linalg.norm(rows @ (found.sections - before).ravel())
    assert change <= nearest_by_scipy(rows, before, found.sections, BODY) * (1 + 1e-3)
    bent = least_bent(target, BODY)[0].sections
    straight = np.tile([7.0, 0.0, 0.0], (3, 1))
    rows = np.diag(np.tile([LENGTHS, SCALE * 8, SCALE * 8], 3))
    bend = np.linalg.norm(rows @ (bent - straight).ravel())
    assert bend <= nearest_by_scipy(rows, straight, bent, BODY) * (1 + 1e-3)
    assert bend <= nearest_by_scipy(rows, straight, found.sections, BODY) * (1 + 1e-3)


def test_a_path_that_leaves_the_workspace_says_where_and_by_how_much():
    way = follow_path(line([0, 0, 20], [0, 0, 30], 6), BODY, "position")
    assert way.missed == [3, 4, 5]
    assert way.path_error == pytest.approx(6.0, rel=1e-4)
    assert "24 m long" in way.solutions[4].reason


def test_a_single_target_is_a_path():
    way = follow_path(line([1, 1, 20], [1, 1, 20], 1), BODY)
    assert way.missed == []
    assert way.path_error < 1e-8
    np.testing.assert_array_equal(way.cable_steps, 0.0)


def test_a_path_from_a_known_state_begins_there():
    state = random_states(BODY, np.random.default_rng(1).random((1, 3, 3)))[0]
    way = follow_path(forward(state)[None], BODY, near=state)
    np.testing.assert_allclose(way.solutions[0].sections, state, rtol=0, atol=1e-12)


def test_poses_of_a_hanging_robot_are_those_of_a_standing_one_turned():
    state = random_states(robot_of(MODEL.parameters()), np.random.default_rng(3).random((1, 3, 3)))[0]
    whole = TURNED @ forward(state) @ TURNED
    vector = Rotation.from_matrix(whole[:3, :3]).as_rotvec()
    names = ("x", "y", "z", "rx", "ry", "rz")
    pose = dict(zip(names, [*whole[:3, 3].tolist(), *vector.tolist()], strict=True))
    hanging = MODEL.resolve(None, {"task_poses": [pose]})
    np.testing.assert_allclose(base_pose(hanging, hanging.task_poses[0]), forward(state), atol=1e-14)
    (found,) = solve_task_poses(hanging)
    assert found.converged
    tip = backbones(hanging, found.sections)[-1][-1]
    np.testing.assert_allclose(tip, whole[:3, 3], rtol=0, atol=1e-8)
    axes = pose_axes(hanging, hanging.task_poses[0], 1.0)
    np.testing.assert_allclose([each[1] - each[0] for each in axes], whole[:3, :3].T, rtol=0, atol=1e-12)


def test_guides_and_cables_are_where_the_sections_are():
    parameters = MODEL.resolve(None, {"mounting": "standing", "guides": 4})
    state = random_states(robot_of(parameters), np.random.default_rng(2).random((1, 3, 3)))[0]
    pose, rings = forward(state), guide_rings(parameters, state, 10)
    assert len(rings) == 3 * 4 + 1
    np.testing.assert_allclose(rings[-1][:-1].mean(axis=0), pose[:3, 3], rtol=0, atol=1e-12)
    np.testing.assert_allclose((rings[-1] - pose[:3, 3]) @ pose[:3, 2], 0.0, rtol=0, atol=1e-12)
    found = inverse(pose, robot_of(parameters), near=state)
    lengths = [
        np.linalg.norm(np.diff(points, axis=0), axis=1).sum() for points in cable_lines(parameters, state)
    ]
    np.testing.assert_allclose(lengths, found.lengths.ravel(), rtol=0, atol=1e-9)


def test_the_margin_is_what_the_limits_can_lose():
    parameters = MODEL.resolve(None, {"task_poses": [{"x": 0.0, "y": 0.04, "z": -0.17}]})
    margin = task_margin(parameters, solve_task_poses(parameters))
    assert 0.1 < margin < 1
    middle, half = 0.07, 0.01
    for share, met in ((margin, True), (margin + 1 / 64, False)):
        tight = {
            "length_range": [middle - half * (1 - share), middle + half * (1 - share)],
            "bend_limit": parameters.bend_limit * (1 - share),
        }
        found = solve_task_poses(MODEL.resolve_over(parameters.model_dump(), tight))
        assert found[0].converged == met


def test_the_margin_of_a_missed_pose_is_its_miss():
    parameters = MODEL.resolve(
        None, {"task_mode": "position", "task_poses": [{"x": 0.0, "y": 0.0, "z": -0.3}]}
    )
    margin = task_margin(parameters, solve_task_poses(parameters))
    assert margin == pytest.approx(-0.06 / 0.24, rel=1e-4)


def test_the_default_path_is_followed():
    way = solve_path(MODEL.parameters())
    assert way is not None
    assert way.missed == []
    assert solve_path(MODEL.resolve(None, {"path": []})) is None


@pytest.mark.parametrize(
    ("targets", "place", "words"),
    [
        (np.zeros((0, 4, 4)), "targets", "(n, 4, 4)"),
        (np.eye(4), "targets", "(n, 4, 4)"),
        (np.tile(np.eye(4), (100_001, 1, 1)), "targets", "at most 100000"),
        ([np.eye(4), np.zeros((4, 4))], "targets[1]", "no pose"),
    ],
)
def test_what_is_no_path_is_refused(targets, place, words):
    with pytest.raises(InputError) as caught:
        follow_path(targets, BODY)
    assert place_text(caught.value.place) == place
    assert words in str(caught.value)
