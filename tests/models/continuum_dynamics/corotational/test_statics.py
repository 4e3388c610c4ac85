"""The co-rotational form at rest: closed forms, the exact rod, compression, and the relative form."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.optimize import brentq

from errors import InputError
from models.continuum_dynamics.corotational.elements import Nodes, curvatures_of
from models.continuum_dynamics.corotational.statics import static_solution
from models.continuum_dynamics.relative import statics
from tests.models.continuum_dynamics.robots import robot_with
from tests.oracles.corotational_motion import cable_lengths, uncabled_forces

SLENDER = {
    "length": 1.0,
    "disk_mass": 1e-12,
    "disk_radius": 1e-3,
    "hole_radius": 1e-3,
    "hole_azimuths": [0.0],
}


def closed_form(robot, pull):
    """Half the bend of every element [rad] and the tension [N] under one cable without gravity."""
    n, L, rho, b = len(robot.masses), robot.L, float(np.linalg.norm(robot.holes[0])), float(robot.bowing)

    def tension(a):
        return 4 * robot.EI * a / L / (2 * rho * math.cos(a) + b * L * a / 3)

    def excess(a):
        length = L * (1 - b * a**2 / 6 - tension(a) / robot.EA)
        return n * (L - length + 2 * rho * math.sin(a)) - pull

    a = brentq(excess, 1e-9, 0.5, xtol=1e-16, rtol=1e-15)
    return a, tension(a)


@pytest.mark.parametrize(("bowing", "bend", "pull"), [(False, 110.133, 0.77503), (True, 105.965, 0.69102)])
def test_one_cable_bends_the_robot_as_the_closed_form_says(bowing, bend, pull):
    robot = robot_with(hole_azimuths=[0.0], bowing=bowing)
    found, (a, tension) = static_solution(robot, [0.024]), closed_form(robot, 0.024)
    assert np.degrees(20 * a) == pytest.approx(bend, abs=5e-4)
    assert tension == pytest.approx(pull, abs=5e-6)
    assert found.stable
    assert found.q[:, 1] == pytest.approx(2 * a, abs=1e-10)
    assert found.q[:, [0, 2]] == pytest.approx(0.0, abs=1e-12)
    assert found.tensions == pytest.approx([tension], rel=1e-9)
    assert found.loose == pytest.approx(0.0, abs=1e-12)
    bowed = bowing * tension * robot.L * a / (12 * robot.EI)  # in the middle the cable is farther away
    assert found.curvatures == pytest.approx(2 * a / robot.L + bowed, rel=1e-9)


def cantilever(weight, stiffness):
    """Tip (x, z) [m] and curvature at the base [1/m] of a rod of 1 m that stands along z, with gravity along x."""

    def slopes(s, y):
        return np.array([y[1], -weight / stiffness * (1 - s) * np.cos(y[0]), np.sin(y[0]), np.cos(y[0])])

    def ends(first, last):
        return np.array([first[0], last[1], first[2], first[3]])

    s = np.linspace(0.0, 1.0, 101)
    guess = np.array([0.8 * s, np.ones(101), 0.5 * s, 0.8 * s])
    exact = solve_bvp(slopes, ends, s, guess, tol=1e-10, max_nodes=100_000)
    assert exact.success
    return exact.y[2:, -1], exact.y[1, 0]


@pytest.mark.parametrize(("bowing", "order"), [(True, 4.0), (False, 2.0)])
def test_a_heavy_rod_comes_to_the_elastica(bowing, order):
    """The tip by the fourth order of the elements' length with bowing, by the second without."""
    weight, errors, curvatures = 6450 * math.pi / 4 * 1e-6 * 9.81, [], []
    tip, curvature = cantilever(weight, 65e9 * math.pi * 1e-12 / 64)
    for elements in (4, 8, 16):
        robot = robot_with(disks=elements, gravity=(9.81, 0, 0), bowing=bowing, **SLENDER)
        found = static_solution(robot, [0.0], [False])
        assert found.stable
        errors.append(np.linalg.norm(found.positions[-1, [0, 2]] - tip))
        curvatures.append(abs(found.curvatures[0] - curvature))
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(order, abs=0.3)
    assert np.log2(np.divide(curvatures[:-1], curvatures[1:])) == pytest.approx(2.1, abs=0.5)
    assert errors[-1] < (1e-5 if bowing else 1e-3)


