"""Stiffness and conditioning of a pose in plain numpy, with tensions that turn with the platform.

The Jacobian ``J = -W.T`` takes the platform's twist to the cables' length rates, and
``K = J.T diag(k) J`` is the stiffness of the platform held by linear cables of stiffness ``k``. Both
are scaled by the characteristic length L, so that rotations count as displacements at that
distance: without it units decide. Translations alone, and rotations alone, have one unit: the blocks
of K and the columns of J need no such length. Source: section 4 of the paper, with L added.

The cables' wrench is ``w(x) = W(x) t(x)``. When the platform moves by ``dx = (dp, dtheta)``, the
attachments at ``r = R b`` move by ``da = dp + dtheta x r``, the tensions change by ``-k u . da`` and
the cables turn; ``K = -dw/dx`` is the sum of

    K_E = W diag(k) W^T,
    K_G = sum_i [ B, -B r~ ; r~ B, -r~ B r~ + (f . r) I - r f^T ],  B = t / l (I - u u^T),  f = t u,

with ``r~`` the matrix of the cross product. K_G follows from the derivatives of ``u`` and of
``r x f`` at constant tension. Its skew part is that of its last block, half the cross-product matrix
of the cables' torque. The weight, whose moment ``c x g`` turns with the platform (``c = R s`` of the first
moment s), adds

    K_L = [ 0, 0 ; 0, (c . g) I - c g^T ].

Its skew part is half the cross-product matrix of the weight's torque: where the cables hold the weight
alone, the torques cancel and K is symmetric. It may have negative eigenvalues: no test of stability is
made of it.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.cables.geometry import (
    SHORTEST_CABLE,
    cable_directions,
    cable_lengths,
    cable_vectors,
    straight_vectors,
    wrench_matrix,
)
from models.hybrid_cable_robot.cables.pulleys import wraps
from models.hybrid_cable_robot.freedoms import turning_axes, wrench_basis
from models.hybrid_cable_robot.robot import Robot
from models.numerics.rotations import cross_matrices


def scaled_jacobian(W: FloatArray, length_scale: float) -> FloatArray:
    """Jacobian (m, 6) with rotation columns divided by ``length_scale`` [m]; all entries 1."""
    return -W.T / np.array([1.0, 1.0, 1.0, length_scale, length_scale, length_scale])


def stiffness_matrix(W: FloatArray, stiffness: FloatArray) -> FloatArray:
    """Platform stiffness K (..., 6, 6), N/m, N and N m/rad, from cable stiffnesses (..., m) N/m."""
    return (W * stiffness[..., None, :]) @ np.swapaxes(W, -1, -2)


SPATIAL = np.eye(6)
"""The wrenches of a platform with six freedoms, see :func:`basis_at`."""


def inv_cond_jacobian(W: FloatArray, length_scale: float, basis: FloatArray = SPATIAL) -> float:
    """Inverse condition number of the scaled Jacobian, in [0, 1]; for the wrenches ``basis`` (n, 6)."""
    return inv_cond(scaled_jacobian(W, length_scale) @ basis.T)


def inv_cond_stiffness(
    W: FloatArray, length_scale: float, stiffness: FloatArray, basis: FloatArray = SPATIAL
) -> float:
    """Inverse condition number of the scaled stiffness matrix, in [0, 1]; for the wrenches ``basis`` (n, 6).

    K is the square of ``diag(sqrt(k)) J``, whose singular values keep their digits.
    """
    root = np.sqrt(stiffness)[:, None] * scaled_jacobian(W, length_scale) @ basis.T
    return inv_cond(root) ** 2


def inv_cond(matrix: FloatArray) -> float:
    """Inverse condition number of any matrix by its singular values, in [0, 1]; 0 when all are 0.

    1 for a matrix without rows or columns, as those of a point mass are for rotations.
    """
    if not matrix.size:
        return 1.0
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(values[-1] / values[0]) if values[0] > 0.0 else 0.0


def within_pattern(K: FloatArray, length_scale: float, basis: FloatArray = SPATIAL) -> FloatArray:
    """Stiffness (..., n, n) N/m among the wrenches ``basis`` (n, 6) of K (..., 6, 6), N/m, N and N m/rad.

    Rotations count as displacements at ``length_scale`` [m].
    """
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / length_scale,) * 3])
    return basis @ (scale[:, None] * K * scale) @ basis.T


def sensitivities(
    W: FloatArray, length_scale: float = 1.0, basis: FloatArray = SPATIAL
) -> tuple[float, float]:
    """Kinematic sensitivities: rotation [rad/m] and point [1]; infinite where J is singular.

    W is (6, m), and ``basis`` (n, 6) are the wrenches of the motion pattern, torques over ``length_scale``
    [m].

    The greatest rotation, and the greatest displacement of the platform's origin, that errors of the
    cables' lengths with a Euclidean norm of 1 can cause: square roots of the greatest eigenvalues
    of the rotation and translation blocks of ``(J^T J)^-1``. Source: Cardou, Bouchard and Gosselin,
    "Kinematic-sensitivity indices for dimensionally nonhomogeneous Jacobian matrices", 2010, with
    the 2-norm.
    """
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / length_scale,) * 3])
    J = scaled_jacobian(W, length_scale) @ basis.T
    _, values, Vt = np.linalg.svd(J, full_matrices=False)
    if len(values) < len(basis) or not values[-1] > np.finfo(float).eps * values[0]:
        return math.inf, math.inf
    inverse = scale[:, None] * (basis.T @ (Vt.T / values))
    rotation, point = (float(np.linalg.norm(inverse[rows], 2)) for rows in (slice(3, 6), slice(0, 3)))
    return rotation, point


def displacement(
    K: FloatArray, load: FloatArray, length_scale: float = 1.0, basis: FloatArray = SPATIAL
) -> FloatArray:
    """Displacement (6,) m and rad, ``K^-1 load``, of a platform of stiffness K; infinite if singular.

    Within the motion pattern, whose wrenches are ``basis`` (n, 6), torques over ``length_scale`` [m].
    """
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / length_scale,) * 3])
    try:
        moved = np.linalg.solve(within_pattern(K, length_scale, basis), basis @ (scale * load))
    except np.linalg.LinAlgError:
        return np.full(6, math.inf)
    return scale * (moved @ basis)


def cable_stiffness(robot: Robot, lengths: FloatArray) -> FloatArray:
    """Stiffnesses (..., m) N/m of cables of ``lengths`` (..., m) m, at least ``SHORTEST_CABLE``."""
    if not robot.axial:
        return np.broadcast_to(robot.stiffness, lengths.shape)
    return robot.stiffness / np.maximum(lengths, SHORTEST_CABLE)


def elastic_stiffness(robot: Robot, position: FloatArray, rotation: FloatArray) -> FloatArray:
    """K_E (..., 6, 6), N/m, N and N m/rad: what the cables' elasticity gives, symmetric."""
    W = wrench_matrix(robot, position, rotation)
    return stiffness_matrix(W, cable_stiffness(robot, cable_lengths(robot, position, rotation)))


