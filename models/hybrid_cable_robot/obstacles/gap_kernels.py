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
from models.hybrid_cable_robot.obstacles.arrays import Solids
from models.hybrid_cable_robot.robot import Robot
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
def _gap(solids: Solids, number: int, body: Convex, radius: float, limit: float, memory: _Memory) -> float:
    """Gap [m] between an obstacle and a body with a radius around it, or ``limit`` if that is less."""
    tree, mesh = solids.tree, solids.meshes[number]
    reach = radius + solids.radii[number]
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
            solids.kinds[number], solids.sizes[number], tree.axes, solids.rotations[number],
            solids.positions[number],
        )  # fmt: skip
        distance = convex_distance(body, solid, enough, memory.simplex)
    if distance == 0.0:
        distance = -max(_least_overlap(body, solid), 0.0)
    return min(distance - reach, limit)


@inner
def _around(solids: Solids, body: Convex, radius: float, limit: float, stop: float, memory: _Memory) -> float:
    """Least gap [m] between a body with a radius around it and floor and obstacles.

    ``limit`` [m] if that is less; any gap that is not more than ``stop`` [m] once there is one.
    """
    limit = min(limit, farthest_point(body, (0.0, 0.0, -1.0))[2] - radius - solids.floor)
    for number in range(solids.kinds.shape[0]):
        if limit <= stop:
            break
        limit = _gap(solids, number, body, radius, limit, memory)
    return limit


@inner
def _segment(
    solids: Solids, first: tuple[float, float, float], second: tuple[float, float, float], ends: FloatArray,
    middle: FloatArray,
) -> Convex:  # fmt: skip
    """The segment between two points [m]."""
    for axis in range(3):
        middle[axis] = (first[axis] + second[axis]) / 2.0
        ends[0, axis], ends[1, axis] = first[axis] - middle[axis], second[axis] - middle[axis]
    return Convex(HULL, middle, ends, solids.tree.axes, middle)


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
    robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, number: int,
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
    share = min(solids.relief / length, 1.0) if length > 0.0 else 1.0
    start = (near[0] + share * step[0], near[1] + share * step[1], near[2] + share * step[2])
    return _segment(solids, start, far, memory.cable_ends, memory.cable_middle)


@inner
def _cable_gap(
    robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] between cables and surroundings; limit and stop as in :func:`_around`."""
    for number in range(robot.pulleys.shape[0]):
        if limit <= stop:
            break
        cable = _cable(robot, solids, rotation, position, number, False, memory)
        limit = _around(solids, cable, solids.cable_radii[number], limit, stop, memory)
    return limit


@inner
def _platform_gap(
    solids: Solids, rotation: FloatArray, position: FloatArray, limit: float, stop: float, memory: _Memory
) -> float:
    """The same of the platform."""
    body = Convex(solids.platform_kind, solids.platform_size, solids.platform_points, rotation, position)
    return _around(solids, body, solids.platform_radius, limit, stop, memory)


@inner
def _link(
    solids: Solids, rotation: FloatArray, position: FloatArray, posture: int, number: int, memory: _Memory
) -> Convex:
    """The middle line of a capsule of the arm."""
    first = _place(rotation, position, solids.capsules[posture, number, 0])
    second = _place(rotation, position, solids.capsules[posture, number, 1])
    return _segment(solids, first, second, memory.link_ends, memory.link_middle)


@inner
def _arm_gap(
    solids: Solids, rotation: FloatArray, position: FloatArray, limit: float, stop: float, memory: _Memory
) -> float:
    """Least gap [m] between the arm and its surroundings, over its postures."""
    for posture in range(solids.capsules.shape[0]):
        for number in range(solids.capsules.shape[1]):
            if limit <= stop:
                return limit
            link = _link(solids, rotation, position, posture, number, memory)
            limit = _around(solids, link, solids.capsule_radii[number], limit, stop, memory)
    return limit


@inner
def _arm_cable_gap(
    robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] between the arm and the cables, over its postures."""
    for cable_number in range(robot.pulleys.shape[0]):
        cable = _cable(robot, solids, rotation, position, cable_number, True, memory)
        for posture in range(solids.capsules.shape[0]):
            for number in range(solids.capsules.shape[1]):
                if limit <= stop:
                    return limit
                link = _link(solids, rotation, position, posture, number, memory)
                reach = solids.capsule_radii[number] + solids.cable_radii[cable_number]
                enough = max(limit + reach, SLIGHT)
                limit = min(limit, convex_distance(link, cable, enough, memory.simplex) - reach)
    return limit


