"""Rank tests over seeds: closed forms, counting, and how often they err on samples that are drawn."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from studies.comparison.entries import Goal
from studies.comparison.seed_tests import ALPHA, leaders, least_seeds, seed_tests
from studies.search.dominance import nondominated

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


def test_with_equal_medians_the_better_ranks_are_ahead():
    even = the_test(a=[1.0] * 7 + [2.0] * 6, b=[0.0] * 6 + [1.0] * 7)
    assert even.medians == (1.0, 1.0)
    assert even.p_value < ALPHA
    assert (even.first, even.winner, even.effect > 0.5) == ("b", "b", True)


def test_what_medians_and_ranks_say_differently_is_not_shown():
    mostly_less = [0.0] * 14 + [1.0] * 15  # its median is the greater one
    found = the_test(a=mostly_less, b=[0.9] * 15 + [9.0] * 14)
    assert (found.first, found.medians) == ("b", (0.9, 1.0))
    assert found.p_value < ALPHA
    assert found.effect < 0.5
    assert (found.winner, found.seeds_needed, found.contradictory) == ("", None, True)
    values = {"best cost": {"a": np.array(mostly_less), "b": np.array([0.9] * 15 + [9.0] * 14)}}
    assert leaders(values) == {"best cost": ("b", 1.0)}


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


@pytest.mark.soak
def test_layouts_that_are_the_same_seldom_differ(monkeypatch):
    """No more than 5 % of 150 comparisons of four layouts that are drawn alike show any difference."""
    monkeypatch.setattr("studies.comparison.seed_tests.RESAMPLES", 9)
    rng = np.random.default_rng(4)
    drawn = (single(**dict(zip("abcd", rng.random((4, 7)), strict=True))) for _ in range(150))
    wrong = sum(any(test.winner for test in seed_tests(fronts, ONE, FAR)) for fronts in drawn)
    assert wrong <= 150 * ALPHA


@pytest.mark.soak
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


def test_the_rank_test_gives_the_published_example():
    """Ages of nine young adults, from scipy's documentation of the test of Mann and Whitney."""
    found = the_test(males=[19.0, 22.0, 16.0, 29.0, 24.0], females=[20.0, 11.0, 17.0, 12.0])
    assert found.p_value == pytest.approx(0.1111111111111111, rel=1e-12)
    assert (found.first, found.effect) == ("females", 17 / 20)


def test_indicators_give_the_published_examples():
    """Example 4 of Ishibuchi et al. (2015) on IGD+, and moocore's example of epsilon, as moocore prints them."""

    def medians(indicator, **fronts):
        found = seed_tests(
            {label: {1: front, 2: front} for label, front in fronts.items()}, GOALS, FAR.repeat(2)
        )
        tests = [test for test in found if test.indicator == indicator]
        return {
            label: m
            for test in tests
            for label, m in zip((test.first, test.second), test.medians, strict=True)
        }

    reference = np.array([[10.0, 0], [6, 1], [2, 2], [1, 6], [0, 10]])
    one, other = np.array([[4.0, 2], [3, 3], [2, 4]]), np.array([[8.0, 2], [4, 4], [2, 8]])
    span = 10.0
    found = medians("IGD+", reference=reference, one=one, other=other)
    assert found["one"] * span == pytest.approx(1.482842712474619, rel=1e-14)
    assert found["other"] * span == pytest.approx(2.260112615949154, rel=1e-14)
    assert found["reference"] == 0.0
    reference = np.array([[1.0, 6], [2, 5], [3, 4], [4, 3], [5, 2], [6, 1]])
    front = np.array([[3.5, 5.5], [3.6, 4.1], [4.1, 3.2], [5.5, 1.5]])
    span = 5.0
    found = medians("additive epsilon", reference=reference, front=front)
    assert found["front"] * span == pytest.approx(2.5, rel=1e-14)


def random_search(rng, seeds):
    """Fronts of one algorithm: each seed draws 25 designs of two conflicting objectives."""
    x, noise = rng.random((2, seeds, 25))
    points = np.stack([x, 1 - np.sqrt(x) + noise], axis=-1)
    return {seed: own[nondominated(own)] for seed, own in enumerate(points)}


def test_two_samples_of_one_algorithm_show_no_difference_in_93_of_100_repetitions(monkeypatch):
    monkeypatch.setattr("studies.comparison.seed_tests.RESAMPLES", 9)
    rng = np.random.default_rng(6)
    silent = 0
    for _ in range(100):
        fronts = {"one": random_search(rng, 10), "other": random_search(rng, 10)}
        silent += not any(test.winner for test in seed_tests(fronts, GOALS, np.array([2.0, 3.0])))
    assert silent >= 93


def test_a_difference_of_one_deviation_is_found_with_ten_seeds_as_often_as_theory_says(monkeypatch):
    """The rank test of normal samples has 3/pi of the efficiency of the t test, whose power is known."""
    monkeypatch.setattr("studies.comparison.seed_tests.RESAMPLES", 9)
    rng, repetitions, seeds = np.random.default_rng(7), 400, 10
    found = 0
    for _ in range(repetitions):
        found += the_test(a=rng.normal(size=seeds), b=rng.normal(1.0, size=seeds)).winner == "a"
    equal = seeds * 3 / math.pi
    freedom, shift = 2 * equal - 2, math.sqrt(equal / 2)
    limit = stats.t.ppf(1 - ALPHA / 2, freedom)
    power = stats.nct.sf(limit, freedom, shift) + stats.nct.cdf(-limit, freedom, shift)
    scatter = math.sqrt(power * (1 - power) / repetitions)
    assert abs(found / repetitions - power) < 3 * scatter + 0.02  # the exact test has less than 5 % to err
    assert power > 0.5


def test_ten_typical_seeds_one_deviation_apart_are_told_apart():
    """Seeds that stand where ten of a normal distribution are expected, scaled to a deviation of one (Blom, 1958)."""
    seeds = stats.norm.ppf((np.arange(1, 11) - 0.375) / 10.25)
    seeds /= seeds.std(ddof=1)
    test = the_test(a=seeds, b=seeds + 1.0)
    assert test.winner == "a"
    assert test.p_value == pytest.approx(stats.mannwhitneyu(seeds, seeds + 1.0).pvalue)


def test_fewer_seeds_than_are_named_can_never_show_a_difference():
    """Two layouts with one objective have one test, with three objectives six."""
    assert [least_seeds(2, 1), least_seeds(2, 3), least_seeds(3, 3)] == [4, 5, 6]
    for layouts, objectives, tests in ((2, 1, 1), (2, 3, 6), (3, 3, 18)):
        least = least_seeds(layouts, objectives)
        assert 2 / math.comb(2 * least, least) <= ALPHA / tests < 2 / math.comb(2 * least - 2, least - 1)
