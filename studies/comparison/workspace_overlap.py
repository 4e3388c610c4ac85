"""Volumes that two workspaces share, and that each has for itself, from their cells.

The cells of both cut space into blocks that lie in one cell of each or in none, so the volumes of the cells
are exact. The verdict of a cell is that of its centre, so a workspace ends within half a cell of its faces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studies.exchange.voxels import FloatArray, cell_indices, exposed

SAME = 1e-9
"""Share of a cell's side within which two faces lie in one plane."""


@dataclass(frozen=True, slots=True)
class WorkspaceOverlap:
    """Volumes [m^3]: of the first workspace alone, of the second alone, and of both; ``error`` of each."""

    first_only: float
    second_only: float
    both: float
    error: float


@dataclass(frozen=True, slots=True)
class Cells:
    """A workspace: centres (n, 3) m of its cells, and their sides (3,) m."""

    points: FloatArray
    cell_size: FloatArray

    @property
    def error(self) -> float:
        """Volume [m^3] within half a cell of the outer faces."""
        if not len(self.points):
            return 0.0
        cells, _ = cell_indices(self.points, self.cell_size)
        faces = sum(len(exposed(cells, axis, side)) for axis in range(3) for side in (-1, 1))
        return faces * float(self.cell_size.prod()) / 2

    @property
    def lower(self) -> FloatArray:
        """The lower corner (3,) m of what holds all cells."""
        return self.points.min(axis=0) - self.cell_size / 2

    @property
    def filled(self) -> NDArray[np.bool_]:
        """The cells in the box that holds them."""
        cells, _ = cell_indices(self.points, self.cell_size)
        found = np.zeros(cells.max(axis=0) + 1, dtype=bool)
        found[tuple(cells.T)] = True
        return found


def workspace_overlap(first: Cells, second: Cells) -> WorkspaceOverlap:
    """The volumes of two workspaces against each other."""
    volumes = [len(each.points) * float(each.cell_size.prod()) for each in (first, second)]
    both = _shared(first, second) if all(volumes) else 0.0
    alone = [max(volume - both, 0.0) for volume in volumes]
    return WorkspaceOverlap(alone[0], alone[1], both, first.error + second.error)


def _shared(first: Cells, second: Cells) -> float:
    """Volume [m^3] in cells of both: sums over blocks between the planes of both grids."""
    lengths: list[FloatArray] = []
    places: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]] = ([], [])
    held = first.filled, second.filled
    for axis in range(3):
        planes = [
            each.lower[axis] + each.cell_size[axis] * np.arange(filled.shape[axis] + 1)
            for each, filled in zip((first, second), held, strict=True)
        ]
        edges = np.unique(np.concatenate(planes))
        edges = edges[np.concatenate([[True], np.diff(edges) > SAME * first.cell_size[axis]])]
        middles = (edges[1:] + edges[:-1]) / 2
        inside = np.ones(len(middles), dtype=bool)
        for own in planes:
            inside &= (middles > own[0]) & (middles < own[-1])
        lengths.append(np.diff(edges)[inside])
        for found, own in zip(places, planes, strict=True):
            found.append(np.searchsorted(own, middles[inside]) - 1)
    common = held[0][np.ix_(*places[0])] & held[1][np.ix_(*places[1])]
    return float(np.einsum("ijk,i,j,k->", common, *lengths))
