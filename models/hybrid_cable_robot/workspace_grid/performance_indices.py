"""A closer look at the workspace: sensitivities, displacement under load, blocks, inscribed box, tails."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cell_results import PASSED
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import batches, block_conditions, responses
from models.hybrid_cable_robot.workspace_grid.grid import Grid, grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import (
    cell_centers,
    grid_fields,
    tested_parts,
)
from models.hybrid_cable_robot.workspace_grid.inscribed_box import largest_boxes
from models.hybrid_cable_robot.workspace_grid.statistics import CellStatistics, bad_tail
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


def detailed_statistics(
    parameters: HybridCableRobot,
) -> tuple[CellStatistics, NDArray[np.bool_], dict[str, float]]:
    """Sums over all cells, the feasible ones (nx, ny, nz), and the metrics of the second pass.

    An empty workspace has no such metrics.
    """
    robot, grid = robot_of(parameters), grid_of(parameters)
    statistics = CellStatistics(parameters.index_domain == "cube")
    parts = list(tested_parts(robot, grid, every_index=statistics.whole_space))
    for part in parts:
        statistics.add(part.cells, part.weights)
    if not statistics.feasible:
        return statistics, np.zeros(grid.shape, np.bool_), {}
    cells = grid_fields(robot, grid, parts, ("verdicts", "margins", "distances"))
    feasible = cells["verdicts"] == PASSED
    margins = np.column_stack([cells["margins"][feasible], cells["distances"][feasible] - robot.diameter])
    details = detail_metrics(robot, grid, feasible, margins, whole_space=statistics.whole_space)
    return statistics, feasible.reshape(grid.shape), details


def detail_metrics(
    robot: Robot, grid: Grid, feasible: NDArray[np.bool_], margins: FloatArray, *, whole_space: bool
) -> dict[str, float]:
    """The metrics of a workspace that is not empty.

    Parameters
    ----------
    robot : Robot
    grid : Grid
    feasible : (n,) bool
        The cells of the workspace, z fastest.
    margins : (f, 2) float, N and m
        Capacity and interference margin of the f cells of the workspace.
    whole_space : bool
        Whether the indices are means over every cell instead of the feasible ones.
    """
    columns = _alike(robot, grid)
    domain, weights, _ = _one_of_each(columns, grid.shape[2], feasible | whole_space)
    inside, _, places = _one_of_each(columns, grid.shape[2], feasible)
    given = np.concatenate([responses(robot, cell_centers(grid, some)) for some in batches(inside)])
    boxes = largest_boxes(feasible.reshape(grid.shape))
    squares = np.concatenate(
        [block_conditions(robot, cell_centers(grid, some)) ** 2 for some in batches(domain)]
    )
    means = np.sqrt(np.sum(weights[:, None] * squares, axis=0) / weights.sum())
    return {
        **dict(zip(RESPONSES, given.max(axis=0).tolist(), strict=True)),
        **dict(zip(BLOCKS, means.tolist(), strict=True)),
        **_tails(margins, given[places], _box_rows(feasible.reshape(grid.shape), boxes)),
        "inscribed_box": float(np.prod(np.diff(boxes[0].reshape(3, 2)))) * grid.cell_volume,
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


def _box_rows(feasible: NDArray[np.bool_], boxes: IntArray) -> list[IntArray]:
    """Which of the feasible cells of (nx, ny, nz), counted with z fastest, each box (6,) holds."""
    rank = (np.cumsum(feasible) - 1).reshape(feasible.shape)
    return [rank[a:b, c:d, e:f].ravel() for a, b, c, d, e, f in boxes.tolist()]


def _alike(robot: Robot, grid: Grid) -> Columns:
    """The columns of cells that share these metrics: those of symmetries that keep the test load too."""
    group = [np.eye(3)] if robot.geometric else symmetries(robot, grid)
    return columns_of(subgroup([T for T in group if keeps_wrench(T, robot.test_load)]), grid)


def _one_of_each(
    columns: Columns, height: int, wanted: NDArray[np.bool_]
) -> tuple[IntArray, IntArray, IntArray]:
    """Wanted cells (k,), one for all that are alike, how many each stands for (k,), which for each (w,)."""
    cells = np.flatnonzero(wanted)
    chosen = columns.chosen[columns.orbit[cells // height]] * height + cells % height
    found = np.unique(np.where(wanted[chosen], chosen, cells), return_inverse=True, return_counts=True)
    return found[0], found[2], found[1]
