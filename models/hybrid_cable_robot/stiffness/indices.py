"""Conditioning of a pose in plain numpy.

The Jacobian ``J = -W.T`` takes the platform's twist to the cables' length rates, and
``K = J.T diag(k) J`` is the stiffness of the platform held by linear cables of stiffness ``k``. Both
are scaled by the characteristic length L, so that rotations count as displacements at that
distance: without it units decide. Translations alone, and rotations alone, have one unit: the blocks
of K and the columns of J need no such length. Source: section 4 of the paper, with L added.
"""

from __future__ import annotations

import math

import numpy as np

from models.hybrid_cable_robot.geometry import FloatArray


def scaled_jacobian(W: FloatArray, length_scale: float) -> FloatArray:
    """Jacobian (m, 6) with rotation columns divided by ``length_scale`` [m]; all entries 1."""
    return -W.T / np.array([1.0, 1.0, 1.0, length_scale, length_scale, length_scale])


def stiffness_matrix(W: FloatArray, stiffness: FloatArray) -> FloatArray:
    """Platform stiffness K (6, 6), N/m, N and N m/rad, from cable stiffnesses (m,) N/m."""
    return (W * stiffness) @ W.T


def inv_cond_jacobian(W: FloatArray, length_scale: float) -> float:
    """Inverse condition number of the scaled Jacobian, in [0, 1]."""
    return inv_cond(scaled_jacobian(W, length_scale))


def inv_cond_stiffness(W: FloatArray, length_scale: float, stiffness: FloatArray) -> float:
    """Inverse condition number of the scaled stiffness matrix, in [0, 1].

    K is the square of ``diag(sqrt(k)) J``, whose singular values keep their digits.
    """
    root = np.sqrt(stiffness)[:, None] * scaled_jacobian(W, length_scale)
    return inv_cond(root) ** 2


def inv_cond(matrix: FloatArray) -> float:
    """Inverse condition number of any matrix by its singular values, in [0, 1]; 0 when all are 0."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(values[-1] / values[0]) if values[0] > 0.0 else 0.0


def scaled_stiffness(K: FloatArray, length_scale: float) -> FloatArray:
    """Stiffness (6, 6) N/m with rotations as displacements at ``length_scale`` [m]."""
    scale = np.array([1.0, 1.0, 1.0, *(1.0 / length_scale,) * 3])
    return scale[:, None] * K * scale


def sensitivities(W: FloatArray) -> tuple[float, float]:
    """Kinematic sensitivities: rotation [rad/m] and point [1]; infinite where J is singular.

    The greatest rotation, and the greatest displacement of the platform's origin, that errors of the
    cables' lengths with a Euclidean norm of 1 can cause: square roots of the greatest eigenvalues
    of the rotation and translation blocks of ``(J^T J)^-1``. Source: Cardou, Bouchard and Gosselin,
    "Kinematic-sensitivity indices for dimensionally nonhomogeneous Jacobian matrices", 2010, with
    the 2-norm.
    """
    _, values, Vt = np.linalg.svd(W.T, full_matrices=False)
    if len(values) < 6 or not values[-1] > np.finfo(float).eps * values[0]:
        return math.inf, math.inf
    inverse = Vt.T / values
    rotation, point = (float(np.linalg.norm(inverse[rows], 2)) for rows in (slice(3, 6), slice(0, 3)))
    return rotation, point


def displacement(K: FloatArray, load: FloatArray) -> FloatArray:
    """Displacement (6,) m and rad, ``K^-1 load``, of a platform of stiffness K; infinite if singular."""
    try:
        return np.asarray(np.linalg.solve(K, load), dtype=float)
    except np.linalg.LinAlgError:
        return np.full(6, math.inf)
