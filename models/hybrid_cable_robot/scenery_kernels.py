"""Compiled tests of obstacles and of the arm: gaps between cables, platform, arm and what is around them.

A gap is the distance of two surfaces; it is negative where they overlap, by a length that would separate
them, found among some directions. A gap counts up to a limit: a kernel stops to look at a pair when it has
proved that it is farther apart than that.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cable_kernels import attachment_arm, cable_vector
from models.hybrid_cable_robot.cell_results import (
    ARM_CABLE,
    ARM_OBSTACLE,
    CABLE_OBSTACLE,
    PASSED,
    PLATFORM_OBSTACLE,
)
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.scenery import Scenery
from models.jit import entry, inner
from models.numerics.convex_distance import BOX, HULL, Convex, convex_distance, farthest_point, overlap_along
from models.numerics.triangle_trees import DEPTH, encloses, mesh_distance
from models.numerics.vector_kernels import row, scale

SLIGHT = 1e-9  # [m]: gaps that exceed the clearance by more are not measured


class _Memory(NamedTuple):
    """Memory: a simplex (4, 3), a stack (DEPTH,), ends (2, 3) and middles (3,) of a cable and of a link."""

    simplex: FloatArray
    stack: IntArray
    cable_ends: FloatArray
    cable_middle: FloatArray
    link_ends: FloatArray
    link_middle: FloatArray


@inner
def _memory() -> _Memory:
    return _Memory(
        np.empty((4, 3)),
        np.empty(DEPTH, np.int64),
        np.empty((2, 3)),
        np.empty(3),
        np.empty((2, 3)),
        np.empty(3),
    )


@inner
def _least_overlap(body: Convex, solid: Convex) -> float:
    """Length [m] by which a body must move to leave a solid: the least along the axes of the solid."""
    least = math.inf
    for axis in range(3):
        direction = (solid.rotation[0, axis], solid.rotation[1, axis], solid.rotation[2, axis])
        least = min(least, overlap_along(body, solid, direction))
        least = min(least, overlap_along(body, solid, scale(-1.0, direction)))
    return least


@inner
def _gap(scenery: Scenery, number: int, body: Convex, radius: float, limit: float, memory: _Memory) -> float:
    """Gap [m] between an obstacle and a body with a radius around it, or ``limit`` if that is less."""
    tree, mesh = scenery.tree, scenery.meshes[number]
    reach = radius + scenery.radii[number]
    enough = max(limit + reach, SLIGHT)
    if mesh >= 0:
        root = tree.roots[mesh]
        solid = Convex(BOX, tree.half_sizes[root], tree.axes, tree.axes, tree.middles[root])
        distance = mesh_distance(tree, mesh, body, enough, memory.simplex, memory.stack)
        if distance > 0.0:
            place = farthest_point(body, (0.0, 0.0, 1.0))
            if encloses(tree, mesh, place, memory.stack):
                distance = 0.0
    else:
        solid = Convex(
            scenery.kinds[number], scenery.sizes[number], tree.axes, scenery.rotations[number],
            scenery.positions[number],
        )  # fmt: skip
        distance = convex_distance(body, solid, enough, memory.simplex)
    if distance == 0.0:
        distance = -max(_least_overlap(body, solid), 0.0)
    return min(distance - reach, limit)


@inner
def _around(
    scenery: Scenery, body: Convex, radius: float, limit: float, stop: float, memory: _Memory
) -> float:
    """Least gap [m] between a body with a radius around it and floor and obstacles.

    ``limit`` [m] if that is less; any gap that is not more than ``stop`` [m] once there is one.
    """
    limit = min(limit, farthest_point(body, (0.0, 0.0, -1.0))[2] - radius - scenery.floor)
    for number in range(scenery.kinds.shape[0]):
        if limit <= stop:
            break
        limit = _gap(scenery, number, body, radius, limit, memory)
    return limit


@inner
def _segment(
    scenery: Scenery, first: tuple[float, float, float], second: tuple[float, float, float], ends: FloatArray,
    middle: FloatArray,
) -> Convex:  # fmt: skip
    """The segment between two points [m]."""
    for axis in range(3):
        middle[axis] = (first[axis] + second[axis]) / 2.0
        ends[0, axis], ends[1, axis] = first[axis] - middle[axis], second[axis] - middle[axis]
    return Convex(HULL, middle, ends, scenery.tree.axes, middle)


@inner
def _place(rotation: FloatArray, position: FloatArray, point: FloatArray) -> tuple[float, float, float]:
    """A point (3,) m of the platform in the world."""
    return (
        position[0] + rotation[0, 0] * point[0] + rotation[0, 1] * point[1] + rotation[0, 2] * point[2],
        position[1] + rotation[1, 0] * point[0] + rotation[1, 1] * point[1] + rotation[1, 2] * point[2],
        position[2] + rotation[2, 0] * point[0] + rotation[2, 1] * point[1] + rotation[2, 2] * point[2],
    )


@inner
def _cable(
    robot: Robot, scenery: Scenery, rotation: FloatArray, position: FloatArray, number: int,
    at_platform: bool, memory: _Memory,
) -> Convex:  # fmt: skip
    """A cable without the part next to the platform, or else without that next to its pulley."""
    near, far = _place(rotation, position, robot.attachments[number]), row(robot.pulleys[number])
    if robot.wheels[number] > 0.0:
        vector = cable_vector(robot, position, attachment_arm(robot, rotation, number), number)
        far = (near[0] + vector[0], near[1] + vector[1], near[2] + vector[2])
    if not at_platform:
        near, far = far, near
    step = (far[0] - near[0], far[1] - near[1], far[2] - near[2])
    length = math.sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2])
    share = min(scenery.relief / length, 1.0) if length > 0.0 else 1.0
    start = (near[0] + share * step[0], near[1] + share * step[1], near[2] + share * step[2])
    return _segment(scenery, start, far, memory.cable_ends, memory.cable_middle)


@inner
def _cable_gap(
    robot: Robot, scenery: Scenery, rotation: FloatArray, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] between cables and surroundings; limit and stop as in :func:`_around`."""
    for number in range(robot.pulleys.shape[0]):
        if limit <= stop:
            break
        cable = _cable(robot, scenery, rotation, position, number, False, memory)
        limit = _around(scenery, cable, scenery.cable_radii[number], limit, stop, memory)
    return limit


