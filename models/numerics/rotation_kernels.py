"""Compiled rotations; :mod:`models.numerics.rotations` is the definition.

The rotation vector r of a matrix that turns with the angular velocity w changes at the rate
``V^-1 w = w - r x w / 2 + eta r x (r x w)`` with ``eta = (1 - (s / 2) cot(s / 2)) / s^2``, ``s = |r|``: the
inverse of :func:`models.numerics.rotations.velocity_matrix`.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.jit import inner
from models.numerics.vector_kernels import Vector, add, cross, length, scale

SERIES_UP_TO = 0.25  # [rad^2]; below it the closed form of eta cancels
ETA = (
    1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600,
    3617 / 10670622842880000,
)  # fmt: skip
"""Coefficients of eta in powers of s^2: |B_2k| / (2k)! with Bernoulli's numbers."""
NO_TURN = 1e-8  # [rad]; below it a sine is its angle


@inner
def rotated(r: Vector, before: FloatArray, after: FloatArray) -> None:
    """Put ``exp([r]x) before`` into ``after``, both (3, 3)."""
    s = length(r)
    first, half = (math.sin(s) / s, math.sin(s / 2) / s) if s > NO_TURN else (1.0, 0.5)
    second = 2 * half * half
    for column in range(3):
        x = (before[0, column], before[1, column], before[2, column])
        across = cross(r, x)
        moved = add(x, add(scale(first, across), scale(second, cross(r, across))))
        after[0, column], after[1, column], after[2, column] = moved


@inner
def vector_between(E: FloatArray, R: FloatArray) -> Vector:
    """Rotation vector of ``E^T R``, for angles clearly below half a turn."""
    axis, trace = (0.0, 0.0, 0.0), 0.0
    for i in range(3):
        e, x = (E[i, 0], E[i, 1], E[i, 2]), (R[i, 0], R[i, 1], R[i, 2])
        axis = add(axis, cross(x, e))
        trace += e[0] * x[0] + e[1] * x[1] + e[2] * x[2]
    axis = scale(0.5, axis)
    sine = length(axis)
    if sine == 0.0:
        return axis
    return scale(math.atan2(sine, (trace - 1) / 2) / sine, axis)


@inner
def inverse_coefficients(square: float) -> tuple[float, float]:
    """Eta and its slope by s^2, of ``square`` = s^2 [rad^2]."""
    if square < SERIES_UP_TO:
        eta, slope = 0.0, 0.0
        for k in range(7, -1, -1):
            slope = eta + square * slope
            eta = ETA[k] + square * eta
        return eta, slope
    s = math.sqrt(square)
    sine = math.sin(s / 2)
    product = s / 2 * math.cos(s / 2) / sine
    eta = (1 - product) / square
    return eta, -((product / square - 0.25 / (sine * sine)) / 2 + eta) / square


@inner
def vector_rate(r: Vector, eta: float, w: Vector) -> Vector:
    """``V^-1 w``: how fast the rotation vector changes."""
    across = cross(r, w)
    return add(w, add(scale(-0.5, across), scale(eta, cross(r, across))))


@inner
def vector_load(r: Vector, eta: float, f: Vector) -> Vector:
    """``V^-T f``: the moment that does the work of ``f`` per change of the rotation vector."""
    across = cross(r, f)
    return add(f, add(scale(0.5, across), scale(eta, cross(r, across))))
