"""Sums, quantiles and extremes over the cells of a grid, and the numerical error of each.

The error comes from the 27 coarse grids of every third cell along each axis: a share of the greatest
difference from one of them. It is a quarter, a half where a few cells decide, as for boxes, and the
whole where one cell does. Of 60 random robots with 20 cells per axis, such errors enclose at least 95 %
of the values with 72 cells, and 92 % of those where a few cells or one decide. Grids of every second cell
would not do: a symmetric robot has an even number of cells across its plane, so that all such grids agree.

The least over all cells is another matter: a finer grid comes closer to the border of the workspace, where
margins end, so that it tends to the limit that draws the border.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    OCCASIONAL,
    PASSED,
    PLATFORM,
    SINGULAR,
    WRENCH,
    CellResults,
)

TAIL = 0.05  # share of the volume that may be worse
LEAST_INDEX = 1e-9  # [m^1.5]; floor of the root sums, so that F2 and F3 stay finite
ONE = frozenset({
    "capacity_margin", "interference_margin", "displacement_under_load", "rotation_sensitivity",
    "point_sensitivity", "natural_frequency", "sag_max", "sag_error", "platform_speed", "task_power",
    "obstacle_margin", "arm_margin",
})  # fmt: skip
"""Metrics that one cell decides."""
FEW = frozenset({
    "capacity_margin.q05", "displacement_under_load.q95", "point_sensitivity.q95", "inscribed_box",
    "natural_frequency.q05", "sag_max.q95", "sag_error.q95", "platform_speed.q05", "task_power.q95",
    "obstacle_margin.q05", "arm_margin.q05",
})  # fmt: skip
"""Metrics that a few cells decide, besides those over boxes."""

Fields = TypeVar("Fields", bound=NamedTuple)


def bad_tail(values: FloatArray, *, more_is_better: bool) -> FloatArray:
    """The values (c,) than which ``TAIL`` of the n cells is worse, of columns (n, c).

    As ``numpy.quantile``, which takes 70 us for the 50 cells of a small coarse grid, and this 12.
    """
    ordered = np.sort(values, axis=0)
    place = (TAIL if more_is_better else 1.0 - TAIL) * (len(values) - 1)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(values) - 1)]
    return low + (place - below) * (high - low)


def is_any_feasible(cells: CellResults) -> bool:
    """True when the workspace is not empty."""
    return bool((cells.verdicts == PASSED).any())


def counters(cells: CellResults) -> dict[str, int]:
    """Cells of the grid, feasible ones, and cells that each test excluded.

    Tests that most robots do not have are left out where they excluded none.
    """
    counts = np.bincount(cells.verdicts.ravel(), minlength=max(OCCASIONAL) + 1).tolist()
    occasional = {f"failed_{name}": counts[number] for number, name in OCCASIONAL.items()}
    return {
        "cells": cells.verdicts.size,
        "feasible_cells": counts[PASSED],
        "failed_wrench": counts[WRENCH],
        "failed_platform": counts[PLATFORM],
        "failed_interference": counts[INTERFERENCE],
        "failed_singularity": counts[SINGULAR],
        **{name: count for name, count in occasional.items() if count},
    }


def cell_metrics(
    cells: CellResults, cell_volume: float, diameter: float, *, whole_space: bool
) -> dict[str, float]:
    """Metrics of a workspace that is not empty, but for those of its shape.

    Parameters
    ----------
    cells : CellResults
        Of a grid: arrays (nx, ny, nz).
    cell_volume : float, m^3
    diameter : float, m
        Diameter of the cables.
    whole_space : bool
        Sum the indices over every cell instead of the feasible ones.
    """
    feasible = cells.verdicts == PASSED
    volume = int(np.count_nonzero(feasible)) * cell_volume
    domain = np.ones_like(feasible) if whole_space else feasible
    squares_j, squares_k = (np.square(each[domain]) for each in (cells.conditions_j, cells.conditions_k))
    margins = cells.margins[feasible]
    return {
        "workspace_volume": volume,
        "F1": 1.0 / volume,
        "F2": 1.0 / max(math.sqrt(float(squares_k.sum()) * cell_volume), LEAST_INDEX),
        "F3": 1.0 / max(math.sqrt(float(squares_j.sum()) * cell_volume), LEAST_INDEX),
        "stiffness_index": math.sqrt(float(squares_k.mean())),
        "dexterity_index": math.sqrt(float(squares_j.mean())),
        "capacity_margin": float(margins.min()) + 0.0,
        "capacity_margin_mean": float(margins.mean()),
        "capacity_margin.q05": float(bad_tail(margins, more_is_better=True)),
        "interference_margin": float(np.fmin.reduce(cells.distances, axis=None)) - diameter,
    }


def with_errors(
    measure: Callable[[Fields, float], dict[str, float]], fields: Fields, cell_volume: float
) -> dict[str, float]:
    """Metrics of a grid that is not empty, and the numerical error of each.

    Parameters
    ----------
    measure : callable
        From fields, the first of them the verdicts, and the volume of a cell [m^3] to metrics.
    fields : named tuple of (nx, ny, nz, ...) arrays
    cell_volume : float, m^3
    """
    found = measure(fields, cell_volume)
    errors = dict.fromkeys(found, 0.0)
    kind = type(fields)
    for arrays in zip(*map(coarse_grids, fields), strict=True):
        part = kind(*arrays)
        verdicts: NDArray[Any] = part[0]
        empty = not (verdicts == PASSED).any()
        other = {} if empty else measure(part, cell_volume * fields[0].size / verdicts.size)
        for name, value in found.items():
            errors[name] = max(errors[name], abs(other.get(name, 0.0) - value))
    return {**found, **{f"{name}_error": _share(name) * error for name, error in errors.items()}}


def _share(name: str) -> float:
    """Share of the greatest difference between grids that is the error of a metric."""
    if name in ONE:
        return 1.0
    return 0.5 if name in FEW or name.endswith(".box") else 0.25


def coarse_grids(values: NDArray[Any]) -> list[NDArray[Any]]:
    """The 27 grids of every third cell along each axis of (nx, ny, nz, ...); fewer of fewer cells."""
    starts = np.ndindex(*(min(3, size) for size in values.shape[:3]))
    return [values[i::3, j::3, k::3] for i, j, k in starts]


def disconnected_volume(feasible: NDArray[np.bool_], cell_volume: float) -> float:
    """Volume [m^3] of the feasible cells (nx, ny, nz) outside their largest connected part."""
    from scipy.ndimage import label

    parts, _ = label(feasible)
    sizes = np.bincount(parts.ravel())[1:]
    return int(sizes.sum() - sizes.max(initial=0)) * cell_volume
