"""Compiled complementarity, by the definition in ``tests/oracles/complementarity.py``.

Principal pivoting of the least index: Murty, "Note on a Bard-type scheme for solving the complementarity
problem", Opsearch 11, 1974. It ends for every positive definite matrix, from every choice of taut cables, so
the choice of the step before is tried first.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray, IntArray
from models.jit import entry, inner
from models.numerics.small_matrices import solve

SHIFT = 1e-12  # of the largest diagonal entry, added to all: cables that cannot move apart make A singular
MOST_PIVOTS = 600  # eight cables have 256 choices
PUSHING = 1e-13  # of the largest entry of x; what pushes less is rounding
JAMMED = 1e-3  # of the largest entry of b, by which SHIFT may lengthen a cable; beyond, no tensions hold it
SHORT = 1e-13  # [m], and of the largest entry of b; what is shorter by less is rounding


@inner
def taut_tensions(
    A: FloatArray, b: FloatArray, taut: IntArray, shift: float, scratch: FloatArray, x: FloatArray
) -> bool:
    """Put x (m,) for which the ``taut`` entries of w vanish; False when there is none."""
    count, line = 0, 0
    for i in range(len(b)):
        x[i] = 0.0
        count += taut[i]
    if count == 0:
        return True
    for i in range(len(b)):
        if taut[i] == 1:
            column = 0
            for j in range(len(b)):
                if taut[j] == 1:
                    scratch[line, column] = A[i, j] + (shift if i == j else 0.0)
                    column += 1
            scratch[line, count] = -b[i]
            line += 1
    if not solve(scratch[:count, : count + 1]):
        return False
    line = 0
    for i in range(len(b)):
        if taut[i] == 1:
            x[i] = scratch[line, count]
            line += 1
    return True


@inner
def first_violation(
    A: FloatArray, b: FloatArray, held: IntArray, taut: IntArray, least: float, x: FloatArray
) -> int:
    """The first cable that pushes, or that is too short while it does not pull; -1 when there is none."""
    largest = 0.0
    for i in range(len(b)):
        largest = max(largest, abs(x[i]))
    for i in range(len(b)):
        if taut[i] == 1:
            if x[i] < -PUSHING * largest:
                return i
        elif held[i] == 1:
            w = b[i]
            for j in range(len(b)):
                w += A[i, j] * x[j]
            if w < -least:
                return i
    return -1


@inner
def pull_only(
    A: FloatArray, b: FloatArray, held: IntArray, taut: IntArray, scratch: FloatArray, x: FloatArray
) -> bool:
    """Solve for x (m,), 0 where not ``held``; False where no tensions keep the cables at their lengths.

    ``taut`` holds the choice to try first, then the right one.
    """
    shift, largest = 0.0, 0.0
    for i in range(len(b)):
        shift, largest = max(shift, SHIFT * A[i, i]), max(largest, abs(b[i]))
        taut[i] *= held[i]
    for _ in range(MOST_PIVOTS):
        if not taut_tensions(A, b, taut, shift, scratch, x):
            return False
        wrong = first_violation(A, b, held, taut, SHORT * max(1.0, largest), x)
        if wrong < 0:
            for i in range(len(b)):
                x[i] = max(x[i], 0.0)
                if shift * x[i] > JAMMED * largest + 10 * SHORT:
                    return False
            return True
        taut[wrong] = 1 - taut[wrong]
    return False


@entry
def solve_pull_only(A: FloatArray, b: FloatArray, held: IntArray, taut: IntArray, x: FloatArray) -> bool:
    """:func:`pull_only` with A (m, m), b (m,), ``held`` and ``taut`` (m,) of 0 and 1, into x (m,)."""
    return pull_only(A, b, held, taut, np.empty((len(b), len(b) + 1)), x)
