"""Compiled LU factors of a square matrix, for several right sides; numpy's solve is the definition.

Every inner loop adds a multiple of one row to another, which processors do several numbers at a time.
"""

from __future__ import annotations

from models.arrays import FloatArray, IntArray
from models.jit import inner


@inner
def factorise_lu(A: FloatArray, pivots: IntArray) -> bool:
    """Replace A (n, n) by its factors L and U, with rows exchanged by ``pivots`` (n,); False if singular."""
    n = A.shape[0]
    for step in range(n):
        pivot = step
        for row in range(step + 1, n):
            if abs(A[row, step]) > abs(A[pivot, step]):
                pivot = row
        pivots[step] = pivot
        if A[pivot, step] == 0.0:
            return False
        for column in range(n):
            A[step, column], A[pivot, column] = A[pivot, column], A[step, column]
        inverse = 1.0 / A[step, step]
        for row in range(step + 1, n):
            factor = A[row, step] * inverse
            if factor != 0.0:
                A[row, step] = factor
                for column in range(step + 1, n):
                    A[row, column] -= factor * A[step, column]
    return True


@inner
def solve_lu(A: FloatArray, pivots: IntArray, x: FloatArray) -> None:
    """Replace the right side x (n,) by the solution, with factors of :func:`factorise_lu`."""
    n = A.shape[0]
    for step in range(n):
        pivot = pivots[step]
        x[step], x[pivot] = x[pivot], x[step]
    for row in range(n):
        total = x[row]
        for column in range(row):
            total -= A[row, column] * x[column]
        x[row] = total
    for back in range(n):
        row = n - 1 - back
        total = x[row]
        for column in range(row + 1, n):
            total -= A[row, column] * x[column]
        x[row] = total / A[row, row]
