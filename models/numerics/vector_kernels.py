"""Compiled algebra of vectors in space, as triples that stay in registers."""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.jit import inner

Vector = tuple[float, float, float]


@inner
def row(values: FloatArray) -> Vector:
    """The three entries of an array (3,)."""
    return values[0], values[1], values[2]


@inner
def add(a: Vector, b: Vector) -> Vector:
    """``a + b``."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inner
def scale(factor: float, a: Vector) -> Vector:
    """``factor a``."""
    return factor * a[0], factor * a[1], factor * a[2]


@inner
def cross(a: Vector, b: Vector) -> Vector:
    """``a x b``."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inner
def dot(a: Vector, b: Vector) -> float:
    """``a . b``."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner
def put(values: FloatArray, a: Vector) -> None:
    """Write ``a`` into an array (3,)."""
    values[0], values[1], values[2] = a


@inner
def length(a: Vector) -> float:
    """``|a|``."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inner
def turn(R: FloatArray, a: Vector) -> Vector:
    """``R a`` for R (3, 3)."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@inner
def turn_back(R: FloatArray, a: Vector) -> Vector:
    """``R^T a`` for R (3, 3)."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@inner
def acceleration_at(origin: Vector, w: Vector, alpha: Vector, arm: Vector) -> Vector:
    """Acceleration of the point at ``arm`` [m] of a body whose origin's is ``origin`` [m/s^2].

    ``a + alpha x r + w x (w x r)``, w [rad/s] and alpha [rad/s^2] those of the body.
    """
    return add(origin, add(cross(alpha, arm), cross(w, cross(w, arm))))
