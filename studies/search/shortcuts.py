"""Steps of pymoo's NSGA-II on arrays instead of one design at a time: the same answers, bit for bit.

With models that cost little, a search thinks longer than its designs take. pymoo asks each design
for each number by name; these steps, which it lets others provide, collect them at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.core.duplicate import DefaultDuplicateElimination
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
