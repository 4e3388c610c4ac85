"""Objectives of comparable size for algorithms that measure distances between them."""

from __future__ import annotations

import numpy as np

from studies.search.base import FloatArray, Search


class Scaled:
    """A search that gets objectives shifted and divided by their range.

    The range is that of the feasible designs in the first generation that has any, and stays. pymoo's
    NSGA-III takes differences below 1e-6 for none and AGE-MOEA-II rounds to 12 decimals, which
    compliances in m/N would not survive; and MOEA/D would add metres to newtons.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._scale: tuple[FloatArray, FloatArray] | None = None

    def ask(self) -> FloatArray:
        """The next batch."""
        return self._search.ask()

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell scaled objectives; those of infeasible designs, which nobody compares, are 0."""
        feasible = violations == 0.0
        if self._scale is None and feasible.any():
            self._scale = _range_of(objectives[feasible])
        scaled = np.zeros_like(objectives)
        if self._scale is not None:
            origin, span = self._scale
            scaled[feasible] = (objectives[feasible] - origin) / span
        self._search.tell(scaled, violations)


def _range_of(objectives: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least of each column, and its range; the value's own size where all are equal."""
    origin = objectives.min(axis=0)
    span = objectives.max(axis=0) - origin
    flat = np.where(origin == 0.0, 1.0, np.abs(origin))
    return origin, np.where(span > 0.0, span, flat)
