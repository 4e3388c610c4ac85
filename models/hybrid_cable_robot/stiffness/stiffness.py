"""Stiffness of a pose in plain numpy: elastic cables, and tensions that turn with the platform.

The cables' wrench is ``w(x) = W(x) t(x)``. When the platform moves by ``dx = (dp, dtheta)``, the
attachments at ``r = R b`` move by ``da = dp + dtheta x r``, the tensions change by ``-k u . da`` and
the cables turn; ``K = -dw/dx`` is the sum of

    K_E = W diag(k) W^T,
    K_G = sum_i [ B, -B r~ ; r~ B, -r~ B r~ + (f . r) I - r f^T ],  B = t / l (I - u u^T),  f = t u,

with ``r~`` the matrix of the cross product. K_G follows from the derivatives of ``u`` and of
``r x f`` at constant tension. Its skew part is that of its last block, half the cross-product matrix
of the cables' torque: without torque K is symmetric. It may have negative
eigenvalues: no test of stability is made of it.
"""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.geometry import (
    SHORTEST_CABLE,
    FloatArray,
    Robot,
    cable_vectors,
    wrench_matrix,
)
from models.hybrid_cable_robot.stiffness.indices import (
    inv_cond,
    inv_cond_stiffness,
    scaled_stiffness,
    stiffness_matrix,
)


def cable_stiffness(robot: Robot, lengths: FloatArray) -> FloatArray:
    """Stiffnesses (..., m) N/m of cables of ``lengths`` (..., m) m, at least ``SHORTEST_CABLE``."""
    if not robot.axial:
        return np.broadcast_to(robot.stiffness, lengths.shape)
    return robot.stiffness / np.maximum(lengths, SHORTEST_CABLE)


def elastic_stiffness(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """K_E (6, 6), N/m, N and N m/rad: what the cables' elasticity gives, symmetric."""
    lengths = np.linalg.norm(cable_vectors(robot, position, rotation), axis=1)
    W = wrench_matrix(robot, position, rotation)
    return stiffness_matrix(W, cable_stiffness(robot, lengths))


def geometric_stiffness(
    robot: Robot, position: FloatArray, rotation: FloatArray, tensions: FloatArray
) -> FloatArray:
    """K_G (6, 6), N/m, N and N m/rad, of tensions (m,) N; cables without length give nothing."""
    K = np.zeros((6, 6))
    arms = robot.attachments @ rotation.T
    for vector, r, tension in zip(cable_vectors(robot, position, rotation), arms, tensions, strict=True):
        length = float(np.linalg.norm(vector))
        if length < SHORTEST_CABLE:
            continue
        force = tension * vector / length
        B = tension / length * (np.eye(3) - np.outer(vector, vector) / length**2)
        C = np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
        K[:3, :3] += B
        K[:3, 3:] -= B @ C
        K[3:, :3] += C @ B
        K[3:, 3:] += force @ r * np.eye(3) - np.outer(r, force) - C @ B @ C
    return K


def pose_stiffness(
    robot: Robot, position: FloatArray, rotation: FloatArray, tensions: FloatArray
) -> FloatArray:
    """Platform stiffness K (6, 6), N/m, N and N m/rad, world axes, about the platform's origin.

    Parameters
    ----------
    robot : Robot
        Whose ``geometric`` says whether the tensions count.
    position : (3,) float, m
    rotation : (3, 3) float
        Platform to world.
    tensions : (m,) float, N
    """
    K = elastic_stiffness(robot, position, rotation)
    return K + geometric_stiffness(robot, position, rotation, tensions) if robot.geometric else K


def stiffness_condition(robot: Robot, W: FloatArray, K: FloatArray) -> float:
    """Inverse condition number of the scaled K (6, 6) of a pose whose wrench matrix is W (6, m)."""
    if robot.axial or robot.geometric:
        return inv_cond(scaled_stiffness(K, robot.length_scale))
    return inv_cond_stiffness(W, robot.length_scale, robot.stiffness)
