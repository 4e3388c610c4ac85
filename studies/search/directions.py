"""Reference directions for NSGA-III and MOEA/D: evenly spread weights of the objectives.

The directions are those of Das and Dennis (SIAM J. Optim. 8(3) 1998): all points of the simplex whose
coordinates are multiples of ``1 / partitions``. Fewer partitions than objectives put every point on
the simplex's edge; then a second, smaller layer half-way to the centre is added (Deb and Jain, IEEE
Trans. Evol. Comput. 18(4) 2014). The number of partitions is the largest that fits the population.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def count_points(partitions: int, n_objectives: int) -> int:
    """Points of one layer, by arithmetic alone."""
    return comb(n_objectives + partitions - 1, partitions)


def layers(population: int, n_objectives: int) -> tuple[int, ...]:
    """Partitions of the layer, or of the outer and the inner one; empty when not even one point fits each."""
    if n_objectives == 1:
        return (1,)
    one = _largest(population, n_objectives, two=False)
    if one >= n_objectives:
        return (one,)
    outer = _largest(population, n_objectives, two=True)
    if outer:
        return outer, outer - 1
    return (one,) if one else ()


def _largest(population: int, n_objectives: int, *, two: bool) -> int:
    partitions = 0
    while _size(partitions + 1, n_objectives, two=two) <= population:
        partitions += 1
    return partitions


def _size(partitions: int, n_objectives: int, *, two: bool) -> int:
    inner = count_points(partitions - 1, n_objectives) if two else 0
    return count_points(partitions, n_objectives) + inner


def count_directions(population: int, n_objectives: int) -> int:
    """Number of directions of a population, before any is built."""
    return sum(count_points(partitions, n_objectives) for partitions in layers(population, n_objectives))


def reference_directions(population: int, n_objectives: int) -> FloatArray:
    """The directions ``(k, m)``, k at most ``population``; rows sum to 1."""
    from pymoo.util.reference_direction import das_dennis

    if n_objectives == 1:
        return np.ones((1, 1))
    outer, *inner = layers(population, n_objectives)
    parts = [das_dennis(outer, n_objectives)]
    parts += [0.5 * das_dennis(partitions, n_objectives) + 0.5 / n_objectives for partitions in inner]
    return np.concatenate(parts)
