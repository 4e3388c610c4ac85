"""pymoo's algorithms behind the :class:`~studies.search.base.Search` contract.

Nothing of pymoo passes this file: no dictionaries of magic keys, no populations, no infinities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.core.termination import NoTermination
from pymoo.operators.sampling.rnd import FloatRandomSampling

from studies.definition.space import DesignSpace
from studies.search.base import FloatArray, Start, untouched_warnings


class Snap(Repair):
    """Moves choice variables to the middle of their intervals, so that duplicates are seen."""

    def __init__(self, space: DesignSpace) -> None:
        super().__init__()
        self._space = space

    def _do(self, problem: Any, X: Any, **_: Any) -> Any:  # noqa: ARG002 - pymoo's signature
        return self._space.snap(np.asarray(X, dtype=np.float64))


class FirstGeneration(FloatRandomSampling):
    """pymoo's random first generation, whose first members are the initial designs."""

    def __init__(self, initial: FloatArray) -> None:
        super().__init__()
        self._initial = initial

    def _do(self, problem: Any, n_samples: int, *args: Any, **settings: Any) -> Any:
        points = super()._do(problem, n_samples, *args, **settings)
        points[: len(self._initial)] = self._initial
        return points


class PymooSearch:
    """A generational pymoo algorithm driven by ask and tell on the unit cube.

    ``constrained`` says whether the algorithm knows violations; one that does not is only told
    objectives (see :mod:`studies.search.wrappers`).
    """

    def __init__(self, algorithm: Any, start: Start, *, constrained: bool = True) -> None:
        self._constrained = constrained
        self._dimensions = len(start.space)
        problem = Problem(
            n_var=self._dimensions, n_obj=start.n_objectives, n_ieq_constr=int(constrained), xl=0.0, xu=1.0
        )
        self._algorithm = algorithm.setup(
            problem, termination=NoTermination(), seed=start.seed, verbose=False
        )
        self._asked: Any = None

    def ask(self) -> FloatArray:
        """The next generation; no rows when every remaining design was tried."""
        with np.errstate(all="ignore"):
            self._asked = self._algorithm.ask()
        if self._asked is None or len(self._asked) == 0:
            return np.empty((0, self._dimensions))
        return np.array([member.X for member in self._asked], dtype=np.float64)

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Hand objectives and violations to pymoo as ``F`` and one inequality ``G <= 0``.

        A violation is also the sum ``CV`` of all inequalities, which pymoo would work out again.
        """
        columns = violations[:, None]
        for i, member in enumerate(self._asked):
            member.F = objectives[i]
            if self._constrained:
                member.G = columns[i]
                member.CV = columns[i]
        with untouched_warnings(), np.errstate(all="ignore"):
            self._algorithm.tell(infills=self._asked)
