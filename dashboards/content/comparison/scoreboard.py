"""The scoreboard of a comparison: objectives and margins of safety, with who leads and how sure that is."""

from __future__ import annotations

from dashboards.content.comparison.margins import by_name, even_text, lead
from dashboards.content.comparison.not_optimised import median_mark
from dashboards.content.comparison.seed_tests import NOT_SHOWN, unsettled
from dashboards.content.tables import Cell, Mark, Table, table
from dashboards.formatting import MISSING, Scale, counted, number, percent, scale_of, title_of
from studies.comparison.comparison import Comparison, Spread
from studies.comparison.scoreboard import ObjectiveScore, SafetyScore, Scoreboard

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
    head = ["measure", *labels, "leads", "how sure"]
    return table("Scoreboard: best value, median of the front below", head, rows, range(1, len(labels) + 1))


def _name(score: ObjectiveScore | SafetyScore, name: str, note: str) -> Cell:
    return Cell(title_of(name, score.label), note, tooltip=f"{name}: {score.meaning}")


def _objective_row(comparison: Comparison, score: ObjectiveScore) -> list[Cell | str]:
    scale = scale_of([*score.best.values(), *score.medians.values()], score.unit)
    cells = [
        Cell(
            scale.with_error(value, error) if (error := score.errors.get(label)) else scale.measured(value),
            "" if value is None else f"median {scale.bare(score.medians[label])}",
            "best" if label == score.leader else "",
        )
        for label, value in score.best.items()
    ]
    criterion = by_name(comparison.criteria)[f"best {score.objective}"]
    leader = Cell(score.leader or "nobody", lead(criterion))
    sure = _confidence(score, scale, even_text(criterion))
    return [_name(score, score.objective, BETTER[score.better]), *cells, leader, sure]


def _confidence(score: ObjectiveScore, scale: Scale, even: str) -> Cell:
    """Confidence of a lead, and the number of seeds that would settle it."""
    match score.confidence:
        case "alone":
            some = any(value is not None for value in score.best.values())
            note = f"{'only one' if some else 'no'} layout has a feasible design"
            return Cell("nothing to compare", note)
        case "even":
            return Cell("even", even.removeprefix("even ") or "equal")
        case "too few seeds":
            needed = f"takes {score.seeds_needed} or more per layout"
            return Cell(f"{seeds_text(score.seeds)}: not settled", needed, "unsure")
        case "shown":
            return Cell("shown", _chance(score), "good", _evidence(score, scale))
        case "contradicted":
            return Cell(f"seeds favour {score.second}", _chance(score), "unsure", _evidence(score, scale))
        case "no difference shown":
            note = "; ".join([_chance(score), *([unsettled(score.test)] if score.test else [])])
            return Cell(NOT_SHOWN, note, "unsure", _evidence(score, scale))


def _chance(score: ObjectiveScore) -> str:
    """``p = 0.01, 5 seeds each``."""
    p = "" if score.test is None else f"p = {number(score.test.p_value, 2)}, "
    return f"{p}{seeds_text(score.seeds)}"


def _evidence(score: ObjectiveScore, scale: Scale) -> str:
    """The chance that a seed is better, and the interval of the difference."""
    test = score.test
    if test is None:
        return ""
    chance = (
        f"A seed of {test.first} is better than one of {test.second} with a chance of {percent(test.effect)}"
    )
    if test.interval is None:
        return f"{chance}."
    low, high = test.interval
    differ = f"the medians differ by {scale.bare(low, 3)} to {scale.show(high, 3)} in 95 % of resampled seeds"
    return f"{chance}; {differ}. p is the chance of such a difference among layouts that do not differ."


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
        _spread_cell(each, scale, "best" if label == score.leader else "", score)
        for label, each in zip(labels, spreads, strict=True)
    ]
    side = "at least" if score.better == "maximize" else "at most"
    limit = MISSING if score.limit is None else f"safety: {side} {scale.show(score.limit)}"
    unsafe = sum(each.unsafe for each in spreads if each)
    designs = sum(each.designs for each in spreads if each)
    verdict = (
        Cell(f"{unsafe} of {designs} unsafe", "designs beyond the limit", "bad")
        if unsafe
        else Cell("all within the limit", counted(designs, "design"))
    )
    return [_name(score, score.metric, limit), *cells, score.leader or "nobody", verdict]


def _spread_cell(spread: Spread | None, scale: Scale, mark: Mark, score: SafetyScore) -> Cell:
    if spread is None:
        return Cell(MISSING)
    note = f"{scale.bare(spread.least)} to {scale.bare(spread.greatest)}"
    unsafe = median_mark(spread, score.limit, score.better)
    return Cell(f"median {scale.measured(spread.median)}", note, unsafe or mark)
