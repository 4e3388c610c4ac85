"""Words for a difference between seeds that is not settled."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dashboards.content.comparison.seed_tests import seed_tests_table, settled_sentence, unsettled
from service.cli.tables import seed_test_rows
from studies.comparison.seed_tests import SeedTest

OPEN = SeedTest("best f", "1", "minimize", "a", "b", (5, 5), (0.9, 1.0), None, 0.6, 0.2, "", 40)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "about 40 seeds per layout could settle it"),
        ({"effect": 0.5, "seeds_needed": None}, "more seeds are not likely to settle it"),
        ({"effect": 0.4, "seeds_needed": None}, "more seeds are not likely to settle it"),
        (
            {"effect": 0.3, "p_value": 0.01, "seeds_needed": None},
            "median and ranks disagree: a has the better median, but b is better more often",
        ),
    ],
)
def test_what_to_make_of_it(changes, said):
    test = replace(OPEN, **changes)
    assert unsettled(test) == said
    assert settled_sentence(test, "a").endswith(said)


def test_the_command_line_says_it_in_its_table():
    contradictory = replace(OPEN, effect=0.3, p_value=0.01, seeds_needed=None)
    verdicts = [seed_test_rows([test], {})[0]["verdict"] for test in (OPEN, contradictory)]
    assert verdicts == [
        "not settled; about 40 seeds per layout could settle it",
        "not settled; median and ranks disagree: a has the better median, but b is better more often",
    ]


def test_an_indicator_has_the_title_of_its_criterion():
    (row,) = seed_test_rows([OPEN], {"best f": "best fairness f"})
    assert row["indicator"] == "best fairness f"


def test_an_indicator_that_is_no_criterion_has_its_meaning():
    compared = SimpleNamespace(seed_tests=(replace(OPEN, indicator="IGD+"),), criteria=(), labels={})
    name, *_ = seed_tests_table(compared).rows[0]
    assert "mean distance" in name.tooltip
