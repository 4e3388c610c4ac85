"""Natural frequencies: closed forms of beams and shafts, the order in elements, and small motions in time."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from errors import InputError
from models.continuum_dynamics import Drive
from models.continuum_dynamics.relative import natural_frequencies as modes_about_rest
from models.continuum_dynamics.relative.motion_kernels import evaluate_velocities
from models.continuum_dynamics.relative.natural_frequencies import natural_frequencies
from models.continuum_dynamics.relative.simulation import simulate
from models.continuum_dynamics.relative.statics import static_solution
from tests.models.continuum_dynamics.robots import ROBOTS, random_state, robot_with
from tests.oracles.relative_motion import jacobians, mass_matrix

LENGTH, DIAMETER, DENSITY, MODULUS = 0.6, 2e-3, 6450.0, 65e9
AREA, SECOND_MOMENT = math.pi * DIAMETER**2 / 4, math.pi * DIAMETER**4 / 64
BEAM = MODULUS * SECOND_MOMENT
ROD = DENSITY * AREA  # [kg/m]


def bare(elements, **changes):
    """A rod whose disks weigh nothing, at rest without cables that are held."""
    sizes = {"length": LENGTH, "backbone_diameter": DIAMETER, "density": DENSITY, "youngs_modulus": MODULUS}
    robot = robot_with(disks=elements, disk_mass=1e-15, **{**sizes, **changes})
    return robot, static_solution(robot, [0.0] * 3, [False] * 3)


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


def cantilever(roots, tip=0.0):
    """Frequencies [Hz] of a rod with a point mass [of the rod's] at its end, near these roots."""

    def characteristic(x):
        twice = math.cos(x) * math.cosh(x)
        tipped = math.sin(x) * math.cosh(x) - math.cos(x) * math.sinh(x)
        return (1 + twice - tip * x * tipped) / math.cosh(x)

    x = np.array([brentq(characteristic, root - 0.3, root + 0.3, xtol=1e-13) for root in roots])
    return (x / LENGTH) ** 2 * math.sqrt(BEAM / ROD) / (2 * math.pi)


@pytest.mark.parametrize(("tip", "roots"), [(0.0, [1.875, 4.694, 7.855]), (1.0, [1.248, 4.031, 7.134])])
def test_a_cantilever_vibrates_as_the_beam_of_euler_and_bernoulli(tip, roots):
    exact, errors = cantilever(roots, tip), []
    for elements in (10, 20, 40):
        robot, rest = bare(elements)
        robot.masses[-1] += tip * ROD * LENGTH
        found = natural_frequencies(robot, rest, 6).frequencies
        assert found[::2] == pytest.approx(found[1::2], rel=1e-9)  # x and y alike
        errors.append(np.abs(found[::2] / exact - 1.0))
    assert orders(errors) == pytest.approx(2.0, abs=0.3)
    assert errors[0][0] < 5e-3
    assert errors[2].max() < 5e-3


def test_a_rod_that_cannot_bend_twists_as_a_chain_of_disks():
    """Fixed at one end, half a disk at the other: omega_j = 2 sqrt(k / J) sin((2 j - 1) pi / 4 n)."""
    robot, rest = bare(12)
    robot = robot._replace(EI=1e9 * robot.EI)
    modes = natural_frequencies(robot, rest, 12)
    stiffness, inertia = robot.GJ / robot.L, robot.inertias[0, 1]
    angles = (2 * np.arange(1, 13) - 1) * math.pi / 48
    exact = 2 * math.sqrt(stiffness / inertia) * np.sin(angles) / (2 * math.pi)
    assert modes.frequencies == pytest.approx(exact, rel=1e-6)
    assert np.abs(modes.shapes).max(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert modes.displacements == pytest.approx(0.0, abs=1e-9)


def test_a_rod_twists_at_a_quarter_of_a_wave():
    shear = MODULUS / (2 * 1.33)
    exact, errors = math.sqrt(shear / DENSITY) / (4 * LENGTH), []
    for elements in (10, 20):
        robot, rest = bare(elements)
        robot = robot._replace(EI=1e9 * robot.EI)
        errors.append(abs(natural_frequencies(robot, rest, 1).frequencies[0] / exact - 1.0))
    assert orders(errors) == pytest.approx(2.0, abs=0.1)
    assert errors[1] < 1e-3


def test_a_rod_that_is_hardly_stiff_swings_as_a_hanging_rope():
    """Its first frequency is j / 2 sqrt(g / l) with the first zero j of a Bessel function.

    The first arc begins upright, so the rope is shorter by about half of an arc.
    """
    exact, errors = 2.404826 / 2 * math.sqrt(9.81 / LENGTH) / (2 * math.pi), []
    for elements in (20, 40):
        robot, _ = bare(elements, gravity=(0.0, 0.0, 9.81))
        robot = robot._replace(EI=1e-9 * robot.EI)
        rest = static_solution(robot, [0.0] * 3, [False] * 3)
        errors.append(natural_frequencies(robot, rest, 1).frequencies[0] / exact - 1.0)
    assert orders(errors) == pytest.approx(1.0, abs=0.1)
    assert errors[1] == pytest.approx(1 / 160, rel=0.5)


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (1.0, 0.0, 9.81)])
def test_small_motions_of_a_robot_with_taut_cables_have_these_frequencies(gravity):
    """Each mode's share of a motion after a short pull is a cosine."""
    robot = robot_with(disks=5, gravity=gravity, mass_damping=0.0)
    drives = [
        Drive(times=[0.0, 0.02, 0.12], lengths=[0.014, 0.014, 0.01401]),
        Drive("locked"),
        Drive("slack"),
    ]
    step = 0.001
    motion = simulate(robot, drives, 4.0, step=step)
    rest = static_solution(robot, [0.01401, 0.0, 0.0], [True, True, False])
    assert (rest.tensions[:2] > 0.01).all()
    assert (motion.tensions[:, :2] > 0.0).all()
    modes = natural_frequencies(robot, rest, 4)
    after = motion.times > 0.13
    moved = (motion.states - rest.q).reshape(len(motion.times), -1)[after]
    shares = moved @ mass_matrix(robot, rest.q) @ modes.shapes.T
    for share, frequency in zip(shares.T, modes.frequencies, strict=True):
        phase = 2 * math.pi * frequency * motion.times[after]
        wave = np.column_stack([np.cos(phase), np.sin(phase)])
        missed = share - wave @ np.linalg.lstsq(wave, share, rcond=None)[0]
        if np.abs(share).max() > 0.05 * np.abs(shares).max():
            assert np.abs(missed).max() < 0.005 * np.abs(share).max()


