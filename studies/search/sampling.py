"""Searches that learn nothing: Latin hypercube, Sobol sequence and full grid."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.stats import qmc

from studies.definition import SearchTable
from studies.search.base import FloatArray
from studies.space import DesignSpace, RealVariable


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


def latin_hypercube(settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int) -> Sampling:  # noqa: ARG001
    """Latin hypercube sample (McKay et al. 1979): each variable's range is covered evenly."""
    sampler = qmc.LatinHypercube(len(space), rng=np.random.default_rng(seed))
    return _sample(sampler, settings, space)


def sobol(settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int) -> Sampling:  # noqa: ARG001
    """Scrambled Sobol sequence (Owen 1998); a power of two of designs keeps its balance."""
    return _sample(qmc.Sobol(len(space), rng=np.random.default_rng(seed)), settings, space)


def _sample(sampler: qmc.QMCEngine, settings: SearchTable, space: DesignSpace) -> Sampling:
    size = settings.planned_evaluations or settings.population
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The balance properties of Sobol")
        points = space.snap(np.asarray(sampler.random(size), dtype=np.float64))
    return Sampling(lambda start, stop: points[start:stop], size, settings.population)


def full_grid(settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int) -> Sampling:  # noqa: ARG001
    """Every combination: ``points`` values per real variable, ends included, and all choices."""
    shape = space.grid_shape(settings.points)
    real = np.array([isinstance(variable, RealVariable) for variable in space.variables])
    counts = np.array(shape)

    def rows(start: int, stop: int) -> FloatArray:
        index = np.stack(np.unravel_index(np.arange(start, stop), shape), axis=1)
        ends = index / np.maximum(counts - 1, 1)
        middles = (index + 0.5) / counts
        return np.where(real, ends, middles)

    return Sampling(rows, space.grid_size(settings.points), settings.population)