def geometric_stiffness(
    robot: Robot, position: FloatArray, rotation: FloatArray, tensions: FloatArray
) -> FloatArray:
    """K_G (..., 6, 6), N/m, N and N m/rad, of tensions (..., m) N; cables without length give nothing."""
    vectors = cable_vectors(robot, position, rotation)
    units, lengths = cable_directions(vectors), np.linalg.norm(vectors, axis=-1)
    real = lengths >= SHORTEST_CABLE
    if robot.wheels.any():
        straight = straight_vectors(robot, position, rotation)
        B = tensions[..., None, None] * wraps(straight, robot.wheels, robot.swivels).turning
    else:
        share = np.where(real, tensions, 0.0) / np.where(real, lengths, 1.0)
        B = share[..., None, None] * (np.eye(3) - units[..., :, None] * units[..., None, :])
    arms = robot.attachments @ np.swapaxes(rotation, -1, -2)
    K = attached_stiffness(B, arms, tensions[..., None] * units)
    return K if robot.rows.all() else robot.rows[:, None] * K * robot.rows


def attached_stiffness(C: FloatArray, arms: FloatArray, forces: FloatArray) -> FloatArray:
    """K (..., 6, 6), N/m, N and N m/rad, of a platform held at m points.

    ``sum_i [ C, -C r~ ; r~ C, -r~ C r~ + (f . r) I - r f^T ]``: the last terms turn with the platform.

    Parameters
    ----------
    C : (..., m, 3, 3) float, N/m
        Decrease of the force at each point by the point's displacement.
    arms : (..., m, 3) float, m
        From the platform's origin to the points, world axes.
    forces : (..., m, 3) float, N
        On the platform.
    """
    r = cross_matrices(np.broadcast_to(arms, forces.shape))
    along = np.sum(arms * forces, axis=-1)[..., None, None] * np.eye(3)
    corner = along - arms[..., :, None] * forces[..., None, :] - r @ C @ r
    upper = np.concatenate([C, -C @ r], axis=-1).sum(axis=-3)
    lower = np.concatenate([r @ C, corner], axis=-1).sum(axis=-3)
    return np.concatenate([upper, lower], axis=-2)


