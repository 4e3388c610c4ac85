"""Sums and quantiles over cells, and the metrics that they give.

The least over all cells is another matter: a finer grid comes closer to the border of the workspace,
where margins end, so that it tends to the limit that draws the border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    WRENCH,
    CellResults,
)

TAIL = 0.05  # share of the volume that may be worse


def bad_tail(values: FloatArray, *, more_is_better: bool) -> FloatArray:
    """The values (c,) than which ``TAIL`` of the n cells is worse, of columns (n, c)."""
    return np.quantile(values, TAIL if more_is_better else 1.0 - TAIL, axis=0)


def weighted_tail(values: FloatArray, weights: IntArray) -> float:
    """The value than which ``TAIL`` of the cells has less, of values (n,) for ``weights`` (n,) cells each."""
    return float(np.quantile(np.repeat(values, weights), TAIL))


LEAST_INDEX = 1e-9  # [m^1.5]; floor of the root sums, so that F2 and F3 stay finite


@dataclass(slots=True)
class CellStatistics:
    """What the metrics need of the cells seen so far.

    Attributes
    ----------
    whole_space : bool
        Whether the indices are summed over every cell instead of the feasible ones.
    counts : (5,) int
        Cells by verdict.
    square_j, square_k : list of float
        Sums of squared inverse condition numbers of Jacobian and stiffness matrix, per block.
    margins : list of ((k,) float, (k,) int), N
        Of the cells that pass, per block, and how many cells each stands for.
    least_margin : float, N
    least_distance : float, m
    """

    whole_space: bool
    counts: np.ndarray[tuple[int], np.dtype[np.int64]] = field(default_factory=lambda: np.zeros(5, np.int64))
    square_j: list[float] = field(default_factory=list[float])
    square_k: list[float] = field(default_factory=list[float])
    margins: list[tuple[FloatArray, IntArray]] = field(default_factory=list[tuple[FloatArray, IntArray]])
    least_margin: float = math.inf
    least_distance: float = math.inf

    def add(self, cells: CellResults, weights: IntArray) -> None:
        """Count a block of cells, each standing for ``weights`` (n,) of them."""
        for verdict in range(len(self.counts)):
            self.counts[verdict] += np.sum(weights, where=cells.verdicts == verdict)
        feasible = np.flatnonzero(cells.verdicts == PASSED)
        summed = slice(None) if self.whole_space else feasible
        self.square_j.append(_square_sum(cells.conditions_j[summed], weights[summed]))
        self.square_k.append(_square_sum(cells.conditions_k[summed], weights[summed]))
        margins = cells.margins[feasible]
        self.margins.append((margins, weights[feasible]))
        self.least_margin = min(self.least_margin, np.min(margins, initial=math.inf))
        self.least_distance = min(self.least_distance, np.fmin.reduce(cells.distances, initial=math.inf))

    @property
    def feasible(self) -> int:
        """Cells that pass every test."""
        return int(self.counts[PASSED])

    def counters(self) -> dict[str, int]:
        """How many cells each test excluded."""
        return {
            "cells": int(self.counts.sum()),
            "feasible_cells": self.feasible,
            "failed_wrench": int(self.counts[WRENCH]),
            "failed_platform": int(self.counts[PLATFORM]),
            "failed_interference": int(self.counts[INTERFERENCE]),
            "failed_singularity": int(self.counts[SINGULAR]),
        }

    def metrics(self, cell_volume: float, diameter: float) -> dict[str, float]:
        """Metrics of a workspace that is not empty, but for those of its shape (:func:`shape_metrics`).

        Parameters
        ----------
        cell_volume : float, m^3
        diameter : float, m
            Diameter of the cables.
        """
        volume = self.feasible * cell_volume
        squares_j, squares_k = math.fsum(self.square_j), math.fsum(self.square_k)
        summed = int(self.counts.sum()) if self.whole_space else self.feasible
        margins, weights = (np.concatenate(part) for part in zip(*self.margins, strict=True))
        sums = (float(np.sum(some * counts)) for some, counts in self.margins)
        return {
            "workspace_volume": volume,
            "F1": 1.0 / volume,
            "F2": 1.0 / max(math.sqrt(squares_k * cell_volume), LEAST_INDEX),
            "F3": 1.0 / max(math.sqrt(squares_j * cell_volume), LEAST_INDEX),
            "stiffness_index": math.sqrt(squares_k / summed),
            "dexterity_index": math.sqrt(squares_j / summed),
            "capacity_margin": float(self.least_margin) + 0.0,
            "capacity_margin_mean": math.fsum(sums) / self.feasible,
            "capacity_margin.q05": weighted_tail(margins, weights),
            "interference_margin": float(self.least_distance) - diameter,
        }


def shape_metrics(feasible: NDArray[np.bool_], cell_volume: float) -> dict[str, float]:
    """Metrics of the shape of the feasible cells (nx, ny, nz), each of ``cell_volume`` [m^3].

    The error of the volume is the greatest difference between it and the volume that one of the eight grids
    with every second cell along each axis gives: their spread is that of a grid of twice the cell size, and
    it is small by chance only where all eight agree.
    """
    from scipy.ndimage import label

    count = int(np.count_nonzero(feasible))
    shares = [float(np.mean(some)) for some in _every_second(feasible)]
    volume = count * cell_volume
    parts, _ = label(feasible)
    largest = int(np.bincount(parts.ravel())[1:].max()) if count else 0
    return {
        "workspace_volume_error": max(abs(share * feasible.size * cell_volume - volume) for share in shares),
        "disconnected_volume": (count - largest) * cell_volume,
    }


def _every_second(cells: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The eight interleaved grids of every second cell along each axis."""
    return [cells[i::2, j::2, k::2] for i, j, k in np.ndindex(2, 2, 2)]


def _square_sum(values: FloatArray, weights: IntArray) -> float:
    return float(np.sum(values * values * weights))
