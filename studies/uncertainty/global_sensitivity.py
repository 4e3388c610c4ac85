"""Sobol indices: shares of a quantity's variance, also of a study's over the whole space of a layout.

Sampling by Saltelli et al. (Computer Physics Communications 181 2010): two matrices A and B, and for each
factor A with that factor's columns from B. The standard errors are bootstrapped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from errors import InputError
from studies.definition.robust_metrics import base_metric
from studies.definition.tolerance_sampling import sobol_points
from studies.problem.problem import check, require_own_results, stored_definition
from studies.problem.robustness import is_statistic
from studies.records import EvaluationRecord, FloatArray, StudyRecord, Task
from studies.results.evaluation_plan import BATCH, MOST_EVALUATIONS, LazyPlan
from studies.results.fronts import only_layout

_RESAMPLES = 200
MOST_ERROR = 0.1
"""Standard error of an index up to which it tells which factors matter."""
ROUNDING = 0.005
"""Distance beyond 0 and 1 at which an index still rounds to a share."""
LEAST_SHARE = 0.5
"""Share of the rows that must be complete: indices of a cube full of holes would be those of its shape."""


@dataclass(frozen=True, slots=True)
class SobolIndices:
    """First-order and total indices (f,) of f factors and their standard errors; ``rows`` were complete."""

    first: FloatArray
    first_error: FloatArray
    total: FloatArray
    total_error: FloatArray
    rows: int

    def caution(self, factors: Sequence[str]) -> str:
        """Caution for indices that say little, in words; empty where every one is a share and known well."""
        outside = [
            name
            for name, *found in zip(factors, self.first, self.total, strict=True)
            if min(found) < -ROUNDING or max(found) > 1.0 + ROUNDING
        ]
        worst = float(max(self.first_error.max(), self.total_error.max()))
        texts = (
            [f"an index of {', '.join(outside)} is below 0 or above 1, as no share can be"] if outside else []
        )
        texts += [f"standard errors reach {worst:.2g}"] if worst > MOST_ERROR else []
        return f"{', and '.join(texts)}: {self.rows} rows are too few, take more" if texts else ""


def saltelli_points(
    count: int, factors: Sequence[Sequence[int]], dimensions: int, seed: int
) -> Iterator[FloatArray]:
    """Points of the open unit cube in f + 2 matrices (count, dimensions): A, B, and A with each factor of B.

    Parameters
    ----------
    count : int
        Rows of each matrix, a power of two.
    factors : sequence of sequences of int
        The columns that belong to each of f factors.
    dimensions : int
    seed : int
    """
    both = sobol_points(count, 2 * dimensions, np.random.SeedSequence(seed))
    a, b = both[:, :dimensions], both[:, dimensions:]
    yield from (a, b)
    for columns in factors:
        one = a.copy()
        one[:, list(columns)] = b[:, list(columns)]
        yield one


def sobol_indices(values: FloatArray, seed: int) -> SobolIndices | None:
    """The indices from a quantity's values (f + 2, n) at :func:`saltelli_points`, NaN where it has none.

    None where fewer than half of the rows are complete, or where nothing varies, or hardly anything.
    """
    known = _complete(values)
    rows = known.shape[1]
    if rows < _fewest(values) or np.ptp(known[:2]) == 0:
        return None
    first, total = _indices(known)
    random = np.random.default_rng(seed)
    drawn = [known[:, random.integers(0, rows, rows)] for _ in range(_RESAMPLES)]
    # A metric that counts cells may be equal in all rows of a resample.
    resampled = [_indices(values) for values in drawn if np.ptp(values[:2]) > 0]
    if len(resampled) < _RESAMPLES / 2:
        return None
    errors = np.std(np.array(resampled), axis=0, ddof=1)
    return SobolIndices(first, errors[0], total, errors[1], rows)


def why_no_indices(values: FloatArray) -> str:
    """Reason why :func:`sobol_indices` finds none, and advice, in words without a full stop."""
    known, rows = _complete(values), values.shape[1]
    missing = rows - known.shape[1]
    if known.shape[1] < _fewest(values):
        return (
            f"it has no value in {missing} of {rows} rows ({missing / rows:.0%}), and indices need one in at "
            "least half of them: narrow what varies to where designs work"
        ).replace("%", " %")
    if np.ptp(known[:2]) == 0:
        return (
            f"it is the same in all of {known.shape[1]} rows, so there is nothing to explain: let more "
            "vary, or use more cells where it is computed on a grid"
        )
    return f"it varies in hardly any of {known.shape[1]} rows: take more rows"


def _complete(values: FloatArray) -> FloatArray:
    """The rows in which all matrices have a value."""
    return values[:, ~np.isnan(values).any(axis=0)]


def _fewest(values: FloatArray) -> float:
    """Number of rows that must be complete."""
    return max(4, LEAST_SHARE * values.shape[1])


def _indices(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First-order and total indices (f,), by rows (b) and (f) of table 2 of Saltelli et al. 2010.

    Scipy has the same estimators, but only for a number of rows that is a power of two.
    """
    values = values - values[:2].mean()
    a, b, mixed = values[0], values[1], values[2:]
    variance = values[:2].var()
    first = (b * (mixed - a)).mean(axis=1) / variance
    total = ((a - mixed) ** 2).mean(axis=1) / (2 * variance)
    return first, total


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
        require_own_results(study)
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
            snapped = self._problem.space.settle(matrix)
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
