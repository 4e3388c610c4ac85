"""Reachable volume, dexterity and conditioning: closed forms, definitions, symmetry, convergence."""

import math

import numpy as np
import pytest
from scipy.linalg import block_diag, orth

from errors import InputError, place_text
from models.continuum_kinematics import (
    arc_from_lengths,
    backbone_values,
    dexterity,
    forward,
    forward_batch,
    forward_lengths,
    inverse,
    jacobian,
    jacobian_batch,
    lengths_from_arc,
    lengths_jacobian,
    reachable_points,
    reachable_volume,
    reached_directions,
    robot_from_limits,
    singular_values,
    spread_directions,
)
from models.continuum_kinematics.cables import length_slopes
from models.continuum_kinematics.reachable_volume import random_states
from models.continuum_kinematics.robot import SCALE
from models.numerics.rotations import rotation_matrix


def body(low, high, degrees, sections=3, radius=0.1):
    return robot_from_limits([[low, high]] * sections, [math.radians(degrees)] * sections, 10, radius * low)


STATES = random_states(body(0.6, 0.8, 150), np.random.default_rng(3).random((40, 3, 3)))
STRAIGHT = np.array([[[0.7, 0.0, 0.0]] * 3, [[0.7, 1e-9, 0.0], [0.6, 0.0, -1e-5], [0.8, 1e-3, 1e-3]]])


