"""Cells, positions and poses among obstacles: their verdicts, gaps and deficits."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import (
    ARM_CABLE,
    ARM_OBSTACLE,
    CABLE_OBSTACLE,
    PASSED,
    PLATFORM_OBSTACLE,
    WHEELS,
    CellResults,
)
from models.hybrid_cable_robot.cell_test_kernels import fill_infeasibilities
from models.hybrid_cable_robot.obstacles.arrays import capsules_at, solids_of, wheel_pairs
from models.hybrid_cable_robot.obstacles.gap_kernels import (
    exclude_cells,
    fill_gaps,
    fill_path_gaps,
    raise_deficits,
)
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch

SURROUNDING_CAUSES = {
    CABLE_OBSTACLE: "cables come too close to obstacles or the floor",
    PLATFORM_OBSTACLE: "the platform comes too close to obstacles or the floor",
    ARM_CABLE: "the arm comes too close to cables",
    ARM_OBSTACLE: "the arm comes too close to obstacles or the floor",
    WHEELS: "wheels of pulleys overlap",
}


def tests_surroundings(parameters: HybridCableRobot) -> bool:
    """True if cells are tested for obstacles, the floor, the arm or wheels that may overlap."""
    around = parameters.check_obstacles and parameters.has_surroundings
    return around or parameters.check_arm or len(wheel_pairs(parameters)) > 0


def with_surroundings(parameters: HybridCableRobot, centers: FloatArray, cells: CellResults) -> CellResults:
    """Results of cells with centres (n, 3) m, with the verdicts of the tests of their surroundings, too."""
    passed = np.flatnonzero(cells.verdicts.ravel() == PASSED)
    if not len(passed) or not tests_surroundings(parameters):
        return cells
    verdicts, found = cells.verdicts.copy(), np.empty(len(passed), np.int64)
    exclude_cells(robot_of(parameters), solids_of(parameters), np.ascontiguousarray(centers[passed]), found)
    verdicts.ravel()[passed] = found
    return cells._replace(verdicts=verdicts)


def gaps_at(parameters: HybridCableRobot, robot: Robot, positions: FloatArray) -> FloatArray:
    """Least gaps (n, 3) m at positions (n, 3) m over the orientations of the robot.

    First those of cables and platform from obstacles and the floor, then those of the arm from cables,
    obstacles and the floor, last those between wheels that may overlap; infinite without any.
    """
    gaps = np.empty((len(positions), 3))
    fill_gaps(robot, solids_of(parameters), np.ascontiguousarray(positions), gaps)
    return gaps


def gaps_along(
    parameters: HybridCableRobot,
    robot: Robot,
    rotations: FloatArray,
    positions: FloatArray,
    angles: FloatArray,
) -> FloatArray:
    """The same gaps (n, 3) m of n poses: rotations (n, 3, 3), positions (n, 3) m, joint angles (n, 6) rad."""
    gaps = np.empty((len(positions), 3))
    places, turns = np.ascontiguousarray(positions), np.ascontiguousarray(rotations)
    fill_path_gaps(robot, solids_of(parameters), turns, places, capsules_at(parameters, angles)[0], gaps)
    return gaps


def deficits(parameters: HybridCableRobot, robot: Robot, positions: FloatArray) -> FloatArray:
    """Worst deficits (n,) m, in all tests but that of the wrenches, of positions (n, 3) m that hold these."""
    lacking, places = np.empty((len(positions), 2)), np.ascontiguousarray(positions)
    fill_infeasibilities(robot, places, wrench_scratch(robot), lacking)
    worst = np.ascontiguousarray(lacking[:, 1])
    raise_deficits(robot, solids_of(parameters), places, worst)
    return worst
