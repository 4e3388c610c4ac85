"""The rules that choose one of the tensions that balance a wrench.

Each takes a :class:`~models.hybrid_cable_robot.tensions.space.TensionSpace` of n wrenches and returns
tensions (n, m) N and whether they keep the limits (n,) bool. Where they do not, the tensions still
balance the wrench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot.cells.verdicts import TOLERANCE
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.tensions import kernel_polygon
from models.hybrid_cable_robot.tensions.polytope import centroid, intervals, least_widening, nearest_point
from models.hybrid_cable_robot.tensions.space import TensionSpace

DEPENDENT = 1e-20  # squared sine of the angle below which a cable's tension follows from those fixed

Chosen = tuple[FloatArray, NDArray[np.bool_]]
Kernel = Callable[[FloatArray, FloatArray, float, float, FloatArray, FloatArray], None]
Single = Callable[[FloatArray, FloatArray, float, float], FloatArray | None]


def minimum_norm(space: TensionSpace) -> Chosen:
    """The tensions of least Euclidean norm within the limits."""
    return _point_of(space, kernel_polygon.nearest_points, nearest_point)


def centroids(space: TensionSpace) -> Chosen:
    """The centre of the polytope of all tensions within the limits: far from every limit, smooth."""
    return _point_of(space, kernel_polygon.centroids, centroid)


def closed_form(space: TensionSpace) -> Chosen:
    """The tensions nearest to the middle of the limits; those beyond are fixed at the limit in turn.

    Source: Pott, "An improved force distribution algorithm for over-constrained cable-driven
    parallel robots", 2014: as long as cables are redundant, the one that exceeds its limit most is
    held there and the others are solved for again. May miss tensions that exist.
    """
    z = (np.full(space.start.shape, (space.f_min + space.f_max) / 2)[:, None, :] @ space.null)[:, 0]
    tensions = space.at(z)
    rows = np.flatnonzero(space.excess(tensions) > 0.0)
    if rows.size:
        tensions[rows] = _fixed_in_turn(space, rows, z[rows])
    return _judged(space, tensions)


def null_vector(space: TensionSpace) -> Chosen:
    """The paper's rule: pseudo-inverse plus the least multiple of one null vector that keeps limits.

    Source: equation (17b) of the paper. Which null vector it takes of several is not printed;
    assumed: the one nearest to equal tensions, the projection of (1, ..., 1) on the null space. May
    miss tensions that exist, and without a positive null vector (cables from above) often does.
    """
    ones = np.ones(space.start.shape)
    directions = (space.null @ (ones[:, None, :] @ space.null)[:, 0, :, None])[..., 0]
    tensions = space.start.copy()
    rows = np.flatnonzero(space.excess(tensions) > 0.0)
    least, greatest = intervals(space.start[rows], directions[rows], space.f_min, space.f_max)
    share = np.where(least <= greatest, np.minimum(np.maximum(0.0, least), greatest), 0.0)
    tensions[rows] += share[:, None] * directions[rows]
    return _judged(space, tensions)


RULES: Mapping[str, Callable[[TensionSpace], Chosen]] = {
    "minimum-norm": minimum_norm,
    "centroid": centroids,
    "closed-form": closed_form,
    "paper": null_vector,
}


def widenings(space: TensionSpace) -> FloatArray:
    """The least widening (n,) N of both limits for which some tensions balance each wrench."""
    enough = space.excess(space.start)
    if space.null.shape[2] == 2:
        out = np.empty(len(space))
        kernel_polygon.widenings(space.start, space.null, space.f_min, space.f_max, enough, out)
        return out
    if space.null.shape[2] == 0:
        return enough
    pairs = zip(space.start, space.null, strict=True)
    return np.array([least_widening(start, null, space.f_min, space.f_max) for start, null in pairs])


def _point_of(space: TensionSpace, kernel: Kernel, single: Single) -> Chosen:
    """A point of each polytope: compiled for polygons, one by one otherwise."""
    count, redundant = len(space), space.null.shape[2]
    z, found = np.zeros((count, redundant)), np.zeros(count)
    if redundant == 2:
        kernel(space.start, space.null, space.f_min, space.f_max, z, found)
    elif redundant == 0:
        found[:] = space.excess(space.start) <= TOLERANCE * space.f_max
    else:
        for i in range(count):
            point = single(space.start[i], space.null[i], space.f_min, space.f_max)
            if point is not None:
                z[i], found[i] = point, 1.0
    tensions, held = space.at(z), found > 0.0
    tensions[held] = np.clip(tensions[held], space.f_min, space.f_max)
    return tensions, held


def _judged(space: TensionSpace, tensions: FloatArray) -> Chosen:
    held = space.excess(tensions) <= TOLERANCE * space.f_max
    tensions[held] = np.clip(tensions[held], space.f_min, space.f_max)
    return tensions, held


def _fixed_in_turn(space: TensionSpace, rows: IntArray, z: FloatArray) -> FloatArray:
    """Tensions (k, m) of some wrenches with cables fixed at their limits, at most as many as redundant.

    ``z`` (k, r) are the free optima. Fixing a cable projects z on a plane; ``walls`` holds its normals,
    each turned off the former ones, so that the projections of before stay.
    """
    start, null, z = space.start[rows], space.null[rows], z.copy()
    free, going = np.ones(start.shape, dtype=bool), np.ones(len(rows), dtype=bool)
    every, walls = np.arange(len(rows)), np.zeros((len(rows), z.shape[1], z.shape[1]))
    for turn in range(null.shape[2]):
        tensions = start + (null @ z[..., None])[..., 0]
        beyond = np.where(free, np.maximum(space.f_min - tensions, tensions - space.f_max), 0.0)
        worst = np.argmax(beyond, axis=1)
        normal = null[every, worst]
        normal = normal - ((walls @ normal[..., None]) * walls).sum(axis=1)
        square = np.sum(normal**2, axis=1)
        going &= (beyond[every, worst] > 0.0) & (square > DEPENDENT)
        given = tensions[every, worst]
        limit = np.where(given < space.f_min, space.f_min, space.f_max)
        divisor = np.where(going, square, 1.0)
        z += np.where(going, (limit - given) / divisor, 0.0)[:, None] * normal
        walls[:, turn] = np.where(going[:, None], normal / np.sqrt(divisor)[:, None], 0.0)
        free[every, worst] = False
    return start + (null @ z[..., None])[..., 0]
