"""The outer faces of a set of filled grid cells, joined into strips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Hull:
    """Rectangles that bound the cells: ``corners`` (n, 4, 3) float, m, in order around each."""

    corners: FloatArray

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def area(self) -> float:
        """Total area [m^2]."""
        sides = self.corners[:, [1, 3]] - self.corners[:, [0]]
        return float(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum())

    @property
    def triangles(self) -> IntArray:
        """Two triangles per rectangle ``(2 n, 3)``, as rows of ``corners.reshape(-1, 3)``."""
        first = 4 * np.arange(len(self))[:, None]
        return np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])])


def cell_indices(points: FloatArray, cell_size: FloatArray) -> tuple[IntArray, FloatArray]:
    """Whole-number positions ``(n, 3)`` of cell centres, and the centre of cell (0, 0, 0)."""
    origin = points.min(axis=0)
    return np.rint((points - origin) / cell_size).astype(np.int64), origin


def exposed(cells: IntArray, axis: int, side: int) -> IntArray:
    """The cells ``(k, 3)`` whose neighbour along ``axis`` towards ``side`` (-1 or 1) is not filled."""
    shape = cells.max(axis=0) + 3
    strides = np.array([shape[1] * shape[2], shape[2], 1])
    keys = (cells + 1) @ strides
    return cells[~np.isin(keys + side * strides[axis], keys)]


def hull(points: FloatArray, cell_size: FloatArray) -> Hull:
    """The outer faces of cells with centres ``points`` (n, 3), m, and sides ``cell_size`` (3,), m.

    Neighbouring faces of a row are joined: a block of n x m x k cells has 2 (n + m + k) strips of
    the same area as its 2 (n m + m k + k n) faces.
    """
    if len(points) == 0:
        return Hull(np.empty((0, 4, 3)))
    cells, origin = cell_indices(points, cell_size)
    strips = [_strips(exposed(cells, axis, side), axis, side) for axis in range(3) for side in (-1, 1)]
    return Hull(origin + np.concatenate(strips) * cell_size)


def creases(points: FloatArray, cell_size: FloatArray) -> FloatArray:
    """Straight edges (n, 2, 3), m, of the outer faces of cells, where two faces meet at an angle.

    Centres are ``points`` (n, 3), m, sides ``cell_size`` (3,), m. Edges in one line are joined.
    """
    if len(points) == 0:
        return np.empty((0, 2, 3))
    cells, origin = cell_indices(points, cell_size)
    filled = np.zeros(cells.max(axis=0) + 3, dtype=bool)
    filled[tuple((cells + 1).T)] = True
    return origin + np.concatenate([_creases_along(filled, axis) for axis in range(3)]) * cell_size


def _creases_along(filled: NDArray[np.bool_], axis: int) -> FloatArray:
    """Edges (n, 2, 3) along an axis, in units of cells; ``filled`` has an empty cell around all others."""
    across = [other for other in range(3) if other != axis]
    grid = filled.transpose(axis, *across)
    around = np.stack([grid[:, :-1, :-1], grid[:, 1:, :-1], grid[:, 1:, 1:], grid[:, :-1, 1:]])
    flat = (around[0] == around[1]) & (around[2] == around[3]) | (around[0] == around[3]) & (
        around[1] == around[2]
    )
    # A difference along the axis: 1 where an edge begins, -1 behind its end.
    steps = np.diff(np.where(flat, 0, 1), axis=0).transpose(1, 2, 0)
    begins, ends = np.argwhere(steps == 1), np.argwhere(steps == -1)
    corners = np.empty((len(begins), 2, 3))
    for end, places in enumerate((begins, ends)):
        corners[:, end][:, [*across, axis]] = places - 0.5
    return corners


def _strips(cells: IntArray, axis: int, side: int) -> FloatArray:
    """Rectangles ``(s, 4, 3)`` in units of cells that cover the faces of ``cells`` towards ``side``."""
    along, across = (axis + 1) % 3, (axis + 2) % 3
    rows = cells[np.lexsort((cells[:, along], cells[:, across], cells[:, axis]))]
    steps = np.diff(rows, axis=0)
    joined = (steps[:, axis] == 0) & (steps[:, across] == 0) & (steps[:, along] == 1)
    starts = np.flatnonzero(np.concatenate([[True], ~joined]))[: len(rows)]
    ends = np.append(starts[1:], len(rows)) - 1
    lower = rows[starts].astype(np.float64) - 0.5
    upper = rows[ends].astype(np.float64) + 0.5
    plane = upper[:, axis] if side > 0 else lower[:, axis]
    corners = np.empty((len(starts), 4, 3))
    corners[:, :, axis] = plane[:, None]
    corners[:, [0, 3], along], corners[:, [1, 2], along] = lower[:, [along]], upper[:, [along]]
    corners[:, [0, 1], across], corners[:, [2, 3], across] = lower[:, [across]], upper[:, [across]]
    return corners
