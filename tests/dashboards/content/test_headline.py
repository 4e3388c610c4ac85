"""The three answers above a comparison."""

from types import SimpleNamespace

import pytest

from dashboards.content.comparison.headline import headline
from studies.comparison.comparison import Spread
from studies.comparison.scoreboard import ObjectiveScore, SafetyScore, Scoreboard
from studies.comparison.seed_tests import SeedTest

LABELS = ("constrained", "suspended")


def comparison(fronts=("a", "b"), studies=("robots", "robots")):
    """Fronts and studies of a comparison, which is all that a headline reads."""
    return SimpleNamespace(
        fronts={label: list(front) for label, front in zip(LABELS, fronts, strict=True)},
        entries=[SimpleNamespace(study=SimpleNamespace(name=name)) for name in studies],
    )


DISAGREE = SeedTest("best f", "1", "minimize", "a", "b", (29, 29), (0.9, 1.0), None, 0.28, 0.01)
"""Median and ranks say different things, and both by more than chance."""


def objective(leader, confidence, seeds=(5, 5), needed=None, test=None):
    second = {"": "", LABELS[0]: LABELS[1], LABELS[1]: LABELS[0]}[leader]
    return ObjectiveScore(
        "f", "1", "minimize", "", "", {}, {}, {}, leader, second, None, confidence, seeds, test, needed
    )


def margin(constrained, suspended, leader, unsafe=(0, 0)):
    spreads = {
        label: None if value is None else Spread(value, value, value, 10, 0, count)
        for label, value, count in zip(LABELS, (constrained, suspended), unsafe, strict=True)
    }
    return SafetyScore("gap_margin", "m", "maximize", "", "", 0.0, spreads, leader)


def told(objectives, safety=(), **settings):
    return headline(comparison(**settings), Scoreboard(tuple(objectives), tuple(safety)))


S, C = "suspended", "constrained"


@pytest.mark.parametrize(
    ("objectives", "which", "sure"),
    [
        ([objective(S, "too few seeds", (1, 1), 5)] * 3,
         "suspended leads in 3 of 3 objectives", "1 seed: not settled; it takes 5 per layout or more"),
        ([objective(S, "shown"), objective(S, "shown"), objective(C, "shown")],
         "suspended leads in 2 of 3 objectives, constrained in 1", "5 seeds each: settled in all 3"),
        ([objective(S, "shown"), objective(S, "no difference shown", needed=12), objective("", "even")],
         "suspended leads in 2 of 3 objectives, even in 1",
         "5 seeds each: settled in 1 of 2, not settled in 1 of 2; about 12 seeds per layout could settle it"),
        ([objective(S, "no difference shown", needed=12), objective(S, "no difference shown")],
         "suspended leads in 2 of 2 objectives",
         "5 seeds each: not settled in both; about 12 seeds per layout could settle 1 of them"),
        ([objective(S, "no difference shown"), objective(C, "contradicted")],
         "Mixed: suspended leads in 1 of 2 objectives, constrained in 1",
         "5 seeds each: not settled in 1 of 2, seeds favour the other in 1 of 2; more seeds are not likely to settle it"),
        ([objective(S, "no difference shown", test=DISAGREE)],
         "suspended leads in 1 of 1 objective",
         "5 seeds each: not settled; median and ranks disagree"),
        ([objective("", "even")] * 2, "Nobody leads: even in both objectives", ""),
        ([objective("", "even")], "Nobody leads: even in the objective", ""),
        ([objective(C, "shown", (3, 7))],
         "constrained leads in 1 of 1 objective", "3 and 7 seeds: settled"),
    ],
)  # fmt: skip
def test_which_layout_and_how_sure(objectives, which, sure):
    found = told(objectives)
    assert (found.which, found.sure) == (which, sure)
    assert found.price == "Safety: no margin of it was computed"


LED = [objective(S, "shown")]


@pytest.mark.parametrize(
    ("safety", "price"),
    [
        ([margin(0.005, 0.002, C)],
         "At a price: suspended has the lower median of gap margin (2 against 5 mm)"),
        ([margin(0.002, 0.005, S)], "No price: suspended has the better median margins"),
        ([margin(0.002, 0.002, "")], "No price: suspended has no worse median margins"),
        ([margin(0.002, None, "")], "Safety: no margin is known of both suspended and another layout"),
        ([margin(None, 0.002, "")], "Safety: no margin is known of both suspended and another layout"),
        ([margin(0.002, None, ""), margin(0.002, 0.005, S)],
         "No price: suspended has the better median margins, gap margin not compared"),
        ([margin(0.005, -0.002, C, (0, 8))],
         "At a price: suspended has the lower median of gap margin (\N{MINUS SIGN}2 against 5 mm); suspended: 8 of 10 designs beyond the limit of gap margin"),
    ],
)  # fmt: skip
def test_at_what_price_in_safety(safety, price):
    assert told(LED, safety).price == price


def test_without_a_leader_only_violated_limits_are_named():
    even = [objective("", "even")]
    assert told(even, [margin(0.1, 0.2, S)]).price == "No design is beyond a limit of safety"
    assert told(even, [margin(0.1, -0.2, C, (0, 3))]).price.startswith("suspended: 3 of 10 designs beyond")


def test_without_two_fronts_there_is_nothing_to_compare():
    assert told(LED, fronts=("", "")).which == "No feasible design yet"
    found = told(LED, fronts=("", "b"))
    assert (found.which, found.sure) == ("Only suspended has feasible designs, not constrained", "")


def test_names_of_studies_keep_their_letters():
    assert told(LED, studies=("a", "b")).which == "suspended leads in 1 of 1 objective"
