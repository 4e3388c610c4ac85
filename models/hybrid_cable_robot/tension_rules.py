"""The rules that choose one of the tensions that balance a wrench.

Each takes a :class:`~models.hybrid_cable_robot.tension_space.TensionSpace` of n wrenches and returns
tensions (n, m) N and whether they keep the limits (n,) bool. Where they do not, the tensions still
balance the wrench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot import kernel_polygon
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.tension_polytope import centroid, interval, least_widening, nearest_point
from models.hybrid_cable_robot.tension_space import TensionSpace
from models.hybrid_cable_robot.verdicts import TOLERANCE

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
    held there and the others are solved for anew. May miss tensions that exist.
    """
    middle = np.full(space.start.shape, (space.f_min + space.f_max) / 2)
    along = (middle[:, None, :] @ space.null)[:, 0]
    tensions = space.at(along)
    for i in np.flatnonzero(space.excess(tensions) > 0.0):
        tensions[i] = _fixed_in_turn(space, int(i), tensions[i])
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
    for i in np.flatnonzero(space.excess(tensions) > 0.0):
        least, greatest = interval(space.start[i], directions[i], space.f_min, space.f_max)
        share = min(max(0.0, least), greatest) if least <= greatest else 0.0
        tensions[i] += share * directions[i]
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


def _fixed_in_turn(space: TensionSpace, i: int, tensions: FloatArray) -> FloatArray:
    """Tensions (m,) of one wrench with cables fixed at their limits, at most as many as redundant."""
    W, middle = space.W[i], (space.f_min + space.f_max) / 2
    free = np.ones(len(tensions), dtype=bool)
    tensions = tensions.copy()
    for _ in range(space.null.shape[2]):
        beyond = np.where(free, np.maximum(space.f_min - tensions, tensions - space.f_max), 0.0)
        worst = int(np.argmax(beyond))
        if beyond[worst] <= 0.0:
            break
        trial = tensions.copy()
        trial[worst] = space.f_min if tensions[worst] < space.f_min else space.f_max
        free[worst] = False
        load = space.wrench[i] + W[:, ~free] @ trial[~free]
        trial[free] = middle - np.linalg.lstsq(W[:, free], load + W[:, free].sum(axis=1) * middle)[0]
        if np.linalg.norm(W @ trial + space.wrench[i]) > TOLERANCE * space.f_max:
            break
        tensions = trial
    return tensions
