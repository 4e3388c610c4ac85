"""Compiled ground, short as its definition's formulas: :mod:`models.flexible_arm.ground`."""

from __future__ import annotations

import math

from models.flexible_arm.ground import Ground
from models.jit import inner


@inner
def interval_of(ground: Ground, x: float) -> int:
    """The number k of the interval with x[k] <= x < x[k + 1], for a place inside the table."""
    low, high = 0, len(ground.x) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x < ground.x[middle]:
            high = middle
        else:
            low = middle
    return low


@inner
def ground_at(ground: Ground, x: float) -> tuple[float, float, float]:
    """Height [m], slope and curvature [1/m] of the ground at a place [m]."""
    last = len(ground.x) - 1
    if last < 0:
        return 0.0, 0.0, 0.0
    if x < ground.x[0]:
        return ground.heights[0], 0.0, 0.0
    if not x < ground.x[last]:
        return ground.heights[last], 0.0, 0.0
    k = interval_of(ground, x)
    width = ground.x[k + 1] - ground.x[k]
    u = (x - ground.x[k]) / width
    rise = (ground.heights[k + 1] - ground.heights[k]) / width
    bend = 3 * rise - 2 * ground.slopes[k] - ground.slopes[k + 1]
    twist = ground.slopes[k] + ground.slopes[k + 1] - 2 * rise
    height = ground.heights[k] + width * u * (ground.slopes[k] + u * (bend + u * twist))
    slope = ground.slopes[k] + u * (2 * bend + 3 * u * twist)
    return height, slope, (2 * bend + 6 * u * twist) / width


@inner
def gap_of(ground: Ground, x: float, y: float) -> tuple[float, float, float]:
    """Gap [m] between a point and the ground, along its normal, positive above it, and its gradient."""
    height, slope, curvature = ground_at(ground, x)
    cosine = 1 / math.sqrt(1 + slope * slope)
    gap = (y - height) * cosine
    return gap, -slope * cosine * (1 + gap * curvature * cosine), cosine
