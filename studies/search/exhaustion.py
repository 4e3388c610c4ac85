"""Ends a search once every design of a finite space was tried: the rest would only repeat them."""

from __future__ import annotations

import numpy as np

from studies.search.base import FloatArray, Search
from studies.space import DesignSpace, RealVariable


class UntilExhausted:
    """A search over a space of ``size`` designs that asks for none when all of them were asked for."""

    def __init__(self, search: Search, space: DesignSpace, size: int) -> None:
        self._search = search
        self._dimensions = len(space)
        self._size = size
        self._seen: set[bytes] = set()

    def ask(self) -> FloatArray:
        """The next batch, unless nothing new is left."""
        if len(self._seen) >= self._size:
            return np.empty((0, self._dimensions))
        points = self._search.ask()
        self._seen.update(point.tobytes() for point in points)
        return points

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Pass the results on."""
        self._search.tell(objectives, violations)


def finite_size(space: DesignSpace) -> int | None:
    """How many designs there are; None when a real variable makes them countless."""
    if any(isinstance(variable, RealVariable) for variable in space.variables):
        return None
    return space.grid_size(1)
