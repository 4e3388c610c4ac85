"""Compiled shortfalls of single positions, from the kernels that look for the best of many."""

from __future__ import annotations

import math

from models.compiled import entry
from models.hybrid_cable_robot.cells.arrays import Checks, Loads, Shape
from models.hybrid_cable_robot.cells.kernel import best_margin, least_deficit
from models.hybrid_cable_robot.cells.verdicts import WORST_MARGIN
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.wrench.kernel_wrench import Scratch


@entry
def fill_shortfalls(
    shape: Shape, loads: Loads, checks: Checks, centers: FloatArray, scratch: Scratch, out: FloatArray
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
