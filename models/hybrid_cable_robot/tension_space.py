"""All tensions that balance a wrench, as a start and a null space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.verdicts import TOLERANCE
from models.hybrid_cable_robot.wrench_test import RANK_SHARE


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
    """The spaces of n wrenches, grouped by the rank of W.

    Returns
    -------
    groups : list of (indices, TensionSpace)
    missed : (n,) float
        What of the wrench no tensions at all can balance: zero, except where W has no full rank.
    """
    rows = np.linalg.norm(W, axis=-1)
    rows = np.where(rows > 0.0, rows, 1.0)
    even, wrench = W / rows[..., None], wrench / rows
    U, values, Vt = np.linalg.svd(even, full_matrices=True)
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
        space = TensionSpace(even[rank_of], wrench[rank_of], start, null, f_min, f_max)
        groups.append((rank_of, space))
    return groups, missed
