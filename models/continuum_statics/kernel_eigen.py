"""Compiled smallest eigenvalue of a symmetric matrix: Householder's reflections, then Sturm's counts."""

from __future__ import annotations

import math

from models.compiled import inner
from models.continuum_statics.floats import FloatArray

HALVINGS = 60  # of the interval that holds the eigenvalue; usually far fewer
PRECISION = 4e-16  # of the matrix's norm
TINY = 1e-300


@inner
def reflect(A: FloatArray, k: int, count: int, p: FloatArray) -> float:
    """Clear row k of A right of the superdiagonal by a reflection; returns that entry.

    A holds its upper triangle; p (count,) is overwritten.
    """
    square = 0.0
    for j in range(k + 2, count):
        square += A[k, j] * A[k, j]
    first = A[k, k + 1]
    if square == 0.0:
        return first
    norm = math.copysign(math.sqrt(square + first * first), first)
    A[k, k + 1] = first + norm  # row k now holds v
    factor = 1.0 / (norm * A[k, k + 1])  # 2 / |v|^2
    for j in range(k + 1, count):
        p[j] = 0.0
    for i in range(k + 1, count):
        v, total = A[k, i], A[i, i] * A[k, i]
        for j in range(i + 1, count):
            total += A[i, j] * A[k, j]
            p[j] += A[i, j] * v
        p[i] += total
    dot = 0.0
    for j in range(k + 1, count):
        p[j] *= factor
        dot += p[j] * A[k, j]
    dot *= 0.5 * factor
    for j in range(k + 1, count):
        p[j] -= dot * A[k, j]
    for i in range(k + 1, count):
        v, w = A[k, i], p[i]
        for j in range(i, count):
            A[i, j] -= v * p[j] + w * A[k, j]
    return -norm


@inner
def smallest(A: FloatArray, count: int, d: FloatArray, e: FloatArray) -> float:
    """Smallest eigenvalue of the upper triangle A[:count, :count], which is overwritten.

    ``d`` and ``e`` (count,) are room for the tridiagonal form.
    """
    for k in range(count - 1):
        e[k] = reflect(A, k, count, d) if k < count - 2 else A[k, k + 1]
    low, high, norm = math.inf, math.inf, 0.0
    for k in range(count):
        d[k] = A[k, k]
        radius = (abs(e[k - 1]) if k > 0 else 0.0) + (abs(e[k]) if k < count - 1 else 0.0)
        low, high = min(low, d[k] - radius), min(high, d[k])
        norm = max(norm, abs(d[k]) + radius)
    for k in range(count - 1):
        e[k] *= e[k]
    for _ in range(HALVINGS):
        if high - low <= PRECISION * norm:
            break
        middle = 0.5 * (low + high)
        if _any_below(d, e, count, middle):
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


@inner
def _any_below(d: FloatArray, squares: FloatArray, count: int, x: float) -> bool:
    """Whether the tridiagonal matrix has an eigenvalue below x."""
    pivot = d[0] - x
    for k in range(1, count):
        if pivot <= 0.0:
            return True
        pivot = d[k] - x - squares[k - 1] / max(pivot, TINY)
    return pivot <= 0.0
