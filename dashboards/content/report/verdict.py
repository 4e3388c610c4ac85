"""The study's outcome in one paragraph of plain words, honest where it is mixed or unsettled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dashboards.content.comparison.conditions import (
    confounder_text,
    confounders,
    differing,
    sentence,
    stated_conditions,
)
from dashboards.content.comparison.headline import not_optimised_sentences
from dashboards.content.comparison.margins import against, by_name, even_text, lead, ranked, shown_values
from dashboards.content.comparison.seed_tests import hypervolume_test, proven_sentences, settled_sentence
from dashboards.content.report.data import ReportData
from dashboards.content.tables import listed
from dashboards.formatting import counted, percent, quantity
from models.parameter_names import words
from studies.comparison.comparison import Comparison, Criterion
from studies.problem.problem import Setup

ENDED = frozenset({"done", "cancelled", "failed", "diverged"})
"""States of runs that find nothing more."""


def verdict(report_data: ReportData) -> list[str]:
    """The sentences of the paragraph, in order."""
    filled = [layout for layout, front in report_data.comparison.fronts.items() if front]
    if not filled:
        return _nothing(report_data)
    if len(filled) == 1:
        alone = _alone(report_data.comparison, filled) if len(report_data.layouts) > 1 else []
        rest = [
            *shared_quantity_sentences(report_data.comparison),
            *not_optimised_sentences(report_data.comparison),
        ]
        return [
            *alone,
            *_single(report_data, filled[0]),
            *rest,
            *condition_sentences(report_data),
        ]
    return [*outcome(report_data.comparison, "layout"), *condition_sentences(report_data)]


def best_values(report_data: ReportData) -> list[tuple[str, str]]:
    """The best value of each objective, as answers of a study of one layout; empty without a front."""
    comparison = report_data.comparison
    (layout,) = report_data.layouts
    if not comparison.fronts.get(layout):
        return []
    best = by_name(comparison.criteria)
    return [
        (f"best {words(name)}", shown_values(best[f"best {name}"])[layout]) for name in comparison.objectives
    ]


def doubts(report_data: ReportData) -> list[str]:
    """Sentences that a reader must know before believing the answers: unfinished runs, other versions."""
    return [*_unfinished(report_data), *report_data.remarks]


def outcome(comparison: Comparison, noun: str = "") -> list[str]:
    """The leaders, and the tests of their seeds; ``noun`` names the things that are compared.

    Says of a comparison in which fewer than two have a front only that.
    """
    filled = [label for label, front in comparison.fronts.items() if front]
    if not filled:
        return ["No feasible design was found yet, so there is nothing to compare."]
    if len(filled) == 1:
        return [
            *_alone(comparison, filled),
            *shared_quantity_sentences(comparison),
            *not_optimised_sentences(comparison),
        ]
    return [
        *(_alone(comparison, filled) if len(filled) < len(comparison.fronts) else []),
        *_objectives(comparison, filled, noun),
        *shared_quantity_sentences(comparison),
        *not_optimised_sentences(comparison),
        *_together(comparison, filled),
        *proven_sentences(comparison),
        *_dominance(comparison, filled),
    ]


def _alone(comparison: Comparison, filled: Sequence[str]) -> list[str]:
    """Entries without a front, which the verdict leaves out."""
    empty = [label for label in comparison.fronts if label not in filled]
    if not empty:
        return [f"{listed(filled)} is alone: there is nothing to compare it with."]
    return [f"No feasible design was found for {listed(empty)}, so only {listed(filled)} can be judged."]


def _unfinished(report_data: ReportData) -> list[str]:
    left = report_data.unfinished
    if not left:
        return []
    states = [f"{run.run.layout} seed {run.run.seed} is {run.run.state}" for run in left]
    shown = listed(states if len(states) <= 4 else [*states[:3], f"{len(states) - 3} more are not done"])
    more = may_change(run.run.state for run in left)
    then = "what is known so far and may change" if more else "what was found until then, which is final"
    return [f"This study is not finished ({shown}): the figures below show {then}."]


def may_change(states: Iterable[str]) -> bool:
    """True if a run in one of these states may still find something."""
    return any(state not in ENDED for state in states)


def _nothing(report_data: ReportData) -> list[str]:
    if report_data.asked == 0:
        return ["No generation has been finished yet, so there is nothing to report."]
    closest = min((outcome.violation, run.run.layout) for run in report_data.runs for outcome in run.outcomes)
    asked = counted(report_data.asked, "design")
    return [
        f"None of the {asked} that were asked for is feasible, so no layout has a front.",
        f"The closest came from {closest[1]}; the table of evaluations says why no design is feasible.",
    ]


def _single(report_data: ReportData, layout: str) -> list[str]:
    """One layout with a front: its size and its best values."""
    comparison = report_data.comparison
    size = len(comparison.fronts[layout])
    best = by_name(comparison.criteria)
    values = [f"{words(name)} {shown_values(best[f'best {name}'])[layout]}" for name in comparison.objectives]
    asked = sum(len(run.outcomes) for run in report_data.runs if run.run.layout == layout)
    if len(comparison.objectives) == 1:
        return [f"The best of {counted(asked, 'design')} of {layout} has {values[0]}."]
    together = "" if size == 1 else " Each is the best on its own; no single design has them all."
    are = "is" if size == 1 else "are"
    text = (
        f"Of {counted(asked, 'design')} of {layout}, {size} {are} not beaten in every objective by another; "
        f"the best values among them are {listed(values)}.{together}"
    )
    return [text]


def _objectives(comparison: Comparison, filled: Sequence[str], noun: str) -> list[str]:
    """Leaders in each objective, and the margin of each lead."""
    criteria = by_name(comparison.criteria)
    wins: dict[str, list[str]] = {}
    for name in comparison.objectives:
        criterion = criteria[f"best {name}"]
        wins.setdefault(criterion.winner, []).append(_win(name, criterion))
    ties = wins.pop("", [])
    sentences: list[str] = []
    if len(wins) == 1 and not ties:
        winner = next(iter(wins))
        scope = "in the one objective" if len(comparison.objectives) == 1 else "in every objective"
        sentences.append(f"{_called(winner, noun)} reaches the better value {scope}: {listed(wins[winner])}.")
    else:
        if len(wins) > 1:
            nobody = f"no {noun}" if noun else "none"
            sentences.append(f"The result is mixed: {nobody} reaches the better value in every objective.")
        sentences += [f"{_called(label, noun)} leads in {listed(items)}." for label, items in wins.items()]
    if ties:
        together = f"The {noun}s {listed(filled)}" if noun else listed(filled)
        sentences.append(f"{together} tie in {listed(ties)}.")
    return sentences


def shared_quantity_sentences(comparison: Comparison) -> list[str]:
    """Objectives that do not judge independently, because they are computed from the same quantity."""
    sentences: list[str] = []
    for each in comparison.shared:
        name, others = words(each.quantity), [words(o) for o in each.objectives if o != each.quantity]
        both = "both " if len(others) == 2 else ""
        held = f"{listed(others)} {'contains' if len(others) == 1 else f'{both}contain'} the {name}"
        also = ", which is an objective itself" if each.quantity in each.objectives else ""
        sentences.append(
            f"The objectives are not independent: {held}{also}, so it counts {len(each.objectives)} times."
        )
    return sentences


def _called(label: str, noun: str) -> str:
    return f"The {label} {noun}" if noun else label


def _win(name: str, criterion: Criterion) -> str:
    order = ranked(criterion)
    shown = shown_values(criterion)
    if criterion.even:
        return f"{words(name)} ({against(criterion)}, {even_text(criterion)})"
    if not criterion.winner:
        return f"{words(name)} ({shown[order[0][0]]})"
    return f"{words(name)} ({against(criterion)}, {lead(criterion)})"


def _together(comparison: Comparison, filled: Sequence[str]) -> list[str]:
    """The hypervolume's verdict, and whether seeds support it."""
    if len(comparison.objectives) == 1:
        return []
    criterion = by_name(comparison.criteria)["hypervolume"]
    if not criterion.winner:
        return [f"With all objectives taken together (hypervolume), {listed(filled)} are level."]
    second = ranked(criterion)[1][0]
    text = f"With all objectives taken together (hypervolume), {_ahead(criterion, second)}"
    test = hypervolume_test(comparison, criterion.winner, second)
    if test is None:
        pair = (criterion.winner, second)
        single = [label for label in pair if len(comparison.seed_hypervolumes[label]) < 2]
        return [f"{text}; with one seed of {listed(single)}, this may be chance."]
    return [f"{text}{settled_sentence(test, criterion.winner)}."]


