"""Compiled smallest eigenvalue of a symmetric matrix: Householder's reflections, then Laguerre's steps.

The whole matrix is kept although it is symmetric: then every inner loop adds a multiple of one row to
another, which processors do several numbers at a time.
"""

from __future__ import annotations

import math

from models.compiled import inner
from models.floats import FloatArray

STEPS = 100  # usually six; more only where eigenvalues coincide
PRECISION = 2e-16  # of the matrix's norm


@inner
def _reflect(A: FloatArray, m: int, p: FloatArray) -> float:
    """Clear row m of A left of the subdiagonal by a reflection of the rows before; returns that entry.

    ``p`` (m,) is overwritten.
    """
    square = 0.0
    for j in range(m - 1):
        square += A[m, j] * A[m, j]
    last = A[m, m - 1]
    if square == 0.0:
        return last
    norm = math.copysign(math.sqrt(square + last * last), last)
    A[m, m - 1] = last + norm  # row m now holds v
    factor = 1.0 / (norm * A[m, m - 1])  # 2 / |v|^2
    for j in range(m):
        p[j] = 0.0
    for i in range(m):
        v = factor * A[m, i]
        for j in range(m):
            p[j] += v * A[i, j]
    dot = 0.0
    for j in range(m):
        dot += p[j] * A[m, j]
    dot *= 0.5 * factor
    for j in range(m):
        p[j] -= dot * A[m, j]
    for i in range(m):
        v, w = A[m, i], p[i]
        for j in range(m):
            A[i, j] -= v * p[j] + w * A[m, j]
    return -norm


@inner
def smallest(A: FloatArray, count: int, d: FloatArray, e: FloatArray) -> float:
    """Smallest eigenvalue of the symmetric A[:count, :count], which is overwritten.

    ``d`` and ``e`` (count,) are room for the tridiagonal form.
    """
    for m in range(count - 1, 0, -1):
        e[m - 1] = _reflect(A, m, d)
    low, norm = math.inf, 0.0
    for k in range(count):
        d[k] = A[k, k]
        radius = (abs(e[k - 1]) if k > 0 else 0.0) + (abs(e[k]) if k < count - 1 else 0.0)
        low, norm = min(low, d[k] - radius), max(norm, abs(d[k]) + radius)
    for k in range(count - 1):
        e[k] *= e[k]
    x = low
    for _ in range(STEPS):
        step = _laguerre(d, e, count, x)
        x += step
        if step <= PRECISION * norm:
            break
    return x


@inner
def _laguerre(d: FloatArray, squares: FloatArray, count: int, x: float) -> float:
    """How far the smallest eigenvalue of a tridiagonal matrix lies above x, at least; 0 if it does not.

    Laguerre's step for ``det(A - x)``: below all roots it never passes the first, and its error shrinks
    with the third power. ``r`` and ``t`` are minus the first and second derivatives of the pivots.
    """
    pivot, r, t = d[0] - x, 1.0, 0.0
    if pivot <= 0.0:
        return 0.0
    inverse = 1.0 / pivot
    first, second = inverse, inverse * inverse
    for k in range(1, count):
        share = squares[k - 1] * inverse
        pivot = d[k] - x - share
        if pivot <= 0.0:
            return 0.0
        share *= inverse
        r, t = 1.0 + share * r, share * (t + 2.0 * r * r * inverse)
        inverse = 1.0 / pivot
        first += r * inverse
        second += (t + r * r * inverse) * inverse
    spread = (count - 1) * max(count * second - first * first, 0.0)
    return count / (first + math.sqrt(spread))
