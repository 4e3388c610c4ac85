"""Compiled extreme eigenvalues of a symmetric 6 x 6 matrix, by reflections and implicit QL steps.

Definition: ``numpy.linalg.eigvalsh``. ``hybrid_cable_robot/simd/condition_numbers_source.py`` does the
same for many matrices at once. Source: Parlett, "The symmetric eigenvalue problem", 1980, chapters 7 and 8.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.jit import entry, inner

STEPS = 40  # per eigenvalue; the iteration needs two or three
EPSILON = 2.3e-16


@inner
def _clear_column(A: FloatArray, k: int) -> float:
    """Clear column k of A[:6] below the subdiagonal; returns the subdiagonal entry."""
    v, p = A[8], A[9]
    square = 0.0
    for row in range(k + 1, 6):
        v[row] = A[row, k]
        square += v[row] * v[row]
    if square == 0.0:
        return 0.0
    norm = math.copysign(math.sqrt(square), v[k + 1])
    scale = 1.0 / (square + norm * v[k + 1])  # 2 / |v|^2
    v[k + 1] += norm
    dot = 0.0
    for row in range(k + 1, 6):
        total = 0.0
        for other in range(k + 1, 6):
            total += A[row, other] * v[other]
        p[row] = scale * total
        dot += p[row] * v[row]
    for row in range(k + 1, 6):
        p[row] -= 0.5 * scale * dot * v[row]
    for row in range(k + 1, 6):
        for other in range(k + 1, 6):
            A[row, other] -= v[row] * p[other] + p[row] * v[other]
    return -norm


@inner
def _tridiagonal(A: FloatArray) -> None:
    """Reduce the symmetric A[:6] by reflections; diagonal and subdiagonal go to A[6] and A[7]."""
    for k in range(4):
        A[7, k] = _clear_column(A, k)
    A[7, 4] = A[5, 4]
    A[7, 5] = 0.0
    for row in range(6):
        A[6, row] = A[row, row]


@inner
def _chase(diagonal: FloatArray, off: FloatArray, first: int, last: int) -> None:
    """One implicit QL step with Wilkinson's shift on rows first..last."""
    ratio = (diagonal[first + 1] - diagonal[first]) / (2.0 * off[first])
    radius = math.sqrt(ratio * ratio + 1.0)
    shifted = diagonal[last] - diagonal[first] + off[first] / (ratio + math.copysign(radius, ratio))
    sine, cosine, carried = 1.0, 1.0, 0.0
    for row in range(last - 1, first - 1, -1):
        bulge = sine * off[row]
        kept = cosine * off[row]
        radius = math.sqrt(bulge * bulge + shifted * shifted)
        off[row + 1] = radius
        if radius == 0.0:
            diagonal[row + 1] -= carried
            off[last] = 0.0
            return
        sine, cosine = bulge / radius, shifted / radius
        shifted = diagonal[row + 1] - carried
        radius = (diagonal[row] - shifted) * sine + 2.0 * cosine * kept
        carried = sine * radius
        diagonal[row + 1] = shifted + carried
        shifted = cosine * radius - kept
    diagonal[first] -= carried
    off[first] = shifted
    off[last] = 0.0


@entry
def symmetric_inverse_condition(A: FloatArray) -> float:
    """Least over greatest eigenvalue of the symmetric A[:6] >= 0, in [0, 1].

    A (10, 6) is overwritten.
    """
    _tridiagonal(A)
    diagonal, off = A[6], A[7]
    for first in range(6):
        for _ in range(STEPS):
            last = first
            while last < 5 and abs(off[last]) > EPSILON * (abs(diagonal[last]) + abs(diagonal[last + 1])):
                last += 1
            if last == first:
                break
            _chase(diagonal, off, first, last)
    least, greatest = diagonal[0], diagonal[0]
    for row in range(1, 6):
        least = min(least, diagonal[row])
        greatest = max(greatest, diagonal[row])
    return max(least, 0.0) / greatest if greatest > 0.0 else 0.0
