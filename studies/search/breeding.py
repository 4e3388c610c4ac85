"""pymoo's mating on arrays of points, from the parents' to the offspring's: the same answers, bit for bit.

pymoo makes an object of each offspring before it is crossed, mutated, repaired and compared with the
others, and asks it for its point at every step, which takes half of the time of a generation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pymoo.core.duplicate import DefaultDuplicateElimination
from pymoo.core.mating import Mating
from pymoo.core.population import Population
from pymoo.core.variable import get

from studies.search.base import FloatArray


def bred_by_arrays(algorithm: Any) -> Any:
    """The genetic algorithm of pymoo, with its own operators, breeding by arrays."""
    own = algorithm.mating
    algorithm.mating = ArrayMating(
        own.selection, own.crossover, own.mutation, repair=own.repair,
        eliminate_duplicates=DefaultDuplicateElimination(func=np.asarray),
    )  # fmt: skip
    return algorithm


class ArrayMating(Mating):
    """Selection, crossover of two offspring from two parents, mutation, repair; no design twice."""

    def do(
        self, problem: Any, pop: Any, n_offsprings: int, random_state: Any = None, *_: Any, **settings: Any
    ) -> Any:
        """The offspring: as many as are asked for, fewer when a hundred rounds find no more."""
        parents = np.array([member.X for member in pop])
        repair: Any = self.repair
        bred = np.empty((0, parents.shape[1]))
        for _round in range(self.n_max_iterations):
            missing = n_offsprings - len(bred)
            if missing <= 0:
                break
            pairs = self.selection(
                problem, pop, math.ceil(missing / 2), n_parents=2, to_pop=False,
                random_state=random_state, **settings,
            )  # fmt: skip
            points = self._mutated(
                problem, self._crossed(problem, parents[pairs], random_state), random_state
            )
            points = repair._do(problem, points)  # noqa: SLF001 - the step that pymoo lets others provide
            fresh = self.eliminate_duplicates.do(points, parents, bred)
            bred = np.concatenate([bred, fresh[:missing]])
        return Population.new("X", bred)

    def _crossed(self, problem: Any, pairs: FloatArray, random_state: Any) -> FloatArray:
        """Points ``(2 n, d)`` of the offspring of pairs ``(n, 2, d)``; some are copies of their parents."""
        parents = pairs.swapaxes(0, 1)
        chosen = random_state.random(len(pairs)) < get(self.crossover.prob, size=len(pairs))
        offspring = parents
        if chosen.any():
            crossed = self.crossover._do(problem, parents, random_state=random_state)  # noqa: SLF001
            offspring = np.where(chosen[:, None], crossed, parents)
        return offspring.reshape(-1, parents.shape[-1])

    def _mutated(self, problem: Any, points: FloatArray, random_state: Any) -> FloatArray:
        mutated = self.mutation._do(problem, points, random_state=random_state)  # noqa: SLF001
        chosen = random_state.random(size=len(points)) <= get(self.mutation.prob, size=len(points))
        return np.where(chosen[:, None], mutated, points)
