"""Importance of variables: rank correlation and importance, from the stored evaluations of a study.

Nothing is evaluated. A search asks for designs near its front, so the numbers describe the designs that it
asked for, not the whole design space, whose Sobol indices :mod:`studies.uncertainty.global_sensitivity`
computes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errors import InputError, Place, UnknownNameError
from models import Model
from studies.definition.derived_quantities import study_model
from studies.definition.space import ChoiceVariable, DesignSpace, Variable
from studies.problem.layout import stated_layouts
from studies.problem.problem import stored_definition
from studies.records import FloatArray, StudyRecord
from studies.results.design_values import DesignReader
from studies.results.fronts import choose_runs, only_layout
from studies.store import Store
from studies.store.trials import TrialFilter

LEAST_DESIGNS = 30
"""Fewer say nothing: the best tenth would be one or two designs."""
MOST_DESIGNS = 4_000
"""Most designs; of more, every second, third and so on is read."""
_PIECE = 2000


@dataclass(frozen=True, slots=True)
class StoredDesigns:
    """The different designs of a layout that were evaluated in full and have metrics, in order of asking.

    Attributes
    ----------
    layout : str
    space : DesignSpace
    points : (n, d) array
        Of the unit cube.
    metrics : sequence of mappings
        SI values of each design, derived quantities among them.
    feasible : (n,) array of bool
        Whether the design meets the constraints of the study.
    """

    layout: str
    space: DesignSpace
    points: FloatArray
    metrics: Sequence[Mapping[str, float | None]]
    feasible: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def values(self, metric: str) -> FloatArray:
        """A metric of every design (n,), NaN where it has none."""
        found = [design.get(metric) for design in self.metrics]
        return np.array([math.nan if value is None else value for value in found], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class VariableImportance:
    """Importance of one variable for a metric over the stored designs.

    ``correlation`` is Spearman's: 1 where the metric always rises with the variable, -1 where it always
    falls; None for a variable without order, and for one that never varies. ``importance`` is the share of
    the variable in what tells the best tenth of the designs from all of them (PED-ANOVA, Watanabe et al.,
    IJCAI 2023); the shares of all variables sum to 1. None where the metric has no better end.
    """

    variable: str
    correlation: float | None
    importance: float | None


@dataclass(frozen=True, slots=True)
class MetricImportances:
    """One metric over ``designs`` that have it; ``remark`` says why some numbers are missing."""

    metric: str
    unit: str
    sense: str
    designs: int
    variables: tuple[VariableImportance, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class LayoutImportances:
    """The importances of one layout; it has ``designs`` different designs with metrics."""

    layout: str
    designs: int
    metrics: tuple[MetricImportances, ...]


def variable_importances(
    store: Store, name: str, layout: str | None = None, metrics: Sequence[str] = ()
) -> LayoutImportances:
    """Importances of the variables of a stored study for its metrics.

    Parameters
    ----------
    store : Store
    name : str
        Of the study.
    layout : str, optional
        None: the only one of the study.
    metrics : sequence of str, optional
        None given: objectives and constraints.

    Raises
    ------
    InputError
        When there is no such layout or metric, or the installed back-end has other variables.
    """
    study = store.study(name)
    definition = stored_definition(study)
    model = study_model(definition)
    wanted = list(dict.fromkeys(metrics or (*definition.objectives, *definition.constraints)))
    for place, metric in enumerate(wanted):
        check_metric(model, metric, ("metrics", place))
    designs = stored_designs(store, study, layout)
    found = [
        metric_importances(designs, metric, model.metric(metric).unit, sense_of(study, model, metric))
        for metric in wanted
    ]
    return LayoutImportances(designs.layout, len(designs.points), tuple(found))


def check_metric(model: Model, metric: str, place: Place) -> None:
    """Raise ``UnknownNameError`` at ``place`` for a metric that the back-end of a study does not have."""
    known = [each.name for each in model.metrics]
    if metric not in known:
        raise UnknownNameError("metric", metric, known, place)


def sense_of(study: StudyRecord, model: Model, metric: str) -> str:
    """Better direction of a metric, first of all for the study; empty where neither is better."""
    return stored_definition(study).objectives.get(metric) or model.metric(metric).sense


def stored_designs(store: Store, study: StudyRecord, layout: str | None = None) -> StoredDesigns:
    """The designs of one layout that have metrics; see :func:`variable_importances` for the errors."""
    chosen = only_layout(list(dict.fromkeys(run.layout for run in study.runs)), layout)
    space = stated_layouts(stored_definition(study))[chosen].space
    reader, runs = DesignReader(study, chosen), choose_runs(study, chosen)
    step = max(1, math.ceil(sum(store.trial_counts(runs).values()) / MOST_DESIGNS))
    found: dict[str, tuple[FloatArray, Mapping[str, float | None], bool]] = {}
    after: tuple[int, int] | None = None
    while True:
        page = store.trials(
            TrialFilter([run.id for run in runs], after, _PIECE, "done", step=step, in_full=True)
        )
        for trial in page:
            if trial.key not in found:
                if len(trial.point) != len(space):
                    text = "the installed version of the back-end has other variables than the stored study"
                    raise InputError(text, ("study",))
                read = reader.read(trial.parameters, trial.metrics, trial.point)
                found[trial.key] = np.asarray(trial.point), read.metrics, trial.violation == 0.0
        if len(page) < _PIECE:
            break
        after = page[-1].run_id, page[-1].ask_no
    points = np.array([point for point, _, _ in found.values()], dtype=np.float64).reshape(-1, len(space))
    feasible = np.array([kept for _, _, kept in found.values()], dtype=np.bool_)
    return StoredDesigns(chosen, space, points, [metrics for _, metrics, _ in found.values()], feasible)


def metric_importances(designs: StoredDesigns, metric: str, unit: str, sense: str) -> MetricImportances:
    """Importances of a layout's variables for a metric; ``sense`` is empty where neither end is better."""
    values = designs.values(metric)
    known = ~np.isnan(values)
    count = int(known.sum())
    remark = _too_few(count) or _constant(values[known])
    if remark:
        return MetricImportances(metric, unit, sense, count, (), remark)
    points, variables = designs.points[known], designs.space.variables
    correlations = [
        _correlation(variable, column, values[known])
        for variable, column in zip(variables, points.T, strict=True)
    ]
    shares: Sequence[float | None] = [None] * len(variables)
    if len(variables) == 1:
        remark = "the study has one variable: there is nothing that it could be more important than"
    elif not sense:
        remark = "no importance: neither end of the metric is the better one"
    else:
        shares = _shares(variables, points, values[known] if sense == "minimize" else -values[known])
    rows = zip(variables, correlations, shares, strict=True)
    found = tuple(VariableImportance(variable.path, one, share) for variable, one, share in rows)
    return MetricImportances(metric, unit, sense, count, found, remark)


