"""The paper's equations as printed: the right ones equal ours; the wrong ones differ, and their corrections do not.

A section is the paper's (s, kappa, phi) here. What is printed is written down again, so that nothing depends on the
module's own form of it.
"""

import math

import numpy as np
import pytest

from errors import InputError
from models.continuum_kinematics import (
    arc_from_lengths,
    forward,
    inverse,
    jacobian,
    robot_from_limits,
)
from tests.oracles.virtual_chain import chain_pose, virtual_joints

RNG = np.random.default_rng(4)
SECTIONS = [
    (s, theta / s, phi)
    for s, theta, phi in zip(
        RNG.uniform(0.5, 9.0, 8), RNG.uniform(0.4, 2.7, 8), np.linspace(-3.0, 3.0, 8), strict=True
    )
]
LENGTHS = RNG.uniform(6.0, 8.0, (8, 3))
GUIDES, RADIUS = 5, 0.4
WRONG = 1e-2  # what is wrong is wrong by more than this

every_section = pytest.mark.parametrize("section", SECTIONS, ids=lambda each: f"phi {each[2]:.1f}")
every_length = pytest.mark.parametrize("lengths", LENGTHS)


def uv(s, kappa, phi):
    return [s, kappa * s * math.cos(phi), kappa * s * math.sin(phi)]


def turn_x(degrees):
    c, s = round(math.cos(math.radians(degrees))), round(math.sin(math.radians(degrees)))
    return np.array([[1.0, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])


def differences(function, x, step=1e-4):
    """Central differences of fourth order; one column per number of ``x``."""
    columns = []
    for index in range(len(x)):
        change = step * np.eye(len(x))[index]
        near, far = (function(x + k * change) - function(x - k * change) for k in (1, 2))
        columns.append((8 * near - far) / (12 * step))
    return np.array(columns).T


def assert_equal(one, other, scale=1.0):
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * scale)


def difference(one, other):
    return np.abs(np.asarray(one) - np.asarray(other)).max()


# ---------------------------------------------------------------- tables 1 and 2, equations 5 and 6


def equation_6(s, kappa, phi, arctangent=math.atan2):
    half = kappa * s / 2
    first = arctangent(math.cos(half), -math.sin(half) * math.cos(phi))
    second = math.asin(math.sin(half) * math.sin(phi))
    return np.array([first, second, 2 / kappa * math.sin(half), second, first + math.pi])


def table_1(joints, fourth):
    """The five numbered rows; ``fourth`` is added to theta_4. No row has a length a."""
    first, second, third, last, fifth = joints
    rows = [
        (first, 0.0, 90), (second + math.pi / 2, 0.0, 90), (0.0, third, -90), (last + fourth, 0.0, -90),
        (fifth, 0.0, 0),
    ]  # fmt: skip
    pose = np.eye(4)
    for theta, d, alpha in rows:
        c, s = math.cos(theta), math.sin(theta)
        pose = pose @ [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, d], [0, 0, 0, 1]] @ turn_x(alpha)
    return pose


def equation_5(joints):
    c, s, d3 = np.cos(joints), np.sin(joints), joints[2]
    (c1, c2, _, c4, c5), (s1, s2, _, s4, s5) = c, s
    return np.array(
        [
            [
                -c1 * s2 * s4 * c5 + c1 * c2 * c4 * c5 - s1 * s5,
                c1 * s2 * s4 * s5 - c1 * c2 * c4 * s5 - s1 * c5,
                -c2 * s4 * c1 + s2 * c4,
                c1 * c2 * d3,
            ],
            [
                -s1 * s2 * s4 * c5 + s1 * c2 * c4 * c5 + c1 * s5,
                s1 * s2 * s4 * s5 - s1 * c2 * c4 * s5 + c1 * c5,
                -s1 * c2 * s4 + s2 * c4,
                s1 * c2 * d3,
            ],
            [(c2 * s4 + s2 * c4) * s5, -(c2 * s4 + s2 * c4) * s5, c2 * c4 - s2 * s4, s2 * d3],
            [0, 0, 0, 1],
        ]
    )


def equation_5_corrected(joints):
    (c1, c2, _, c4, c5), (s1, s2, _, s4, _) = np.cos(joints), np.sin(joints)
    corrected = equation_5(joints)
    corrected[0, 2] = -c1 * (c2 * s4 + s2 * c4)
    corrected[1, 2] = -s1 * (c2 * s4 + s2 * c4)
    corrected[2, 0] = (c2 * s4 + s2 * c4) * c5
    return corrected


