"""Equations of motion: the definition against differences of energies, the kernels against the definition."""

import math

import numpy as np
import pytest
from scipy.linalg import eigh

from models.continuum.arc import arc
from models.continuum_dynamics.relative.motion_kernels import evaluate_motion
from models.continuum_dynamics.relative.statics import energy_of
from models.continuum_dynamics.robot import stiffnesses
from tests.models.continuum_dynamics.robots import ROBOTS, random_state, robot_with
from tests.oracles.relative_motion import (
    arc_rates,
    energies,
    inertial_forces,
    jacobians,
    mass_matrix,
    uncabled_forces,
    weight_forces,
)
from tests.repetition import crossed

SIZES = [1e-9, 0.3, 1.2]  # [rad]


def difference(function, q, h):
    """Central differences of a function by all angles, free of the error of order h^2: (3n, ...)."""
    rows = []
    for way in np.eye(q.size).reshape(-1, *q.shape):
        near, far = ((function(q + s * way) - function(q - s * way)) / (2 * s) for s in (h, 2 * h))
        rows.append((4 * near - far) / 3)
    return np.array(rows)


@pytest.mark.parametrize(("name", "size"), crossed(ROBOTS, SIZES))
def test_jacobians_are_the_derivatives_of_the_places(name, size):
    robot, q, _, _ = random_state(name, size)
    J = jacobians(robot, q)
    moved = difference(lambda at: jacobians(robot, at).frames.positions[1:], q, 1e-4)
    turned = difference(lambda at: jacobians(robot, at).frames.rotations[1:], q, 1e-4)
    assert np.moveaxis(moved, 0, 2) == pytest.approx(J.linear, abs=1e-11)
    spin = np.einsum("ikab,kcb->ikac", turned, J.frames.rotations[1:])
    assert np.moveaxis(spin[..., [2, 0, 1], [1, 2, 0]], 0, 2) == pytest.approx(J.angular, abs=1e-10)


@pytest.mark.parametrize("size", SIZES)
def test_an_arc_moves_as_stated(size):
    robot, states, rates, _ = random_state("default", size)
    q, v, L, h = states[0], rates[0], robot.L, 1e-4
    found = arc_rates(q, v, arc(q, L), L)

    def velocities(t):
        at = arc(q + t * v, L)
        return np.array([at.turns.T @ v, at.shifts.T @ v])

    near, far = ((velocities(s) - velocities(-s)) / (2 * s) for s in (h, 2 * h))
    assert np.array([found.w, found.v]) == pytest.approx(velocities(0.0), abs=1e-14)
    assert np.array([found.w_dot, found.v_dot]) == pytest.approx((4 * near - far) / 3, abs=1e-9)


@pytest.mark.parametrize(("name", "size"), crossed(ROBOTS, SIZES))
def test_inertial_forces_are_those_of_lagrange(name, size):
    """h = M' q' - d(q' M q' / 2)/dq."""
    robot, q, rates, _ = random_state(name, size)
    v = rates.ravel()
    slopes = difference(lambda at: mass_matrix(robot, at), q, 1e-3)
    expected = np.einsum("kij,k,j->i", slopes, v, v) - 0.5 * np.einsum("ijk,j,k->i", slopes, v, v)
    found = inertial_forces(robot, q, rates)
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", ROBOTS)
def test_weight_forces_are_the_slopes_of_the_energy(name):
    robot, q, rates, _ = random_state(name, 0.5)
    slopes = difference(lambda at: energies(robot, at, rates).gravity, q, 1e-4)
    assert weight_forces(robot, q) == pytest.approx(-slopes, abs=1e-10)
    still = energies(robot, q, np.zeros_like(q))
    assert energy_of(robot, q) == pytest.approx(still.elastic + still.gravity, rel=1e-14)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("size", [*SIZES, 3.0])
def test_the_kernels_compute_what_the_definition_does(name, size):
    robot, q, rates, accelerations = random_state(name, size)
    count = q.size
    mass, forces, found = np.empty((count, count)), np.empty(count), np.empty(4)
    state = (q.ravel(), rates.ravel(), accelerations.ravel())
    largest = evaluate_motion(robot, *state, mass, forces, found)
    M = mass_matrix(robot, q)
    assert np.tril(mass) == pytest.approx(np.tril(M), abs=1e-14 * np.abs(M).max() * count)
    expected = uncabled_forces(robot, q, rates, accelerations)
    assert forces == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())
    assert found == pytest.approx(np.array(energies(robot, q, rates)), rel=1e-12)
    assert largest == pytest.approx((q[:, :2] ** 2).sum(axis=1).max(), rel=1e-14)


def test_kinetic_energy_is_that_of_the_bodies():
    robot, q, rates, _ = random_state("five cables", 0.7)
    J, v = jacobians(robot, q), rates.ravel()
    total = 0.0
    for body, mass in enumerate(robot.masses):
        velocity, w = J.linear[body] @ v, J.frames.rotations[body + 1].T @ J.angular[body] @ v
        across, along = robot.inertias[body]
        total += 0.5 * (mass * velocity @ velocity + np.array([across, across, along]) @ w**2)
    assert energies(robot, q, rates).kinetic == pytest.approx(total, rel=1e-13)


def test_the_first_frequency_comes_to_that_of_a_cantilever_at_second_order():
    """omega^2 = 1.8751^4 EI / (rho A l^4) for a slender rod with disks that weigh almost nothing."""
    length, errors = 1.0, []
    exact = 1.8751040687**4 * 65e9 * (1e-3 / 4) ** 2 / (6450.0 * length**4)
    for elements in (5, 10, 20):
        robot = robot_with(
            disks=elements,
            length=length,
            disk_mass=1e-9,
            disk_radius=1e-3,
            hole_radius=1e-3,
            hole_azimuths=[0.0],
        )
        M = mass_matrix(robot, np.zeros((elements, 3)))
        squares = eigh(np.diag(stiffnesses(robot)), M, eigvals_only=True)
        errors.append(math.sqrt(squares[0] / exact) - 1.0)
    assert np.divide(errors[:-1], errors[1:]) == pytest.approx(4.0, abs=0.1)
    assert abs(errors[-1]) < 2e-3
