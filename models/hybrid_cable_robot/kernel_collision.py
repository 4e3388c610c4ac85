"""Compiled collision tests of one pose; :mod:`models.hybrid_cable_robot.collision` is the twin."""

from __future__ import annotations

import math

from numba import njit

PARALLEL = 1e-14  # squared sine below which two cables count as parallel


@njit(cache=True, nogil=True)
def fill_cables(pulleys, attachments, rotation, position, starts, units, lengths):
    """Attachments in the world (m, 3) m, unit vectors to the pulleys (m, 3) and lengths (m,) m."""
    for i in range(pulleys.shape[0]):
        for axis in range(3):
            starts[i, axis] = position[axis]
            for other in range(3):
                starts[i, axis] += rotation[axis, other] * attachments[i, other]
            units[i, axis] = pulleys[i, axis] - starts[i, axis]
        square = units[i, 0] ** 2 + units[i, 1] ** 2 + units[i, 2] ** 2
        lengths[i] = math.sqrt(square)
        for axis in range(3):
            units[i, axis] /= lengths[i]


@njit(cache=True, nogil=True)
def least_distance(pairs, starts, units, lengths, least):
    """Least squared distance [m^2] of the paired cables, or ``least`` when that is less."""
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        rx, ry, rz = starts[i, 0] - starts[j, 0], starts[i, 1] - starts[j, 1], starts[i, 2] - starts[j, 2]
        ux, uy, uz = units[i, 0], units[i, 1], units[i, 2]
        vx, vy, vz = units[j, 0], units[j, 1], units[j, 2]
        cosine = ux * vx + uy * vy + uz * vz
        along = ux * rx + uy * ry + uz * rz
        across = vx * rx + vy * ry + vz * rz
        sine = 1.0 - cosine * cosine
        s = 0.0
        if sine > PARALLEL:
            s = min(max((cosine * across - along) / sine, 0.0), lengths[i])
        t = min(max(cosine * s + across, 0.0), lengths[j])
        s = min(max(cosine * t - along, 0.0), lengths[i])
        dx, dy, dz = rx + s * ux - t * vx, ry + s * uy - t * vy, rz + s * uz - t * vz
        least = min(least, dx * dx + dy * dy + dz * dz)
    return least


@njit(cache=True, nogil=True)
def platform_clearance(pulleys, attachments, rotation, position, half_size):
    """Least over the cables of the slab test's ``(t_enter - t_exit) * length`` [m].

    Negative when a cable has a chord inside the open platform box; at most the cable's length in
    size. The test runs in the platform's frame, where the box is aligned with the axes.
    """
    least = math.inf
    for i in range(pulleys.shape[0]):
        enter, leave = 0.0, 1.0
        square = 0.0
        for axis in range(3):
            goal = 0.0
            for other in range(3):
                goal += rotation[other, axis] * (pulleys[i, other] - position[other])
            origin = attachments[i, axis]
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
        gap = min(max(enter - leave, -1.0), 1.0) * math.sqrt(square)
        least = min(least, gap)
    return least
