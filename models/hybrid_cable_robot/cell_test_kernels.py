"""Compiled tests and indices of cells, one pose at a time, with early exit.

The seam of the fast path: arrays that describe the robot and the cells' centres go in, a verdict
and four numbers per cell come out. ``tests/oracles/cable_robot_cells.py`` does the same in plain
numpy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry_kernels import fill_matrix, greatest_rate, length_excess
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    LENGTH,
    PASSED,
    PLATFORM,
    RATE_ROUNDING,
    SINGULAR,
    SINGULAR_BELOW,
    SPEED,
    WORST_MARGIN,
    WRENCH,
    CellResults,
)
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness_kernels import fill_gram
from models.hybrid_cable_robot.wrench.capacity_kernels import (
    Scratch,
    direction_excludes,
    load_at,
    matrix_margin,
)
from models.jit import entry, inner
from models.numerics.small_matrices import inverse_condition
from models.numerics.symmetric_matrices import symmetric_inverse_condition


@inner
def _turn(step: int, first: int) -> int:
    """The load to test at ``step``: ``first``, then the others in their order."""
    if step == 0:
        return first
    return step - 1 if step <= first else step


@inner
def _cell_margin(robot: Robot, position: FloatArray, first: int, scratch: Scratch) -> tuple[float, int]:
    """Least margin [N] over the loads and -1, or NaN and the load that fails."""
    least = math.inf
    postures = robot.load_centers.shape[0] // robot.rotations.shape[0]
    for step in range(robot.load_centers.shape[0]):
        index = _turn(step, first)
        load = load_at(robot, index)
        held = fill_matrix(robot, robot.rotations[index // postures], position, scratch.W)
        if not held or direction_excludes(scratch.W, load, scratch.excluding[index]):
            return math.nan, index
        margin = matrix_margin(load, -load.tolerance, scratch)
        if margin < -load.tolerance:
            for row in range(6):
                scratch.excluding[index, row] = scratch.normal[row]
            return math.nan, index
        least = min(least, margin)
    return max(least, 0.0), -1


@inner
def _fill_reduced(basis: FloatArray, W: FloatArray, reduced: FloatArray) -> None:
    """Fill ``reduced`` (n, m) with the rows of W (6, m) that the motion pattern has."""
    for row in range(basis.shape[0]):
        for i in range(W.shape[1]):
            reduced[row, i] = 0.0
            for other in range(6):
                reduced[row, i] += basis[row, other] * W[other, i]


@inner
def _reduced_conditions(robot: Robot, W: FloatArray, reduced: FloatArray) -> tuple[float, float]:
    """The conditions of a platform with fewer freedoms than six, whose wrench matrix is W (6, m)."""
    _fill_reduced(robot.bases[0], W, reduced)
    jacobian = inverse_condition(reduced)
    alike = True
    for i in range(1, W.shape[1]):
        alike = alike and robot.stiffness[i] == robot.stiffness[0]
    if alike:
        return jacobian, jacobian * jacobian
    _fill_reduced(robot.bases[0], W, reduced)
    for i in range(W.shape[1]):
        root = math.sqrt(robot.stiffness[i])
        for row in range(reduced.shape[0]):
            reduced[row, i] *= root
    stiffness = inverse_condition(reduced)
    return jacobian, stiffness * stiffness


@inner
def _conditions(
    robot: Robot, position: FloatArray, W: FloatArray, work: FloatArray, reduced: FloatArray
) -> tuple[float, float]:
    """Inverse condition numbers of the Jacobian and of the stiffness at the nominal orientation."""
    if not fill_matrix(robot, robot.rotations[0], position, W):
        return 0.0, 0.0
    if robot.rank < 6:
        return _reduced_conditions(robot, W, reduced)
    fill_gram(W, np.ones_like(robot.stiffness), work)
    jacobian = math.sqrt(symmetric_inverse_condition(work))
    fill_gram(W, robot.stiffness, work)
    return jacobian, symmetric_inverse_condition(work)


@inner
def _least_clearance(robot: Robot, position: FloatArray) -> float:
    least = math.inf
    for index in range(robot.rotations.shape[0]):
        clearance = platform_clearance(robot, robot.rotations[index], position)
        least = min(least, clearance)
    return least


@inner
def _least_distance(robot: Robot, position: FloatArray, cables: FloatArray) -> float:
    least = math.inf
    for index in range(robot.rotations.shape[0]):
        rotation = robot.rotations[index]
        least = min(least, cable_distance(robot, rotation, position, cables))
    return math.sqrt(least)


@entry
def test_cells(
    robot: Robot,
    every_index: bool,
    centers: FloatArray,
    scratch: Scratch,
    out: CellResults,
) -> None:
    """Test the cells with centres (n, 3) m and fill ``out``, which holds NaN where not filled.

    ``every_index`` asks for the inverse condition numbers of cells that fail, too.
    """
    cables, work = np.empty((robot.pulleys.shape[0], 7)), np.empty((10, 6))
    reduced = np.empty((robot.rank, robot.pulleys.shape[0]))
    first = robot.load_centers.shape[0] - 1  # turned poses are harder to hold than the nominal one
    for cell in range(centers.shape[0]):
        position = centers[cell]
        verdict = PASSED
        out.margins[cell], failed = _cell_margin(robot, position, first, scratch)
        if failed >= 0:
            first = failed
            verdict = WRENCH
        elif robot.check_platform and _least_clearance(robot, position) < 0.0:
            verdict = PLATFORM
        else:
            out.distances[cell] = _least_distance(robot, position, cables)
            if robot.check_interference and out.distances[cell] <= robot.touching:
                verdict = INTERFERENCE
        if verdict == PASSED or every_index:
            conditions = _conditions(robot, position, scratch.W, work, reduced)
            out.conditions_j[cell], out.conditions_k[cell] = conditions
            if verdict == PASSED and conditions[0] < SINGULAR_BELOW:
                verdict = SINGULAR
        out.verdicts[cell] = verdict


@entry
def best_margin(robot: Robot, centers: FloatArray, best: float, scratch: Scratch) -> float:
    """Greatest over the cells of the least margin [N] over the loads, or ``best`` if greater."""
    postures = robot.load_centers.shape[0] // robot.rotations.shape[0]
    first = robot.load_centers.shape[0] - 1  # turned poses are harder to hold than the nominal one
    for cell in range(centers.shape[0]):
        least = math.inf
        for step in range(robot.load_centers.shape[0]):
            index = _turn(step, first)
            margin = WORST_MARGIN
            if fill_matrix(robot, robot.rotations[index // postures], centers[cell], scratch.W):
                margin = matrix_margin(load_at(robot, index), best, scratch)
            least = min(least, margin)
            if least <= best:
                first = index
                break
        best = max(best, least)
    return best


@inner
def _gap_deficit(robot: Robot, position: FloatArray, least: float, cables: FloatArray) -> float:
    """Worst deficit [m] of platform and cables over the orientations, or the first not below ``least``."""
    worst = 0.0
    for index in range(robot.rotations.shape[0]):
        if worst >= least:
            return worst
        rotation = robot.rotations[index]
        if robot.check_platform:
            worst = max(worst, -platform_clearance(robot, rotation, position))
        if robot.check_interference:
            square = cable_distance(robot, rotation, position, cables)
            worst = max(worst, robot.touching - math.sqrt(square))
        if robot.has_limits:
            worst = max(worst, length_excess(robot, rotation, position))
            rate = greatest_rate(robot, rotation, position)
            worst = max(worst, (rate - robot.rate_limit) * robot.length_scale)
    return worst


@entry
def exclude_limited(robot: Robot, centers: FloatArray, verdicts: NDArray[np.int8]) -> None:
    """Exclude cells with centres (n, 3) m that have passed where a cable is beyond its length or speed."""
    for cell in range(centers.shape[0]):
        for index in range(robot.rotations.shape[0]):
            if verdicts[cell] != PASSED:
                break
            rotation = robot.rotations[index]
            if length_excess(robot, rotation, centers[cell]) > 0.0:
                verdicts[cell] = LENGTH
            elif greatest_rate(robot, rotation, centers[cell]) > robot.rate_limit * (1.0 + RATE_ROUNDING):
                verdicts[cell] = SPEED


@entry
def least_deficit(robot: Robot, centers: FloatArray, least: float, scratch: Scratch) -> float:
    """Least over the cells of the worst deficit [m] of the tests after the wrench test, or ``least``.

    See :func:`models.hybrid_cable_robot.workspace_grid.infeasibility.empty_workspace`.
    """
    cables, work = np.empty((robot.pulleys.shape[0], 7)), np.empty((10, 6))
    reduced = np.empty((robot.rank, robot.pulleys.shape[0]))
    for cell in range(centers.shape[0]):
        position = centers[cell]
        worst = _gap_deficit(robot, position, least, cables)
        if worst < least:
            jacobian, _ = _conditions(robot, position, scratch.W, work, reduced)
            least = min(least, max(worst, (SINGULAR_BELOW - jacobian) * robot.length_scale))
    return least


@entry
def fill_infeasibilities(
    robot: Robot,
    centers: FloatArray,
    scratch: Scratch,
    out: FloatArray,
) -> None:
    """Fill ``out`` (n, 2) with what positions (n, 3) m lack.

    First what they lack of a capacity margin of 0 [N], then the worst deficit [m] of the tests after the
    wrench test, 0 where a cable has no length.
    """
    for cell in range(centers.shape[0]):
        one = centers[cell : cell + 1]
        margin = best_margin(robot, one, WORST_MARGIN, scratch)
        out[cell, 0] = max(0.0, -margin)
        out[cell, 1] = 0.0
        if margin > WORST_MARGIN:
            out[cell, 1] = least_deficit(robot, one, math.inf, scratch)
