"""Greatest curvatures: closed forms of cantilevers and of a rod beside a cable, and both forms in motion."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from models.continuum_dynamics import Drive, corotational, relative
from models.continuum_dynamics.relative.statics import static_solution
from tests.models.continuum_dynamics.robots import robot_with


def cantilever(elements, *, disk_mass=1e-9, tip=0.0, pull=(9.81, 0.0, 0.0), **changes):
    """A rod without cables that stands along z, with a mass [kg] at its tip, at rest."""
    robot = robot_with(
        disks=elements, length=1.0, disk_mass=disk_mass, hole_azimuths=[0.0], gravity=pull, **changes
    )
    masses = robot.masses.copy()
    masses[-1] += tip
    robot = robot._replace(masses=masses)
    return robot, static_solution(robot, [0.0], [False])


@pytest.mark.parametrize("elements", [1, 5, 10])
def test_a_cantilever_is_bent_most_at_its_root_as_beam_theory_says(elements):
    """Under a load at its tip and under its own weight, for any number of elements."""
    robot, found = cantilever(elements, tip=1e-3, density=0.0, backbone_diameter=10e-3)
    assert found.curvatures[0] == pytest.approx(1e-3 * 9.81 * 1.0 / robot.EI, rel=1e-4)
    robot, found = cantilever(elements, backbone_diameter=30e-3)
    weight = 6450 * math.pi / 4 * 0.03**2 * 9.81
    assert found.curvatures[0] == pytest.approx(weight / 2 / robot.EI, rel=1e-4)


def heavy_elastica(weight, stiffness):
    """Curvature at the root [1/m] of a rod of 1 m that stands along z, with its weight [N/m] along x."""

    def slopes(s, y):
        return np.array([y[1], -weight * (1 - s) * np.cos(y[0]) / stiffness])

    s = np.linspace(0.0, 1.0, 101)
    exact = solve_bvp(slopes, lambda a, b: np.array([a[0], b[1]]), s, np.array([s, 1 - s]), tol=1e-10,
                      max_nodes=100_000)  # fmt: skip
    assert exact.success
    return exact.y[1, 0]


def test_the_root_of_a_heavy_rod_comes_to_the_elastica():
    """With the second order of the elements' length; within 0.5 % with ten, and 2 % with five."""
    errors = []
    for elements in (5, 10, 20):
        robot, found = cantilever(elements, backbone_diameter=1e-3)
        exact = heavy_elastica(6450 * math.pi / 4 * 1e-6 * 9.81, robot.EI)
        errors.append(abs(found.curvatures[0] / exact - 1))
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(2.0, abs=0.5)
    assert errors[0] < 0.02
    assert errors[1] < 0.005


def test_a_rod_beside_a_cable_is_bent_most_between_its_disks():
    """Each gap is an elastica under the cable's tension, parallel to the chord of the rod."""
    robot = robot_with(hole_azimuths=[0.0])
    found = static_solution(robot, [0.024])
    tension, ratio = found.tensions[0], found.tensions[0] / robot.EI
    half, r = found.q[0, 1] / 2, 0.0125

    def slopes(s, y):
        return np.array([y[1], -ratio * np.sin(y[0])])

    def ends(a, b):
        return np.array([a[1] - ratio * r * np.cos(a[0]), b[1] - ratio * r * np.cos(b[0])])

    s = np.linspace(0.0, robot.L, 101)
    guess = np.array([half * (2 * s / robot.L - 1), np.full(101, 2 * half / robot.L)])
    exact = solve_bvp(slopes, ends, s, guess, tol=1e-10, max_nodes=100_000)
    assert exact.success
    assert tension == pytest.approx(0.69130, abs=5e-6)
    assert found.curvatures == pytest.approx(exact.sol(robot.L / 2)[1], rel=3e-3)


def test_both_forms_strain_a_swinging_robot_alike():
    robot = robot_with(hole_azimuths=[0.0], length=0.3, gravity=(0.0, 0.0, 9.81))
    drives = [Drive(pull=0.015, end=0.3)]
    peaks = [form.simulate(robot, drives, 1.0).curvatures.max() for form in (relative, corotational)]
    assert peaks[0] == pytest.approx(peaks[1], rel=0.02)
