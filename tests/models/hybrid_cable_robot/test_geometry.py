"""Pulleys, orientations, matrices and their derivatives."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose
from models.hybrid_cable_robot.robot import (
    pair_reliefs,
    pulley_points,
    robot_of,
    rotation_matrix,
    rotation_set,
)
from models.hybrid_cable_robot.stiffness import inv_cond_jacobian, scaled_jacobian, stiffness_matrix

STEP = 1e-6
vectors = st.tuples(*(st.floats(-3, 3),) * 3).map(np.array)


def lengths(parameters, position, rotation):
    robot = robot_of(parameters)
    return np.linalg.norm(robot.pulleys - position - robot.attachments @ rotation.T, axis=1)


def test_constrained_pulleys_are_mirrored_into_the_quadrants():
    pulleys = pulley_points(MODEL.resolve("constrained", {"beta1": 0.3, "beta2": 1.1}))
    np.testing.assert_array_equal(np.sign(pulleys[:, :2]), [[1, 1], [-1, 1], [-1, -1], [1, -1]] * 2)
    np.testing.assert_allclose(np.hypot(*pulleys[:, :2].T), math.sqrt(0.5))
    np.testing.assert_allclose(
        np.abs(pulleys[:4, :2]), np.tile([math.cos(0.3), math.sin(0.3)], (4, 1)) * math.sqrt(0.5)
    )
    np.testing.assert_array_equal(pulleys[:, 2], [0.5] * 4 + [-0.5] * 4)


def test_suspended_pulleys_are_quarter_turns_of_two_groups():
    parameters = MODEL.resolve("suspended", {})
    pulleys = pulley_points(parameters)
    azimuth = np.unwrap(np.arctan2(pulleys[:, 1], pulleys[:, 0]).reshape(2, 4), axis=1)
    np.testing.assert_allclose(np.diff(azimuth, axis=1), math.pi / 2)
    assert math.cos(azimuth[0, 0] - parameters.beta1) == pytest.approx(1)
    assert math.cos(azimuth[1, 0] - (math.pi / 2 - parameters.beta2)) == pytest.approx(1)
    np.testing.assert_array_equal(pulleys[:, 2], 0.5)


def test_given_pulleys_replace_the_arrangement():
    points = [[float(i), 2.0, 3.0] for i in range(8)]
    np.testing.assert_array_equal(pulley_points(HybridCableRobot(pulleys=points)), points)


@given(vectors)
def test_rotation_matrices_are_those_of_scipy(vector):
    np.testing.assert_allclose(rotation_matrix(vector), Rotation.from_rotvec(vector).as_matrix(), atol=1e-14)


def test_orientation_sets_have_their_sizes_and_start_with_the_nominal_one():
    for name, size in (("nominal", 1), ("corners", 9), ("grid27", 27)):
        rotations = rotation_set(HybridCableRobot(orientations=name, rotation_limit=0.2))
        assert rotations.shape == (size, 3, 3)
        np.testing.assert_array_equal(rotations[0], np.eye(3))
        assert len(np.unique(rotations.round(12), axis=0)) == size
    angles = Rotation.from_matrix(rotation_set(HybridCableRobot(rotation_limit=0.2))[1:]).as_rotvec()
    np.testing.assert_allclose(np.abs(angles), 0.2)
    assert len(rotation_set(HybridCableRobot(orientations="grid27", rotation_limit=0.0))) == 1


def test_characteristic_length_is_the_rms_distance_of_the_attachments():
    assert MODEL.resolve("suspended", {}).length_scale == pytest.approx(math.sqrt(3) * 0.05)
    assert MODEL.resolve("suspended", {"characteristic_length": "10 cm"}).length_scale == 0.1
    assert HybridCableRobot(attachments=[[0, 0, 0]] * 8).length_scale == 1e-3


def test_only_cables_attached_close_together_may_touch_next_to_the_platform():
    constrained = robot_of(MODEL.resolve("constrained", {}))
    together = {tuple(pair) for pair in constrained.pairs[constrained.reliefs[:, 0] > 0].tolist()}
    assert together == {(0, 1), (2, 3), (4, 7), (5, 6)}
    assert not robot_of(MODEL.resolve("suspended", {})).reliefs.any()
    line = np.array([[0.0, 0, 0], [1e-3, 0, 0], [2.5e-3, 0, 0]])
    pairs = np.array([[0, 1], [1, 2], [0, 2]])
    assert pair_reliefs(line, pairs, 0.06).tolist() == [0.06, 0.0, 0.0]


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@settings(max_examples=20)
@given(
    st.tuples(*(st.floats(-0.3, 0.3),) * 3).map(np.array),
    st.tuples(*(st.floats(-0.5, 0.5),) * 3).map(np.array),
)
def test_gradient_of_the_lengths_is_minus_the_wrench_matrix(preset, position, turn):
    parameters = MODEL.resolve(preset, {})
    rotation = rotation_matrix(turn)
    columns = []
    for twist in np.eye(6):
        ahead = lengths(parameters, position + STEP * twist[:3], rotation_matrix(STEP * twist[3:]) @ rotation)
        behind = lengths(
            parameters, position - STEP * twist[:3], rotation_matrix(-STEP * twist[3:]) @ rotation
        )
        columns.append((ahead - behind) / (2 * STEP))
    pose = evaluate_pose(parameters, position, turn)
    np.testing.assert_allclose(np.array(columns), -pose.wrench_matrix, atol=1e-8)
    np.testing.assert_allclose(pose.lengths, lengths(parameters, position, rotation), rtol=1e-14)


def test_stiffness_is_the_gradient_of_the_cable_forces_without_pretension():
    parameters = MODEL.resolve("constrained", {})
    robot = robot_of(parameters)
    position, turn = np.array([0.05, -0.1, 0.02]), np.array([0.1, 0.05, -0.1])
    rotation = rotation_matrix(turn)
    pose = evaluate_pose(parameters, position, turn)

    def energy(twist):
        moved = lengths(parameters, position + twist[:3], rotation_matrix(twist[3:]) @ rotation)
        return 0.5 * robot.stiffness @ (moved - pose.lengths) ** 2

    step, axes = 1e-4, np.eye(6)
    hessian = [
        [
            (
                energy(step * (a + b))
                - energy(step * (a - b))
                - energy(step * (b - a))
                + energy(-step * (a + b))
            )
            / (4 * step**2)
            for b in axes
        ]
        for a in axes
    ]
    np.testing.assert_allclose(
        hessian, stiffness_matrix(pose.wrench_matrix, robot.stiffness), rtol=1e-4, atol=1e-3
    )


def test_conditioning_is_scaled_by_the_characteristic_length():
    pose = evaluate_pose(MODEL.resolve("suspended", {}), (0, 0, 0), (0, 0, 0))
    J = scaled_jacobian(pose.wrench_matrix, math.sqrt(3) * 0.05)
    assert np.linalg.cond(J) == pytest.approx(1 / pose.inv_cond_jacobian)
    assert np.linalg.cond(1000 * J.T @ J) == pytest.approx(1 / pose.inv_cond_stiffness)
    assert pose.inv_cond_stiffness == pytest.approx(pose.inv_cond_jacobian**2)
    assert inv_cond_jacobian(pose.wrench_matrix, 1e-4) < pose.inv_cond_jacobian


def test_columns_of_an_orthonormal_structure_are_perfectly_conditioned():
    directions = np.vstack([np.eye(3), np.eye(3)])
    pulleys = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]]) + 5 * directions
    arms = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]]
    parameters = HybridCableRobot(
        pulleys=pulleys.tolist(), attachments=arms, cable_stiffness=7.0, characteristic_length=1.0
    )
    pose = evaluate_pose(parameters, (0, 0, 0), (0, 0, 0))
    assert pose.inv_cond_jacobian == pytest.approx(1.0)
    assert pose.inv_cond_stiffness == pytest.approx(1.0)
