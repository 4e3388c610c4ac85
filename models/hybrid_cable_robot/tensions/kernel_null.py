"""Compiled: least-norm tensions and null spaces of well-conditioned wrench matrices.

Householder's factors of ``W^T = Q R``: with ``R^T y = -w`` the balancing tensions of least norm are the
first six columns of Q times y, and the others are an orthonormal basis of the null space. What is
near a singular pose is left to the singular values of ``tension_space``.
"""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry, inner
from models.floats import FloatArray

LEAST_PIVOT = 1e-3  # of rows of unit length: with less the singular values decide about the rank


@inner
def _factored(A: FloatArray, diagonal: FloatArray, shares: FloatArray) -> bool:
    """Turn A (m, 6) into R above the diagonal and the reflectors below; whether no pivot is small.

    ``diagonal`` (6,) is that of R; reflector j is ``I - shares[j] v v^T`` with v in column j from row j.
    """
    m, n = A.shape
    for j in range(n):
        square = 0.0
        for i in range(j, m):
            square += A[i, j] ** 2
        if square < LEAST_PIVOT**2:
            return False
        diagonal[j] = -math.copysign(math.sqrt(square), A[j, j])
        shares[j] = 1.0 / (diagonal[j] * (diagonal[j] - A[j, j]))
        A[j, j] -= diagonal[j]
        for column in range(j + 1, n):
            product = 0.0
            for i in range(j, m):
                product += A[i, j] * A[i, column]
            for i in range(j, m):
                A[i, column] -= shares[j] * product * A[i, j]
    return True


@inner
def _reflect(A: FloatArray, shares: FloatArray, x: FloatArray) -> None:
    """Replace ``x`` (m,) by ``Q x``."""
    m, n = A.shape
    for back in range(n):
        j = n - 1 - back
        product = 0.0
        for i in range(j, m):
            product += A[i, j] * x[i]
        for i in range(j, m):
            x[i] -= shares[j] * product * A[i, j]


@inner
def _solve(A: FloatArray, diagonal: FloatArray, wrench: FloatArray, x: FloatArray) -> None:
    """Fill ``x`` (m,) with y of ``R^T y = -w`` and zeros."""
    x[:] = 0.0
    for row in range(A.shape[1]):
        value = -wrench[row]
        for column in range(row):
            value -= A[column, row] * x[column]
        x[row] = value / diagonal[row]


@entry
def fill_spaces(
    W: FloatArray, wrench: FloatArray, start: FloatArray, null: FloatArray, found: FloatArray
) -> None:
    """Fill ``start`` (n, m) and ``null`` (n, m, m - 6) of n matrices, ``found`` (n,) with 1 or 0.

    ``W`` is (n, 6, m) with rows of unit length and m >= 6, ``wrench`` (n, 6) the external wrenches,
    divided as the rows.
    """
    count, rank, m = W.shape
    A, x = np.empty((m, rank)), np.empty(m)
    diagonal, shares = np.empty(rank), np.empty(rank)
    for case in range(count):
        A[:] = W[case].T
        found[case] = 1.0 if _factored(A, diagonal, shares) else 0.0
        if found[case] == 0.0:
            continue
        _solve(A, diagonal, wrench[case], x)
        _reflect(A, shares, x)
        start[case] = x
        for k in range(m - rank):
            x[:] = 0.0
            x[rank + k] = 1.0
            _reflect(A, shares, x)
            null[case, :, k] = x
