"""Conditioning of a pose in plain numpy.

The Jacobian ``J = -W.T`` takes the platform's twist to the cables' length rates, and
``K = J.T diag(k) J`` is the stiffness of the platform held by linear cables of stiffness ``k``. Both
are scaled by the characteristic length L, so that rotations count as displacements at that
distance: without it units decide. Source: section 4 of the paper, with L added.
"""

from __future__ import annotations

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
    values = np.linalg.svd(scaled_jacobian(W, length_scale), compute_uv=False)
    return float(values[-1] / values[0]) if values[0] > 0.0 else 0.0


def inv_cond_stiffness(W: FloatArray, length_scale: float, stiffness: FloatArray) -> float:
    """Inverse condition number of the scaled stiffness matrix, in [0, 1].

    K is the square of ``diag(sqrt(k)) J``, whose singular values keep their digits.
    """
    root = np.sqrt(stiffness)[:, None] * scaled_jacobian(W, length_scale)
    values = np.linalg.svd(root, compute_uv=False)
    return float(values[-1] / values[0]) ** 2 if values[0] > 0.0 else 0.0
