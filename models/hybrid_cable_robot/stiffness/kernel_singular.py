"""Compiled singular values of small matrices, by rotations of their rows (one-sided Jacobi).

Source: Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958. Accurate
also where the matrix is not symmetric or nearly singular; numpy's svd is the twin.
"""

from __future__ import annotations

import math

from models.compiled import entry, inner
from models.hybrid_cable_robot.geometry import FloatArray

SWEEPS = 30  # over all pairs of rows; five or six are enough
ORTHOGONAL = 1e-28  # squared cosine between rows that need no rotation


@inner
def _rotate(A: FloatArray, row: int, other: int) -> bool:
    """Make two rows of A orthogonal; False when they are."""
    own, others, mixed = 0.0, 0.0, 0.0
    for i in range(A.shape[1]):
        own += A[row, i] * A[row, i]
        others += A[other, i] * A[other, i]
        mixed += A[row, i] * A[other, i]
    if mixed * mixed <= ORTHOGONAL * own * others:
        return False
    ratio = (others - own) / (2.0 * mixed)
    tangent = math.copysign(1.0, ratio) / (abs(ratio) + math.sqrt(1.0 + ratio * ratio))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    sine = cosine * tangent
    for i in range(A.shape[1]):
        kept = A[row, i]
        A[row, i] = cosine * kept - sine * A[other, i]
        A[other, i] = sine * kept + cosine * A[other, i]
    return True


@entry
def singular_extremes(A: FloatArray) -> tuple[float, float]:
    """Least and greatest singular value of A, which has no more rows than columns; A is overwritten."""
    for _ in range(SWEEPS):
        turned = False
        for row in range(A.shape[0] - 1):
            for other in range(row + 1, A.shape[0]):
                turned |= _rotate(A, row, other)
        if not turned:
            break
    least, greatest = math.inf, 0.0
    for row in range(A.shape[0]):
        square = 0.0
        for i in range(A.shape[1]):
            square += A[row, i] * A[row, i]
        least, greatest = min(least, square), max(greatest, square)
    return math.sqrt(least), math.sqrt(greatest)


@inner
def inverse_condition(A: FloatArray) -> float:
    """Least over greatest singular value of A, in [0, 1]; A is overwritten."""
    least, greatest = singular_extremes(A)
    return least / greatest if greatest > 0.0 else 0.0
