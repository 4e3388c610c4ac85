"""Compiled stiffness, conditioning and responses of one pose, as ``stiffness`` states them.

With ``G = [I; r~]`` and ``w = G u`` the column of W, a cable of stiffness k and tension t adds
``(k - t/l) w w^T + t/l G G^T`` and, to the last block, ``t/l (d . r I - r d^T)`` with ``d = l u``.

The definitions of what the entries fill are in ``tests/oracles/cable_robot_cells.py``.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE
from models.hybrid_cable_robot.cables.geometry_kernels import (
    attachment_arm,
    cable_length,
    cable_vector,
    fill_matrix,
    wheel_wrap,
)
from models.hybrid_cable_robot.cell_results import GREATEST_RESPONSE
from models.hybrid_cable_robot.robot import Robot
from models.jit import entry, inner
from models.numerics.small_matrices import inverse_condition, singular_extremes, solve
from models.numerics.vector_kernels import Vector, cross, length, scale
from models.numerics.vector_kernels import row as vector

WEIGHT = float(GRAVITY[2])  # [m/s^2], along z


@entry
def fill_gram(W: FloatArray, weights: FloatArray, A: FloatArray) -> None:
    """First six rows of A: W diag(weights) W^T."""
    for row in range(6):
        for other in range(row + 1):
            total = 0.0
            for i in range(W.shape[1]):
                total += W[row, i] * weights[i] * W[other, i]
            A[row, other] = total
            A[other, row] = total


@inner
def _length(robot: Robot, position: FloatArray, arm: Vector, i: int) -> float:
    """Length of cable i [m] without the part on its wheel, at least the shortest."""
    return max(length(cable_vector(robot, position, arm, i)), SHORTEST_CABLE)


@inner
def _elasticity(robot: Robot, position: FloatArray, arm: Vector, i: int) -> float:
    """Stiffness [N/m] of cable i, with the part on its wheel where its EA is given."""
    if robot.axial:
        return robot.stiffness[i] / max(cable_length(robot, position, arm, i), SHORTEST_CABLE)
    return robot.stiffness[i]


@inner
def _add_swivel(
    robot: Robot, position: FloatArray, arm: Vector, i: int, share: float, distance: float, K: FloatArray
) -> None:
    """Add to K what a cable of tension ``share`` [1/m] times ``distance`` [m] gives as its wheel swivels.

    Across the plane of the wheel it turns by ``sin(wrap) / rho`` and not by the inverse of its length.
    """
    straight = (
        robot.pulleys[i, 0] - position[0] - arm[0],
        robot.pulleys[i, 1] - position[1] - arm[1],
        robot.pulleys[i, 2] - position[2] - arm[2],
    )
    wrap = wheel_wrap(robot, straight, i)
    if wrap.free <= 0.0:
        return
    sideways = cross(vector(robot.swivels[i]), wrap.outward)
    moment = scale(1.0 / robot.length_scale, cross(arm, sideways))
    more = share * (distance * wrap.sine / wrap.distance - 1.0)
    for line in range(3):
        for column in range(3):
            K[line, column] += more * sideways[line] * sideways[column]
            K[line, 3 + column] += more * sideways[line] * moment[column]
            K[3 + line, column] += more * moment[line] * sideways[column]
            K[3 + line, 3 + column] += more * moment[line] * moment[column]


@inner
def _add_turning(K: FloatArray, r: Vector, d: Vector, share: float) -> None:
    """Add ``share (G G^T)`` and, to the last block, ``share (d . r I - r d^T)``; all scaled."""
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    along = d[0] * r[0] + d[1] * r[1] + d[2] * r[2]
    for row in range(3):
        after, last = (row + 1) % 3, (row + 2) % 3
        K[row, row] += share
        K[3 + row, 3 + row] += share * (square + along)
        K[3 + row, after] -= share * r[last]
        K[3 + row, last] += share * r[after]
        K[after, 3 + row] -= share * r[last]
        K[last, 3 + row] += share * r[after]
        for column in range(3):
            K[3 + row, 3 + column] -= share * r[row] * (r[column] + d[column])


@inner
def _add_load(robot: Robot, rotation: FloatArray, K: FloatArray, unit: float) -> None:
    """Add the turning weight's stiffness to the last block, in units of ``unit`` [N/m], scaled."""
    scale = 1.0 / (unit * robot.length_scale * robot.length_scale * robot.first_moments.shape[0])
    for posture in range(robot.first_moments.shape[0]):
        for row in range(3):
            moment = height = 0.0
            for axis in range(3):
                moment += rotation[row, axis] * robot.first_moments[posture, axis]
                height += rotation[2, axis] * robot.first_moments[posture, axis]
            K[3 + row, 3 + row] += scale * height * WEIGHT
            K[3 + row, 5] -= scale * moment * WEIGHT


