"""Compiled factors of symmetric matrices: signs of the pivots are the signs of the eigenvalues."""

from __future__ import annotations

from models.compiled import inner
from models.continuum_statics.floats import FloatArray

LEAST_PIVOT = 1e-14  # of the diagonal's scale; smaller pivots are replaced by it, with a plus sign


@inner
def load_factor(H: FloatArray, stride: int, shift: float, scale: FloatArray, U: FloatArray) -> int:
    """Copy every ``stride``-th row and column of H into the upper triangle of U; returns their number.

    ``shift`` times ``scale`` (3n,) is added to the diagonal.
    """
    count = len(H) // stride
    for i in range(count):
        for j in range(i, count):
            U[i, j] = H[i * stride, j * stride]
        U[i, i] += shift * scale[i * stride]
    return count


@inner
def factorise(U: FloatArray, count: int, scale: float) -> int:
    """Replace U by D L^T with ``U = L D L^T``; returns how many pivots D are not positive.

    By Sylvester's law that is the number of eigenvalues that are not positive: none for a stable state.
    """
    negative = 0
    for k in range(count):
        pivot = U[k, k]
        if abs(pivot) < LEAST_PIVOT * scale:
            pivot = LEAST_PIVOT * scale
            U[k, k] = pivot
            negative += 1
        elif pivot < 0.0:
            negative += 1
        inverse = 1.0 / pivot
        for i in range(k + 1, count):
            factor = U[k, i] * inverse
            if factor != 0.0:
                for j in range(i, count):
                    U[i, j] -= factor * U[k, j]
    return negative


@inner
def solve_factored(U: FloatArray, count: int, x: FloatArray) -> None:
    """Replace x (count,) by the solution of ``L D L^T y = x``."""
    for k in range(count):
        factor = x[k] / U[k, k]
        for i in range(k + 1, count):
            x[i] -= U[k, i] * factor
    for k in range(count - 1, -1, -1):
        total = x[k]
        for i in range(k + 1, count):
            total -= U[k, i] * x[i]
        x[k] = total / U[k, k]
