"""Optuna's samplers over our own records: ask and tell in memory, nothing stored by Optuna itself.

The samplers see real variables as floats of [0, 1], whole numbers as integers, options as
categories. A violation is one constraint of a trial; Optuna holds a trial feasible at 0.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.definition.space import RealVariable, Variable
from studies.search.base import FloatArray, Search, Start, SteadySearch

if TYPE_CHECKING:
    import optuna
    from optuna.samplers import BaseSampler

_LOGGER = Lock()


def tpe(start: Start) -> Search | SteadySearch:
    """Tree-structured Parzen estimator; designs of a batch without results yet count as bad ones."""
    from optuna.samplers import TPESampler

    names = {"startup": "n_startup_trials", "candidates": "n_ei_candidates"}
    own: dict[str, Any] = {names[name]: value for name, value in start.settings.settings.items()}
    return _driven(TPESampler(seed=start.seed, constant_liar=start.settings.asynchronous, **own), start)


def nsga2_of_optuna(start: Start) -> Search | SteadySearch:
    """NSGA-II with uniform crossover: children take each variable from one of their parents."""
    from optuna.samplers import NSGAIISampler

    names = {
        "crossover_probability": "crossover_prob",
        "swapping_probability": "swapping_prob",
        "mutation_rate": "mutation_prob",
    }
    own: dict[str, Any] = {names[name]: value for name, value in start.settings.settings.items()}
    sampler = NSGAIISampler(population_size=start.population, seed=start.seed, **own)
    return _driven(sampler, start)


def _driven(sampler: BaseSampler, start: Start) -> Search | SteadySearch:
    """A sampler asked by batches or design by design, as the study wants it."""
    return SteadyOptuna(sampler, start) if start.settings.asynchronous else OptunaSearch(sampler, start)


class OptunaSearch:
    """An Optuna sampler asked for ``population`` designs at a time."""

    def __init__(self, sampler: BaseSampler, start: Start) -> None:
        from optuna import create_study
        from optuna.study import StudyDirection

        self._space = start.space
        self._batch = start.population
        self._names = [f"x{i:04}" for i in range(len(start.space))]
        self._distributions = {
            name: distribution(variable)
            for name, variable in zip(self._names, start.space.variables, strict=True)
        }
        directions = [StudyDirection.MINIMIZE] * start.n_objectives
        with quiet():
            self._study = create_study(study_name="search", directions=directions, sampler=sampler)
        for point in start.initial:
            self._study.enqueue_trial(self._values(point))
        self._trials: list[optuna.Trial] = []

    def ask(self) -> FloatArray:
        """The next batch."""
        self._trials = [self._study.ask(self._distributions) for _ in range(self._batch)]
        return np.array([self._point(trial.params) for trial in self._trials])

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell in the order of asking."""
        for trial, values, violation in zip(self._trials, objectives, violations, strict=True):
            self._finish(trial, values, violation)

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell of designs that were not asked for."""
        for point, values, violation in zip(points, objectives, violations, strict=True):
            self._study.enqueue_trial(self._values(point))
            self._finish(self._study.ask(self._distributions), values, violation)

    def _finish(self, trial: optuna.Trial, objectives: FloatArray, violation: float) -> None:
        trial.set_constraint("violation", float(violation))
        self._study.tell(trial, objectives.tolist())

    def _values(self, point: FloatArray) -> dict[str, Any]:
        """A snapped point as Optuna's parameters."""
        pairs = zip(self._names, self._space.variables, point, strict=True)
        return {
            name: float(u) if isinstance(variable, RealVariable) else int(u * len(variable.values))
            for name, variable, u in pairs
        }

    def _point(self, values: dict[str, Any]) -> FloatArray:
        """Optuna's parameters as a snapped point."""
        pairs = zip(self._names, self._space.variables, strict=True)
        return np.array(
            [
                values[name]
                if isinstance(variable, RealVariable)
                else (values[name] + 0.5) / len(variable.values)
                for name, variable in pairs
            ],
            dtype=np.float64,
        )


class SteadyOptuna(OptunaSearch):
    """An Optuna sampler asked for one design after another."""

    def __init__(self, sampler: BaseSampler, start: Start) -> None:
        super().__init__(sampler, start)
        self._asked: list[optuna.Trial] = []

    def ask(self) -> FloatArray:
        """The next design."""
        self._asked.append(self._study.ask(self._distributions))
        return np.array([self._point(self._asked[-1].params)])

    def tell(self, asked: int, objectives: FloatArray, violation: float) -> None:  # pyrefly: ignore[bad-override] - a SteadySearch
        """Tell the trial of an ask."""
        self._finish(self._asked[asked], objectives, violation)

    def learn(self, point: FloatArray, objectives: FloatArray, violation: float) -> None:  # pyrefly: ignore[bad-override] - a SteadySearch
        """Tell of a design that was not asked for."""
        super().learn(point[None], objectives[None], np.array([violation]))


def distribution(variable: Variable) -> Any:
    """Optuna's distribution of a variable: of its ``u``, or of the place of its value in the list."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if isinstance(variable, RealVariable):
        return FloatDistribution(0.0, 1.0)
    last = len(variable.values) - 1
    if variable.stepped:
        return IntDistribution(0, last)
    return CategoricalDistribution(range(last + 1))


@contextmanager
def quiet() -> Generator[None]:
    """Keep Optuna from announcing a study on stderr, and leave its logger as it was."""
    logger = logging.getLogger("optuna")
    with _LOGGER:
        level = logger.level
        logger.setLevel(logging.WARNING)
        try:
            yield
        finally:
            logger.setLevel(level)
