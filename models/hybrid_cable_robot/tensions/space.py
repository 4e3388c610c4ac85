"""All tensions that balance a wrench, as a start and a null space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot.cells.verdicts import TOLERANCE
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.tensions.kernel_null import fill_spaces
from models.hybrid_cable_robot.wrench.wrench_test import RANK_SHARE


@dataclass(frozen=True, slots=True)
class TensionSpace:
    """Tensions ``t = start + null z`` that balance n wrenches, for every z, and their limits.

    Attributes
    ----------
    W : (n, 6, m) float
        Wrench matrices with rows of unit length.
    wrench : (n, 6) float
        External wrenches, divided as the rows of W.
    start : (n, m) float, N
        The balancing tensions of least norm, ``-W^+ w``, normal to ``null``.
    null : (n, m, k) float
        Orthonormal bases of the null spaces.
    f_min, f_max : float, N
    """

    W: FloatArray
    wrench: FloatArray
    start: FloatArray
    null: FloatArray
    f_min: float
    f_max: float

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
        """How far (n,) N the worst of each row of tensions (n, m) is outside the limits, 0 inside."""
        beyond = np.maximum(self.f_min - tensions, tensions - self.f_max)
        return np.maximum(beyond.max(axis=-1), 0.0)


def tension_spaces(
    W: FloatArray, wrench: FloatArray, f_min: float, f_max: float
) -> tuple[list[tuple[IntArray, TensionSpace]], FloatArray]:
    """The spaces of n wrenches, grouped by the rank of W: compiled far from singular poses.

    Parameters
    ----------
    W : (n, 6, m) float
        Wrench matrices, rows 0-2 of 1 and 3-5 of m.
    wrench : (n, 6) float, N and N m
        External wrenches.
    f_min, f_max : float, N

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
    even, wrench = W / rows[..., None], wrench / rows
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
    W: FloatArray, wrench: FloatArray, f_min: float, f_max: float
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
        forces = f_max + np.linalg.norm(wrench[rank_of], axis=-1)
        missed[rank_of] = np.where(left > TOLERANCE * forces, left, 0.0)
        null = np.ascontiguousarray(np.swapaxes(rest, -1, -2))
        space = TensionSpace(W[rank_of], wrench[rank_of], start, null, f_min, f_max)
        groups.append((rank_of, space))
    return groups, missed
