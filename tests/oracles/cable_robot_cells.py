"""The tests and indices of cells in plain numpy: what the compiled kernel must reproduce.

Slow and readable. Used by the tests and by whoever wants to
know what the kernel does.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry import cable_lengths, cable_rates, wrench_matrix
from models.hybrid_cable_robot.cell_results import (
    GREATEST_RESPONSE,
    INTERFERENCE,
    LENGTH,
    PASSED,
    PLATFORM,
    RATE_ROUNDING,
    SINGULAR,
    SINGULAR_BELOW,
    SPEED,
    WRENCH,
    CellResults,
    empty_results,
)
from models.hybrid_cable_robot.collisions.distances import least_cable_distance, platform_clearance
from models.hybrid_cable_robot.pose import pose_margin
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness import (
    basis_at,
    displacement,
    inv_cond,
    inv_cond_jacobian,
    pose_stiffness,
    sensitivities,
    stiffness_condition,
    turning_basis,
)
from models.hybrid_cable_robot.tensions.distribution import stiffening_tensions


def evaluate_cells(robot: Robot, centers: FloatArray, *, every_index: bool) -> CellResults:
    """Arguments and result as those of :func:`.workspace_grid.cell_evaluation.evaluate_cells`."""
    out = empty_results(len(centers))
    for cell, center in enumerate(centers):
        W = wrench_matrix(robot, center, robot.rotations[0])
        basis = basis_at(robot, robot.rotations[0])
        condition = inv_cond_jacobian(W, robot.length_scale, basis)
        out.verdicts[cell] = _verdict(robot, center, out, cell)
        if out.verdicts[cell] == PASSED or every_index:
            out.conditions_j[cell] = condition
            out.conditions_k[cell] = stiffness_condition(robot, W, _stiffness(robot, center), basis)
        if out.verdicts[cell] == PASSED and condition < SINGULAR_BELOW:
            out.verdicts[cell] = SINGULAR
        if out.verdicts[cell] == PASSED:
            out.verdicts[cell] = _limits_verdict(robot, center)
    return out


def _limits_verdict(robot: Robot, center: FloatArray) -> int:
    least, greatest = robot.length_limits.T
    for rotation in robot.rotations:
        lengths = cable_lengths(robot, center, rotation)
        if (lengths < least).any() or (lengths > greatest).any():
            return LENGTH
        rates = cable_rates(robot, center, rotation)
        if rates.max() > robot.rate_limit * (1.0 + RATE_ROUNDING):
            return SPEED
    return PASSED


def _stiffness(robot: Robot, center: FloatArray) -> FloatArray:
    rotation = robot.rotations[0]
    tensions = stiffening_tensions(robot, center[None], rotation)[0]
    return pose_stiffness(robot, center, rotation, tensions)


def block_conditions(robot: Robot, centers: FloatArray) -> FloatArray:
    """As :func:`models.hybrid_cable_robot.workspace_grid.cell_stiffness.block_conditions`."""
    rows: list[list[float]] = []
    for center in centers:
        K, W = _stiffness(robot, center), wrench_matrix(robot, center, robot.rotations[0])
        moves, turns = np.eye(3)[robot.rows[:3] > 0.0], turning_basis(robot, robot.rotations[0])
        stiff = [moves @ K[:3, :3] @ moves.T, turns @ K[3:, 3:] @ turns.T]
        rows.append([inv_cond(part) for part in (*stiff, (moves @ W[:3]).T, (turns @ W[3:]).T)])
    return np.array(rows)


def responses(robot: Robot, centers: FloatArray) -> FloatArray:
    """As :func:`models.hybrid_cable_robot.workspace_grid.cell_stiffness.responses`."""
    rows: list[list[float]] = []
    for center in centers:
        L, basis = robot.length_scale, basis_at(robot, robot.rotations[0])
        moved = displacement(_stiffness(robot, center), robot.test_load, L, basis)[:3]
        found = sensitivities(wrench_matrix(robot, center, robot.rotations[0]), L, basis)
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
