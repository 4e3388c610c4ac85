"""The comparison of layouts and studies, criterion by criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dashboards.content.comparison.margins import even_text, lead, shown_values, title
from dashboards.content.tables import Cell, Table, table
from dashboards.formatting import MISSING, number, scale_of
from models.parameter_names import words
from studies.comparison.comparison import Comparison, Criterion
from studies.search.indicators import median

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
