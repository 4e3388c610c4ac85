"""The rays of tensions on which the stable workspace is sampled."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.continuum_statics.parameters import ContinuumStatics
from models.floats import FloatArray, IntArray


class Rays(NamedTuple):
    """Directions in the space of tensions.

    ``sectors`` (r,) number the pairs of neighbouring cables, ``psi`` (r,) [rad] is the direction
    between the two, ``rates`` (r, m) [1] the tensions, the greater being 1.
    """

    sectors: IntArray
    psi: FloatArray
    rates: FloatArray


def sectors(parameters: ContinuumStatics) -> list[tuple[int, int]]:
    """Pairs of cables that are neighbours by azimuth; two cables make one pair, one cable makes none.

    Where every section, the cables that are tied to one disk, has three cables or more, pairs are made
    within sections: cables of two sections may run through the same holes.
    """
    ties = parameters.ties
    sections = [[k for k, tie in enumerate(ties) if tie == disk] for disk in sorted(set(ties))]
    if any(len(section) < 3 for section in sections):
        sections = [list(range(parameters.cables))]
    return [pair for section in sections for pair in _neighbours(parameters, section)]


def _neighbours(parameters: ContinuumStatics, section: list[int]) -> list[tuple[int, int]]:
    order = sorted(section, key=lambda cable: parameters.hole_azimuths[cable] % (2 * math.pi))
    if len(order) < 3:
        return [(order[0], order[1])] if len(order) == 2 else []
    return list(zip(order, order[1:] + order[:1], strict=True))


def centred_rays(parameters: ContinuumStatics) -> Rays:
    """Rays at the centres of ``rays`` equal cells of each sector, so that none lies on its edge."""
    cells = parameters.rays
    centres = np.array([(cell + 0.5) * (np.pi / 2 / cells) for cell in range(cells)])
    count = len(sectors(parameters))
    return rays_at(parameters, np.repeat(np.arange(count), cells), np.tile(centres, count))


def rays_at(parameters: ContinuumStatics, numbers: IntArray, psi: FloatArray) -> Rays:
    """Rays in the given sectors (r,) and directions (r,)."""
    rates = np.zeros((len(psi), parameters.cables))
    pairs = sectors(parameters)
    for ray, (number, angle) in enumerate(zip(numbers, psi, strict=True)):
        first, second = pairs[number]
        rates[ray, first], rates[ray, second] = np.cos(angle), np.sin(angle)
    return Rays(numbers, psi, rates / np.max(rates, axis=1, initial=1e-300, keepdims=True))
