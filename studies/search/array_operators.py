"""Steps of pymoo's genetic algorithms on whole arrays: the same answers, bit for bit.

With models that cost little, a search thinks longer than its designs take. pymoo asks each design
for each number by name; these steps, which it lets others provide, collect them at once.

pymoo makes an object of each offspring before it is crossed, mutated, repaired and compared with the
others, and asks it for its point at every step, which takes half of the time of a generation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.core.duplicate import DefaultDuplicateElimination
from pymoo.core.mating import Mating
from pymoo.core.population import Population
from pymoo.core.variable import get
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

from studies.search.base import FloatArray


def without_duplicates() -> DefaultDuplicateElimination:
    """Pymoo's own comparison of designs."""
    return DefaultDuplicateElimination(func=_points)


def tournament() -> TournamentSelection:
    """NSGA-II's choice of parents: violation, then dominance, then crowding, then chance."""
    return TournamentSelection(func_comp=_winners)


class Survival(RankAndCrowding):
    """NSGA-II's survival, which need not part feasible from infeasible designs where all are feasible."""

    def do(self, problem: Any, pop: Any, *args: Any, n_survive: int | None = None, **settings: Any) -> Any:
        """The survivors."""
        if len(pop) and not any(member.CV[0] > 0.0 for member in pop):
            size = len(pop) if n_survive is None else min(n_survive, len(pop))
            return self._do(problem, pop, *args, n_survive=size, **settings)
        return super().do(problem, pop, *args, n_survive=n_survive, **settings)


def _points(pop: Any) -> FloatArray:
    return np.array([member.X for member in pop])


def _winners(pop: Any, pairs: NDArray[np.int64], algorithm: Any, **_: Any) -> NDArray[np.int64]:
    """The winners ``(n, 1)`` of tournaments between pairs ``(n, 2)``."""
    one, two = pairs.T
    violations = np.array([member.CV[0] for member in pop])
    objectives = np.array([member.F for member in pop])
    crowding = np.array([member.data.get("crowding") for member in pop], dtype=np.float64)
    better = (objectives[one] < objectives[two]).any(axis=1)
    worse = (objectives[one] > objectives[two]).any(axis=1)
    dominance = np.where(better == worse, -_order(crowding[one], crowding[two]), np.where(better, -1, 1))
    feasible = (violations[one] <= 0.0) & (violations[two] <= 0.0)
    verdict = np.where(feasible, dominance, _order(violations[one], violations[two]))
    winners = np.where(verdict <= 0, one, two)
    for tie in np.flatnonzero(verdict == 0):
        winners[tie] = algorithm.random_state.choice(pairs[tie])
    return winners[:, None]


def _order(one: FloatArray, two: FloatArray) -> NDArray[np.int64]:
    """-1 where ``one`` is less, 1 where ``two`` is, 0 where neither."""
    return (one > two) * 1 - (one < two) * 1


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
