"""Compiled tests and indices of cells, one pose at a time, with early exit.

The seam of the fast path: arrays that describe the robot and the cells' centres go in, a verdict
and four numbers per cell come out. :mod:`models.hybrid_cable_robot.cell_tests` does the same in plain
numpy.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.collision_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.kernel_records import (
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    SINGULAR_BELOW,
    WORST_MARGIN,
    WRENCH,
    CellResults,
    CheckOptions,
    Geometry,
    Loads,
)
from models.hybrid_cable_robot.stiffness_kernels import fill_gram, symmetric_inverse_condition
from models.hybrid_cable_robot.wrench_test_kernels import (
    Scratch,
    direction_excludes,
    fill_matrix,
    load_at,
    matrix_margin,
)
from models.jit import entry, inner


@inner
def _turn(step: int, first: int) -> int:
    """The load to test at ``step``: ``first``, then the others in their order."""
    if step == 0:
        return first
    return step - 1 if step <= first else step


@inner
def _cell_margin(
    shape: Geometry, loads: Loads, position: FloatArray, first: int, scratch: Scratch
) -> tuple[float, int]:
    """Least margin [N] over the loads and -1, or NaN and the load that fails."""
    least = math.inf
    postures = loads.centers.shape[0] // shape.rotations.shape[0]
    for step in range(loads.centers.shape[0]):
        index = _turn(step, first)
        load = load_at(loads, index)
        held = fill_matrix(shape, shape.rotations[index // postures], position, scratch.W)
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
def _conditions(
    shape: Geometry, checks: CheckOptions, position: FloatArray, W: FloatArray, work: FloatArray
) -> tuple[float, float]:
    """Inverse condition numbers of the Jacobian and of the stiffness at the nominal orientation."""
    if not fill_matrix(shape, shape.rotations[0], position, W):
        return 0.0, 0.0
    fill_gram(W, np.ones_like(checks.stiffness), work)
    jacobian = math.sqrt(symmetric_inverse_condition(work))
    fill_gram(W, checks.stiffness, work)
    return jacobian, symmetric_inverse_condition(work)


@inner
def _least_clearance(shape: Geometry, checks: CheckOptions, position: FloatArray) -> float:
    least = math.inf
    for index in range(shape.rotations.shape[0]):
        clearance = platform_clearance(shape, shape.rotations[index], position, checks.half_size)
        least = min(least, clearance)
    return least


@inner
def _least_distance(shape: Geometry, checks: CheckOptions, position: FloatArray, cables: FloatArray) -> float:
    least = math.inf
    for index in range(shape.rotations.shape[0]):
        rotation = shape.rotations[index]
        least = min(least, cable_distance(shape, checks.pairs, checks.reliefs, rotation, position, cables))
    return math.sqrt(least)


@entry
def test_cells(
    shape: Geometry,
    loads: Loads,
    checks: CheckOptions,
    centers: FloatArray,
    scratch: Scratch,
    out: CellResults,
) -> None:
    """Test the cells with centres (n, 3) m and fill ``out``, which holds NaN where not filled."""
    cables, work = np.empty((shape.pulleys.shape[0], 7)), np.empty((10, 6))
    first = loads.centers.shape[0] - 1  # turned poses are harder to hold than the nominal one
    for cell in range(centers.shape[0]):
        position = centers[cell]
        verdict = PASSED
        out.margins[cell], failed = _cell_margin(shape, loads, position, first, scratch)
        if failed >= 0:
            first = failed
            verdict = WRENCH
        elif checks.platform and _least_clearance(shape, checks, position) < 0.0:
            verdict = PLATFORM
        else:
            out.distances[cell] = _least_distance(shape, checks, position, cables)
            if checks.interference and out.distances[cell] <= checks.distance:
                verdict = INTERFERENCE
        if verdict == PASSED or checks.every_index:
            conditions = _conditions(shape, checks, position, scratch.W, work)
            out.conditions_j[cell], out.conditions_k[cell] = conditions
            if verdict == PASSED and conditions[0] < SINGULAR_BELOW:
                verdict = SINGULAR
        out.verdicts[cell] = verdict


@entry
def best_margin(shape: Geometry, loads: Loads, centers: FloatArray, best: float, scratch: Scratch) -> float:
    """Greatest over the cells of the least margin [N] over the loads, or ``best`` if greater."""
    postures = loads.centers.shape[0] // shape.rotations.shape[0]
    first = loads.centers.shape[0] - 1  # turned poses are harder to hold than the nominal one
    for cell in range(centers.shape[0]):
        least = math.inf
        for step in range(loads.centers.shape[0]):
            index = _turn(step, first)
            margin = WORST_MARGIN
            if fill_matrix(shape, shape.rotations[index // postures], centers[cell], scratch.W):
                margin = matrix_margin(load_at(loads, index), best, scratch)
            least = min(least, margin)
            if least <= best:
                first = index
                break
        best = max(best, least)
    return best


@inner
def _gap_deficit(
    shape: Geometry, checks: CheckOptions, position: FloatArray, least: float, cables: FloatArray
) -> float:
    """Worst deficit [m] of platform and cables over the orientations, or the first not below ``least``."""
    worst = 0.0
    for index in range(shape.rotations.shape[0]):
        if worst >= least:
            return worst
        rotation = shape.rotations[index]
        if checks.platform:
            worst = max(worst, -platform_clearance(shape, rotation, position, checks.half_size))
        if checks.interference:
            square = cable_distance(shape, checks.pairs, checks.reliefs, rotation, position, cables)
            worst = max(worst, checks.distance - math.sqrt(square))
    return worst


@entry
def least_deficit(
    shape: Geometry, checks: CheckOptions, centers: FloatArray, least: float, scratch: Scratch
) -> float:
    """Least over the cells of the worst deficit [m] of the tests after the wrench test, or ``least``.

    See :func:`models.hybrid_cable_robot.workspace_grid.infeasibility.empty_workspace`.
    """
    cables, work = np.empty((shape.pulleys.shape[0], 7)), np.empty((10, 6))
    for cell in range(centers.shape[0]):
        position = centers[cell]
        worst = _gap_deficit(shape, checks, position, least, cables)
        if worst < least:
            jacobian, _ = _conditions(shape, checks, position, scratch.W, work)
            least = min(least, max(worst, (SINGULAR_BELOW - jacobian) * shape.length_scale))
    return least


@entry
def fill_infeasibilities(
    shape: Geometry,
    loads: Loads,
    checks: CheckOptions,
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
        margin = best_margin(shape, loads, one, WORST_MARGIN, scratch)
        out[cell, 0] = max(0.0, -margin)
        out[cell, 1] = 0.0
        if margin > WORST_MARGIN:
            out[cell, 1] = least_deficit(shape, checks, one, math.inf, scratch)
