"""The headline of a comparison with its scoreboard, and the metrics that nobody optimised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.content.comparison.margins import by_name, even_text, lead
from dashboards.content.comparison.seed_tests import CONTRADICTORY, NOT_SHOWN, unsettled
from dashboards.content.tables import Cell, Mark, Table, listed, table
from dashboards.formatting import MISSING, Scale, counted, number, percent, scale_of, title_of
from models.parameter_names import words
from studies.comparison.comparison import Comparison, NotOptimised, Spread
from studies.comparison.scoreboard import ObjectiveScore, SafetyScore, Scoreboard

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
    caption = "Scoreboard: best value ± numerical error, median of the front below"
    return table(caption, head, rows, range(1, len(labels) + 1))


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
            return Cell("settled", _chance(score), "good", _evidence(score, scale))
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


@dataclass(frozen=True, slots=True)
class Headline:
    """Three answers, phrases without a full stop; ``sure`` and ``price`` may be empty."""

    which: str
    sure: str = ""
    price: str = ""


def headline(comparison: Comparison, board: Scoreboard) -> Headline:
    """The answers to an engineer's three questions."""
    filled = [label for label, front in comparison.fronts.items() if front]
    if not filled:
        return Headline("No feasible design yet")
    if len(filled) == 1:
        left = [label for label in comparison.fronts if label not in filled]
        alone = f"Only {filled[0]} has feasible designs, not {listed(left, 'or')}" if left else ""
        return Headline(alone or f"{filled[0]} is alone: nothing to compare", price=_alone(board))
    empty = [label for label in comparison.fronts if label not in filled]
    left = f"; {listed(empty)} {'has' if len(empty) == 1 else 'have'} no feasible design" if empty else ""
    return Headline(_which(board) + left, _sure(board), _price(board))


# ---------------------------------------------------------------- which, and how sure


def _which(board: Scoreboard) -> str:
    total = len(board.objectives)
    leads = board.leads
    even = len(leads.pop("", []))
    if not leads:
        return f"Nobody leads: even in {_all(total)}"
    (first, scores), *others = leads.items()
    objectives = "objective" if total == 1 else "objectives"
    rest = [f"{label} in {len(own)}" for label, own in others] + ([f"even in {even}"] if even else [])
    leading = "lead" if others and len(others[0][1]) == len(scores) else "leads"
    if leading == "lead":
        return f"Mixed: {', '.join([f'{first} leads in {len(scores)} of {total} {objectives}', *rest])}"
    return ", ".join([f"{first} leads in {len(scores)} of {total} {objectives}", *rest])


def _all(total: int) -> str:
    return {1: "the objective", 2: "both objectives"}.get(total, f"all {total} objectives")


def _sure(board: Scoreboard) -> str:
    led = [score for score in board.objectives if score.leader]
    if not led:
        return ""
    few = [score for score in led if score.confidence == "too few seeds"]
    if len(few) == len(led):
        return f"{seeds_text(few[0].seeds)}: not settled; it takes {few[0].seeds_needed} per layout or more"
    groups = [
        ("settled", [score for score in led if score.confidence == "shown"]),
        (NOT_SHOWN, [score for score in led if score.confidence in ("no difference shown", "too few seeds")]),
        ("seeds favour the other", [score for score in led if score.confidence == "contradicted"]),
    ]
    parts = [f"{text}{_how_many(own, led)}" for text, own in groups if own]
    return f"{seeds_text(led[0].seeds)}: {', '.join(parts)}{_needed(led)}"


def _how_many(own: Sequence[ObjectiveScore], led: Sequence[ObjectiveScore]) -> str:
    if len(own) < len(led):
        return f" in {len(own)} of {len(led)}"
    return {1: "", 2: " in both"}.get(len(led), f" in all {len(led)}")


def _needed(led: Sequence[ObjectiveScore]) -> str:
    """Number of seeds that would settle the open objectives."""
    open_ = [score for score in led if score.confidence == "no difference shown"]
    needed = [score.seeds_needed for score in open_ if score.seeds_needed is not None]
    if not open_:
        return ""
    if any(score.test and score.test.contradictory for score in open_):
        return f"; {CONTRADICTORY}"
    if not needed:
        return "; more seeds are not likely to settle it"
    some = f"{len(needed)} of them" if len(needed) < len(open_) else "it"
    return f"; about {min(needed)} seeds per layout could settle {some}"


# ---------------------------------------------------------------- at what price


def _price(board: Scoreboard) -> str:
    if not board.safety:
        return "Safety: no margin of it was computed"
    leader = next((label for label in board.leads if label), "")
    unsafe = _unsafe_margins(board.safety)
    if not leader:
        return unsafe or "No design is beyond a limit of safety"
    worse = [score for score in board.safety if score.leader not in ("", leader)]
    if not worse:
        text = _no_price(board.safety, leader)
        return f"{text}; {unsafe}" if unsafe else text
    phrases = [_phrase(score, leader) for score in worse[:MOST_NAMED]]
    more = [f"{len(worse) - MOST_NAMED} more"] if len(worse) > MOST_NAMED else []
    lower = "lower" if all(score.better == "maximize" for score in worse) else "worse"
    text = f"At a price: {leader} has the {lower} median of {listed([*phrases, *more])}"
    return f"{text}; {unsafe}" if unsafe else text


def _no_price(safety: Sequence[SafetyScore], leader: str) -> str:
    """The sentence that the leader's median margins are no worse, as far as they are known."""
    known = [
        score for score in safety if score.spreads[leader] and sum(map(bool, score.spreads.values())) > 1
    ]
    if not known:
        return f"Safety: no margin is known of both {leader} and another layout"
    better = any(score.leader == leader for score in known)
    text = f"No price: {leader} has {'the better' if better else 'no worse'} median margins"
    unknown = [title_of(score.metric, score.label) for score in safety if score not in known]
    more = [f"{len(unknown) - MOST_NAMED} more"] if len(unknown) > MOST_NAMED else []
    return f"{text}, {listed([*unknown[:MOST_NAMED], *more])} not compared" if unknown else text


def _phrase(score: SafetyScore, leader: str) -> str:
    """``interference margin (2.0 mm against 5.1 mm)``."""
    own, other = score.spreads[leader], score.spreads[score.leader]
    if own is None or other is None:
        return title_of(score.metric, score.label)
    scale = scale_of([own.median, other.median], score.unit)
    values = f"{scale.bare(own.median, 3)} against {scale.show(other.median, 3)}"
    return f"{title_of(score.metric, score.label)} ({values})"


def _unsafe_margins(safety: Sequence[SafetyScore]) -> str:
    """``suspended: 8 of 12 designs beyond the limit of ...``, of the worst margin of each layout."""
    worst: dict[str, tuple[int, int, str]] = {}
    for score in safety:
        for label, spread in score.spreads.items():
            if spread is not None and spread.unsafe > worst.get(label, (0, 0, ""))[0]:
                worst[label] = (spread.unsafe, spread.designs, title_of(score.metric, score.label))
    phrases = [
        f"{label}: {bad} of {counted(designs, 'design')} beyond the limit of {name}"
        for label, (bad, designs, name) in worst.items()
    ]
    return listed(phrases)


def _alone(board: Scoreboard) -> str:
    return _unsafe_margins(board.safety)