@inner
def fill_stiffness(
    robot: Robot,
    rotation: FloatArray,
    position: FloatArray,
    tensions: FloatArray,
    W: FloatArray,
    K: FloatArray,
) -> float:
    """Fill K (6, 6), rotations scaled by the characteristic length, in units of the result [N/m].

    ``W`` (6, m) is the scaled wrench matrix of the pose, ``tensions`` (m,) N. The unit is the
    greatest stiffness that a cable has along or across itself, so that nothing under- or overflows.
    """
    cables, unit, pull = W.shape[1], 0.0, 0.0
    for i in range(cables):
        pull = max(pull, tensions[i])
        distance = _length(robot, position, attachment_arm(robot, rotation, i), i)
        stiffness = _elasticity(robot, position, attachment_arm(robot, rotation, i), i)
        unit = max(unit, stiffness, tensions[i] / distance)
    K[:, :] = 0.0
    for i in range(cables):
        x, y, z = attachment_arm(robot, rotation, i)
        distance = _length(robot, position, (x, y, z), i)
        stiffness = _elasticity(robot, position, (x, y, z), i)
        share = tensions[i] / distance / unit
        along = stiffness / unit - share
        for row in range(6):
            for column in range(6):
                K[row, column] += along * W[row, i] * W[column, i]
        if share > 0.0:
            L = robot.length_scale
            reach = distance / L
            d = (reach * W[0, i], reach * W[1, i], reach * W[2, i])
            _add_turning(K, (x / L, y / L, z / L), d, share)
            if robot.wheels[i] > 0.0:
                _add_swivel(robot, position, (x, y, z), i, share, distance, K)
    if robot.geometric and pull > 0.0:
        _add_load(robot, rotation, K, unit)
    return unit


@entry
def stiffness_conditions(robot: Robot, centers: FloatArray, tensions: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (n,) with the inverse condition numbers of the scaled K at the nominal orientation.

    At positions (n, 3) m with tensions (n, m) N; 0 where a cable is too short.
    """
    W, K = np.empty((6, robot.pulleys.shape[0])), np.empty((6, 6))
    for cell in range(centers.shape[0]):
        out[cell] = 0.0
        if fill_matrix(robot, robot.rotations[0], centers[cell], W):
            fill_stiffness(robot, robot.rotations[0], centers[cell], tensions[cell], W, K)
            out[cell] = inverse_condition(K)


@entry
def fill_block_conditions(robot: Robot, centers: FloatArray, tensions: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (n, 4) with inverse condition numbers at the nominal orientation.

    Of the translation and rotation blocks of K, and of the translation and rotation columns of J; at
    positions (n, 3) m with tensions (n, m) N. All 0 where a cable is too short.
    """
    W, K, block = np.empty((6, robot.pulleys.shape[0])), np.empty((6, 6)), np.empty((3, 3))
    rotation = robot.rotations[0]
    for cell in range(centers.shape[0]):
        out[cell, :] = 0.0
        if not fill_matrix(robot, rotation, centers[cell], W):
            continue
        fill_stiffness(robot, rotation, centers[cell], tensions[cell], W, K)
        block[:, :] = K[:3, :3]
        out[cell, 0] = inverse_condition(block)
        block[:, :] = K[3:, 3:]
        out[cell, 1] = inverse_condition(block)
        out[cell, 2] = inverse_condition(W[:3])
        out[cell, 3] = inverse_condition(W[3:])


@inner
def _greatest_root(block: FloatArray) -> float:
    """Root of the greatest eigenvalue of a symmetric block (3, 3) >= 0, which is overwritten."""
    return min(math.sqrt(singular_extremes(block)[1]), GREATEST_RESPONSE)


@inner
def _displacement(system: FloatArray, unit: float) -> float:
    """Length of the translation [m] that solves the system (6, 7), K in units of ``unit`` [N/m]."""
    if not solve(system):
        return GREATEST_RESPONSE
    x, y, z = system[0, 6], system[1, 6], system[2, 6]
    length = math.sqrt(x * x + y * y + z * z) / unit
    if not length < GREATEST_RESPONSE:  # nor when it is not a number
        return GREATEST_RESPONSE
    return length


@entry
def fill_responses(
    robot: Robot,
    load: FloatArray,
    centers: FloatArray,
    tensions: FloatArray,
    out: FloatArray,
) -> None:
    """Fill ``out`` (n, 3): displacement under the load [m], rotation [rad/m] and point [1] sensitivity.

    At positions (n, 3) m, the nominal orientation, with tensions (n, m) N. The load (6,) has its
    torques divided by the characteristic length, N. At most ``GREATEST_RESPONSE`` where singular.
    """
    W, gram = np.empty((6, robot.pulleys.shape[0])), np.empty((10, 6))
    K, system, inverse, block = np.empty((6, 6)), np.empty((6, 7)), np.empty((6, 12)), np.empty((3, 3))
    identity, ones, rotation = np.eye(6), np.ones(robot.pulleys.shape[0]), robot.rotations[0]
    for cell in range(centers.shape[0]):
        out[cell, :] = GREATEST_RESPONSE
        if not fill_matrix(robot, rotation, centers[cell], W):
            continue
        unit = fill_stiffness(robot, rotation, centers[cell], tensions[cell], W, K)
        system[:, :6], system[:, 6] = K, load
        out[cell, 0] = _displacement(system, unit)
        fill_gram(W, ones, gram)
        inverse[:, :6], inverse[:, 6:] = gram[:6], identity
        if solve(inverse):
            block[:, :] = inverse[3:, 9:]
            out[cell, 1] = _greatest_root(block) / robot.length_scale
            block[:, :] = inverse[:3, 6:9]
            out[cell, 2] = _greatest_root(block)
