"""Forward kinematics and its Jacobians: closed forms, differences, the paper's chain, and many rigid links."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from errors import InputError, place_text
from models.continuum_kinematics import (
    arc_from_lengths,
    forward,
    forward_lengths,
    jacobian,
    lengths_from_arc,
    lengths_jacobian,
    section_frames,
)
from models.numerics.rotations import rotation_matrix
from tests.oracles.virtual_chain import chain_jacobian, chain_pose, virtual_joints

STRAIGHT = [[7.0, 0.0, 0.0], [6.0, 0.0, 0.0]]
BENT = [[7.0, 0.4, -1.1], [6.5, 1.2, 0.3], [8.0, -0.2, 0.9]]
MIXED = [[7.0, 0.0, 0.0], [6.5, 1.2, 0.3], [8.0, 1e-9, 0.0]]
EIGHT = [[1.0, 0.1 * k, -0.2] for k in range(8)]
ROBOTS = [STRAIGHT, BENT, MIXED, EIGHT, [[0.05, 0.0, 3.0]], [[0.07, -4.1, 1.0], [0.06, 0.5, 6.0]]]
GUIDES, RADIUS = 5, 0.3


def sections(most=3.0):
    """One to five sections that bend by less than ``most`` rad in any direction."""
    one = st.tuples(st.floats(0.5, 9.0), st.floats(0.0, most), st.floats(-math.pi, math.pi))
    bent = one.map(lambda each: (each[0], each[1] * math.cos(each[2]), each[1] * math.sin(each[2])))
    return st.lists(bent, min_size=1, max_size=5).map(np.array)


def twist_by_differences(pose_of, x, step):
    """The body Jacobian (6, n) of a pose by differences of fourth order."""
    pose = pose_of(x)
    columns = []
    for index in np.ndindex(x.shape):
        change = np.zeros((4, 4))
        for factor, weight in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
            moved = x.copy()
            moved[index] += factor * step
            change += weight * pose_of(moved) / (12 * step)
        body = np.linalg.solve(pose, change)
        columns.append([*body[:3, 3], body[2, 1], body[0, 2], body[1, 0]])
    return np.array(columns).T


def test_a_straight_robot_stands_on_its_base():
    np.testing.assert_allclose(forward(STRAIGHT), [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 13], [0, 0, 0, 1]])


@pytest.mark.parametrize("phi", [0.0, 0.7, math.pi / 2, 4.0])
def test_a_quarter_circle_ends_where_it_must(phi):
    """Equations 7 and 8: it bends away from the direction phi, since cables there grow longer."""
    pose = forward([[2.0, math.pi / 2 * math.cos(phi), math.pi / 2 * math.sin(phi)]])
    radius, away = 4 / math.pi, np.array([-math.cos(phi), -math.sin(phi), 0.0])
    np.testing.assert_allclose(pose[:3, 3], radius * away + [0, 0, radius], atol=1e-15)
    np.testing.assert_allclose(pose[:3, 2], away, atol=1e-15)


@given(sections())
def test_a_pose_is_that_of_equations_7_and_8(given_sections):
    pose = np.eye(4)
    for s, u, v in given_sections:
        theta, phi = math.hypot(u, v), math.atan2(v, u)
        if theta < 1e-2:
            return  # they divide by theta
        c, k = math.cos(theta) - 1, theta / s
        x, y, sine = math.cos(phi), math.sin(phi), math.sin(theta)
        R = [
            [x * x * c + 1, y * x * c, -x * sine],
            [y * x * c, x * x * -c + c + 1, -y * sine],
            [x * sine, y * sine, c + 1],
        ]
        section = np.eye(4)
        section[:3, :3], section[:3, 3] = R, [x * c / k, y * c / k, sine / k]
        pose = pose @ section
    np.testing.assert_allclose(forward(given_sections), pose, rtol=0, atol=1e-12 * given_sections[:, 0].sum())


def test_many_rigid_links_approach_the_arc_as_the_square_of_their_number():
    """Links and joints by a matrix exponential, which is separate code; each halving leaves a quarter."""
    exact, errors = forward(BENT), []
    for links in (20, 40, 80):
        pose = np.eye(4)
        for s, u, v in BENT:
            half, turn = np.eye(4), np.zeros((4, 4))
            half[2, 3] = s / links / 2
            turn[:3, :3] = np.array([[0, 0, -u], [0, 0, -v], [u, v, 0]]) / links
            pose = pose @ np.linalg.matrix_power(half @ expm(turn) @ half, links)
        errors.append(np.abs(pose - exact).max())
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.01)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.01)


@given(sections(), st.floats(-math.pi, math.pi))
def test_a_robot_turned_about_its_base_bends_the_same_way_there(given_sections, angle):
    turn = rotation_matrix(np.array([0.0, 0.0, angle]))
    turned = np.column_stack([given_sections[:, 0], given_sections[:, 1:] @ turn[:2, :2].T])
    whole = np.eye(4)
    whole[:3, :3] = turn
    length = given_sections[:, 0].sum()
    expected = whole @ forward(given_sections) @ whole.T
    np.testing.assert_allclose(forward(turned), expected, rtol=0, atol=1e-13 * length)


@given(sections())
def test_a_turn_from_cable_to_cable_passes_their_lengths_on(given_sections):
    """The guides turn into themselves by 120 degrees: the next cable has the length that the one before had."""
    turn = rotation_matrix(np.array([0.0, 0.0, math.radians(120)]))
    turned = np.column_stack([given_sections[:, 0], given_sections[:, 1:] @ turn[:2, :2].T])
    radius = 0.5 / (3.0 + 1)
    lengths = lengths_from_arc(given_sections, GUIDES, radius)
    np.testing.assert_allclose(
        lengths_from_arc(turned, GUIDES, radius), np.roll(lengths, 1, axis=1), atol=1e-13
    )
    whole = np.eye(4)
    whole[:3, :3] = turn
    moved = forward_lengths(np.roll(lengths, 1, axis=1), GUIDES, radius)
    expected = whole @ forward_lengths(lengths, GUIDES, radius) @ whole.T
    np.testing.assert_allclose(moved, expected, rtol=0, atol=1e-11)
    values = [
        np.linalg.svd(lengths_jacobian(each, GUIDES, radius), compute_uv=False)
        for each in (lengths, np.roll(lengths, 1, axis=1))
    ]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("robot", ROBOTS)
def test_the_jacobian_is_the_difference(robot):
    robot = np.array(robot)
    scale = robot[:, 0].sum()
    found = twist_by_differences(forward, robot, 1e-3)
    np.testing.assert_allclose(jacobian(robot), found, rtol=0, atol=1e-9 * scale)


@pytest.mark.parametrize("robot", ROBOTS)
def test_the_jacobian_of_lengths_is_the_difference(robot):
    robot = np.array(robot)
    radius = 0.04 * robot[0, 0]
    lengths = lengths_from_arc(robot, GUIDES, radius)
    scale = 1 / radius
    found = twist_by_differences(lambda each: forward_lengths(each, GUIDES, radius), lengths, 1e-3 * radius)
    found_scale = np.abs(found).max()
    assert found_scale < 100 * scale * robot[:, 0].sum()
    analytic = lengths_jacobian(lengths, GUIDES, radius)
    np.testing.assert_allclose(analytic, found, rtol=0, atol=1e-8 * found_scale)


@given(sections())
def test_the_virtual_chain_is_the_arc(given_sections):
    length = given_sections[:, 0].sum()
    pose = chain_pose(virtual_joints(given_sections))
    np.testing.assert_allclose(pose, forward(given_sections), rtol=0, atol=1e-12 * max(length, 1.0))
    np.testing.assert_allclose(
        chain_jacobian(given_sections), jacobian(given_sections), rtol=0, atol=1e-9 * max(length, 1.0)
    )


def test_the_printed_table_is_another_robot():
    """Row 4 of tables 1 and 2 has theta_4 + pi/2; the pose of that is far from equations 7 and 8."""
    joints = virtual_joints([[1.0, 0.3, 0.2]])
    joints[0, 3] += math.pi
    assert np.abs(chain_pose(joints) - forward([[1.0, 0.3, 0.2]])).max() > 1.0


@given(sections(), st.integers(3, 12))
def test_lengths_of_an_arc_give_the_arc(given_sections, guides):
    radius = 0.5 / (3.0 + 1)  # the shortest section, bent most, keeps its inner cable
    lengths = lengths_from_arc(given_sections, guides, radius)
    found = arc_from_lengths(lengths, guides, radius)
    np.testing.assert_allclose(found, given_sections, rtol=0, atol=1e-12 * 9 / radius)
    np.testing.assert_allclose(lengths_from_arc(found, guides, radius), lengths, rtol=0, atol=1e-12 * 9)


def test_cables_are_chords_from_guide_to_guide():
    (section,), guides, radius = [BENT[0]], 4, 0.5
    lengths = lengths_from_arc([section], guides, radius)[0]
    parts = np.array([section]) / guides
    frames = section_frames(np.repeat(parts, guides, axis=0))
    for azimuth, length in zip((-90, 30, 150), lengths, strict=True):
        hole = radius * np.array([math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth)), 0])
        holes = frames.positions + frames.rotations @ hole
        assert np.linalg.norm(np.diff(holes, axis=0), axis=1).sum() == pytest.approx(length, rel=1e-13)


def test_lengths_are_those_of_equations_10_to_12():
    lengths, n, d = np.array([6.8, 7.1, 7.4]), 5, 0.4
    l1, l2, l3 = lengths
    root = math.sqrt(l1**2 + l2**2 + l3**2 - l1 * l2 - l2 * l3 - l1 * l3)
    s = n * d * lengths.sum() / root * math.asin(root / (3 * n * d))
    kappa = 2 * root / (d * lengths.sum())
    phi = math.atan2(math.sqrt(3) * (l2 + l3 - 2 * l1), 3 * (l2 - l3))
    ((found, u, v),) = arc_from_lengths([lengths], n, d)
    assert found == pytest.approx(s, rel=1e-13)
    assert [u, v] == pytest.approx([kappa * s * math.cos(phi), kappa * s * math.sin(phi)], rel=1e-12)


@pytest.mark.parametrize(
    ("call", "place", "words"),
    [
        (lambda: forward([]), "sections", "expected finite numbers"),
        (lambda: forward([[1.0, 2.0]]), "sections", "(n, 3)"),
        (lambda: forward([[1.0, math.nan, 0.0]]), "sections", "finite"),
        (lambda: jacobian([[1.0, 0, 0], [0.0, 0, 0]]), "sections[1][0]", "positive length"),
        (lambda: lengths_from_arc([[1.0, 0, 0]], 0, 0.1), "guides", "at least 1"),
        (lambda: lengths_from_arc([[1.0, 0, 0]], 2, 0.0), "radius", "positive radius"),
        (lambda: lengths_from_arc([[1.0, 2.0, 0]], 4, 0.9), "sections[0]", "bend it less"),
        (lambda: arc_from_lengths([[1.0, -1.0, 1.0]], 4, 0.1), "lengths[0]", "positive lengths"),
        (lambda: arc_from_lengths([[1.0, 9.0, 1.0]], 4, 0.1), "lengths[0]", "differ too much"),
        (lambda: lengths_jacobian([[1.0, math.inf, 1.0]], 4, 0.1), "lengths", "finite"),
        (lambda: chain_pose([[1.0, 2.0]]), "joints", "five per section"),
    ],
)
def test_what_is_no_robot_is_refused_at_its_place(call, place, words):
    with pytest.raises(InputError) as caught:
        call()
    assert place_text(caught.value.place) == place
    assert words in str(caught.value)
