"""Quantiles over cells: what a small share of the workspace falls short of, whatever the grid.

The least over all cells is another matter: a finer grid comes closer to the border of the workspace,
where margins end, so that it tends to the limit that draws the border.
"""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.geometry import FloatArray, IntArray

TAIL = 0.05  # share of the volume that may be worse


def bad_tail(values: FloatArray, *, more_is_better: bool) -> FloatArray:
    """The values (c,) than which ``TAIL`` of the n cells is worse, of columns (n, c)."""
    return np.quantile(values, TAIL if more_is_better else 1.0 - TAIL, axis=0)


def weighted_tail(values: FloatArray, weights: IntArray) -> float:
    """The value than which ``TAIL`` of the cells has less, of values (n,) for ``weights`` (n,) cells each."""
    return float(np.quantile(np.repeat(values, weights), TAIL))
