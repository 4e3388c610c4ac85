"""Whether an arm at its start, and the ground, are their own mirror images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.ground import Ground
from models.flexible_arm.links import RIGID, Link

MIRRORED = {"ss": "ss", "cc": "cc", "sc": "cs", "cs": "sc", "ff": "ff", RIGID: RIGID}
"""Ends of the mirror image of a link; that of cf has modes that no link can have."""
SAME = 1e-9  # [m]


def is_mirrored(links: Sequence[Link], ends: FloatArray, ground: Ground) -> bool:
    """Whether the vertical half way between the first and the last of ``ends`` (n + 1, 2) [m] is a mirror."""
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