def _ahead(criterion: Criterion, second: str) -> str:
    return f"{criterion.winner} is ahead of {second} ({lead(criterion)})"


def _dominance(comparison: Comparison, filled: Sequence[str]) -> list[str]:
    """Shares of each front that the other one matches or beats; only for two fronts."""
    if len(filled) != 2 or len(comparison.objectives) == 1:
        return []
    covers = by_name(comparison.criteria)["coverage"].values
    one, other = filled
    share, back = covers[one] or 0.0, covers[other] or 0.0
    if share == back == 0:
        return ["Neither front matches or beats any design of the other: the two trade off."]
    for winner, loser, won, lost in ((one, other, share, back), (other, one, back, share)):
        if won == 1 and lost == 0:
            return [
                f"Every design on the front of {loser} is matched or beaten by {winner}, none the other way."
            ]
    matched = f"The front of {one} matches or beats {percent(share)} of the designs of {other}"
    return [f"{matched}, that of {other} {percent(back)} of those of {one}."]


def condition_sentences(setup: Setup) -> list[str]:
    """Conditions under which a study's verdict holds, and differences between its layouts."""
    stated = stated_conditions(setup)
    sentences = [f"All this holds under the stated conditions ({listed(stated)})."] if stated else []
    more = confounders(setup.problems)
    names = [words(name) for name in differing(setup) if name not in more]
    if len(setup.layouts) > 1 and names:
        rest = "" if more else "; all else is equal"
        sentences.append(f"Besides what varies, the layouts differ in {listed(names)}{rest}.")
    if more:
        sentences.append(sentence(confounder_text(setup.problems)))
    known = {c.metric for problem in setup.problems.values() for c in problem.constraints}
    bounds = [bound_text(setup, name) for name in setup.definition.constraints if name in known]
    if bounds:
        sentences.append(f"A design counts as feasible when {listed(bounds)}.")
    return sentences


def bound_text(setup: Setup, name: str) -> str:
    """A constraint in words."""
    constraint = next(
        c for problem in setup.problems.values() for c in problem.constraints if c.metric == name
    )
    low, high = quantity(constraint.lower, constraint.unit), quantity(constraint.upper, constraint.unit)
    stated = setup.definition.constraints[name]
    if stated.lower is None:
        return f"{words(name)} is at most {high}"
    return f"{words(name)} is at least {low}" + ("" if stated.upper is None else f" and at most {high}")
