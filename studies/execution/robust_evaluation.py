"""The evaluation of one design with its tolerances: nominal, then robot by robot, here and in this order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from errors import InputError, OutcomeError
from models import Evaluation, Infeasible, Model
from studies.definition.expressions import read_expression
from studies.definition.links import value_at_steps
from studies.definition.robust_metrics import FEWEST, SampleOutcomes, robust_values
from studies.definition.tolerance_sampling import Uncertainty, read_uncertainty, samples_of
from studies.records import Task

Outcome = Evaluation | Infeasible
Evaluate = Callable[[Mapping[str, Any]], Outcome]


def evaluate_with_tolerances(
    model: Model, task: Task, uncertainty: Mapping[str, Any], evaluate: Evaluate
) -> Outcome:
    """The nominal metrics of a design, and the statistics over its robots.

    A nominal design that is infeasible stays so, and no robot is made of it. So does one of which fewer than
    two robots work: its violation is the mean of theirs.

    Parameters
    ----------
    model : Model
    task : Task
    uncertainty : mapping
        The document of its uncertainty.
    evaluate : callable
        Gives the outcome of parameters as plain values; those that exclude each other end infeasible.
    """
    nominal = evaluate(task.parameters)
    if isinstance(nominal, Infeasible):
        return nominal
    plan = read_uncertainty(uncertainty)
    drawn = samples_of(plan)
    merged = _Merged(nominal, plan)
    for number, errors in enumerate(drawn.errors):
        try:
            made = plan.robot(model, task.parameters, errors)
            merged.add(number, evaluate(made), made)
        except OutcomeError as error:
            text = f"robot {number + 1} of {plan.samples}: {error}"
            raise OutcomeError(text, error.kind, error.counters, tuple(error.warnings)) from None
        except InputError as error:
            raise OutcomeError(str(error)) from None
    return merged.outcome(senses_of(model, plan), drawn.replicates)


def senses_of(model: Model, plan: Uncertainty) -> dict[str, str]:
    """The sense of every quantity of a plan; less of a derived one is better, unless the study says more."""
    known = {metric.name: metric.sense for metric in model.metrics}
    return {name: plan.senses.get(name) or known[name] for name in plan.metrics}


class RobotValues:
    """The quantities of one robot after another."""

    def __init__(self, plan: Uncertainty) -> None:
        self._plan = plan
        self._read = {name: read_expression(text) for name, text in plan.expressions.items()}
        self.values = {name: np.full(plan.samples, np.nan) for name in plan.metrics}
        self.works = np.zeros(plan.samples, dtype=bool)
        self.feasible = np.zeros(plan.samples, dtype=bool)

    def add(self, number: int, metrics: Mapping[str, float | None], parameters: Mapping[str, Any]) -> None:
        """Take the metrics of a robot that works, and its parameters as plain values."""
        known = self._with_derived(metrics, parameters)
        self.works[number] = True
        self.feasible[number] = all(limit.holds(known) for limit in self._plan.limits)
        for name, column in self.values.items():
            value = known[name]
            column[number] = np.nan if value is None else value

    def outcomes(self, start: int, end: int) -> SampleOutcomes:
        """Outcomes of the robots from number ``start`` to before ``end``."""
        own = {name: column[start:end] for name, column in self.values.items()}
        return SampleOutcomes(own, self.works[start:end], self.feasible[start:end])

    def _with_derived(
        self, metrics: Mapping[str, float | None], parameters: Mapping[str, Any]
    ) -> dict[str, float | None]:
        known: dict[str, float | None] = {**self._plan.variables, **metrics}

        def lookup(name: str) -> float | None:
            value = known[name] if name in known else value_at_steps(parameters, name.split("."))
            value = self._plan.absent.get(name) if value is None else value
            return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

        for name, expression in self._read.items():
            known[name] = expression.value(lookup)
        return known


class _Merged:
    """The outcomes of the robots of one design, in one."""

    def __init__(self, nominal: Evaluation, plan: Uncertainty) -> None:
        self._nominal, self._plan = nominal, plan
        self._counters = Counter(nominal.counters)
        self._warnings = dict.fromkeys(nominal.warnings)
        self._values = RobotValues(plan)
        self._refused: Counter[str] = Counter()
        self._violations: list[float] = []

    def add(self, number: int, found: Outcome, parameters: Mapping[str, Any]) -> None:
        self._counters.update(found.counters)
        self._warnings |= dict.fromkeys(found.warnings)
        if isinstance(found, Infeasible):
            self._refused[found.reason] += 1
            self._violations.append(found.violation)
        else:
            self._values.add(number, found.metrics, parameters)

    def outcome(self, senses: Mapping[str, str], replicates: Any) -> Outcome:
        counters = {**self._counters, "robots": self._plan.samples}
        warnings = tuple(self._warnings)
        refused = len(self._violations)
        if refused:
            reason = self._refused.most_common(1)[0][0]
            lost = f"{refused} of {self._plan.samples} robots made of this design do not work: {reason}"
            warnings = (lost, *warnings)
            if self._plan.samples - refused < FEWEST:
                return Infeasible(lost, math.fsum(self._violations) / refused, counters, warnings[1:])
        robust = robust_values(self._values.outcomes(0, self._plan.samples), senses, replicates)
        return Evaluation({**self._nominal.metrics, **robust}, counters, warnings)
