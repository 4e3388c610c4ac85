"""Equations of motion of the co-rotational form, in plain numpy.

Nodes are the base and the rigid disks, joined by beam elements. An element has a frame E that moves with it:
e3 along the chord, e2 along ``e3 x (R1 + R2) / 2 e_x``; what is left of the rotations of its ends,
``log(E^T R)``, is small and bends it. In these local rotations the beam is linear, and its stretch counts how
much bending brings the ends together (bowing), unless the robot's ``bowing`` is False, which is the paper's
element. A third of its mass is at the ends, two thirds at the auxiliary point of equation 6, the middle of
Hermite's curve, which turns with the frame E. (The paper also turns it by the slope there against the chord.
That matters for the rotary inertia of the rod alone, 1e-4 of a disk's in the default robot.)

The unknowns are velocities of the disks, (v, w) of each in the base frame:
``M a + h + c M v + f + d f' - g = sum_j lambda_j dPhi_j`` with the mass matrix M, the velocity-dependent
forces h, mass damping c, elastic forces f, stiffness damping d (of bending and torsion, not of stretching),
weight g and tensions lambda (equations 27 and 32). Equation 16 lacks a half and a transpose; in (14) the
second moment is per area.

This is the definition of ``element_kernels.py``, ``motion_kernels.py`` and ``cable_kernels.py``; compared in
``tests/models/continuum_dynamics/corotational/test_elements.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import arc_angles
from models.continuum_dynamics.integration import Energies
from models.continuum_dynamics.robot import Robot
from models.numerics.rotations import angular_motion, rotation_matrix, rotation_vector, velocity_matrix

_AXES = np.eye(3)


class Nodes(NamedTuple):
    """Frames of the base and n disks, in the base frame.

    Attributes
    ----------
    positions : (n + 1, 3) float, m
    rotations : (n + 1, 3, 3) float
    """

    positions: FloatArray
    rotations: FloatArray


def straight_nodes(robot: Robot) -> Nodes:
    """The robot without loads."""
    count = len(robot.masses) + 1
    return Nodes(np.outer(np.arange(count) * robot.L, _AXES[2]), np.tile(np.eye(3), (count, 1, 1)))


def moved_nodes(nodes: Nodes, change: FloatArray) -> Nodes:
    """Nodes whose disks are shifted and then turned by ``change`` (n, 6) [m, rad], base frame."""
    positions, rotations = nodes.positions.copy(), nodes.rotations.copy()
    for k, each in enumerate(change.reshape(-1, 6)):
        positions[k + 1] += each[:3]
        rotations[k + 1] = rotation_matrix(each[3:]) @ rotations[k + 1]
    return Nodes(positions, rotations)


class Element(NamedTuple):
    """An element, and how velocities (v1, w1, v2, w2) of its ends, (12,) in the base frame, move it.

    Attributes
    ----------
    E : (3, 3) float
        Its frame.
    local : (6,) float, rad
        Local rotations of the first and the second end, in the frame E.
    length : float, m
        Of the chord.
    middle : (3,) float, m
        The auxiliary point, base frame.
    turns : (3, 12) float
        Angular velocity of the frame, base frame.
    bends : (6, 12) float
        Rates of the local rotations.
    stretches : (12,) float
        Rate of the length.
    moves : (3, 12) float
        Velocity of the auxiliary point, base frame.
    """

    E: FloatArray
    local: FloatArray
    length: float
    middle: FloatArray
    turns: FloatArray
    bends: FloatArray
    stretches: FloatArray
    moves: FloatArray


_V1, _W1, _V2, _W2 = (np.eye(12)[3 * k : 3 * k + 3] for k in range(4))
_MIDDLE = np.array([[0, 1, 0, 0, -1, 0], [-1, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0]]) / 8
"""Place of the auxiliary point beside the chord, in the frame E, per length and local rotations."""


def _frame(chord: FloatArray, sides: FloatArray) -> FloatArray:
    """The frame (3, 3) of a chord (3,) and of the sum ``sides`` (3,) of the x axes of its ends."""
    e3 = chord / np.linalg.norm(chord)
    e2 = np.cross(e3, sides)
    e2 /= np.linalg.norm(e2)
    return np.stack([np.cross(e2, e3), e2, e3], axis=1)


def element(robot: Robot, nodes: Nodes, k: int) -> Element:
    """Element ``k``, from node k to node k + 1."""
    r, R = nodes.positions[k : k + 2], nodes.rotations[k : k + 2]
    chord, sides = r[1] - r[0], R[0, :, 0] + R[1, :, 0]
    E, length = _frame(chord, sides), float(np.linalg.norm(chord))
    e1, e2, e3 = E.T
    turn1, turn2 = e2 @ (_V1 - _V2) / length, e1 @ (_V2 - _V1) / length
    swing = sum(e2 @ -_skew(each[:, 0]) @ w for each, w in zip(R, (_W1, _W2), strict=True))
    turn3 = (swing + (e3 @ sides) * turn1) / (e1 @ sides)
    turns = np.outer(e1, turn1) + np.outer(e2, turn2) + np.outer(e3, turn3)
    local = [rotation_vector(E.T @ each) for each in R]
    bends = np.concatenate([
        np.linalg.inv(velocity_matrix(vector)) @ E.T @ (w - turns)
        for vector, w in zip(local, (_W1, _W2), strict=True)
    ])  # fmt: skip
    beside = robot.L * E @ _MIDDLE @ np.concatenate(local)
    moves = (_V1 + _V2) / 2 - _skew(beside) @ turns + robot.L * E @ _MIDDLE @ bends
    return Element(
        E, np.concatenate(local), length, r.mean(axis=0) + beside, turns, bends, e3 @ (_V2 - _V1), moves
    )


def _skew(a: FloatArray) -> FloatArray:
    """The matrix (3, 3) of ``a x``."""
    return np.cross(_AXES, a)


def bending_stiffness(robot: Robot) -> FloatArray:
    """Stiffness (6, 6) [N m] of the local rotations of an element: 4 and 2 EI/L, and GJ/L."""
    K = np.zeros((6, 6))
    for axis in (0, 1):
        K[axis, axis] = K[axis + 3, axis + 3] = 4 * robot.EI / robot.L
        K[axis, axis + 3] = K[axis + 3, axis] = 2 * robot.EI / robot.L
    K[np.ix_([2, 5], [2, 5])] = robot.GJ / robot.L * np.array([[1, -1], [-1, 1]])
    return K


def stretch(robot: Robot, local: FloatArray, length: float) -> tuple[float, FloatArray]:
    """Lengthening of an element [m] against the unloaded one, and its slopes (6,) by the local rotations."""
    bow = np.zeros((6, 6))
    if robot.bowing:
        for axis in (0, 1):
            bow[axis, axis] = bow[axis + 3, axis + 3] = 4 * robot.L / 30
            bow[axis, axis + 3] = bow[axis + 3, axis] = -robot.L / 30
    return length - robot.L + float(local @ bow @ local) / 2, bow @ local


def elastic_energy(robot: Robot, nodes: Nodes) -> float:
    """Energy [J] of bending, torsion and stretching."""
    K, total = bending_stiffness(robot), 0.0
    for k in range(len(robot.masses)):
        each = element(robot, nodes, k)
        longer, _ = stretch(robot, each.local, each.length)
        total += 0.5 * float(each.local @ K @ each.local) + 0.5 * robot.EA / robot.L * longer**2
    return total


def elastic_forces(robot: Robot, each: Element) -> FloatArray:
    """Gradient (12,) [N, N m] of an element's energy by displacements and rotations of its ends."""
    longer, slope = stretch(robot, each.local, each.length)
    force = robot.EA / robot.L * longer
    return (bending_stiffness(robot) @ each.local + force * slope) @ each.bends + force * each.stretches


