"""Compiled tensions: least norm, null spaces, and the polygon where two cables are redundant.

Householder's factors of ``W^T = Q R``: with ``R^T y = -w`` the balancing tensions of least norm are the
first six columns of Q times y, and the others are an orthonormal basis of the null space. What is
near a singular pose is left to the singular values of ``tension_space``.

With ``t = start + null z`` the limits ``low <= t_i <= high`` are 2 m half planes of z. They cut a
square down to the polygon of all tensions that balance the wrench (Sutherland and Hodgman's
clipping). The basis is orthonormal and normal to ``start``, so ``|z| <= |t|`` bounds the square, and
the least tensions belong to the point nearest to the origin.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import TOLERANCE
from models.jit import entry, inner

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
def _apply_reflectors(A: FloatArray, shares: FloatArray, x: FloatArray) -> None:
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
        _apply_reflectors(A, shares, x)
        start[case] = x
        for k in range(m - rank):
            x[:] = 0.0
            x[rank + k] = 1.0
            _apply_reflectors(A, shares, x)
            null[case, :, k] = x


EXACT = 1e-14  # of the greatest limit: distances below are rounding
FLAT = 1e-10  # of the polygon's square size: a smaller area is none
HALVINGS = 60


@inner
def ring_for(cables: int) -> FloatArray:
    """Memory (4, n) for a polygon that is cut twice per cable, and for its copy."""
    return np.empty((4, 2 * (4 + 2 * cables)))


@inner
def _cut(ring: FloatArray, size: int, a: float, b: float, c: float, slack: float) -> int:
    """Keep the part of a polygon with ``a x + b y + c >= 0``; the number of its vertices.

    Rows 0 and 1 of ``ring`` (4, n) hold the polygon, the others are memory.
    """
    x, y, new_x, new_y = ring[0], ring[1], ring[2], ring[3]
    kept = 0
    for i in range(size):
        j = (i + 1) % size
        here, there = a * x[i] + b * y[i] + c, a * x[j] + b * y[j] + c
        if here >= -slack:
            new_x[kept], new_y[kept] = x[i], y[i]
            kept += 1
        if (here > slack and there < -slack) or (here < -slack and there > slack):
            share = here / (here - there)
            new_x[kept], new_y[kept] = x[i] + share * (x[j] - x[i]), y[i] + share * (y[j] - y[i])
            kept += 1
    kept = min(kept, len(x) // 2)  # a convex polygon gains one vertex at most; rounding might add more
    for i in range(kept):
        x[i], y[i] = new_x[i], new_y[i]
    return kept


@inner
def _polygon(
    start: FloatArray,
    null: FloatArray,
    low: FloatArray,
    high: FloatArray,
    wider: float,
    share: float,
    ring: FloatArray,
) -> int:
    """Vertices of the polygon of z, into rows 0 and 1 of ``ring``; their number, 0 when there is none.

    The limits ``low`` and ``high`` (m,) N are ``wider`` [N] apart on both sides.
    """
    m, greatest = len(start), 0.0
    for i in range(m):
        greatest = max(greatest, abs(low[i] - wider), abs(high[i] + wider))
    reach = 1.001 * greatest * math.sqrt(m)
    for i in range(4):
        ring[0, i] = reach if i in {0, 3} else -reach
        ring[1, i] = reach if i < 2 else -reach
    size, slack = 4, share * greatest
    for i in range(m):
        size = _cut(ring, size, null[i, 0], null[i, 1], start[i] - (low[i] - wider), slack)
        if size > 0:
            size = _cut(ring, size, -null[i, 0], -null[i, 1], (high[i] + wider) - start[i], slack)
        if size == 0:
            return 0
    return size


@inner
def _nearest(
    start: FloatArray, low: FloatArray, high: FloatArray, x: FloatArray, y: FloatArray, size: int
) -> FloatArray:
    """The polygon's point nearest to the origin."""
    inside = True
    for i in range(len(start)):
        inside = inside and low[i] <= start[i] <= high[i]
    best_x, best_y = 0.0, 0.0
    if inside:
        return np.array([best_x, best_y])
    best = math.inf
    for i in range(size):
        j = (i + 1) % size
        dx, dy = x[j] - x[i], y[j] - y[i]
        square = dx * dx + dy * dy
        share = 0.0
        if square > 0.0:
            share = min(1.0, max(0.0, -(x[i] * dx + y[i] * dy) / square))
        px, py = x[i] + share * dx, y[i] + share * dy
        if px * px + py * py < best:
            best, best_x, best_y = px * px + py * py, px, py
    return np.array([best_x, best_y])


