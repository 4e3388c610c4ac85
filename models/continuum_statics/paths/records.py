"""Records of paths, made of the points that were followed."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.balance.kernel_newton import NEUTRAL
from models.continuum_statics.energy.positions import tips_of
from models.continuum_statics.paths.events import Crossing
from models.continuum_statics.paths.loading import Loading
from models.continuum_statics.paths.path import Event, Path
from models.continuum_statics.paths.points import PathPoint


def path_of(
    loading: Loading, cable: int, points: list[PathPoint], events: tuple[Event, ...], *, complete: bool
) -> Path:
    """The record of a followed path."""
    states = np.array([loading.whole(point.y[:-1]) for point in points])
    hessians = (loading.forces(point.y[:-1], point.y[-1] * loading.limit)[1] for point in points)
    lambda_min = np.array([np.linalg.eigvalsh(hessian)[0] for hessian in hessians])
    mu_min = np.array([point.mu[0] for point in points])
    stable = (lambda_min > 0) & (mu_min > NEUTRAL)
    stable[[event.index for event in events]] = False
    return Path(
        cable,
        np.array([point.y[-1] for point in points]) * loading.limit,
        states,
        tips_of(loading.robot, states),
        lambda_min,
        mu_min,
        stable,
        events,
        complete=complete,
    )


def event_of(
    loading: Loading, points: list[PathPoint], crossing: Crossing, *, supercritical: bool | None = None
) -> Event:
    """The record of a crossing, without its snap."""
    y = points[crossing.at].y
    return Event(
        crossing.kind,
        float(y[-1]) * loading.limit,
        loading.whole(y[:-1]),
        loading.whole(crossing.null_vector),
        crossing.at,
        crossing.loses_stability,
        supercritical,
    )
