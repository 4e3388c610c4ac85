"""Robots that are drawn from a layout's designs, and the questions of a study to them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from errors import FaultList
from models import Model
from models.parameters import Parameters
from studies.definition.derived_quantities import Derived, variables_of
from studies.definition.objectives import Constraint
from studies.definition.robust_metrics import base_metric, is_robust
from studies.definition.study_definition import StudyDefinition
from studies.definition.tolerance_check import ToleranceCheck
from studies.definition.tolerance_sampling import Limit, Uncertainty


@dataclass(frozen=True, slots=True)
class Goals:
    """Goals of a layout: its constraints, and values that stand for missing metrics.

    ``record`` is a design of the layout, ``free`` are variables that are no parameters.
    """

    record: Parameters
    constraints: Sequence[Constraint]
    absent: Mapping[str, float]
    free: frozenset[str]


def sampled_metrics(model: Model) -> list[str]:
    """The quantities of which a study's back-end lists statistics."""
    names = (base_metric(metric.name) for metric in model.metrics)
    return list(dict.fromkeys(name for name in names if name is not None))


def stated_uncertainty(
    definition: StudyDefinition, model: Model, layout: str, record: Parameters, faults: FaultList
) -> Uncertainty | None:
    """The tolerances that a study states, for designs like ``record``; None where it states none.

    Nothing is asked of the samples yet: see :func:`with_questions`.
    """
    if not definition.tolerances:
        return None
    check = ToleranceCheck(model, record, variables_of(definition, layout))
    single, groups = check.run(definition.tolerances, faults)
    robust = definition.robust
    return Uncertainty(single, groups, robust.samples, robust.method, robust.seed)


def searched_uncertainty(
    definition: StudyDefinition,
    model: Model,
    layout: str,
    goals: Goals,
    faults: FaultList,
) -> tuple[Uncertainty | None, tuple[str, ...]]:
    """Uncertainty with which a search evaluates each design, None without robots; needed free variables.

    ``model`` is the study's, whose table has the statistics. Tolerances are checked in any case.
    """
    plan = stated_uncertainty(definition, model, layout, goals.record, faults)
    if plan is None or not any(is_robust(metric.name) for metric in model.metrics):
        return None, ()
    plan = with_questions(plan, definition, model, sampled_metrics(model), goals)
    return plan, tuple(free_names(plan, definition, goals.free))


def with_questions(
    plan: Uncertainty,
    definition: StudyDefinition,
    model: Model,
    metrics: Sequence[str],
    goals: Goals,
) -> Uncertainty:
    """A plan that asks for the statistics of ``metrics``, and whether robots meet the constraints."""
    derived = Derived.of(definition)
    own = [limit for limit in goals.constraints if not is_statistic(derived, limit.metric)]
    texts = {link.path: link.expression.text for link in derived.expressions}
    wanted = {*metrics, *(limit.metric for limit in own)}
    needed = wanted | {name for each in wanted for name in _needs(derived, each)}
    named = {name: texts[name] for name in texts if name in needed}
    senses = {metric.name: metric.sense for metric in model.metrics if metric.name in named}
    return replace(
        plan,
        metrics=tuple(metrics),
        limits=tuple(_limit(limit) for limit in own),
        expressions=named,
        absent={name: value for name, value in goals.absent.items() if named},
        senses=senses,
    )


def is_statistic(derived: Derived, name: str) -> bool:
    """True if a goal is of all robots together, so that no single robot can meet it."""
    return is_robust(name) or any(map(is_robust, derived.names_of(name)))


def _needs(derived: Derived, name: str) -> set[str]:
    """The derived quantities that a derived quantity needs, directly or not."""
    names = {link.path: link.expression.names for link in derived.expressions}
    found: set[str] = set()
    left = [name]
    while left:
        new = [one for one in names.get(left.pop(), ()) if one in names and one not in found]
        found.update(new)
        left += new
    return found


def _limit(constraint: Constraint) -> Limit:
    lower, upper = constraint.lower, constraint.upper
    return Limit(
        constraint.metric,
        lower if math.isfinite(lower) else None,
        upper if math.isfinite(upper) else None,
        constraint.absent,
    )


def free_names(plan: Uncertainty, definition: StudyDefinition, free: frozenset[str]) -> list[str]:
    """The variables that are no parameters and that the expressions of a plan need."""
    derived = Derived.of(definition)
    wanted = {name for link in derived.expressions if link.path in plan.expressions
              for name in link.expression.names}  # fmt: skip
    return sorted(wanted & free)
