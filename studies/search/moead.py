"""MOEA/D by generations: pymoo's, with children paired to their own problems and a scale that follows.

pymoo 0.6.2 gives each problem a child of another problem's parents: its crossover returns the first children
of all pairs and then the second ones, but ``ParallelMOEAD`` reads pair after pair. It also compares weighted
objectives as they are. Here they are divided by the range of the present designs, so that units do not
matter and no objective outweighs the others once all designs are near the front (Zhang and Li,
IEEE Trans. Evol. Comput. 11(6) 2007, section V).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.algorithms.moo.moead import ParallelMOEAD
from pymoo.core.population import Population

from studies.search.base import FloatArray
from studies.search.wrappers import PENALTY, range_of


class GenerationalMOEAD(ParallelMOEAD):
    """All problems breed, their children are evaluated, then each replaces neighbours of its problem.

    It may breed several for each problem, of which one is given back: see :mod:`studies.search.prescreening`.
    """

    pop: Any
    pop_size: Any
    n_offsprings: Any
    random_state: Any
    neighbors: Any
    decomposition: Any
    ref_dirs: Any

    def _infill(self) -> Any:
        """``n_offsprings``: a child for each problem, in random order, then another for each."""
        order = self.random_state.permutation(len(self.pop))
        problems = np.tile(order, self.n_offsprings // self.pop_size)
        parents = self.selection.do(
            self.problem, self.pop, len(problems), self.mating.crossover.n_parents,
            neighbors=self.neighbors[problems], random_state=self.random_state,
        )  # fmt: skip
        children = self.mating.do(
            self.problem, self.pop, 1e12, n_max_iterations=1, parents=parents, random_state=self.random_state
        )
        pairs = np.reshape(children, (-1, len(problems))).T
        chosen = Population.create(*[self.random_state.choice(pair) for pair in pairs])
        chosen.set("index", problems)
        return chosen

    def _advance(self, infills: Any = None, **settings: Any) -> None:
        """Measure the range of the present designs, then replace."""
        self.indices = infills.get("index")
        told: FloatArray = np.concatenate([self.pop.get("F"), infills.get("F")])
        feasible = told[(told < PENALTY).all(axis=1)]
        self._range = range_of(feasible)[1] if len(feasible) else np.ones(told.shape[1])
        super()._advance(infills, **settings)

    def _replace(self, k: int, off: Any) -> None:
        """Give a child to the neighbours of problem ``k`` for which it is better."""
        neighbours = self.neighbors[k]
        old = self._worth(self.pop[neighbours].get("F"), neighbours)
        self.pop[neighbours[self._worth(off.F[None, :], neighbours) < old]] = off

    def _worth(self, objectives: FloatArray, problems: Any) -> FloatArray:
        """Objectives ``(n, m)`` or ``(1, m)`` weighted as the problems do; less is better."""
        origin = np.zeros(objectives.shape[1])
        scaled = (objectives - self.ideal) / self._range
        return self.decomposition.do(scaled, weights=self.ref_dirs[problems], ideal_point=origin)
