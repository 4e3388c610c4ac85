"""The co-rotational form: the definition against differences of energies, the kernels against the definition."""

import math

import numpy as np
import pytest
from scipy.linalg import eigh

from models.continuum.arc import arc
from models.continuum_dynamics.corotational.cable_kernels import evaluate_lengths, evaluate_stiffness
from models.continuum_dynamics.corotational.elements import (
    element,
    energy_of,
    moved_nodes,
    relative_angles,
    straight_nodes,
)
from models.continuum_dynamics.corotational.motion_kernels import evaluate_elements
from models.numerics.rotations import rotation_matrix
from tests.models.continuum_dynamics.robots import ROBOTS, random_nodes, robot_with
from tests.oracles.corotational_motion import (
    cable_lengths,
    elastic_energy,
    elastic_forces,
    energies,
    mass_matrix,
    middle_motion,
    moving_element,
    uncabled_forces,
)
from tests.oracles.relative_motion import mass_matrix as relative_mass_matrix
from tests.repetition import crossed

SIZES = [1e-9, 0.2, 0.5]  # [rad]
SMALL = ["one element", "five cables"]


def difference(function, count, h):
    """Central differences by all coordinates, free of the error of order h^2: (6n, ...)."""
    rows = []
    for way in np.eye(6 * count):
        near, far = ((function(s * way) - function(-s * way)) / (2 * s) for s in (h, 2 * h))
        rows.append((4 * near - far) / 3)
    return np.array(rows)


def total_elastic_forces(robot, nodes):
    forces = np.zeros(6 * len(nodes.positions))
    for k in range(len(robot.masses)):
        forces[6 * k : 6 * k + 12] += elastic_forces(robot, moving_element(robot, nodes, k))
    return forces


@pytest.mark.parametrize(("name", "size", "bowing"), crossed(SMALL, SIZES, [True, False]))
def test_elastic_forces_are_the_slopes_of_the_energy(name, size, bowing):
    robot, nodes, _, _ = random_nodes(name, size)
    robot = robot._replace(bowing=bowing)
    slopes = difference(lambda q: elastic_energy(robot, moved_nodes(nodes, q)), len(robot.masses), 1e-5)
    forces = total_elastic_forces(robot, nodes)
    assert forces[6:] == pytest.approx(slopes, abs=1e-8 * max(np.abs(forces).max(), 1e-2))


@pytest.mark.parametrize("name", ROBOTS)
def test_elastic_forces_of_an_element_balance(name):
    """Neither force nor moment is left over, whatever the deformation: momentum is kept."""
    robot, nodes, _, _ = random_nodes(name, 0.5)
    for k in range(len(robot.masses)):
        forces = elastic_forces(robot, moving_element(robot, nodes, k)).reshape(2, 2, 3)
        r, size = nodes.positions[k : k + 2], np.abs(forces).max()
        moments = forces[:, 1] + np.cross(r, forces[:, 0])
        assert forces[:, 0].sum(axis=0) == pytest.approx(0.0, abs=1e-14 * size)
        assert moments.sum(axis=0) == pytest.approx(0.0, abs=1e-14 * size)


