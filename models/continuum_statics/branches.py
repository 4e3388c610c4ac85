"""Branches that leave a path at its bifurcations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import Loading, PathPoint, Stop, correct, point_at, trace
from models.continuum_statics.events import Crossing, crossings
from models.continuum_statics.records import Ending

FIRST_DISTANCES = (0.02, 0.005, 0.001)  # [rad] along the null vector
NEAR = 0.2  # distance of a bifurcation from a step, as share of its length, that counts as passed


class Branch(NamedTuple):
    """A branch, from its bifurcation on.

    ``points`` begin with the bifurcation and end with the one that was come back to, if any;
    ``rejoined`` is that one's place in the list that :func:`branch` was given, else None. ``ending`` as
    of :class:`~models.continuum_statics.continuation.Trace`.
    """

    points: list[PathPoint]
    found: list[Crossing]
    rejoined: int | None
    ending: Ending

    @property
    def stable(self) -> bool:
        """True if the branch begins stable."""
        return self.points[1].unstable_count == 0

    @property
    def complete(self) -> bool:
        """True if the branch came back or reached an end of the range."""
        return self.ending == "limit"


def branch(
    loading: Loading, bifurcations: list[PathPoint], origin: int, v: FloatArray, sign: float
) -> Branch | None:
    """The branch that leaves ``bifurcations[origin]`` along ``sign * v``; None when it is not found."""
    here = bifurcations[origin]
    start = _first_point(loading, here, np.append(sign * v, 0.0))
    if start is None:
        return None
    traced = trace(loading, start, _passes(bifurcations))
    points, rejoined = traced.points, None
    if len(points) > 1:
        rejoined = _passed(bifurcations, points[-2], points[-1])
    inner = points if rejoined is None else points[:-1]
    dense, found = crossings(loading, inner)
    end = [] if rejoined is None else [bifurcations[rejoined]]
    shifted = [each._replace(at=each.at + 1) for each in found]
    return Branch([here, *dense, *end], shifted, rejoined, traced.ending)


def _first_point(loading: Loading, here: PathPoint, direction: FloatArray) -> PathPoint | None:
    for distance in FIRST_DISTANCES:
        y = correct(loading, here.y + distance * direction, direction)
        if y is not None and 0.0 <= y[-1] <= 1.0:
            return point_at(loading, y, direction)
    return None


def _passes(bifurcations: list[PathPoint]) -> Stop:
    return lambda before, after: _passed(bifurcations, before, after) is not None


def _passed(bifurcations: list[PathPoint], before: PathPoint, after: PathPoint) -> int | None:
    """Place of the bifurcation that lies on the step from ``before`` to ``after``; None if none does."""
    step = after.y - before.y
    length = np.linalg.norm(step)
    for place, bifurcation in enumerate(bifurcations):
        history = bifurcation.y - before.y
        share = history @ step / length**2
        if 0.0 <= share <= 1.0 and np.linalg.norm(history - share * step) <= NEAR * length:
            return place
    return None
