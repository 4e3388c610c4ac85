"""Differential evolution with several trial vectors for each parent, among which a surrogate may choose.

A module of its own, because pymoo's takes 80 ms to import, which no other search needs.
"""

from __future__ import annotations

from typing import Any

from pymoo.algorithms.soo.nonconvex.de import DE
from pymoo.core.population import Population


class DifferentialEvolution(DE):
    """pymoo's, which breeds ``n_offsprings``: one trial vector for each parent, then another for each."""

    pop_size: Any
    n_offsprings: Any

    def _infill(self) -> Any:
        wanted = self.n_offsprings
        self.n_offsprings = min(wanted, self.pop_size)
        vectors: list[Any] = []
        for _ in range(wanted // self.n_offsprings):
            vectors.extend(super()._infill())
        self.n_offsprings = wanted
        return Population.create(*vectors)
