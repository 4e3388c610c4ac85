"""Equations of motion of the co-rotational form, in plain numpy.

The unknowns are velocities of the disks, (v, w) of each in the base frame:
``M a + h + c M v + f + d f' - g = sum_j lambda_j dPhi_j`` with the mass matrix M, the velocity-dependent
forces h, mass damping c, elastic forces f, stiffness damping d (of bending and torsion, not of stretching),
weight g and tensions lambda (equations 27 and 32). Equation 16 lacks a half and a transpose; in (14) the
second moment is per area.

This is the definition of ``element_kernels.py``, ``motion_kernels.py`` and ``cable_kernels.py`` of
``models/continuum_dynamics/corotational``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.corotational.elements import (
    MIDDLE,
    Nodes,
    bending_stiffness,
    element,
    node_masses,
    stretch,
)
from models.continuum_dynamics.robot import Robot
from models.numerics.rotations import angular_motion, velocity_matrix

_AXES = np.eye(3)


class MovingElement(NamedTuple):
    """An element, and how velocities (v1, w1, v2, w2) of its ends, (12,) in the base frame, move it.

    Attributes
    ----------
    E, local, length, middle
        As those of :class:`models.continuum_dynamics.corotational.elements.Element`.
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


def moving_element(robot: Robot, nodes: Nodes, k: int) -> MovingElement:
    """Element ``k``, from node k to node k + 1."""
    rest, R = element(robot, nodes, k), nodes.rotations[k : k + 2]
    E, local, length, _ = rest
    sides, (e1, e2, e3) = R[0, :, 0] + R[1, :, 0], E.T
    turn1, turn2 = e2 @ (_V1 - _V2) / length, e1 @ (_V2 - _V1) / length
    swing = sum(e2 @ -_skew(each[:, 0]) @ w for each, w in zip(R, (_W1, _W2), strict=True))
    turn3 = (swing + (e3 @ sides) * turn1) / (e1 @ sides)
    turns = np.outer(e1, turn1) + np.outer(e2, turn2) + np.outer(e3, turn3)
    bends = np.concatenate([
        np.linalg.inv(velocity_matrix(vector)) @ E.T @ (w - turns)
        for vector, w in zip(local.reshape(2, 3), (_W1, _W2), strict=True)
    ])  # fmt: skip
    moves = (_V1 + _V2) / 2 - _skew(robot.L * E @ MIDDLE @ local) @ turns + robot.L * E @ MIDDLE @ bends
    return MovingElement(*rest, turns, bends, e3 @ (_V2 - _V1), moves)


def _skew(a: FloatArray) -> FloatArray:
    """The matrix (3, 3) of ``a x``."""
    return np.cross(_AXES, a)


def elastic_energy(robot: Robot, nodes: Nodes) -> float:
    """Energy [J] of bending, torsion and stretching."""
    K, total = bending_stiffness(robot), 0.0
    for k in range(len(robot.masses)):
        each = element(robot, nodes, k)
        longer, _ = stretch(robot, each.local, each.length)
        total += 0.5 * float(each.local @ K @ each.local) + 0.5 * robot.EA / robot.L * longer**2
    return total


def elastic_forces(robot: Robot, each: MovingElement) -> FloatArray:
    """Gradient (12,) [N, N m] of an element's energy by displacements and rotations of its ends."""
    longer, slope = stretch(robot, each.local, each.length)
    force = robot.EA / robot.L * longer
    return (bending_stiffness(robot) @ each.local + force * slope) @ each.bends + force * each.stretches


class MiddleMotion(NamedTuple):
    """Acceleration [m/s^2] and angular acceleration [rad/s^2] of an auxiliary point, (3,), base frame."""

    acceleration: FloatArray
    w_dot: FloatArray


def middle_motion(robot: Robot, nodes: Nodes, k: int, velocities: FloatArray) -> MiddleMotion:
    """Acceleration of the auxiliary point of element ``k`` with constant velocities (12,) of its ends.

    All in the frame E, whose derivatives of components follow from the ends' constant velocities:
    ``v' = -omega x v``.
    """
    each, R = moving_element(robot, nodes, k), nodes.rotations[k : k + 2]
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
    beside, speed, change = (robot.L * MIDDLE @ values for values in (each.local, rates, second))
    own = np.cross(omega_dot, beside) + np.cross(omega, 2 * speed + np.cross(omega, beside)) + change
    return MiddleMotion(each.E @ own, each.E @ omega_dot)


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
        each, here = moving_element(robot, nodes, k), slice(6 * k, 6 * k + 12)
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
        each, here = moving_element(robot, nodes, k), slice(6 * k, 6 * k + 12)
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


class Energies(NamedTuple):
    """Energies [J] of a state of motion, and the power [W] that damping takes."""

    kinetic: float
    elastic: float
    gravity: float
    dissipation: float


def energies(robot: Robot, nodes: Nodes, rates: FloatArray) -> Energies:
    """Energies with velocities ``rates`` (n, 6) of the disks; weight counts from the base."""
    v, K = np.concatenate([np.zeros(6), rates.ravel()]), bending_stiffness(robot)
    kinetic = 0.5 * float(rates.ravel() @ mass_matrix(robot, nodes) @ rates.ravel())
    weight, loss = node_masses(robot)[0] @ nodes.positions[1:], 0.0
    for k in range(len(robot.masses)):
        each = moving_element(robot, nodes, k)
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
