"""For algorithms that know no constraints: designs that are infeasible get worse objectives instead."""

from __future__ import annotations

import numpy as np

from studies.search.base import FloatArray, Search

PENALTY = 1e30
"""Every objective of an infeasible design: far worse than any metric."""
_HALF_WAY = 1e6


class Penalised:
    """A search that gets objectives only.

    An infeasible or failed design is told with every objective between 1e30 and 2e30, the more the
    larger its violation.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def ask(self) -> FloatArray:
        """The next batch."""
        return self._search.ask()

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell objectives and penalties."""
        penalty = PENALTY * (1.0 + violations / (violations + _HALF_WAY))
        told = np.where((violations == 0.0)[:, None], objectives, penalty[:, None])
        self._search.tell(told, np.zeros(len(told)))
