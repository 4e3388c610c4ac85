"""The stable equilibria that a robot passes while a load rises: along branches and over jumps."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models.continuum_statics.branches import Branch, branch
from models.continuum_statics.continuation import Loading, PathPoint, relative_mode, start_from, trace
from models.continuum_statics.equilibrium_kernels import NEUTRAL
from models.continuum_statics.events import Crossing, crossings
from models.continuum_statics.records import Ending, Event, Path, Snap
from models.continuum_statics.snap_through import snap
from models.continuum_statics.tip import tips_of

ROUNDING = 1e-10  # share of the load's range


class TracedPath(NamedTuple):
    """A followed path with its crossings, and why it ended, as of a Trace."""

    points: list[PathPoint]
    found: list[Crossing]
    ending: Ending

    @property
    def complete(self) -> bool:
        """True if the path reached an end of the range."""
        return self.ending == "limit"


def traced_path_from(loading: Loading, start: PathPoint) -> TracedPath:
    """The path from a point on, and its crossings."""
    traced = trace(loading, start)
    return TracedPath(*crossings(loading, traced.points), traced.ending)


def rising(loading: Loading, traced_path: TracedPath) -> tuple[TracedPath, Crossing | None]:
    """The part until stability is lost or the load turns back, and the crossing there.

    The crossing, None where the part is the whole, is the part's last point. Points beside it whose
    stability is lost in rounding are left out.
    """
    end = _first_end(loading, traced_path)
    if end is None:
        return traced_path, None
    kept = end.at
    while kept > 0 and traced_path.points[kept - 1].mu[0] <= NEUTRAL:
        kept -= 1
    points = [*traced_path.points[:kept], traced_path.points[end.at]]
    found = [each for each in traced_path.found if each.at < kept]
    return TracedPath(points, [*found, end._replace(at=kept)], traced_path.ending), end


def _first_end(loading: Loading, traced_path: TracedPath) -> Crossing | None:
    loss = next((each for each in traced_path.found if each.loses_stability), None)
    before = len(traced_path.points) - 1 if loss is None else loss.at
    loads = [float(point.y[-1]) for point in traced_path.points]
    turn = next((at for at in range(before) if loads[at + 1] < loads[at] - ROUNDING), None)
    if turn is None:
        return _open_end(traced_path) if loss is None else loss
    met = next((each for each in traced_path.found if each.at == turn), None)
    if met is not None:
        return met
    mode = relative_mode(loading, traced_path.points[turn].y, 0)
    return Crossing(turn, "bifurcation", mode, loses_stability=False)


def _open_end(traced_path: TracedPath) -> Crossing | None:
    """The last point, where another path is met that does not go on stable."""
    last = len(traced_path.points) - 1
    met = (each for each in traced_path.found if each.at == last)
    return next(met, None) if traced_path.ending == "lost" else None


RISES = (1e-5, 1e-4, 1e-3)  # shares of the load's range by which a path is looked for above its turn
NEAR = 0.05  # [rad] within which it must be found

Onward = tuple[TracedPath | None, bool | None, Snap | None]


def onward(loading: Loading, traced_path: TracedPath, end: Crossing) -> Onward:
    """The path on which the robot goes on, whether it is a stable branch, and the jump that leads to it.

    ``end`` is a crossing of the stretch: a loss of stability, or where its load turns back.
    """
    supercritical = None
    if end.kind == "bifurcation":
        joined = _stable_branch(loading, traced_path, end) if end.loses_stability else None
        if joined is not None:
            return joined, True, None
        above = _above(loading, traced_path.points[end.at])
        if above is not None:
            return traced_path_from(loading, above), True if end.loses_stability else None, None
        supercritical = False
    y = traced_path.points[end.at].y
    load = float(y[-1]) * loading.limit
    jump = snap(loading, y[:-1], load, end.null_vector)
    if jump is None:
        return None, supercritical, None
    start = start_from(loading, jump.after.ravel()[loading.places], load)
    if start is None or start.mu[0] <= NEUTRAL:
        return None, supercritical, jump
    return traced_path_from(loading, start), supercritical, jump


def _above(loading: Loading, point: PathPoint) -> PathPoint | None:
    """A stable equilibrium beside a point, under slightly more load."""
    for rise in RISES:
        load = float(point.y[-1]) + rise
        found = start_from(loading, point.y[:-1], load * loading.limit) if load < 1.0 else None
        if found is not None and found.mu[0] > NEUTRAL and np.linalg.norm(found.y - point.y) < NEAR:
            return found
    return None


def _stable_branch(loading: Loading, traced_path: TracedPath, loss: Crossing) -> TracedPath | None:
    """The stable branch of a bifurcation towards more load, and the path from where it comes back."""
    crossed = [each for each in traced_path.found if each.kind == "bifurcation"]
    places = [traced_path.points[each.at] for each in crossed]
    origin = [each.at for each in crossed].index(loss.at)
    for sign in (1.0, -1.0):
        leaving = branch(loading, places, origin, loss.null_vector, sign)
        if leaving is not None and leaving.stable and leaving.points[1].y[-1] >= leaving.points[0].y[-1]:
            return _joined(traced_path, crossed, origin, leaving)
    return None


def _joined(traced_path: TracedPath, crossed: list[Crossing], origin: int, leaving: Branch) -> TracedPath:
    """A branch without its bifurcation, then the path that it comes back to if that is stable there."""
    points = leaving.points[1:]
    found = [each._replace(at=each.at - 1) for each in leaving.found]
    if leaving.rejoined is None:
        return TracedPath(points, found, leaving.ending)
    if leaving.rejoined == origin:
        return TracedPath(points, found, "lost")
    back = crossed[leaving.rejoined]
    met = back._replace(at=len(points) - 1, loses_stability=False)
    rest = traced_path.points[back.at + 1 :]
    if not rest or rest[0].mu[0] <= NEUTRAL or rest[0].y[-1] < points[-1].y[-1]:
        return TracedPath(points, [*found, met], "lost")
    shift = len(points) - 1 - back.at
    later = [each._replace(at=each.at + shift) for each in traced_path.found if each.at > back.at]
    return TracedPath([*points, *rest], [*found, met, *later], traced_path.ending)


def path_of(
    loading: Loading, cable: int, points: list[PathPoint], events: tuple[Event, ...], *, complete: bool
) -> Path:
    """The record of a followed path."""
    states = np.array([loading.whole(point.y[:-1]) for point in points])
    hessians = (loading.forces(point.y[:-1], point.y[-1] * loading.limit)[1] for point in points)
    lambda_min = np.array([np.linalg.eigvalsh(hessian)[0] for hessian in hessians])
    mu_min = np.array([point.mu[0] for point in points])
    stable = (lambda_min > 0) & (mu_min > NEUTRAL)
    stable[[event.index for event in events]] = False
    return Path(
        cable,
        np.array([point.y[-1] for point in points]) * loading.limit,
        states,
        tips_of(loading.robot, states),
        lambda_min,
        mu_min,
        stable,
        events,
        complete=complete,
    )


def event_of(
    loading: Loading, points: list[PathPoint], crossing: Crossing, *, supercritical: bool | None = None
) -> Event:
    """The record of a crossing, without its snap."""
    y = points[crossing.at].y
    return Event(
        crossing.kind,
        float(y[-1]) * loading.limit,
        loading.whole(y[:-1]),
        loading.whole(crossing.null_vector),
        crossing.at,
        crossing.loses_stability,
        supercritical,
    )


MOST_STRETCHES = 20


def walk(loading: Loading, cable: int, traced_path: TracedPath) -> Path:
    """Stable equilibria while the load rises, from a path that was followed already.

    As :func:`~models.continuum_statics.tension_sweep.stable_path`, for any load; ``cable`` is the number that
    the record gets, 0 where no single cable is pulled.
    """
    points: list[PathPoint] = []
    events: list[Event] = []
    if traced_path.points[0].mu[0] <= NEUTRAL:
        alone = path_of(loading, cable, traced_path.points[:1], (), complete=False)
        return replace(alone, ending="unstable")
    ending: Ending = "stretches"
    for _ in range(MOST_STRETCHES):
        part, end = rising(loading, traced_path)
        passed = [event_of(loading, part.points, each) for each in part.found]
        events += [replace(event, index=event.index + len(points)) for event in passed]
        points += part.points
        if end is None:
            ending = part.ending
            break
        after, supercritical, jump = onward(loading, traced_path, end)
        lost = end.loses_stability or after is None or jump is not None
        events[-1] = replace(events[-1], loses_stability=lost, supercritical=supercritical, snap=jump)
        if after is None:
            ending = "lost"
            break
        traced_path = after
    path = path_of(loading, cable, points, tuple(events), complete=ending == "limit")
    return replace(path, ending=ending)
