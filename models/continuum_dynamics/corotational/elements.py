"""Beam elements of the co-rotational form at rest: frames, local rotations, energy and curvature.

Nodes are the base and the rigid disks, joined by beam elements. An element has a frame E that moves with it:
e3 along the chord, e2 along ``e3 x (R1 + R2) / 2 e_x``; what is left of the rotations of its ends,
``log(E^T R)``, is small and bends it. In these local rotations the beam is linear, and its stretch counts how
much bending brings the ends together (bowing), unless the robot's ``bowing`` is False, which is the paper's
element. A third of its mass is at the ends, two thirds at the auxiliary point of equation 6, the middle of
Hermite's curve, which turns with the frame E. (The paper also turns it by the slope there against the chord.
That matters for the rotary inertia of the rod alone, 1e-4 of a disk's in the default robot.)

The kernels set these elements in motion; ``tests/oracles/corotational_motion.py`` is their definition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import arc_angles
from models.continuum_dynamics.robot import Robot
from models.numerics.rotations import rotation_matrix, rotation_vector

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
    """An element at rest.

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
    """

    E: FloatArray
    local: FloatArray
    length: float
    middle: FloatArray


MIDDLE = np.array([[0, 1, 0, 0, -1, 0], [-1, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0]]) / 8
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
    local = np.concatenate([rotation_vector(E.T @ each) for each in R])
    beside = robot.L * E @ MIDDLE @ local
    return Element(E, local, length, r.mean(axis=0) + beside)


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


def energy_of(robot: Robot, nodes: Nodes) -> float:
    """Energy [J] at rest of bending, torsion, stretching and weight, which counts from the base."""
    K, elastic, weight = bending_stiffness(robot), 0.0, node_masses(robot)[0] @ nodes.positions[1:]
    for k in range(len(robot.masses)):
        each = element(robot, nodes, k)
        longer, _ = stretch(robot, each.local, each.length)
        elastic += 0.5 * float(each.local @ K @ each.local) + 0.5 * robot.EA / robot.L * longer**2
        weight = weight + 2 / 3 * robot.rod_mass * each.middle
    return elastic - float(weight @ robot.gravity)


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


def node_masses(robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Masses (n,) [kg] and inertias (n, 2) [kg m^2] of the disks with the shares of the rod at them."""
    share = np.full(len(robot.masses), 1 / 3)
    share[-1] = 1 / 6
    return robot.disk_mass + share * robot.rod_mass, robot.disk_inertias + np.outer(share, robot.rod_inertias)
