"""For algorithms that know no constraints: designs that are infeasible get worse objectives instead."""

from __future__ import annotations

import numpy as np

from studies.search.base import FloatArray, Search

PENALTY = 1e30
"""Told as every objective of an infeasible design: far behind any that has metrics."""
_HALF_WAY = 1e6


class Penalised:
    """A search that is told objectives only.

    An infeasible or failed design is told with every objective between 1e30 and 2e30, the more the
    larger its violation. Feasible objectives are shifted and scaled by their range in the first
    generation that has a feasible design, because weighted sums mean nothing between metres and
    newtons; before that generation only penalties were told, so the scale never changes.
    """

    def __init__(self, search: Search, n_objectives: int) -> None:
        self._search = search
        self._origin = np.zeros(n_objectives)
        self._range: FloatArray | None = None

    def ask(self) -> FloatArray:
        """The next batch."""
        return self._search.ask()

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell scaled objectives and penalties."""
        feasible = violations == 0.0
        if self._range is None and feasible.any():
            self._origin = objectives[feasible].min(axis=0)
            span = objectives[feasible].max(axis=0) - self._origin
            self._range = np.where(span > 0.0, span, np.maximum(np.abs(self._origin), 1.0))
        scale = 1.0 if self._range is None else self._range
        penalty = PENALTY * (1.0 + violations / (violations + _HALF_WAY))
        told = np.where(feasible[:, None], (objectives - self._origin) / scale, penalty[:, None])
        self._search.tell(told, np.zeros(len(told)))
