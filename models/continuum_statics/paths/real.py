"""The way a real robot takes while the tension of one cable is raised."""

from __future__ import annotations

from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.following import started_sweep
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Path
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.records import event_of, path_of
from models.continuum_statics.paths.stretches import stretch_from
from models.continuum_statics.paths.walk import walk


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
