"""Initial configuration: ends of the links before any of them has bent, and a test of its symmetry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.ground import Ground
from models.flexible_arm.links import RIGID, Link

AngleConvention = Literal["relative", "absolute"]
SLOPE = math.radians(30.0)  # of the first link, and downwards of the last one, where no angles are given
MIRRORED = {"ss": "ss", "cc": "cc", "sc": "cs", "cs": "sc", "ff": "ff", RIGID: RIGID}
"""Ends of the mirror image of a link; that of cf has modes that no link can have."""
SAME = 1e-9  # [m]


def spread_angles(links: int) -> FloatArray:
    """Absolute angles (n,) [rad] evenly spread from 30 to -30 degrees: an arch; 0 of a single link."""
    if links == 1:
        return np.zeros(1)
    return SLOPE * np.arange(links - 1, -links, -2) / (links - 1)


def absolute_angles(angles: Sequence[float], convention: AngleConvention, tilt: float) -> FloatArray:
    """Absolute angles (n,) [rad] of the links.

    Parameters
    ----------
    angles : sequence of float, rad
        Absolute ones, or those of each link against the one before; the first one's is absolute.
    convention : {"relative", "absolute"}
    tilt : float, rad
        By which the whole arm is turned.
    """
    given = np.asarray(angles, dtype=float)
    return tilt + (np.cumsum(given) if convention == "relative" else given)


def straight_ends(first: FloatArray, lengths: FloatArray, angles: FloatArray) -> FloatArray:
    """Ends (n + 1, 2) [m] of straight links at absolute ``angles`` (n,) [rad] from the ``first`` end (2,)."""
    steps = lengths[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return first + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def centred_first_end(lengths: FloatArray, angles: FloatArray, height: float) -> FloatArray:
    """Place (2,) [m] of the first end with which the ends are centred at x = 0, the lowest at ``height``."""
    ends = straight_ends(np.zeros(2), lengths, angles)
    return np.array([-(ends[:, 0].min() + ends[:, 0].max()) / 2, height - ends[:, 1].min()])


def is_mirrored(links: Sequence[Link], ends: FloatArray, ground: Ground) -> bool:
    """True if the vertical half way between the first and the last of ``ends`` (n + 1, 2) [m] is a mirror."""
    axis = (ends[0, 0] + ends[-1, 0]) / 2
    image = ends[::-1] * [-1.0, 1.0] + [2 * axis, 0.0]
    place = (2 * axis - ground.x[::-1], ground.heights[::-1])
    return (
        all(map(_is_image, links, links[::-1]))
        and bool(np.allclose(image, ends, rtol=0.0, atol=SAME))
        and bool(np.allclose(place, (ground.x, ground.heights), rtol=0.0, atol=SAME))
    )


def _is_image(link: Link, other: Link) -> bool:
    return MIRRORED.get(link.ends) == other.ends and link._replace(ends=other.ends) == other
