"""Bounds of the tests of the geometry over a box of rotations, at one position of the platform.

Every bound is one of a linear function of the attachments' arms, see :mod:`.rotation_kernels`: of the vector
between a point of one cable and one of another along their shortest connection at the centre, of the place of
a pulley in the platform's frame along the normals of planes that keep a cable and the box apart, and of the
square of a length.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.collision_kernels import SPARE, clear_sides, nearest_shares, shares
from models.hybrid_cable_robot.bounds.rotation_kernels import Turned
from models.hybrid_cable_robot.cables.geometry_kernels import greatest_rate, length_excess
from models.hybrid_cable_robot.cell_results import INTERFERENCE, LENGTH, PLATFORM, RATE_ROUNDING, SPEED
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner
from models.numerics.vector_kernels import Vector, add, cross, dot, length, put, row, scale, turn_back

GEOMETRY = (PLATFORM, INTERFERENCE, LENGTH, SPEED)  # verdicts of the claims, in their order
TOUCHING = 1  # the claim whose failure can be aimed at


@inner
def fails(robot: Robot, position: FloatArray, claim: int, rotation: FloatArray, turned: Turned) -> bool:
    """True if a test of the geometry fails at a rotation (3, 3)."""
    if claim == 0:
        return platform_clearance(robot, rotation, position) < 0.0
    if claim == 1:
        return math.sqrt(cable_distance(robot, rotation, position, turned.cables)) <= robot.touching
    if claim == 2:
        return length_excess(robot, rotation, position) > 0.0
    return greatest_rate(robot, rotation, position) > robot.rate_limit * (1.0 + RATE_ROUNDING)


@inner
def _swing(turned: Turned, arm: Vector, direction: Vector, reach: float) -> float:
    """Greatest change over the box of ``direction . arm`` [m], of an arm as long as ``reach`` [m]."""
    change = reach * length(direction) * turned.sizes[2]
    for k in range(3):
        change += abs(dot(direction, cross(row(turned.turns[k]), arm)))
    return change


@inner
def _clear(robot: Robot, position: FloatArray, turned: Turned) -> bool:
    """True if no cable cuts the platform at any rotation of the box."""
    work = turned.work
    for i in range(robot.pulleys.shape[0]):
        goal = add(row(robot.pulleys[i]), scale(-1.0, row(position)))
        put(work[0], turn_back(turned.rotation, goal))
        for axis in range(3):
            work[1, axis] = length(goal) * turned.sizes[2]
        for k in range(3):
            moved = turn_back(turned.rotation, cross(row(turned.turns[k]), goal))
            for axis in range(3):
                work[1, axis] += abs(moved[axis])
        if not clear_sides(robot.attachments[i], work[0], work[1], robot.half_size, work[2]):
            return False
    return True


@inner
def _aim_at_touch(turned: Turned, gap: float, n: Vector, arm: Vector) -> None:
    """Aim where a ``gap`` [m] along n closes by first order; ``arm`` [m] is what turns its ends."""
    square = 0.0
    for k in range(3):
        turned.aim[k] = dot(n, cross(row(turned.turns[k]), arm))
        square += turned.aim[k] ** 2
    for k in range(3):
        turned.aim[k] = min(max(-gap * turned.aim[k] / max(square, 1e-300), -1.0), 1.0)


@inner
def _apart(robot: Robot, turned: Turned) -> bool:
    """True if no two cables touch at any rotation of the box."""
    rays = turned.rays
    for pair in range(robot.pairs.shape[0]):
        i, j = robot.pairs[pair, 0], robot.pairs[pair, 1]
        one, other = rays.lengths[i], rays.lengths[j]
        below, above = robot.reliefs[pair, 0], robot.reliefs[pair, 1]
        near, far = turned.reaches[i] * turned.sizes[0], turned.reaches[j] * turned.sizes[0]
        first, second = shares(below, above, one + near), shares(below, above, other + far)
        s, t = nearest_shares(rays, i, j, first, second)
        start, end = scale(one, row(rays.units[i])), scale(other, row(rays.units[j]))
        between = add(row(rays.ends[i]), scale(-1.0, row(rays.ends[j])))
        n = add(add(between, scale(s, start)), scale(-t, end))
        gap = length(n)
        limit = robot.touching - robot.slimness[pair] + SPARE * (one + other)
        if gap - near - far > limit:
            continue
        n = scale(1.0 / max(gap, 1e-300), n)
        arms = scale(robot.length_scale, row(rays.arms[i])), scale(robot.length_scale, row(rays.arms[j]))
        for share in first:
            for partner in second:
                arm = add(scale(1.0 - share, arms[0]), scale(partner - 1.0, arms[1]))
                least = dot(n, between) + share * dot(n, start) - partner * dot(n, end)
                reach = abs(1.0 - share) * turned.reaches[i] + abs(1.0 - partner) * turned.reaches[j]
                if least - _swing(turned, arm, n, reach) <= limit:
                    _aim_at_touch(turned, gap, n, add(scale(1.0 - s, arms[0]), scale(t - 1.0, arms[1])))
                    return False
    return True


@inner
def _keeps_lengths(robot: Robot, position: FloatArray, turned: Turned) -> bool:
    """True if the lengths of all cables keep their limits at every rotation of the box."""
    for i in range(robot.pulleys.shape[0]):
        goal = add(row(robot.pulleys[i]), scale(-1.0, row(position)))
        arm, square = scale(robot.length_scale, row(turned.rays.arms[i])), turned.rays.lengths[i] ** 2
        change = 2.0 * _swing(turned, arm, goal, turned.reaches[i])
        least, most = math.sqrt(max(square - change, 0.0)), math.sqrt(square + change)
        if least < robot.length_limits[i, 0] or most > robot.length_limits[i, 1]:
            return False
    return True


@inner
def _keeps_speeds(robot: Robot, position: FloatArray, turned: Turned) -> bool:
    """True if no cable is faster than its winch at any rotation of the box.

    The square of a cable's rate is ``1 + (B^2 E^2 - z^2) / (L^2 (B^2 + E^2 - 2 z))`` with ``z = E . a``, E
    the vector from the platform's origin to the pulley, ``B = |a|``: greatest where z is the lesser of E^2
    and B^2, and monotonic before and after. In a plane, what is normal to it is left out.
    """
    for i in range(robot.pulleys.shape[0]):
        goal = add(row(robot.pulleys[i]), scale(-1.0, row(position)))
        arm = scale(robot.length_scale, row(turned.rays.arms[i]))
        goal = (goal[0] * robot.rows[0], goal[1] * robot.rows[1], goal[2] * robot.rows[2])
        arm = (arm[0] * robot.rows[0], arm[1] * robot.rows[1], arm[2] * robot.rows[2])
        change = _swing(turned, arm, goal, length(arm))
        far, near, middle = dot(goal, goal), dot(arm, arm), dot(goal, arm)
        z = min(max(min(far, near), middle - change), middle + change)
        square = 1.0 + (near * far - z * z) / (robot.length_scale**2 * max(near + far - 2.0 * z, 1e-300))
        if math.sqrt(square) > robot.rate_limit:
            return False
    return True


@inner
def is_shown(robot: Robot, position: FloatArray, claim: int, turned: Turned) -> bool:
    """True if a claim of the geometry holds at every rotation of the box."""
    if claim == 0:
        return _clear(robot, position, turned)
    if claim == 1:
        return _apart(robot, turned)
    if claim == 2:
        return _keeps_lengths(robot, position, turned)
    return _keeps_speeds(robot, position, turned)
