"""The workspace of a design: which cells of the space work, and how well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import PASSED
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.workspace_grid.grid import Grid, grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import (
    all_results,
    grid_fields,
    tested_parts,
)
from models.hybrid_cable_robot.workspace_grid.statistics import CellStatistics, shape_metrics
from models.hybrid_cable_robot.wrench_sets import require_wrench_set


@dataclass(frozen=True, slots=True)
class Workspace:
    """Every cell of the space, tested at its centre.

    Attributes
    ----------
    grid : Grid
        The cells; all arrays below have its shape (nx, ny, nz).
    feasible : (nx, ny, nz) bool
        Whether the cell passes every test at every orientation of the set.
    verdicts : (nx, ny, nz) int8
        The first test that a cell fails: 0 none, 1 wrench, 2 platform, 3 interference,
        4 singularity.
    capacity_margins : (nx, ny, nz) float, N
        Least over the orientations; NaN where the wrench test fails.
    interference_margins : (nx, ny, nz) float, m
        Least distance of two cables less their diameter; NaN where an earlier test fails.
    inv_cond_jacobian, inv_cond_stiffness : (nx, ny, nz) float
        At the nominal orientation; NaN where an earlier test fails and ``index_domain`` is not
        ``"cube"``.
    volume : float, m^3
    indices : mapping of str to float
        The metrics of the cells by name; empty when no cell is feasible.
    counters : mapping of str to int
        Cells by the test that excluded them.
    """

    grid: Grid
    feasible: NDArray[np.bool_]
    verdicts: NDArray[np.int8]
    capacity_margins: FloatArray
    interference_margins: FloatArray
    inv_cond_jacobian: FloatArray
    inv_cond_stiffness: FloatArray
    volume: float
    indices: Mapping[str, float]
    counters: Mapping[str, int]

    @property
    def points(self) -> FloatArray:
        """Centres (k, 3) m of the feasible cells, world frame."""
        return self.grid.centers()[self.feasible.ravel()]


def cell_statistics(parameters: HybridCableRobot) -> tuple[CellStatistics, NDArray[np.bool_]]:
    """Sums over all cells, and the feasible ones (nx, ny, nz)."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    statistics = CellStatistics(parameters.index_domain == "cube")
    parts = list(tested_parts(robot, grid, every_index=statistics.whole_space))
    for part in parts:
        statistics.add(part.cells, part.weights)
    verdicts = grid_fields(robot, grid, parts, ("verdicts",))["verdicts"]
    return statistics, (verdicts == PASSED).reshape(grid.shape)


def workspace(parameters: HybridCableRobot) -> Workspace:
    """Test every cell of the space and keep the results.

    Parameters
    ----------
    parameters : HybridCableRobot

    Returns
    -------
    Workspace
        An empty workspace has volume 0 and no indices.

    Raises
    ------
    InputError
        When the wrench set is that of a trajectory that the arm cannot follow.
    """
    require_wrench_set(parameters)
    robot, grid = robot_of(parameters), grid_of(parameters)
    whole_space = parameters.index_domain == "cube"
    statistics = CellStatistics(whole_space)
    parts = list(tested_parts(robot, grid, every_index=whole_space))
    for part in parts:
        statistics.add(part.cells, part.weights)
    cells = all_results(robot, grid, parts)
    verdicts = cells.verdicts.reshape(grid.shape)
    return Workspace(
        grid=grid,
        feasible=verdicts == PASSED,
        verdicts=verdicts,
        capacity_margins=cells.margins.reshape(grid.shape),
        interference_margins=cells.distances.reshape(grid.shape) - robot.diameter,
        inv_cond_jacobian=cells.conditions_j.reshape(grid.shape),
        inv_cond_stiffness=cells.conditions_k.reshape(grid.shape),
        volume=statistics.feasible * grid.cell_volume,
        indices=_indices(statistics, verdicts == PASSED, grid, robot) if statistics.feasible else {},
        counters=statistics.counters(),
    )


def _indices(
    statistics: CellStatistics, feasible: NDArray[np.bool_], grid: Grid, robot: Robot
) -> dict[str, float]:
    own = statistics.metrics(grid.cell_volume, robot.diameter)
    return {**own, **shape_metrics(feasible, grid.cell_volume)}
