"""Compiled slack of the wrench box in one direction."""

from __future__ import annotations

from models.compiled import inner
from models.hybrid_cable_robot.cells.arrays import Load
from models.hybrid_cable_robot.geometry import FloatArray


@inner
def direction_slack(W: FloatArray, load: Load, normal: FloatArray) -> float:
    """Least slack [N] in the directions ``normal`` and ``-normal`` (6,)."""
    above = 0.0
    below = 0.0
    for i in range(W.shape[1]):
        pull = 0.0
        for row in range(6):
            pull += normal[row] * W[row, i]
        above += max(pull, 0.0)
        below += min(pull, 0.0)
    weight = 0.0
    reach = 0.0
    for row in range(6):
        weight += normal[row] * load.center[row]
        reach += abs(normal[row]) * load.half_range[row]
    upper = load.f_max * above + load.f_min * below + weight
    lower = -load.f_max * below - load.f_min * above - weight
    return min(upper, lower) - reach
