"""Record of a stable workspace: the tips that rays of tensions reach without a loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.floats import FloatArray, IntArray

BoolArray = NDArray[np.bool_]


class Vertices(NamedTuple):
    """Corners of the surface: all samples, ray by ray, then states put between two tensions.

    Attributes
    ----------
    tips : (v, 3) float, m
        NaN where not reached; no triangle has such a corner.
    states : (v, n, 3) float, rad
    tensions : (v, m) float, N
        Of all cables, without the pretension.
    sectors : (v,) int
    """

    tips: FloatArray
    states: FloatArray
    tensions: FloatArray
    sectors: IntArray


@dataclass(frozen=True, slots=True)
class StableWorkspace:
    """Tips that stable equilibria reach from rest, ray by ray of tensions.

    A ray pulls two neighbouring cables with ``s d``, ``d = (cos psi, sin psi) / max``, psi at the
    centres of equal cells over 0 to 90 deg, s from 0 to the greatest tension; it ends where
    stability is first lost.

    Parameters
    ----------
    tips : (r, s, 3) float, m
        Of ray and tension; what was not reached is NaN.
    tensions : (r, s, m) float, N
        Of all cables, without the pretension.
    states : (r, s, n, 3) float, rad
        NaN where not reached.
    mu_min : (r, s) float
        Smallest relative eigenvalue; NaN where not reached.
    stable : (r, s) bool
    sectors : (r,) int
        Which pair of neighbouring cables, from 0.
    psi : (r,) float, rad
        Direction of the ray in its sector.
    losses : (r,) float, N
        Greater tension of the two at which stability is lost, found to a step of tension where the shape
        goes on without being stable; NaN where none is lost.
    vertices : Vertices
    triangles : (t, 3) int
        Into ``vertices``: between neighbouring rays, where all corners are stable and lie on one sheet, that
        is within a tenth of the bending range and an eighth of the length of each other.
    area : float, m^2
        Sum of the triangles' areas: what overlaps is counted twice.
    area_of_third : float, m^2
        The same with every third ray of each sector, the centres of cells three times as wide, and corners
        three times as far apart: how far the two areas differ shows how much depends on the number of rays.
        Rays that were added are left out.
    fraction : float
        Stable points over all points.
    least_mu : float
        Least ``mu_min`` of all stable points.
    rays : int
        Number of rays, those between cells included.
    added_rays : int
        Rays that were added near losses and between states that are apart.
    dropped : int
        Triangles that were left out since their corners stay apart: they lie on two sheets.
    """

    tips: FloatArray
    tensions: FloatArray
    states: FloatArray
    mu_min: FloatArray
    stable: BoolArray
    sectors: IntArray
    psi: FloatArray
    losses: FloatArray
    vertices: Vertices
    triangles: IntArray
    area: float
    area_of_third: float
    fraction: float
    least_mu: float
    rays: int
    added_rays: int = 0
    dropped: int = 0
