"""The volume that stable workspaces of rising pretension span."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.reach.stable_workspace import StableWorkspace
from models.continuum_statics.reach.workspace import stable_workspace
from models.floats import FloatArray, IntArray

GREATEST_SHARE = 0.25  # of the greatest tension that is given to every cable as pretension
TETRAHEDRA = ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5))  # of a prism with corners 0 1 2 below, 3 4 5 above


class ReachableVolume(NamedTuple):
    """Volume of the tips of stable states.

    Attributes
    ----------
    volume : float, m^3
        Sum over prisms between triangles of two neighbouring pretensions whose six corners are stable:
        what overlaps is counted twice.
    pretensions : (p,) float, N
    areas : (p,) float, m^2
        Of the stable workspace under each pretension.
    """

    volume: float
    pretensions: FloatArray
    areas: FloatArray


def reachable_volume(parameters: ContinuumStatics, pretensions: FloatArray | None = None) -> ReachableVolume:
    """Sweep the pretension and add up the volume between one stable workspace and the next.

    ``pretensions`` (p,) [N] rise; when not given, ``pretension_steps`` of them from 0 to a quarter of the
    record's greatest tension.
    """
    if pretensions is None:
        greatest = GREATEST_SHARE * parameters.max_tension
        pretensions = np.linspace(0.0, greatest, parameters.pretension_steps)
    layers = (
        stable_workspace(parameters.model_copy(update={"pretension": float(each), "refinements": 0}))
        for each in pretensions
    )
    volume, areas = 0.0, []
    below: StableWorkspace | None = None
    for layer in layers:
        if below is not None:
            volume += _between(below, layer)
        areas.append(layer.area)
        below = layer
    return ReachableVolume(volume, np.asarray(pretensions, float), np.array(areas))


def _between(below: StableWorkspace, above: StableWorkspace) -> float:
    """Volume [m^3] of the prisms between two layers that were sampled on the same rays."""
    shared = _shared(below.triangles, above)
    lower, upper = (layer.tips.reshape(-1, 3)[shared] for layer in (below, above))
    corners = np.concatenate([lower, upper], axis=1)
    volume = 0.0
    for a, b, c, d in TETRAHEDRA:
        edges = corners[:, [b, c, d]] - corners[:, [a]]
        volume += float(np.abs(np.linalg.det(edges)).sum()) / 6
    return volume


def _shared(triangles: IntArray, above: StableWorkspace) -> IntArray:
    return triangles[above.stable.ravel()[triangles].all(axis=1)]
