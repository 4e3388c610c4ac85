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
from models.hybrid_cable_robot.cables.geometry_kernels import attachment_arm, cable_vector, wheel_wrap
from models.hybrid_cable_robot.cell_results import (
    ARM_CABLE,
    ARM_OBSTACLE,
    CABLE_OBSTACLE,
    PASSED,
    PLATFORM_OBSTACLE,
    WHEELS,
)
from models.hybrid_cable_robot.obstacles.arrays import Solids
from models.hybrid_cable_robot.robot import Robot
from models.jit import entry, inner
from models.numerics.convex_distance import (
    BOX,
    CYLINDER,
    HULL,
    Convex,
    convex_distance,
    farthest_point,
    overlap_along,
)
from models.numerics.triangle_trees import DEPTH, encloses, mesh_distance
from models.numerics.vector_kernels import add, cross, row, scale

THINNEST = 1e-6  # [m]: half thickness of the wheel of a cable without one
SLIGHT = 1e-9  # [m]: gaps that exceed the clearance by more are not measured


class _Memory(NamedTuple):
    """Memory for a few bodies at a time.

    A simplex (4, 3), a stack (DEPTH,), ends (2, 3) and middles (3,) of a cable and of a link, and frames
    (2, 3, 3), sizes (2, 3) and middles (2, 3) of two wheels. And chords (k,): the distance by which the turn
    from the first orientation to each moves a point at most, per distance [m] of the point from the centre
    of the platform. And by test, the body that came too close last: in the next cell it is likely to do so.
    """

    simplex: FloatArray
    stack: IntArray
    cable_ends: FloatArray
    cable_middle: FloatArray
    link_ends: FloatArray
    link_middle: FloatArray
    chords: FloatArray
    wheel_frames: FloatArray
    wheel_sizes: FloatArray
    wheel_middles: FloatArray
    closest: IntArray


