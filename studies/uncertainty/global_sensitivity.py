"""Sobol indices of a study's quantities to its variables, over the whole design space of a layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from errors import InputError
from studies.definition.robust_metrics import base_metric
from studies.problem.robustness import is_statistic
from studies.problem.setup import check, stored_definition
from studies.records import EvaluationRecord, FloatArray, StudyRecord, Task
from studies.results.evaluation_plan import MOST_EVALUATIONS, ListedPlan
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


class GlobalSensitivity(ListedPlan[SpaceIndices]):
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
        wanted = rows * (len(self._problem.space) + 2)
        if wanted > MOST_EVALUATIONS:
            text = f"takes {wanted} evaluations; at most {MOST_EVALUATIONS} are made, so take fewer rows"
            raise InputError(text, ("rows",))
        goals = [goal.metric for goal in (*self._problem.objectives, *self._problem.constraints)]
        names = dict.fromkeys(base_metric(name) or name for name in goals)
        self.metrics = [name for name in names if not is_statistic(self._problem.derived, name)]

    @cached_property
    def _points(self) -> FloatArray:
        width = len(self._problem.space)
        matrices = saltelli_points(self.rows, [[column] for column in range(width)], width, self._seed)
        return np.stack([self._problem.space.snap(matrix) for matrix in matrices])

    @cached_property
    def _designs(self) -> list[list[Task]]:
        return [self._problem.tasks(matrix) for matrix in self._points]

    @property
    def tasks(self) -> list[Task]:
        """Every task once."""
        return self._tasks

    @cached_property
    def _tasks(self) -> list[Task]:
        return list({task.key: task for matrix in self._designs for task in matrix}.values())

    def prepare(self) -> None:
        """Load the kernels."""
        self._problem.model.prepare(self._problem.cost_class)

    def result(self, found: Mapping[str, EvaluationRecord]) -> SpaceIndices:
        """The indices from the evaluations ``found``, which have every task's by its key."""
        values = {name: np.full(self._points.shape[:2], np.nan) for name in self.metrics}
        for i, matrix in enumerate(self._designs):
            for j, task in enumerate(matrix):
                for name, value in self._quantities(found[task.key], self._points[i, j]).items():
                    values[name][i, j] = np.nan if value is None else value
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
