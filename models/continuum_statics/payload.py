"""The greatest tip mass that a robot carries under constant tensions, in balance and within its strength."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import (
    Loading,
    PathPoint,
    payload_loading,
    point_along,
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

LIMIT = 1e-10  # arclength to which the limit of the material is found


class Payload(NamedTuple):
    """What is carried.

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
    traced = trace(loading, start, lambda _, after: _ended(parameters, loading, after))
    points, found = crossings(loading, traced.points)
    loss = next((each for each in found if each.loses_stability), None)
    last = points[-1 if loss is None else loss.at]
    if _overstrained(parameters, loading, last):
        last, kind = (
            _at_limit(parameters, loading, points[(-1 if loss is None else loss.at) - 1], last),
            "material",
        )
    elif loss is not None:
        kind = loss.kind
    elif traced.complete:
        return Payload(None, "none", greatest, loading.whole(last.y[:-1]))
    else:
        kind = "contact" if traced.ending == "contact" else "steps"
    return Payload(float(last.y[-1]) * greatest, kind, greatest, loading.whole(last.y[:-1]))


def _ended(parameters: ContinuumStatics, loading: Loading, point: PathPoint) -> bool:
    return point.unstable_count > 0 or _overstrained(parameters, loading, point)


def _overstrained(parameters: ContinuumStatics, loading: Loading, point: PathPoint) -> bool:
    """Whether stress or strain exceed a limit of the material."""
    body, tensions = loading.at(float(point.y[-1]) * loading.limit)
    found = strains_and_stresses(parameters, body, tensions[None], loading.whole(point.y[:-1])[None])
    factor = strength(parameters, *found).safety_factor
    return factor is not None and factor < 1.0


def _at_limit(
    parameters: ContinuumStatics, loading: Loading, here: PathPoint, beyond: PathPoint
) -> PathPoint:
    """The last point between two at which no limit of the material is exceeded."""
    within, exceeded, last = 0.0, float(here.tangent @ (beyond.y - here.y)), here
    while exceeded - within > LIMIT:
        middle = (within + exceeded) / 2
        point = point_along(loading, here, middle)
        if point is not None and not _overstrained(parameters, loading, point):
            within, last = middle, point
        else:
            exceeded = middle
    return last
