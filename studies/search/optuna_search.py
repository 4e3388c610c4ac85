"""Optuna's samplers over our own records: ask and tell in memory, nothing stored by Optuna itself.

The samplers see real variables as floats of [0, 1], whole numbers as integers, options as
categories. A violation is one constraint of a trial; Optuna holds a trial feasible at 0.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.definition.space import RealVariable, Variable, middle_of
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
    sampler = TPESampler(seed=start.seed, constant_liar=start.settings.asynchronous, **own)
    return _driven(sampler, start, stepwise=True)


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


def _driven(sampler: BaseSampler, start: Start, *, stepwise: bool = False) -> Search | SteadySearch:
    """A sampler asked by batches or design by design, as the study wants it."""
    kind = SteadyOptuna if start.settings.asynchronous else OptunaSearch
    return kind(sampler, start, stepwise=stepwise)


class OptunaSearch:
    """An Optuna sampler asked for ``population`` designs at a time.

    It learns what its choices lead to: equal parts in another order, or a point outside the region, count as
    the design that was evaluated for them. With ``stepwise`` it is asked only for variables that act.
    """

    def __init__(self, sampler: BaseSampler, start: Start, *, stepwise: bool = False) -> None:
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
        self._stepwise = stepwise and bool(start.space.conditions)
        self._first = deque([*start.initial, *_first_inside(start)])
        self._trials: list[optuna.Trial] = []

    def ask(self) -> FloatArray:
        """The next batch."""
        self._trials = [self._trial() for _ in range(self._batch)]
        return self._space.snap(np.array([self._point(trial.params) for trial in self._trials]))

    def _trial(self) -> optuna.Trial:
        """The next trial, of a first design while there is one."""
        if self._first:
            self._study.enqueue_trial(self._values(self._first.popleft()))
        return self._next()

    def _next(self) -> optuna.Trial:
        """A trial of the sampler's; where variables do not always act, they are asked for one by one."""
        if not self._stepwise:
            return self._study.ask(self._distributions)
        trial = self._study.ask()
        later = list(dict.fromkeys(condition.column for condition in self._space.conditions))
        always = [column for column in range(len(self._space)) if column not in later]
        for column in (*always, *later):
            if self._space.acting(self._point(trial.params)[None])[0, column]:
                _suggest(trial, self._names[column], self._space.variables[column])
        return trial

    def tell(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell in the order of asking."""
        for trial, values, violation in zip(self._trials, objectives, violations, strict=True):
            self._finish(trial, values, violation)

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Tell of designs that were not asked for."""
        for point, values, violation in zip(points, objectives, violations, strict=True):
            self._study.enqueue_trial(self._values(point))
            self._finish(self._next(), values, violation)

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
        """Optuna's parameters as a point; those that were not asked for are in the middle."""
        point = np.array([middle_of(variable) for variable in self._space.variables])
        for column, (name, variable) in enumerate(zip(self._names, self._space.variables, strict=True)):
            if name in values:
                real = isinstance(variable, RealVariable)
                point[column] = values[name] if real else (values[name] + 0.5) / len(variable.values)
        return point


def _first_inside(start: Start) -> FloatArray:
    """Random designs of the first batch, where constraints need no evaluation; none in other spaces."""
    count = start.population - len(start.initial)
    if start.space.region is None or count <= 0:
        return np.empty((0, len(start.space)))
    random = np.random.default_rng(start.seed)
    return start.sample(lambda n: random.random((n, len(start.space))), count)


def _suggest(trial: optuna.Trial, name: str, variable: Variable) -> None:
    """Let the sampler choose one variable, from its :func:`distribution`."""
    if isinstance(variable, RealVariable):
        trial.suggest_float(name, 0.0, 1.0)
    elif variable.stepped:
        trial.suggest_int(name, 0, len(variable.values) - 1)
    else:
        trial.suggest_categorical(name, range(len(variable.values)))


class SteadyOptuna(OptunaSearch):
    """An Optuna sampler asked for one design after another."""

    def __init__(self, sampler: BaseSampler, start: Start, *, stepwise: bool = False) -> None:
        super().__init__(sampler, start, stepwise=stepwise)
        self._asked: list[optuna.Trial] = []

    def ask(self) -> FloatArray:
        """The next design."""
        self._asked.append(self._trial())
        return self._space.snap(self._point(self._asked[-1].params)[None])

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
