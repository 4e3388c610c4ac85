"""A closer look at the workspace: sensitivities, displacement under load, blocks, inscribed box, tails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cell_results import PASSED, CellResults
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import batches, block_conditions, responses
from models.hybrid_cable_robot.workspace_grid.grid import Grid, grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import cell_centers
from models.hybrid_cable_robot.workspace_grid.inscribed_box import box_rows, largest_boxes
from models.hybrid_cable_robot.workspace_grid.statistics import bad_tail, with_errors
from models.hybrid_cable_robot.workspace_grid.symmetry import (
    Columns,
    columns_of,
    keeps_wrench,
    subgroup,
    symmetries,
)

MARGINS = ("capacity_margin", "interference_margin")
RESPONSES = ("displacement_under_load", "rotation_sensitivity", "point_sensitivity")
BLOCKS = (
    "stiffness_index_translation",
    "stiffness_index_rotation",
    "dexterity_index_translation",
    "dexterity_index_rotation",
)


class Details(NamedTuple):
    """Details of the cells of a grid after the second pass.

    Attributes
    ----------
    verdicts : (nx, ny, nz) int8
    margins : (nx, ny, nz, 2) float, N and m
        Capacity and interference margin.
    responses : (nx, ny, nz, 3) float
        Of the feasible cells, in the order of ``RESPONSES``.
    squares : (nx, ny, nz, 4) float
        Squared inverse condition numbers of the cells of the index domain, in the order of ``BLOCKS``.
    """

    verdicts: NDArray[np.int8]
    margins: FloatArray
    responses: FloatArray
    squares: FloatArray


def detail_metrics(parameters: HybridCableRobot, cells: CellResults) -> dict[str, float]:
    """The metrics of the second pass of a workspace that is not empty, with their numerical errors."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    feasible = cells.verdicts == PASSED
    domain = np.ones_like(feasible) if parameters.index_domain == "cube" else feasible
    margins = np.stack([cells.margins, cells.distances - robot.diameter], axis=-1)
    details = Details(
        cells.verdicts,
        margins,
        _of_cells(robot, grid, responses, feasible, len(RESPONSES)),
        _of_cells(robot, grid, block_conditions, domain, len(BLOCKS)) ** 2,
    )
    return with_errors(_measure, details, grid.cell_volume)


def _of_cells(
    robot: Robot,
    grid: Grid,
    compute: Callable[[Robot, FloatArray], FloatArray],
    wanted: NDArray[np.bool_],
    count: int,
) -> FloatArray:
    """Values (nx, ny, nz, count) of the wanted cells, computed for one of all that are alike; else NaN."""
    found, places = _one_of_each(_alike(robot, grid), grid.shape[2], wanted.ravel())
    values = np.concatenate([compute(robot, cell_centers(grid, some)) for some in batches(found)])
    out = np.full((*grid.shape, count), np.nan)
    out[wanted] = values[places]
    return out


def _measure(details: Details, cell_volume: float) -> dict[str, float]:
    """The metrics of the second pass, of a grid with cells of ``cell_volume`` [m^3]."""
    feasible = details.verdicts == PASSED
    given = details.responses[feasible]
    boxes = largest_boxes(feasible)
    means = np.sqrt(details.squares[~np.isnan(details.squares[..., 0])].mean(axis=0))
    return {
        **dict(zip(RESPONSES, given.max(axis=0).tolist(), strict=True)),
        **dict(zip(BLOCKS, means.tolist(), strict=True)),
        **_tails(details.margins[feasible], given, box_rows(feasible, boxes)),
        "inscribed_box": float(np.prod(np.diff(boxes[0].reshape(3, 2)))) * cell_volume,
    }


def _tails(margins: FloatArray, given: FloatArray, boxes: Sequence[IntArray]) -> dict[str, float]:
    """Quantiles of margins (f, 2) and responses (f, 3) over the workspace and over its largest boxes.

    The boxes are rows (k,) of the f cells; of several the least favourable one counts, so that it does
    not matter which is found first.
    """
    found: dict[str, float] = {}
    for names, values, upward in ((MARGINS, margins, True), (RESPONSES, given, False)):
        worst = np.min if upward else np.max
        inside = worst([bad_tail(values[rows], more_is_better=upward) for rows in boxes], axis=0)
        whole = bad_tail(values, more_is_better=upward)
        tail = "q05" if upward else "q95"
        for name, over_all, over_box in zip(names, whole.tolist(), inside.tolist(), strict=True):
            found |= {f"{name}.{tail}": over_all, f"{name}.box": over_box}
    return found


def _alike(robot: Robot, grid: Grid) -> Columns:
    """The columns of cells that share these metrics: those of symmetries that keep the test load too."""
    group = [np.eye(3)] if robot.geometric else symmetries(robot, grid)
    return columns_of(subgroup([T for T in group if keeps_wrench(T, robot.test_load)]), grid)


def _one_of_each(columns: Columns, height: int, wanted: NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """Wanted cells (k,), one for all that are alike, and which of them stands for each wanted one (w,)."""
    cells = np.flatnonzero(wanted)
    chosen = columns.chosen[columns.orbit[cells // height]] * height + cells % height
    return np.unique(np.where(wanted[chosen], chosen, cells), return_inverse=True)
