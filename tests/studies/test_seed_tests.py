"""Rank tests over seeds: closed forms, counting, and how often they err on samples that are drawn."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from studies.comparison_entries import Goal
from studies.seed_tests import ALPHA, seed_tests

GOALS = [Goal("cost", "EUR", "minimize"), Goal("load", "N", "maximize")]
ONE = GOALS[:1]
FAR = np.array([10.0])


def single(**values):
    """Fronts of one design with one objective, a seed each."""
    return {
        label: {seed: np.array([[value]]) for seed, value in enumerate(own)} for label, own in values.items()
    }


def the_test(**values):
    (found,) = seed_tests(single(**values), ONE, FAR)
    return found


def test_complete_differences_have_the_probability_of_the_closed_form():
    found = the_test(worse=[6.0, 7.0, 8.0, 9.0], better=[1.0, 2.0, 3.0, 4.0])
    assert (found.first, found.second, found.winner) == ("better", "worse", "better")
    assert found.p_value == pytest.approx(2 / math.comb(8, 4), rel=1e-12)
    assert (found.effect, found.medians, found.seeds_needed) == (1.0, (2.5, 7.5), None)
    low, high = found.interval
    assert -8.0 <= low < -5.0 < high <= -2.0


def test_three_seeds_can_never_show_a_difference_and_it_is_said_how_many_could():
    found = the_test(a=[1.0, 2.0, 3.0], b=[6.0, 7.0, 8.0])
    assert found.p_value == pytest.approx(0.1)
    assert (found.winner, found.seeds_needed) == ("", 4)


def test_equal_seeds_show_nothing():
    found = the_test(a=[2.0, 2.0, 2.0], b=[2.0, 2.0])
    assert (found.p_value, found.effect, found.winner, found.seeds_needed) == (1.0, 0.5, "", None)
    assert found.interval == (0.0, 0.0)


@pytest.mark.parametrize("values", [([1, 1, 2, 5], [1, 3, 4, 4, 6]), ([1, 2, 2], [2, 2, 2, 7])])
def test_with_equal_values_all_ways_to_divide_the_seeds_are_counted(values):
    x, y = (np.array(own, dtype=float) for own in values)
    ranks = stats.rankdata(np.concatenate([x, y]))
    middle = len(x) * (len(ranks) + 1) / 2
    sums = [sum(chosen) for chosen in combinations(ranks, len(x))]
    away = abs(ranks[: len(x)].sum() - middle)
    counted = sum(abs(s - middle) >= away - 1e-9 for s in sums) / len(sums)
    assert the_test(a=x, b=y).p_value == pytest.approx(min(counted, 1.0), abs=1e-12)


def test_many_seeds_are_compared_as_scipy_does():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=30), rng.normal(0.5, size=25)
    assert the_test(a=x, b=y).p_value == stats.mannwhitneyu(x, y).pvalue


def test_more_is_better_where_the_objective_says_so():
    fronts = {"low": [1.0, 2.0, 3.0, 4.0], "high": [5.0, 6.0, 7.0, 8.0]}
    minimised = single(**{label: [-value for value in own] for label, own in fronts.items()})
    (found,) = seed_tests(minimised, GOALS[1:], FAR)
    assert (found.first, found.medians, found.unit) == ("high", (6.5, 2.5), "N")
    assert found.interval[0] > 0


def test_a_seed_that_found_nothing_counts_as_the_worst():
    fronts = single(a=[1.0, 2.0, 3.0, 4.0], b=[1.5, 2.5, 3.5, 4.5])
    fronts["b"] = {seed: np.empty((0, 1)) for seed in range(4)}
    (found,) = seed_tests(fronts, ONE, FAR)
    assert (found.winner, found.effect, found.medians, found.interval) == ("a", 1.0, (2.5, None), None)


def test_layouts_with_one_seed_are_not_tested():
    assert seed_tests(single(a=[1.0], b=[1.0, 2.0]), ONE, FAR) == ()
    assert seed_tests({"a": {1: np.empty((0, 1)), 2: np.empty((0, 1))}}, ONE, FAR) == ()


def test_all_indicators_of_all_pairs_are_corrected_together():
    rng = np.random.default_rng(2)
    fronts = {
        label: {seed: shift + rng.random((8, 2)) for seed in range(6)}
        for label, shift in (("a", 0.0), ("b", 0.2), ("c", 3.0))
    }
    found = seed_tests(fronts, GOALS, np.array([5.0, 5.0]))
    assert [test.indicator for test in found[::3]] == [
        "hypervolume", "IGD+", "additive epsilon", "best cost", "best load",
    ]  # fmt: skip
    assert len(found) == 15
    least = 2 / math.comb(12, 6)
    against_c = [test for test in found if test.second == "c"]
    assert len(against_c) == 10
    assert {test.winner for test in against_c} == {"a", "b"}
    assert all(15 * least >= test.p_value >= 6 * least - 1e-15 for test in against_c)
    assert seed_tests(fronts, GOALS, np.array([5.0, 5.0])) == found, "drawn with a seed of its own"


def test_units_do_not_matter():
    rng = np.random.default_rng(3)
    fronts = {label: {seed: rng.random((8, 2)) for seed in range(4)} for label in "ab"}
    scaled = {
        label: {seed: front * [1e3, 1e-6] for seed, front in own.items()} for label, own in fronts.items()
    }
    for one, other in zip(
        seed_tests(fronts, GOALS, np.array([2.0, 2.0])),
        seed_tests(scaled, GOALS, np.array([2e3, 2e-6])),
        strict=True,
    ):
        assert (one.first, one.p_value, one.effect) == (other.first, other.p_value, other.effect)


def test_layouts_that_are_the_same_seldom_differ(monkeypatch):
    """Of 150 comparisons of four layouts that are drawn alike, no more than 5 % show any difference."""
    monkeypatch.setattr("studies.seed_tests.RESAMPLES", 9)
    rng = np.random.default_rng(4)
    drawn = (single(**dict(zip("abcd", rng.random((4, 7)), strict=True))) for _ in range(150))
    wrong = sum(any(test.winner for test in seed_tests(fronts, ONE, FAR)) for fronts in drawn)
    assert wrong <= 150 * ALPHA


def test_the_number_of_seeds_that_is_named_shows_the_difference_four_times_of_five():
    effect = stats.norm.cdf(1.2 / math.sqrt(2))  # of two normal distributions 1.2 deviations apart
    rng = np.random.default_rng(5)
    pairs = ((rng.normal(size=6), rng.normal(1.2, size=6)) for _ in range(1000))
    x, y = next((x, y) for x, y in pairs if abs((x[:, None] < y).mean() - effect) < 0.02)
    found = the_test(a=x, b=y)
    assert found.winner == ""
    count = found.seeds_needed
    shown = sum(
        stats.mannwhitneyu(rng.normal(size=count), rng.normal(1.2, size=count)).pvalue <= ALPHA
        for _ in range(2000)
    )
    assert 0.72 < shown / 2000 < 0.9