def _too_few(count: int) -> str:
    if count >= LEAST_DESIGNS:
        return ""
    return f"{count} different designs have this metric; at least {LEAST_DESIGNS} are needed"


def _constant(values: FloatArray) -> str:
    return "" if np.ptp(values) > 0 else "all designs have the same value"


def _correlation(variable: Variable, column: FloatArray, values: FloatArray) -> float | None:
    """Spearman's rank correlation of a metric and a variable's column of the unit cube."""
    numbers = numeric(variable, column)
    if numbers is None or np.ptp(numbers) == 0:
        return None
    from scipy.stats import spearmanr  # takes a second; commands that ask for nothing of it shall not wait

    found: Any = spearmanr(numbers, values)
    return float(found.statistic)


def numeric(variable: Variable, column: FloatArray) -> FloatArray | None:
    """The values (n,) of a variable at points of its axis, SI; None for options that are no numbers."""
    if isinstance(variable, ChoiceVariable):
        numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in variable.values]
        if not all(numbers):
            return None
    return np.array(variable.decode_all(column), dtype=np.float64)


def _shares(variables: Sequence[Variable], points: FloatArray, values: FloatArray) -> list[float]:
    """The importance of each variable for the least ``values`` (n,) at ``points`` (n, d); they sum to 1.

    Where nothing tells the best designs from the others, all are equal.
    """
    import optuna  # costs half a second, and only this needs it
    from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances

    from studies.search.optuna_search import quiet

    names = [f"x{i:04}" for i in range(len(variables))]
    trials = _optuna_trials(names, variables, points, values)

    class Held(optuna.Study):
        """Trials as they are: a study copies each as it is added, which takes ten times their making."""

        def get_trials(self, *_: Any, **__: Any) -> list[Any]:
            return trials

    storage = optuna.storages.InMemoryStorage()
    with quiet():
        storage.create_new_study([optuna.study.StudyDirection.MINIMIZE], "importance")
    study = Held("importance", storage)
    found = get_param_importances(study, evaluator=PedAnovaImportanceEvaluator(), params=names)
    return [float(found[name]) for name in names]


def _optuna_trials(
    names: Sequence[str], variables: Sequence[Variable], points: FloatArray, values: FloatArray
) -> list[Any]:
    """Optuna's record of each evaluated point, with ``values`` (n,) as results."""
    from optuna.trial import FrozenTrial, TrialState

    from studies.search.optuna_search import distribution

    distributions = {name: distribution(one) for name, one in zip(names, variables, strict=True)}
    columns = [_optuna_values(one, column) for one, column in zip(variables, points.T, strict=True)]
    done, rows = TrialState.COMPLETE, zip(zip(*columns, strict=True), values.tolist(), strict=True)
    return [
        FrozenTrial(
            number, done, value, None, None, dict(zip(names, row, strict=True)), distributions, {}, {}, {},
            number,
        )
        for number, (row, value) in enumerate(rows)
    ]  # fmt: skip


def _optuna_values(variable: Variable, column: FloatArray) -> Sequence[float | int]:
    if not isinstance(variable, ChoiceVariable):
        return column.tolist()
    places = np.minimum(column * len(variable.values), len(variable.values) - 1)
    return places.astype(np.int64).tolist()
