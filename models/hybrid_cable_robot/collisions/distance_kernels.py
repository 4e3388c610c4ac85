"""Compiled collision tests of one pose; ``distances`` defines them."""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry_kernels import attachment_arm, cable_vector
from models.hybrid_cable_robot.robot import Robot
from models.jit import entry, inner
from models.numerics.vector_kernels import put

PARALLEL = 1e-14  # squared sine below which two cables count as parallel


@inner
def _fill_cables(robot: Robot, rotation: FloatArray, position: FloatArray, cables: FloatArray) -> None:
    """Rows of attachment [m, world frame], unit vector to the pulley and length [m]: (m, 7)."""
    for i in range(robot.pulleys.shape[0]):
        square = 0.0
        for axis in range(3):
            start = position[axis]
            for other in range(3):
                start += rotation[axis, other] * robot.attachments[i, other]
            cables[i, axis] = start
            cables[i, 3 + axis] = robot.pulleys[i, axis] - start
        if robot.wheels[i] > 0.0:
            put(cables[i, 3:6], cable_vector(robot, position, attachment_arm(robot, rotation, i), i))
        for axis in range(3):
            square += cables[i, 3 + axis] ** 2
        cables[i, 6] = math.sqrt(square)
        for axis in range(3, 6):
            cables[i, axis] /= cables[i, 6]


@inner
def nearest_points(
    cosine: float,
    along: float,
    across: float,
    first: tuple[float, float],
    second: tuple[float, float],
    parallel: float,
) -> tuple[float, float]:
    """Distances [m] from the starts of two lines to the points at which their segments are nearest.

    The segments lie between the distances ``first`` and ``second`` [m]. ``cosine`` is that between the lines'
    unit vectors, ``along`` and ``across`` [m] are the products of these with the vector from the second start
    to the first. Lines with a squared sine up to ``parallel`` count as parallel.
    """
    sine = 1.0 - cosine * cosine
    s = 0.0
    if sine > parallel:
        s = (cosine * across - along) / sine
    s = min(max(s, first[0]), first[1])
    t = min(max(cosine * s + across, second[0]), second[1])
    return min(max(cosine * t - along, first[0]), first[1]), t


@entry
def cable_distance(
    robot: Robot,
    rotation: FloatArray,
    position: FloatArray,
    cables: FloatArray,
) -> float:
    """Least squared distance [m^2] of the axes of two cables, with ``slimness``; ``cables`` memory (m, 7).

    The parts of a pair next to the platform and next to the pulleys, as long as ``reliefs``, do not count.
    """
    _fill_cables(robot, rotation, position, cables)
    least = math.inf
    for pair in range(robot.pairs.shape[0]):
        a, b = cables[robot.pairs[pair, 0]], cables[robot.pairs[pair, 1]]
        rx, ry, rz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
        ux, uy, uz = a[3], a[4], a[5]
        vx, vy, vz = b[3], b[4], b[5]
        cosine = ux * vx + uy * vy + uz * vz
        along = ux * rx + uy * ry + uz * rz
        across = vx * rx + vy * ry + vz * rz
        below, above = robot.reliefs[pair, 0], robot.reliefs[pair, 1]
        first, second = (below, max(a[6] - above, 0.0)), (below, max(b[6] - above, 0.0))
        s, t = nearest_points(cosine, along, across, first, second, PARALLEL)
        dx, dy, dz = rx + s * ux - t * vx, ry + s * uy - t * vy, rz + s * uz - t * vz
        square = dx * dx + dy * dy + dz * dz
        if robot.slimness[pair] > 0.0:
            square = (math.sqrt(square) + robot.slimness[pair]) ** 2
        least = min(least, square)
    return least


@entry
def platform_clearance(robot: Robot, rotation: FloatArray, position: FloatArray) -> float:
    """Least over the cables of the slab test's ``(t_enter - t_exit) * length`` [m].

    Negative when a cable has a chord inside the open platform box; the test runs in the platform's
    frame, where the box is aligned with the axes.
    """
    least = math.inf
    for i in range(robot.pulleys.shape[0]):
        enter, leave = 0.0, 1.0
        square = 0.0
        vector = cable_vector(robot, position, attachment_arm(robot, rotation, i), i)
        for axis in range(3):
            goal = 0.0
            for other in range(3):
                goal += rotation[other, axis] * (robot.pulleys[i, other] - position[other])
            origin = robot.attachments[i, axis]
            step = goal - origin
            if robot.wheels[i] > 0.0:
                step = (
                    rotation[0, axis] * vector[0]
                    + rotation[1, axis] * vector[1]
                    + rotation[2, axis] * vector[2]
                )
            square += step * step
            if step == 0.0:
                if abs(origin) >= robot.half_size[axis]:
                    enter = math.inf
            else:
                first = (-robot.half_size[axis] - origin) / step
                second = (robot.half_size[axis] - origin) / step
                enter = max(enter, min(first, second))
                leave = min(leave, max(first, second))
        least = min(least, min(max(enter - leave, -1.0), 1.0) * math.sqrt(square))
    return least
