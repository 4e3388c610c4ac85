"""Metrics that a comparison computed and nobody asked for: their median and range on each front."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.metrics import Metric
from studies.comparison.entries import ComparisonEntry
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.records import FrontDesign
from studies.search.indicators import median


@dataclass(frozen=True, slots=True)
class Spread:
    """A metric over a front, in SI units.

    ``missing`` designs do not have it; ``unsafe`` ones are past its limit of safety.
    """

    least: float
    median: float
    greatest: float
    designs: int
    missing: int
    unsafe: int


@dataclass(frozen=True, slots=True)
class NotOptimised:
    """A metric that was neither objective nor constraint.

    ``spreads`` maps the compared to what their fronts have of it; None where no design has it. One that
    ``is_error`` is the numerical error of another metric: it is no merit of a robot.
    """

    name: str
    unit: str
    meaning: str
    better: str
    safety_limit: float | None
    spreads: Mapping[str, Spread | None]
    is_error: bool = False


def not_optimised(
    entries: Sequence[ComparisonEntry], fronts: Mapping[str, Sequence[FrontDesign]], objectives: Sequence[str]
) -> tuple[NotOptimised, ...]:
    """All computed metrics that are not compared, and not an objective or a constraint of every study."""
    found: dict[tuple[str, str], Metric] = {}
    errors = set[str]()
    for entry in entries:
        definition = definition_of(entry.study)
        computed = {name for design in fronts[entry.label] for name in design.metrics}
        metrics = study_model(definition).metrics
        errors |= {metric.error for metric in metrics if metric.error}
        margins = (each.name for each in metrics if each.name in computed and each.safety_limit is not None)
        judged = judged_margins(margins, definition.constraints)
        for metric in metrics:
            asked = metric.name in definition.objectives or metric.name in definition.constraints
            if metric.name in computed and metric.name not in objectives and not asked:
                own = metric if metric.name in judged else replace(metric, safety_limit=None)
                found.setdefault((metric.name, metric.unit), own)
    return tuple(
        NotOptimised(
            metric.name, metric.unit, metric.meaning, metric.sense, metric.safety_limit,
            {entry.label: spread_of(metric, fronts[entry.label]) for entry in entries}, metric.name in errors,
        )
        for metric in found.values()
    )  # fmt: skip


def judged_margins(names: Iterable[str], bounded: Collection[str]) -> set[str]:
    """The margins that say how safe a design is: of the variants of each, one.

    That is the one that a study bounds, else the one over the task, else the first that the model declares
    (``margin.q05`` comes before ``margin.box``).
    """
    variants: dict[str, list[str]] = {}
    for name in names:
        variants.setdefault(name.split(".", 1)[0], []).append(name)
    return {
        max(each, key=lambda name: (name in bounded, name.endswith(".task"))) for each in variants.values()
    }


def unsafe_margins(
    metrics: Iterable[Metric], bounded: Collection[str], values: Mapping[str, float | None]
) -> list[Metric]:
    """The judged margins of a design that are past their limit of safety."""
    known = [each for each in metrics if each.safety_limit is not None and values.get(each.name) is not None]
    judged = judged_margins((each.name for each in known), bounded)
    return [
        each
        for each in known
        if each.name in judged and (value := values[each.name]) is not None and passes_limit(each, value)
    ]


def spread_of(metric: Metric, front: Sequence[FrontDesign]) -> Spread | None:
    """Median and range of a metric over a front; None where no design has it."""
    values = [value for design in front if (value := design.metrics.get(metric.name)) is not None]
    if not values:
        return None
    unsafe = sum(passes_limit(metric, value) for value in values)
    middle = median(np.array(values))
    return Spread(min(values), middle, max(values), len(front), len(front) - len(values), unsafe)


def passes_limit(metric: Metric, value: float) -> bool:
    """True if a design with this value is not safe to build."""
    if metric.safety_limit is None:
        return False
    return value < metric.safety_limit if metric.sense == "maximize" else value > metric.safety_limit