def curvatures_of(robot: Robot, nodes: Nodes) -> FloatArray:
    """Greatest curvature (n,) [1/m] of every element, by the moments at its ends and its mean bend."""
    greatest = np.empty(len(robot.masses))
    for k in range(len(greatest)):
        each = element(robot, nodes, k)
        longer, slope = stretch(robot, each.local, each.length)
        moments = bending_stiffness(robot) @ each.local + robot.EA / robot.L * longer * slope
        near, far = -moments[:2] / robot.EI, moments[3:5] / robot.EI
        middle = 1.5 * (each.local[3:5] - each.local[:2]) / robot.L - (near + far) / 4
        greatest[k] = max(float(np.linalg.norm(one)) for one in (near, middle, far))
    return greatest


def relative_angles(rotations: FloatArray) -> FloatArray:
    """Angles (..., n, 3) [rad] of arcs that turn as disks do, with ``rotations`` (..., n + 1, 3, 3)."""
    return arc_angles(np.swapaxes(rotations[..., :-1, :, :], -1, -2) @ rotations[..., 1:, :, :])


class MiddleMotion(NamedTuple):
    """Acceleration [m/s^2] and angular acceleration [rad/s^2] of an auxiliary point, (3,), base frame."""

    acceleration: FloatArray
    w_dot: FloatArray


