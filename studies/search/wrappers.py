"""Searches around searches: penalties, scaled objectives, an end when all designs were tried, faults."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import numpy as np

from errors import AlgorithmError
from studies.definition.grid import MOST_COMBINATIONS, Grid
from studies.definition.space import DesignSpace, RealVariable
from studies.search.algorithm import Algorithm
from studies.search.base import FloatArray, Learner, Search, Start, SteadySearch, notes_of

BATCH = 65_536
PENALTY = 1e30
"""Every objective of an infeasible design: far worse than any metric."""
_HALF_WAY = 1e6


class Penalised:
    """A search that gets objectives only.

    An infeasible or failed design is told with every objective between 1e30 and 2e30, the more the
    larger its violation.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    def ask(self) -> FloatArray:
        """The next batch."""
        return self._search.ask()

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell objectives and penalties."""
        self._search.tell(penalised(objectives, violations), np.zeros(len(violations)))


def penalised(objectives: FloatArray, violations: FloatArray) -> FloatArray:
    """Objectives ``(n, m)`` where there is no violation ``(n,)``, else its penalty."""
    penalty = PENALTY * (1.0 + violations / (violations + _HALF_WAY))
    return np.where((violations == 0.0)[:, None], objectives, penalty[:, None])


LEAST_RANGE = 1e-60
"""Objectives that differ by less are equal: what is divided by less may not be finite any more."""


class Scaled:
    """A search that gets objectives shifted and divided by their range.

    The range is that of the feasible designs in the first generation that has any, and stays. pymoo's
    NSGA-III takes differences below 1e-6 for none and AGE-MOEA-II rounds to 12 decimals, which
    compliances in m/N would not survive.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._scale: tuple[FloatArray, FloatArray] | None = None

    def ask(self) -> FloatArray:
        """The next batch."""
        return self._search.ask()

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell scaled objectives; those of infeasible designs, which nobody compares, are 0."""
        self._search.tell(self._scaled(objectives, violations), violations)

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell scaled objectives of designs that were not asked for."""
        if isinstance(self._search, Learner):
            self._search.learn(points, self._scaled(objectives, violations), violations)

    def _scaled(self, objectives: FloatArray, violations: FloatArray) -> FloatArray:
        feasible = violations == 0.0
        if self._scale is None and feasible.any():
            self._scale = range_of(objectives[feasible])
        scaled = np.zeros_like(objectives)
        if self._scale is not None:
            origin, span = self._scale
            scaled[feasible] = (objectives[feasible] - origin) / span
        return scaled

    @property
    def notes(self) -> Mapping[str, float | str]:
        """Remarks of the search inside."""
        return notes_of(self._search)


