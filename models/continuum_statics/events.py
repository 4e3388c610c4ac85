"""Events of a traced path: eigenvalues of the Hessian pass through zero.

Between two points the number of negative eigenvalues may change (a crossing), or an eigenvalue may
come close to zero and turn back (a dip, which may hide two crossings). Both are refined on the
arclength: crossings by Brent's method, dips by bounded minimisation.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import Loading, PathPoint, point_along, relative_mode
from models.continuum_statics.records import Kind

STEP_TOLERANCE = 1e-11  # arclength
SHORTEST_BRACKET = 1e-9
FOLD = 1e-5  # least cosine between null vector and load direction at a fold
DEEP = 0.5  # a parabola through three points must come down to this share to be looked at


class Crossing(NamedTuple):
    """A point where an eigenvalue is zero.

    ``at`` is its place in the list of points that :func:`crossings` returns, ``null_vector`` (k,) stands
    over the free angles, ``loses_stability`` as in :class:`~models.continuum_statics.records.Event`.
    """

    at: int
    kind: Kind
    null_vector: FloatArray
    loses_stability: bool


def crossings(loading: Loading, points: list[PathPoint]) -> tuple[list[PathPoint], list[Crossing]]:
    """The points with those inserted where an eigenvalue is zero, and these."""
    complete: list[PathPoint] = []
    found: list[Crossing] = []
    dense = _with_dips(loading, points)
    for before, after in pairwise(dense):
        complete.append(before)
        for event, which in _between(loading, before, after):
            v = relative_mode(loading, event.y, which)
            kind = classify(loading, event.y, v)
            lost = which == 0 and before.unstable_count == 0
            found.append(Crossing(len(complete), kind, v, lost))
            complete.append(event)
    return [*complete, dense[-1]], found


def classify(loading: Loading, y: FloatArray, v: FloatArray) -> Kind:
    """A fold where the load works along v, else a bifurcation."""
    rate = loading.rate(y[:-1])
    return "fold" if abs(v @ rate) > FOLD * np.linalg.norm(rate) else "bifurcation"


def _between(loading: Loading, before: PathPoint, after: PathPoint) -> list[tuple[PathPoint, int]]:
    """Every crossing between two points, with the number of its eigenvalue."""
    low, high = sorted((before.unstable_count, after.unstable_count))
    if low == high:
        return []
    length = _length(before, after)
    if high == low + 1 or length < SHORTEST_BRACKET:
        event = _crossing(loading, before, length, low)
        return [] if event is None else [(event, low)]
    middle = point_along(loading, before, length / 2)
    if middle is None:
        return []
    return [*_between(loading, before, middle), *_between(loading, middle, after)]


def _crossing(loading: Loading, before: PathPoint, length: float, which: int) -> PathPoint | None:
    from scipy.optimize import brentq

    def mu(step: float) -> float:
        point = point_along(loading, before, step)
        return np.nan if point is None else float(point.mu[which])

    ends = mu(0.0), mu(length)
    if not ends[0] * ends[1] < 0:
        return None
    root = length * ends[0] / (ends[0] - ends[1])
    with suppress(ValueError):  # the corrector failed on the way: the chord's root must do
        root = cast("float", brentq(mu, 0.0, length, xtol=STEP_TOLERANCE))
    return point_along(loading, before, root)


def _length(before: PathPoint, after: PathPoint) -> float:
    """The step along the tangent of ``before`` whose plane holds ``after``."""
    return float(before.tangent @ (after.y - before.y))


def _with_dips(loading: Loading, points: list[PathPoint]) -> list[PathPoint]:
    """The points with those inserted that show a crossing back and forth between two of them."""
    dense = points[:1]
    for place in range(1, len(points)):
        if place + 1 < len(points):
            dense += _dip(loading, points[place - 1], points[place], points[place - 1 : place + 2])
        dense.append(points[place])
        if place + 1 < len(points):
            dense += _dip(loading, points[place], points[place + 1], points[place - 1 : place + 2])
    return dense


def _dip(loading: Loading, before: PathPoint, after: PathPoint, three: list[PathPoint]) -> list[PathPoint]:
    """A point between ``before`` and ``after`` with another count of negative eigenvalues, if any."""
    count = three[1].unstable_count
    if any(point.unstable_count != count for point in three):
        return []
    for which in {max(count - 1, 0), count} & set(range(len(before.mu))):
        sign = 1.0 if which >= count else -1.0
        values = [sign * float(point.mu[which]) for point in three]
        if values[1] > min(values[0], values[2]) or _lowest(three, values) > DEEP * values[1]:
            continue
        lowest = _lowest_point(loading, before, after, which, sign)
        if lowest is not None and lowest.unstable_count != count:
            return [lowest]
    return []


def _lowest(three: list[PathPoint], values: list[float]) -> float:
    """Least value of the parabola through three points of the path."""
    s = np.array([-_length(three[0], three[1]), 0.0, _length(three[1], three[2])])
    a, b, c = np.polyfit(s, values, 2)
    return float(c - b * b / (4 * a)) if a > 0 else values[1]


def _lowest_point(
    loading: Loading, before: PathPoint, after: PathPoint, which: int, sign: float
) -> PathPoint | None:
    from scipy.optimize import minimize_scalar

    def value(step: float) -> float:
        point = point_along(loading, before, step)
        return np.inf if point is None else sign * float(point.mu[which])

    length = _length(before, after)
    best = minimize_scalar(value, bounds=(0.0, length), method="bounded", options={"xatol": 1e-6 * length})
    return point_along(loading, before, float(best.x))
