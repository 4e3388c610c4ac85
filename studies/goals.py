"""What a study wants of every design: objectives and constraints on the metrics of its model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models import Model
from models.contract import Metric, Sense
from models.errors import InputError
from models.parameters import Parameters, to_si
from studies.definition import Bound, StudyDefinition


@dataclass(frozen=True, slots=True)
class Objective:
    """A metric to be minimised or maximised; ``absent`` is told where a design has none."""

    metric: str
    unit: str
    sense: Sense
    absent: float

    @property
    def sign(self) -> float:
        """Factor that turns the metric into something to minimise."""
        return 1.0 if self.sense == "minimize" else -1.0

    def minimised(self, metrics: Mapping[str, float | None]) -> float:
        """What a search is told of a design."""
        value = metrics[self.metric]
        return self.sign * (self.absent if value is None else value)


@dataclass(frozen=True, slots=True)
class Constraint:
    """``lower <= metric <= upper`` (SI); ``absent`` is judged where a design has no such metric."""

    metric: str
    unit: str
    lower: float
    upper: float
    absent: float

    def violation(self, metrics: Mapping[str, float | None]) -> float:
        """How far outside, relative to the bound that is broken (absolute where that bound is 0)."""
        value = metrics[self.metric]
        value = self.absent if value is None else value
        if value < self.lower:
            return (self.lower - value) / (abs(self.lower) or 1.0)
        if value > self.upper:
            return (value - self.upper) / (abs(self.upper) or 1.0)
        return 0.0


@dataclass(frozen=True, slots=True)
class Given:
    """What a layout gives its goals: the parameters it fixes, and the names of those it varies."""

    parameters: Parameters
    varied: frozenset[str]


def check_metrics(definition: StudyDefinition, model: Model) -> list[str]:
    """The names of the metrics that the study asks for; raises ``UnknownNameError`` with their table."""
    for table in ("objectives", "constraints"):
        for name in getattr(definition, table):
            model.metric(name, table)
    return [*definition.objectives, *definition.constraints]


def objectives(definition: StudyDefinition, model: Model, given: Given) -> tuple[Objective, ...]:
    """The objectives; raises ``InputError`` for one that no design of the layout can have."""
    return tuple(
        Objective(name, metric.unit, sense, _absent(metric, given, "objectives"))
        for name, sense in definition.objectives.items()
        for metric in (model.metric(name),)
    )


def constraints(definition: StudyDefinition, model: Model, given: Given) -> tuple[Constraint, ...]:
    """The constraints; raises ``InputError`` for bounds that are none or exclude each other."""
    return tuple(
        _constraint(model.metric(name), bound, given) for name, bound in definition.constraints.items()
    )


def _constraint(metric: Metric, bound: Bound, given: Given) -> Constraint:
    place = f"constraints.{metric.name}"
    low = _bound(bound.lower, -math.inf, metric.unit, f"{place}.lower")
    high = _bound(bound.upper, math.inf, metric.unit, f"{place}.upper")
    if low > high:
        raise InputError(f"lower ({low:g}) is above upper ({high:g}); were they swapped?", place)
    return Constraint(metric.name, metric.unit, low, high, _absent(metric, given, "constraints"))


def _bound(value: Any, missing: float, unit: str, place: str) -> float:
    return missing if value is None else finite(to_si(value, unit, place), place)


def finite(value: Any, place: str) -> float:
    """``value`` as a float; raises ``InputError`` for what is none."""
    try:
        number = float(value)
    except OverflowError:
        raise InputError("is too large a number", place) from None
    if not math.isfinite(number):
        raise InputError(f"{number} is not a finite number", place)
    return number


def _absent(metric: Metric, given: Given, table: str) -> float:
    """The number that stands in for a missing metric, once it is sure that the metric can exist."""
    needs, absent = metric.needs, metric.absent
    if needs and needs not in given.varied and not getattr(given.parameters, needs):
        raise InputError(
            f"no design has this metric: it needs the parameter '{needs}'", f"{table}.{metric.name}"
        )
    if not isinstance(absent, str):
        return 0.0 if absent is None else absent
    if absent in given.varied:
        raise InputError(
            f"a design without this metric counts as '{absent}', which therefore cannot vary; fix it under "
            "parameters",
            f"{table}.{metric.name}",
        )
    return float(getattr(given.parameters, absent))
