"""The contract of a search algorithm, what one starts from, and libraries kept quiet."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from studies.definition.space import DesignSpace
from studies.definition.study_definition import SearchTable

FloatArray = NDArray[np.float64]


class Search(Protocol):
    """Proposes designs in batches and learns from their results.

    A search is deterministic: its stream of designs depends on its settings, its seed and what it
    was told, in the order of asking, and on nothing else. That makes replay possible: a new search
    of the same seed, told the logged rows, asks for the same designs bit for bit.
    """

    def ask(self) -> FloatArray:
        """The next batch, points ``(n, d)`` of the unit cube; ``n = 0`` when there is none left.

        Points are snapped: equal designs have equal points.
        """
        ...

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Results of the batch asked last: ``(n, m)`` minimised, and ``(n,)`` >= 0, 0 if feasible.

        All numbers are finite. Objectives of designs without metrics are 0 and their violation is
        larger than that of any design with metrics.
        """
        ...


@runtime_checkable
class Learner(Protocol):
    """A search that also learns from designs that it did not ask for."""

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Results ``(n, d)``, ``(n, m)``, ``(n,)`` as :meth:`Search.tell` gets them, told just before it."""
        ...


class SteadySearch(Protocol):
    """Proposes one design after another, and learns from each result when it arrives.

    Asks and tells may come in any order that somebody logs: a new search of the same seed that is asked and
    told in the logged order asks for the same designs bit for bit.
    """

    def ask(self) -> FloatArray:
        """The next design ``(1, d)``, snapped; no rows while none is left."""
        ...

    def tell(self, asked: int, objectives: FloatArray, violation: float) -> None:
        """Result of the ask with number ``asked``, counted from 0: ``(m,)`` minimised, and >= 0."""
        ...

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:
        """Result of a design ``(d,)`` that was not asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Start:
    """Start of a search.

    Parameters
    ----------
    settings : SearchTable
        The study's choice of algorithm, population and budget.
    space : DesignSpace
    n_objectives : int
    seed : int
        Starts the search's own random numbers.
    initial : (k, d) float
        Snapped points that replace the first ``k`` members of the first generation.
    """

    settings: SearchTable
    space: DesignSpace
    n_objectives: int
    seed: int
    initial: FloatArray

    @property
    def population(self) -> int:
        """Designs per generation as the study states them."""
        return self.settings.population

    def sample(self, draw: Callable[[int], FloatArray], count: int) -> FloatArray:
        """Snapped points ``(count, d)`` of a sample, of which ``draw(n)`` gives the next ``n``.

        Where constraints need no evaluation, only points that satisfy them count.
        """
        region = self.space.region
        if region is None:
            return self.space.snap(draw(count))
        return region.sample(draw, count, np.random.default_rng(self.seed))


_WARNINGS = Lock()


@contextmanager
def untouched_warnings() -> Generator[None]:
    """Put the process's warning filters back: pymoo's NSGA-III and cma change some for good.

    Their remarks on our settings, and scipy's, are for nobody. One search at a time, because the
    filters belong to the whole process.
    """
    with _WARNINGS, warnings.catch_warnings(action="ignore"):
        yield


_THREADS = Lock()


@contextmanager
def single_threaded() -> Generator[None]:
    """One thread for linear algebra, so that last digits do not depend on the number of cores.

    One search at a time, because the number of threads belongs to the whole process.
    """
    from threadpoolctl import threadpool_limits

    with _THREADS, threadpool_limits(limits=1):
        yield


def notes_of(search: object) -> Mapping[str, float | str]:
    """Remarks of a search on itself after each ``ask`` and ``tell``, by name; empty if it makes none."""
    found: Mapping[str, float | str] = getattr(search, "notes", {})
    return found