def middle_motion(robot: Robot, nodes: Nodes, k: int, velocities: FloatArray) -> MiddleMotion:
    """Acceleration of the auxiliary point of element ``k`` with constant velocities (12,) of its ends.

    All in the frame E, whose derivatives of components follow from the ends' constant velocities:
    ``v' = -omega x v``.
    """
    each, R = element(robot, nodes, k), nodes.rotations[k : k + 2]
    v1, w1, v2, w2 = (each.E.T @ part for part in velocities.reshape(4, 3))
    x1, x2 = (each.E.T @ rotation[:, 0] for rotation in R)
    omega, rates = each.E.T @ each.turns @ velocities, each.bends @ velocities
    longer = (each.stretches @ velocities) / each.length
    dv, dw = np.cross(v2 - v1, omega), [np.cross(w, omega) for w in (w1, w2)]
    dx1, dx2 = np.cross(w1 - omega, x1), np.cross(w2 - omega, x2)
    sides, dsides = x1 + x2, dx1 + dx2
    d1, d2 = -dv[1] / each.length - omega[0] * longer, dv[0] / each.length - omega[1] * longer
    swing = np.cross(dw[0], x1) + np.cross(w1, dx1) + np.cross(dw[1], x2) + np.cross(w2, dx2)
    d3 = (swing[1] + dsides[2] * omega[0] + sides[2] * d1 - omega[2] * dsides[0]) / sides[0]
    omega_dot, second = np.array([d1, d2, d3]), np.empty(6)
    for end in range(2):
        here = slice(3 * end, 3 * end + 3)
        _, bias = angular_motion(each.local[here], rates[here], np.zeros(3))
        spin = dw[end] - omega_dot - bias
        second[here] = np.linalg.solve(velocity_matrix(each.local[here]), spin)
    beside, speed, change = (robot.L * _MIDDLE @ values for values in (each.local, rates, second))
    own = np.cross(omega_dot, beside) + np.cross(omega, 2 * speed + np.cross(omega, beside)) + change
    return MiddleMotion(each.E @ own, each.E @ omega_dot)


