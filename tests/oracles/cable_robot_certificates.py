"""The certificates of a block in plain numpy: what the compiled ones must reproduce."""

from __future__ import annotations

import itertools
import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.collision_kernels import SINGULAR_SPARE, SPARE
from models.hybrid_cable_robot.bounds.ray_kernels import REFUSED
from models.hybrid_cable_robot.bounds.wrench_kernels import FREE, INSIDE, OUTSIDE, SAFETY, UNDECIDED
from models.hybrid_cable_robot.cables.geometry import (
    SHORTEST_CABLE,
    cable_vectors,
    scaled_wrench_matrix,
)
from models.hybrid_cable_robot.cell_results import SINGULAR_BELOW
from models.hybrid_cable_robot.collisions.distances import nearest_points
from models.hybrid_cable_robot.robot import Load, Robot, loads_at
from models.hybrid_cable_robot.wrench.capacity import facet_normals

CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def decide_block(robot: Robot, center: FloatArray, half: FloatArray) -> int:
    """INSIDE, OUTSIDE or UNDECIDED for the block ``center`` +- ``half``, (3,) m each."""
    found: list[int] = []
    for index, rotation in enumerate(robot.rotations):
        lengths = np.linalg.norm(cable_vectors(robot, center, rotation), axis=1)
        if lengths.min() <= REFUSED * np.linalg.norm(half) + SHORTEST_CABLE:
            found.append(UNDECIDED)
            continue
        found.append(decide_wrench(robot, center, half, rotation))
        if robot.check_platform:
            found.append(decide_platform(robot, center, half, rotation))
        if robot.check_interference:
            found.append(decide_cables(robot, center, half, rotation))
        if index == 0:
            found.append(INSIDE if is_regular(robot, center, half) else UNDECIDED)
    return min(found)  # OUTSIDE < UNDECIDED < INSIDE


def decide_wrench(robot: Robot, center: FloatArray, half: FloatArray, rotation: FloatArray) -> int:
    """As :func:`.wrench_kernels.decide_wrench`, for every posture of the arm."""
    return min(_decide_load(robot, load, center, half, rotation) for load in loads_at(robot, rotation))


def _decide_load(robot: Robot, load: Load, center: FloatArray, half: FloatArray, rotation: FloatArray) -> int:
    vectors = cable_vectors(robot, center, rotation)
    lengths = np.linalg.norm(vectors, axis=1)
    units, arms = vectors / lengths[:, None], robot.attachments @ rotation.T / robot.length_scale
    share = np.linalg.norm(half) / lengths
    bends = 2 / math.sqrt(3) * (-np.log1p(-share) - share)
    W = scaled_wrench_matrix(robot, center, rotation)
    sizes = np.sqrt(1 + np.sum(arms * arms, axis=1))
    spares: list[float] = []
    for c in np.vstack([facet_normals(W), -facet_normals(W)]):
        a = c[:3] + np.cross(c[3:], arms)
        pulls = np.sum(a * units, axis=1)
        slopes = -(a - pulls[:, None] * units) / lengths[:, None]
        rests = np.linalg.norm(a, axis=1) * bends
        demand = np.abs(c) @ load.half_range - c @ load.center
        changed = pulls + (CORNERS * half) @ slopes.T
        most = np.maximum(load.f_max * changed, load.f_min * changed).sum(axis=1).max()
        if most + load.f_max * rests.sum() - demand < -SAFETY * load.tolerance:
            return OUTSIDE
        free = np.abs(pulls) <= FREE * sizes
        tensions = np.where(pulls > 0, load.f_max, load.f_min)
        middle = np.where(free, (load.f_max + load.f_min) / 2, tensions)
        spare = np.where(free, np.minimum(load.f_min * pulls, load.f_max * pulls), tensions * pulls).sum()
        spare -= demand + np.where(free, load.f_max, tensions) @ rests
        spare -= half @ np.abs(middle @ slopes)
        spare -= half @ np.abs(slopes[free]).sum(axis=0) * (load.f_max - load.f_min) / 2
        spares.append(float(spare))
    return INSIDE if spares and min(spares) > SAFETY * load.tolerance else UNDECIDED