def scaled(search: Search | SteadySearch, start: Start) -> Search | SteadySearch:
    """A search that gets scaled objectives, by generations or design by design."""
    if start.settings.asynchronous:
        return SteadyScaled(cast(SteadySearch, search), max(4, start.population // 2))
    return Scaled(cast(Search, search))


class SteadyScaled:
    """A steady search that gets objectives scaled as :class:`Scaled` does.

    The range is that of the feasible designs among the first ``enough`` results; these wait until all of them
    are there. Without a feasible one, it is that of the first feasible design.
    """

    def __init__(self, search: SteadySearch, enough: int) -> None:
        self._search = search
        self._enough = enough
        self._waiting: list[tuple[Callable[[FloatArray, float], None], FloatArray, float]] = []
        self._scale: tuple[FloatArray, FloatArray] | None = None

    def ask(self) -> FloatArray:
        """The next design."""
        return self._search.ask()

    def tell(self, asked: int, objectives: FloatArray, violation: float) -> None:
        """Tell scaled objectives."""
        self._take(partial(self._search.tell, asked), objectives, violation)

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        """Tell scaled objectives of a design that was not asked for."""
        self._take(partial(self._search.learn, point), objectives, violation)

    def _take(
        self, told: Callable[[FloatArray, float], None], objectives: FloatArray, violation: float
    ) -> None:
        self._enough -= 1
        self._waiting.append((told, objectives, violation))
        if self._enough > 0:
            return
        feasible = [values for _, values, lack in self._waiting if lack == 0.0]
        if self._scale is None and feasible:
            self._scale = range_of(np.array(feasible))
        for tell, values, lack in self._waiting:
            tell(self._scaled(values, lack), lack)
        self._waiting.clear()

    def _scaled(self, objectives: FloatArray, violation: float) -> FloatArray:
        if self._scale is None or violation > 0.0:
            return np.zeros_like(objectives)
        origin, span = self._scale
        return (objectives - origin) / span


def range_of(objectives: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least of each column, and its range; the size of the value where all are equal, or else 1."""
    origin = objectives.min(axis=0)
    span = objectives.max(axis=0) - origin
    size = np.where(span > LEAST_RANGE, span, np.abs(origin))
    return origin, np.where(size > LEAST_RANGE, size, 1.0)


class UntilExhausted:
    """A search over a finite space that asks for no more when every design was asked for."""

    def __init__(self, search: Search | SteadySearch, space: DesignSpace) -> None:
        self._search = search
        self._width = len(space)
        self._grid = Grid(space, 1)
        self._seen = np.ones(space.grid_size(1), dtype=bool)
        for start in range(0, self._grid.size, BATCH):
            rows = self._grid.rows(start, min(start + BATCH, self._grid.size))
            self._seen[self._grid.numbers_of(rows)] = False

    def ask(self) -> FloatArray:
        """The next batch, unless nothing new is left."""
        if self._seen.all():
            return np.empty((0, self._width))
        points = self._search.ask()
        self._seen[self._grid.numbers_of(points)] = True
        return points

    def tell(self, *results: Any, **named: Any) -> None:
        """Pass results on, as the search takes them."""
        self._search.tell(*results, **named)

    def learn(self, *results: Any, **named: Any) -> None:
        """Pass results of designs on that were not asked for, where the search takes them."""
        if isinstance(self._search, Learner):
            self._search.learn(*results, **named)

    @property
    def notes(self) -> Mapping[str, float | str]:
        """Remarks of the search inside."""
        return notes_of(self._search)


class Guarded:
    """An algorithm of another package: what it raises names it, and what it asks for is looked at.

    Raises ``AlgorithmError``. Nothing is stored of a batch that is none.
    """

    def __init__(self, algorithm: Algorithm, start: Start, package: str) -> None:
        self._name = f"{algorithm.name} of {package}"
        self._space = start.space
        with self._named("starts"):
            self._search = cast(Search, algorithm.create(start))

    def ask(self) -> FloatArray:
        """The next batch, if it is one."""
        with self._named("asks"):
            points = self._search.ask()
        fault = batch_fault(points, self._space)
        if fault:
            raise AlgorithmError(f"{self._name} {fault}; report it to the package's authors")
        return points

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Pass copies of the results on."""
        with self._named("is told results"):
            self._search.tell(objectives.copy(), violations.copy())

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Pass copies of results on of designs that were not asked for, where the search takes them."""
        if isinstance(self._search, Learner):
            with self._named("is told results"):
                self._search.learn(points.copy(), objectives.copy(), violations.copy())

    @contextmanager
    def _named(self, when: str) -> Generator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            text = f"{self._name} raised when it {when}: {type(error).__name__}: {error}"
            raise AlgorithmError(f"{text}; report it to the package's authors") from error


def batch_fault(points: object, space: DesignSpace) -> str:
    """The fault of a batch of designs, as the rest of a sentence; empty if there is none."""
    if not isinstance(points, np.ndarray) or points.dtype != np.float64:
        return f"asks for {type(points).__name__}, which is no numpy array of float64"
    asked: FloatArray = points
    if asked.ndim != 2 or asked.shape[1] != len(space):
        return f"asks for an array of shape {asked.shape}, which must be (designs, {len(space)})"
    if not ((asked >= 0.0) & (asked <= 1.0)).all():
        return "asks for designs outside the unit cube"
    if not np.array_equal(space.snap(asked), asked):
        return "asks for designs that are not snapped: call start.space.snap(points)"
    return ""


def finite_size(space: DesignSpace) -> int | None:
    """Number of designs; None when a real variable makes them countless, or there are too many to count."""
    if any(isinstance(variable, RealVariable) for variable in space.variables):
        return None
    if not space.is_plain and space.grid_size(1) > MOST_COMBINATIONS:
        return None
    return Grid(space, 1).size