def node_masses(robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Masses (n,) [kg] and inertias (n, 2) [kg m^2] of the disks with the shares of the rod at them."""
    share = np.full(len(robot.masses), 1 / 3)
    share[-1] = 1 / 6
    return robot.disk_mass + share * robot.rod_mass, robot.disk_inertias + np.outer(share, robot.rod_inertias)


def _turned(inertias: FloatArray, R: FloatArray) -> FloatArray:
    """Inertia (3, 3) in the base frame of a body with two principal values (2,) and the frame R (3, 3)."""
    return np.asarray(R @ np.diag(inertias[[0, 0, 1]]) @ R.T)


def mass_matrix(robot: Robot, nodes: Nodes) -> FloatArray:
    """M (6n, 6n): kinetic energy ``v M v / 2`` of velocities (v, w) of the disks."""
    count = len(robot.masses)
    M = np.zeros((6 * count + 6, 6 * count + 6))
    for k, (mass, inertia) in enumerate(zip(*node_masses(robot), strict=True), 1):
        M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = mass * np.eye(3)
        M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = _turned(inertia, nodes.rotations[k])
    for k in range(count):
        each, here = element(robot, nodes, k), slice(6 * k, 6 * k + 12)
        inertia = _turned(robot.rod_inertias, each.E)
        M[here, here] += (
            2 / 3 * (robot.rod_mass * each.moves.T @ each.moves + each.turns.T @ inertia @ each.turns)
        )
    return M[6:, 6:]


def uncabled_forces(robot: Robot, nodes: Nodes, rates: FloatArray, accelerations: FloatArray) -> FloatArray:
    """Forces (6n,) [N, N m] that the cables must give for rates and accelerations (n, 6) of the disks."""
    count, c = len(robot.masses), robot.mass_damping
    velocities = np.concatenate([np.zeros(6), rates.ravel()])
    forces = np.zeros(6 * count + 6)
    forces[6:] = mass_matrix(robot, nodes) @ (accelerations.ravel() + c * rates.ravel())
    for k, (mass, own) in enumerate(zip(*node_masses(robot), strict=True), 1):
        w, inertia = velocities[6 * k + 3 : 6 * k + 6], _turned(own, nodes.rotations[k])
        forces[6 * k : 6 * k + 3] -= mass * robot.gravity
        forces[6 * k + 3 : 6 * k + 6] += np.cross(w, inertia @ w)
    damping = robot.stiffness_damping * bending_stiffness(robot)
    for k in range(count):
        each, here = element(robot, nodes, k), slice(6 * k, 6 * k + 12)
        v = velocities[here]
        bias, w, inertia = (
            middle_motion(robot, nodes, k, v),
            each.turns @ v,
            _turned(robot.rod_inertias, each.E),
        )
        forces[here] += elastic_forces(robot, each) + damping @ (each.bends @ v) @ each.bends
        forces[here] += 2 / 3 * robot.rod_mass * (bias.acceleration - robot.gravity) @ each.moves
        forces[here] += 2 / 3 * (inertia @ bias.w_dot + np.cross(w, inertia @ w)) @ each.turns
    return forces[6:]


def energies(robot: Robot, nodes: Nodes, rates: FloatArray) -> Energies:
    """Energies with velocities ``rates`` (n, 6) of the disks; weight counts from the base."""
    v, K = np.concatenate([np.zeros(6), rates.ravel()]), bending_stiffness(robot)
    kinetic = 0.5 * float(rates.ravel() @ mass_matrix(robot, nodes) @ rates.ravel())
    weight, loss = node_masses(robot)[0] @ nodes.positions[1:], 0.0
    for k in range(len(robot.masses)):
        each = element(robot, nodes, k)
        bending = each.bends @ v[6 * k : 6 * k + 12]
        loss += robot.stiffness_damping * float(bending @ K @ bending)
        weight = weight + 2 / 3 * robot.rod_mass * each.middle
    elastic, gravity = elastic_energy(robot, nodes), -float(weight @ robot.gravity)
    return Energies(kinetic, elastic, gravity, 2 * robot.mass_damping * kinetic + loss)


class CableLengths(NamedTuple):
    """Lengths of m cables, with their derivatives.

    Attributes
    ----------
    lengths : (m,) float, m
    slopes : (m, 6n) float
        Derivatives by displacements and rotations of the disks.
    bends : (m,) float, m/s^2
        Second rates of the lengths while the velocities of all disks are constant.
    """

    lengths: FloatArray
    slopes: FloatArray
    bends: FloatArray


def cable_lengths(robot: Robot, nodes: Nodes, rates: FloatArray) -> CableLengths:
    """Lengths of the cables, straight from hole to hole, with velocities ``rates`` (n, 6) of the disks."""
    count, velocities = len(robot.masses), np.concatenate([np.zeros((1, 6)), rates])
    lengths, bends = np.zeros(len(robot.holes)), np.zeros(len(robot.holes))
    slopes = np.zeros((len(robot.holes), count + 1, 6))
    for cable, hole in enumerate(robot.holes):
        arms = nodes.rotations[:, :, :2] @ hole
        moving = velocities[:, :3] + np.cross(velocities[:, 3:], arms)
        turning = np.cross(velocities[:, 3:], np.cross(velocities[:, 3:], arms))
        for k in range(count):
            across = nodes.positions[k + 1] + arms[k + 1] - nodes.positions[k] - arms[k]
            length = np.linalg.norm(across)
            along, apart = across / length, moving[k + 1] - moving[k]
            lengths[cable] += length
            rate = along @ apart
            bends[cable] += along @ (turning[k + 1] - turning[k]) + (apart @ apart - rate**2) / length
            for node, sign in ((k, -1.0), (k + 1, 1.0)):
                slopes[cable, node, :3] += sign * along
                slopes[cable, node, 3:] += sign * np.cross(arms[node], along)
    return CableLengths(lengths, slopes[:, 1:].reshape(len(lengths), -1), bends)
