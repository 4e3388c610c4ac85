"""A chosen design under its tolerances: statistics, every robot, a tornado and Sobol indices.

Here every robot is an evaluation of its own, kept by its key like all others: any number of workers share
them, and what is interrupted goes on where it stopped. A search instead evaluates all robots of a design as
one, so that a study has one row for each design. The numbers are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from errors import AbsentError, FaultList, InputError
from studies.definition.derived_quantities import study_model, without_derived
from studies.definition.links import value_at_steps
from studies.definition.robust_metrics import base_metric, robust_metrics, robust_values
from studies.definition.study_definition import StudyDefinition
from studies.definition.tolerance_sampling import Uncertainty, samples_of
from studies.definition.tolerance_tables import RobustTable, TolerancesTable
from studies.execution.evaluation import RobotValues, senses_of, task_of
from studies.execution.evaluation_key import short_key
from studies.problem.layout import Layout, stated_layouts
from studies.problem.problem import require_own_results, stored_definition
from studies.problem.robustness import Goals, is_statistic, stated_uncertainty, with_questions
from studies.records import EvaluationRecord, StudyRecord, Task
from studies.results.evaluation_plan import MOST_EVALUATIONS, LazyPlan
from studies.store import Store
from studies.store.trials import TrialFilter
from studies.uncertainty.global_sensitivity import (
    SobolIndices,
    saltelli_points,
    sobol_indices,
    why_no_indices,
)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RobustOptions:
    """Options of the question to a design; the study states what is left out.

    ``metrics`` are those of goals if none are named; ``index_rows`` are rows of each matrix of Sobol indices,
    a power of two, 0 for no indices.
    """

    tolerances: TolerancesTable | None = None
    robust: RobustTable | None = None
    metrics: tuple[str, ...] = ()
    tornado: bool = True
    index_rows: int = 0

    def document(self) -> dict[str, Any]:
        """The options as plain values, from which :meth:`read` makes them again."""
        tables = {
            name: None if table is None else table.model_dump(mode="json")
            for name, table in (("tolerances", self.tolerances), ("robust", self.robust))
        }
        return {**tables, "metrics": [*self.metrics], "tornado": self.tornado, "index_rows": self.index_rows}

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> RobustOptions:
        """The options in a stored document."""
        tolerances, robust = given["tolerances"], given["robust"]
        return cls(
            None if tolerances is None else TolerancesTable.model_validate(tolerances),
            None if robust is None else RobustTable.model_validate(robust),
            tuple(given["metrics"]),
            given["tornado"],
            given["index_rows"],
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """A quantity with one number of the design a standard deviation lower, and higher; None: it has none."""

    path: str
    deviation: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True)
class RobustDesign:
    """Outcomes of the robots made of a design.

    ``nominal`` and ``statistics`` are by name of the metric; ``robots`` has a column (n,) for each quantity,
    NaN where a robot does not work. ``tornado`` and ``indices`` are by quantity, in the order of ``factors``;
    ``missing`` says why a quantity has no indices. ``resolution`` is the numerical error of a quantity at the
    design, such as that of its grid, where it has one: a change that is no greater says nothing.
    """

    nominal: Mapping[str, float | None]
    statistics: Mapping[str, float | None]
    robots: Mapping[str, FloatArray]
    feasible: NDArray[np.bool_]
    works: NDArray[np.bool_]
    reasons: Mapping[str, int]
    tornado: Mapping[str, Sequence[Bar]]
    factors: Sequence[str]
    indices: Mapping[str, SobolIndices | None]
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    resolution: Mapping[str, float] = field(default_factory=dict[str, float])


class DesignSamples(LazyPlan[RobustDesign]):
    """The robots of a stored design, as tasks, and what their evaluations say.

    Parameters
    ----------
    store : Store
    study : StudyRecord
        A study that evaluated the design.
    key : str
        The key of the design, whole.
    options : RobustOptions

    Raises
    ------
    InputError
        When no tolerance is stated, one is faulty, a metric is unknown, or the study did not evaluate the
        design.
    """

    def __init__(self, store: Store, study: StudyRecord, key: str, options: RobustOptions) -> None:
        require_own_results(study)
        definition = stored_definition(study)
        if options.tolerances is not None or options.robust is not None:
            definition = definition.model_copy(
                update={
                    "tolerances": options.tolerances or definition.tolerances,
                    "robust": options.robust or definition.robust,
                }
            )
        self.limits = definition.evaluation.limits
        stored = store.evaluations([key])[key]
        runs = {run.id: run.layout for run in study.runs}
        trials = store.trials(TrialFilter(list(runs), limit=1, key=key))
        if not trials:
            raise AbsentError(
                f"no run of study '{study.name}' evaluated the design {short_key(key)}", ("key",)
            )
        trial = trials[0]
        self._layout = stated_layouts(definition)[runs[trial.run_id]]
        self.layout = self._layout.layout
        self._study_model = study_model(definition)
        self.model, self._stored = without_derived(self._study_model, definition), stored
        self.options = options
        self.plan = self._plan(definition, trial.point)
        self._drawn = samples_of(self.plan)
        self._check_count()

    def _plan(self, definition: StudyDefinition, point: FloatArray) -> Uncertainty:
        model, layout = self._study_model, self._layout
        self._record = self._validated()
        faults = FaultList()
        plan = stated_uncertainty(definition, model, layout.layout, self._record, faults)
        faults.raise_found()
        if plan is None:
            raise InputError(
                "the study states no tolerances; add [tolerances] to its file, or give some here, as in "
                'pulleys.0.2 = { normal = "2 mm" }',
                ("tolerances",),
            )
        goals = Goals(self._record, layout.constraints, layout.absent, layout.space.links.free)
        self.metrics = self._wanted(layout)
        plan = with_questions(plan, definition, model, self.metrics, goals)
        named = layout.space.named_values(point)
        return replace(plan, variables={name: float(named[name]) for name in goals.free})

    def _wanted(self, layout: Layout) -> list[str]:
        asked = self.options.metrics
        goals = [goal.metric for goal in (*layout.objectives, *layout.constraints)]
        names = dict.fromkeys(base_metric(name) or name for name in asked or goals)
        known = [self._study_model.metric(name, ("metrics",)).name for name in names]
        statistics = [name for name in known if is_statistic(layout.derived, name)]
        if asked and statistics:
            text = f"'{statistics[0]}' is of all robots together; name quantities of a single robot"
            raise InputError(text, ("metrics",))
        return [name for name in known if name not in statistics]

    def _validated(self) -> Any:
        try:
            return self.model.parameters.model_validate(self._stored.task.parameters)
        except ValidationError:
            raise InputError(
                f"version {self.model.version} of {self.model.name}, which is installed, refuses this design",
                ("key",),
            ) from None

    def _check_count(self) -> None:
        rows, wanted = self.options.index_rows, self.wanted
        if rows and (rows & (rows - 1) or rows < 4):
            raise InputError(
                "must be a power of two of at least 4, or 0 for no Sobol indices", ("index_rows",)
            )
        if wanted > MOST_EVALUATIONS:
            raise InputError(
                f"takes {wanted} evaluations; at most {MOST_EVALUATIONS} are made for one design, so draw "
                "fewer samples or rows",
                ("samples",),
            )

    # ------------------------------------------------------------ tasks

    @cached_property
    def _cost_class(self) -> str:
        model = self._study_model
        wanted = [model.metric(name) for name in (*self.metrics, *(limit.name for limit in self.plan.limits))]
        own = {metric.name for metric in self.model.metrics}
        names = [name for metric in wanted for name in (metric.name, *metric.contains) if name in own]
        return self.model.cost_class_for(names)

    @cached_property
    def _nominal(self) -> Task:
        return self._task(np.zeros(len(self.plan.paths)))

    @property
    def wanted(self) -> int:
        """Number of tasks."""
        return self._matrices_from + self.options.index_rows * (len(self.plan.factors) + 2)

    @property
    def _matrices_from(self) -> int:
        """The row of the first task of the matrices: behind the design itself, its robots and its bars."""
        return 1 + self.plan.samples + 2 * len(self.plan.paths) * self.options.tornado

    def tasks(self) -> Iterator[Task]:
        """Tasks, made one by one: the design itself, its robots, two for each bar, those of the matrices."""
        return map(self._task, chain.from_iterable(self._blocks()))

    def _blocks(self) -> Iterator[FloatArray]:
        """Errors (n, k) of the k numbers, some at a time."""
        yield np.zeros((1, len(self.plan.paths)))
        yield self._drawn.errors
        if self.options.tornado:
            for step in np.diag(self.plan.deviations):
                yield np.stack([-step, step])
        if self.options.index_rows:
            columns, width = [columns for _, columns in self.plan.factors], len(self.plan.paths)
            for points in saltelli_points(self.options.index_rows, columns, width, self.plan.seed):
                yield self.plan.errors_at(points)

    def _task(self, errors: FloatArray) -> Task:
        plain = self.plan.robot(self.model, self._stored.task.parameters, errors)
        with suppress(ValidationError):  # values that the model refuses make a robot that does not work
            plain = self.model.parameters.model_validate(plain).model_dump(mode="json")
        seed = self._stored.task.seed
        return task_of(self.model, plain, self._cost_class, seed)

    def answer_if_stored(self, store: Store) -> RobustDesign | None:
        """The answer of the stored evaluations; None where one is missing, or worth another try."""
        last = self._task(self._drawn.errors[-1])  # one look spares thousands of robots where there are none
        return super().answer_if_stored(store) if store.known([last]) else None

    def prepare(self) -> None:
        """Load the kernels."""
        self.model.prepare(self._cost_class)

    # ------------------------------------------------------------ results

    def result(self, found: Iterator[EvaluationRecord]) -> RobustDesign:
        """Statistics, bars and indices from the evaluations ``found``, that of each task in their order."""
        first = next(found)
        values, reasons = self._values(chain([first], found))
        made = values.outcomes(1, 1 + self.plan.samples)
        nominal = {name: _or_none(column[0]) for name, column in values.values.items()}
        statistics = robust_values(made, senses_of(self._study_model, self.plan), self._drawn.replicates)
        bars = {name: self._tornado(values.values[name]) for name in self.metrics}
        samples = self._samples(values.values) if self.options.index_rows else {}
        indices = {name: sobol_indices(each, self.plan.seed) for name, each in samples.items()}
        missing = {name: why_no_indices(samples[name]) for name, one in indices.items() if one is None}
        factors = [name for name, _ in self.plan.factors]
        return RobustDesign(
            nominal, statistics, made.values, made.feasible, made.works, reasons, bars, factors, indices,
            missing, self._resolution(first),
        )  # fmt: skip

    def _resolution(self, nominal: EvaluationRecord) -> dict[str, float]:
        """The numerical error of each quantity that has one."""
        errors = {name: self._study_model.metric(name).error for name in self.metrics}
        known = {name: nominal.metrics.get(error) for name, error in errors.items() if error}
        return {name: error for name, error in known.items() if error is not None}

    def _values(self, found: Iterator[EvaluationRecord]) -> tuple[RobotValues, dict[str, int]]:
        """The quantities of all tasks in their order, and why some robots do not work."""
        values = RobotValues(replace(self.plan, samples=self.wanted))
        reasons: dict[str, int] = {}
        for row, record in enumerate(found):
            if record.state == "done":
                values.add(row, record.metrics, record.task.parameters)
            elif 1 <= row <= self.plan.samples:
                reasons[record.reason] = reasons.get(record.reason, 0) + 1
        return values, reasons

    def _tornado(self, column: FloatArray) -> list[Bar]:
        """The bars of a quantity, from its values (wanted,) in all tasks."""
        ends = column[1 + self.plan.samples : self._matrices_from].reshape(-1, 2)
        return [
            Bar(path, deviation, _or_none(low), _or_none(high))
            for path, deviation, (low, high) in zip(
                self.plan.paths, self._absolute_deviations, ends, strict=False
            )
        ]

    @cached_property
    def _absolute_deviations(self) -> list[float]:
        """The standard deviation of each number's error in SI."""
        nominal = self._nominal.parameters
        shares = [one.relative for one in self.plan.tolerances]
        values = [value_at_steps(nominal, path.split(".")) for path in self.plan.paths]
        shares += [False] * (len(values) - len(shares))
        return [
            float(deviation * abs(value) if share else deviation)
            for deviation, value, share in zip(self.plan.deviations, values, shares, strict=True)
        ]

    def _samples(self, columns: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Each quantity in the rows of all matrices (f + 2, n), from which its indices follow."""
        rows = self.options.index_rows
        return {name: columns[name][self._matrices_from :].reshape(-1, rows) for name in self.metrics}

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every quantity and statistic."""
        metrics = [self._study_model.metric(name) for name in self.metrics]
        return {metric.name: metric.unit for metric in (*metrics, *robust_metrics(metrics))}


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
