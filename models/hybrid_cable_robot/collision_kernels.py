"""Compiled collision tests of one pose; :mod:`models.hybrid_cable_robot.collision` defines them."""

from __future__ import annotations

import math

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.kernel_records import Geometry
from models.jit import entry, inner

PARALLEL = 1e-14  # squared sine below which two cables count as parallel


@inner
def _fill_cables(shape: Geometry, rotation: FloatArray, position: FloatArray, cables: FloatArray) -> None:
    """Rows of attachment [m, world frame], unit vector to the pulley and length [m]: (m, 7)."""
    for i in range(shape.pulleys.shape[0]):
        square = 0.0
        for axis in range(3):
            start = position[axis]
            for other in range(3):
                start += rotation[axis, other] * shape.attachments[i, other]
            cables[i, axis] = start
            cables[i, 3 + axis] = shape.pulleys[i, axis] - start
            square += cables[i, 3 + axis] ** 2
        cables[i, 6] = math.sqrt(square)
        for axis in range(3, 6):
            cables[i, axis] /= cables[i, 6]


@entry
def cable_distance(
    shape: Geometry,
    pairs: IntArray,
    reliefs: FloatArray,
    rotation: FloatArray,
    position: FloatArray,
    cables: FloatArray,
) -> float:
    """Least squared distance [m^2] of the axes of the paired cables (k, 2), ``cables`` memory (m, 7).

    The parts of a pair next to the platform, ``reliefs`` (k,) m long, do not count; of a cable that is no
    longer its pulley does.
    """
    _fill_cables(shape, rotation, position, cables)
    least = math.inf
    for pair in range(pairs.shape[0]):
        a, b = cables[pairs[pair, 0]], cables[pairs[pair, 1]]
        rx, ry, rz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
        ux, uy, uz = a[3], a[4], a[5]
        vx, vy, vz = b[3], b[4], b[5]
        cosine = ux * vx + uy * vy + uz * vz
        along = ux * rx + uy * ry + uz * rz
        across = vx * rx + vy * ry + vz * rz
        sine = 1.0 - cosine * cosine
        relief = reliefs[pair]
        s = 0.0
        if sine > PARALLEL:
            s = (cosine * across - along) / sine
        s = min(max(s, relief), a[6])
        t = min(max(cosine * s + across, relief), b[6])
        s = min(max(cosine * t - along, relief), a[6])
        dx, dy, dz = rx + s * ux - t * vx, ry + s * uy - t * vy, rz + s * uz - t * vz
        least = min(least, dx * dx + dy * dy + dz * dz)
    return least


@entry
def platform_clearance(
    shape: Geometry, rotation: FloatArray, position: FloatArray, half_size: FloatArray
) -> float:
    """Least over the cables of the slab test's ``(t_enter - t_exit) * length`` [m].

    Negative when a cable has a chord inside the open platform box; the test runs in the platform's
    frame, where the box is aligned with the axes.
    """
    least = math.inf
    for i in range(shape.pulleys.shape[0]):
        enter, leave = 0.0, 1.0
        square = 0.0
        for axis in range(3):
            goal = 0.0
            for other in range(3):
                goal += rotation[other, axis] * (shape.pulleys[i, other] - position[other])
            origin = shape.attachments[i, axis]
            step = goal - origin
            square += step * step
            if step == 0.0:
                if abs(origin) >= half_size[axis]:
                    enter = math.inf
            else:
                first = (-half_size[axis] - origin) / step
                second = (half_size[axis] - origin) / step
                enter = max(enter, min(first, second))
                leave = min(leave, max(first, second))
        least = min(least, min(max(enter - leave, -1.0), 1.0) * math.sqrt(square))
    return least
