"""Cells and positions among obstacles: their verdicts, gaps and deficits."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import (
    ARM_CABLE,
    ARM_OBSTACLE,
    CABLE_OBSTACLE,
    PASSED,
    PLATFORM_OBSTACLE,
    CellResults,
)
from models.hybrid_cable_robot.cell_test_kernels import fill_infeasibilities
from models.hybrid_cable_robot.obstacles.arrays import solids_of
from models.hybrid_cable_robot.obstacles.gap_kernels import exclude_cells, fill_gaps, raise_deficits
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.wrench_test_kernels import wrench_scratch

SURROUNDING_CAUSES = {
    CABLE_OBSTACLE: "cables come too close to obstacles or the floor",
    PLATFORM_OBSTACLE: "the platform comes too close to obstacles or the floor",
    ARM_CABLE: "the arm comes too close to cables",
    ARM_OBSTACLE: "the arm comes too close to obstacles or the floor",
}


def tests_surroundings(parameters: HybridCableRobot) -> bool:
    """True if cells are tested for obstacles, the floor or the arm."""
    return (parameters.check_obstacles and parameters.has_surroundings) or parameters.check_arm


def with_surroundings(parameters: HybridCableRobot, centers: FloatArray, cells: CellResults) -> CellResults:
    """Results of cells with centres (n, 3) m, with the verdicts of the tests of their surroundings, too."""
    passed = np.flatnonzero(cells.verdicts.ravel() == PASSED)
    if not len(passed) or not tests_surroundings(parameters):
        return cells
    verdicts, found = cells.verdicts.copy(), np.empty(len(passed), np.int64)
    exclude_cells(robot_of(parameters), solids_of(parameters), np.ascontiguousarray(centers[passed]), found)
    verdicts.ravel()[passed] = found
    return cells._replace(verdicts=verdicts)


def surrounding_gaps(parameters: HybridCableRobot, positions: FloatArray) -> FloatArray:
    """Least gaps (n, 2) m at positions (n, 3) m over the orientations of the set.

    First those of cables and platform from obstacles and the floor, then those of the arm from cables,
    obstacles and the floor; infinite without any.
    """
    gaps = np.empty((len(positions), 2))
    fill_gaps(robot_of(parameters), solids_of(parameters), np.ascontiguousarray(positions), gaps)
    return gaps


def deficits(parameters: HybridCableRobot, robot: Robot, positions: FloatArray) -> FloatArray:
    """Worst deficits (n,) m, in all tests but that of the wrenches, of positions (n, 3) m that hold these."""
    lacking, places = np.empty((len(positions), 2)), np.ascontiguousarray(positions)
    fill_infeasibilities(robot, places, wrench_scratch(robot), lacking)
    worst = np.ascontiguousarray(lacking[:, 1])
    raise_deficits(robot, solids_of(parameters), places, worst)
    return worst