@pytest.mark.parametrize("name", SMALL)
def test_weight_is_the_slope_of_its_energy(name):
    robot, nodes, rates, _ = random_nodes(name, 0.5)
    still = np.zeros_like(rates)

    def potential(q):
        return energies(robot, moved_nodes(nodes, q), still).gravity

    slopes = difference(potential, len(robot.masses), 1e-4)
    forces = uncabled_forces(robot, nodes, still, still) - total_elastic_forces(robot, nodes)[6:]
    assert forces == pytest.approx(slopes, abs=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_the_middle_of_an_element_moves_as_stated(size):
    robot, nodes, rates, _ = random_nodes("five cables", size)
    velocities = np.concatenate([np.zeros(6), 0.1 * rates.ravel()])
    for k in range(len(robot.masses)):
        v = velocities[6 * k : 6 * k + 12]

        def moving(t, k=k, v=v):
            each = moving_element(robot, moved_nodes(nodes, t * velocities[6:]), k)
            return np.array([each.middle, each.moves @ v, each.turns @ v])

        near, far = ((moving(s) - moving(-s)) / (2 * s) for s in (1e-4, 2e-4))
        slopes, found = (4 * near - far) / 3, middle_motion(robot, nodes, k, v)
        assert moving(0.0)[1] == pytest.approx(slopes[0], abs=1e-9)
        assert np.array(found) == pytest.approx(slopes[1:], abs=1e-7)


@pytest.mark.parametrize("name", SMALL)
def test_inertia_takes_the_power_that_changes_the_kinetic_energy(name):
    """v . (M a + h) = dT/dt along the motion; both sides by v and a of the disks."""
    robot, nodes, rates, accelerations = random_nodes(name, 0.3)
    robot = robot._replace(mass_damping=0.0, stiffness_damping=0.0, gravity=np.zeros(3))
    rates = 0.1 * rates
    still = np.zeros_like(rates)
    inertia = uncabled_forces(robot, nodes, rates, accelerations) - uncabled_forces(
        robot, nodes, still, still
    )

    def kinetic(t):
        places = moved_nodes(nodes, t * rates + t * t / 2 * accelerations)
        return energies(robot, places, rates + t * accelerations).kinetic

    near, far = ((kinetic(s) - kinetic(-s)) / (2 * s) for s in (1e-4, 2e-4))
    assert rates.ravel() @ inertia == pytest.approx((4 * near - far) / 3, rel=1e-7)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_kernels_compute_what_the_definition_does(name, size):
    robot, nodes, rates, accelerations = random_nodes(name, size)
    count, cables = rates.size, len(robot.holes)
    mass, forces, found = np.empty((count, count)), np.empty(count), np.empty(4)
    largest = evaluate_elements(robot, *nodes, rates.ravel(), accelerations.ravel(), mass, forces, found)
    M, expected = mass_matrix(robot, nodes), uncabled_forces(robot, nodes, rates, accelerations)
    assert np.tril(mass) == pytest.approx(np.tril(M), abs=1e-14 * np.abs(M).max())
    assert forces == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())
    assert found == pytest.approx(np.array(energies(robot, nodes, rates)), rel=1e-11, abs=1e-18)
    still = energies(robot, nodes, 0.0 * rates)
    assert energy_of(robot, nodes) == pytest.approx(still.elastic + still.gravity, rel=1e-14)
    local = [element(robot, nodes, k).local.reshape(2, 3) for k in range(len(robot.masses))]
    assert largest == pytest.approx((np.array(local) ** 2).sum(axis=2).max(), rel=1e-7)
    lengths, slopes, bends = np.empty(cables), np.empty((cables, count)), np.empty(cables)
    evaluate_lengths(robot, *nodes, rates.ravel(), lengths, slopes, bends)
    for values, wanted in zip((lengths, slopes, bends), cable_lengths(robot, nodes, rates), strict=True):
        assert values == pytest.approx(wanted, abs=1e-12 * max(1.0, np.abs(wanted).max()))


@pytest.mark.parametrize("name", SMALL)
def test_cables_lengthen_as_their_slopes_say(name):
    robot, nodes, rates, _ = random_nodes(name, 0.3)
    found = cable_lengths(robot, nodes, rates)
    lengths = difference(
        lambda q: cable_lengths(robot, moved_nodes(nodes, q), rates).lengths, len(robot.masses), 1e-4
    )
    assert pytest.approx(found.slopes, abs=1e-9) == lengths.T

    def rate(t):
        return cable_lengths(robot, moved_nodes(nodes, t * rates), rates).slopes @ rates.ravel()

    near, far = ((rate(s) - rate(-s)) / (2 * s) for s in (1e-5, 2e-5))
    assert (4 * near - far) / 3 == pytest.approx(found.bends, rel=1e-6)


@pytest.mark.parametrize("name", SMALL)
def test_the_stiffness_is_the_slope_of_the_forces(name):
    robot, nodes, rates, _ = random_nodes(name, 0.3)
    still, tensions = np.zeros_like(rates), np.linspace(1.0, 3.0, len(robot.holes))
    K = np.empty((rates.size, rates.size))
    evaluate_stiffness(robot, *nodes, tensions, K)

    def forces(q):
        at = moved_nodes(nodes, q)
        return uncabled_forces(robot, at, still, still) + tensions @ cable_lengths(robot, at, still).slopes

    slopes = difference(forces, len(robot.masses), 1e-5)
    assert np.tril(K) == pytest.approx(np.tril(slopes + slopes.T) / 2, abs=1e-8 * np.abs(K).max())


