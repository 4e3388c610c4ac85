"""The scoreboard of a comparison: objectives and margins of safety, with who leads and how sure that is."""

from __future__ import annotations

from dashboards.content.margins import by_name, lead
from dashboards.content.seed_tests import NOT_SHOWN, more_seeds
from dashboards.content.tables import Cell, Mark, Table, table
from dashboards.formatting import MISSING, Scale, counted, number, percent, scale_of, words
from studies.comparison import Comparison
from studies.not_optimised import Spread
from studies.scoreboard import ObjectiveScore, SafetyScore, Scoreboard

MOST_MARGINS = 4
"""Margins of safety that the scoreboard shows; the table of what was not optimised has all."""
BETTER = {"minimize": "less is better", "maximize": "more is better"}


def scoreboard_table(comparison: Comparison, board: Scoreboard) -> Table:
    """A row for each objective and each margin of safety, a column for each layout."""
    labels = list(comparison.fronts)
    rows = [
        *(_objective_row(comparison, score) for score in board.objectives),
        *(_safety_row(score, labels) for score in board.safety[:MOST_MARGINS]),
    ]
    head = ["", *labels, "leads", "how sure"]
    return table("Scoreboard: best value, median of the front below", head, rows, range(1, len(labels) + 1))


def title_of(name: str, label: str) -> str:
    """How a metric is called in headings."""
    return label or words(name)


def _name(score: ObjectiveScore | SafetyScore, name: str, note: str) -> Cell:
    return Cell(title_of(name, score.label), note, tip=f"{name}: {score.meaning}")


def _objective_row(comparison: Comparison, score: ObjectiveScore) -> list[Cell | str]:
    scale = scale_of([*score.best.values(), *score.medians.values()], score.unit)
    cells = [
        Cell(
            scale.measured(value),
            "" if value is None else f"median {scale.bare(score.medians[label])}",
            "best" if label == score.leader else "",
        )
        for label, value in score.best.items()
    ]
    criterion = by_name(comparison.criteria)[f"best {score.objective}"]
    leader = Cell(score.leader or "nobody", lead(criterion))
    return [_name(score, score.objective, BETTER[score.better]), *cells, leader, _confidence(score, scale)]


def _confidence(score: ObjectiveScore, scale: Scale) -> Cell:
    """How sure the lead is, and what would settle it."""
    match score.confidence:
        case "alone":
            return Cell("nothing to compare", "only one layout has a feasible design")
        case "even":
            return Cell("even", "within the numerical error, or equal")
        case "too few seeds":
            needed = f"takes {score.seeds_needed} seeds per layout or more"
            return Cell(f"{seeds_text(score.seeds)}: not settled", needed, "unsure")
        case "shown":
            return Cell("shown", _evidence(score, scale), "good")
        case "contradicted":
            return Cell(f"seeds favour {score.second}", _evidence(score, scale), "unsure")
        case "no difference shown":
            return Cell(NOT_SHOWN, f"{_evidence(score, scale)}; {more_seeds(score.seeds_needed)}", "unsure")


def _evidence(score: ObjectiveScore, scale: Scale) -> str:
    """p, the chance that a seed is better, and the interval of the difference."""
    test = score.test
    if test is None:
        return ""
    parts = [f"p = {number(test.p_value, 2)}", f"a seed is better with {percent(test.effect)}"]
    if test.interval is not None:
        low, high = test.interval
        parts.append(f"medians differ by {scale.bare(low, 3)} to {scale.show(high, 3)}")
    return ", ".join(parts)


def seeds_text(seeds: tuple[int, ...]) -> str:
    """``1 seed``, ``5 seeds each``, ``1 and 3 seeds``."""
    if len(set(seeds)) > 1:
        return f"{' and '.join(map(str, seeds))} seeds"
    return counted(seeds[0], "seed") + (" each" if seeds[0] > 1 else "")


def _safety_row(score: SafetyScore, labels: list[str]) -> list[Cell | str]:
    spreads = [score.spreads[label] for label in labels]
    values = [value for each in spreads if each for value in (each.least, each.median, each.greatest)]
    scale = scale_of([*values, score.limit], score.unit)
    cells = [
        _spread_cell(each, scale, best=label == score.leader)
        for label, each in zip(labels, spreads, strict=True)
    ]
    side = "at least" if score.better == "maximize" else "at most"
    limit = MISSING if score.limit is None else f"safety: {side} {scale.show(score.limit)}"
    unsafe = sum(each.unsafe for each in spreads if each)
    designs = sum(each.designs for each in spreads if each)
    verdict = (
        Cell(f"{unsafe} of {designs} unsafe", "designs beyond the limit", "bad")
        if unsafe
        else Cell("all within the limit", f"{counted(designs, 'design')} of the fronts")
    )
    leader = Cell(score.leader or "nobody", "better median" if score.leader else "")
    return [_name(score, score.metric, limit), *cells, leader, verdict]


def _spread_cell(spread: Spread | None, scale: Scale, *, best: bool) -> Cell:
    if spread is None:
        return Cell(MISSING)
    mark: Mark = "bad" if spread.unsafe else "best" if best else ""
    note = f"{scale.bare(spread.least)} to {scale.bare(spread.greatest)}"
    return Cell(f"median {scale.measured(spread.median)}", note, mark)
