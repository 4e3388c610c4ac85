"""Compiled arcs; :mod:`models.continuum_statics.arc` is the twin and states the formulas."""

from __future__ import annotations

import math

from models.compiled import inner
from models.continuum_statics.arc import SERIES_UP_TO, TERMS
from models.continuum_statics.floats import FloatArray
from models.continuum_statics.scratch import Scratch

_FIVE = tuple(1 / math.factorial(2 * j + 5) for j in range(TERMS))
_SIX = tuple(1 / math.factorial(2 * j + 6) for j in range(TERMS))


@inner
def shape_arc(angles: FloatArray, shape: FloatArray) -> float:
    """Fill a row (10,) of ``Scratch.shapes`` for the angles (3,) [rad]; returns theta^2."""
    u = angles[0] * angles[0] + angles[1] * angles[1]
    if u < SERIES_UP_TO:
        c5, c6 = 0.0, 0.0
        for j in range(TERMS - 1, -1, -1):
            c5 = _FIVE[j] - u * c5
            c6 = _SIX[j] - u * c6
    else:
        theta = math.sqrt(u)
        c5 = (1 / 6 - (1 - math.sin(theta) / theta) / u) / u
        c6 = (1 / 24 - (1 / 2 - (1 - math.cos(theta)) / u) / u) / u
    c4, c3 = 1 / 24 - u * c6, 1 / 6 - u * c5
    c2, c1 = 1 / 2 - u * c4, 1 - u * c3
    shape[0], shape[1], shape[2], shape[3] = c1, c2, 1 - u * c2, c3
    shape[4], shape[5] = 0.5 * (c3 - c2), 0.5 * (2 * c4 - c3)
    shape[6], shape[7] = 0.25 * (3 * c5 - 3 * c4 + c3), 0.25 * (8 * c6 - 5 * c5 + c4)
    shape[8], shape[9] = math.cos(angles[2]), math.sin(angles[2])
    return u


@inner
def rotate(R: FloatArray, x: float, y: float, z: float, out: FloatArray) -> None:
    """``out = R (x, y, z)``."""
    for row in range(3):
        out[row] = R[row, 0] * x + R[row, 1] * y + R[row, 2] * z


@inner
def place_arc(k: int, angles: FloatArray, L: float, room: Scratch) -> None:
    """Rotation, end and derivatives of arc k, and the frame where it ends."""
    alpha, beta = angles[0], angles[1]
    A, B, C, D, A1, B1 = (
        room.shapes[k, 0], room.shapes[k, 1], room.shapes[k, 2],
        room.shapes[k, 3], room.shapes[k, 4], room.shapes[k, 5],
    )  # fmt: skip
    c, s = room.shapes[k, 8], room.shapes[k, 9]
    xx, xy, yy = C + B * alpha * alpha, B * alpha * beta, C + B * beta * beta
    R, T, end = room.local[k], room.turned[k], room.ends[k]
    R[0, 0], R[0, 1], R[0, 2] = c * xx + s * xy, c * xy - s * xx, A * beta
    R[1, 0], R[1, 1], R[1, 2] = c * xy + s * yy, c * yy - s * xy, -A * alpha
    R[2, 0], R[2, 1], R[2, 2] = A * (s * alpha - c * beta), A * (c * alpha + s * beta), C
    end[0], end[1], end[2] = L * beta * B, -L * alpha * B, L * A
    rotate(T, 1 - D * beta * beta, D * alpha * beta, -B * beta, room.turns[k, 0])
    rotate(T, D * alpha * beta, 1 - D * alpha * alpha, B * alpha, room.turns[k, 1])
    rotate(T, A * beta, -A * alpha, C, room.turns[k, 2])
    a, b = 2 * L * alpha, 2 * L * beta
    rotate(T, a * beta * B1, -a * alpha * B1 - L * B, a * A1, room.shifts[k, 0])
    rotate(T, b * beta * B1 + L * B, -b * alpha * B1, b * A1, room.shifts[k, 1])
    room.shifts[k, 2, :] = 0.0
    following = room.turned[k + 1]
    for row in range(3):
        for column in range(3):
            following[row, column] = (
                T[row, 0] * R[0, column] + T[row, 1] * R[1, column] + T[row, 2] * R[2, column]
            )


Curvature = tuple[float, float, float, float, float, float]
Vector = tuple[float, float, float]


@inner
def own_curvature(
    angles: FloatArray, shape: FloatArray, L: float, F: Vector, weight: float, S: Vector
) -> Curvature:
    """Second derivatives alpha alpha, alpha beta, beta beta, alpha gamma, beta gamma, gamma gamma.

    Of ``F . (W p + R S)``; see :func:`models.continuum_statics.arc.force_curvature`.
    """
    alpha, beta = angles[0], angles[1]
    A, B, A1, B1, A2, B2 = shape[0], shape[1], shape[4], shape[5], shape[6], shape[7]
    c, s = shape[8], shape[9]
    vx, vy, vz = c * S[0] - s * S[1], s * S[0] + c * S[1], S[2]
    e = beta * F[0] - alpha * F[1]
    w, z = alpha * vy - beta * vx, alpha * vx + beta * vy
    m = weight * L + w
    X, Y, Z = F[2] * m + vz * e, e * m, F[2] * vz
    mixed_a = A1 * (F[2] * vy - vz * F[1]) + B1 * (e * vy - F[1] * m)
    mixed_b = A1 * (vz * F[0] - F[2] * vx) + B1 * (F[0] * m - e * vx)
    mixed_g = 2 * z * (A1 * F[2] + B1 * e)
    slope = 2 * (A1 * X + B1 * Y) - A * Z
    curvature = 4 * (A2 * X + B2 * Y) - 2 * A1 * Z
    return (
        curvature * alpha * alpha + slope + 4 * alpha * mixed_a - 2 * B * F[1] * vy,
        curvature * alpha * beta + 2 * (alpha * mixed_b + beta * mixed_a) + B * (F[0] * vy + F[1] * vx),
        curvature * beta * beta + slope + 4 * beta * mixed_b - 2 * B * F[0] * vx,
        alpha * mixed_g + A * F[2] * vx + B * (e * vx - F[1] * z),
        beta * mixed_g + A * F[2] * vy + B * (e * vy + F[0] * z),
        -A * F[2] * w - B * e * w - F[0] * vx - F[1] * vy,
    )