@inner
def _memory(robot: Robot) -> _Memory:
    chords, first = np.empty(robot.rotations.shape[0]), robot.rotations[0]
    for turn in range(chords.shape[0]):
        cosines = (first * robot.rotations[turn]).sum()  # 1 + 2 cos of the angle between them
        chords[turn] = math.sqrt(max(3.0 - cosines, 0.0))
    return _Memory(
        np.empty((4, 3)),
        np.empty(DEPTH, np.int64),
        np.empty((2, 3)),
        np.empty(3),
        np.empty((2, 3)),
        np.empty(3),
        chords,
        np.empty((2, 3, 3)),
        np.zeros((2, 3)),
        np.empty((2, 3)),
        np.zeros(WHEELS + 1, np.int64),
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
def _link(
    solids: Solids,
    capsules: FloatArray,
    rotation: FloatArray,
    position: FloatArray,
    number: int,
    memory: _Memory,
) -> Convex:
    """The middle line of one of the capsules (p, l, 2, 3) m of the arm, counted through its postures."""
    posture, link = divmod(number, capsules.shape[1])
    first = _place(rotation, position, capsules[posture, link, 0])
    second = _place(rotation, position, capsules[posture, link, 1])
    return _segment(solids, first, second, memory.link_ends, memory.link_middle)


@inner
def _bodies(test: int, robot: Robot, capsules: FloatArray) -> int:
    """Number of bodies, or of pairs of them, that a test looks at."""
    cables, links = robot.pulleys.shape[0], capsules.shape[0] * capsules.shape[1]
    if test == CABLE_OBSTACLE:
        return cables
    if test in (PLATFORM_OBSTACLE, WHEELS):
        return 1
    return links if test == ARM_OBSTACLE else cables * links


@inner
def _body_gap(
    test: int, number: int, robot: Robot, solids: Solids, capsules: FloatArray, rotation: FloatArray,
    position: FloatArray, limit: float, stop: float, memory: _Memory,
) -> float:  # fmt: skip
    """Gap [m] of a body from its surroundings, or of a cable from a link; as in :func:`_around`."""
    if test == CABLE_OBSTACLE:
        cable = _cable(robot, solids, rotation, position, number, False, memory)
        return _around(solids, cable, solids.cable_radii[number], limit, stop, memory)
    if test == PLATFORM_OBSTACLE:
        body = Convex(solids.platform_kind, solids.platform_size, solids.platform_points, rotation, position)
        return _around(solids, body, solids.platform_radius, limit, stop, memory)
    if test == WHEELS:
        return _wheel_gap(robot, solids, rotation, position, limit, stop, memory)
    links = capsules.shape[0] * capsules.shape[1]
    link = _link(solids, capsules, rotation, position, number % links, memory)
    radius = solids.capsule_radii[number % capsules.shape[1]]
    if test == ARM_OBSTACLE:
        return _around(solids, link, radius, limit, stop, memory)
    cable = _cable(robot, solids, rotation, position, number // links, True, memory)
    reach = radius + solids.cable_radii[number // links]
    return min(limit, convex_distance(link, cable, max(limit + reach, SLIGHT), memory.simplex) - reach)


@inner
def _lever(test: int, number: int, robot: Robot, solids: Solids) -> float:
    """Distance [m] times which a chord bounds what a turn adds to a distance of the body; infinite if none.

    The tangent point of a wheel moves as well, so that it and its cables have no bound.
    """
    if test == WHEELS:
        return math.inf
    if test == PLATFORM_OBSTACLE:
        lever = _length(solids.platform_size)
        for point in range(solids.platform_points.shape[0]):
            lever = max(lever, _length(solids.platform_points[point]))
        return lever
    links = solids.capsules.shape[0] * solids.capsules.shape[1]
    cable = number if test == CABLE_OBSTACLE else number // links
    attached = 0.0
    if test != ARM_OBSTACLE:
        attached = _length(robot.attachments[cable]) if robot.wheels[cable] <= 0.0 else math.inf
    if test == CABLE_OBSTACLE:
        return attached
    posture, link = divmod(number % links, solids.capsules.shape[1])
    ends = solids.capsules[posture, link]
    # The part of a cable next to the platform is left out, and its end moves by up to twice as much.
    return max(_length(ends[0]), _length(ends[1])) + 2.0 * attached


@inner
def _length(vector: FloatArray) -> float:
    return math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])


@inner
def _least_gap(
    test: int, robot: Robot, solids: Solids, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] of a test over the orientations; limit and stop as in :func:`_around`.

    An orientation is left out for a body that is so far from all others at the first one that the turn
    between them cannot bring it as close as ``limit``, or to an overlap.
    """
    widest, capsules, turns = memory.chords.max(), solids.capsules, robot.rotations
    count, begin = _bodies(test, robot, capsules), memory.closest[test]
    for step in range(count):
        number = (begin + step) % count
        lever = _lever(test, number, robot, solids)
        bounded = lever < math.inf
        farthest = max(limit, 0.0) + lever * widest + 2.0 * SLIGHT if bounded else limit
        first = _body_gap(test, number, robot, solids, capsules, turns[0], position, farthest, stop, memory)
        limit = min(limit, first)
        for turn in range(1, turns.shape[0]):
            if limit <= stop:
                break
            if not bounded or first - lever * memory.chords[turn] < max(limit, 0.0) + SLIGHT:
                limit = _body_gap(
                    test, number, robot, solids, capsules, turns[turn], position, limit, stop, memory
                )
        if limit <= stop:
            memory.closest[test] = number
            break
    return limit


@inner
def _wheel(
    robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, number: int, place: int,
    memory: _Memory,
) -> Convex:  # fmt: skip
    """The wheel of a cable, as it swivels: a cylinder about its axle, as thick as the cable."""
    pulley, arm = row(robot.pulleys[number]), attachment_arm(robot, rotation, number)
    straight = add(pulley, scale(-1.0, add(row(position), arm)))
    swivel, outward = row(robot.swivels[number]), wheel_wrap(robot, straight, number).outward
    axle, center = cross(swivel, outward), add(pulley, scale(robot.wheels[number], outward))
    frame, middle, size = memory.wheel_frames[place], memory.wheel_middles[place], memory.wheel_sizes[place]
    for axis in range(3):
        frame[axis, 0], frame[axis, 1], frame[axis, 2] = swivel[axis], outward[axis], axle[axis]
        middle[axis] = center[axis]
    size[0], size[1] = robot.wheels[number], max(solids.cable_radii[number], THINNEST)
    return Convex(CYLINDER, size, solids.tree.axes, frame, middle)


@inner
def _wheel_gap(
    robot: Robot, solids: Solids, rotation: FloatArray, position: FloatArray, limit: float, stop: float,
    memory: _Memory,
) -> float:  # fmt: skip
    """Least gap [m] between wheels that may overlap; limit and stop as in :func:`_around`."""
    for pair in range(solids.wheel_pairs.shape[0]):
        if limit <= stop:
            break
        first = _wheel(robot, solids, rotation, position, solids.wheel_pairs[pair, 0], 0, memory)
        second = _wheel(robot, solids, rotation, position, solids.wheel_pairs[pair, 1], 1, memory)
        distance = convex_distance(first, second, max(limit, SLIGHT), memory.simplex)
        if distance == 0.0:
            distance = -max(_least_overlap(first, second), 0.0)
        limit = min(limit, distance)
    return limit


@inner
def _verdict(robot: Robot, solids: Solids, position: FloatArray, memory: _Memory) -> int:
    """The first of the tests that a position fails at some orientation."""
    for test in (WHEELS, CABLE_OBSTACLE, PLATFORM_OBSTACLE, ARM_CABLE, ARM_OBSTACLE):
        if test == WHEELS:
            tested, stop = solids.wheel_pairs.shape[0] > 0, 0.0
        else:
            tested = solids.check_obstacles if test <= PLATFORM_OBSTACLE else solids.check_arm
            stop = solids.clearance
        if not tested:
            continue
        if _least_gap(test, robot, solids, position, stop + SLIGHT, stop, memory) <= stop:
            return test
    return PASSED


@entry
def exclude_cells(robot: Robot, solids: Solids, centers: FloatArray, verdicts: IntArray) -> None:
    """Change the verdicts (n,) of the cells with centres (n, 3) m that fail a test of the surroundings."""
    memory = _memory(robot)
    for cell in range(centers.shape[0]):
        verdicts[cell] = _verdict(robot, solids, centers[cell], memory)


@inner
def _gaps(robot: Robot, solids: Solids, position: FloatArray, memory: _Memory) -> tuple[float, float, float]:
    """Least gaps [m] over the orientations: of cables and platform, of the arm, and of wheels."""
    others, arm, free = math.inf, math.inf, -math.inf
    for test in (PLATFORM_OBSTACLE, CABLE_OBSTACLE):
        others = _least_gap(test, robot, solids, position, others, free, memory)
    for test in (ARM_OBSTACLE, ARM_CABLE):
        arm = _least_gap(test, robot, solids, position, arm, free, memory)
    return others, arm, _least_gap(WHEELS, robot, solids, position, math.inf, free, memory)


@entry
def fill_gaps(robot: Robot, solids: Solids, centers: FloatArray, gaps: FloatArray) -> None:
    """Fill gaps (n, 3) m at positions (n, 3) m: of cables and platform, of the arm, and of wheels.

    Infinite where there are neither obstacles nor a floor, no arm, and no wheels that may overlap.
    """
    memory = _memory(robot)
    for cell in range(centers.shape[0]):
        gaps[cell, 0], gaps[cell, 1], gaps[cell, 2] = _gaps(robot, solids, centers[cell], memory)


@entry
def fill_path_gaps(
    robot: Robot,
    solids: Solids,
    rotations: FloatArray,
    positions: FloatArray,
    capsules: FloatArray,
    gaps: FloatArray,
) -> None:
    """Fill the same of n poses: rotations (n, 3, 3), positions (n, 3) m, capsules (n, l, 2, 3) m."""
    memory, free = _memory(robot), -math.inf
    for pose in range(positions.shape[0]):
        R, place, arm = rotations[pose], positions[pose], capsules[pose : pose + 1]
        gaps[pose, :] = math.inf
        for test in (PLATFORM_OBSTACLE, CABLE_OBSTACLE, ARM_OBSTACLE, ARM_CABLE, WHEELS):
            kind = 2 if test == WHEELS else int(test > PLATFORM_OBSTACLE)
            for number in range(_bodies(test, robot, arm)):
                gaps[pose, kind] = _body_gap(
                    test, number, robot, solids, arm, R, place, gaps[pose, kind], free, memory
                )


@entry
def raise_deficits(robot: Robot, solids: Solids, centers: FloatArray, deficits: FloatArray) -> None:
    """Raise deficits (n,) m of positions (n, 3) m to what they lack of the clearance, where it is more."""
    memory = _memory(robot)
    for cell in range(centers.shape[0]):
        others, arm, wheels = _gaps(robot, solids, centers[cell], memory)
        deficits[cell] = max(deficits[cell], -wheels)
        if solids.check_obstacles:
            deficits[cell] = max(deficits[cell], solids.clearance - others)
        if solids.check_arm:
            deficits[cell] = max(deficits[cell], solids.clearance - arm)
