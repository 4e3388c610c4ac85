"""Designs that came nearest to being feasible, and what they lack."""

from __future__ import annotations

from collections.abc import Mapping

from dashboards.formatting import quantity
from errors import TautlineError
from studies.definition.objectives import Constraint
from studies.execution.evaluation_key import short_key
from studies.problem.layout import Layout, stated_layouts
from studies.problem.problem import stored_definition
from studies.records import RunRecord, StudyRecord
from studies.store import Store
from studies.store.trials import Trial

_DIGITS = 6
"""A bound that is nearly met must not look as if it were."""


def nearest_designs(store: Store, study: StudyRecord, run: RunRecord, most: int) -> list[str]:
    """A line for each of the ``most`` designs with the least violation, the nearest first."""
    found = store.nearest_trials(run, most)
    try:
        stated = stated_layouts(stored_definition(study))[run.layout]
    except TautlineError:  # the back-end is not installed any more
        return []
    return [f"nearest design {short_key(trial.key)}: {_lacks(stated, trial)}" for trial in found]


def _lacks(stated: Layout, trial: Trial) -> str:
    if trial.state != "done":
        return trial.reason or "it has no metrics"
    metrics = stated.goal_metrics(trial.metrics, trial.parameters, trial.point)
    broken = [each for each in stated.constraints if each.violation(metrics) > 0]
    return "; ".join(_broken(each, metrics) for each in broken)


def _broken(constraint: Constraint, metrics: Mapping[str, float | None]) -> str:
    value = metrics[constraint.metric]
    judged = constraint.absent if value is None else value
    low = judged < constraint.lower
    bound = quantity(constraint.lower if low else constraint.upper, constraint.unit, _DIGITS)
    shown = "absent" if value is None else quantity(value, constraint.unit, _DIGITS)
    return f"{constraint.metric} is {shown}, must be at {'least' if low else 'most'} {bound}"
