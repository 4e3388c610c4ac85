"""Compiled copying between the list of cells and the vectors, before and after each pass.

Each ``sift`` reads the outputs of one kernel for the cells ``active[start:stop]``, marks those that
are too close to call as doubtful, and moves those that pass to ``active[kept:]``. It returns how
many are kept so far.
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
from models.hybrid_cable_robot.simd.code_generator import LANES
from models.jit import entry

CLOSE_MARGIN = 4.0  # tolerances from the limit
CLOSE_GAP = 1e-9  # [m]
CLOSE_CONDITION = 1e-12  # squared inverse condition number

Verdicts = NDArray[np.int8]
Marks = NDArray[np.bool_]


@entry
def gather(centers: FloatArray, active: IntArray, start: int, stop: int, rows: int, io: FloatArray) -> int:
    """Put the positions of the cells into the first three rows; returns the number of blocks.

    The last block is filled up with the last cell.
    """
    blocks = (stop - start + LANES - 1) // LANES
    for block in range(blocks):
        base, first = block * rows * LANES, start + block * LANES
        x, y, z = io[base:], io[base + LANES :], io[base + 2 * LANES :]
        whole = min(LANES, stop - first)
        for lane in range(LANES):
            cell = np.uintp(active[first + min(lane, whole - 1)])  # unsigned: not counted from the end
            x[lane] = centers[cell, 0]
            y[lane] = centers[cell, 1]
            z[lane] = centers[cell, 2]
    return blocks


@entry
def choose(cells: IntArray, wanted: Marks, verdicts: Verdicts, doubtful: Marks, active: IntArray) -> int:
    """Make those of the ``wanted`` cells active that have passed and are not doubtful; returns how many."""
    count = 0
    for place in range(len(cells)):
        if wanted[place]:
            cell = cells[place]
            if verdicts[cell] == PASSED and not doubtful[cell]:
                active[count] = cell
                count += 1
    return count


@entry
def sift_exclusion(
    io: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    band: float,
    margins: FloatArray,
    verdicts: Verdicts,
) -> int:
    """Drop the cells that fail in some direction by more than ``band``."""
    for place in range(start, stop):
        cell = active[place]
        if io[(place - start) // LANES * 4 * LANES + (place - start) % LANES + 3 * LANES] < -band:
            margins[cell] = math.nan
            verdicts[cell] = WRENCH
        else:
            active[kept] = cell
            kept += 1
    return kept


@entry
def sift_sieve(
    io: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    band: float,
    margins: FloatArray,
    verdicts: Verdicts,
    found: FloatArray,
) -> int:
    """Drop the cells whose margin is negative for sure; ``found`` (2, n) takes the others'."""
    for place in range(start, stop):
        cell = active[place]
        row = (place - start) // LANES * 5 * LANES + (place - start) % LANES
        margin, trust = io[row + 3 * LANES], io[row + 4 * LANES]
        if trust > 0.0 and margin + trust * band < 0.0:
            margins[cell] = math.nan
            verdicts[cell] = WRENCH
        else:
            found[0, cell] = margin
            found[1, cell] = trust
            active[kept] = cell
            kept += 1
    return kept


@entry
def sift_better(
    io: FloatArray, active: IntArray, start: int, stop: int, kept: int, band: float, best: float
) -> int:
    """Keep the cells whose margin is not less than ``best`` for sure."""
    for place in range(start, stop):
        row = (place - start) // LANES * 5 * LANES + (place - start) % LANES
        margin, trust = io[row + 3 * LANES], io[row + 4 * LANES]
        if trust == 0.0 or margin + trust * band >= best:
            active[kept] = active[place]
            kept += 1
    return kept


