"""The full grid of a design space: every combination of evenly spaced values, each design once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from studies.definition.space import DesignSpace, FloatArray, RealVariable, middle_of

MOST_COMBINATIONS = 4_000_000
"""Combinations that are looked through for equal designs, a second or two at most."""
_BLOCK = 65_536


class Grid:
    """The designs of a space with ``points`` values per real variable, ends included, and all choices.

    Attributes
    ----------
    shape : tuple of int
        Values of each variable.
    size : int
        Designs; combinations, by multiplication alone, where there are more than ``MOST_COMBINATIONS``.
    """

    def __init__(self, space: DesignSpace, points: int) -> None:
        self._space = space
        self.shape = space.grid_shape(points)
        self._real = np.array([isinstance(variable, RealVariable) for variable in space.variables])
        self._middles = np.array([middle_of(variable) for variable in space.variables])
        combinations = prod(self.shape)
        apart = space.is_plain or combinations > MOST_COMBINATIONS
        self._numbers = None if apart else self._each_once(combinations)
        self.size = combinations if self._numbers is None else len(self._numbers)

    def rows(self, first: int, stop: int) -> FloatArray:
        """Snapped points ``(n, d)`` of the designs with these numbers; the last variable varies fastest."""
        numbers = np.arange(first, stop) if self._numbers is None else self._numbers[first:stop]
        points = self._points(places(numbers, self.shape))
        return points if self._numbers is None else self._space.settle(points)

    def numbers_of(self, points: FloatArray) -> NDArray[np.int64]:
        """The combination ``(n,)`` at which each snapped point of a space without real variables stands."""
        numbers = np.zeros(len(points), dtype=np.int64)
        for column, count in zip(points.T, self.shape, strict=True):
            numbers = numbers * count + np.minimum((column * count).astype(np.int64), count - 1)
        return numbers

    def _points(self, index: NDArray[np.int64]) -> FloatArray:
        counts = np.array(self.shape)
        return np.where(self._real, index / np.maximum(counts - 1, 1), (index + 0.5) / counts)

    def _each_once(self, combinations: int) -> NDArray[np.int64]:
        """The numbers of combinations that stand for the others that are the same design."""
        blocks = range(0, combinations, _BLOCK)
        found = [self._first(np.arange(start, min(start + _BLOCK, combinations))) for start in blocks]
        return np.concatenate(found)

    def _first(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        index = places(numbers, self.shape)
        points = self._points(index)
        idle = ~self._space.acting(points)
        home = np.where(self._real, 0, (self._middles * np.array(self.shape)).astype(np.int64))
        kept = ~(idle & (index != home)).any(axis=1)
        points = np.where(idle, self._middles, points)
        kept &= (self._space.settle(points) == points).all(axis=1)
        if self._space.region is not None and kept.any():
            kept[kept] = self._space.region.holds(points[kept])
        return numbers[kept]


def places(numbers: NDArray[np.int64], shape: Sequence[int]) -> NDArray[np.int64]:
    """Numbers ``(n,)`` of designs as places ``(n, d)`` on the grid; the last variable varies fastest.

    numpy's own function ends at 64 variables.
    """
    found = np.empty((len(numbers), len(shape)), dtype=np.int64)
    for column in reversed(range(len(shape))):
        numbers, found[:, column] = np.divmod(numbers, shape[column])
    return found
