"""The workspace of a design: which cells of the space work, and how well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import PASSED, UNPROVED, CellResults
from models.hybrid_cable_robot.freedoms import NORMALS, Plane
from models.hybrid_cable_robot.obstacles.gaps import tests_surroundings, with_surroundings
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid.grid import Grid, grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import all_results, orbits, tested_parts
from models.hybrid_cable_robot.workspace_grid.statistics import (
    cell_metrics,
    counters,
    disconnected_volume,
    is_any_feasible,
    with_errors,
)
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
        4 singularity, 5 length of a cable, 6 speed of a cable, 7 cable and obstacle, 8 platform and obstacle,
        9 arm and cable, 10 arm and obstacle, 11 without a proof for every orientation, 12 wheels.
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

    def area(self, plane: Plane) -> float:
        """Area [m^2] of the feasible cells of a platform that moves in a plane."""
        return self.volume / float(self.grid.cell_size[NORMALS[plane]])


def tested_cells(parameters: HybridCableRobot) -> CellResults:
    """Results of the tests of every cell, as arrays (nx, ny, nz)."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    columns = orbits(robot, grid)
    parts = list(tested_parts(robot, grid, columns, every_index=parameters.index_domain == "cube"))
    found = all_results(grid, columns, parts)
    return with_surroundings(parameters, grid.centers(), found) if tests_surroundings(parameters) else found


def workspace_metrics(parameters: HybridCableRobot, cells: CellResults) -> dict[str, float]:
    """Metrics of a workspace that is not empty, with their numerical errors."""

    def measure(some: CellResults, volume: float) -> dict[str, float]:
        whole_space = parameters.index_domain == "cube"
        return cell_metrics(some, volume, diameter, whole_space=whole_space)

    diameter, volume = float(np.max(parameters.cable_diameter)), grid_of(parameters).cell_volume
    metrics = with_errors(measure, cells, volume)
    metrics["workspace_volume_error"] += int(np.count_nonzero(cells.verdicts == UNPROVED)) * volume
    return {**metrics, "disconnected_volume": disconnected_volume(cells.verdicts == PASSED, volume)}


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
    cells, grid = tested_cells(parameters), grid_of(parameters)
    feasible = cells.verdicts == PASSED
    return Workspace(
        grid=grid,
        feasible=feasible,
        verdicts=cells.verdicts,
        capacity_margins=cells.margins,
        interference_margins=cells.distances - float(np.max(parameters.cable_diameter)),
        inv_cond_jacobian=cells.conditions_j,
        inv_cond_stiffness=cells.conditions_k,
        volume=int(np.count_nonzero(feasible)) * grid.cell_volume,
        indices=workspace_metrics(parameters, cells) if is_any_feasible(cells) else {},
        counters=counters(cells),
    )