@pytest.mark.parametrize("states", [STATES, STRAIGHT])
def test_poses_and_tips_of_many_states_are_those_of_the_definition(states):
    expected = np.array([forward(state) for state in states])
    np.testing.assert_allclose(forward_batch(states), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("states", [STATES, STRAIGHT])
def test_many_states_have_the_lengths_and_jacobians_of_each(states):
    np.testing.assert_allclose(
        jacobian_batch(states), [jacobian(each) for each in states], rtol=0, atol=1e-13
    )
    lengths = lengths_from_arc(states, 10, 0.05)
    np.testing.assert_array_equal(lengths, [lengths_from_arc(each, 10, 0.05) for each in states])
    np.testing.assert_allclose(arc_from_lengths(lengths, 10, 0.05), states, rtol=0, atol=1e-13)
    found = lengths_jacobian(lengths, 10, 0.05)
    np.testing.assert_array_equal(found, [lengths_jacobian(each, 10, 0.05) for each in lengths])
    np.testing.assert_allclose(forward_lengths(lengths, 10, 0.05), forward_batch(states), rtol=0, atol=1e-13)
    assert forward_batch(states[None, None]).shape == (1, 1, len(states), 4, 4)


def test_points_are_tips_of_states_within_the_limits():
    robot = body(0.6, 0.8, 150)
    draws = np.random.default_rng(4).random((500, 3, 3))
    expected = np.array([forward(state)[:3, 3] for state in random_states(robot, draws)])
    np.testing.assert_allclose(reachable_points(robot, 500, seed=4), expected, rtol=0, atol=1e-14)


def test_lengths_and_disks_of_bends_are_filled_evenly():
    robot = body(0.6, 0.8, 150, 1)
    states = random_states(robot, np.random.default_rng(5).random((200_000, 1, 3)))[:, 0]
    shares = [(states[:, 0] - 0.6) / 0.2, (np.linalg.norm(states[:, 1:], axis=1) / robot.bend[0]) ** 2]
    shares.append(np.arctan2(states[:, 2], states[:, 1]) / (2 * math.pi) + 0.5)
    for share in shares:
        counts, _ = np.histogram(share, 10, (0, 1))
        assert np.abs(counts / 20_000 - 1).max() < 0.03


def test_the_volume_is_that_of_the_body_of_revolution():
    """A section of s = a to b that bends by up to t sweeps the space between surfaces of revolution.

    A tip is at x = s (1 - cos t)/t, z = s sin(t)/t; by Pappus the volume is 2 pi times the integral of x over
    the area dx dz = |J| ds dt.
    """
    a, b, most = 0.5, 1.0, math.radians(120)
    t, s = np.meshgrid(np.linspace(1e-6, most, 4001), np.linspace(a, b, 401))
    g, h = (1 - np.cos(t)) / t, np.sin(t) / t
    g1, h1 = (np.sin(t) - g) / t, (np.cos(t) - h) / t
    inside = 2 * math.pi * s * g * s * np.abs(g * h1 - h * g1)
    exact = np.trapezoid(np.trapezoid(inside, t[0], axis=1), s[:, 0])
    robot = robot_from_limits([[a, b]], [most], 10, 0.1)
    found = [reachable_volume(robot, 1000, cells) for cells in (25, 50, 100)]
    for each in found:
        assert abs(each.volume - exact) < each.error / 3
    assert found[-1].volume == pytest.approx(exact, rel=0.005)
    assert found[-1].error < 0.3 * found[0].error


def equal_sections(count, degrees):
    """Sections of 24 cm together, which can shorten by a quarter."""
    return robot_from_limits(
        [[0.18 / count, 0.24 / count]] * count, [math.radians(degrees)] * count, 10, 1e-3
    )


def test_more_sections_of_the_same_length_reach_more():
    """The least values were found by ten million samples, and by searches for single points."""
    found = [1e3 * reachable_volume(equal_sections(count, 120), 20_000).volume for count in (3, 6, 12)]
    assert (np.array(found) >= [35.4, 45.6, 50.8]).all()
    assert found == sorted(found)
    assert 1e3 * reachable_volume(equal_sections(5, 360), 20_000).volume == pytest.approx(46.8, rel=0.005)


@pytest.mark.parametrize(("count", "degrees"), [(3, 135), (5, 360)])
def test_the_volume_depends_on_samples_and_cells_within_its_error(count, degrees):
    robot = equal_sections(count, degrees)
    best = reachable_volume(robot, cells=100)
    for samples, cells in ((1000, 50), (100_000, 50), (10_000, 25)):
        found = reachable_volume(robot, samples, cells)
        assert abs(found.volume - best.volume) < found.error / 3
    assert reachable_volume(robot, 1000).volume == pytest.approx(reachable_volume(robot).volume, rel=2e-3)


def test_every_tip_is_in_a_ring_that_is_reached_or_at_the_rim():
    robot = equal_sections(3, 135)
    held = np.pad(reachable_volume(robot, 1000).held, 2, mode="edge")
    tips = reachable_points(robot, 50_000, seed=9) / (0.24 / 50)
    out, up = np.hypot(tips[:, 0], tips[:, 1]).astype(int) + 2, np.floor(tips[:, 2]).astype(int) + 52
    near = np.array([held[out + i, up + j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    assert near.any(axis=0).all()
    assert near[4].mean() > 0.98


def test_a_surface_has_no_volume():
    found = reachable_volume(robot_from_limits([[0.07, 0.07]], [math.radians(135)], 10, 0.01), 100_000)
    assert found.volume == 0.0
    assert found.error > 0.0


def test_volumes_scale_with_the_cube_of_the_lengths():
    small, large = (reachable_volume(body(0.6 * f, 0.8 * f, 90), 5000).volume for f in (1.0, 10.0))
    assert large == pytest.approx(1e3 * small, rel=1e-3)


def test_directions_are_spread_evenly():
    axes = spread_directions(500)
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, atol=1e-14)
    assert np.abs(axes.mean(axis=0)).max() < 2e-3
    cosines = np.sort(axes @ axes.T, axis=1)[:, -2]  # to the nearest neighbour
    assert np.degrees(np.arccos(cosines)).min() > 0.6 * math.degrees(math.sqrt(4 * math.pi / 500))


def test_reached_directions_are_reached_and_the_others_are_by_no_other_search():
    robot, point = body(0.06, 0.08, 135), np.array([0.03, 0.0, 0.14])
    found = dexterity(robot, point, 120)
    assert 0.5 < found.share < 1
    for axis, reached, state in zip(found.directions, found.reached, found.sections, strict=True):
        pose = forward(state)
        if reached:
            np.testing.assert_allclose(pose[:3, 3], point, rtol=0, atol=1e-6)
            np.testing.assert_allclose(pose[:3, 2], axis, rtol=0, atol=1e-6)
    missed = 0
    for axis in found.directions[~found.reached]:
        target = np.eye(4)
        target[:3, :3], target[:3, 3] = turn_to(axis), point
        missed += not inverse(target, robot, "axis", starts=100, tolerance=1e-6).converged
    assert missed == (~found.reached).sum()


def turn_to(axis):
    """A rotation whose z is the axis."""
    angle = math.acos(np.clip(axis[2], -1, 1))
    normal = np.array([-axis[1], axis[0], 0.0])
    return rotation_matrix(angle * normal / (np.linalg.norm(normal) or 1.0))


def test_dexterity_turns_with_the_robot():
    """The limits are the same to all sides: a point and directions turned about z give the same."""
    robot, point = body(0.06, 0.08, 120), np.array([0.05, 0.01, 0.13])
    axes, turn = spread_directions(200), rotation_matrix(np.array([0.0, 0.0, 1.1]))
    first = reached_directions(robot, point, axes).reached
    second = reached_directions(robot, turn @ point, axes @ turn.T).reached
    assert (first != second).sum() <= 2


def test_no_direction_is_reached_out_of_reach_and_one_at_full_length():
    robot = body(0.07, 0.07, 90)
    assert dexterity(robot, [0.0, 0.0, 0.3], 50).share == 0
    assert reached_directions(robot, [0.0, 0.0, 0.21], [[0, 0, 1], [0, 1, 0]]).reached.tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize("states", [STATES, STRAIGHT])
def test_singular_values_are_those_of_the_jacobian_of_lengths(states):
    robot = body(0.6, 0.8, 150, len(states[0]))
    found = singular_values(robot, states)
    worth = SCALE * 0.8
    for state, values in zip(states, found, strict=True):
        lengths = lengths_from_arc(state, robot.guides, robot.radius)
        whole = lengths_jacobian(lengths, robot.guides, robot.radius)
        whole[3:] *= worth
        np.testing.assert_allclose(values, np.linalg.svd(whole, compute_uv=False), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("states", [STATES, STRAIGHT, STATES[:, :2], STATES[:, :1]])
def test_cables_of_constant_sections_move_only_as_these_allow(states):
    """As the Jacobian times any orthonormal basis of the cables' motions that keep the lengths."""
    k = states.shape[1]
    robot = body(0.6, 0.6, 150, k)
    for state, values in zip(states, singular_values(robot, states), strict=True):
        lengths = lengths_from_arc(state, robot.guides, robot.radius)
        whole = lengths_jacobian(lengths, robot.guides, robot.radius)
        whole[3:] *= SCALE * 0.6
        motions = block_diag(
            *[orth(each[:, 1:]) for each in length_slopes(state, robot.guides, robot.radius)]
        )
        expected = np.linalg.svd(whole @ motions, compute_uv=False)
        np.testing.assert_allclose(values[: len(expected)], expected, rtol=1e-8, atol=1e-12)
        assert (values[2 * k :] < 1e-12).all()


def test_two_sections_of_any_length_lack_a_motion():
    """Their two planes of bending meet in a line, about which no cable turns the tip."""
    values = singular_values(body(0.6, 0.8, 150, 2), STATES[:, :2])
    assert (values[:, 4] > 1e-6).all()
    assert (values[:, 5] < 1e-12).all()


def test_the_least_value_of_the_backbone_is_that_of_cables_at_the_characteristic_length():
    states = STATES * [1.0, 0.3, 0.3]
    for low in (0.6, 0.8):
        robot = robot_from_limits([[low, 0.8]] * 3, [0.5 * math.pi] * 3, 10, 0.01)
        wide = robot._replace(guides=100_000, radius=SCALE * 0.8)
        expected = singular_values(wide, states)[:, -1]
        np.testing.assert_allclose(backbone_values(robot, states), expected, rtol=1e-6)
    assert (backbone_values(body(0.6, 0.8, 90, 2), STATES[:, :2]) == 0.0).all()
    assert (backbone_values(body(0.6, 0.8, 90, 1), STATES[:, :1]) == 0.0).all()


def test_thin_guides_do_not_raise_the_least_value():
    """It is the same for all guides and scales; that of the cables grew as the guides became thinner."""
    robots = [body(0.6, 0.8, 90, radius=radius) for radius in (0.2, 0.002)]
    cables = [singular_values(robot, STATES)[:, -1].mean() for robot in robots]
    backbones = [backbone_values(robot, STATES) for robot in robots]
    assert cables[1] > 1.5 * cables[0]
    np.testing.assert_array_equal(*backbones)
    small = backbone_values(body(0.06, 0.08, 90), STATES * [0.1, 1.0, 1.0])
    np.testing.assert_allclose(small, backbones[0], rtol=1e-9)


def test_a_smaller_radius_makes_the_cables_act_more():
    wide, narrow = (
        singular_values(body(0.6, 0.8, 90, radius=radius), STATES)[:, 0].mean() for radius in (0.2, 0.02)
    )
    assert narrow > 5 * wide


@pytest.mark.parametrize(
    ("call", "place", "words"),
    [
        (lambda: reachable_volume(body(1, 1, 90), 0), "samples", "1 to 100000000"),
        (lambda: reachable_volume(body(1, 1, 90), 10**9), "samples", "1 to 100000000"),
        (lambda: reachable_volume(body(1, 1, 90), 10, 401), "cells", "1 to 400"),
        (lambda: dexterity(body(1, 1, 90), [0, 0, 1], 0), "directions", "1 to 10000"),
        (lambda: dexterity(body(1, 1, 90), [0, 1]), "point", "(3,)"),
        (lambda: reached_directions(body(1, 1, 90), [0, 0, 1], [[0, 0, 0]]), "directions", "zero"),
        (lambda: forward_batch([[[1, 0, 0], [0, 1, 1]]]), "sections[0][1][0]", "positive length"),
    ],
)
def test_what_is_no_sample_or_point_is_refused_at_its_place(call, place, words):
    with pytest.raises(InputError) as caught:
        call()
    assert place_text(caught.value.place) == place
    assert words in str(caught.value)