@inner
def _platform_gap(
    scenery: Scenery, rotation: FloatArray, position: FloatArray, limit: float, stop: float, memory: _Memory
) -> float:
    """The same of the platform."""
    body = Convex(scenery.platform_kind, scenery.platform_size, scenery.platform_points, rotation, position)
    return _around(scenery, body, scenery.platform_radius, limit, stop, memory)


@inner
def _link(
    scenery: Scenery, rotation: FloatArray, position: FloatArray, posture: int, number: int, memory: _Memory
) -> Convex:
    """The middle line of a capsule of the arm."""
    first = _place(rotation, position, scenery.capsules[posture, number, 0])
    second = _place(rotation, position, scenery.capsules[posture, number, 1])
    return _segment(scenery, first, second, memory.link_ends, memory.link_middle)


@inner
def _arm_gap(
    scenery: Scenery, rotation: FloatArray, position: FloatArray, limit: float, stop: float, memory: _Memory
) -> float:
    """Least gap [m] between the arm and its surroundings, over its postures."""
    for posture in range(scenery.capsules.shape[0]):
        for number in range(scenery.capsules.shape[1]):
            if limit <= stop:
                return limit
            link = _link(scenery, rotation, position, posture, number, memory)
            limit = _around(scenery, link, scenery.capsule_radii[number], limit, stop, memory)
    return limit


