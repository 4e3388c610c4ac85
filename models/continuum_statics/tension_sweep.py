"""The equilibria of a robot while the tension of one cable is raised: all branches, and the stable path."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from errors import InputError
from models.continuum_statics.branches import Branch, branch
from models.continuum_statics.continuation import Loading, PathPoint, start_from, sweep_loading, trace
from models.continuum_statics.equilibrium import equilibrium
from models.continuum_statics.events import Crossing, crossings
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.pose import stable_equilibrium
from models.continuum_statics.quasi_static import event_of, path_of, traced_path_from, walk
from models.continuum_statics.records import Event, Path
from models.continuum_statics.snap_through import snap
from models.contract import Infeasible


def equilibrium_path(
    parameters: ContinuumStatics, cable: int | None = None, max_tension: float | None = None
) -> Path:
    """The path of equilibria from a slack cable, through stretches that are unstable, and its branches.

    The other cables keep the record's tensions. Branches are followed from each bifurcation along
    +v and -v until they come back to a bifurcation of the path or leave the range of tensions; a
    bifurcation that a branch has come back to starts none of its own, they would be the same.

    Parameters
    ----------
    parameters : ContinuumStatics
    cable : int, optional
        Which cable, from 1; the record's ``sweep_cable`` when not given.
    max_tension : float, N, optional
        The record's when not given.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        When there is no such cable, the tension is not positive, or the robot has no equilibrium
        with the cable slack.
    """
    loading, number, start = started_sweep(parameters, cable, max_tension)
    traced = trace(loading, start)
    points, found = crossings(loading, traced.points)
    branches, stable = _branches(loading, points, found)
    events = tuple(_event(loading, points, each, stable.get(place)) for place, each in enumerate(found))
    path = path_of(loading, number, points, events, complete=traced.complete)
    return replace(path, branches=tuple(_branch_path(loading, number, each) for each in branches))


def started_sweep(
    parameters: ContinuumStatics, cable: int | None, max_tension: float | None
) -> tuple[Loading, int, PathPoint]:
    """The loading of a sweep, the cable's number and the first point; as of :func:`equilibrium_path`."""
    number = parameters.sweep_cable if cable is None else cable
    limit = parameters.max_tension if max_tension is None else max_tension
    if not 1 <= number <= parameters.cables:
        raise InputError(
            f"there is no cable {number}; the robot has cables 1 to {parameters.cables}", ("cable",)
        )
    if not 0 < limit < np.inf:
        raise InputError(f"a cable cannot be swept to {limit} N; give a positive tension", ("max_tension",))
    loading = sweep_loading(parameters, number, limit)
    start = slack_start(parameters, loading, number)
    if start is None:
        raise InputError(
            "the robot has no equilibrium while the swept cable is slack; lower the other tensions"
        )
    return loading, number, start


def slack_start(parameters: ContinuumStatics, loading: Loading, cable: int) -> PathPoint | None:
    """The first point of a sweep, with the swept cable slack.

    The state of the straight robot's branch under the other tensions, or where it is not the one that the
    robot reaches, that one.
    """
    tensions = np.array(parameters.tensions)
    tensions[cable - 1] = 0.0
    pose = stable_equilibrium(parameters, tensions)
    if isinstance(pose, Infeasible) or not pose.losses:
        state = equilibrium(parameters, tensions)
    else:
        state = pose.state
    return start_from(loading, state.q.ravel()[loading.places], 0.0) if state.exists else None


def _branches(
    loading: Loading, points: list[PathPoint], found: list[Crossing]
) -> tuple[list[Branch], dict[int, bool]]:
    """Branches, and by the place of each bifurcation in ``found`` whether they are stable there."""
    places = [place for place, each in enumerate(found) if each.kind == "bifurcation"]
    bifurcations = [points[found[place].at] for place in places]
    branches: list[Branch] = []
    stable: dict[int, bool] = {}
    for origin, place in enumerate(places):
        if place in stable:
            continue
        for sign in (1.0, -1.0):
            leaving = branch(loading, bifurcations, origin, found[place].null_vector, sign)
            if leaving is not None:
                branches.append(leaving)
                stable[place] = leaving.stable
                if leaving.rejoined is not None:
                    stable[places[leaving.rejoined]] = leaving.points[-2].unstable_count == 0
    return branches, stable


def _event(
    loading: Loading, points: list[PathPoint], crossing: Crossing, supercritical: bool | None
) -> Event:
    """An event, with the jump that follows when stability is lost without a stable branch."""
    event = event_of(loading, points, crossing, supercritical=supercritical)
    if not crossing.loses_stability or supercritical:
        return event
    y = points[crossing.at].y
    return replace(event, snap=snap(loading, y[:-1], float(y[-1]) * loading.limit, crossing.null_vector))


def _branch_path(loading: Loading, cable: int, leaving: Branch) -> Path:
    events = tuple(_event(loading, leaving.points, each, None) for each in leaving.found)
    path = path_of(loading, cable, leaving.points, events, complete=leaving.complete)
    stable = path.stable.copy()
    stable[0] = False  # the bifurcation itself
    if leaving.rejoined is not None:
        stable[-1] = False
    return replace(path, stable=stable)


def stable_path(
    parameters: ContinuumStatics, cable: int | None = None, max_tension: float | None = None
) -> Path:
    """Stable equilibria while the tension of one cable rises, as a robot would pass them.

    Where stability is lost to a stable branch, the robot takes the one along +v; else it jumps, and
    goes on from where the jump ends. Where a stable path turns back to less tension, as a branch does
    at its meeting with another path, the robot goes on along the path that continues above. Arguments
    and errors are those of :func:`~models.continuum_statics.tension_sweep.equilibrium_path`.

    Returns
    -------
    Path
        Without branches; its events hold the jumps, and all points but these are stable, of tensions
        that never fall. It ends early, ``complete`` being false and ``ending`` telling why, where a
        jump leads to no stable equilibrium; a robot that is not stable at the start has no other point.
    """
    loading, number, start = started_sweep(parameters, cable, max_tension)
    return walk(loading, number, traced_path_from(loading, start))


def straight_and_taken(loading: Loading, cable: int, start: PathPoint) -> tuple[Path, Path]:
    """The path from its first point through unstable stretches, and the one that a robot takes."""
    traced_path = traced_path_from(loading, start)
    events = tuple(event_of(loading, traced_path.points, each) for each in traced_path.found)
    straight = path_of(loading, cable, traced_path.points, events, complete=traced_path.complete)
    return straight, walk(loading, cable, traced_path)
