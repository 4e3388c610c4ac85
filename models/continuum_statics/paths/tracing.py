"""Pseudo-arclength continuation: tangent predictor, Newton corrector, control of the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.points import PathPoint, correct, point_at
from models.floats import FloatArray

FIRST_STEP = 0.02  # arclength, in rad and shares of the load's range
LONGEST_STEP = 0.05
SHORTEST_STEP = 1e-7
GROWTH = 1.5
TURN = 0.95  # least cosine between the tangents of neighbouring points
BEND = 0.3  # greatest correction, as share of the step
MU_CHANGE = 0.25  # greatest change of the smallest eigenvalue, as share of it ...
LEAST_MU_CHANGE = 0.01  # ... or this, if that is more
MOST_POINTS = 4000

Stop = Callable[[PathPoint, PathPoint], bool]


class Trace(NamedTuple):
    """Points of a path, and whether it ended where it should.

    It may also end by steps too small or too many, or before disks would cut each other.
    """

    points: list[PathPoint]
    complete: bool


def never(before: PathPoint, after: PathPoint) -> bool:  # noqa: ARG001 - a Stop has both points
    """Stop nowhere but at the ends of the range."""
    return False


def trace(loading: Loading, start: PathPoint, stop: Stop = never) -> Trace:
    """Follow the path from ``start`` along its tangent until the load leaves 0 to ``loading.limit``.

    The last point lies exactly on the end of the range. ``stop(before, after)`` may end it earlier.
    """
    points, step = [start], FIRST_STEP
    while len(points) < MOST_POINTS:
        here = points[-1]
        found = _advance(loading, here, step)
        if found is None:
            return Trace(points, complete=False)
        after, taken = found
        if not loading.clear(after.y[:-1], after.y[-1] * loading.limit):
            return Trace(points, complete=False)
        if not 0.0 <= after.y[-1] <= 1.0:
            end = _point_on_end(loading, here, after)
            return Trace(points if end is None else [*points, end], complete=end is not None)
        points.append(after)
        if stop(here, after):
            return Trace(points, complete=True)
        step = min(taken * GROWTH, LONGEST_STEP)
    return Trace(points, complete=False)


def point_along(loading: Loading, here: PathPoint, step: float) -> PathPoint | None:
    """The path's point in the plane ``step`` ahead of ``here``; None if Newton's method fails."""
    y = correct(loading, here.y + step * here.tangent, here.tangent)
    return None if y is None else point_at(loading, y, here.tangent)


def _advance(loading: Loading, here: PathPoint, step: float) -> tuple[PathPoint, float] | None:
    """The next point and the step that was short enough for it."""
    while step >= SHORTEST_STEP:
        after = point_along(loading, here, step)
        if after is not None and _close(here, after, step):
            return after, step
        step /= 2
    return None


def _close(here: PathPoint, after: PathPoint, step: float) -> bool:
    corrected = np.linalg.norm(after.y - here.y - step * here.tangent)
    change = abs(after.mu[0] - here.mu[0])
    return bool(
        corrected <= BEND * step
        and after.tangent @ here.tangent >= TURN
        and change <= max(LEAST_MU_CHANGE, MU_CHANGE * abs(here.mu[0]))
    )


def _point_on_end(loading: Loading, here: PathPoint, after: PathPoint) -> PathPoint | None:
    """The path's point at the end of the range that lies between two points."""
    end = 0.0 if after.y[-1] < 0.0 else 1.0
    share = (end - here.y[-1]) / (after.y[-1] - here.y[-1])
    guess: FloatArray = here.y + share * (after.y - here.y)
    guess[-1] = end
    along_load = np.zeros_like(guess)
    along_load[-1] = 1.0
    y = correct(loading, guess, along_load)
    return None if y is None else point_at(loading, y, here.tangent)