@inner
def _centroid(x: FloatArray, y: FloatArray, size: int) -> FloatArray:
    """The polygon's centre of area; the middle of its longest chord when it has none."""
    area, sum_x, sum_y, chord = 0.0, 0.0, 0.0, 0.0
    middle = np.array([x[0], y[0]])
    for i in range(size):
        for j in range(i):
            square = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
            if square > chord:
                chord = square
                middle[0], middle[1] = (x[i] + x[j]) / 2, (y[i] + y[j]) / 2
    for i in range(1, size - 1):
        ax, ay, bx, by = x[i] - x[0], y[i] - y[0], x[i + 1] - x[0], y[i + 1] - y[0]
        doubled = ax * by - ay * bx
        area += doubled
        sum_x += doubled * (ax + bx) / 3
        sum_y += doubled * (ay + by) / 3
    if abs(area) <= FLAT * chord:
        return middle
    return np.array([x[0] + sum_x / area, y[0] + sum_y / area])


@entry
def nearest_points(
    start: FloatArray, null: FloatArray, low: FloatArray, high: FloatArray, z: FloatArray, found: FloatArray
) -> None:
    """Fill ``z`` (n, 2) with the least-norm points of n polygons and ``found`` (n,) with 1 or 0.

    ``start`` is (n, m), ``null`` (n, m, 2), ``low`` and ``high`` (m,), all in N.
    """
    ring = ring_for(start.shape[1])
    for i in range(len(start)):
        size = _polygon(start[i], null[i], low, high, 0.0, EXACT, ring)
        if size == 0:
            size = _polygon(start[i], null[i], low, high, 0.0, TOLERANCE, ring)
        if size > 0:
            z[i] = _nearest(start[i], low, high, ring[0], ring[1], size)
            found[i] = 1.0


@entry
def centroids(
    start: FloatArray, null: FloatArray, low: FloatArray, high: FloatArray, z: FloatArray, found: FloatArray
) -> None:
    """Fill ``z`` with the centroids of n polygons; arguments as those of :func:`nearest_points`."""
    ring = ring_for(start.shape[1])
    for i in range(len(start)):
        size = _polygon(start[i], null[i], low, high, 0.0, EXACT, ring)
        if size == 0:
            size = _polygon(start[i], null[i], low, high, 0.0, TOLERANCE, ring)
        if size > 0:
            z[i] = _centroid(ring[0], ring[1], size)
            found[i] = 1.0


@entry
def limit_relaxations(
    start: FloatArray,
    null: FloatArray,
    low: FloatArray,
    high: FloatArray,
    enough: FloatArray,
    out: FloatArray,
) -> None:
    """Fill ``out`` (n,) N with the least widening of both limits that leaves a polygon.

    ``enough`` (n,) N are limit_relaxations known to do.
    """
    ring = ring_for(start.shape[1])
    for i in range(len(start)):
        lacking, doing = 0.0, enough[i]
        for _ in range(HALVINGS):
            middle = (lacking + doing) / 2
            if _polygon(start[i], null[i], low, high, middle, EXACT, ring) > 0:
                doing = middle
            else:
                lacking = middle
        out[i] = doing
