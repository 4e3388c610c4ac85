"""Compiled vectors of the cables and the scaled wrench matrix of one pose; ``cables`` defines them."""

from __future__ import annotations

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables import SHORTEST_CABLE
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner
from models.numerics.vector_kernels import Vector, length, row, turn


@inner
def attachment_arm(robot: Robot, rotation: FloatArray, i: int) -> Vector:
    """Attachment of cable i from the platform's origin [m], world axes."""
    return turn(rotation, row(robot.attachments[i]))


@inner
def cable_vector(robot: Robot, position: FloatArray, arm: Vector, i: int) -> Vector:
    """Vector [m] of cable i from attachment, at ``arm`` [m] from the platform's origin, to pulley."""
    return (
        robot.pulleys[i, 0] - position[0] - arm[0],
        robot.pulleys[i, 1] - position[1] - arm[1],
        robot.pulleys[i, 2] - position[2] - arm[2],
    )


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
    return True