@every_section
def test_table_1_needs_minus_a_quarter_turn_in_row_4(section):
    joints, pose = equation_6(*section), forward([uv(*section)])
    assert_equal(turn_x(90) @ table_1(joints, -math.pi / 2) @ turn_x(-90), pose, section[0])
    assert difference(turn_x(90) @ table_1(joints, math.pi / 2) @ turn_x(-90), pose) > WRONG


def test_table_2_is_table_1_three_times():
    """Between two sections the last row of one and the first of the next, -90 and 90 degrees, leave nothing."""
    three = SECTIONS[:3]
    chain = turn_x(90)
    for section in three:
        chain = chain @ table_1(equation_6(*section), -math.pi / 2)
    robot = [uv(*section) for section in three]
    assert_equal(chain @ turn_x(-90), forward(robot), 30)
    assert_equal(chain_pose(virtual_joints(robot)), forward(robot), 30)


@every_section
def test_equation_5_has_three_wrong_entries(section):
    joints = equation_6(*section)
    true, printed, corrected = table_1(joints, -math.pi / 2), equation_5(joints), equation_5_corrected(joints)
    assert_equal(corrected, true, section[0])
    wrong = {(0, 2), (1, 2), (2, 0)}
    for place in np.ndindex(4, 4):
        if place in wrong:
            assert abs(printed[place] - true[place]) > 1e-3, place
        else:
            assert_equal(printed[place], true[place], section[0])


@every_section
def test_equation_5_is_no_rotation_as_printed(section):
    R = equation_5(equation_6(*section))[:3, :3]
    assert difference(R @ R.T, np.eye(3)) > WRONG


@every_section
def test_equation_5_leaves_out_the_first_and_the_last_row(section):
    """So it is not equation 9, which has the same name A."""
    inner, pose = equation_5_corrected(equation_6(*section)), forward([uv(*section)])
    assert_equal(turn_x(90) @ inner @ turn_x(-90), pose, section[0])
    assert difference(inner, pose) > WRONG


@every_section
def test_equation_6_needs_the_arctangent_of_two_arguments(section):
    pose = forward([uv(*section)])

    def pose_by(arctangent):
        inner = table_1(equation_6(*section, arctangent=arctangent), -math.pi / 2)
        return turn_x(90) @ inner @ turn_x(-90)

    assert_equal(pose_by(math.atan2), pose, section[0])
    off = difference(pose_by(lambda y, x: math.atan(y / x)), pose)
    if math.cos(section[2]) > 0.0:
        assert off > WRONG
    else:
        assert off < 1e-12 * max(section[0], 1.0)


# ---------------------------------------------------------------- equations 7 to 12


@every_section
def test_equations_7_and_8_are_the_arc(section):
    s, kappa, phi = section
    c, one = math.cos(kappa * s), math.cos(kappa * s) - 1
    x, y, sine = math.cos(phi), math.sin(phi), math.sin(kappa * s)
    R = [
        [x * x * one + 1, y * x * one, -x * sine],
        [y * x * one, x * x * (1 - c) + c, -y * sine],
        [x * sine, y * sine, c],
    ]
    pose = forward([uv(*section)])
    assert_equal(pose[:3, :3], R)
    assert_equal(pose[:3, 3], [x * one / kappa, y * one / kappa, sine / kappa], s)


def root_of(lengths):
    l1, l2, l3 = lengths
    return math.sqrt(l1**2 + l2**2 + l3**2 - l1 * l2 - l2 * l3 - l1 * l3)


def equation_10(lengths):
    root = root_of(lengths)
    return GUIDES * RADIUS * sum(lengths) / root * math.asin(root / (3 * GUIDES * RADIUS))


@every_length
def test_equations_10_and_11_are_ours(lengths):
    ((s, u, v),) = arc_from_lengths([lengths], GUIDES, RADIUS)
    assert equation_10(lengths) == pytest.approx(s, rel=1e-12)
    assert 2 * root_of(lengths) / (RADIUS * sum(lengths)) == pytest.approx(math.hypot(u, v) / s, rel=1e-12)


def test_equation_10_has_no_value_where_the_section_is_straight():
    with pytest.raises(ZeroDivisionError):
        equation_10([7.0, 7.0, 7.0])
    np.testing.assert_allclose(
        arc_from_lengths([[7.0, 7.0, 7.0]], GUIDES, RADIUS), [[7.0, 0.0, 0.0]], atol=1e-14
    )


def test_equation_10_has_no_value_where_the_lengths_differ_too_much():
    apart = [4.0, 4.0 + 3.001 * GUIDES * RADIUS, 4.0]
    with pytest.raises(ValueError, match="math domain"):
        equation_10(apart)
    with pytest.raises(InputError, match="differ too much"):
        arc_from_lengths([apart], GUIDES, RADIUS)


