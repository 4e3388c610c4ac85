"""From a robot and cells' centres to verdicts and numbers: the one caller of the compiled kernels.

Eight cables have kernels of their own, in :mod:`models.hybrid_cable_robot.simd`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot import cell_test_kernels
from models.hybrid_cable_robot.bounds.orientation_kernels import exclude_unproved, new_proof
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    PLATFORM,
    WORST_MARGIN,
    WRENCH,
    CellResults,
    empty_results,
)
from models.hybrid_cable_robot.robot import Robot, is_plain
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.simd.code_generator import CABLES
from models.hybrid_cable_robot.simd.driver import better_cells
from models.hybrid_cable_robot.simd.execution_plan import ExecutionPlan, plan_execution
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import fill_stiffness_conditions
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch


def plan_of(robot: Robot, *, every_index: bool) -> ExecutionPlan | None:
    """Plan the passes over cells.

    ``every_index`` asks for the inverse condition numbers of cells that fail a test too. None without kernels
    of its own for the robot's cables and freedoms.
    """
    if len(robot.pulleys) != CABLES or not is_plain(robot):
        return None
    return plan_execution(robot, every_index=every_index)


def evaluate_cells(robot: Robot, centers: FloatArray, *, every_index: bool) -> CellResults:
    """Test the cells with centres (n, 3) m; the rest as in :func:`plan_of`."""
    planned = plan_of(robot, every_index=every_index)
    return evaluate_planned_cells(robot, centers, planned, every_index=every_index)[0]


def evaluate_planned_cells(
    robot: Robot, centers: FloatArray, planned: ExecutionPlan | None, *, every_index: bool
) -> tuple[CellResults, NDArray[np.bool_]]:
    """The same as planned, and which cells (n,) were too close to call for the vector kernels."""
    results, doubtful = empty_results(len(centers)), np.zeros(len(centers), np.bool_)
    if planned is not None:
        doubtful = driver.test_as_planned(planned, centers, wrench_scratch(robot), results)
    else:
        cell_test_kernels.test_cells(robot, every_index, centers, wrench_scratch(robot), results)
    if robot.has_limits:
        cell_test_kernels.exclude_limited(robot, centers, results.verdicts)
    if len(robot.spans):
        _exclude_unproved(robot, centers, results, every_index=every_index)
    if robot.axial or robot.geometric:
        fill_stiffness_conditions(robot, centers, results.conditions_k)
    return results, doubtful


def _exclude_unproved(robot: Robot, centers: FloatArray, cells: CellResults, *, every_index: bool) -> None:
    """Exclude cells without a proof for every orientation, and clear what later tests found of them."""
    exclude_unproved(robot, centers, new_proof(robot), cells.verdicts)
    cells.margins[cells.verdicts == WRENCH] = np.nan
    cells.distances[(cells.verdicts == WRENCH) | (cells.verdicts == PLATFORM)] = np.nan
    if not every_index:
        earlier = np.isin(cells.verdicts, (WRENCH, PLATFORM, INTERFERENCE))
        cells.conditions_j[earlier] = cells.conditions_k[earlier] = np.nan


def best_margin(
    robot: Robot, sample: FloatArray, planned: ExecutionPlan | None, blocks: Iterable[FloatArray]
) -> float:
    """Greatest capacity margin [N] over the cells of blocks, each with centres (n, 3) m.

    The cells with centres ``sample`` (k, 3) m come first: with a good margin to beat, most others end early.
    """
    scratch = wrench_scratch(robot)
    best = cell_test_kernels.best_margin(robot, sample, WORST_MARGIN, scratch)
    for centers in blocks:
        some = centers if planned is None else centers[better_cells(planned, centers, best)]
        best = cell_test_kernels.best_margin(robot, np.ascontiguousarray(some), best, scratch)
    return best


def least_deficit(robot: Robot, centers: FloatArray, least: float) -> float:
    """Least over the cells of the worst deficit [m] of platform, cables and singularity, or ``least``."""
    return cell_test_kernels.least_deficit(robot, centers, least, wrench_scratch(robot))
