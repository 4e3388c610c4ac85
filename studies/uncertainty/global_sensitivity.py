"""Sobol indices of a study's quantities to its variables, over the whole design space of a layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from errors import InputError
from studies.definition.robust_metrics import base_metric
from studies.problem.problem import check, stored_definition
from studies.problem.robustness import is_statistic
from studies.records import EvaluationRecord, FloatArray, StudyRecord, Task
from studies.results.evaluation_plan import BATCH, MOST_EVALUATIONS, LazyPlan
from studies.results.fronts import only_layout
from studies.uncertainty.sobol_indices import SobolIndices, saltelli_points, sobol_indices, why_no_indices


@dataclass(frozen=True, slots=True)
class SpaceIndices:
    """Indices of each quantity, ``rows`` of which were drawn.

    None where too many designs of the space have none, or where it does not vary; ``missing`` says which.
    """

    factors: Sequence[str]
    rows: int
    indices: Mapping[str, SobolIndices | None]
    missing: Mapping[str, str] = field(default_factory=dict[str, str])


class GlobalSensitivity(LazyPlan[SpaceIndices]):
    """The designs from which the indices of one layout follow (:class:`EvaluationPlan`).

    Parameters
    ----------
    study : StudyRecord
    layout : str, optional
        None: the only one of the study.
    rows : int
        Rows of each matrix, a power of two; d variables take (d + 2) rows designs.
    seed : int

    Raises
    ------
    InputError
        When there is no such layout, ``rows`` is no power of two, or the installed version refuses the study.
    """

    def __init__(self, study: StudyRecord, layout: str | None, rows: int, seed: int) -> None:
        definition = stored_definition(study)
        problems = check(definition)
        self.limits = definition.evaluation.limits
        self.layout = only_layout(problems, layout)
        if rows < 4 or rows & (rows - 1):
            raise InputError("must be a power of two of at least 4", ("rows",))
        self._problem = replace(problems[self.layout], uncertainty=None)
        self.parameters = self._problem.model.parameters
        self.rows, self._seed = rows, seed
        if self.wanted > MOST_EVALUATIONS:
            text = f"takes {self.wanted} evaluations; at most {MOST_EVALUATIONS} are made, so take fewer rows"
            raise InputError(text, ("rows",))
        goals = [goal.metric for goal in (*self._problem.objectives, *self._problem.constraints)]
        names = dict.fromkeys(base_metric(name) or name for name in goals)
        self.metrics = [name for name in names if not is_statistic(self._problem.derived, name)]

    @property
    def wanted(self) -> int:
        """Number of tasks."""
        return self.rows * (len(self._problem.space) + 2)

    def tasks(self) -> Iterator[Task]:
        """Tasks, made one by one: matrix by matrix."""
        return chain.from_iterable(map(self._problem.tasks, self._blocks()))

    def _blocks(self) -> Iterator[FloatArray]:
        """Points (n, d) of the space, some at a time."""
        width = len(self._problem.space)
        factors = [[column] for column in range(width)]
        for matrix in saltelli_points(self.rows, factors, width, self._seed):
            snapped = self._problem.space.snap(matrix)
            yield from (snapped[start : start + BATCH] for start in range(0, self.rows, BATCH))

    def prepare(self) -> None:
        """Load the kernels."""
        self._problem.model.prepare(self._problem.cost_class)

    def result(self, found: Iterator[EvaluationRecord]) -> SpaceIndices:
        """The indices from the evaluations ``found``, that of each task in their order."""
        columns = {name: np.full(self.wanted, np.nan) for name in self.metrics}
        points = chain.from_iterable(self._blocks())
        for row, (record, point) in enumerate(zip(found, points, strict=True)):
            for name, value in self._quantities(record, point).items():
                columns[name][row] = np.nan if value is None else value
        values = {name: column.reshape(-1, self.rows) for name, column in columns.items()}
        factors = [variable.path for variable in self._problem.space.variables]
        indices = {name: sobol_indices(each, self._seed) for name, each in values.items()}
        missing = {name: why_no_indices(values[name]) for name, one in indices.items() if one is None}
        return SpaceIndices(factors, self.rows, indices, missing)

    def _quantities(self, record: EvaluationRecord, point: FloatArray) -> dict[str, float | None]:
        if record.state != "done":
            return {}
        parameters, variables = record.task.parameters, self._problem.space.named_values(point)
        derived = self._problem.derived.values(record.metrics, parameters, variables)
        known = {**record.metrics, **derived}
        return {name: known[name] for name in self.metrics}
