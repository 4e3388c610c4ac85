"""Goals of a study for every design: objectives and constraints on the metrics of its model."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from errors import FaultList, InputError, Place
from models import Model
from models.metrics import Metric, Sense
from models.parameters import Parameters, difference_to_si, to_si
from models.units import unit_text
from studies.definition.derived_quantities import unknown_statistic
from studies.definition.robust_metrics import is_robust, is_spread
from studies.definition.study_definition import Bound, StudyDefinition

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Objective:
    """A metric to be minimised or maximised; ``absent`` is the value where a design has none."""

    metric: str
    unit: str
    sense: Sense
    absent: float

    @property
    def sign(self) -> float:
        """Factor that turns the metric into something to minimise."""
        return 1.0 if self.sense == "minimize" else -1.0

    def minimised(self, metrics: Mapping[str, float | None]) -> float:
        """Value of a design for a search."""
        value = metrics[self.metric]
        return self.sign * (self.absent if value is None else value)

    def least(self, known: Mapping[str, tuple[float, float]]) -> float:
        """Least value for a search, given intervals of metrics; without one, -inf."""
        return min(self.sign * end for end in known.get(self.metric, (-math.inf, math.inf)))


@dataclass(frozen=True, slots=True)
class Constraint:
    """``lower <= metric <= upper`` (SI); ``absent`` is judged where a design has no such metric."""

    metric: str
    unit: str
    lower: float
    upper: float
    absent: float

    def violation(self, metrics: Mapping[str, float | None]) -> float:
        """Violation relative to the bound that is broken (absolute where that bound is 0)."""
        value = metrics[self.metric]
        value = self.absent if value is None else value
        if value < self.lower:
            return (self.lower - value) / (abs(self.lower) or 1.0)
        if value > self.upper:
            return (value - self.upper) / (abs(self.upper) or 1.0)
        return 0.0

    def is_broken(self, known: Mapping[str, tuple[float, float]]) -> bool:
        """True if no value in the interval of the metric keeps it."""
        low, high = known.get(self.metric, (-math.inf, math.inf))
        return high < self.lower or low > self.upper


@dataclass(frozen=True, slots=True)
class Given:
    """Parameters that a layout fixes, and the names of those it varies, for the goals."""

    parameters: Parameters
    varied: frozenset[str]


def absent_values(definition: StudyDefinition, model: Model, given: Given) -> dict[str, float]:
    """Values that stand for missing metrics in the derived quantities among the goals.

    A metric that no design can have is a fault of the goal, and left out here.
    """
    goals = [
        name for name in (*definition.objectives, *definition.constraints) if name in definition.expressions
    ]
    found: dict[str, float] = {}
    for metric in (each for each in model.metrics if each.name in goals):
        for name in metric.contains:
            with suppress(InputError):
                found[name] = _absent(model.metric(name), given, "expressions")
    return found


def check_metrics(definition: StudyDefinition, model: Model, faults: FaultList) -> list[str]:
    """The known names among the metrics that the study asks for; the others go to ``faults``."""
    known: list[str] = []
    for table in ("objectives", "constraints"):
        for name in getattr(definition, table):
            if name in definition.expressions and not any(name == each.name for each in model.metrics):
                continue  # its fault is reported where it is stated
            with faults.collect():
                if is_robust(name) and all(metric.name != name for metric in model.metrics):
                    raise unknown_statistic(model, definition, name, (table, name))
                known.append(model.metric(name, (table, name)).name)
    derived = [metric for metric in model.metrics if metric.name in definition.expressions]
    return [*known, *(name for metric in derived for name in metric.contains)]


def objectives(
    definition: StudyDefinition, model: Model, given: Given, faults: FaultList
) -> tuple[Objective, ...]:
    """The objectives; one that no design of the layout can have is a fault."""
    made: list[Objective] = []
    for metric, sense in _known(definition.objectives, model):
        with faults.collect():
            _require_parts(definition, model, metric, given, "objectives")
            made.append(Objective(metric.name, metric.unit, sense, _absent(metric, given, "objectives")))
    return tuple(made)


def constraints(
    definition: StudyDefinition, model: Model, given: Given, faults: FaultList
) -> tuple[Constraint, ...]:
    """The constraints; bounds that are none or exclude each other are faults."""
    made: list[Constraint] = []
    for metric, bound in _known(definition.constraints, model):
        with faults.collect():
            _require_parts(definition, model, metric, given, "constraints")
            made.append(_constraint(metric, bound, given))
    return tuple(made)


def _known(table: Mapping[str, T], model: Model) -> list[tuple[Metric, T]]:
    """The metrics of a table that the model has; the others were reported before."""
    metrics = {metric.name: metric for metric in model.metrics}
    return [(metrics[name], value) for name, value in table.items() if name in metrics]


def _require_parts(
    definition: StudyDefinition, model: Model, metric: Metric, given: Given, table: str
) -> None:
    """Raise ``InputError`` for a derived quantity that needs a metric which no design has."""
    for name in metric.contains if metric.name in definition.expressions else ():
        try:
            _absent(model.metric(name), given, table)
        except InputError as error:
            message = f"needs the metric '{name}': {error.message}"
            raise InputError(message, (table, metric.name), names=error.names) from None


def _constraint(metric: Metric, bound: Bound, given: Given) -> Constraint:
    place: Place = ("constraints", metric.name)
    convert = difference_to_si if is_spread(metric.name) else to_si
    low, high = (
        missing if given_bound is None else finite(convert(given_bound, metric.unit, at), at)
        for given_bound, missing, at in (
            (bound.lower, -math.inf, (*place, "lower")), (bound.upper, math.inf, (*place, "upper")),
        )
    )  # fmt: skip
    if low > high:
        given_low, given_high = stated(bound.lower, metric.unit), stated(bound.upper, metric.unit)
        raise InputError(
            f"{given_low} is above upper ({given_high}); were the two swapped?", (*place, "lower")
        )
    return Constraint(metric.name, metric.unit, low, high, _absent(metric, given, "constraints"))


def stated(value: Any, unit: str) -> str:
    """A bound as it was given: a text as it is, a bare number with the SI unit that it is in."""
    shown = unit_text(unit)
    return value.strip() if isinstance(value, str) else f"{value:g}{f' {shown}' if shown else ''}"


def finite(value: Any, place: Place) -> float:
    """``value`` as a float; raises ``InputError`` for what is none."""
    try:
        number = float(value)
    except OverflowError:
        raise InputError("is too large", place) from None
    if not math.isfinite(number):
        raise InputError(f"{number} is not a finite number", place)
    return number


def _absent(metric: Metric, given: Given, table: str) -> float:
    """The number that replaces a missing metric, once it is sure that the metric can exist."""
    needed, absent = metric.needed, metric.absent
    if needed and not any(name in given.varied or getattr(given.parameters, name) for name in needed):
        listed = " or ".join(f"'{name}'" for name in needed)
        raise InputError(
            f"no design has this metric: it needs the parameter {listed}",
            (table, metric.name),
            names=tuple(needed),
        )
    if not isinstance(absent, str):
        return 0.0 if absent is None else absent
    if absent in given.varied:
        raise InputError(
            f"a design without this metric counts as '{absent}', which therefore cannot vary; fix it under "
            "parameters",
            (table, metric.name),
            names=(absent,),
        )
    value = getattr(given.parameters, absent)
    # A value of a wrong kind is a fault of its own, which the check of the parameters reports.
    return float(value) if isinstance(value, int | float) and abs(value) <= sys.float_info.max else 0.0


@dataclass(frozen=True, slots=True)
class SharedQuantity:
    """A metric that two or more objectives contain; it may be one of them itself."""

    quantity: str
    objectives: tuple[str, ...]


def shared_quantities(model: Model, objectives: Sequence[str]) -> tuple[SharedQuantity, ...]:
    """Quantities that several ``objectives`` contain, by ``Metric.contains``, followed to its end.

    A quantity that only repeats another one is left out: when F3 contains F2 and F2 the volume, F2 and F3
    share F2.
    """
    contents = {metric.name: _contents(model, metric.name) for metric in model.metrics}
    holders = {
        name: tuple(each for each in objectives if each == name or name in contents.get(each, frozenset()))
        for name in contents
    }
    shared = {name: found for name, found in holders.items() if len(found) > 1}
    return tuple(
        SharedQuantity(name, found)
        for name, found in shared.items()
        if not any(found == other and name in contents[whole] for whole, other in shared.items())
    )


def _contents(model: Model, name: str) -> frozenset[str]:
    """Every metric from which ``name`` is computed, directly or not, without itself."""
    known = {metric.name: metric.contains for metric in model.metrics}
    found: set[str] = set()
    left = list(known.get(name, ()))
    while left:
        one = left.pop()
        if one not in found and one != name:
            found.add(one)
            left.extend(known.get(one, ()))
    return frozenset(found)
