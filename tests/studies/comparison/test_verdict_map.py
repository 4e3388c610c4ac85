"""Verdicts from fronts that are made up: who wins, by how much, and when nobody is named."""

import math

import numpy as np
import pytest

from studies.comparison.entries import Goal
from studies.comparison.seed_tests import leaders, least_seeds_of
from studies.comparison.verdict_map import FEASIBLE_SHARE, LayoutFront, verdicts
from studies.search.indicators import hypervolume

COST, LOAD = Goal("cost", "EUR", "minimize"), Goal("load", "N", "maximize")
ONE = [COST]


def front(*seeds, kept=None, error=None):
    """A front in one objective from the value of each seed; None for a seed without a feasible design."""
    fronts = {
        seed: np.array([[value]]) if value is not None else np.empty((0, 1))
        for seed, value in enumerate(seeds)
    }
    best = min((value for value in seeds if value is not None), default=None)
    joint = np.array([[best]]) if best is not None else np.empty((0, 1))
    errors = {} if error is None else {"cost": np.full(len(joint), error)}
    shares = {} if kept is None else dict.fromkeys(fronts, kept)
    return LayoutFront(joint, errors, fronts, kept, shares)


def verdict(criterion="best cost", goals=ONE, **fronts):
    return next(each for each in verdicts(goals, fronts) if each.criterion == criterion)


def test_a_complete_difference_has_the_probability_of_the_closed_form():
    found = verdict(a=front(1, 2, 3, 4, 5), b=front(6, 7, 8, 9, 10))
    # Two criteria, best and median, are tested under the condition: Holm doubles the least p-value.
    assert found.p_value == pytest.approx(2 * 2 / math.comb(10, 5), rel=1e-12)
    assert (found.winner, found.outcome, found.margin) == ("a", "shown", pytest.approx(5 / 6))


def test_the_least_seeds_are_those_with_which_a_complete_difference_is_shown():
    for count in range(2, 7):
        fronts = {"a": front(*range(count)), "b": front(*range(10, 10 + count))}
        assert (verdict(**fronts).outcome == "shown") == (count >= least_seeds_of(2))


def test_seeds_that_overlap_show_no_difference_but_somebody_leads():
    found = verdict(a=front(1, 6, 7, 8, 9), b=front(5, 6, 7, 8, 9))
    assert (found.winner, found.outcome) == ("a", "not shown")
    assert found.p_value > 0.05


def test_a_lead_of_the_joint_front_that_the_medians_contradict_is_not_shown():
    found = verdict(a=front(1, 20, 20, 20, 20, 20, 20), b=front(2, 3, 3, 3, 3, 3, 3))
    assert (found.winner, found.outcome) == ("a", "not shown")


def test_a_layout_without_a_feasible_design_has_no_value_in_any_criterion():
    goals, empty = [COST, LOAD], np.empty((0, 2))
    lonely = LayoutFront(np.array([[1.0, -2.0]]), {}, {1: np.array([[1.0, -2.0]]), 2: empty})
    for found in verdicts(goals, {"a": lonely, "b": LayoutFront(empty, {}, {1: empty, 2: empty})}):
        assert found.values["b"] is None, found.criterion
        assert (found.winner, found.margin, found.outcome) == ("a", None, "not shown")


def test_one_seed_proves_nothing():
    found = verdict(a=front(1), b=front(2))
    assert (found.winner, found.outcome, found.p_value) == ("a", "one seed", None)


def test_differences_within_the_numerical_error_are_even():
    assert verdict(a=front(1.0, error=0.2), b=front(1.1, error=0.1)).outcome == "even"
    assert verdict(a=front(1.0, error=0.05), b=front(1.1, error=0.05)).winner == "a"
    assert verdict(a=front(1.0), b=front(1.0)).outcome == "even"


def test_where_one_layout_is_feasible_it_wins_and_where_none_is_nobody_does():
    alone = verdict(a=front(None, None, None, None, None), b=front(1, 2, 3, 4, 5))
    assert (alone.winner, alone.outcome, alone.margin) == ("b", "shown", None)
    assert alone.values == {"a": None, "b": 1.0}
    none = verdicts(ONE, {"a": front(None, kept=0.0), "b": front(None, kept=0.0)})
    assert {(each.winner, each.outcome) for each in none} == {("", "infeasible")}


def test_a_study_of_one_layout_has_values_and_no_winner():
    found = verdict(a=front(1, 2))
    assert (found.values, found.winner, found.outcome) == ({"a": 1}, "", "alone")


def test_three_layouts_need_the_winner_to_beat_every_other_one():
    close = {
        "a": front(*range(1, 9)),
        "b": front(*(x + 0.5 for x in range(1, 9))),
        "c": front(*range(50, 58)),
    }
    assert verdict(**close).outcome == "not shown"
    apart = {**close, "b": front(*range(20, 28))}
    assert verdict(**apart).outcome == "shown"


def test_more_is_better_where_the_objective_says_so():
    fronts = {"a": LayoutFront(np.array([[-3.0]]), {}, {}), "b": LayoutFront(np.array([[-5.0]]), {}, {})}
    (best, _) = verdicts([LOAD], fronts)
    assert (best.winner, best.values) == ("b", {"a": 3.0, "b": 5.0})


def test_hypervolumes_end_at_the_stated_point_or_beyond_the_worst_value():
    one, other = np.array([[1.0, 3.0], [2.0, 1.0]]), np.array([[3.0, 2.0]])
    fronts = {"a": LayoutFront(one, {}, {}), "b": LayoutFront(other, {}, {})}
    goals = [COST, Goal("mass", "kg", "minimize")]
    stated = np.array([4.0, 4.0])
    (volume, *_) = verdicts(goals, fronts, stated)
    assert volume.values == {"a": hypervolume(one, stated), "b": 2.0}
    (volume, *_) = verdicts(goals, fronts)
    assert volume.values["b"] == pytest.approx(0.2 * 1.2)


def test_the_share_that_stays_feasible_is_a_criterion_of_stored_fronts_alone():
    found = verdict(FEASIBLE_SHARE, a=front(1, 2, kept=0.5), b=front(1, 2, kept=0.25))
    assert (found.values, found.winner) == ({"a": 0.5, "b": 0.25}, "a")
    assert FEASIBLE_SHARE not in [each.criterion for each in verdicts(ONE, {"a": front(1), "b": front(2)})]


def test_equal_samples_are_told_apart_as_seldom_as_the_test_promises():
    chance, shown, repetitions = np.random.default_rng(3), 0, 200
    for _ in range(repetitions):
        samples = {name: chance.normal(size=6) for name in "ab"}
        leader, p_value = leaders({"x": samples})["x"]
        shown += p_value <= 0.05 and leader != ""
    assert shown / repetitions <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repetitions)
