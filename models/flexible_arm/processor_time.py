"""How much processor time and memory motions take, from numbers of the record alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from models.flexible_arm.links import Link

MOST_VALUES = 2e7
"""Numbers that a motion may hold: with what makes them, they take 300 MB."""

HALF_WAVES = {"ss": 0.0, "cf": -0.4, "cc": 0.51, "sc": 0.25, "cs": 0.25, "ff": 0.51}
"""By its ends: half-waves of the k-th mode of a slender beam, beyond k; at most so many."""


class Sizes(NamedTuple):
    """Numbers that decide how long motions take.

    Attributes
    ----------
    modes : sequence of int
        Of each link; 0 of a rigid one.
    rate : float, rad/s
        Of the fastest modal coordinate, its frequency and damping together.
    duration : float, s
    tolerance : float
    method : {"dop853", "rkf45"}
    instants : float
        That are kept.
    runs : int
        Motions of an evaluation.
    """

    modes: Sequence[int]
    rate: float
    duration: float
    tolerance: float
    method: Literal["dop853", "rkf45"]
    instants: float
    runs: int


def modal_rate(link: Link, delay: float) -> float:
    """Frequency [rad/s] of the fastest of a link's modes, and what damping adds; at least the exact one.

    ``delay`` [s] is structural damping over Young's modulus.
    """
    section = link.section
    wavenumber = math.pi * (link.modes + HALF_WAVES[link.ends]) / section.length
    frequency = wavenumber**2 * math.sqrt(section.EI / section.mu)  # of a beam that does not shear: too high
    return frequency + delay * frequency**2


def steps(sizes: Sizes) -> float:
    """Steps of one motion: of waves in flight, and of the impacts."""
    exponent, least = (8, 1.0) if sizes.method == "dop853" else (5, 8.0)
    finer = least * (1e-9 / sizes.tolerance) ** (1 / exponent)
    links = len(sizes.modes)
    return sizes.duration * finer * (2.5 * sizes.rate + 2000 + 50 * links)


def seconds(sizes: Sizes) -> float:
    """Processor time [s] of an evaluation: of one motion, and of those of the ensemble."""
    step = 25e-6 + sum(8e-6 + 1e-6 * count for count in sizes.modes)
    return (1 + sizes.runs) * steps(sizes) * step


def values(sizes: Sizes) -> float:
    """Numbers of all instants of a motion: states, places, velocities and forces of the ends, energies."""
    links = len(sizes.modes)
    coordinates = 2 + links + sum(sizes.modes)
    return sizes.instants * (2 * coordinates + 6 * (links + 1) + 8)
