"""Compiled joining of two neighbouring rays by triangles."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray, IntArray
from models.jit import entry, inner


@inner
def _distance(p: FloatArray, i: int, q: FloatArray, j: int) -> float:
    """Distance [rad] between the states ``p[i]`` and ``q[j]``, all angles together."""
    total = 0.0
    for k in range(p.shape[1]):
        for axis in range(3):
            total += (p[i, k, axis] - q[j, k, axis]) ** 2
    return math.sqrt(total)


@inner
def _apart(
    p: FloatArray, p_tips: FloatArray, i: int, q: FloatArray, q_tips: FloatArray, j: int,
    angle: float, length: float,
) -> bool:  # fmt: skip
    """True if two states differ by more than ``angle`` [rad], or their tips by more than ``length`` [m]."""
    total = 0.0
    for axis in range(3):
        total += (p_tips[i, axis] - q_tips[j, axis]) ** 2
    return math.sqrt(total) > length or _distance(p, i, q, j) > angle


@inner
def _bridges(
    a: FloatArray, a_tips: FloatArray, i: int, b: FloatArray, b_tips: FloatArray, j: int, first: bool,
    angle: float, length: float,
) -> bool:  # fmt: skip
    """True if the triangle of ``a[i]``, ``b[j]`` and the next state, of ``a`` if ``first``, is too wide."""
    if _apart(a, a_tips, i, b, b_tips, j, angle, length):
        return True
    if first:
        along = _apart(a, a_tips, i, a, a_tips, i + 1, angle, length)
        return along or _apart(a, a_tips, i + 1, b, b_tips, j, angle, length)
    along = _apart(b, b_tips, j, b, b_tips, j + 1, angle, length)
    return along or _apart(a, a_tips, i, b, b_tips, j + 1, angle, length)


def join(
    a_loads: FloatArray, a: FloatArray, a_tips: FloatArray, a_lost: bool,
    b_loads: FloatArray, b: FloatArray, b_tips: FloatArray, b_lost: bool,
    angle: float, length: float,
) -> tuple[IntArray, int]:  # fmt: skip
    """Triangles between the stable states of two rays, from rest to their ends.

    ``loads`` (k,) [N], states (k, n, 3) [rad] and ``tips`` (k, 3) [m] are those of each ray; ``lost`` says
    that it ends at a loss of stability. The next corner is that with the shorter diagonal, whichever ray it
    lies on: so that states of one sheet meet although one ray passes a soft stretch earlier than the other.
    Where both diagonals are longer than ``angle`` the rays lie on two sheets, and go on at equal loads.

    Returns the triangles (t, 3) whose corners are close, with places in the first ray, then the second, and
    how many were left out because theirs are not. What lies beyond the loss of one ray is not counted.
    """
    triangles = np.empty((max(len(a_loads) + len(b_loads) - 2, 0), 3), np.int64)
    count, dropped = _join(
        a_loads, a, a_tips, a_lost, b_loads, b, b_tips, b_lost, angle, length, triangles
    )  # fmt: skip
    return triangles[:count].copy(), dropped


@entry
def _join(
    a_loads: FloatArray, a: FloatArray, a_tips: FloatArray, a_lost: bool,
    b_loads: FloatArray, b: FloatArray, b_tips: FloatArray, b_lost: bool,
    angle: float, length: float, triangles: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Fill ``triangles``; how many there are, and how many were left out."""
    na, nb = len(a_loads), len(b_loads)
    count, dropped, i, j = 0, 0, 0, 0
    while na > 0 and nb > 0 and (i < na - 1 or j < nb - 1):
        first, beyond = i < na - 1, False
        if i < na - 1 and j < nb - 1:
            one, other = _distance(a, i + 1, b, j), _distance(a, i, b, j + 1)
            first = one < other
            if min(one, other) > angle:
                if a_loads[i + 1] == b_loads[j + 1]:
                    i, j, dropped = i + 1, j + 1, dropped + 2
                    continue
                first = a_loads[i + 1] < b_loads[j + 1]
        else:
            beyond = b_lost if first else a_lost
        apart = _bridges(a, a_tips, i, b, b_tips, j, first, angle, length)
        if not apart:
            triangles[count, 0], triangles[count, 1] = i, na + j
            triangles[count, 2] = i + 1 if first else na + j + 1
            count += 1
        elif not beyond:
            dropped += 1
        i, j = (i + 1, j) if first else (i, j + 1)
    return count, dropped
