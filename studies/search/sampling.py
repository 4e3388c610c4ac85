"""Searches that learn nothing: Latin hypercube, Sobol sequence and full grid.

Samplers are imported when one is started: scipy.stats takes a second to load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from studies.definition.grid import Grid
from studies.search.base import FloatArray, Start, untouched_warnings

if TYPE_CHECKING:
    from scipy.stats.qmc import QMCEngine


class Sampling:
    """A fixed list of designs, asked for in batches.

    Parameters
    ----------
    rows : callable (start, stop) -> (n, d) float
        Designs by number; only the batch at hand is built.
    size, batch : int
        How many designs there are, and how many are asked for at a time.
    """

    def __init__(self, rows: Callable[[int, int], FloatArray], size: int, batch: int) -> None:
        self._rows = rows
        self._size = size
        self._batch = batch
        self._next = 0

    def ask(self) -> FloatArray:
        """The next batch."""
        start, self._next = self._next, min(self._next + self._batch, self._size)
        return self._rows(start, self._next)

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Nothing is learned."""


def latin_hypercube(start: Start) -> Sampling:
    """Latin hypercube sample: each variable's range is covered evenly."""
    from scipy.stats.qmc import LatinHypercube

    return _sample(LatinHypercube(len(start.space), rng=np.random.default_rng(start.seed)), start)


def sobol(start: Start) -> Sampling:
    """Scrambled Sobol sequence; a power of two of designs keeps its balance."""
    from scipy.stats.qmc import Sobol

    return _sample(Sobol(len(start.space), rng=np.random.default_rng(start.seed)), start)


def _sample(sampler: QMCEngine, start: Start) -> Sampling:
    """A sample of the stated size; initial designs replace its first ones."""
    settings = start.settings
    limits = [settings.evaluations] if settings.evaluations is not None else []
    limits += [settings.population * settings.generations] if settings.generations is not None else []
    size = min(limits)

    def draw(count: int) -> FloatArray:
        return np.asarray(sampler.random(count), dtype=np.float64)

    with untouched_warnings():
        points = start.sample(draw, size)
    points[: len(start.initial)] = start.initial[:size]
    return Sampling(lambda first, stop: points[first:stop], size, settings.population)


def full_grid(start: Start) -> Sampling:
    """Every combination: ``points`` values per real variable, ends included, and all choices."""
    grid = Grid(start.space, start.settings.points)
    return Sampling(grid.rows, grid.size, start.population)
