"""The stable equilibria that a robot passes while a load rises: along branches and over jumps."""

from __future__ import annotations

from dataclasses import replace

from models.continuum_statics.balance.kernel_newton import NEUTRAL
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.onward import onward
from models.continuum_statics.paths.path import Ending, Event, Path
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.records import event_of, path_of
from models.continuum_statics.paths.stretches import Stretch, rising

MOST_STRETCHES = 20


def walk(loading: Loading, cable: int, stretch: Stretch) -> Path:
    """Stable equilibria while the load rises, from a path that was followed already.

    As :func:`~models.continuum_statics.paths.real.stable_path`, for any load; ``cable`` is the number that
    the record gets, 0 where no single cable is pulled.
    """
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
