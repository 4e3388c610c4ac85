"""Processor time and memory of a motion, from numbers of the record alone.

Measured on one busy core of a server processor of 2021 with steps of 5 ms: 10, 20 and 50 elements take 20, 43
and 450 us a step in the relative form with one cable, and 45 us with 10 elements and eight cables.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

MOST_VALUES = 2e7
"""Numbers that a motion may hold: with what makes them, they take 300 MB."""


class Sizes(NamedTuple):
    """Numbers that decide how long a motion takes."""

    formulation: Literal["relative", "corotational"]
    elements: int
    cables: int
    steps: float


def seconds(sizes: Sizes) -> float:
    """Processor time [s] of a motion."""
    n = sizes.elements
    step = 1.5e-6 * n + 3e-9 * n**3
    slower = 20.0 if sizes.formulation == "corotational" else 1.0
    return sizes.steps * slower * (1 + 0.2 * sizes.cables) * step


def values(sizes: Sizes) -> float:
    """Numbers of all instants of a motion: places, rates and frames of its disks."""
    return sizes.steps * (20 * (sizes.elements + 1) + 3 * sizes.cables)
