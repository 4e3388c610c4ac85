"""Compiled vectors of the cables and the scaled wrench matrix of one pose; ``cables`` defines them."""

from __future__ import annotations

import math
from typing import NamedTuple

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE
from models.hybrid_cable_robot.cables.pulleys import NEAREST
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner
from models.numerics.vector_kernels import Vector, add, cross, dot, length, row, scale, turn


@inner
def attachment_arm(robot: Robot, rotation: FloatArray, i: int) -> Vector:
    """Attachment of cable i from the platform's origin [m], world axes."""
    return turn(rotation, row(robot.attachments[i]))


@inner
def cable_vector(robot: Robot, position: FloatArray, arm: Vector, i: int) -> Vector:
    """Vector [m] of cable i from attachment, at ``arm`` [m] from the platform's origin, to pulley."""
    straight = (
        robot.pulleys[i, 0] - position[0] - arm[0],
        robot.pulleys[i, 1] - position[1] - arm[1],
        robot.pulleys[i, 2] - position[2] - arm[2],
    )
    if robot.wheels[i] > 0.0:
        wrap = wheel_wrap(robot, straight, i)
        return scale(
            -wrap.free, add(scale(wrap.cosine, row(robot.swivels[i])), scale(wrap.sine, wrap.outward))
        )
    return straight


class Wrap(NamedTuple):
    """A cable on its wheel; all zero where the attachment lies inside the wheel or on its swivel axis.

    Attributes
    ----------
    free : float, m
        Length beyond the wheel.
    cosine, sine : float
        Of the angle by which the cable lies on the wheel.
    distance : float, m
        Of the attachment from the swivel axis.
    outward : (float, float, float)
        Unit vector from the swivel axis to the attachment.
    """

    free: float
    cosine: float
    sine: float
    distance: float
    outward: Vector


@inner
def wheel_wrap(robot: Robot, straight: Vector, i: int) -> Wrap:
    """Wrap of cable i on its wheel; ``straight`` [m] is the vector from attachment to pulley point."""
    axis, radius = row(robot.swivels[i]), robot.wheels[i]
    along = -dot(straight, axis)
    across = add(scale(-1.0, straight), scale(-along, axis))
    distance = length(across)
    x = distance - radius
    square = x * x + along * along
    if square <= radius * radius or distance <= NEAREST:
        return Wrap(0.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0))
    free = math.sqrt(square - radius * radius)
    cosine, sine = (free * along - radius * x) / square, (free * x + radius * along) / square
    return Wrap(free, cosine, sine, distance, scale(1.0 / distance, across))


@inner
def cable_length(robot: Robot, position: FloatArray, arm: Vector, i: int) -> float:
    """Length [m] of cable i with the part on its wheel; zero where it has no direction."""
    straight = (
        robot.pulleys[i, 0] - position[0] - arm[0],
        robot.pulleys[i, 1] - position[1] - arm[1],
        robot.pulleys[i, 2] - position[2] - arm[2],
    )
    if robot.wheels[i] > 0.0:
        wrap = wheel_wrap(robot, straight, i)
        angle = math.atan2(wrap.sine, wrap.cosine)
        return wrap.free + robot.wheels[i] * (angle + 2.0 * math.pi if angle < 0.0 else angle)
    return length(straight)


@inner
def length_excess(robot: Robot, rotation: FloatArray, position: FloatArray) -> float:
    """Worst excess [m] of a cable's length beyond its limits; negative where all keep them."""
    worst = -math.inf
    for i in range(robot.pulleys.shape[0]):
        size = cable_length(robot, position, attachment_arm(robot, rotation, i), i)
        worst = max(worst, robot.length_limits[i, 0] - size, size - robot.length_limits[i, 1])
    return worst


@inner
def greatest_rate(robot: Robot, rotation: FloatArray, position: FloatArray) -> float:
    """Greatest speed of a cable over the platform's, whose turning counts by L, in the worst direction."""
    worst = 0.0
    for i in range(robot.pulleys.shape[0]):
        arm = attachment_arm(robot, rotation, i)
        vector = cable_vector(robot, position, arm, i)
        distance = max(length(vector), SHORTEST_CABLE)
        force, moment = (
            scale(1.0 / distance, vector),
            scale(1.0 / (distance * robot.length_scale), cross(arm, vector)),
        )
        square = 0.0
        for axis in range(3):
            square += robot.rows[axis] * force[axis] ** 2 + robot.rows[3 + axis] * moment[axis] ** 2
        worst = max(worst, math.sqrt(square))
    return worst


@inner
def fill_matrix(robot: Robot, rotation: FloatArray, position: FloatArray, W: FloatArray) -> bool:
    """Fill the scaled wrench matrix W (6, m); False when a cable is too short."""
    for i in range(robot.pulleys.shape[0]):
        x, y, z = attachment_arm(robot, rotation, i)
        vector = cable_vector(robot, position, (x, y, z), i)
        distance = length(vector)
        if distance < SHORTEST_CABLE:
            return False
        ux, uy, uz = vector[0] / distance, vector[1] / distance, vector[2] / distance
        W[0, i], W[1, i], W[2, i] = ux, uy, uz
        W[3, i] = (y * uz - z * uy) / robot.length_scale
        W[4, i] = (z * ux - x * uz) / robot.length_scale
        W[5, i] = (x * uy - y * ux) / robot.length_scale
        if robot.rank < 6:
            for line in range(6):
                W[line, i] *= robot.rows[line]
    return True
