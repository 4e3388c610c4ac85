"""The contract of a search algorithm."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Search(Protocol):
    """Proposes designs in batches and learns from what it is told.

    A search is deterministic: its stream of designs depends on its settings, its seed and what it
    was told, in the order of asking, and on nothing else. That makes replay possible: a new search
    of the same seed, told the logged rows, asks for the same designs bit for bit.
    """

    def ask(self) -> FloatArray:
        """The next batch, points ``(n, d)`` of the unit cube; ``n = 0`` when there is none left."""
        ...

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Results of the batch asked last: ``(n, m)`` minimised, and ``(n,)`` >= 0, 0 if feasible.

        All numbers are finite. Objectives of designs without metrics are 0 and their violation is
        larger than that of any design with metrics.
        """
        ...
