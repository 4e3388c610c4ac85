"""Algorithms for one objective: differential evolution (pymoo) and CMA-ES (cma).

Both order designs by Deb's rule: a feasible one before an infeasible one, feasible ones by their
objective, infeasible ones by their violation.
"""

from __future__ import annotations

from collections import deque
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.definition.space import ChoiceVariable, DesignSpace
from studies.search.base import FloatArray, Search, Start, SteadySearch, untouched_warnings
from studies.search.pymoo_search import FirstGeneration, PymooSearch, Snap, SteadyDifferentialEvolution

STEP = 0.3
"""Standard deviation of the first generation, as a share of every variable's range."""
SMALLEST_STEP = 1e-10
"""Below it CMA-ES has converged and starts again elsewhere."""
FULL_MATRIX = 200
"""Number of variables beyond which CMA-ES adapts scales alone: the full matrix would cost too much."""
_CONDITION = 1e14


def differential_evolution(start: Start) -> Search | SteadySearch:
    """Differential evolution with pymoo's settings, DE/best/1/bin, unless a study sets others."""
    from studies.search.differential_evolution import DifferentialEvolution

    names = {"variant": "variant", "weight": "F", "crossover_rate": "CR"}
    given = start.settings.settings
    own: dict[str, Any] = {names[name]: value for name, value in given.items() if name in names}
    sampling = FirstGeneration(start)
    algorithm = DifferentialEvolution(
        pop_size=start.population, sampling=sampling, repair=Snap(start.space), **own
    )
    if start.settings.asynchronous:
        return SteadyDifferentialEvolution(algorithm, start)
    return PymooSearch(algorithm, start)


class CmaEs:
    """CMA-ES on the unit cube, from its middle or the first initial design, restarted when it has converged.

    The strategy is told the ranks of a generation's designs, which is all that it uses. Choice
    variables are snapped where they are evaluated; their steps never shrink below a quarter of an
    interval, so that no choice is settled for good. One variable is searched beside a dummy one,
    because the method needs two.
    """

    def __init__(self, start: Start) -> None:
        self._space = start.space
        self._population = start.population
        self._initial = start.initial
        self._step = float(start.settings.settings.get("step", STEP))
        self._size = max(len(start.space), 2)
        self._random = np.random.default_rng(start.seed)
        self._best: deque[tuple[float, float]] = deque(maxlen=10 + ceil(30 * self._size / start.population))
        middle = np.full(self._size, 0.5)
        middle[: len(start.space)] = start.initial[0] if len(start.initial) else _centre(start.space)
        self._strategy = self._begin(middle)
        self._asked = np.empty((0, self._size))

    def _begin(self, mean: FloatArray) -> Any:
        settings = {
            "bounds": [0.0, 1.0],
            "popsize": self._population,
            "seed": np.nan,  # leave numpy's global generator alone
            "randn": self._normal,
            "minstd": _least_steps(self._space, self._size),
            "CMA_mirrors": 0,
            "CMA_diagonal": self._size > FULL_MATRIX,
            "verbose": -10,
            "verb_log": 0,
        }
        self._best.clear()
        with untouched_warnings():
            from cma import CMAEvolutionStrategy

            return CMAEvolutionStrategy(mean, self._step, settings)

    def _normal(self, count: int, size: int) -> FloatArray:
        return self._random.standard_normal((count, size))

    def ask(self) -> FloatArray:
        """The next generation."""
        with untouched_warnings():
            self._asked = np.array(self._strategy.ask())
        self._asked[: len(self._initial), : len(self._space)] = self._initial
        self._initial = self._initial[:0]
        return self._space.snap(self._asked[:, : len(self._space)])

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Give it the ranks; start again elsewhere once the steps or the results no longer change."""
        worth = np.stack([violations, np.where(violations > 0.0, 0.0, objectives[:, 0])], axis=1)
        with untouched_warnings():
            self._strategy.tell(list(self._asked), _ranks(worth).tolist())
        first = worth[np.lexsort((worth[:, 1], worth[:, 0]))[0]]
        self._best.append((float(first[0]), float(first[1])))
        if self._converged():
            self._strategy = self._begin(self._random.random(self._size))

    def _converged(self) -> bool:
        strategy = self._strategy
        steps = strategy.sigma * np.sqrt(strategy.dC)
        if steps.max() < SMALLEST_STEP or strategy.condition_number > _CONDITION:
            return True
        return len(self._best) == self._best.maxlen and len(set(self._best)) == 1


def _centre(space: DesignSpace) -> FloatArray:
    """The middle of all ranges ``(d,)``, or the point of the space's region to which it leads."""
    middle = np.full((1, len(space)), 0.5)
    return middle[0] if space.region is None else space.snap(middle)[0]


def _ranks(worth: FloatArray) -> NDArray[np.float64]:
    """The place of each row ``(n, 2)`` in lexicographic order; equal rows share one."""
    _, inverse = np.unique(worth, axis=0, return_inverse=True)
    return inverse.reshape(-1).astype(np.float64)


def _least_steps(space: DesignSpace, size: int) -> list[float]:
    """A quarter of an interval for choices, nothing for real variables."""
    least = [
        0.25 / len(v.values) if isinstance(v, ChoiceVariable) and len(v.values) > 1 else 0.0
        for v in space.variables
    ]
    return least + [0.0] * (size - len(least))
