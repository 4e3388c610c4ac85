"""Pseudo-arclength continuation: tangent predictor, Newton corrector, control of the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Ending
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
CONTACT = 1e-10  # arclength within which disks come to touch
TOUCHING = 1e-4  # clearance at which steps shrink since a taut cable's chord, and its stiffness, is lost

Stop = Callable[[PathPoint, PathPoint], bool]


class Trace(NamedTuple):
    """Points of a path, and why it ended: of the :data:`Ending` s, limit, contact or steps."""

    points: list[PathPoint]
    ending: Ending

    @property
    def complete(self) -> bool:
        """Whether it ended where it should."""
        return self.ending == "limit"


def never(before: PathPoint, after: PathPoint) -> bool:  # noqa: ARG001 - a Stop has both points
    """Stop nowhere but at the ends of the range."""
    return False


def trace(loading: Loading, start: PathPoint, stop: Stop = never) -> Trace:
    """Follow the path from ``start`` along its tangent until the load leaves 0 to ``loading.limit``.

    The last point lies exactly on the end of the range, or where disks touch that would cut each
    other beyond. ``stop(before, after)`` may end it earlier.
    """
    points, step = [start], FIRST_STEP
    while len(points) < MOST_POINTS:
        here = points[-1]
        found = _advance(loading, here, step)
        if found is None:
            return Trace(points, "contact" if _clearance(loading, here) < TOUCHING else "steps")
        after, taken = found
        ended = not 0.0 <= after.y[-1] <= 1.0
        end = _point_on_end(loading, here, after) if ended else after
        if end is None:
            step = taken / 2
            continue
        if not _clearance(loading, end) > 0:
            return Trace([*points, *_touching(loading, here, end)], "contact")
        points.append(end)
        if ended or stop(here, end):
            return Trace(points, "limit")
        step = min(taken * GROWTH, LONGEST_STEP)
    return Trace(points, "steps")


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
    """The path's point at the end of the range that lies between two points, if it is close enough."""
    end = 0.0 if after.y[-1] < 0.0 else 1.0
    share = (end - here.y[-1]) / (after.y[-1] - here.y[-1])
    guess: FloatArray = here.y + share * (after.y - here.y)
    guess[-1] = end
    along_load = np.zeros_like(guess)
    along_load[-1] = 1.0
    y = correct(loading, guess, along_load)
    if y is None:
        return None
    point = point_at(loading, y, here.tangent)
    return point if _close(here, point, float(here.tangent @ (y - here.y))) else None


def _touching(loading: Loading, here: PathPoint, beyond: PathPoint) -> list[PathPoint]:
    """The last point between two where no disk cuts another; none where that is the first."""
    clear, cut, last = 0.0, float(here.tangent @ (beyond.y - here.y)), None
    while cut - clear > CONTACT:
        middle = (clear + cut) / 2
        point = point_along(loading, here, middle)
        if point is not None and _clearance(loading, point) > 0:
            clear, last = middle, point
        else:
            cut = middle
    return [] if last is None else [last]


def _clearance(loading: Loading, point: PathPoint) -> float:
    return loading.clearance(point.y[:-1], float(point.y[-1]) * loading.limit)
