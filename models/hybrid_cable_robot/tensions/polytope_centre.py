"""The centre of volume of a bounded polytope from its corners and the planes that each lies on.

Cut into simplices by their incidence alone (Cohen and Hickey, "Two algorithms for determining volumes
of convex polyhedra", 1979): a face is the union of the pyramids from one of its corners over those of
its own faces that do not hold it. No convex hull of the corners is sought, which goes wrong where many
lie on one plane.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.floats import FloatArray

ON_PLANE = 1e-9  # of the polytope's size: a corner as close as this lies on the plane


def centre_of_volume(corners: FloatArray, G: FloatArray, h: FloatArray) -> FloatArray:
    """Centre (k,) of the polytope ``G z <= h`` with rows of G (f, k) of any length; zero is no plane.

    Parameters
    ----------
    corners : (c, k) float
        All of them, in any order; some may be told more than once.
    """
    points = _distinct(corners)
    norms = np.linalg.norm(G, axis=1)
    touching = np.abs(points @ G.T - h) <= ON_PLANE * float(np.ptp(points, axis=0).max()) * norms
    touching &= norms > ON_PLANE
    planes = {_mask(touching[:, plane]) for plane in range(len(h))}
    whole = (1 << len(points)) - 1
    simplices = points[np.array(_simplices(whole, points.shape[1], planes, {}), dtype=np.int64)]
    volumes = np.abs(np.linalg.det(simplices[:, 1:] - simplices[:, :1]))
    return volumes @ simplices.mean(axis=1) / volumes.sum()


def _distinct(corners: FloatArray) -> FloatArray:
    """The corners (c, k) without repetitions."""
    grain = ON_PLANE * float(np.ptp(corners, axis=0).max())
    kept: list[FloatArray] = []
    for corner in corners:
        if not kept or np.abs(np.array(kept) - corner).max(axis=1).min() > grain:
            kept.append(corner)
    return np.array(kept)


def _mask(flags: NDArray[np.bool_]) -> int:
    """The set of places at which ``flags`` hold, as the bits of a number."""
    return sum(1 << int(i) for i in np.flatnonzero(flags))


def _simplices(
    face: int, dimension: int, planes: set[int], known: dict[int, list[tuple[int, ...]]]
) -> list[tuple[int, ...]]:
    """Simplices, as numbers of corners, that make up a face; faces met before are in ``known``."""
    if face in known:
        return known[face]
    first = (face & -face).bit_length() - 1
    if dimension == 0:
        return [(first,)]
    cuts = {face & plane for plane in planes} - {face, 0}
    sides = [cut for cut in cuts if not cut >> first & 1 and cut.bit_count() >= dimension]
    found = [
        (first, *simplex)
        for side in sides
        if not any(side != cut and side & cut == side for cut in cuts)
        for simplex in _simplices(side, dimension - 1, cuts, known)
    ]
    known[face] = found
    return found