@every_length
def test_equation_12_needs_another_fraction_and_two_arguments(lengths):
    l1, l2, l3 = lengths
    ((_, u, v),) = arc_from_lengths([lengths], GUIDES, RADIUS)
    phi = math.atan2(v, u)
    assert math.atan2(math.sqrt(3) * (l2 + l3 - 2 * l1), 3 * (l2 - l3)) == pytest.approx(phi, rel=1e-12)
    printed = math.atan((math.sqrt(3) * l3 + l2 - 2 * l1) / (3 * ((l2 - l3) / (l2 - l3))))
    assert abs(printed - phi) > WRONG
    half = math.atan(
        math.sqrt(3) / 3 * (l2 + l3 - 2 * l1) / (l2 - l3)
    )  # one argument: half of all directions
    assert (half == pytest.approx(phi, rel=1e-12)) == (l2 > l3)


# ---------------------------------------------------------------- equations 13 to 19


def equation_16(joints, entry_1_2):
    """The entry (1, 2) is -c1 s2 times what is given: d_4 as printed, which no table has."""
    (c1, c2, *_), (s1, s2, *_), d3 = np.cos(joints), np.sin(joints), joints[2]
    c24, s24 = math.cos(joints[1] + joints[3]), math.sin(joints[1] + joints[3])
    return np.array(
        [
            [-s1 * c2 * d3, -c1 * s2 * entry_1_2, c1 * c2, 0, 0],
            [0, -c2 * d3, -s2, 0, 0],
            [c1 * c2 * d3, -s1 * s2 * d3, s1 * c2, 0, 0],
            [0, s1, 0, s1, -c1 * s24],
            [-1, 0, 0, 0, -c24],
            [0, -c1, 0, -c1, -s1 * s24],
        ]
    )


def velocities(pose_of, x):
    """Velocities of the tip and of its axes, both in the base frame, per change of each number of ``x``."""
    R = pose_of(x)[:3, :3]
    slopes = differences(lambda moved: pose_of(moved)[:3].ravel(), x).T.reshape(-1, 3, 4)
    turns = slopes[:, :, :3] @ R.T
    return np.vstack([slopes[:, :, 3].T, [turns[:, 2, 1], turns[:, 0, 2], turns[:, 1, 0]]])


@every_section
def test_equations_13_to_15_give_equation_16_with_d3(section):
    """The frame is that before the table's first row; all entries but (1, 2) are right as printed."""
    joints = equation_6(*section)

    def pose_of(moved):
        return turn_x(90) @ table_1(moved, -math.pi / 2) @ turn_x(-90)

    true = velocities(pose_of, joints)
    np.testing.assert_allclose(equation_16(joints, joints[2]), true, rtol=0, atol=1e-9 * max(section[0], 1.0))
    wrong = np.argwhere(np.abs(equation_16(joints, 0.0) - true) > 1e-3)
    assert wrong.tolist() == [[0, 1]]


def equation_18(s, kappa, phi):
    c2, bend = math.cos(phi) ** 2, math.cos(kappa * s)
    return c2 * bend - bend - c2 - 1


def square_of_equation_19(s, kappa, phi, power):
    """``power`` is that of the last cosine: 1 as printed, 2 as it must be."""
    c, bend = math.cos(phi), math.cos(kappa * s)
    return 2 * c**2 + 2 + 2 * bend - 2 * c**power * bend


def equation_19_corrected(section):
    return math.sqrt(square_of_equation_19(*section, power=2))


def equation_17(section, h, entry_5_2):
    """The entry (5, 2) is -cos(phi) / g times what is given."""
    s, kappa, phi = section
    c, sine, half, g = math.cos(phi), math.sin(phi), kappa * s / 2, equation_18(*section)
    first = [sine * math.sin(kappa * s) / g, -s * c / g, -kappa * c / g]
    second = [
        2 * c * math.sin(half) / h,
        s * sine * math.cos(half) / h,
        kappa * sine * math.cos(half) / h,
    ]
    third = [0.0, (kappa * s * math.cos(half) - 2 * math.sin(half)) / kappa**2, math.cos(half)]
    return np.array([first, second, third, second, [first[0], -entry_5_2 * c / g, first[2]]])


def of_phi_kappa_s(x):
    return equation_6(x[2], x[1], x[0])


@every_section
def test_equation_17_is_the_derivative_by_phi_kappa_and_s(section):
    """With h and the entry (5, 2) corrected; g of equation 18 is right, and negative."""
    backwards = np.array(section[::-1])
    true = differences(of_phi_kappa_s, backwards)
    corrected = equation_17(section, equation_19_corrected(section), section[0])
    scale = max(np.abs(true).max(), 1.0)
    np.testing.assert_allclose(corrected, true, rtol=0, atol=1e-9 * scale)
    assert equation_18(*section) < 0.0
    assert difference(corrected[:, ::-1], true) > WRONG  # the order (s, kappa, phi) of equations 6 and 21