def load_stiffness(robot: Robot, rotation: FloatArray) -> FloatArray:
    """K_L (6, 6), N m/rad in its last block: what the turning weight gives, the mean of the postures."""
    c = rotation @ robot.first_moments.mean(axis=0)
    K = np.zeros((6, 6))
    K[3:, 3:] = c @ GRAVITY * np.eye(3) - np.outer(c, GRAVITY)
    return robot.rows[:, None] * K * robot.rows


def pose_stiffness(
    robot: Robot, position: FloatArray, rotation: FloatArray, tensions: FloatArray
) -> FloatArray:
    """Platform stiffness K (..., 6, 6), N/m, N and N m/rad, world axes, about the platform's origin.

    Parameters
    ----------
    robot : Robot
        Whose ``geometric`` says that the tensions and the turning weight that they hold count.
    position : (..., 3) float, m
    rotation : (3, 3) float
        Platform to world.
    tensions : (..., m) float, N
    """
    K = elastic_stiffness(robot, position, rotation)
    if not robot.geometric:
        return K
    turning = geometric_stiffness(robot, position, rotation, tensions) + load_stiffness(robot, rotation)
    return K + np.where(np.any(tensions, axis=-1)[..., None, None], turning, 0.0)


def stiffness_condition(robot: Robot, W: FloatArray, K: FloatArray, basis: FloatArray = SPATIAL) -> float:
    """Inverse condition number of the scaled K (6, 6) of a pose whose wrench matrix is W (6, m).

    ``basis`` (n, 6) are the wrenches of its motion pattern, :func:`basis_at`.
    """
    if robot.axial or robot.geometric:
        return inv_cond(within_pattern(K, robot.length_scale, basis))
    return inv_cond_stiffness(W, robot.length_scale, robot.stiffness, basis)


def basis_at(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Orthonormal rows (n, 6): the wrenches of the motion pattern at a rotation (3, 3), torques over L."""
    if robot.rank == len(robot.rows):
        return np.eye(6)
    if (robot.rows < 1.0).any():
        return robot.bases[0]
    return wrench_basis("2R3T", "xz", robot.attachments, rotation, robot.length_scale)


def turning_basis(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Orthonormal axes (k, 3) about which the platform turns, world frame, at a rotation (3, 3)."""
    if robot.rank < len(robot.rows) and robot.rows.all():
        return turning_axes("2R3T", "xz", robot.attachments) @ rotation.T
    return np.eye(3)[robot.rows[3:] > 0.0]
