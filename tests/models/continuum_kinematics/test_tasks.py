"""Paths, task poses in the world frame, and the margin of tasks."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from errors import InputError, place_text
from models.continuum_kinematics import MODEL, follow_path, forward, inverse, robot, robot_of, solve_path
from models.continuum_kinematics.reachable_volume import random_states
from models.continuum_kinematics.shapes import backbones, cable_lines, guide_rings, pose_axes
from models.continuum_kinematics.tasks import base_pose, solve_task_poses, task_margin

BODY = robot_of([[6, 8]] * 3, [math.radians(135)] * 3, 10, 0.5)
TURNED = np.diag([1.0, -1.0, -1.0, 1.0])


def line(first, last, count):
    targets = np.tile(np.eye(4), (count, 1, 1))
    targets[:, :3, 3] = np.linspace(first, last, count)
    return targets


def test_a_path_is_met_pose_by_pose_and_closer_between_them_with_more_of_them():
    errors = []
    for count in (6, 11, 21):
        way = follow_path(line([5, 3, 17], [-5, 3, 17], count), BODY)
        assert way.missed == []
        assert all(found.position_error < 1e-8 for found in way.solutions)
        np.testing.assert_allclose(way.tips[::16], way.wanted, rtol=0, atol=1e-7)
        errors.append(way.path_error)
    rates = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert (rates > 1.7).all()  # second order in the distance of the poses


def test_steps_are_the_largest_changes_from_pose_to_pose():
    way = follow_path(line([5, 3, 17], [-5, 3, 17], 6), BODY)
    sections = np.array([found.sections for found in way.solutions])
    lengths = np.array([found.lengths for found in way.solutions])
    np.testing.assert_array_equal(way.section_steps, np.abs(np.diff(sections, axis=0)).max(axis=0))
    np.testing.assert_array_equal(way.cable_steps, np.abs(np.diff(lengths, axis=0)).max(axis=0))


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
    state = random_states(robot(MODEL.parameters()), np.random.default_rng(3).random((1, 3, 3)))[0]
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
    state = random_states(robot(parameters), np.random.default_rng(2).random((1, 3, 3)))[0]
    pose, rings = forward(state), guide_rings(parameters, state, 10)
    assert len(rings) == 3 * 4 + 1
    np.testing.assert_allclose(rings[-1][:-1].mean(axis=0), pose[:3, 3], rtol=0, atol=1e-12)
    np.testing.assert_allclose((rings[-1] - pose[:3, 3]) @ pose[:3, 2], 0.0, rtol=0, atol=1e-12)
    found = inverse(pose, robot(parameters), near=state)
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
