"""pymoo's algorithms behind the :class:`~studies.search.base.Search` contract.

Nothing of pymoo passes this file: no dictionaries of magic keys, no populations, no infinities.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.core.termination import NoTermination
from pymoo.operators.sampling.rnd import FloatRandomSampling

from studies.definition.space import DesignSpace
from studies.search.base import FloatArray, Start, untouched_warnings
from studies.search.wrappers import finite_size, penalised

if TYPE_CHECKING:
    from studies.search.prescreening import Prescreening


class Snap(Repair):
    """Moves points to those of their designs, so that duplicates are seen, and into the space's region."""

    def __init__(self, space: DesignSpace) -> None:
        super().__init__()
        self._space = space

    def _do(self, problem: Any, X: Any, **_: Any) -> Any:  # noqa: ARG002 - pymoo's signature
        return self._space.snap(np.asarray(X, dtype=np.float64))


class FirstGeneration(FloatRandomSampling):
    """pymoo's random first generation, whose first members are the initial designs."""

    def __init__(self, start: Start) -> None:
        super().__init__()
        self._start = start

    def _do(self, problem: Any, n_samples: int, *args: Any, **settings: Any) -> Any:
        def draw(count: int) -> FloatArray:
            return super(FirstGeneration, self)._do(problem, count, *args, **settings)

        points = self._start.sample(draw, n_samples)
        points[: len(self._start.initial)] = self._start.initial
        return points


def driven(algorithm: Any, start: Start) -> PymooSearch | SteadyPymoo:
    """An algorithm that knows violations, by generations or design by design, as the study wants it."""
    return SteadyPymoo(algorithm, start) if start.settings.asynchronous else PymooSearch(algorithm, start)


def evaluated(point: FloatArray, objectives: FloatArray, violation: float) -> Any:
    """A member of a population with its results."""
    member = Population.new(X=point[None])[0]
    member.F = objectives
    member.G = member.CV = np.array([violation])
    return member


def _set_up(algorithm: Any, start: Start, constraints: int) -> Any:
    problem = Problem(
        n_var=len(start.space), n_obj=start.n_objectives, n_ieq_constr=constraints, xl=0.0, xu=1.0
    )
    return algorithm.setup(problem, termination=NoTermination(), seed=start.seed, verbose=False)


class PymooSearch:
    """A generational pymoo algorithm driven by ask and tell on the unit cube.

    ``constrained`` says whether the algorithm knows violations; one that does not is told penalties.
    """

    def __init__(self, algorithm: Any, start: Start, *, constrained: bool = True) -> None:
        self._constrained = constrained
        self._dimensions = len(start.space)
        self._count = algorithm.pop_size
        self._prescreening = _prescreening(algorithm, start)
        self._algorithm = _set_up(algorithm, start, int(constrained))
        self._asked: Any = None
        self._others = Population.empty()

    def ask(self) -> FloatArray:
        """The next generation; no rows when every remaining design was tried."""
        with np.errstate(all="ignore"):
            self._asked = self._algorithm.ask()
        if self._asked is None or len(self._asked) == 0:
            return np.empty((0, self._dimensions))
        points = np.array([member.X for member in self._asked], dtype=np.float64)
        if self._prescreening is None:
            return points
        rows = self._prescreening.choose(points, self._count, _rivals(self._asked))
        self._asked = self._asked[rows]
        return points[rows]

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Hand objectives and violations to pymoo as ``F`` and one inequality ``G <= 0``.

        A violation is also the sum ``CV`` of all inequalities, which pymoo would work out again.
        """
        if self._prescreening is not None:
            points = np.array([member.X for member in self._asked], dtype=np.float64)
            self._prescreening.tell(points, objectives, violations)
        columns = violations[:, None]
        values = objectives if self._constrained else penalised(objectives, violations)
        for i, member in enumerate(self._asked):
            member.F = values[i]
            if self._constrained:
                member.G = columns[i]
                member.CV = columns[i]
        infills = Population.merge(self._asked, self._others) if len(self._others) else self._asked
        self._others = Population.empty()
        with untouched_warnings(), np.errstate(all="ignore"):
            self._algorithm.tell(infills=infills)

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Let designs compete with the next generation, where survivors may come from anywhere."""
        if self._constrained and self._algorithm.survival is not None:
            members = (evaluated(*row) for row in zip(points, objectives, violations, strict=True))
            self._others = Population.merge(self._others, Population.create(*members))
        if self._prescreening is not None:
            self._prescreening.learn(points, objectives, violations)

    @property
    def notes(self) -> Mapping[str, float | str]:
        """Remarks of its surrogate; see :class:`studies.search.prescreening.Prescreening`."""
        return {} if self._prescreening is None else self._prescreening.notes


