"""Motion patterns: the freedoms of the platform, and the wrenches and rotations that go with them.

A pattern is named as in the literature on cable robots (Verhoeven 2004): ``3R3T`` moves and turns in space,
``2R3T`` is a bar, which nothing turns about itself, ``3T`` a point mass, ``1R2T`` and ``2T`` stay in a plane.
The mechanics keep six rows of wrenches, force first. Rows that a pattern does not have are zero, and a wrench
along them is no load: guides, or the symmetry of a point, hold it.
"""

from __future__ import annotations

import itertools
from typing import Literal, get_args

import numpy as np

from models.arrays import FloatArray

Freedoms = Literal["3R3T", "2R3T", "3T", "1R2T", "2T"]
Plane = Literal["xy", "xz", "yz"]

FREEDOMS: dict[Freedoms, int] = {"3R3T": 6, "2R3T": 5, "3T": 3, "1R2T": 3, "2T": 2}
PLANAR: tuple[Freedoms, ...] = ("1R2T", "2T")
POINTS: tuple[Freedoms, ...] = ("3T", "2T")
NORMALS: dict[Plane, int] = dict(zip(get_args(Plane), (2, 1, 0), strict=True))
ON_LINE = 1e-9  # of the attachments' extent: as close as this, they lie on one line or in one point

Place = tuple[float, float, float]


def wrench_rows(freedoms: Freedoms, plane: Plane) -> FloatArray:
    """Rows (6,) of a wrench, force first: 1 where the pattern has them, else 0."""
    rows = np.ones(6)
    if freedoms in POINTS:
        rows[3:] = 0.0
    if freedoms in PLANAR:
        normal = NORMALS[plane]
        rows[normal] = 0.0
        rows[3:][np.arange(3) != normal] = 0.0
    return rows


def turning_axes(freedoms: Freedoms, plane: Plane, attachments: FloatArray) -> FloatArray:
    """Orthonormal axes (k, 3) about which the platform turns, at the nominal orientation.

    ``attachments`` (m, 3) m, platform frame, are those of a bar in ``2R3T``.
    """
    if freedoms in POINTS:
        return np.empty((0, 3))
    if freedoms == "1R2T":
        return np.eye(3)[[NORMALS[plane]]]
    if freedoms == "2R3T":
        bar = bar_direction(attachments)
        first = np.cross(bar, np.eye(3)[np.argmin(np.abs(bar))])
        first /= np.linalg.norm(first)
        return np.array([first, np.cross(bar, first)])
    return np.eye(3)


def bar_direction(attachments: FloatArray) -> FloatArray:
    """Unit vector (3,) along the line nearest to attachments (m, 3) m."""
    middle = attachments - attachments.mean(axis=0)
    direction = np.linalg.svd(middle)[2][0]
    return direction * np.sign(direction[np.argmax(np.abs(direction))])


def wrench_basis(
    freedoms: Freedoms, plane: Plane, attachments: FloatArray, rotation: FloatArray, length_scale: float
) -> FloatArray:
    """Orthonormal rows (n, 6): the wrenches that the pattern has, torques divided by ``length_scale`` [m].

    At a rotation (3, 3). No cable of a bar gives power to its turning about itself: the wrenches of ``2R3T``
    are those normal to this twist.
    """
    if freedoms != "2R3T":
        return np.eye(6)[wrench_rows(freedoms, plane) > 0.0]
    axis = rotation @ bar_direction(attachments)
    twist = np.concatenate([np.cross(rotation @ attachments[0], axis), axis * length_scale])
    return np.linalg.svd(twist[None])[2][1:]


def rotation_vectors(name: str, spans: FloatArray) -> FloatArray:
    """Rotation vectors (o, 3) rad of an orientation set, the nominal one first.

    Parameters
    ----------
    name : {"nominal", "corners", "grid27", "certified"}
        The last one by the sample that goes before the proofs.
    spans : (k, 3) float, rad
        Half sides of the box of rotation vectors, as vectors.
    """
    steps = {"nominal": (), "corners": (-1.0, 1.0)}.get(name, (-1.0, 0.0, 1.0))
    turns = itertools.product(steps, repeat=len(spans)) if steps else ()
    vectors = dict.fromkeys(tuple((np.array(turn) @ spans).tolist()) for turn in turns)
    return np.array([(0.0, 0.0, 0.0), *(vector for vector in vectors if any(vector))])


def orientation_count(name: str, freedoms: Freedoms) -> int:
    """Number of orientations in a set."""
    turning = {"3R3T": 3, "2R3T": 2, "1R2T": 1}.get(freedoms, 0)
    if name == "nominal" or not turning:
        return 1
    return 2**turning + 1 if name == "corners" else 3**turning
