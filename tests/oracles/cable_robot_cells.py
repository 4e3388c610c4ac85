"""The tests and indices of cells in plain numpy: what the compiled kernel must reproduce.

Slow and readable. Used by the tests and by whoever wants to
know what the kernel does.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables import wrench_matrix
from models.hybrid_cable_robot.cell_results import (
    GREATEST_RESPONSE,
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    SINGULAR_BELOW,
    WRENCH,
    CellResults,
    empty_results,
)
from models.hybrid_cable_robot.collision import least_cable_distance, platform_clearance
from models.hybrid_cable_robot.pose import pose_margin
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness import (
    displacement,
    inv_cond,
    inv_cond_jacobian,
    pose_stiffness,
    sensitivities,
    stiffness_condition,
)
from models.hybrid_cable_robot.tension_distribution import stiffening_tensions


def evaluate_cells(robot: Robot, centers: FloatArray, *, every_index: bool) -> CellResults:
    """Arguments and result as those of :func:`.workspace_grid.cell_evaluation.evaluate_cells`."""
    out = empty_results(len(centers))
    for cell, center in enumerate(centers):
        W = wrench_matrix(robot, center, robot.rotations[0])
        condition = inv_cond_jacobian(W, robot.length_scale)
        out.verdicts[cell] = _verdict(robot, center, out, cell)
        if out.verdicts[cell] == PASSED or every_index:
            out.conditions_j[cell] = condition
            out.conditions_k[cell] = stiffness_condition(robot, W, _stiffness(robot, center))
        if out.verdicts[cell] == PASSED and condition < SINGULAR_BELOW:
            out.verdicts[cell] = SINGULAR
    return out


def _stiffness(robot: Robot, center: FloatArray) -> FloatArray:
    rotation = robot.rotations[0]
    tensions = stiffening_tensions(robot, center[None], rotation)[0]
    return pose_stiffness(robot, center, rotation, tensions)


def block_conditions(robot: Robot, centers: FloatArray) -> FloatArray:
    """As :func:`models.hybrid_cable_robot.workspace_grid.cell_stiffness.block_conditions`."""
    rows: list[list[float]] = []
    for center in centers:
        K, W = _stiffness(robot, center), wrench_matrix(robot, center, robot.rotations[0])
        rows.append([inv_cond(part) for part in (K[:3, :3], K[3:, 3:], W[:3].T, W[3:].T)])
    return np.array(rows)


def responses(robot: Robot, centers: FloatArray) -> FloatArray:
    """As :func:`models.hybrid_cable_robot.workspace_grid.cell_stiffness.responses`."""
    rows: list[list[float]] = []
    for center in centers:
        moved = displacement(_stiffness(robot, center), robot.test_load)[:3]
        found = sensitivities(wrench_matrix(robot, center, robot.rotations[0]))
        rows.append([float(np.linalg.norm(moved)), *found])
    return np.minimum(np.array(rows), GREATEST_RESPONSE)


def _verdict(robot: Robot, center: FloatArray, out: CellResults, cell: int) -> int:
    margins: list[float] = []
    for rotation in robot.rotations:
        margins.append(pose_margin(robot, center, rotation))
        if margins[-1] < -robot.tolerance:
            return WRENCH
    out.margins[cell] = max(0.0, min(margins))
    clearances = (platform_clearance(robot, center, rotation) for rotation in robot.rotations)
    if robot.check_platform and any(clearance < 0.0 for clearance in clearances):
        return PLATFORM
    out.distances[cell] = min(least_cable_distance(robot, center, rotation) for rotation in robot.rotations)
    touching = out.distances[cell] <= robot.diameter + robot.clearance
    return INTERFERENCE if robot.check_interference and touching else PASSED


def greatest_margin(robot: Robot, centers: FloatArray) -> float:
    """Greatest over the cells of the least margin [N] over the orientations."""
    return float(
        np.max([min(pose_margin(robot, center, turn) for turn in robot.rotations) for center in centers])
    )
