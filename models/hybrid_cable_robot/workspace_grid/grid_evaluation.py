"""All cells of the grid, tested one by one or one for each orbit of the design's symmetries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cell_results import CellResults
from models.hybrid_cable_robot.robot import Robot, is_plain
from models.hybrid_cable_robot.simd.code_generator import CABLES
from models.hybrid_cable_robot.workspace_grid import grid as grids
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import (
    evaluate_cells,
    evaluate_planned_cells,
    plan_of,
)
from models.hybrid_cable_robot.workspace_grid.grid import Grid
from models.hybrid_cable_robot.workspace_grid.symmetry import Columns, columns_of, symmetries


class Part(NamedTuple):
    """Some cells.

    Attributes
    ----------
    places : (k,) int
        The columns that they are in, each from bottom to top; or single cells, counted with z
        fastest, if ``single``.
    single : bool
    cells : CellResults
    """

    places: IntArray
    single: bool
    cells: CellResults


def tested_parts(robot: Robot, grid: Grid, columns: Columns, *, every_index: bool) -> Iterator[Part]:
    """Test the cells, in parts small enough to hold; what is wanted of each as in :class:`ExecutionPlan`.

    Where a cell was too close to call, the cells that mirror it are tested themselves.
    """
    height = len(grid.axes[2])
    planned = plan_of(robot, every_index=every_index)
    for some in _slices(columns, height):
        chosen = columns.chosen[some]
        centers = _centers(grid, chosen)
        cells, doubtful = evaluate_planned_cells(robot, centers, planned, every_index=every_index)
        yield Part(chosen, False, cells)
        others = _others(columns, chosen, np.flatnonzero(doubtful), height)
        if len(others):
            found = evaluate_cells(robot, cell_centers(grid, others), every_index=every_index)
            yield Part(others, True, found)


def distinct_blocks(grid: Grid, columns: Columns) -> Iterator[FloatArray]:
    """Centres (k, 3) m block by block, of one cell for all that share their results."""
    for some in _slices(columns, len(grid.axes[2])):
        yield _centers(grid, columns.chosen[some])


def distinct_sample(grid: Grid, columns: Columns, count: int) -> FloatArray:
    """Centres (k, 3) m of ``count`` of the same cells or more, evenly spread; of all if they are fewer."""
    height = len(grid.axes[2])
    cells = len(columns.chosen) * height
    step = max(1, cells // count)
    while math.gcd(step, height) > 1:  # else no cell of some levels would be among them
        step -= 1
    places = np.arange(0, cells, step)
    return cell_centers(grid, columns.chosen[places // height] * height + places % height)


def all_results(grid: Grid, columns: Columns, parts: list[Part]) -> CellResults:
    """Results of every cell of the grid, as arrays (nx, ny, nz), from those of all parts."""
    height = grid.shape[2]
    fields: dict[str, NDArray[Any]] = {}
    for name in CellResults._fields:
        tested = [(part.places, part.single, getattr(part.cells, name)) for part in parts]
        every = np.empty(len(columns.orbit) * height, tested[0][2].dtype)
        spread(columns, height, tested, every)
        fields[name] = every.reshape(grid.shape)
    return CellResults(**fields)


def spread(
    columns: Columns, height: int, tested: list[tuple[IntArray, bool, NDArray[Any]]], out: NDArray[Any]
) -> None:
    """Fill ``out`` (n,), one value per cell of the grid, z fastest, from the values of all parts.

    ``tested`` holds places, ``single`` and values of each part; a column has ``height`` cells.
    """
    chosen = np.concatenate([places for places, single, _ in tested if not single])
    values = np.concatenate([values for _, single, values in tested if not single])
    place = np.searchsorted(chosen, columns.chosen[columns.orbit])
    np.take(values.reshape(-1, height), place, axis=0, out=out.reshape(-1, height))
    for places, single, own in tested:
        if single:
            out[places] = own


def orbits(robot: Robot, grid: Grid) -> Columns:
    """The columns that share their results.

    Every one for itself unless there are eight cables that are alike, with no limits of length or speed, and
    their stiffness does not depend on tensions, which need not be symmetric.
    """
    usable = len(robot.pulleys) == CABLES and is_plain(robot) and not robot.geometric and not robot.has_limits
    return columns_of(symmetries(robot, grid) if usable else [np.eye(3)], grid)


def _slices(columns: Columns, height: int) -> Iterator[slice]:
    """The chosen columns in parts small enough to hold."""
    step = max(1, grids.BLOCK // height)
    return (slice(first, first + step) for first in range(0, len(columns.chosen), step))


def _centers(grid: Grid, columns: IntArray) -> FloatArray:
    """Centres (k * n, 3) m of the cells of the columns (k,), z fastest."""
    x, y, z = grid.axes
    height = len(z)
    centers = np.empty((len(columns), height, 3))
    centers[:, :, 0] = x[columns // len(y), None]
    centers[:, :, 1] = y[columns % len(y), None]
    centers[:, :, 2] = z
    return centers.reshape(-1, 3)


def cell_centers(grid: Grid, cells: IntArray) -> FloatArray:
    """Centres (n, 3) m of single cells (n,), counted with z fastest."""
    x, y, z = grid.axes
    columns = cells // len(z)
    return np.column_stack([x[columns // len(y)], y[columns % len(y)], z[cells % len(z)]])


def _others(columns: Columns, chosen: IntArray, doubtful: IntArray, height: int) -> IntArray:
    """The cells (k,) that the group takes the doubtful ones of the chosen columns to."""
    own = chosen[doubtful // height]
    level = doubtful % height
    images: IntArray = columns.images[:, own] * height + level
    cells: IntArray = own * height + level
    return np.setdiff1d(images, cells)
