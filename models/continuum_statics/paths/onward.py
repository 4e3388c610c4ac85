"""Where a robot goes from a loss of stability, or from where its path turns back."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.balance.kernel_newton import NEUTRAL
from models.continuum_statics.paths.branches import Branch, branch
from models.continuum_statics.paths.events import Crossing
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Snap
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.snap import snap
from models.continuum_statics.paths.start import start_from
from models.continuum_statics.paths.stretches import Stretch, stretch_from

RISES = (1e-5, 1e-4, 1e-3)  # shares of the load's range by which a path is looked for above its turn
NEAR = 0.05  # [rad] within which it must be found

Onward = tuple[Stretch | None, bool | None, Snap | None]


def onward(loading: Loading, stretch: Stretch, end: Crossing) -> Onward:
    """The path on which the robot goes on, whether it is a stable branch, and the jump that leads to it.

    ``end`` is a crossing of the stretch: a loss of stability, or where its load turns back.
    """
    supercritical = None
    if end.kind == "bifurcation":
        joined = _stable_branch(loading, stretch, end) if end.loses_stability else None
        if joined is not None:
            return joined, True, None
        above = _above(loading, stretch.points[end.at])
        if above is not None:
            return stretch_from(loading, above), True if end.loses_stability else None, None
        supercritical = False
    y = stretch.points[end.at].y
    load = float(y[-1]) * loading.limit
    jump = snap(loading, y[:-1], load, end.null_vector)
    if jump is None:
        return None, supercritical, None
    start = start_from(loading, jump.after.ravel()[loading.places], load)
    if start is None or start.mu[0] <= NEUTRAL:
        return None, supercritical, jump
    return stretch_from(loading, start), supercritical, jump


def _above(loading: Loading, point: PathPoint) -> PathPoint | None:
    """A stable equilibrium beside a point, under slightly more load."""
    for rise in RISES:
        load = float(point.y[-1]) + rise
        found = start_from(loading, point.y[:-1], load * loading.limit) if load < 1.0 else None
        if found is not None and found.mu[0] > NEUTRAL and np.linalg.norm(found.y - point.y) < NEAR:
            return found
    return None


def _stable_branch(loading: Loading, stretch: Stretch, loss: Crossing) -> Stretch | None:
    """The stable branch of a bifurcation towards more load, and the path from where it comes back."""
    crossed = [each for each in stretch.found if each.kind == "bifurcation"]
    places = [stretch.points[each.at] for each in crossed]
    origin = [each.at for each in crossed].index(loss.at)
    for sign in (1.0, -1.0):
        leaving = branch(loading, places, origin, loss.null_vector, sign)
        if leaving is not None and leaving.stable and leaving.points[1].y[-1] >= leaving.points[0].y[-1]:
            return _joined(stretch, crossed, origin, leaving)
    return None


def _joined(stretch: Stretch, crossed: list[Crossing], origin: int, leaving: Branch) -> Stretch:
    """A branch without its bifurcation, then the path that it comes back to if that is stable there."""
    points = leaving.points[1:]
    found = [each._replace(at=each.at - 1) for each in leaving.found]
    if leaving.rejoined is None:
        return Stretch(points, found, leaving.ending)
    if leaving.rejoined == origin:
        return Stretch(points, found, "lost")
    back = crossed[leaving.rejoined]
    met = back._replace(at=len(points) - 1, loses_stability=False)
    rest = stretch.points[back.at + 1 :]
    if not rest or rest[0].mu[0] <= NEUTRAL or rest[0].y[-1] < points[-1].y[-1]:
        return Stretch(points, [*found, met], "lost")
    shift = len(points) - 1 - back.at
    later = [each._replace(at=each.at + shift) for each in stretch.found if each.at > back.at]
    return Stretch([*points, *rest], [*found, met, *later], stretch.ending)