@inner
def _arm_cable_gap(
    robot: Robot, scenery: Scenery, rotation: FloatArray, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] between the arm and the cables, over its postures."""
    for cable_number in range(robot.pulleys.shape[0]):
        cable = _cable(robot, scenery, rotation, position, cable_number, True, memory)
        for posture in range(scenery.capsules.shape[0]):
            for number in range(scenery.capsules.shape[1]):
                if limit <= stop:
                    return limit
                link = _link(scenery, rotation, position, posture, number, memory)
                reach = scenery.capsule_radii[number] + scenery.cable_radii[cable_number]
                enough = max(limit + reach, SLIGHT)
                limit = min(limit, convex_distance(link, cable, enough, memory.simplex) - reach)
    return limit


@inner
def _verdict(robot: Robot, scenery: Scenery, position: FloatArray, memory: _Memory) -> int:
    """The first of the tests that a position fails at some orientation."""
    stop = scenery.clearance
    for test in (CABLE_OBSTACLE, PLATFORM_OBSTACLE, ARM_CABLE, ARM_OBSTACLE):
        if not (scenery.check_obstacles if test <= PLATFORM_OBSTACLE else scenery.check_arm):
            continue
        for turn in range(robot.rotations.shape[0]):
            gap = _gap_of_test(test, robot, scenery, robot.rotations[turn], position, memory)
            if gap <= stop:
                return test
    return PASSED


@inner
def _gap_of_test(
    test: int, robot: Robot, scenery: Scenery, rotation: FloatArray, position: FloatArray, memory: _Memory
) -> float:
    """Least gap [m] of a test at one orientation, as far as it decides the test."""
    stop = scenery.clearance
    limit = stop + SLIGHT
    if test == CABLE_OBSTACLE:
        return _cable_gap(robot, scenery, rotation, position, limit, stop, memory)
    if test == PLATFORM_OBSTACLE:
        return _platform_gap(scenery, rotation, position, limit, stop, memory)
    if test == ARM_CABLE:
        return _arm_cable_gap(robot, scenery, rotation, position, limit, stop, memory)
    return _arm_gap(scenery, rotation, position, limit, stop, memory)


@entry
def exclude_cells(robot: Robot, scenery: Scenery, centers: FloatArray, verdicts: IntArray) -> None:
    """Change the verdicts (n,) of the cells with centres (n, 3) m that fail a test of the surroundings."""
    memory = _memory()
    for cell in range(centers.shape[0]):
        verdicts[cell] = _verdict(robot, scenery, centers[cell], memory)


@inner
def _gaps(robot: Robot, scenery: Scenery, position: FloatArray, memory: _Memory) -> tuple[float, float]:
    """Least gaps [m] over the orientations: of cables and platform, and of the arm."""
    others, arm = math.inf, math.inf
    for turn in range(robot.rotations.shape[0]):
        R = robot.rotations[turn]
        others = _platform_gap(scenery, R, position, others, -math.inf, memory)
        others = _cable_gap(robot, scenery, R, position, others, -math.inf, memory)
        arm = _arm_gap(scenery, R, position, arm, -math.inf, memory)
        arm = _arm_cable_gap(robot, scenery, R, position, arm, -math.inf, memory)
    return others, arm


@entry
def fill_gaps(robot: Robot, scenery: Scenery, centers: FloatArray, gaps: FloatArray) -> None:
    """Fill gaps (n, 2) m at positions (n, 3) m: of cables and platform, and of the arm.

    Infinite where there are neither obstacles nor a floor, or no arm.
    """
    memory = _memory()
    for cell in range(centers.shape[0]):
        gaps[cell, 0], gaps[cell, 1] = _gaps(robot, scenery, centers[cell], memory)


@entry
def raise_deficits(robot: Robot, scenery: Scenery, centers: FloatArray, deficits: FloatArray) -> None:
    """Raise deficits (n,) m of positions (n, 3) m to what they lack of the clearance, where it is more."""
    memory = _memory()
    for cell in range(centers.shape[0]):
        others, arm = _gaps(robot, scenery, centers[cell], memory)
        if scenery.check_obstacles:
            deficits[cell] = max(deficits[cell], scenery.clearance - others)
        if scenery.check_arm:
            deficits[cell] = max(deficits[cell], scenery.clearance - arm)
