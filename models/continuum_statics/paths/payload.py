"""The greatest tip mass that a robot carries under constant tensions."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from models.continuum_statics.balance.equilibrium import equilibrium
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.events import crossings
from models.continuum_statics.paths.loading import payload_loading
from models.continuum_statics.paths.points import PathPoint
from models.continuum_statics.paths.start import start_from
from models.continuum_statics.paths.tracing import trace
from models.floats import FloatArray

Loss = Literal["fold", "bifurcation", "contact", "steps", "none"]


class Payload(NamedTuple):
    """What is carried.

    Attributes
    ----------
    mass : float or None, kg
        Tip mass at which the equilibrium is lost, or to which it could be followed; None when it is
        not lost up to ``limit``.
    loss : {"fold", "bifurcation", "contact", "steps", "none"}
        How it is lost; ``contact`` when disks would cut each other beyond, ``steps`` when the path
        could not be followed further, its steps being too small or too many.
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
    """Raise the tip mass from 0, instead of the record's, until the equilibrium is lost.

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
        With mass 0 when the robot is not in a stable equilibrium without a tip mass.
    """
    held = np.array(parameters.tensions) if tensions is None else np.asarray(tensions, float)
    greatest = parameters.payload_limit if limit is None else limit
    loading = payload_loading(parameters, held, greatest)
    bare = equilibrium(parameters.model_copy(update={"tip_mass": 0.0}), held)
    start = start_from(loading, bare.q.ravel()[loading.places], 0.0) if bare.stable else None
    if start is None:
        return Payload(0.0, "none", greatest, bare.q)
    traced = trace(loading, start, _unstable)
    points, found = crossings(loading, traced.points)
    loss = next((each for each in found if each.loses_stability), None)
    last = points[-1 if loss is None else loss.at].y
    state, mass = loading.whole(last[:-1]), float(last[-1]) * greatest
    if loss is not None:
        return Payload(mass, loss.kind, greatest, state)
    if traced.complete:
        return Payload(None, "none", greatest, state)
    return Payload(mass, "contact" if traced.ending == "contact" else "steps", greatest, state)


def _unstable(before: PathPoint, after: PathPoint) -> bool:  # noqa: ARG001 - a Stop has both points
    return after.unstable_count > 0
