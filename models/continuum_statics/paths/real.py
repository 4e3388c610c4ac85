"""The way a real robot takes while the tension of one cable is raised."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.branches import Branch, branch
from models.continuum_statics.paths.events import Crossing, crossings
from models.continuum_statics.paths.following import started_sweep
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Event, Path, Snap
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.records import event_of, path_of
from models.continuum_statics.paths.snap import snap
from models.continuum_statics.paths.start import start_from
from models.continuum_statics.paths.tracing import trace

MOST_STRETCHES = 20


class Stretch(NamedTuple):
    """A followed path with its crossings, and whether it reached an end of the range."""

    points: list[PathPoint]
    found: list[Crossing]
    complete: bool


def stable_path(
    parameters: ContinuumStatics, cable: int | None = None, max_tension: float | None = None
) -> Path:
    """Stable equilibria while the tension of one cable rises, as a robot would pass them.

    Where stability is lost to a stable branch, the robot takes the one along +v; else it jumps, and
    goes on from where the jump ends. Arguments and errors are those of
    :func:`~models.continuum_statics.paths.following.follow`.

    Returns
    -------
    Path
        Without branches; its events hold the jumps. It ends early, ``complete`` being false, where a
        jump leads to no stable equilibrium; a robot that is not stable at the start has no other point.
    """
    loading, number, start = started_sweep(parameters, cable, max_tension)
    return walk(loading, number, stretch_from(loading, start))


def stretch_from(loading: Loading, start: PathPoint) -> Stretch:
    """The path from a point on, and its crossings."""
    traced = trace(loading, start)
    return Stretch(*crossings(loading, traced.points), traced.complete)


def walk(loading: Loading, cable: int, stretch: Stretch) -> Path:
    """As :func:`stable_path`, from a path that was followed already."""
    points: list[PathPoint] = []
    events: list[Event] = []
    if stretch.points[0].unstable_count:
        return path_of(loading, cable, stretch.points[:1], (), complete=False)
    complete = True
    for _ in range(MOST_STRETCHES):
        loss = next((each for each in stretch.found if each.loses_stability), None)
        end = len(stretch.points) if loss is None else loss.at + 1
        passed = [event_of(loading, stretch.points, each) for each in stretch.found if each.at < end]
        events += [replace(event, index=event.index + len(points)) for event in passed]
        points += stretch.points[:end]
        if loss is None:
            complete = stretch.complete
            break
        onward, supercritical, jump = _onward(loading, stretch, loss)
        events[-1] = replace(events[-1], supercritical=supercritical, snap=jump)
        if onward is None:
            complete = False
            break
        stretch = onward
    return path_of(loading, cable, points, tuple(events), complete=complete)


def _onward(
    loading: Loading, stretch: Stretch, loss: Crossing
) -> tuple[Stretch | None, bool | None, Snap | None]:
    """Where the robot goes from a loss of stability: the path, whether it is a branch, or the jump to it."""
    supercritical = None
    if loss.kind == "bifurcation":
        joined = _stable_branch(loading, stretch, loss)
        if joined is not None:
            return joined, True, None
        supercritical = False
    y = stretch.points[loss.at].y
    load = float(y[-1]) * loading.limit
    jump = snap(loading, y[:-1], load, loss.null_vector)
    if jump is None:
        return None, supercritical, None
    start = start_from(loading, jump.after.ravel()[loading.places], load)
    if start is None or start.unstable_count:
        return None, supercritical, jump
    return stretch_from(loading, start), supercritical, jump


def _stable_branch(loading: Loading, stretch: Stretch, loss: Crossing) -> Stretch | None:
    """The stable branch of a bifurcation, and the path from where it comes back."""
    crossed = [each for each in stretch.found if each.kind == "bifurcation"]
    places = [stretch.points[each.at] for each in crossed]
    origin = [each.at for each in crossed].index(loss.at)
    for sign in (1.0, -1.0):
        leaving = branch(loading, places, origin, loss.null_vector, sign)
        if leaving is not None and leaving.stable:
            return _joined(stretch, crossed, leaving)
    return None


def _joined(stretch: Stretch, crossed: list[Crossing], leaving: Branch) -> Stretch:
    """A branch without its bifurcation, then the path that it comes back to."""
    points = leaving.points[1:]
    found = [each._replace(at=each.at - 1) for each in leaving.found]
    if leaving.rejoined is None:
        return Stretch(points, found, leaving.complete)
    back = crossed[leaving.rejoined]
    shift = len(points) - 1 - back.at
    later = [each._replace(at=each.at + shift) for each in stretch.found if each.at > back.at]
    met = back._replace(at=len(points) - 1, loses_stability=False)
    return Stretch([*points, *stretch.points[back.at + 1 :]], [*found, met, *later], stretch.complete)
