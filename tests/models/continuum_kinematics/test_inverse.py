"""Inverse kinematics: of poses that are reached, of those that are not, and its compiled slopes."""

import math

import numpy as np
import pytest

from errors import InputError, place_text
from models.continuum_kinematics import (
    forward,
    forward_batch,
    inverse,
    inverse_batch,
    jacobian,
    lengths_from_arc,
    robot_from_limits,
)
from models.continuum_kinematics.reachable_volume import random_states
from models.continuum_kinematics.residual_kernels import AXIS, POSE, POSITION, Target, residual_and_slopes
from models.numerics.rotations import rotation_matrix

SETS = {
    "7 m, 90 deg": (7, 7, 90),
    "6-8 m, 90 deg": (6, 8, 90),
    "7 m, 150 deg": (7, 7, 150),
    "6-8 m, 150 deg": (6, 8, 150),
}


def body(low, high, degrees, sections=3):
    return robot_from_limits([[low, high]] * sections, [math.radians(degrees)] * sections, 10, 0.1 * low)


def random_sections(robot, rng):
    return random_states(robot, rng.random((1, len(robot.bend), 3)))[0]


def assert_within(found, within):
    assert (found[:, 0] >= within.lower).all()
    assert (found[:, 0] <= within.upper).all()
    assert (np.linalg.norm(found[:, 1:], axis=1) <= within.bend * (1 + 1e-12)).all()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("mode", ["pose", "axis", "position"])
def test_random_poses_within_the_limits_are_met(name, mode):
    robot, rng = body(*SETS[name]), np.random.default_rng(1)
    for _ in range(60):
        target = forward(random_sections(robot, rng))
        found = inverse(target, robot, mode)
        assert found.converged, found
        assert_within(found.sections, robot)
        pose = forward(found.sections)
        np.testing.assert_allclose(pose[:3, 3], target[:3, 3], rtol=0, atol=1e-8)
        if mode == "pose":
            np.testing.assert_allclose(pose, target, rtol=0, atol=1e-8)
        if mode == "axis":
            np.testing.assert_allclose(pose[:3, 2], target[:3, 2], rtol=0, atol=1e-8)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_any_number_of_sections(count):
    robot, rng = body(0.06, 0.08, 120, count), np.random.default_rng(2)
    for _ in range(50):
        assert inverse(forward(random_sections(robot, rng)), robot).converged


@pytest.mark.parametrize("count", [8, 10, 12])
@pytest.mark.parametrize("share", [0.02, 0.1])
def test_positions_near_full_stretch_are_met(count, share):
    """Sections at their full lengths bend a little, as far as the limits times a share."""
    robot = body(0.06, 0.08, 135, count)
    states = random_states(robot, np.random.default_rng(1).random((100, count, 3)))
    states = states * [0.0, share, share] + [0.08, 0.0, 0.0]
    assert all(found.converged for found in inverse_batch(forward_batch(states), robot, "position"))


def test_the_nearest_point_of_a_long_chain_is_the_nearest():
    """Beyond the tip of the straight robot: a radius from the base; what bends gets less far."""
    robot, target = body(0.06, 0.08, 135, 12), np.eye(4)
    target[2, 3] = 1.2
    assert inverse(target, robot, "position").position_error == pytest.approx(1.2 - 0.96, rel=1e-3)


@pytest.mark.parametrize("mode", ["pose", "axis", "position"])
def test_sections_turn_and_are_mirrored_with_the_target(mode):
    robot, left = body(6, 8, 150), np.diag([1.0, -1.0, 1.0])
    turn = rotation_matrix(np.array([0.0, 0.0, 2.2]))
    for state in random_states(robot, np.random.default_rng(6).random((20, 3, 3))):
        target = forward(state)
        first = inverse(target, robot, mode).sections
        for moved in (turn, left, turn @ left):
            other = target.copy()
            other[:3, :3], other[:3, 3] = moved @ target[:3, :3] @ moved.T, moved @ target[:3, 3]
            expected = first.copy()
            if mode != "position" or moved is turn:  # a position is its own mirror image
                expected[:, 1:] = first[:, 1:] @ moved[:2, :2].T
                np.testing.assert_allclose(inverse(other, robot, mode).sections, expected, atol=1e-5)


def test_the_cables_are_those_of_the_sections():
    robot = body(6, 8, 90)
    found = inverse(forward(random_sections(robot, np.random.default_rng(7))), robot)
    expected = lengths_from_arc(found.sections, robot.guides, robot.radius)
    np.testing.assert_array_equal(found.lengths, expected)


