"""The cells of the space, in blocks of layers small enough to hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.freedoms import NORMALS, PLANAR
from models.hybrid_cable_robot.parameters import HybridCableRobot

BLOCK = 1 << 16  # cells held at a time, so that memory is used again while it is in the cache


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal cells that fill the space; each is tested at its centre.

    Attributes
    ----------
    axes : three (n,) float, m
        Centre coordinates along x, y and z.
    cell_size : (3,) float, m
    """

    axes: tuple[FloatArray, FloatArray, FloatArray]
    cell_size: FloatArray

    @property
    def cell_volume(self) -> float:
        """Volume of a cell, m^3."""
        return float(np.prod(self.cell_size))

    @property
    def diagonal(self) -> float:
        """Diagonal of the whole space, m."""
        return float(np.linalg.norm(self.cell_size * self.shape))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells along x, y and z."""
        return len(self.axes[0]), len(self.axes[1]), len(self.axes[2])

    def centers(self, first: int = 0, last: int | None = None) -> FloatArray:
        """Centres (k, 3) m of the cells in the x layers ``first`` to ``last``, z fastest."""
        x, y, z = self.axes
        mesh = np.meshgrid(x[first:last], y, z, indexing="ij")
        return np.stack([part.ravel() for part in mesh], axis=1)

    def blocks(self) -> Iterator[FloatArray]:
        """Centres block by block, in the order of :meth:`centers`."""
        layers = max(1, BLOCK // (len(self.axes[1]) * len(self.axes[2])))
        for first in range(0, len(self.axes[0]), layers):
            yield self.centers(first, first + layers)


def grid_of(parameters: HybridCableRobot) -> Grid:
    """The grid that the record asks for: one layer of cells where the platform moves in a plane."""
    counts = np.full(3, parameters.cells)
    if parameters.freedoms in PLANAR:
        counts[NORMALS[parameters.plane]] = 1
    lower, upper = np.array(parameters.space)
    size = (upper - lower) / counts
    x, y, z = (lower[k] + (np.arange(counts[k]) + 0.5) * size[k] for k in range(3))
    return Grid((x, y, z), size)