@pytest.mark.parametrize("name", list(ROBOTS))
def test_the_kernels_are_the_definition(name):
    robot, q, v, _ = random_state(name, 0.4)
    assert modes_about_rest.mass_matrix(robot, q) == pytest.approx(mass_matrix(robot, q), rel=1e-9, abs=1e-14)
    found = np.empty((2, len(q) + 1, 3))
    evaluate_velocities(robot, q.ravel(), np.stack([v.ravel(), -2 * v.ravel()]), found)
    exact = jacobians(robot, q).linear @ v.ravel()
    assert found[0, 1:] == pytest.approx(exact, abs=1e-12)
    assert found[1] == pytest.approx(-2 * found[0], abs=1e-12)
    assert not found[:, 0].any()


def test_modes_keep_taut_cables_as_long_and_move_the_disks_by_1_at_most():
    robot = robot_with(gravity=(0.0, 1.0, 9.81))
    rest = static_solution(robot, [0.012, 0.010, -0.03])
    modes = natural_frequencies(robot, rest)
    assert len(modes.frequencies) == 5
    assert (np.diff(modes.frequencies) > 0.0).all()
    assert np.linalg.norm(modes.displacements, axis=2).max(axis=1) == pytest.approx(1.0, abs=1e-12)
    ways = modes.displacements.reshape(5, -1)
    assert ways.max(axis=1) == pytest.approx(np.abs(ways).max(axis=1))
    free = natural_frequencies(robot, rest._replace(tensions=0.0 * rest.tensions), 30)
    held = natural_frequencies(robot, rest, 30)
    assert (len(free.frequencies), len(held.frequencies)) == (30, 28)


def test_a_robot_that_falls_over_has_a_frequency_of_zero():
    """A standing rod buckles under its weight when it is longer than the greatest length."""
    robot, rest = bare(20, gravity=(0.0, 0.0, -9.81))
    stiff = natural_frequencies(robot, rest, 1).frequencies[0]
    greatest = (7.8373 * BEAM / (ROD * 9.81)) ** (1 / 3)
    for share, falls in ((0.99, False), (1.01, True)):
        robot, rest = bare(20, gravity=(0.0, 0.0, -9.81), length=share * greatest)
        found = natural_frequencies(robot, rest, 1).frequencies[0]
        assert (found == 0.0) == falls
        assert found < stiff


def test_cables_that_hold_all_leave_no_mode():
    robot = robot_with(disks=1, length=0.1, hole_azimuths=[0.0, 2.0, 4.0])
    rest = static_solution(robot, [0.0] * 3)._replace(tensions=np.ones(3))
    assert len(natural_frequencies(robot, rest).frequencies) == 1


def test_what_is_wrong_is_refused():
    robot = robot_with()
    with pytest.raises(InputError, match="does not exist") as caught:
        natural_frequencies(robot, static_solution(robot, [0.02] * 3))
    assert caught.value.place == ("rest",)
    with pytest.raises(InputError, match="at least 1") as caught:
        natural_frequencies(robot, static_solution(robot, [0.0] * 3), 0)
    assert caught.value.place == ("count",)