@every_section
def test_equation_17_has_a_wrong_entry_in_row_5(section):
    true = differences(of_phi_kappa_s, np.array(section[::-1]))
    printed = equation_17(section, equation_19_corrected(section), section[1])
    wrong = np.argwhere(np.abs(printed - true) > 1e-5 * max(np.abs(true).max(), 1.0))
    assert wrong.tolist() == [[4, 1]]


@every_section
def test_equation_19_needs_the_square_of_the_last_cosine(section):
    true = 4 * (1 - (math.sin(section[1] * section[0] / 2) * math.sin(section[2])) ** 2)
    assert square_of_equation_19(*section, power=2) == pytest.approx(true, rel=1e-12)
    assert -2 * equation_18(*section) == pytest.approx(true, rel=1e-12)
    assert abs(square_of_equation_19(*section, power=1) - true) > WRONG


def test_equation_19_is_the_root_of_a_negative_number_for_some_sections():
    assert square_of_equation_19(1.0, 2.66, 2.14, power=1) < -0.1


@every_section
def test_corrected_equations_16_and_17_give_the_velocity_of_the_tip(section):
    """And ours, turned into the base frame: columns s, u and v, and with them s, kappa and phi."""
    s, kappa, phi = section
    joints, backwards = equation_6(*section), np.array(section[::-1])
    product = equation_16(joints, joints[2]) @ equation_17(section, equation_19_corrected(section), s)
    true = velocities(lambda x: forward([uv(x[2], x[1], x[0])]), backwards)
    scale = max(np.abs(true).max(), 1.0)
    np.testing.assert_allclose(product, true, rtol=0, atol=1e-9 * scale)
    R = np.kron(np.eye(2), forward([uv(*section)])[:3, :3])
    c, sine = math.cos(phi), math.sin(phi)
    by_phi_kappa_s = np.array(
        [[0, 0, 1], [-kappa * s * sine, s * c, kappa * c], [kappa * s * c, s * sine, kappa * sine]]
    )
    assert_equal(R @ jacobian([uv(*section)]) @ by_phi_kappa_s, product, scale)


# ---------------------------------------------------------------- the rest


def test_equation_20_needs_the_pseudo_inverse():
    """Three sections have more cables than a pose has numbers, and one has fewer."""
    here = np.array([uv(*section) for section in SECTIONS[:3]])
    J = jacobian(here)
    for each in (J, J[:, :3]):
        with pytest.raises(np.linalg.LinAlgError):
            np.linalg.inv(each)
    wanted = 1e-4 * np.array([1.0, -2.0, 3.0, 0.1, -0.2, 0.3])
    moved = np.linalg.solve(forward(here), forward(here + (np.linalg.pinv(J) @ wanted).reshape(3, 3)))
    np.testing.assert_allclose([*moved[:3, 3], moved[2, 1], moved[0, 2], moved[1, 0]], wanted, rtol=1e-3)


@every_section
def test_a_section_has_three_degrees_of_freedom(section):
    """The paper says two in section 4.1, and three where it introduces its chain."""
    assert np.linalg.matrix_rank(jacobian([uv(*section)]), tol=1e-6) == 3


@pytest.mark.parametrize(("count", "rank"), [(1, 3), (2, 5), (3, 6)])
def test_two_sections_have_six_numbers_but_poses_of_five_dimensions(count, rank):
    """The paper adds the degrees of freedom of its sections."""
    for at in range(6):
        robot = [uv(*section) for section in SECTIONS[at : at + count]]
        assert np.linalg.matrix_rank(jacobian(robot), tol=1e-9) == rank


def test_the_target_of_equation_23_is_a_pose_of_a_hanging_robot():
    """It is orthogonal to 6e-5 only, and three sections of 7 that hang from their base reach it."""
    target = np.array(
        [
            [0.9048, 0.0122, -0.4256, 4.9974],
            [-0.0919, 0.9816, -0.1672, 4.6168],
            [0.4158, 0.1904, 0.8893, -19.5508],
            [0, 0, 0, 1],
        ]
    )
    R = target[:3, :3]
    assert 3e-5 < difference(R @ R.T, np.eye(3)) < 1e-4
    hang = np.diag([1.0, -1.0, -1.0, 1.0])
    limits = robot_from_limits([[7.0, 7.0]] * 3, [math.pi / 2] * 3, 10, 0.5)
    assert inverse(hang @ target @ hang, limits).converged
    assert not inverse(target, limits).converged  # standing, its tip would have to be below its base
