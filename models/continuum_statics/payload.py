"""The greatest tip mass that a robot carries under constant tensions, in balance and within its strength."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import (
    Loading,
    PathPoint,
    last_point,
    payload_loading,
    start_from,
    trace,
)
from models.continuum_statics.equilibrium import equilibrium
from models.continuum_statics.events import crossings
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.pose import stable_equilibrium
from models.continuum_statics.strength import strains_and_stresses, strength
from models.contract import Infeasible

Loss = Literal["fold", "bifurcation", "material", "contact", "steps", "none"]


class Payload(NamedTuple):
    """Greatest payload, and the way in which it is lost.

    Attributes
    ----------
    mass : float or None, kg
        Tip mass at which the equilibrium is lost or a limit of the material is reached, or to which it
        could be followed; None when neither happens up to ``limit``.
    loss : {"fold", "bifurcation", "material", "contact", "steps", "none"}
        How it is lost; ``material`` when stress or strain reach their limit, ``contact`` when disks would
        cut each other beyond, ``steps`` when the path could not be followed further, its steps being too
        small or too many.
    limit : float, kg
    state : (n, 3) float, rad
        The state at the loss, or under ``limit``.
    """

    mass: float | None
    loss: Loss
    limit: float
    state: FloatArray


def max_payload(
    parameters: ContinuumStatics, tensions: FloatArray | None = None, limit: float | None = None
) -> Payload:
    """Raise the tip mass from 0, instead of the record's, until the equilibrium is lost or the rod yields.

    It starts from the stable state that the robot reaches without a tip mass, see
    :func:`~models.continuum_statics.pose.stable_equilibrium`.

    Parameters
    ----------
    parameters : ContinuumStatics
    tensions : (m,) float, N, optional
        Held constant; the record's when not given, which are zero unless set. The pretension acts
        besides.
    limit : float, kg, optional
        The record's ``payload_limit`` when not given.

    Returns
    -------
    Payload
        With mass 0 when the robot reaches no stable equilibrium without a tip mass, or its rod is beyond a
        limit of the material there.
    """
    held = np.array(parameters.tensions) if tensions is None else np.asarray(tensions, float)
    greatest = parameters.payload_limit if limit is None else limit
    loading = payload_loading(parameters, held, greatest)
    bare = parameters.model_copy(update={"tip_mass": 0.0})
    pose = stable_equilibrium(bare, held)
    if isinstance(pose, Infeasible):
        return Payload(0.0, "none", greatest, equilibrium(bare, held).q)
    start = start_from(loading, pose.state.q.ravel()[loading.places], 0.0)
    if start is None:
        return Payload(0.0, "none", greatest, pose.state.q)
    if _overstrained(parameters, loading, start):
        return Payload(0.0, "material", greatest, pose.state.q)
    last, loss = _followed(parameters, loading, start)
    mass = None if loss == "none" else float(last.y[-1]) * greatest
    return Payload(mass, loss, greatest, loading.whole(last.y[:-1]))


def _followed(parameters: ContinuumStatics, loading: Loading, start: PathPoint) -> tuple[PathPoint, Loss]:
    """The last point at which the payload is carried, and how it is lost there."""
    traced = trace(loading, start, lambda _, after: _ended(parameters, loading, after))
    points, found = crossings(loading, traced.points)
    loss = next((each for each in found if each.loses_stability), None)
    place = -1 if loss is None else loss.at
    last = points[place]
    if _overstrained(parameters, loading, last):
        here = points[place - 1]
        held = last_point(loading, here, last, lambda point: not _overstrained(parameters, loading, point))
        return here if held is None else held, "material"
    if loss is not None:
        return last, loss.kind
    if traced.complete:
        return last, "none"
    return last, "contact" if traced.ending == "contact" else "steps"


def _ended(parameters: ContinuumStatics, loading: Loading, point: PathPoint) -> bool:
    return point.unstable_count > 0 or _overstrained(parameters, loading, point)


def _overstrained(parameters: ContinuumStatics, loading: Loading, point: PathPoint) -> bool:
    """True if stress or strain exceed a limit of the material."""
    body, tensions = loading.at(float(point.y[-1]) * loading.limit)
    found = strains_and_stresses(parameters, body, tensions[None], loading.whole(point.y[:-1])[None])
    factor = strength(parameters, *found).safety_factor
    return factor is not None and factor < 1.0
