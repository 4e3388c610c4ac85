"""Compiled factors of symmetric matrices: signs of the pivots are the signs of the eigenvalues.

Pivots are taken from the last row to the first, so that every inner loop runs from the first column:
then the compiler lets processors take several numbers at a time.
"""

from __future__ import annotations

from models.compiled import inner
from models.floats import FloatArray

LEAST_PIVOT = 1e-14  # of the row's own scale; smaller pivots are replaced by it, with a plus sign


@inner
def load_factor(H: FloatArray, stride: int, shift: float, scale: FloatArray, W: FloatArray) -> int:
    """Copy every ``stride``-th row and column of H into the lower triangle of W; returns their number.

    H holds its upper triangle; ``shift`` times ``scale`` (3n,) is added to the diagonal.
    """
    count = len(H) // stride
    for i in range(count):
        for j in range(i + 1):
            W[i, j] = H[j * stride, i * stride]
        W[i, i] += shift * scale[i * stride]
    return count


@inner
def factorise(W: FloatArray, count: int, stride: int, scale: FloatArray) -> int:
    """Replace W by the lower triangle with ``W^T D^-1 W`` the matrix, D the diagonal of W.

    Returns how many pivots in D are not positive. By Sylvester's law that is the number of eigenvalues
    that are not positive: none for a stable state.

    ``scale`` (3n,) is what a pivot of each row is measured by; row i of W has that at ``i stride``. A
    matrix divided by the roots of its rows' and columns' scales has the same pivots over those scales, so
    a soft row is told from rounding as well as a stiff one.
    """
    negative = 0
    for k in range(count - 1, -1, -1):
        pivot, least = W[k, k], LEAST_PIVOT * scale[k * stride]
        if abs(pivot) < least:
            pivot = least
            W[k, k] = pivot
            negative += 1
        elif pivot < 0.0:
            negative += 1
        inverse = 1.0 / pivot
        for i in range(k):
            factor = W[k, i] * inverse
            for j in range(i + 1):
                W[i, j] -= factor * W[k, j]
    return negative


@inner
def solve_factored(W: FloatArray, count: int, x: FloatArray) -> None:
    """Replace x (count,) by the solution of ``W^T D^-1 W y = x``."""
    for k in range(count - 1, -1, -1):
        x[k] /= W[k, k]
        for i in range(k):
            x[i] -= W[k, i] * x[k]
    for k in range(count):
        total = 0.0
        for i in range(k):
            total += W[k, i] * x[i]
        x[k] -= total / W[k, k]
