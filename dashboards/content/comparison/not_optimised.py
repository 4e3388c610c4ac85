"""Metrics that were computed and not optimised, by layout: a verdict on objectives alone may hide them."""

from __future__ import annotations

from dashboards.content.tables import Cell, Mark, Table, listed, table
from dashboards.formatting import MISSING, Scale, scale_of
from models.parameter_names import words
from studies.comparison.comparison import Comparison, NotOptimised, Spread

CAPTION = "Metrics that were not optimised"
_MEANING = (
    "Metrics that were computed but were neither objective nor constraint: the median over each front, with "
    "its range below. The search ignored them, so they may be poor. Red: the median is "
    "beyond the safety limit; amber: other designs are."
)
_BETTER = {"minimize": "less", "maximize": "more"}
MOST_NAMED = 4


def not_optimised_table(comparison: Comparison) -> Table | None:
    """Median and range of each such metric that a front has, by layout; None when there is none."""
    computed = [metric for metric in comparison.not_optimised if any(metric.spreads.values())]
    if not computed:
        return None
    labels = list(comparison.fronts)
    rows: list[list[Cell | str]] = []
    for metric in computed:
        spreads = [metric.spreads[label] for label in labels]
        shown = [value for each in spreads if each for value in (each.least, each.median, each.greatest)]
        scale = scale_of([*shown, metric.safety_limit], metric.unit)
        limit = MISSING if metric.safety_limit is None else scale.show(metric.safety_limit)
        cells = [
            _cell(each, scale, median_mark(each, metric.safety_limit, metric.better)) for each in spreads
        ]
        rows.append([Cell(words(metric.name), metric.meaning), *cells, _BETTER[metric.better], limit])
    return table(CAPTION, ["metric", *labels, "better", "safety limit"], rows, range(1, len(labels) + 1))


def not_optimised_note(comparison: Comparison) -> str:
    """The note below the table, with the metrics that no design on any front has."""
    absent = [words(m.name) for m in comparison.not_optimised if not any(m.spreads.values())]
    return _MEANING + (f" No design on a front has {listed(absent, 'or')}." if absent else "")


def median_mark(spread: Spread | None, limit: float | None, better: str) -> Mark:
    """Mark of a median that is itself beyond its safety limit, or stands for designs that are."""
    if spread is None or limit is None or not spread.unsafe:
        return ""
    beyond = spread.median < limit if better == "maximize" else spread.median > limit
    return "bad" if beyond else "unsure"


def _cell(spread: Spread | None, scale: Scale, mark: Mark) -> Cell:
    if spread is None:
        return Cell(MISSING)
    note = [f"{scale.bare(spread.least)} to {scale.show(spread.greatest)}"]
    if spread.unsafe:
        note.append(f"beyond the limit in {spread.unsafe} of {spread.designs} designs")
    if spread.missing:
        note.append(f"{spread.missing} of {spread.designs} designs have no value")
    return Cell(scale.measured(spread.median), "; ".join(note), mark)


def not_optimised_sentences(comparison: Comparison) -> list[str]:
    """Sentences for the verdict: passed limits, and layouts with better medians."""
    return [*_unsafe(comparison), *_better(comparison)]


def _unsafe(comparison: Comparison) -> list[str]:
    phrases: dict[str, list[str]] = {}
    for metric in comparison.not_optimised:
        for label, spread in metric.spreads.items():
            if spread is not None and spread.unsafe:
                share = f"{spread.unsafe} of {spread.designs} designs"
                phrases.setdefault(label, []).append(f"{words(metric.name)} ({share})")
    return [
        f"On the front of {label}, designs are beyond the safety limit of {_named(items)}."
        for label, items in phrases.items()
    ]


def _better(comparison: Comparison) -> list[str]:
    """Layouts with better medians, where they are not even and every front has the metric."""
    filled = [label for label, front in comparison.fronts.items() if front]
    wins: dict[str, list[str]] = {}
    for metric in comparison.not_optimised:
        winner = _winner(metric, filled)
        if winner and not metric.is_error:
            wins.setdefault(winner, []).append(words(metric.name))
    if not wins:
        return []
    phrases = [f"{label} has the better median of {_named(names)}" for label, names in wins.items()]
    return [f"Among what was not optimised, {listed(phrases)}."]


def _winner(metric: NotOptimised, filled: list[str]) -> str:
    medians = {label: each.median for label in filled if (each := metric.spreads[label]) is not None}
    if len(medians) < 2 or len(medians) < len(filled):
        return ""
    sign = -1.0 if metric.better == "maximize" else 1.0
    first, second = sorted(medians, key=lambda label: sign * medians[label])[:2]
    return "" if medians[first] == medians[second] else first


def _named(names: list[str]) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    return listed([*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"])