@pytest.mark.parametrize("mode", ["pose", "axis", "position"])
def test_the_papers_iteration_meets_most_poses_of_an_extensible_robot(mode):
    robot, rng = body(6, 8, 90), np.random.default_rng(8)
    targets = [forward(random_sections(robot, rng)) for _ in range(10)]
    found = [inverse(target, robot, mode, "pseudo-inverse") for target in targets]
    assert sum("did not meet" in each.reason for each in found) <= 3
    assert sum(each.converged for each in found) >= 2
    for target, each in zip(targets, found, strict=True):
        if each.converged:
            np.testing.assert_allclose(forward(each.sections)[:3, 3], target[:3, 3], rtol=0, atol=1e-8)
            assert_within(each.sections, robot)
        else:
            assert each.reason.startswith("the iteration")


def test_the_papers_iteration_leaves_lengths_that_cannot_change():
    robot, rng = body(7, 7, 90), np.random.default_rng(9)
    found = [inverse(forward(random_sections(robot, rng)), robot, method="pseudo-inverse") for _ in range(10)]
    assert sum(each.reason.endswith("outside the limits, which it does not know") for each in found) >= 5


def test_a_start_near_a_solution_finds_that_one():
    robot = body(6, 8, 135)
    wanted = random_sections(robot, np.random.default_rng(3))
    found = inverse(forward(wanted), robot, near=wanted + 1e-3, starts=1)
    assert np.abs(found.sections - wanted).max() < 0.05


def test_the_same_seed_gives_the_same_sections():
    robot = body(7, 7, 150)
    target = forward(random_sections(robot, np.random.default_rng(4)))
    first, second = inverse(target, robot, seed=5), inverse(target, robot, seed=5)
    np.testing.assert_array_equal(first.sections, second.sections)


def test_a_target_beyond_the_robot_has_a_reason_and_the_nearest_pose():
    robot = body(6, 8, 90)
    target = np.eye(4)
    target[2, 3] = 30.0
    found = inverse(target, robot)
    assert not found.converged
    words = "the target is 30 m from the base, and the robot at most 24 m long; the nearest is 6 m away, turned by"
    assert found.reason.startswith(words)
    assert found.position_error == pytest.approx(6.0, rel=1e-5)
    assert_within(found.sections, robot)


def test_the_limits_that_hold_the_nearest_sections_are_named():
    target = np.eye(4)
    target[:3, 3] = [5.0, 0.0, 3.0]
    found = inverse(target, body(6, 8, 30, 1), "position", starts=3)
    assert "found from 3 starts; limits hold section 1; the nearest is" in found.reason


def test_a_target_that_only_the_limits_forbid_has_a_reason():
    """One section of a fixed length reaches a surface; this point is below it."""
    target = np.eye(4)
    target[2, 3] = 3.0
    found = inverse(target, body(7, 7, 90, 1), "position", starts=3)
    assert not found.converged
    assert found.reason == "no sections within the limits were found from 3 starts; the nearest is 4 m away"


@pytest.mark.parametrize("bend", [0.0, 1e-9, 0.3162, 0.3163, 1.0, 3.0])
def test_compiled_pose_and_slopes_are_those_of_the_definition(bend):
    """At the target nothing is missing, and minus the residual's derivatives are the Jacobian's rows."""
    sections = np.array([[7.0, bend, 0.0], [6.5, -0.6 * bend, 0.8 * bend], [8.0, 0.0, -bend]])
    pose, expected = forward(sections), jacobian(sections)
    residual, slopes = np.empty(6), np.empty((6, 9))
    residual_and_slopes(
        Target(pose[:3, :3].copy(), pose[:3, 3].copy(), POSE, 2.0), sections, residual, slopes
    )
    np.testing.assert_allclose(residual, 0.0, rtol=0, atol=1e-13)
    np.testing.assert_allclose(slopes[:3], pose[:3, :3] @ expected[:3], rtol=0, atol=1e-12)
    np.testing.assert_allclose(slopes[3:], 2.0 * expected[3:], rtol=0, atol=1e-12)


