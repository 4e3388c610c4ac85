"""Masses that a file gives the platform, as far as a body of its size can have them.

Programs write numbers that nobody entered, such as a centre of mass a metre beside a platform of 12 cm. Such
a number is not believed without a word: a neutral one stands in its place, and the report offers the file's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray

_FAR = np.array([2.0, 2.0, 10.0])
"""Distances of a centre of mass from the attachments' box along x, y and z, in radii of the attachments, that
are not believed: loads hang below a platform or stand on it, and not beside it."""
_WIDE = 3.0
"""Greatest radius about the centre of mass at which all mass may lie, in radii of the attachments."""
_SLACK = 1e-6
_EXCESS = 0.5
"""Share by which the greatest moment of inertia may exceed the sum of the two others: measured and rounded
ones do, and those of the paper's platform by 19 %."""
_DIGITS = 12  # of a mean of points [m], behind which there is only rounding


class PlausibleBody(NamedTuple):
    """Centre of mass (3,) m and inertia (3, 3) kg m^2 about it to take; ``doubts`` are sentences."""

    centre: FloatArray
    inertia: FloatArray
    doubts: list[str]


def plausible_body(
    mass: float, centre: FloatArray, inertia: FloatArray, attachments: FloatArray
) -> PlausibleBody:
    """Replace what no body of the platform's size has.

    Parameters
    ----------
    mass : float, kg
    centre : (3,) float, m
        Centre of mass in the platform frame.
    inertia : (3, 3) float, kg m^2
        About the centre of mass.
    attachments : (m, 3) float, m
    """
    middle = attachments.mean(axis=0).round(_DIGITS) + 0.0
    radius = float(np.linalg.norm(attachments - middle, axis=1).max())
    doubts: list[str] = []
    impossible = _is_impossible(inertia)
    outside = np.maximum(attachments.min(axis=0) - centre, centre - attachments.max(axis=0)).clip(0.0)
    if (outside > (_SLACK if impossible else _FAR) * radius).any():
        doubts.append(
            f"the centre of mass in the file, {_numbers(centre)} m, lies {np.linalg.norm(outside):.3g} m "
            f"outside the attachments, which are within {radius:.3g} m of their middle: the middle, "
            f"{_numbers(middle)} m, is taken; to have the file's, set platform_body.centre_of_mass = "
            f"{_numbers(centre)}"
        )
        centre = middle
    size = radius + float(np.linalg.norm(centre - middle))
    wide = _WIDE * size
    if impossible or float(np.trace(inertia)) / 2 > mass * wide**2:
        why = "are those of no body, one far exceeds the sum of the two others"
        if not impossible:
            why = f"put {mass:g} kg beyond {wide:.3g} m from the centre of mass of a platform of {size:.3g} m"
        entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        doubts.append(
            f"the moments of inertia in the file {why}: the platform has none; to have the file's, set "
            f"platform_body.inertia = {_numbers(entries)}"
        )
        inertia = np.zeros((3, 3))
    return PlausibleBody(centre, inertia, doubts)


def _is_impossible(inertia: FloatArray) -> bool:
    """True if no body has a tensor: a moment is negative, or far exceeds the sum of the two others."""
    least, middle, greatest = np.linalg.eigvalsh(inertia)
    return bool(least < -_SLACK * abs(greatest) or greatest > (1 + _EXCESS) * (least + middle))


def _numbers(values: Sequence[float] | FloatArray) -> str:
    return f"[{', '.join(f'{value + 0.0:.6g}' for value in values)}]"