@pytest.mark.parametrize("name", ROBOTS)
def test_a_rotation_of_everything_changes_no_energy(name):
    robot, nodes, _, _ = random_nodes(name, 0.4)
    R = rotation_matrix(np.array([0.3, -1.0, 2.0]))
    turned = nodes._replace(positions=nodes.positions @ R.T, rotations=R @ nodes.rotations)
    assert elastic_energy(robot, turned) == pytest.approx(elastic_energy(robot, nodes), rel=1e-12)


def test_the_axes_of_the_disks_hardly_matter():
    """The frame of an element follows the disks' x axes: another direction changes terms of fourth order."""
    robot, changes = robot_with(disks=1, length=0.06), []
    for size in (0.2, 0.1):
        bend = np.array([[0.0, 0.06 * size / 2, 0.0, -size, 0.3 * size, 0.0]])
        nodes = moved_nodes(straight_nodes(robot), bend)
        spin = rotation_matrix(np.array([0.0, 0.0, 0.7]))
        turned = nodes._replace(rotations=nodes.rotations @ spin)
        changes.append(elastic_energy(robot, turned) / elastic_energy(robot, nodes) - 1.0)
    assert abs(changes[0]) < 1e-3
    assert abs(changes[1]) < abs(changes[0]) / 3.5


def test_relative_angles_are_those_of_arcs():
    robot, nodes, _, _ = random_nodes("default", 0.3)
    q, turned = relative_angles(nodes.rotations), np.eye(3)
    for k, angles in enumerate(q):
        turned = turned @ arc(angles, robot.L).R
        assert turned == pytest.approx(nodes.rotations[k + 1], abs=1e-13)


def test_a_straight_element_has_the_stiffness_of_a_beam():
    """12 EI/L^3, 6 EI/L^2, 4 EI/L, EA/L and GJ/L of the second end."""
    robot = robot_with(disks=1, length=0.1, hole_azimuths=[0.0])
    K = np.empty((6, 6))
    evaluate_stiffness(robot, *straight_nodes(robot), np.zeros(1), K)
    L, EI = robot.L, robot.EI
    expected = np.diag([12 * EI / L**3] * 2 + [robot.EA / L] + [4 * EI / L] * 2 + [robot.GJ / L])
    expected[4, 0], expected[3, 1] = -6 * EI / L**2, 6 * EI / L**2
    assert np.tril(K) == pytest.approx(expected, rel=1e-8, abs=1e-6)


def test_the_first_frequency_comes_to_that_of_a_cantilever_at_fourth_order():
    """omega^2 = 1.8751^4 EI / (rho A l^4) for a slender rod with disks that weigh almost nothing."""
    length, errors = 1.0, []
    exact = 1.8751040687**4 * 65e9 * (1e-3 / 4) ** 2 / (6450.0 * length**4)
    for elements in (2, 4, 8):
        robot = robot_with(
            disks=elements, length=length, disk_mass=1e-12, disk_radius=1e-3, hole_radius=1e-3,
            hole_azimuths=[0.0],
        )  # fmt: skip
        nodes = straight_nodes(robot)
        K = np.empty((6 * elements, 6 * elements))
        evaluate_stiffness(robot, *nodes, np.zeros(1), K)
        squares = eigh(np.tril(K) + np.tril(K, -1).T, mass_matrix(robot, nodes), eigvals_only=True)
        errors.append(math.sqrt(squares[0] / exact) - 1.0)
    assert np.divide(errors[:-1], errors[1:]) == pytest.approx(16.0, rel=0.2)


def test_the_disks_weigh_what_they_do_in_the_relative_form():
    """Both forms have the same kinetic energy where the robot turns as one about the base, but for the rod."""
    robot = robot_with(density=0.0)
    n = len(robot.masses)
    rates = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]] * n)
    first = np.zeros(3 * n)
    first[2] = 1.0
    relative = first @ relative_mass_matrix(robot, np.zeros((n, 3))) @ first
    assert rates.ravel() @ mass_matrix(robot, straight_nodes(robot)) @ rates.ravel() == pytest.approx(
        relative
    )
