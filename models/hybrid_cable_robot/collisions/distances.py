"""Distances between cables, and cables that cut the platform, in plain numpy: the definitions of all kernels.

Kernels that follow from :func:`least_cable_distance` and :func:`platform_clearance`:

- ``distance_kernels.cable_distance`` with ``nearest_points``, and ``platform_clearance``, one pose;
- ``motion.path_collisions.fill_gaps``, the poses of a path;
- ``simd/collision_source.py``, many positions at once;
- ``bounds/collision_kernels.py``, blocks of positions; in plain numpy in
  ``tests/oracles/cable_robot_certificates.py``.

Contract: ``tests/models/hybrid_cable_robot/test_collision_contract.py``.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, cable_vectors
from models.hybrid_cable_robot.robot import Robot


def segment_distance(p: FloatArray, q: FloatArray, r: FloatArray, s: FloatArray) -> float:
    """Least distance [m] of the segments ``pq`` and ``rs``, endpoints (3,) m."""
    return nearest_points(p, q, r, s)[0]


def nearest_points(p: FloatArray, q: FloatArray, r: FloatArray, s: FloatArray) -> tuple[float, float, float]:
    """Least distance [m] of the segments ``pq`` and ``rs``, and the shares of each at which it is reached.

    It is reached at an endpoint of one of them, or at a crossing of the common normal with both.
    """
    tried: list[tuple[float, float, float]] = []
    for share, x in ((0.0, p), (1.0, q)):
        other = nearest_share(x, r, s)
        tried.append((distance_at(other, x, r, s), share, other))
    for share, x in ((0.0, r), (1.0, s)):
        other = nearest_share(x, p, q)
        tried.append((distance_at(other, x, p, q), other, share))
    u, v, w = q - p, s - r, p - r
    determinant = (u @ u) * (v @ v) - (u @ v) ** 2
    if determinant > 0.0:
        along = ((u @ v) * (v @ w) - (v @ v) * (u @ w)) / determinant
        across = ((u @ u) * (v @ w) - (u @ v) * (u @ w)) / determinant
        if 0.0 <= along <= 1.0 and 0.0 <= across <= 1.0:
            tried.append((float(np.linalg.norm(w + along * u - across * v)), float(along), float(across)))
    return min(tried, key=lambda found: found[0])


def distance_at(share: float, x: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Distance [m] of the point ``x`` from the point at a share of the segment ``pq``, all (3,) m."""
    return float(np.linalg.norm(x - p - share * (q - p)))


def nearest_share(x: FloatArray, p: FloatArray, q: FloatArray) -> float:
    """Share of the segment ``pq`` at which it is nearest to the point ``x``, all (3,) m."""
    u = q - p
    square = float(u @ u)
    return min(max(float((x - p) @ u) / square, 0.0), 1.0) if square > 0.0 else 0.0


def least_cable_distance(robot: Robot, position: FloatArray, rotation: FloatArray) -> float:
    """Least distance [m] of the axes of two cables, without the parts next to their ends that may touch.

    Thinner cables than the thickest one count as farther apart, by the ``slimness`` of their pair.
    """
    return min(cable_distances(robot, position, rotation), default=math.inf)


def cable_distances(robot: Robot, position: FloatArray, rotation: FloatArray) -> list[float]:
    """The same of each pair of cables.

    A cable no longer than both parts counts with the point at which the one next to its pulley begins.
    """
    ends = position + robot.attachments @ rotation.T
    vectors = cable_vectors(robot, position, rotation) if robot.wheels.any() else robot.pulleys - ends
    lengths = np.maximum(np.linalg.norm(vectors, axis=1), SHORTEST_CABLE)
    found: list[float] = []
    for (i, j), (below, above), slim in zip(robot.pairs, robot.reliefs, robot.slimness, strict=True):
        points: list[FloatArray] = []
        for k in (i, j):
            last = max(1.0 - above / lengths[k], 0.0)
            points += [ends[k] + share * vectors[k] for share in (min(below / lengths[k], last), last)]
        found.append(segment_distance(*points) + float(slim))
    return found


def platform_clearance(robot: Robot, position: FloatArray, rotation: FloatArray) -> float:
    """Least over the cables of the slab test's ``(t_enter - t_exit) * length`` [m]."""
    return min(platform_clearances(robot, position, rotation))


def platform_clearances(robot: Robot, position: FloatArray, rotation: FloatArray) -> list[float]:
    """The same of each cable.

    ``t`` runs from 0 at the attachment to 1 at the pulley. Negative: the cable has a chord of that
    length inside the open platform box (shrunk by 1e-6 m, so that attachments on its surface are
    outside). Never more than the cable's length in size.
    """
    vectors = cable_vectors(robot, position, rotation) @ rotation
    return [
        chord_clearance(origin, vector, robot.half_size)
        for origin, vector in zip(robot.attachments, vectors, strict=True)
    ]


def chord_clearance(origin: FloatArray, vector: FloatArray, half_size: FloatArray) -> float:
    """Slab test of the segment from ``origin`` along ``vector`` against the box of ``half_size``.

    All (3,) m in the box's frame. Returns ``(t_enter - t_exit) * length`` [m], clipped to the
    length; negative inside.
    """
    enter, leave = 0.0, 1.0
    for start, step, half in zip(origin.tolist(), vector.tolist(), half_size.tolist(), strict=True):
        if step == 0.0:
            enter = math.inf if abs(start) >= half else enter
        else:
            crossings = sorted(((-half - start) / step, (half - start) / step))
            enter, leave = max(enter, crossings[0]), min(leave, crossings[1])
    return min(max(enter - leave, -1.0), 1.0) * float(np.linalg.norm(vector))


def shortest_is_long_enough(robot: Robot, position: FloatArray, rotation: FloatArray) -> bool:
    """True if every cable has a direction."""
    return bool(np.linalg.norm(cable_vectors(robot, position, rotation), axis=1).min() >= SHORTEST_CABLE)
