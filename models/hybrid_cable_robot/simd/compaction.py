"""Compiled copying between the list of cells and the vectors, before and after each pass.

Each ``compact`` function reads outputs (blocks, ``BLOCK_POSES``) of one kernel for the cells
``active[start:stop]``, marks those that are too close to call as doubtful, and moves those that pass to
``active[kept:]``. It returns how many are kept so far.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    SINGULAR_BELOW,
    WRENCH,
)
from models.hybrid_cable_robot.simd.code_generator import BLOCK_POSES
from models.jit import entry

CLOSE_MARGIN = 4.0  # tolerances from the limit
CLOSE_GAP = 1e-9  # [m]
CLOSE_CONDITION = 1e-12  # squared inverse condition number

Verdicts = NDArray[np.int8]
Marks = NDArray[np.bool_]


@entry
def pack_positions(centers: FloatArray, active: IntArray, start: int, stop: int, io: FloatArray) -> int:
    """Put the positions of the cells into the first rows of ``io``; returns the number of blocks.

    The last block is filled up with the last cell.
    """
    blocks = (stop - start + BLOCK_POSES - 1) // BLOCK_POSES
    for block in range(blocks):
        first = start + block * BLOCK_POSES
        x, y, z = io[block, 0], io[block, 1], io[block, 2]
        whole = min(BLOCK_POSES, stop - first)
        for pose in range(BLOCK_POSES):
            cell = np.uintp(active[first + min(pose, whole - 1)])  # unsigned: not counted from the end
            x[pose] = centers[cell, 0]
            y[pose] = centers[cell, 1]
            z[pose] = centers[cell, 2]
    return blocks


@entry
def compact_better(
    margin: FloatArray,
    trusted: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    band: float,
    best: float,
) -> int:
    """Keep the cells whose margin may exceed ``best``: it is off by less than ``band``, or not trusted."""
    for place in range(start, stop):
        block, pose = (place - start) // BLOCK_POSES, (place - start) % BLOCK_POSES
        value, trust = margin[block, pose], trusted[block, pose]
        if trust == 0.0 or value + band >= best:
            active[kept] = active[place]
            kept += 1
    return kept


@entry
def compact_wrench(
    margin: FloatArray,
    trusted: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    tolerance: float,
    margins: FloatArray,
    verdicts: Verdicts,
    doubtful: Marks,
) -> int:
    """Keep the cells whose margin is clearly not negative; ``margins`` becomes the least so far."""
    for place in range(start, stop):
        cell = active[place]
        block, pose = (place - start) // BLOCK_POSES, (place - start) % BLOCK_POSES
        value = margin[block, pose]
        if trusted[block, pose] == 0.0 or abs(value + tolerance) <= CLOSE_MARGIN * tolerance:
            doubtful[cell] = True
        elif value < -tolerance:
            margins[cell] = math.nan
            verdicts[cell] = WRENCH
        else:
            margins[cell] = min(margins[cell], value)
            active[kept] = cell
            kept += 1
    return kept


@entry
def compact_gaps(
    gap: FloatArray, active: IntArray, start: int, stop: int, kept: int, verdicts: Verdicts, doubtful: Marks
) -> int:
    """Keep the cells in which no cable cuts the platform."""
    for place in range(start, stop):
        cell = active[place]
        value = gap[(place - start) // BLOCK_POSES, (place - start) % BLOCK_POSES]
        if abs(value) <= CLOSE_GAP:
            doubtful[cell] = True
        elif value < 0.0:
            verdicts[cell] = PLATFORM
        else:
            active[kept] = cell
            kept += 1
    return kept


@entry
def compact_conditions(
    condition_j: FloatArray,
    condition_k: FloatArray,
    trusted: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    conditions_j: FloatArray,
    conditions_k: FloatArray,
    verdicts: Verdicts,
    doubtful: Marks,
) -> int:
    """Write the condition numbers; a cell that passes everything else can still be singular."""
    for place in range(start, stop):
        cell = active[place]
        block, pose = (place - start) // BLOCK_POSES, (place - start) % BLOCK_POSES
        square = condition_j[block, pose]
        close = abs(square - SINGULAR_BELOW**2) <= CLOSE_CONDITION
        if trusted[block, pose] == 0.0 or close:
            doubtful[cell] = True
            continue
        conditions_j[cell] = math.sqrt(square)
        conditions_k[cell] = condition_k[block, pose]
        if verdicts[cell] == PASSED and square < SINGULAR_BELOW**2:
            verdicts[cell] = SINGULAR
        kept += 1
    return kept


@entry
def compact_distances(
    distance: FloatArray,
    trusted: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    distances: FloatArray,
    doubtful: Marks,
) -> int:
    """Keep the cells that can be trusted; ``distances`` becomes the least so far."""
    for place in range(start, stop):
        cell = active[place]
        block, pose = (place - start) // BLOCK_POSES, (place - start) % BLOCK_POSES
        if trusted[block, pose] == 0.0:
            doubtful[cell] = True
        else:
            distances[cell] = min(distances[cell], distance[block, pose])
            active[kept] = cell
            kept += 1
    return kept


@entry
def compact_interference(
    active: IntArray, count: int, limit: float, distances: FloatArray, verdicts: Verdicts, doubtful: Marks
) -> int:
    """Keep the cells in which cables are farther apart than ``limit`` [m] at all orientations."""
    kept = 0
    for place in range(count):
        cell = active[place]
        if abs(distances[cell] - limit) <= CLOSE_GAP:
            doubtful[cell] = True
        elif distances[cell] < limit:
            verdicts[cell] = INTERFERENCE
        else:
            active[kept] = cell
            kept += 1
    return kept
