"""Leads of one layout over another, criterion by criterion, and margins past their limit, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from dashboards.content.tables import Cell, Table, table
from dashboards.formatting import MISSING, number, percent, scale_of, title_of
from errors import InputError
from models.metrics import Metric
from models.parameter_names import words
from studies.comparison.comparison import HYPERVOLUME, Comparison, Criterion, unsafe_margins
from studies.comparison.verdict_map import FEASIBLE_SHARE
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.records import StudyRecord
from studies.search.indicators import median

NO_RATIO = "by how much depends on the reference point"
"""Words for a lead in hypervolume: its ratio is anything, from just above 1 to infinity."""
_DIFFERENCES = frozenset({"additive epsilon"})
"""Criteria whose difference says more than their ratio."""
_SHARES = frozenset({"coverage", FEASIBLE_SHARE})


def ranked(criterion: Criterion) -> list[tuple[str, float]]:
    """Layouts with a value, best first; in the given order where nothing is better."""
    known = [(layout, value) for layout, value in criterion.values.items() if value is not None]
    if criterion.better == "none":
        return known
    return sorted(known, key=lambda item: item[1], reverse=criterion.better == "maximize")


def lead(criterion: Criterion) -> str:
    """The winner's lead over the next as ``22 % more``, ``4.1 times as much`` or ``0.3 N less``."""
    order = ranked(criterion)
    if not criterion.winner or len(order) < 2:
        return ""
    return NO_RATIO if criterion.name == HYPERVOLUME else _by_how_much(criterion, order[0][1], order[1][1])


def _by_how_much(criterion: Criterion, best: float, second: float) -> str:
    more = "more" if best > second else "less"
    if criterion.name in _SHARES:
        return f"{number(100 * abs(best - second), 3)} percentage points {more}"
    if criterion.name in _DIFFERENCES or min(best, second) <= 0:
        scale = scale_of([best, second], criterion.unit or "1")
        return f"{scale.show(abs(best - second), 3)} {more}"
    if best / second > 100:
        return "more than 100 times as much"
    if best / second >= 2:
        return f"{number(best / second, 2)} times as much"
    return f"{percent(abs(best - second) / second)} {more}"


def even_text(criterion: Criterion) -> str:
    """Words for two values that differ by no more than their numerical error, else empty."""
    if not criterion.even:
        return ""
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    return f"even within the numerical error of {scale.show(criterion.error, 2)}"


def shown_values(criterion: Criterion) -> dict[str, str]:
    """Every layout's value, all in one unit."""
    if criterion.name in _SHARES:
        return {k: MISSING if v is None else percent(v) for k, v in criterion.values.items()}
    if criterion.name == "front size":
        return {k: str(int(v or 0)) for k, v in criterion.values.items()}
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    return {layout: scale.measured(value) for layout, value in criterion.values.items()}


def against(criterion: Criterion) -> str:
    """The winner's value against the next's, with the unit once."""
    order = ranked(criterion)
    scale = scale_of(criterion.values.values(), criterion.unit or "1")
    best, second = (scale.measured(value) for _, value in order[:2])
    bare = best.removesuffix(scale.unit).rstrip() if scale.unit else best
    return f"{bare} against {second}"


def title(name: str, labels: Mapping[str, str]) -> str:
    """Title of a criterion or an indicator, as in ``best stiffness F2``; ``labels`` are by objective."""
    kind, _, objective = name.partition(" ")
    return f"{kind} {labels[objective]}" if objective in labels else words(name)


def by_name(criteria: tuple[Criterion, ...]) -> Mapping[str, Criterion]:
    """Criteria by name."""
    return {criterion.name: criterion for criterion in criteria}


_BEYOND = " (no design's value: the point lies beyond the designs)"
_BETTER = {"minimize": "less", "maximize": "more", "none": MISSING}


