"""pymoo's algorithms behind the :class:`~studies.search.base.Search` contract.

Nothing of pymoo passes this file: no dictionaries of magic keys, no populations, no infinities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.core.termination import NoTermination
from pymoo.problems.static import StaticProblem

from studies.definition import SearchTable
from studies.search.base import FloatArray
from studies.space import DesignSpace


class _Snap(Repair):
    """Moves choice variables to the middle of their intervals, so that duplicates are seen."""

    def __init__(self, space: DesignSpace) -> None:
        super().__init__()
        self._space = space

    def _do(self, problem: Any, X: Any, **_: Any) -> Any:  # noqa: ARG002
        return self._space.snap(np.asarray(X, dtype=np.float64))


class PymooSearch:
    """A generational pymoo algorithm driven by ask and tell on the unit cube."""

    def __init__(self, algorithm: Any, dimensions: int, n_objectives: int, seed: int) -> None:
        self._problem = Problem(n_var=dimensions, n_obj=n_objectives, n_ieq_constr=1, xl=0.0, xu=1.0)
        self._algorithm = algorithm.setup(
            self._problem, termination=NoTermination(), seed=seed, verbose=False
        )
        self._asked: Any = None

    def ask(self) -> FloatArray:
        """The next generation; no rows when every remaining design was tried."""
        self._asked = self._algorithm.ask()
        if self._asked is None or len(self._asked) == 0:
            return np.empty((0, self._problem.n_var))
        return np.array(self._asked.get("X"), dtype=np.float64)

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Hand objectives and violations to pymoo as ``F`` and one inequality ``G <= 0``."""
        results = StaticProblem(self._problem, F=objectives, G=violations[:, None])
        self._algorithm.evaluator.eval(results, self._asked)
        self._algorithm.tell(infills=self._asked)


def nsga2(settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int) -> PymooSearch:
    """NSGA-II (Deb et al., IEEE Trans. Evol. Comput. 6(2) 2002) with pymoo's operators."""
    algorithm = NSGA2(pop_size=settings.population, repair=_Snap(space))
    return PymooSearch(algorithm, len(space), n_objectives, seed)