@entry
def sift_wrench(
    io: FloatArray,
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
        row = (place - start) // LANES * 5 * LANES + (place - start) % LANES
        margin = io[row + 3 * LANES]
        if io[row + 4 * LANES] == 0.0 or abs(margin + tolerance) <= CLOSE_MARGIN * tolerance:
            doubtful[cell] = True
        elif margin < -tolerance:
            margins[cell] = math.nan
            verdicts[cell] = WRENCH
        else:
            margins[cell] = min(margins[cell], margin)
            active[kept] = cell
            kept += 1
    return kept


@entry
def collect(io: FloatArray, rows: int, count: int, found: FloatArray) -> None:
    """Copy the outputs of the first ``count`` cells to the rows of ``found``."""
    for output in range(rows - 3):
        for place in range(count):
            found[output, place] = io[(place // LANES * rows + 3 + output) * LANES + place % LANES]


@entry
def pick(values: FloatArray, active: IntArray, start: int, stop: int, found: FloatArray) -> None:
    """Copy the columns of some cells from ``values`` (k, n) to ``found``."""
    for output in range(len(values)):
        for place in range(start, stop):
            found[output, place - start] = values[output, active[place]]


@entry
def judge_margins(
    found: FloatArray,
    active: IntArray,
    start: int,
    stop: int,
    kept: int,
    band: float,
    drop: bool,
    margins: FloatArray,
    verdicts: Verdicts,
    needed: Marks,
) -> int:
    """Mark where the margins of cells may be their least; ``drop`` those that are negative for sure.

    ``found`` (2, o, w) holds margins and trust, ``needed`` (o, n) the marks. A margin is off by at most
    its trust times ``band``; one without trust is always marked.
    """
    margin, trust = found[0], found[1]
    count, share = stop - start, np.float32(band)
    lowest = np.full(count, np.float32(math.inf))
    for k in range(len(margin)):
        for at in range(count):
            above = margin[k, at] + trust[k, at] * share
            lowest[at] = min(lowest[at], above if trust[k, at] > 0.0 else np.float32(math.inf))
    stays = np.ones(count, np.bool_)
    for at in range(count):
        if drop and lowest[at] < 0.0:
            cell = active[start + at]
            margins[cell] = math.nan
            verdicts[cell] = WRENCH
            stays[at] = False
    for k in range(len(margin)):
        place = kept
        for at in range(count):
            below = margin[k, at] - trust[k, at] * share
            needed[k, place] = (trust[k, at] == 0.0) | (below <= lowest[at])
            place += stays[at]
    for at in range(count):
        active[kept] = active[start + at]
        kept += stays[at]
    return kept


@entry
def judge_gaps(
    found: FloatArray, active: IntArray, start: int, stop: int, kept: int, verdicts: Verdicts, doubtful: Marks
) -> int:
    """Keep the cells in which no cable cuts the platform at any orientation; ``found`` (1, o, w)."""
    for place in range(start, stop):
        cell = active[place]
        gap = math.inf
        for k in range(found.shape[1]):
            gap = min(gap, found[0, k, place - start])
        if abs(gap) <= CLOSE_GAP:
            doubtful[cell] = True
        elif gap < 0.0:
            verdicts[cell] = PLATFORM
        else:
            active[kept] = cell
            kept += 1
    return kept


@entry
def sift_index(
    io: FloatArray,
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
        row = (place - start) // LANES * 6 * LANES + (place - start) % LANES
        square = io[row + 3 * LANES]
        close = abs(square - SINGULAR_BELOW**2) <= CLOSE_CONDITION
        if io[row + 5 * LANES] == 0.0 or close:
            doubtful[cell] = True
            continue
        conditions_j[cell] = math.sqrt(square)
        conditions_k[cell] = io[row + 4 * LANES]
        if verdicts[cell] == PASSED and square < SINGULAR_BELOW**2:
            verdicts[cell] = SINGULAR
        kept += 1
    return kept


@entry
def sift_collision(
    io: FloatArray,
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
        row = (place - start) // LANES * 5 * LANES + (place - start) % LANES
        if io[row + 4 * LANES] == 0.0:
            doubtful[cell] = True
        else:
            distances[cell] = min(distances[cell], io[row + 3 * LANES])
            active[kept] = cell
            kept += 1
    return kept


@entry
def bound_distances(
    cells: IntArray, centers: FloatArray, far: float, distances: FloatArray, doubtful: Marks
) -> Marks:
    """Lower bounds of ``distances`` from the next cell whose number leaves 1 divided by 3.

    Returns
    -------
    (k,) bool
        Those of the cells whose distance is not known and not surely more than ``far`` [m].
    """
    close = np.zeros(len(cells), np.bool_)
    for place in range(len(cells)):
        cell = cells[place]
        known = cell // 3 * 3 + 1
        if cell == known:
            continue
        close[place] = True
        if known < len(distances) and distances[known] < math.inf and not doubtful[known]:
            shift = 0.0
            for axis in range(3):
                shift += (centers[cell, axis] - centers[known, axis]) ** 2
            bound = distances[known] - math.sqrt(shift)
            if bound > far + 2.0 * CLOSE_GAP:
                distances[cell] = bound
                close[place] = False
    return close


@entry
def sift_distances(
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
