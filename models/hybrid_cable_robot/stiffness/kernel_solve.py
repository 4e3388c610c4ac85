"""Compiled solution of small linear systems; numpy's solve is the twin."""

from __future__ import annotations

from models.compiled import entry
from models.hybrid_cable_robot.geometry import FloatArray


@entry
def solve(A: FloatArray) -> bool:
    """Solve ``A[:, :n] X = A[:, n:]`` by elimination with row pivots; X replaces ``A[:, n:]``.

    ``A`` is (n, n + k) and overwritten. False when a pivot is zero.
    """
    count = A.shape[0]
    for step in range(count):
        pivot = step
        for row in range(step + 1, count):
            if abs(A[row, step]) > abs(A[pivot, step]):
                pivot = row
        if A[pivot, step] == 0.0:
            return False
        for column in range(step, A.shape[1]):
            A[step, column], A[pivot, column] = A[pivot, column], A[step, column]
        inverse = 1.0 / A[step, step]
        for column in range(step + 1, A.shape[1]):
            A[step, column] *= inverse
        for row in range(count):
            if row != step:
                factor = A[row, step]
                for column in range(step + 1, A.shape[1]):
                    A[row, column] -= factor * A[step, column]
    return True
