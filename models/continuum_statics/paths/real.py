"""The way a real robot takes while the tension of one cable is raised."""

from __future__ import annotations

from dataclasses import replace

from models.continuum_statics.balance.kernel_newton import NEUTRAL
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.following import started_sweep
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.onward import onward
from models.continuum_statics.paths.path import Ending, Event, Path
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.records import event_of, path_of
from models.continuum_statics.paths.stretches import Stretch, rising, stretch_from

MOST_STRETCHES = 20


def stable_path(
    parameters: ContinuumStatics, cable: int | None = None, max_tension: float | None = None
) -> Path:
    """Stable equilibria while the tension of one cable rises, as a robot would pass them.

    Where stability is lost to a stable branch, the robot takes the one along +v; else it jumps, and
    goes on from where the jump ends. Where a stable path turns back to less tension, as a branch does
    at its meeting with another path, the robot goes on along the path that continues above. Arguments
    and errors are those of :func:`~models.continuum_statics.paths.following.follow`.

    Returns
    -------
    Path
        Without branches; its events hold the jumps, and all points but these are stable, of tensions
        that never fall. It ends early, ``complete`` being false and ``ending`` telling why, where a
        jump leads to no stable equilibrium; a robot that is not stable at the start has no other point.
    """
    loading, number, start = started_sweep(parameters, cable, max_tension)
    return walk(loading, number, stretch_from(loading, start))


def straight_and_taken(loading: Loading, cable: int, start: PathPoint) -> tuple[Path, Path]:
    """The path from its first point through unstable stretches, and the one that a robot takes."""
    stretch = stretch_from(loading, start)
    events = tuple(event_of(loading, stretch.points, each) for each in stretch.found)
    straight = path_of(loading, cable, stretch.points, events, complete=stretch.complete)
    return straight, walk(loading, cable, stretch)


def walk(loading: Loading, cable: int, stretch: Stretch) -> Path:
    """As :func:`stable_path`, from a path that was followed already."""
    points: list[PathPoint] = []
    events: list[Event] = []
    if stretch.points[0].mu[0] <= NEUTRAL:
        alone = path_of(loading, cable, stretch.points[:1], (), complete=False)
        return replace(alone, ending="unstable")
    ending: Ending = "stretches"
    for _ in range(MOST_STRETCHES):
        part, end = rising(loading, stretch)
        passed = [event_of(loading, part.points, each) for each in part.found]
        events += [replace(event, index=event.index + len(points)) for event in passed]
        points += part.points
        if end is None:
            ending = part.ending
            break
        after, supercritical, jump = onward(loading, stretch, end)
        lost = end.loses_stability or after is None or jump is not None
        events[-1] = replace(events[-1], loses_stability=lost, supercritical=supercritical, snap=jump)
        if after is None:
            ending = "lost"
            break
        stretch = after
    path = path_of(loading, cable, points, tuple(events), complete=ending == "limit")
    return replace(path, ending=ending)
