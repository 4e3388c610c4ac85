"""Tests of seeds for a leader, in a table and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dashboards.content.comparison.margins import by_name, criterion_tooltip, title
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, Scale, number, percent, scale_of
from studies.comparison.comparison import Comparison, Criterion
from studies.comparison.seed_tests import SeedTest, leading_tests

NOT_SHOWN = "not settled"
CONTRADICTORY = "median and ranks disagree"
_CAPTION = "Do the seeds settle it?"
_TIPS = {
    "medians": "the median over the seeds of each layout",
    "difference": "between which values the difference of the medians lies in 95 % of resampled seeds",
    "a seed is better": "effect size: the chance that a seed of the first layout beats one of the second",
    "p": "the chance of such a difference among layouts that do not differ, corrected for all tests",
}
_MEANINGS = {
    "IGD+": "mean distance of a seed's front from the front of all layouts, only where it is worse; "
    "less is better",
}
"""Tooltips of indicators that are no criteria."""
_NOTE = (
    "Each indicator is measured on every seed's front. The interval of the difference holds 95 % of "
    "resampled seeds. p is the chance of such a difference among layouts that do not differ, by the test of "
    "Mann and Whitney, corrected for all {tests} tests of this comparison; up to 0.05, the difference counts "
    "as settled."
)


def seed_tests_table(comparison: Comparison, meanings: Mapping[str, str] | None = None) -> Table | None:
    """Tests of the layout with the best median against each other one, by indicator; None without tests.

    ``meanings`` are those of objectives.
    """
    shown = leading_tests(comparison.seed_tests)
    if not shown:
        return None
    criteria = by_name(comparison.criteria)
    rows = [_row(test, criteria, meanings or {}, comparison.labels) for test in shown]
    head = ["indicator", "medians", "difference", "a seed is better", "p", "verdict"]
    return table(_CAPTION, head, rows, range(1, 5), _TIPS)


def seed_tests_note(comparison: Comparison) -> str:
    """The note that explains the table."""
    return _NOTE.format(tests=len(comparison.seed_tests))


def _row(
    test: SeedTest, criteria: Mapping[str, Criterion], meanings: Mapping[str, str], labels: Mapping[str, str]
) -> list[Cell | str]:
    scale = scale_of([*test.medians, *(test.interval or ())], test.unit or "1")
    one, other = (scale.measured(value) for value in test.medians)
    known = criteria.get(test.indicator)
    tooltip = criterion_tooltip(known, meanings) if known else _MEANINGS.get(test.indicator, "")
    name = Cell(title(test.indicator, labels), f"{test.first} against {test.second}", tooltip=tooltip)
    verdict = Cell(test.winner, mark="best") if test.winner else Cell(NOT_SHOWN, unsettled(test))
    medians = Cell(f"{one} against {other}", f"{test.seeds[0]} and {test.seeds[1]} seeds")
    return [name, medians, _interval(test, scale), percent(test.effect), number(test.p_value, 2), verdict]


def _interval(test: SeedTest, scale: Scale) -> str:
    if test.interval is None:
        return MISSING
    low, high = test.interval
    return f"{scale.bare(low, 3)} to {scale.show(high, 3)}"


class _Unsettled(Protocol):
    """A :class:`~studies.comparison.seed_tests.SeedTest` without a difference, or its resource of REST."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def contradictory(self) -> bool: ...
    @property
    def seeds_needed(self) -> int | None: ...


def unsettled(test: _Unsettled) -> str:
    """Advice on a difference that seeds do not settle: seeds that would, if it stays as it is."""
    if test.contradictory:
        return f"{CONTRADICTORY}: {test.first} has the better median, but {test.second} is better more often"
    if test.seeds_needed is None:
        return "more seeds are not likely to settle it"
    return f"about {test.seeds_needed} seeds per layout could settle it"


def hypervolume_test(comparison: Comparison, one: str, other: str) -> SeedTest | None:
    """The test of the hypervolume between two layouts; None where one has a single seed."""
    return next(
        (
            test
            for test in comparison.seed_tests
            if test.indicator == "hypervolume" and {test.first, test.second} == {one, other}
        ),
        None,
    )


def settled_sentence(test: SeedTest, leader: str) -> str:
    """A clause on the seeds' test of a lead, to follow the sentence that states the lead."""
    p = f"p = {number(test.p_value, 2)}"
    if test.winner == leader:
        return f", and the seeds show it ({p}, corrected for all tests of the comparison)"
    if test.winner:
        return f", but the seeds show {test.winner} ahead ({p}): the joint front rests on few of them"
    return f", but the seeds do not show a difference ({p}): {unsettled(test)}"


def proven_sentences(comparison: Comparison) -> list[str]:
    """Sentences on the best values in which the seeds show a difference, for verdicts on several seeds."""
    tests = [test for test in leading_tests(comparison.seed_tests) if test.indicator.startswith("best ")]
    if not tests:
        return []
    labels = comparison.labels
    shown = [f"{title(t.indicator, labels)} ({t.winner} before {t.second})" for t in tests if t.winner]
    if not shown:
        return ["In no single objective do the seeds show a difference."]
    rest = "" if len(shown) == len(tests) else "; in the others they do not show any"
    return [f"The seeds show a difference in the {listed(shown)}{rest}."]