@pytest.mark.parametrize("mode", [POSE, AXIS, POSITION])
@pytest.mark.parametrize("turn", [0.0, 1e-5, 0.4, 2.5, 3.12])
def test_slopes_are_differences(mode, turn):
    sections = np.array([[7.0, 0.3, -0.2], [6.5, 0.0, 0.0], [8.0, -0.9, 1.3]])
    pose = forward(sections)
    rotation = pose[:3, :3] @ rotation_matrix(turn * np.array([0.6, -0.48, 0.64]))
    target = Target(rotation, pose[:3, 3] + [0.3, -0.2, 0.1], mode, 2.0)

    def at(x):
        residual, slopes = np.empty(6), np.empty((6, 9))
        residual_and_slopes(target, x, residual, slopes)
        return residual, slopes

    step, differences = 1e-4, np.empty((6, 9))
    for column in range(9):
        change = np.zeros(9)
        change[column] = step
        up, down = at(sections + change.reshape(3, 3))[0], at(sections - change.reshape(3, 3))[0]
        differences[:, column] = (up - down) / (2 * step)
    np.testing.assert_allclose(-at(sections)[1], differences, rtol=0, atol=2e-6)


@pytest.mark.parametrize("mode", ["pose", "axis"])
def test_the_opposite_direction_is_as_far_as_can_be(mode):
    robot = body(0.07, 0.07, 90)
    target = np.diag([1.0, -1.0, -1.0, 1.0])
    target[2, 3] = 0.21
    found = inverse(target, robot, mode, near=[[0.07, 0, 0]] * 3, starts=1)
    assert not found.converged
    straight = np.array([[0.07, 0.0, 0.0]] * 3)
    residual, slopes = np.empty(6), np.empty((6, 9))
    wanted = Target(target[:3, :3].copy(), target[:3, 3].copy(), POSE if mode == "pose" else AXIS, 2.0)
    residual_and_slopes(wanted, straight, residual, slopes)
    assert np.linalg.norm(residual) == pytest.approx(2 * math.pi, rel=1e-12)
    assert np.isfinite(slopes).all()


def test_an_axis_that_flips_is_met_from_the_solution_before():
    robot, target = body(0.06, 0.1, 180, 5), np.eye(4)
    target[:3, 3] = [0.05, 0.02, 0.2]
    first = inverse(target, robot, "axis")
    flipped = target @ np.diag([1.0, -1.0, -1.0, 1.0])
    assert first.converged
    assert inverse(flipped, robot, "axis", near=first.sections).converged


@pytest.mark.parametrize(
    ("call", "place", "words"),
    [
        (lambda: robot_from_limits([[0.0, 1.0]], [1.0], 10, 0.1), "lengths[0]", "0 < least"),
        (lambda: robot_from_limits([[2.0, 1.0]], [1.0], 10, 0.1), "lengths[0]", "0 < least"),
        (lambda: robot_from_limits(np.empty((0, 2)), [], 10, 0.1), "lengths", "(n, 2)"),
        (lambda: robot_from_limits([[1.0, 1.0]], [0.0], 10, 0.1), "bends[0]", "positive limit"),
        (lambda: robot_from_limits([[1.0, 1.0]], [1.0, 1.0], 10, 0.1), "bends", "(1,)"),
        (lambda: robot_from_limits([[1.0, 1.0]], [1.0], 10, 1.0), "bends[0]", "set the cables nearer"),
        (lambda: robot_from_limits([[9.0, 9.0]], [3.2], 1, 0.1), "bends[0]", "through 1 guides"),
        (lambda: robot_from_limits([[1.0, 1.0]], [1.0], 0, 0.1), "guides", "at least 1"),
        (lambda: robot_from_limits([[1.0, 1.0]], [1.0], 10, 0.0), "radius", "positive radius"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), method="newton"), "method", "levenberg-marquardt"),
        (lambda: inverse(2 * np.eye(4), body(6, 8, 90)), "target", "no pose"),
        (lambda: inverse(np.diag([1, 1, -1, 1]), body(6, 8, 90)), "target", "no pose"),
        (lambda: inverse(np.eye(3), body(6, 8, 90)), "target", "(4, 4)"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), "tip"), "mode", "pose, axis, position"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), starts=0), "starts", "1 to 10000"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), starts=10**9), "starts", "1 to 10000"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), starts=2.5), "starts", "1 to 10000"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), seed=-1), "seed", "at least 0"),
        (lambda: inverse_batch([np.eye(4), np.zeros((4, 4))], body(6, 8, 90)), "targets[1]", "no pose"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), tolerance=0.0), "tolerance", "positive"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), tolerance=math.nan), "tolerance", "positive"),
        (lambda: inverse(np.eye(4), body(6, 8, 90), near=[[1, 0, 0]]), "near", "(3, 3)"),
    ],
)
def test_what_is_no_target_is_refused_at_its_place(call, place, words):
    with pytest.raises(InputError) as caught:
        call()
    assert place_text(caught.value.place) == place
    assert words in str(caught.value)
