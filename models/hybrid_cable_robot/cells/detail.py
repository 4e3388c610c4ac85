"""A closer look at the workspace: sensitivities, displacement under load, blocks, inscribed box."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot.cells.grid import Grid, grid_of
from models.hybrid_cable_robot.cells.inscribed_box import largest_box
from models.hybrid_cable_robot.cells.sweep import cell_centers, orbits, spread, tested_parts
from models.hybrid_cable_robot.cells.symmetry import Columns, columns_of, keeps_wrench, symmetries
from models.hybrid_cable_robot.cells.tally import Tally
from models.hybrid_cable_robot.cells.verdicts import PASSED
from models.hybrid_cable_robot.geometry import IntArray, Robot, robot_of
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.stiffness.stiffness_survey import batches, block_conditions, responses

RESPONSES = ("displacement_under_load", "rotation_sensitivity", "point_sensitivity")
BLOCKS = (
    "stiffness_index_translation",
    "stiffness_index_rotation",
    "dexterity_index_translation",
    "dexterity_index_rotation",
)


def detailed_tally(parameters: HybridCableRobot) -> tuple[Tally, dict[str, float]]:
    """Sums over all cells and the metrics of the closer look, which an empty workspace has not."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    tally = Tally(parameters.index_domain == "cube")
    tested: list[tuple[IntArray, bool, NDArray[np.int8]]] = []
    for part in tested_parts(robot, grid, every_index=tally.whole_space, every_distance=False):
        tally.add(part.cells, part.weights)
        tested.append((part.places, part.single, part.cells.verdicts))
    if not tally.feasible:
        return tally, {}
    verdicts = np.empty(math.prod(grid.shape), np.int8)
    spread(orbits(robot, grid), grid.shape[2], tested, verdicts)
    return tally, detail_metrics(robot, grid, verdicts == PASSED, whole_space=tally.whole_space)


def detail_metrics(
    robot: Robot, grid: Grid, feasible: NDArray[np.bool_], *, whole_space: bool
) -> dict[str, float]:
    """The metrics of a workspace that is not empty.

    Parameters
    ----------
    robot : Robot
    grid : Grid
    feasible : (n,) bool
        The cells of the workspace, z fastest.
    whole_space : bool
        Whether the indices are means over every cell instead of the feasible ones.
    """
    columns = _alike(robot, grid)
    domain, weights = _one_of_each(columns, grid.shape[2], feasible | whole_space)
    inside, _ = _one_of_each(columns, grid.shape[2], feasible)
    box = largest_box(feasible.reshape(grid.shape)) * grid.cell_volume
    greatest = np.max(
        [responses(robot, cell_centers(grid, some)).max(axis=0) for some in batches(inside)], axis=0
    )
    squares = np.concatenate(
        [block_conditions(robot, cell_centers(grid, some)) ** 2 for some in batches(domain)]
    )
    means = np.sqrt(np.sum(weights[:, None] * squares, axis=0) / weights.sum())
    return {
        **dict(zip(RESPONSES, greatest.tolist(), strict=True)),
        **dict(zip(BLOCKS, means.tolist(), strict=True)),
        "inscribed_box": box,
    }


def _alike(robot: Robot, grid: Grid) -> Columns:
    """The columns of cells that share these metrics: those of symmetries that keep the test load too."""
    group = [np.eye(3)] if robot.geometric else symmetries(robot, grid)
    return columns_of([T for T in group if keeps_wrench(T, robot.test_load)], grid)


def _one_of_each(columns: Columns, height: int, wanted: NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """Wanted cells (k,), one for all that are alike, and how many each stands for (k,)."""
    cells = np.flatnonzero(wanted)
    chosen = columns.chosen[columns.orbit[cells // height]] * height + cells % height
    found = np.unique(np.where(wanted[chosen], chosen, cells), return_counts=True)
    return found[0], found[1]
