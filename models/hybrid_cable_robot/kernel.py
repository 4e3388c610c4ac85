"""Compiled tests and indices of cells, one pose at a time, with early exit.

The seam of the fast path: arrays that describe the robot and the cells' centres go in, a verdict
and three numbers per cell come out. :mod:`models.hybrid_cable_robot.twin` does the same in plain
numpy.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from models.hybrid_cable_robot.kernel_collision import fill_cables, least_distance, platform_clearance
from models.hybrid_cable_robot.kernel_index import fill_gram, inverse_condition
from models.hybrid_cable_robot.kernel_wrench import (
    UNDECIDED,
    direction_slack,
    fill_matrix,
    margin_any,
    margin_eight,
)
from models.hybrid_cable_robot.verdicts import (
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    SINGULAR_BELOW,
    WORST_MARGIN,
    WRENCH,
)

CLEARLY = -1e-6  # [N]; a direction violated by more at a neighbour's pose excludes without facets


@njit(cache=True, nogil=True)
def wrench_scratch(cables):
    """Memory for the wrench test of one pose."""
    eight = (
        np.empty((6, 8)),
        np.empty((6, 6)),
        np.empty((8, 6)),
        np.empty((8, 2)),
        np.empty((8, 8)),
        np.empty(8),
    )
    general = (np.empty((7, 7, 6)), np.empty((6, cables)), np.empty(7, np.int64))
    return np.empty((6, cables)), eight, general, np.zeros(6)


@njit(cache=True, nogil=True)
def pose_margin(
    pulleys,
    attachments,
    rotation,
    position,
    length_scale,
    center,
    half_range,
    f_min,
    f_max,
    tolerance,
    stop,
    scratch,
):
    """Capacity margin [N] of a pose, or the first one below ``stop``.

    The direction of the last facet looked at is left in the scratch memory.
    """
    W, eight, general, normal = scratch
    if not fill_matrix(pulleys, attachments, rotation, position, length_scale, W):
        normal[:] = 0.0
        return WORST_MARGIN
    margin = UNDECIDED
    if W.shape[1] == 8:
        margin = margin_eight(W, center, half_range, f_min, f_max, stop, eight, normal)
    if margin == UNDECIDED:
        margin = margin_any(W, center, half_range, f_min, f_max, tolerance, stop, general, normal)
    return max(margin, WORST_MARGIN)


@njit(cache=True, nogil=True)
def _excluded_by(normal, pulleys, attachments, rotation, position, length_scale, load, scratch):
    """Whether the direction that excluded a neighbour clearly excludes this pose too."""
    center, half_range, f_min, f_max = load
    square = 0.0
    for row in range(6):
        square += normal[row] * normal[row]
    if square == 0.0:
        return False
    W = scratch[0]
    if not fill_matrix(pulleys, attachments, rotation, position, length_scale, W):
        return False
    return direction_slack(W, normal, center, half_range, f_min, f_max) < CLEARLY * math.sqrt(square)


@njit(cache=True, nogil=True)
def _cell_margin(
    pulleys, attachments, rotations, position, length_scale, load, tolerance, scratch, excluding, start
):
    """Least margin over the orientations and the orientation that failed (or -1)."""
    center, half_range, f_min, f_max = load
    least = math.inf
    for step in range(rotations.shape[0]):
        # the orientation that failed last comes first, the others in turn
        index = start if step == 0 else (step - 1 if step <= start else step)
        rotation = rotations[index]
        if _excluded_by(
            excluding[index], pulleys, attachments, rotation, position, length_scale, load, scratch
        ):
            return math.nan, index
        margin = pose_margin(
            pulleys, attachments, rotation, position, length_scale,
            center, half_range, f_min, f_max, tolerance, -tolerance, scratch,
        )  # fmt: skip
        if margin < -tolerance:
            excluding[index] = scratch[3]
            return math.nan, index
        least = min(least, margin)
    return max(least, 0.0), -1


@njit(cache=True, nogil=True)
def test_cells(
    pulleys, attachments, rotations, length_scale, center, half_range, f_min, f_max, tolerance,
    half_size, distance, pairs, no_pair, stiffness, check_platform, check_interference, every_index, centers,
    verdicts, margins, distances, conditions_j, conditions_k,
):  # fmt: skip
    """Test every cell; all arrays are filled in place.

    Parameters
    ----------
    pulleys, attachments, rotations, length_scale, half_size, pairs, stiffness
        As in :class:`~models.hybrid_cable_robot.geometry.Robot`.
    center, half_range : (6,) float, N
        The wrench box, torques divided by ``length_scale``.
    f_min, f_max, tolerance : float, N
        Limits of the tensions, and the shortfall that still counts as none.
    distance : float, m
        Cables whose axes come as close as this touch.
    no_pair : float, m
        Distance reported when no two cables can touch.
    every_index : bool
        Whether the conditions are wanted at every cell, not only where they are needed.
    centers : (n, 3) float, m, world frame
    verdicts : (n,) int8, out
        See :mod:`models.hybrid_cable_robot.verdicts`.
    margins : (n,) float, N, out
        Capacity margin, least over the orientations; NaN where the wrench test fails.
    distances : (n,) float, m, out
        Least distance of two cables' axes; NaN where an earlier test fails.
    conditions_j, conditions_k : (n,) float, out
        Inverse condition numbers of the scaled Jacobian and stiffness matrix at the nominal
        orientation; NaN where they are not needed.
    """
    cables = pulleys.shape[0]
    scratch = wrench_scratch(cables)
    starts, units, lengths = np.empty((cables, 3)), np.empty((cables, 3)), np.empty(cables)
    gram, chain = np.empty((6, 6)), (np.empty(6), np.empty(6), np.empty(6), np.empty(6))
    ones = np.ones(cables)
    excluding = np.zeros((rotations.shape[0], 6))
    load = (center, half_range, f_min, f_max)
    first = 0
    for cell in range(centers.shape[0]):
        position = centers[cell]
        verdict = PASSED
        distances[cell] = conditions_j[cell] = conditions_k[cell] = math.nan
        margins[cell], failed = _cell_margin(
            pulleys,
            attachments,
            rotations,
            position,
            length_scale,
            load,
            tolerance,
            scratch,
            excluding,
            first,
        )
        if failed >= 0:
            verdict = WRENCH
            first = failed
        if verdict == PASSED and check_platform:
            for index in range(rotations.shape[0]):
                if platform_clearance(pulleys, attachments, rotations[index], position, half_size) < 0.0:
                    verdict = PLATFORM
                    break
        if verdict == PASSED:
            least = math.inf if pairs.shape[0] > 0 else no_pair * no_pair
            for index in range(rotations.shape[0]):
                fill_cables(pulleys, attachments, rotations[index], position, starts, units, lengths)
                least = least_distance(pairs, starts, units, lengths, least)
            distances[cell] = math.sqrt(least)
            if check_interference and distances[cell] <= distance:
                verdict = INTERFERENCE
        if verdict == PASSED or every_index:
            W = scratch[0]
            if fill_matrix(pulleys, attachments, rotations[0], position, length_scale, W):
                fill_gram(W, ones, gram)
                conditions_j[cell] = math.sqrt(inverse_condition(gram, chain))
            else:
                conditions_j[cell] = 0.0
            if verdict == PASSED and conditions_j[cell] < SINGULAR_BELOW:
                verdict = SINGULAR
            if conditions_j[cell] == 0.0:
                conditions_k[cell] = 0.0
            elif verdict == PASSED or every_index:
                fill_gram(W, stiffness, gram)
                conditions_k[cell] = inverse_condition(gram, chain)
        verdicts[cell] = verdict


@njit(cache=True, nogil=True)
def best_margin(
    pulleys, attachments, rotations, length_scale, center, half_range, f_min, f_max, tolerance, centers, best
):
    """Greatest over the cells of the least margin [N] over the orientations, or ``best`` if greater."""
    scratch = wrench_scratch(pulleys.shape[0])
    first = 0
    for cell in range(centers.shape[0]):
        least = math.inf
        for step in range(rotations.shape[0]):
            index = first if step == 0 else (step - 1 if step <= first else step)
            margin = pose_margin(
                pulleys, attachments, rotations[index], centers[cell], length_scale,
                center, half_range, f_min, f_max, tolerance, best, scratch,
            )  # fmt: skip
            least = min(least, margin)
            if least <= best:
                first = index
                break
        best = max(best, least)
    return best