@inner
def _verdict(robot: Robot, solids: Solids, position: FloatArray, memory: _Memory) -> int:
    """The first of the tests that a position fails at some orientation."""
    stop = solids.clearance
    for test in (CABLE_OBSTACLE, PLATFORM_OBSTACLE, ARM_CABLE, ARM_OBSTACLE):
        if not (solids.check_obstacles if test <= PLATFORM_OBSTACLE else solids.check_arm):
            continue
        for turn in range(robot.rotations.shape[0]):
            gap = _gap_of_test(test, robot, solids, robot.rotations[turn], position, memory)
            if gap <= stop:
                return test
    return PASSED


@inner
def _gap_of_test(
    test: int, robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, memory: _Memory
) -> float:
    """Least gap [m] of a test at one orientation, as far as it decides the test."""
    stop = solids.clearance
    limit = stop + SLIGHT
    if test == CABLE_OBSTACLE:
        return _cable_gap(robot, solids, rotation, position, limit, stop, memory)
    if test == PLATFORM_OBSTACLE:
        return _platform_gap(solids, rotation, position, limit, stop, memory)
    if test == ARM_CABLE:
        return _arm_cable_gap(robot, solids, rotation, position, limit, stop, memory)
    return _arm_gap(solids, rotation, position, limit, stop, memory)


@entry
def exclude_cells(robot: Robot, solids: Solids, centers: FloatArray, verdicts: IntArray) -> None:
    """Change the verdicts (n,) of the cells with centres (n, 3) m that fail a test of the surroundings."""
    memory = _memory()
    for cell in range(centers.shape[0]):
        verdicts[cell] = _verdict(robot, solids, centers[cell], memory)


@inner
def _gaps(robot: Robot, solids: Solids, position: FloatArray, memory: _Memory) -> tuple[float, float]:
    """Least gaps [m] over the orientations: of cables and platform, and of the arm."""
    others, arm = math.inf, math.inf
    for turn in range(robot.rotations.shape[0]):
        R = robot.rotations[turn]
        others = _platform_gap(solids, R, position, others, -math.inf, memory)
        others = _cable_gap(robot, solids, R, position, others, -math.inf, memory)
        arm = _arm_gap(solids, R, position, arm, -math.inf, memory)
        arm = _arm_cable_gap(robot, solids, R, position, arm, -math.inf, memory)
    return others, arm


@entry
def fill_gaps(robot: Robot, solids: Solids, centers: FloatArray, gaps: FloatArray) -> None:
    """Fill gaps (n, 2) m at positions (n, 3) m: of cables and platform, and of the arm.

    Infinite where there are neither obstacles nor a floor, or no arm.
    """
    memory = _memory()
    for cell in range(centers.shape[0]):
        gaps[cell, 0], gaps[cell, 1] = _gaps(robot, solids, centers[cell], memory)


@entry
def raise_deficits(robot: Robot, solids: Solids, centers: FloatArray, deficits: FloatArray) -> None:
    """Raise deficits (n,) m of positions (n, 3) m to what they lack of the clearance, where it is more."""
    memory = _memory()
    for cell in range(centers.shape[0]):
        others, arm = _gaps(robot, solids, centers[cell], memory)
        if solids.check_obstacles:
            deficits[cell] = max(deficits[cell], solids.clearance - others)
        if solids.check_arm:
            deficits[cell] = max(deficits[cell], solids.clearance - arm)
