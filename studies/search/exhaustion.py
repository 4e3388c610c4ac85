"""Ends a search once every design of a finite space was tried: the rest would only repeat them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studies.search.base import FloatArray, Search
from studies.space import DesignSpace, RealVariable


class UntilExhausted:
    """A search over a finite space that asks for no more when every design was asked for."""

    def __init__(self, search: Search, space: DesignSpace) -> None:
        self._search = search
        self._counts = space.grid_shape(1)
        self._seen = np.zeros(space.grid_size(1), dtype=bool)

    def ask(self) -> FloatArray:
        """The next batch, unless nothing new is left."""
        if self._seen.all():
            return np.empty((0, len(self._counts)))
        points = self._search.ask()
        self._seen[self._numbers(points)] = True
        return points

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Pass the results on."""
        self._search.tell(objectives, violations)

    def _numbers(self, points: FloatArray) -> NDArray[np.int64]:
        """Every design's own number."""
        numbers = np.zeros(len(points), dtype=np.int64)
        for column, count in zip(points.T, self._counts, strict=True):
            numbers = numbers * count + np.minimum((column * count).astype(np.int64), count - 1)
        return numbers


def finite_size(space: DesignSpace) -> int | None:
    """How many designs there are; None when a real variable makes them countless."""
    if any(isinstance(variable, RealVariable) for variable in space.variables):
        return None
    return space.grid_size(1)
