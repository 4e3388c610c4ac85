"""Preferences among designs, as they are given: checked against a study, and in SI."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import FaultList, InputError, Place, UnknownNameError
from models.fields import unit_at
from models.parameters import to_si
from studies.decision.rules import RULES
from studies.decision_records import DecisionRule, Interval, Preferences
from studies.definition.derived_quantities import study_model, variables_of
from studies.definition.stored_model import definition_of
from studies.definition.study_definition import StudyDefinition
from studies.records import StudyRecord
from studies.results.design_values import DesignReader, unit_of_path
from studies.results.fronts import choose_runs

GivenInterval = tuple[Any, Any]
"""Lower and upper bound of a filter: numbers in SI, text with a unit, or None."""


@dataclass(frozen=True, slots=True)
class GivenPreferences:
    """Preferences as a person gives them: numbers are SI, texts carry a unit.

    See :class:`studies.decision_records.Preferences` for what they mean.
    """

    rule: DecisionRule
    weights: Mapping[str, float]
    aspirations: Mapping[str, Any]
    filters: Mapping[str, GivenInterval]
    layout: str | None = None


def read_preferences(study: StudyRecord, given: GivenPreferences) -> Preferences:
    """The preferences in SI; raises ``InputError`` with everything that is wrong with them."""
    definition = definition_of(study)
    faults = FaultList()
    with faults.collect():
        choose_runs(study, given.layout)
    _check_use(given, faults)
    objectives = list(definition.objectives)
    _check_weights(given.weights, objectives, faults)
    units = units_of(study, definition)
    aspirations: dict[str, float] = {}
    for name, level in given.aspirations.items():
        with faults.collect():
            _require_known("objective", name, objectives, ("aspirations", name))
            aspirations[name] = _finite(level, units[name], ("aspirations", name))
    filters: dict[str, Interval] = {}
    for name, bounds in given.filters.items():
        with faults.collect():
            _require_known("metric or variable", name, [*units], ("filters", name))
            filters[name] = _interval(bounds, units[name], ("filters", name))
    faults.raise_found()
    return Preferences(given.rule, dict(given.weights), aspirations, filters, given.layout)


def units_of(study: StudyRecord, definition: StudyDefinition) -> dict[str, str]:
    """The unit of every metric, derived quantity, variable and linked parameter of a study."""
    model = study_model(definition)
    units = {metric.name: metric.unit for metric in model.metrics}
    for layout in dict.fromkeys(run.layout for run in study.runs):
        for path in variables_of(definition, layout):
            units[path] = unit_of_path(model, definition, layout, path) or "1"
        for path in DesignReader(study, layout).linked:
            unit = unit_at(model.parameters, path)
            units[path] = unit if isinstance(unit, str) else "1"
    return units


def _check_use(given: GivenPreferences, faults: FaultList) -> None:
    """A rule that does not use what is given would ignore it without a word."""
    users = {
        "weights": [name for name, rule in RULES.items() if rule.weighs],
        "aspirations": [name for name, rule in RULES.items() if rule.aspires],
    }
    for name, values in (("weights", given.weights), ("aspirations", given.aspirations)):
        if values and given.rule not in users[name]:
            others = " or ".join(users[name])
            text = f"the rule '{given.rule}' uses no {name}; leave them out, or choose {others}"
            faults.add(InputError(text, (name,)))


def _check_weights(weights: Mapping[str, float], objectives: Sequence[str], faults: FaultList) -> None:
    for name, weight in weights.items():
        with faults.collect():
            _require_known("objective", name, objectives, ("weights", name))
            if not (math.isfinite(weight) and weight >= 0.0):
                raise InputError(f"is {weight}; a weight is a number of at least 0", ("weights", name))
    missing = [name for name in objectives if name not in weights]
    if weights and missing:
        faults.add(
            InputError(
                f"no weight is given for {', '.join(missing)}; give every objective a weight, 0 for none, "
                "or no weights for equal ones",
                ("weights",),
            )
        )
    elif weights and not any(weights.values()):
        faults.add(InputError("all weights are 0; at least one must be greater", ("weights",)))


def _interval(bounds: GivenInterval, unit: str, place: Place) -> Interval:
    lower, upper = (
        None if bound is None else _finite(bound, unit, (*place, side))
        for side, bound in zip(("lower", "upper"), bounds, strict=True)
    )
    if lower is None and upper is None:
        raise InputError("has no bound; give lower, upper or both", place)
    if lower is not None and upper is not None and lower > upper:
        raise InputError(f"lower ({lower:g}) is above upper ({upper:g}); were the two swapped?", place)
    return Interval(lower, upper)


def _finite(value: Any, unit: str, place: Place) -> float:
    number = to_si(value, unit, place)
    if not isinstance(number, int | float) or not math.isfinite(number):
        raise InputError(f"'{value}' is not a finite number", place)
    return float(number)


def _require_known(kind: str, name: str, known: Sequence[str], place: Place) -> None:
    if name not in known:
        raise UnknownNameError(kind, name, known, place)
