"""Points of the polytope of tensions for any number of redundant cables, one wrench at a time.

Cut into simplices by their incidence alone (Cohen and Hickey, "Two algorithms for determining volumes
of convex polyhedra", 1979): a face is the union of the pyramids from one of its corners over those of
its own faces that do not hold it. No convex hull of the corners is sought, which goes wrong where many
lie on one plane.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import TOLERANCE

ON_PLANE = 1e-9  # of the polytope's size: a corner as close as this lies on the plane


def centre_of_volume(corners: FloatArray, G: FloatArray, h: FloatArray) -> FloatArray:
    """Centre (k,) of the polytope ``G z <= h`` with rows of G (f, k) of any length; zero is no plane.

    Parameters
    ----------
    corners : (c, k) float
        All of them, in any order; some may be told more than once.
    """
    points = _distinct(corners)
    norms = np.linalg.norm(G, axis=1)
    touching = np.abs(points @ G.T - h) <= ON_PLANE * float(np.ptp(points, axis=0).max()) * norms
    touching &= norms > ON_PLANE
    planes = {_mask(touching[:, plane]) for plane in range(len(h))}
    whole = (1 << len(points)) - 1
    simplices = points[np.array(_simplices(whole, points.shape[1], planes, {}), dtype=np.int64)]
    volumes = np.abs(np.linalg.det(simplices[:, 1:] - simplices[:, :1]))
    return volumes @ simplices.mean(axis=1) / volumes.sum()


def _distinct(corners: FloatArray) -> FloatArray:
    """The corners (c, k) without repetitions."""
    grain = ON_PLANE * float(np.ptp(corners, axis=0).max())
    kept: list[FloatArray] = []
    for corner in corners:
        if not kept or np.abs(np.array(kept) - corner).max(axis=1).min() > grain:
            kept.append(corner)
    return np.array(kept)


def _mask(flags: NDArray[np.bool_]) -> int:
    """The set of places at which ``flags`` hold, as the bits of a number."""
    return sum(1 << int(i) for i in np.flatnonzero(flags))


def _simplices(
    face: int, dimension: int, planes: set[int], known: dict[int, list[tuple[int, ...]]]
) -> list[tuple[int, ...]]:
    """Simplices, as numbers of corners, that make up a face; faces met before are in ``known``."""
    if face in known:
        return known[face]
    first = (face & -face).bit_length() - 1
    if dimension == 0:
        return [(first,)]
    cuts = {face & plane for plane in planes} - {face, 0}
    sides = [cut for cut in cuts if not cut >> first & 1 and cut.bit_count() >= dimension]
    found: list[tuple[int, ...]] = [
        (first, *simplex)
        for side in sides
        if not any(side != cut and side & cut == side for cut in cuts)
        for simplex in _simplices(side, dimension - 1, cuts, known)
    ]
    known[face] = found
    return found


HALF_WAY = 0.25  # between the residual of an empty polytope, 0, and the least of another, 1/2
THIN = 1e-9  # of f_max: a polytope that holds no greater ball has no volume


def nearest_point(
    start: FloatArray, null: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray | None:
    """The polytope's point z (k,) N nearest to the origin; None when there is none.

    Least distance programming by non-negative least squares, which is exact after finitely many
    changes of its active set: ``min |z|  s.t.  G z >= h`` (Lawson and Hanson, 1974, chapter 23).

    Parameters
    ----------
    start : (m,) float, N
    null : (m, k) float
    low, high : (m,) float, N
    """
    from scipy.optimize import nnls

    greatest = float(np.max(high))
    scale = greatest * math.sqrt(len(start))  # no |z| is greater, so the residual is 0 or at least 1/2
    for slack in (0.0, TOLERANCE * greatest):
        G = np.vstack([null, -null])
        h = np.concatenate([low - slack - start, start - high - slack]) / scale
        E = np.vstack([G.T, h])
        target = np.zeros(len(E))
        target[-1] = 1.0
        multipliers, _ = nnls(E, target, maxiter=100 * len(h))
        residual = E @ multipliers - target
        if -residual[-1] > HALF_WAY:
            return -scale * residual[:-1] / residual[-1]
    return None


def centroid(start: FloatArray, null: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray | None:
    """The polytope's centre of volume z (k,) N; its nearest point when it has no volume.

    Where rounding hides the corners, the centre of the greatest ball inside.
    """
    from scipy.spatial import HalfspaceIntersection, QhullError

    if null.shape[1] == 1:
        least, greatest = interval(start, null[:, 0], low, high)
        if least > greatest:
            return nearest_point(start, null, low, high)
        return np.array([(least + greatest) / 2])
    G = np.vstack([-null, null])
    h = np.concatenate([start - low, high - start])
    middle, radius = _inner_ball(G, h)
    if radius <= THIN * np.max(high):
        return nearest_point(start, null, low, high)
    try:
        corners = HalfspaceIntersection(np.column_stack([G, -h]), middle).intersections
    except QhullError:  # planes nearly parallel beyond its precision
        return middle
    return centre_of_volume(corners, G, h)


def least_relaxation(start: FloatArray, null: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """The least s [N] for which ``low - s <= t_i <= high + s`` has a solution, by a linear programme."""
    m, k = null.shape
    ones = np.ones((2 * m, 1))
    unit = float(np.max(high))
    limits = np.concatenate([high - start, start - low]) / unit
    rows = np.hstack([np.vstack([null, -null]), -ones])
    solution = _optimum(np.append(np.zeros(k), 1.0), rows, limits, [(None, None)] * k + [(0.0, None)])
    return unit * max(float(-limits.min()) if solution is None else float(solution[-1]), 0.0)


def interval(
    start: FloatArray, direction: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[float, float]:
    """Least and greatest c with ``low <= start + c direction <= high``; see :func:`intervals`."""
    least, greatest = intervals(start[None], direction[None], low, high)
    return float(least[0]), float(greatest[0])


def intervals(
    start: FloatArray, direction: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Least and greatest c (n,) with ``low <= start + c direction <= high``; crossed when there is none.

    ``start`` (n, m) N and ``direction`` (n, m). Both are zero where the direction is and ``start``
    keeps the limits.
    """
    size = np.abs(direction).max(axis=1, initial=0.0, keepdims=True)
    moving = np.abs(direction) > TOLERANCE * np.maximum(size, TOLERANCE)
    slack = TOLERANCE * np.max(high)
    outside = (start < low - slack) | (start > high + slack)
    lost = (outside & ~moving).any(axis=1)
    divisor = np.where(moving, direction, 1.0)
    ends = np.stack([(low - start) / divisor, (high - start) / divisor])
    least = np.where(moving, ends.min(axis=0), -math.inf).max(axis=1, initial=-math.inf)
    greatest = np.where(moving, ends.max(axis=0), math.inf).min(axis=1, initial=math.inf)
    still = ~moving.any(axis=1)
    least, greatest = np.where(still, 0.0, least), np.where(still, 0.0, greatest)
    return np.where(lost, math.inf, least), np.where(lost, -math.inf, greatest)


def _inner_ball(G: FloatArray, h: FloatArray) -> tuple[FloatArray, float]:
    """Centre and radius of the greatest ball in ``G z <= h``; a negative radius when it is empty."""
    k, rows = G.shape[1], np.column_stack([G, np.linalg.norm(G, axis=1)])
    solution = _optimum(np.append(np.zeros(k), -1.0), rows, h, [(None, None)] * (k + 1))
    return (np.zeros(k), -math.inf) if solution is None else (solution[:-1], float(solution[-1]))


def _optimum(
    cost: FloatArray, rows: FloatArray, limits: FloatArray, bounds: list[tuple[float | None, float | None]]
) -> FloatArray | None:
    """Solution x of the least ``cost . x`` with ``rows x <= limits``; None where HiGHS finds none.

    Its presolver calls some programmes infeasible that are not.
    """
    from scipy.optimize import linprog

    for presolve in (True, False):
        options = {"presolve": presolve}
        result = linprog(cost, A_ub=rows, b_ub=limits, bounds=bounds, method="highs", options=options)
        if result.x is not None:
            return np.array(result.x)
    return None
