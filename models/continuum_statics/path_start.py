"""The equilibrium that a path starts from: the straight weightless robot, its loads raised together."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.floats import FloatArray
from models.continuum_statics.path_loading import Loading
from models.continuum_statics.path_points import PathPoint, correct, point_at
from models.continuum_statics.path_tracing import trace


def start_of(loading: Loading) -> PathPoint | None:
    """The path's point at load 0, its tangent towards more load; None where there is none.

    Masses and tensions of load 0 are raised together from none, where the robot is straight.
    """
    x = risen(loading, 0.0)
    return None if x is None else _facing_load(loading, np.append(x, 0.0))


def restarted(loading: Loading, x: FloatArray, load: float) -> PathPoint | None:
    """The path's point at a load near the equilibrium ``x`` (k,), its tangent towards more load."""
    y = correct(loading, np.append(x, load / loading.limit), _load_direction(len(x)))
    return None if y is None else _facing_load(loading, y)


def risen(loading: Loading, load: float) -> FloatArray | None:
    """Free angles (k,) under a load that is raised from nothing; None where it cannot be reached."""
    body, tensions = loading.at(load)
    rising = loading._replace(
        robot=body._replace(masses=np.zeros_like(body.masses)),
        tensions=np.zeros_like(tensions),
        tension_rate=tensions,
        mass_rate=body.masses,
        limit=1.0,
    )
    straight = np.zeros(len(loading.places) + 1)
    if not tensions.any() and not body.masses.any():
        return straight[:-1]
    end = trace(rising, _facing_load(rising, straight)).points[-1]
    return end.y[:-1] if end.y[-1] == 1.0 else None


def _facing_load(loading: Loading, y: FloatArray) -> PathPoint:
    point = point_at(loading, y, _load_direction(len(y) - 1))
    return point if point.tangent[-1] >= 0 else point._replace(tangent=-point.tangent)


def _load_direction(angles: int) -> FloatArray:
    direction = np.zeros(angles + 1)
    direction[-1] = 1.0
    return direction
