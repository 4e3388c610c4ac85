"""Generators of gest-api as searches of our studies.

Importing this module needs the package ``gest-api``: https://github.com/campa-consortium/gest-api.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gest_api import Generator
from gest_api.vocs import VOCS

from errors import AlgorithmError
from studies.search.base import FloatArray, Search, Start
from studies.search.wrappers import Penalised

VIOLATION = "violation"
"""Name of the constraint by which a generator of others knows designs that are not feasible."""


def gest_search(
    create: Callable[[VOCS, Start], Generator], *, constraints: bool = True
) -> Callable[[Start], Search]:
    """Make of a generator what ``Algorithm(create=...)`` takes.

    The generator sees each variable of a study as a continuous one from 0 to 1, named by its path, linear or
    logarithmic as the study has it; whole numbers and options are rounded to their places. Objectives are
    ``objective_1``, ... to be minimised. A design that is not feasible has a ``violation`` above 0, and one
    that failed has zeros as objectives and a violation of 1e9.

    Parameters
    ----------
    create : callable (VOCS, Start) -> Generator
        Makes the generator; its random numbers come from ``start.seed`` alone.
    constraints : bool
        False for a generator that takes none: of designs that are not feasible it is told objectives above
        1e30.
    """

    def begin(start: Start) -> Search:
        generator = create(vocs_of(start, constraints=constraints), start)
        search = GestSearch(generator, start, constraints=constraints)
        return search if constraints else Penalised(search)

    return begin


def vocs_of(start: Start, *, constraints: bool) -> VOCS:
    """The problem of a study's search, in the unit cube."""
    return VOCS(
        variables={variable.path: [0.0, 1.0] for variable in start.space.variables},
        objectives=dict.fromkeys(objective_names(start.n_objectives), "MINIMIZE"),
        constraints={VIOLATION: ["LESS_THAN", float(np.finfo(np.float64).tiny)]} if constraints else {},
    )


def objective_names(count: int) -> list[str]:
    """Names of objectives for a generator of others."""
    return [f"objective_{number}" for number in range(1, count + 1)]


class GestSearch:
    """A search that a generator of others makes."""

    def __init__(self, generator: Generator, start: Start, *, constraints: bool) -> None:
        self._generator = generator
        self._constraints = constraints
        self._start = start
        self._names = [variable.path for variable in start.space.variables]
        self._objectives = objective_names(start.n_objectives)
        self._asked: list[dict[str, Any]] | None = None
        self._points: FloatArray = np.empty((0, len(self._names)))

    def ask(self) -> FloatArray:
        """The next batch: at first with the designs to begin with, which the generator did not suggest."""
        first = self._start.initial if self._asked is None else self._start.initial[:0]
        wanted = self._start.population - len(first)
        suggested = self._suggest(wanted) if wanted > 0 else []
        points = self._start.space.snap(
            np.array([self._point(each) for each in suggested]).reshape(-1, len(self._names))
        )
        self._points = np.concatenate([first, points])
        self._asked = [*({} for _ in first), *suggested]
        return self._points

    def _suggest(self, wanted: int) -> list[dict[str, Any]]:
        """As many points as are wanted, else as many as the generator wants to give."""
        try:
            return [dict(each) for each in self._generator.suggest(wanted)]
        except ValueError:
            return [dict(each) for each in self._generator.suggest(None)]

    def _point(self, suggested: Mapping[str, Any]) -> list[float]:
        try:
            return [float(suggested[name]) for name in self._names]
        except (KeyError, TypeError, ValueError):
            raise AlgorithmError(
                f"suggests {dict(suggested)}, which has no number for each variable"
            ) from None

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Let the generator ingest the results, each at the design that was evaluated."""
        results: list[dict[str, Any]] = []
        for number, asked in enumerate(self._asked or []):
            result = {**asked, **dict(zip(self._names, self._points[number].tolist(), strict=True))}
            result |= dict(zip(self._objectives, objectives[number].tolist(), strict=True))
            if self._constraints:
                result[VIOLATION] = float(violations[number])
            results.append(result)
        self._generator.ingest(results)
