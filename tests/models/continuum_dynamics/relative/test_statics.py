"""States at rest: closed forms, the separate back-end of statics, and what is refused."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from errors import InputError
from models.continuum_dynamics.relative.statics import static_solution
from models.continuum_dynamics.robot import stiffnesses
from models.continuum_statics import ContinuumStatics, equilibrium
from tests.models.continuum_dynamics.robots import robot_with
from tests.oracles.relative_motion import cable_forms, weight_forces

ONE = robot_with(hole_azimuths=[0.0])


def closed_form(robot, pull):
    """Bend of every element [rad] and tension [N] under one cable without gravity."""
    L, r, n = robot.L, float(np.linalg.norm(robot.holes[0])), len(robot.masses)

    def chord(a):
        return 2 * (L / a - r) * math.sin(a / 2)

    a = brentq(lambda a: n * (L - chord(a)) - pull, 1e-9, 1.5, xtol=1e-16, rtol=1e-15)
    slope = -2 * L / a**2 * math.sin(a / 2) + (L / a - r) * math.cos(a / 2)
    return a, robot.EI / L * a / -slope


def test_one_cable_bends_the_robot_as_the_closed_form_says():
    found = static_solution(ONE, [0.024])
    bend, tension = closed_form(ONE, 0.024)
    assert np.degrees(10 * bend) == pytest.approx(106.003, abs=5e-4)
    assert tension == pytest.approx(0.69130, abs=5e-6)
    assert found.stable
    assert found.q[:, 1] == pytest.approx(bend, abs=1e-12)
    assert found.q[:, [0, 2]] == pytest.approx(0.0, abs=1e-12)
    assert found.tensions == pytest.approx([tension], rel=1e-11)
    assert found.loose == pytest.approx(0.0, abs=1e-13)


def statics_of(robot, **more):
    """The same robot in ``continuum-statics``; the lumped backbone is part of the sections."""
    n = len(robot.masses)
    azimuths = np.arctan2(robot.holes[:, 1], robot.holes[:, 0])
    return ContinuumStatics(
        disks=n, length=n * robot.L, bending_stiffness=robot.EI, torsion_stiffness=robot.GJ,
        hole_radius=float(np.linalg.norm(robot.holes[0])), hole_azimuths=tuple(azimuths),
        disk_mass=robot.masses[0], tip_mass=0.0, density=0.0, gravity=tuple(robot.gravity),
        tensions=(0.0,) * len(azimuths), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("gravity", "pulls"),
    [
        ((0.0, 0.0, 0.0), [0.015, 0.008, -0.03]),
        ((0.0, 0.0, 9.81), [0.010, 0.012, -0.03]),
        ((1.0, -2.0, 5.0), [-0.03, 0.010, 0.004]),
    ],
)
def test_the_separate_statics_rests_in_the_same_state_under_the_tensions(gravity, pulls):
    robot = robot_with(gravity=gravity)
    masses = robot.masses.copy()
    masses[-1] = masses[0]  # the other back-end has one mass for all sections
    robot = robot._replace(masses=masses)
    found = static_solution(robot, pulls)
    assert found.stable
    assert (found.tensions > 1e-3).sum() == 2
    other = equilibrium(statics_of(robot), found.tensions, start=found.q)
    assert other.exists
    assert other.q == pytest.approx(found.q, abs=1e-8)


def test_tensions_and_looseness_exclude_each_other():
    robot = robot_with(gravity=(1.0, 0.0, 9.81), hole_azimuths=np.radians([0, 60, 120, 180, 240, 300]))
    found = static_solution(robot, [0.01, 0.012, 0.004, -0.02, -0.03, -0.01])
    assert found.stable
    assert (found.tensions >= 0.0).all()
    assert (found.loose >= -1e-12).all()
    assert found.tensions * found.loose == pytest.approx(0.0, abs=1e-12)
    assert (found.tensions > 1e-3).any()
    assert (found.loose > 1e-3).any()


def test_cables_that_are_not_held_do_not_pull():
    found = static_solution(robot_with(), [0.024, 0.0, 0.0], [True, False, False])
    assert found.tensions == pytest.approx([closed_form(ONE, 0.024)[1], 0.0, 0.0], rel=1e-10)


@pytest.mark.parametrize("turn", [1, 2])
def test_the_next_cable_bends_the_robot_120_degrees_further(turn):
    first = static_solution(robot_with(), [0.02, 0.005, -0.03])
    turned = static_solution(robot_with(), np.roll([0.02, 0.005, -0.03], turn))
    angle = turn * 2 * math.pi / 3
    c, s = math.cos(angle), math.sin(angle)
    assert turned.tensions == pytest.approx(np.roll(first.tensions, turn), rel=1e-9)
    assert turned.q[:, :2] == pytest.approx(first.q[:, :2] @ np.array([[c, s], [-s, c]]), abs=1e-10)
    assert turned.q[:, 2] == pytest.approx(first.q[:, 2], abs=1e-10)
    assert turned.curvatures == pytest.approx(first.curvatures, rel=1e-9)


def test_the_energy_is_least_among_states_with_cables_as_long():
    """Its slope is that of the taut cables times their tensions."""
    robot = robot_with(gravity=(0.0, 1.0, 9.81))
    found = static_solution(robot, [0.012, 0.010, -0.03])
    slopes = cable_forms(robot, found.q).slopes
    gradient = stiffnesses(robot) * found.q.ravel() - weight_forces(robot, found.q)
    assert gradient == pytest.approx(-found.tensions @ slopes, abs=1e-12)


def test_drives_that_work_against_each_other_have_no_state():
    """Three cables around an inextensible backbone cannot all be shorter."""
    found = static_solution(robot_with(), [0.02, 0.02, 0.02])
    assert not found.exists
    assert found.reached < 1.0
    assert "no state at rest" in found.reason


@pytest.mark.parametrize(
    ("pulls", "held", "place", "text"),
    [
        ([0.01], None, ("pulls",), "one per cable"),
        ([0.0, 0.6, 0.0], None, ("pulls", 1), "more than the robot has"),
        ([0.0, 0.0, 0.0], [True], ("held",), "one entry per cable"),
    ],
)
def test_what_is_wrong_is_refused(pulls, held, place, text):
    with pytest.raises(InputError, match=text) as caught:
        static_solution(robot_with(), pulls, held)
    assert caught.value.place == place
