"""Stretches of a path with their crossings, and the part of them that a rising load passes."""

from __future__ import annotations

from typing import NamedTuple

from models.continuum_statics.balance.kernel_newton import NEUTRAL
from models.continuum_statics.paths.events import Crossing, crossings
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Ending
from models.continuum_statics.paths.points import PathPoint, relative_mode
from models.continuum_statics.paths.tracing import trace

ROUNDING = 1e-10  # share of the load's range


class Stretch(NamedTuple):
    """A followed path with its crossings, and why it ended, as a Trace tells it."""

    points: list[PathPoint]
    found: list[Crossing]
    ending: Ending

    @property
    def complete(self) -> bool:
        """Whether it reached an end of the range."""
        return self.ending == "limit"


def stretch_from(loading: Loading, start: PathPoint) -> Stretch:
    """The path from a point on, and its crossings."""
    traced = trace(loading, start)
    return Stretch(*crossings(loading, traced.points), traced.ending)


def rising(loading: Loading, stretch: Stretch) -> tuple[Stretch, Crossing | None]:
    """The part until stability is lost or the load turns back, and the crossing there.

    The crossing, None where the part is the whole, is the part's last point. Points beside it whose
    stability is lost in rounding are left out.
    """
    end = _first_end(loading, stretch)
    if end is None:
        return stretch, None
    kept = end.at
    while kept > 0 and stretch.points[kept - 1].mu[0] <= NEUTRAL:
        kept -= 1
    points = [*stretch.points[:kept], stretch.points[end.at]]
    found = [each for each in stretch.found if each.at < kept]
    return Stretch(points, [*found, end._replace(at=kept)], stretch.ending), end


def _first_end(loading: Loading, stretch: Stretch) -> Crossing | None:
    loss = next((each for each in stretch.found if each.loses_stability), None)
    before = len(stretch.points) - 1 if loss is None else loss.at
    loads = [float(point.y[-1]) for point in stretch.points]
    turn = next((at for at in range(before) if loads[at + 1] < loads[at] - ROUNDING), None)
    if turn is None:
        return _open_end(stretch) if loss is None else loss
    met = next((each for each in stretch.found if each.at == turn), None)
    if met is not None:
        return met
    mode = relative_mode(loading, stretch.points[turn].y, 0)
    return Crossing(turn, "bifurcation", mode, loses_stability=False)


def _open_end(stretch: Stretch) -> Crossing | None:
    """The last point, where another path is met that does not go on stable."""
    last = len(stretch.points) - 1
    met = (each for each in stretch.found if each.at == last)
    return next(met, None) if stretch.ending == "lost" else None
