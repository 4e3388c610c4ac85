"""Compiled loops over the cells whose cables' distance is wanted, as those of :mod:`.sift`."""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry
from models.hybrid_cable_robot.cells.verdicts import INTERFERENCE
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.lanes.sift import CLOSE_GAP, Marks, Verdicts
from models.hybrid_cable_robot.lanes.writer import LANES


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
