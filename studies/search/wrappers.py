"""Searches around searches: penalties, scaled objectives, an end when all designs were tried, faults."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from errors import AlgorithmError
from studies.definition.space import DesignSpace, RealVariable
from studies.search.algorithm import Algorithm
from studies.search.base import FloatArray, Search, Start

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
        penalty = PENALTY * (1.0 + violations / (violations + _HALF_WAY))
        penalised = np.where((violations == 0.0)[:, None], objectives, penalty[:, None])
        self._search.tell(penalised, np.zeros(len(penalised)))


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
        feasible = violations == 0.0
        if self._scale is None and feasible.any():
            self._scale = range_of(objectives[feasible])
        scaled = np.zeros_like(objectives)
        if self._scale is not None:
            origin, span = self._scale
            scaled[feasible] = (objectives[feasible] - origin) / span
        self._search.tell(scaled, violations)


def range_of(objectives: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least of each column, and its range; the size of the value where all are equal, or else 1."""
    origin = objectives.min(axis=0)
    span = objectives.max(axis=0) - origin
    size = np.where(span > LEAST_RANGE, span, np.abs(origin))
    return origin, np.where(size > LEAST_RANGE, size, 1.0)


class UntilExhausted:
    """A search over a finite space that asks for no more when every design was asked for."""

    def __init__(self, search: Search, space: DesignSpace) -> None:
        self._search = search
        self._counts = space.grid_shape(1)
        self._seen = np.zeros(space.grid_size(1), dtype=bool)

    def ask(self) -> FloatArray:
        """The next batch, unless nothing new is left."""
        if self._seen.all():
            return np.empty((0, len(self._counts)))
        points = self._search.ask()
        self._seen[self._numbers(points)] = True
        return points

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Pass the results on."""
        self._search.tell(objectives, violations)

    def _numbers(self, points: FloatArray) -> NDArray[np.int64]:
        """Every design's own number."""
        numbers = np.zeros(len(points), dtype=np.int64)
        for column, count in zip(points.T, self._counts, strict=True):
            numbers = numbers * count + np.minimum((column * count).astype(np.int64), count - 1)
        return numbers


class Guarded:
    """An algorithm of another package: what it raises names it, and what it asks for is looked at.

    Raises ``AlgorithmError``. Nothing is stored of a batch that is none.
    """

    def __init__(self, algorithm: Algorithm, start: Start, package: str) -> None:
        self._name = f"{algorithm.name} of {package}"
        self._space = start.space
        with self._named("starts"):
            self._search = algorithm.create(start)

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
    """Number of designs; None when a real variable makes them countless."""
    if any(isinstance(variable, RealVariable) for variable in space.variables):
        return None
    return space.grid_size(1)
