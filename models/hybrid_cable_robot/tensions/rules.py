"""All tensions that balance a wrench, and the rules that choose one of them.

Each takes a :class:`~models.hybrid_cable_robot.tensions.rules.TensionSpace` of n wrenches and returns
tensions (n, m) N and whether they keep the limits (n,) bool. Where they do not, the tensions still
balance the wrench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.robot import TOLERANCE
from models.hybrid_cable_robot.tensions import kernels as tension_kernels
from models.hybrid_cable_robot.tensions.kernels import fill_spaces
from models.hybrid_cable_robot.tensions.polytope import centroid, intervals, least_relaxation, nearest_point
from models.hybrid_cable_robot.wrench.capacity import RANK_SHARE


@dataclass(frozen=True, slots=True)
class TensionSpace:
    """Tensions ``t = start + null z`` that balance n wrenches, for every z, and their limits.

    Attributes
    ----------
    W : (n, r, m) float
        Wrench matrices with rows of unit length.
    wrench : (n, r) float
        External wrenches, divided as the rows of W.
    start : (n, m) float, N
        The balancing tensions of least norm, ``-W^+ w``, normal to ``null``.
    null : (n, m, k) float
        Orthonormal bases of the null spaces.
    f_min, f_max : (m,) float, N
    """

    W: FloatArray
    wrench: FloatArray
    start: FloatArray
    null: FloatArray
    f_min: FloatArray
    f_max: FloatArray

    def __post_init__(self) -> None:
        for name in ("f_min", "f_max"):
            limits = np.array(np.broadcast_to(getattr(self, name), self.start.shape[1:]), dtype=float)
            object.__setattr__(self, name, limits)

    @property
    def greatest(self) -> float:
        """Greatest limit [N] of a tension."""
        return float(self.f_max.max())

    def __len__(self) -> int:
        """Number of wrenches."""
        return len(self.start)

    def at(self, z: FloatArray) -> FloatArray:
        """Tensions (n, m) N of null-space coordinates z (n, k)."""
        return self.start + (self.null @ z[..., None])[..., 0]

    def narrowed(self, rows: NDArray[np.bool_]) -> TensionSpace:
        """The spaces of some of the wrenches."""
        return TensionSpace(
            self.W[rows], self.wrench[rows], self.start[rows], self.null[rows], self.f_min, self.f_max
        )

    def excess(self, tensions: FloatArray) -> FloatArray:
        """Excess (n,) N of the worst of each row of tensions (n, m) over the limits, 0 inside."""
        beyond = np.maximum(self.f_min - tensions, tensions - self.f_max)
        return np.maximum(beyond.max(axis=-1), 0.0)


def tension_spaces(
    W: FloatArray, wrench: FloatArray, f_min: FloatArray, f_max: FloatArray
) -> tuple[list[tuple[IntArray, TensionSpace]], FloatArray]:
    """The spaces of n wrenches, grouped by the rank of W: compiled far from singular poses.

    Parameters
    ----------
    W : (n, r, m) float
        Wrench matrices with the rows that the motion pattern has: of 1, and of m for torques.
    wrench : (n, r) float, N and N m
        External wrenches.
    f_min, f_max : (m,) float, N

    Returns
    -------
    groups : list of (indices, TensionSpace)
        Well-conditioned matrices first; those near a singular pose may have full rank too.
    missed : (n,) float, N
        What of the wrench, divided as the rows of W, no tensions at all can balance: zero, except
        where W has no full rank.
    """
    rows = np.linalg.norm(W, axis=-1)
    rows = np.where(rows > 0.0, rows, 1.0)
    # One order in memory, whatever that of W: numba compiles the kernel once per order, in .8 s.
    even, wrench = np.ascontiguousarray(W / rows[..., None]), wrench / rows
    count, rank, m = even.shape
    regular = np.zeros(count, dtype=bool)
    groups: list[tuple[IntArray, TensionSpace]] = []
    if m >= rank:
        start, null, found = np.empty((count, m)), np.empty((count, m, m - rank)), np.empty(count)
        fill_spaces(even, wrench, start, null, found)
        regular = found > 0.0
        if regular.any():
            whole = TensionSpace(even, wrench, start, null, f_min, f_max)
            groups.append((np.flatnonzero(regular), whole if regular.all() else whole.narrowed(regular)))
    missed = np.zeros(count)
    if not regular.all():
        rest = np.flatnonzero(~regular)
        others, missed[rest] = spaces_by_values(even[rest], wrench[rest], f_min, f_max)
        groups.extend((rest[part], space) for part, space in others)
    return groups, missed


def spaces_by_values(
    W: FloatArray, wrench: FloatArray, f_min: FloatArray, f_max: FloatArray
) -> tuple[list[tuple[IntArray, TensionSpace]], FloatArray]:
    """The same by singular values, for every rank; rows of W have unit length or are zero."""
    U, values, Vt = np.linalg.svd(W, full_matrices=True)
    ranks = np.count_nonzero(values > RANK_SHARE * values[:, :1], axis=-1)
    missed = np.zeros(len(W))
    groups: list[tuple[IntArray, TensionSpace]] = []
    for rank in np.unique(ranks):
        rank_of = np.flatnonzero(ranks == rank)
        span, rest = Vt[rank_of, :rank], Vt[rank_of, rank:]
        inside = (wrench[rank_of, None, :] @ U[rank_of, :, :rank])[:, 0]
        start = -((inside / values[rank_of, :rank])[:, None, :] @ span)[:, 0]
        left = np.linalg.norm((wrench[rank_of, None, :] @ U[rank_of, :, rank:])[:, 0], axis=-1)
        forces = np.max(f_max) + np.linalg.norm(wrench[rank_of], axis=-1)
        missed[rank_of] = np.where(left > TOLERANCE * forces, left, 0.0)
        null = np.ascontiguousarray(np.swapaxes(rest, -1, -2))
        space = TensionSpace(W[rank_of], wrench[rank_of], start, null, f_min, f_max)
        groups.append((rank_of, space))
    return groups, missed


DEPENDENT = 1e-20  # squared sine of the angle below which a cable's tension follows from those fixed

Chosen = tuple[FloatArray, NDArray[np.bool_]]
Kernel = Callable[[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray], None]
Single = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray | None]


def minimum_norm(space: TensionSpace) -> Chosen:
    """The tensions of least Euclidean norm within the limits."""
    return _point_of(space, tension_kernels.nearest_points, nearest_point)


def centroids(space: TensionSpace) -> Chosen:
    """The centre of the polytope of all tensions within the limits: far from every limit, smooth."""
    return _point_of(space, tension_kernels.centroids, centroid)


def closed_form(space: TensionSpace) -> Chosen:
    """The tensions nearest to the middle of the limits; those beyond are fixed at the limit in turn.

    Source: Pott, "An improved force distribution algorithm for over-constrained cable-driven
    parallel robots", 2014: as long as cables are redundant, the one that exceeds its limit most is
    held there and the others are solved for again. May miss tensions that exist.
    """
    z = (np.broadcast_to((space.f_min + space.f_max) / 2, space.start.shape)[:, None, :] @ space.null)[:, 0]
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


def limit_relaxations(space: TensionSpace) -> FloatArray:
    """The least widening (n,) N of both limits for which some tensions balance each wrench."""
    enough = space.excess(space.start)
    if space.null.shape[2] == 2:
        out = np.empty(len(space))
        tension_kernels.limit_relaxations(space.start, space.null, space.f_min, space.f_max, enough, out)
        return out
    if space.null.shape[2] == 0:
        return enough
    pairs = zip(space.start, space.null, strict=True)
    return np.array([least_relaxation(start, null, space.f_min, space.f_max) for start, null in pairs])


def _point_of(space: TensionSpace, kernel: Kernel, single: Single) -> Chosen:
    """A point of each polytope: compiled for polygons, one by one otherwise."""
    count, redundant = len(space), space.null.shape[2]
    z, found = np.zeros((count, redundant)), np.zeros(count)
    if redundant == 2:
        kernel(space.start, space.null, space.f_min, space.f_max, z, found)
    elif redundant == 0:
        found[:] = space.excess(space.start) <= TOLERANCE * space.greatest
    else:
        for i in range(count):
            point = single(space.start[i], space.null[i], space.f_min, space.f_max)
            if point is not None:
                z[i], found[i] = point, 1.0
    tensions, held = space.at(z), found > 0.0
    tensions[held] = np.clip(tensions[held], space.f_min, space.f_max)
    return tensions, held


def _judged(space: TensionSpace, tensions: FloatArray) -> Chosen:
    held = space.excess(tensions) <= TOLERANCE * space.greatest
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
        limit = np.where(given < space.f_min[worst], space.f_min[worst], space.f_max[worst])
        divisor = np.where(going, square, 1.0)
        z += np.where(going, (limit - given) / divisor, 0.0)[:, None] * normal
        walls[:, turn] = np.where(going[:, None], normal / np.sqrt(divisor)[:, None], 0.0)
        free[every, worst] = False
    return start + (null @ z[..., None])[..., 0]
