"""The rays of tensions on which the stable workspace is sampled."""

from __future__ import annotations

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
    """Pairs of cables that are neighbours by azimuth; two cables make one pair, one cable makes none."""
    turned = np.mod(np.array(parameters.hole_azimuths), 2 * np.pi)
    order = np.argsort(turned, kind="stable").tolist()
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