def criteria_table(
    comparison: Comparison, caption: str = "Layouts compared", meanings: Mapping[str, str] | None = None
) -> Table:
    """Every criterion with each layout's value, winner and lead; ``meanings`` are those of objectives."""
    layouts = list(comparison.fronts)
    rows: list[list[Cell | str]] = []
    for criterion in comparison.criteria:
        shown = shown_values(criterion)
        values = [
            Cell(shown[layout], mark="best" if layout == criterion.winner else "") for layout in layouts
        ]
        level = even_text(criterion) or "none: level"
        winner = criterion.winner or (MISSING if criterion.better == "none" else level)
        called = title(criterion.name, comparison.labels)
        name = Cell(called, _note(criterion), tooltip=criterion_tooltip(criterion, meanings or {}))
        rows.append([name, *values, _BETTER[criterion.better], winner, lead(criterion)])
    head = ["criterion", *layouts, "better", "winner", "lead over the next"]
    return table(caption, head, rows, range(1, len(layouts) + 1))


def criterion_tooltip(criterion: Criterion, meanings: Mapping[str, str]) -> str:
    """Meaning of a criterion, for tooltips; the objective's meaning if it is about a single one."""
    objective = criterion.name.partition(" ")[2]
    if objective in meanings:
        return f"{objective}: {meanings[objective]}"
    return f"{criterion.name}: {criterion.meaning}" if _note(criterion) else ""


def _note(criterion: Criterion) -> str:
    """The meaning, where the name does not say it already."""
    return "" if criterion.meaning == f"{criterion.name} on the front" else criterion.meaning


def reference_point_text(comparison: Comparison) -> str:
    """The point against which every hypervolume of the comparison is measured."""
    return point_text(comparison.objectives, comparison.reference_point, comparison.units, comparison.senses)


def point_text(
    names: Sequence[str], values: Sequence[float], units: Sequence[str], senses: Sequence[str]
) -> str:
    """Text of a reference point, values in SI; below 0 in a maximised metric it may look like a fault."""
    parts = [
        f"{words(name)} {scale_of([value], unit).measured(value)}"
        + (_BEYOND if value < 0.0 and sense == "maximize" else "")
        for name, value, unit, sense in zip(names, values, units, senses, strict=True)
    ]
    return ", ".join(parts)


def seeds_table(comparison: Comparison) -> Table:
    """Hypervolume of every seed's front, with the spread per layout."""
    seeds = sorted({seed for volumes in comparison.seed_hypervolumes.values() for seed in volumes})
    rows: list[list[Cell | str]] = []
    for layout, volumes in comparison.seed_hypervolumes.items():
        spread = [float(pick(np.array(list(volumes.values())))) for pick in (np.min, median, np.max)]
        rows.append(
            [
                layout,
                *(number(volumes[seed]) if seed in volumes else MISSING for seed in seeds),
                *map(number, spread),
            ]
        )
    head = ["layout", *(f"seed {seed}" for seed in seeds), "least", "median", "greatest"]
    return table("Hypervolume of each seed's front", head, rows, range(1, len(head)))


class SafetyJudge:
    """Judges the designs of a study as the scoreboard of a comparison does.

    A back-end of which neither code nor tables are here has no limits of safety.
    """

    def __init__(self, study: StudyRecord) -> None:
        definition = definition_of(study)
        try:
            metrics = study_model(definition).metrics
        except InputError:
            metrics = ()
        self._limited = [metric for metric in metrics if metric.safety_limit is not None]
        self._bounded = definition.constraints

    def __call__(self, values: Mapping[str, float | None]) -> list[str]:
        """Sentences on the margins of a design with these metrics that are past their limits."""
        return unsafe_sentences(self._limited, self._bounded, values)


def unsafe_sentences(
    metrics: Iterable[Metric], bounded: Collection[str], values: Mapping[str, float | None]
) -> list[str]:
    """``interference margin is -1 mm, below the limit of safety 0 mm``, for each margin past its limit."""
    return [_sentence(each, values[each.name]) for each in unsafe_margins(metrics, bounded, values)]


def _sentence(metric: Metric, value: float | None) -> str:
    scale = scale_of([value, metric.safety_limit], metric.unit)
    side = "below" if metric.sense == "maximize" else "above"
    name = title_of(metric.name, metric.label)
    return f"{name} is {scale.show(value)}, {side} the limit of safety {scale.show(metric.safety_limit)}"