def _rivals(children: Any) -> NDArray[np.intp] | None:
    """The place ``(n,)`` that each child competes for: a parent, a weighted problem; None if for any."""
    places = children.get("index")
    return None if places[0] is None else np.array(places, dtype=np.intp)


def _prescreening(algorithm: Any, start: Start) -> Prescreening | None:
    """The surrogate that the setting ``prescreening`` asks for; ``algorithm`` then breeds for it."""
    factor = int(start.settings.settings.get("prescreening", 1))
    if factor == 1:
        return None
    from studies.search.prescreening import Prescreening, children

    algorithm.n_offsprings = children(algorithm.pop_size, factor, finite_size(start.space))
    return Prescreening(start.space, start.n_objectives, start.seed)


MOST_TRIES = 10
"""Children bred for one ask until one differs from every design that is being evaluated."""


class SteadyPymoo:
    """A genetic algorithm of pymoo in the steady state: each result is merged when it arrives.

    Children are bred as soon as half of the first generation is there; who asks before gets random designs.
    """

    def __init__(self, algorithm: Any, start: Start) -> None:
        algorithm.n_offsprings = 1
        self._space = start.space
        self._algorithm = _set_up(algorithm, start, 1)
        self._first: deque[Any] = deque()
        self._begun: list[Any] = []
        self._enough = max(4, start.population // 2)
        self._pending: dict[int, Any] = {}
        self._asks = 0

    def ask(self) -> FloatArray:
        """The next design."""
        with np.errstate(all="ignore"):
            if self._asks == 0:
                self._first.extend(self._algorithm.ask())
            member = self._next()
        self._pending[self._asks] = member
        self._asks += 1
        return np.array([member.X], dtype=np.float64)

    def tell(self, asked: int, objectives: FloatArray, violation: float) -> None:
        """Merge a result; the first ones begin the population."""
        member = self._pending.pop(asked)
        member.F = objectives
        member.G = member.CV = np.array([violation])
        self._take(member)

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        """Merge the result of a design that was not asked for."""
        self._take(evaluated(point, objectives, violation))

    def _take(self, member: Any) -> None:
        with untouched_warnings(), np.errstate(all="ignore"):
            if self._algorithm.is_initialized:
                self._merge(member)
                return
            self._begun.append(member)
            if len(self._begun) == self._enough:
                self._algorithm.tell(infills=Population.create(*self._begun))

    def _next(self) -> Any:
        """The next member of the first generation, a random design, or a child.

        Where no child is new, it is a random design: every ask has one, so that the logged asks repeat all
        random numbers.
        """
        if self._first:
            return self._first.popleft()
        known = {member.X.tobytes() for member in self._pending.values()}
        for _ in range(MOST_TRIES):
            child = self._child() if self._algorithm.is_initialized else None
            if child is None or child.X.tobytes() not in known:
                return self._random() if child is None else child
        return self._random()

    def _random(self) -> Any:
        chance = self._algorithm.random_state
        point = self._space.snap(chance.random((1, len(self._space))))
        return Population.new(X=point)[0]

    def _child(self) -> Any:
        children = self._algorithm.infill()
        return None if children is None or len(children) == 0 else children[0]

    def _merge(self, member: Any) -> None:
        self._algorithm.tell(infills=Population.create(member))


class SteadyDifferentialEvolution(SteadyPymoo):
    """Differential evolution in the steady state: a child competes with its own parent alone.

    A design of others fills the population, and then competes with its worst member.
    """

    def __init__(self, algorithm: Any, start: Start) -> None:
        super().__init__(algorithm, start)
        self._size = start.population

    def _child(self) -> Any:
        self._algorithm.n_offsprings = self._algorithm.pop_size = len(self._algorithm.pop)
        children = self._algorithm.infill()
        return children[self._algorithm.random_state.integers(len(children))]

    def _merge(self, member: Any) -> None:
        if "index" in member.data:
            self._algorithm.tell(infills=Population.create(member))
            return
        from pymoo.algorithms.soo.nonconvex.ga import FitnessSurvival
        from pymoo.core.replacement import ImprovementReplacement

        problem, population, other = self._algorithm.problem, self._algorithm.pop, Population.create(member)
        if len(population) < self._size:
            self._algorithm.pop = Population.merge(population, other)
        else:
            worst = [int(population.get("rank").argmax())]
            population[worst] = ImprovementReplacement().do(problem, population[worst], other)
        FitnessSurvival().do(problem, self._algorithm.pop, return_indices=True)
