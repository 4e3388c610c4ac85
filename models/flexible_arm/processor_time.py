"""Processor time and memory of motions, from numbers of the record alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from models.flexible_arm.links import Link

MOST_VALUES = 2e7
"""Numbers that a motion may hold: with what makes them, they take 300 MB."""

HALF_WAVES = {"ss": 0.0, "cf": -0.4, "cc": 0.51, "sc": 0.25, "cs": 0.25, "ff": 0.51}
"""Half-waves of the k-th mode of a slender beam, beyond k, by its ends; at most so many."""


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

    ``delay`` [s] is structural damping over Young's modulus. Air damps what bends of a link, not where its
    frame goes: motions in which the two cancel have little mass, those of many clamped-free modes least.
    """
    section = link.section
    wavenumber = math.pi * (link.modes + HALF_WAVES[link.ends]) / section.length
    frequency = wavenumber**2 * math.sqrt(section.EI / section.mu)  # of a beam that does not shear: too high
    lightness = 110.0 * link.modes**3 if link.ends == "cf" else 5.5 * link.modes
    return frequency + delay * frequency**2 + lightness * link.air_damping / section.mu


def steps(sizes: Sizes) -> float:
    """Steps of one motion: of waves in flight, and of the impacts."""
    exponent, least = (8, 1.0) if sizes.method == "dop853" else (5, 8.0)
    finer = least * (1e-9 / sizes.tolerance) ** (1 / exponent)
    links = len(sizes.modes)
    return sizes.duration * finer * (2.5 * sizes.rate + 2000 + 50 * links)


def step_seconds(sizes: Sizes) -> float:
    """Processor time [s] of one step."""
    return 25e-6 + sum(8e-6 + 1e-6 * count for count in sizes.modes)


def seconds(sizes: Sizes) -> float:
    """Processor time [s] of an evaluation: of one motion, and of those of the ensemble."""
    return (1 + sizes.runs) * steps(sizes) * step_seconds(sizes)


def values_per_instant(sizes: Sizes) -> int:
    """Numbers of an instant: the state, places, velocities and forces of the ends, energies."""
    links = len(sizes.modes)
    coordinates = 2 + links + sum(sizes.modes)
    return 2 * coordinates + 6 * (links + 1) + 8


def values(sizes: Sizes) -> float:
    """Numbers of all instants of a motion that lie as far apart as asked."""
    return sizes.instants * values_per_instant(sizes)


def least_spacing(sizes: Sizes) -> float:
    """Time [s] between instants of which as many fit in memory as the motion may hold."""
    return sizes.duration * values_per_instant(sizes) / MOST_VALUES
