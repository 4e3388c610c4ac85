"""Rotation vectors, also those that change with time, for any number of instants at once.

The angular velocity of ``R = exp([r]x)`` is ``w = V r'`` with ``V = I + A [r]x + B [r]x^2``,
``A = (1 - cos s) / s^2``, ``B = (s - sin s) / s^3`` and ``s = |r|``, in world axes.

Derived from these functions: ``rotation_matrices`` is ``rotation_matrix`` for many vectors;
``vector_kernels`` and ``turn`` and ``turn_back`` of ``continuum_statics/chain_kernels.py`` are the compiled
products, the last two with matrices that stand in the rows of a larger array. One test compares all of
them (``tests/models/numerics/test_vectors_contract.py``). ``rotation_kernels`` holds the compiled
``rotation_matrix`` and ``rotation_vector``, and the inverse of ``velocity_matrix``; a test compares these
(``tests/models/numerics/test_rotations.py``).
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray

SMALL_ANGLE = 1.0  # [rad]; below it the closed forms of A, B and their slopes cancel
TERMS = 10  # of the power series in s^2 used there


def _series() -> FloatArray:
    """Coefficients (4, TERMS) of A, B, dA/d(s^2), dB/d(s^2) in powers of s^2."""
    A = [(-1) ** k / math.factorial(2 * k + 2) for k in range(TERMS + 1)]
    B = [(-1) ** k / math.factorial(2 * k + 3) for k in range(TERMS + 1)]
    slopes = [[(k + 1) * row[k + 1] for k in range(TERMS)] for row in (A, B)]
    return np.array([A[:-1], B[:-1], *slopes])


_SERIES = _series()


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross product of (..., 3) and (..., 3); several times faster than numpy's own."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = ay * bz - az * by
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def turn(R: FloatArray, v: FloatArray) -> FloatArray:
    """``R v`` for R (..., 3, 3) and v (..., 3)."""
    return (R @ v[..., None])[..., 0]


def turn_back(R: FloatArray, v: FloatArray) -> FloatArray:
    """``R^T v`` for R (..., 3, 3) and v (..., 3)."""
    return (v[..., None, :] @ R)[..., 0, :]


def rotation_matrix(vector: FloatArray) -> FloatArray:
    """Rotation matrix (3, 3) of a rotation vector (3,) rad, by Rodrigues' formula."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + 2 * math.sin(angle / 2) ** 2 * cross @ cross


def rotation_matrices(vectors: FloatArray) -> FloatArray:
    """Rotation matrices (..., 3, 3) of rotation vectors (..., 3) rad, by Rodrigues' formula."""
    s = np.linalg.norm(vectors, axis=-1)[..., None, None]
    X = cross_matrices(vectors)
    half = np.sinc(s / (2 * np.pi))  # sin(s / 2) / (s / 2)
    return np.eye(3) + np.sinc(s / np.pi) * X + half**2 / 2 * (X @ X)


def rotation_vector(R: FloatArray) -> FloatArray:
    """Rotation vector (3,) [rad] of a rotation matrix (3, 3), for angles clearly below half a turn."""
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine = float(np.linalg.norm(axis))
    if sine == 0.0:
        return axis
    return np.asarray(axis * (math.atan2(sine, (float(np.trace(R)) - 1) / 2) / sine))


def velocity_matrix(r: FloatArray) -> FloatArray:
    """V (3, 3), the angular velocity per rate of the rotation vector ``r`` (3,) [rad]."""
    A, B, _, _ = _coefficients(np.array([r @ r]))
    X = cross_matrices(r)
    return np.asarray(np.eye(3) + A * X + B * X @ X)


def angular_motion(r: FloatArray, rate: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Angular velocity and acceleration of a changing rotation vector.

    Parameters
    ----------
    r, rate, second : (..., 3) float, rad, rad/s, rad/s^2
        Rotation vector and its two derivatives.

    Returns
    -------
    tuple of (..., 3) float, rad/s, rad/s^2
        In the axes that the rotation leads to (the world's for platform to world).
    """
    s2 = np.sum(r * r, axis=-1, keepdims=True)
    A, B, dA, dB = _coefficients(s2)
    change = 2 * np.sum(r * rate, axis=-1, keepdims=True)  # derivative of s^2
    r_rate, r_second = cross(r, rate), cross(r, second)
    r_r_rate = cross(r, r_rate)
    velocity = rate + A * r_rate + B * r_r_rate
    acceleration = (
        second
        + A * r_second
        + B * (cross(r, r_second) + cross(rate, r_rate))
        + change * (dA * r_rate + dB * r_r_rate)
    )
    return velocity, acceleration


def _coefficients(s2: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """A and B as functions of s^2, and their derivatives with respect to s^2."""
    small = s2 < SMALL_ANGLE**2
    big = np.where(small, 1.0, s2)
    s = np.sqrt(big)
    A = 2 * np.sin(s / 2) ** 2 / big
    B = (s - np.sin(s)) / (s * big)
    dA = (np.sin(s) / s - 2 * A) / (2 * big)
    dB = (A - 3 * B) / (2 * big)
    powers = np.stack([np.where(small, s2, 0.0) ** k for k in range(TERMS)])
    low = np.tensordot(_SERIES, powers, axes=1)
    return (
        np.where(small, low[0], A),
        np.where(small, low[1], B),
        np.where(small, low[2], dA),
        np.where(small, low[3], dB),
    )


def cross_matrices(v: FloatArray) -> FloatArray:
    """Matrices (..., 3, 3) whose products with a vector are cross products with v (..., 3)."""
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    o = np.zeros(x.shape)
    rows = [np.stack(row, axis=-1) for row in ((o, -z, y), (z, o, -x), (-y, x, o))]
    return np.stack(rows, axis=-2)