@pytest.mark.parametrize(("gravity", "pulls"), [
    ((0.0, 0.0, 0.0), [0.014, 0.006, -0.03]),
    ((0.5, -1.0, 9.81), [0.010, 0.012, -0.03]),
])  # fmt: skip
def test_the_relative_form_rests_nearby(gravity, pulls):
    robot = robot_with(gravity=gravity)
    found, other = static_solution(robot, pulls), statics.static_solution(robot, pulls)
    assert found.stable
    assert found.positions == pytest.approx(other.positions, abs=2e-3 * 0.636)
    assert found.tensions == pytest.approx(other.tensions, rel=1e-2, abs=1e-4)
    assert found.q == pytest.approx(other.q, abs=0.01)


def test_cables_that_are_all_shorter_compress_the_backbone():
    """The relative form has no such state."""
    robot = robot_with()
    found = static_solution(robot, [1e-4] * 3)
    assert found.stable
    assert found.tensions.sum() == pytest.approx(robot.EA * 1e-4 / 0.636, rel=1e-7)
    assert found.positions[-1] == pytest.approx([0.0, 0.0, 0.636 - 1e-4], abs=1e-12)
    assert not statics.static_solution(robot, [1e-4] * 3).exists


@pytest.mark.parametrize(("share", "stable"), [(0.98, True), (1.02, False)])
def test_tensions_of_twelve_stiffnesses_buckle_the_backbone_between_the_disks(share, stable):
    """Cables that keep their lengths hold the tip; elements bend to and fro beyond a sum of 12 EI / L^2."""
    robot = robot_with()
    critical = 12 * robot.EI / robot.L**2
    found = static_solution(robot, [share * critical / robot.EA * 0.636] * 3)
    assert found.exists
    assert found.tensions.sum() == pytest.approx(share * critical, rel=1e-7)
    assert found.stable == stable
    assert ("not stable" in found.reason) != stable


def test_one_cable_pulls_a_little_while_the_others_are_locked():
    found = static_solution(robot_with(), [1e-4, 0.0, 0.0])
    assert found.stable
    assert found.tensions.min() > 0.8
    assert found.positions[-1, 0] == pytest.approx(2e-3, abs=5e-4)


def test_locked_cables_hold_a_robot_against_gravity():
    found = static_solution(robot_with(gravity=(1.0, 0.0, 9.81)), [0.0, 0.0, 0.0])
    assert found.stable
    assert (found.tensions > 0.1).sum() == 2
    assert found.tensions * found.loose == pytest.approx(0.0, abs=1e-12)
    assert (found.loose > -1e-12).all()


def test_forces_balance_and_curvatures_are_those_of_the_definition():
    robot = robot_with(gravity=(1.0, 0.0, 9.81), disks=6)
    found = static_solution(robot, [0.01, 0.004, -0.03])
    nodes, still = Nodes(found.positions, found.rotations), np.zeros((6, 6))
    forces = uncabled_forces(robot, nodes, still, still)
    assert forces == pytest.approx(-found.tensions @ cable_lengths(robot, nodes, still).slopes, abs=1e-7)
    assert found.curvatures == pytest.approx(curvatures_of(robot, nodes), rel=1e-12)


@pytest.mark.parametrize("turn", [1, 2])
def test_the_next_cable_bends_the_robot_120_degrees_further(turn):
    """Up to terms of fourth order in the local rotations: elements follow the x axes of the disks."""
    first = static_solution(robot_with(), [0.02, 0.005, -0.03])
    turned = static_solution(robot_with(), np.roll([0.02, 0.005, -0.03], turn))
    angle = turn * 2 * math.pi / 3
    c, s = math.cos(angle), math.sin(angle)
    assert turned.tensions == pytest.approx(np.roll(first.tensions, turn), rel=1e-5)
    spun = first.positions @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert turned.positions == pytest.approx(spun, abs=1e-6)


def test_what_is_wrong_is_refused():
    with pytest.raises(InputError, match="one per cable"):
        static_solution(robot_with(), [0.01])
