"""Natural frequencies of the platform on its cables, with the arm locked.

Small motions x of the platform about a pose where the cables hold the weight obey ``M x'' + K x = 0``, with
the mass matrix M of platform and arm about the platform's origin and the stiffness K of cables, tensions and
turning weight (:mod:`~models.hybrid_cable_robot.stiffness`). Under the weight alone K is symmetric. A
negative eigenvalue means that the platform leaves the pose.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.kinematics import forward_kinematics
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.stiffness import basis_at, pose_stiffness, within_pattern
from models.hybrid_cable_robot.tensions.distribution import held_tensions
from models.numerics.rotations import cross_matrices, rotation_matrix

LEAST_INERTIA = 1e-12  # of the greatest eigenvalue of the scaled mass matrix: less is no inertia


def hanging_robot(parameters: HybridCableRobot) -> Robot:
    """The robot under its weight alone, with its arm at rest and tensions that count for the stiffness."""
    weight = {"wrench_set": "gravity", "weight_moment": "included", "arm_postures": None}
    return robot_of(parameters.model_copy(update={**weight, "geometric_stiffness": True}))


def mass_matrix(parameters: HybridCableRobot) -> FloatArray:
    """Mass matrix (6, 6) kg, kg m and kg m^2 of platform and arm about the platform's origin.

    In world axes at the nominal orientation, with the arm at rest.
    """
    positions, rotations = forward_kinematics(rest_posture(parameters), parameters.arm_joints)
    base, place = rotation_matrix(np.array(parameters.arm_base_rotation)), parameters.arm_base_position
    bodies = (parameters.platform_body, *parameters.arm_links)
    turns = np.concatenate([np.eye(3)[None], base @ rotations])
    origins = np.concatenate([np.zeros((1, 3)), np.array(place) + positions @ base.T])
    M = np.zeros((6, 6))
    for body, R, origin in zip(bodies, turns, origins, strict=True):
        C = cross_matrices(origin + R @ np.array(body.centre_of_mass))
        M[:3, :3] += body.mass * np.eye(3)
        M[:3, 3:] -= body.mass * C
        M[3:, :3] += body.mass * C
        M[3:, 3:] += R @ body.tensor @ R.T - body.mass * C @ C
    return M


def has_inertia(parameters: HybridCableRobot) -> bool:
    """True if every motion of the platform moves some mass, so that its frequencies are finite."""
    basis = basis_at(hanging_robot(parameters), np.eye(3))
    values = np.linalg.eigvalsh(within_pattern(mass_matrix(parameters), parameters.length_scale, basis))
    return bool(values[0] > LEAST_INERTIA * values[-1])


def frequencies(K: FloatArray, M: FloatArray) -> FloatArray:
    """Natural frequencies (..., n) Hz, the lowest first, of stiffnesses (..., n, n) and a mass matrix (n, n).

    That of a motion that grows is negative: minus its rate [1/s] over 2 pi. K counts by its symmetric part.
    """
    inverse = np.linalg.inv(np.linalg.cholesky(M))
    values = np.linalg.eigvalsh(inverse @ (K + np.swapaxes(K, -1, -2)) @ inverse.T / 2)
    return np.sign(values) * np.sqrt(np.abs(values)) / (2 * np.pi)


def natural_frequencies(
    robot: Robot, M: FloatArray, positions: FloatArray, rotation: FloatArray
) -> FloatArray:
    """Natural frequencies (n, r) Hz of the r freedoms at positions (n, 3) m and one rotation (3, 3).

    Zero where ``tension_rule`` finds no tensions that hold the weight.

    Parameters
    ----------
    robot : Robot
        Of :func:`hanging_robot`.
    M : (6, 6) float
        Of :func:`mass_matrix`.
    """
    tensions, held = held_tensions(robot, positions, rotation)
    turned = np.kron(np.eye(2), rotation)
    K, M = pose_stiffness(robot, positions, rotation, tensions), turned @ M @ turned.T
    if robot.rank < len(M):
        basis, L = basis_at(robot, rotation), robot.length_scale
        K, M = within_pattern(K, L, basis), within_pattern(M, L, basis)
    found = frequencies(K, M)
    return np.where(held[:, None], found, 0.0)