def decide_cables(robot: Robot, center: FloatArray, half: FloatArray, rotation: FloatArray) -> int:
    """As :func:`.collision_kernels.decide_cables`."""
    limit, found, radius = robot.diameter + robot.clearance, INSIDE, float(np.linalg.norm(half))
    ends = center + robot.attachments @ rotation.T
    for (i, j), (below, above) in zip(robot.pairs, robot.reliefs, strict=True):
        a, b, p, q = ends[i], ends[j], robot.pulleys[i], robot.pulleys[j]
        lengths = np.linalg.norm([p - a, q - b], axis=1)
        spare = SPARE * float(lengths.sum())
        wide, narrow = (_shares(below, above, lengths + side) for side in (radius, -radius))
        starts, stops = narrow
        _, s, t = nearest_points(
            a + starts[0] * (p - a), a + stops[0] * (p - a), b + starts[1] * (q - b), b + stops[1] * (q - b)
        )
        s, t = starts + (stops - starts) * np.array([s, t])
        gap = a + s * (p - a) - b - t * (q - b)
        if np.linalg.norm(np.abs(gap) + abs(s - t) * half) < limit - spare:
            return OUTSIDE
        if not np.any(gap):
            found = UNDECIDED
            continue
        n = gap / np.linalg.norm(gap)
        corners = [
            n @ (a + first * (p - a) - b - second * (q - b)) - abs(first - second) * (np.abs(n) @ half)
            for first in (wide[0][0], wide[1][0])
            for second in (wide[0][1], wide[1][1])
        ]
        if not min(corners) > limit + spare:
            found = UNDECIDED
    return found


def _shares(below: float, above: float, lengths: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shares (2,) of two cables of ``lengths`` (2,) m from which on, and up to which, they may not touch."""
    stops = np.maximum(1.0 - above / lengths, 0.0)
    return np.minimum(below / lengths, stops), stops


def decide_platform(robot: Robot, center: FloatArray, half: FloatArray, rotation: FloatArray) -> int:
    """As :func:`.collision_kernels.decide_platform`."""
    found, box, reach = INSIDE, robot.half_size, np.abs(rotation.T) @ half
    goals = (robot.pulleys - center) @ rotation
    for start, goal in zip(robot.attachments, goals, strict=True):
        normals = [*np.eye(3), *np.cross(np.eye(3), goal - start)]
        if any(_clear_of(start, goal, reach, box, n * sign) for n in normals for sign in (1, -1)):
            continue
        found = UNDECIDED
        if _cut(start, goal, reach, box):
            return OUTSIDE
    return found


def _clear_of(start: FloatArray, goal: FloatArray, reach: FloatArray, box: FloatArray, n: FloatArray) -> bool:
    spare = SPARE * np.abs(n) @ (np.abs(start) + np.abs(goal))
    least = min(float(n @ start), float(n @ goal - np.abs(n) @ reach))
    return bool(least > np.abs(n) @ box + spare)


def _cut(start: FloatArray, goal: FloatArray, reach: FloatArray, box: FloatArray) -> bool:
    sign = np.array([[1.0], [-1.0]])
    beyond = sign * start - box + SPARE * (np.abs(start) + np.abs(goal))
    growth = sign * (goal - start) + reach
    if np.any((growth == 0) & (beyond >= 0)):
        return False
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = -beyond / growth
    least, most = limits[growth < 0].max(initial=0.0), limits[growth > 0].min(initial=1.0)
    return bool(most - least > SPARE)


def is_regular(robot: Robot, center: FloatArray, half: FloatArray) -> bool:
    """As :func:`.collision_kernels.is_regular`."""
    rotation = robot.rotations[0]
    W = scaled_wrench_matrix(robot, center, rotation)
    values = np.linalg.svd(W, compute_uv=False)
    share = np.linalg.norm(half) / np.linalg.norm(cable_vectors(robot, center, rotation), axis=1)
    sizes = np.sqrt(1 + np.sum((robot.attachments / robot.length_scale) ** 2, axis=1))
    change = float(np.linalg.norm(sizes * 2 * np.sin(np.arcsin(share) / 2)))
    return bool(values[-1] - change > SINGULAR_BELOW * (1 + SINGULAR_SPARE) * (values[0] + change))
