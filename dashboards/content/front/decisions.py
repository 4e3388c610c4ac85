"""Recorded decisions in words: by which rule a design was chosen, and the table of a report."""

from __future__ import annotations

from dashboards.formatting import MISSING, Scale, counted, quantity, scale_of
from models.parameter_names import words
from studies.decision.rules import RULES
from studies.decision_records import DecisionRecord, Interval
from studies.problem.problem import Setup
from studies.results.design_values import unit_of_path

JUDGEMENT = "a person's own judgement"


def rule_text(setup: Setup, decision: DecisionRecord) -> str:
    """The rule with its weights, levels and filters, and the place that it gave to the design."""
    wanted = decision.preferences
    rule = RULES.get(wanted.rule)
    parts = [JUDGEMENT if rule is None else rule.label]
    units = units_of(setup, decision.layout)
    if wanted.weights:
        parts.append("weights " + ", ".join(f"{words(n)} {w:g}" for n, w in wanted.weights.items()))
    if wanted.aspirations:
        levels = [f"{words(n)} {quantity(v, units.get(n, '1'))}" for n, v in wanted.aspirations.items()]
        parts.append("aspiration levels " + ", ".join(levels))
    if wanted.filters:
        filters = [_filter_text(n, one, units.get(n, "1")) for n, one in wanted.filters.items()]
        parts.append("filters " + ", ".join(filters))
    if wanted.layout:
        parts.append(f"layout {wanted.layout} alone")
    own = next((one for one in decision.candidates if one.key == decision.key), None)
    count = counted(len(decision.candidates), "candidate")
    place = f"; number {own.rank} of {count}" if own is not None and own.rank else f"; {count}"
    return "; ".join(parts) + place


def units_of(setup: Setup, layout: str) -> dict[str, str]:
    """Units of what decisions name: metrics, and what a layout varies."""
    units = {metric.name: metric.unit for metric in setup.model.metrics}
    for path in setup.varied(layout):
        units[path] = unit_of_path(setup.model, setup.definition, layout, path) or "1"
    return units


def _filter_text(name: str, interval: Interval, unit: str) -> str:
    scale = scale_of([interval.lower, interval.upper], unit)
    return f"{words(name)} {limit_text(interval.lower, interval.upper, scale)}"


def limit_text(lower: float | None, upper: float | None, scale: Scale) -> str:
    """``≥ 3 mm``, or from where to where."""
    if lower is not None and upper is not None:
        return f"{scale.bare(lower)} to {scale.show(upper)}"
    if lower is not None:
        return f"≥ {scale.show(lower)}"
    return MISSING if upper is None else f"≤ {scale.show(upper)}"
