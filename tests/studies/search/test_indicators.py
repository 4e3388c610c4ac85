import itertools
import tracemalloc

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from studies.search.indicators import (
    EXACT_POINTS,
    QUARTILES,
    additive_epsilon,
    attainment,
    beyond_worst,
    coverage,
    extent,
    hypervolume,
    hypervolume_error,
    hypervolume_is_due,
    igd_plus,
    median,
)

points = arrays(
    float, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(0, 6).map(float)
)


@pytest.mark.parametrize("m", [5, 6, 8, 10])
def test_hypervolume_of_more_objectives_is_exact_or_within_its_error(m):
    rng = np.random.default_rng(m)
    reference = np.full(m, 1.1)
    for count in (EXACT_POINTS[m], EXACT_POINTS[m] + 1):
        points = np.abs(rng.normal(size=(count, m)))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        found = hypervolume(points, reference)
        error = hypervolume_error(points, reference, found)
        assert (error == 0.0) == (count == EXACT_POINTS[m])
        exact = moocore.hypervolume(points, ref=reference)
        assert found == pytest.approx(exact, abs=max(error, 1e-12))


@pytest.mark.parametrize("m", range(2, 9))
def test_two_fronts_have_one_winner_in_any_units(m):
    rng = np.random.default_rng(m)
    for _ in range(30):
        count = int(rng.choice([rng.integers(2, 40), EXACT_POINTS.get(m, 40) + 1]))
        pair = rng.random((2, count, m)) / 10.0 ** rng.integers(-6, 6, m)
        reference = beyond_worst(np.concatenate(pair))
        units = 10.0 ** rng.integers(-9, 9, m)
        one, other = (
            [hypervolume(front * scale, reference * scale) for front in pair] for scale in (1.0, units)
        )
        np.testing.assert_allclose(np.array(other) / units.prod(), one, rtol=1e-9)
        assert np.argmax(one) == np.argmax(other)


def test_a_large_front_of_many_objectives_is_not_measured_every_generation():
    assert all(hypervolume_is_due(told, 100, 10**6, 3) for told in range(100, 1000, 100))
    assert all(hypervolume_is_due(told, 100, 400, 8) for told in range(100, 1000, 100))
    due = [told for told in range(100, 10_100, 100) if hypervolume_is_due(told, 100, 4000, 8)]
    assert due == list(range(1000, 10_001, 1000))


def test_hypervolume_of_staircases():
    assert hypervolume(np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([3.0, 3.0])) == pytest.approx(3.0)
    assert hypervolume(np.array([[0.0, 0.0, 0.0]]), np.array([2.0, 3.0, 4.0])) == pytest.approx(24.0)
    assert hypervolume(np.array([[4.0], [2.5]]), np.array([3.0])) == pytest.approx(0.5)
    assert hypervolume(np.array([[4.0, 4.0]]), np.array([3.0, 3.0])) == 0.0
    for empty in (np.empty((0, 2)), np.empty((0, 0))):
        assert hypervolume(empty, np.array([3.0, 3.0])) == hypervolume_error(empty, np.ones(2), 0.0) == 0.0


@given(points)
def test_hypervolume_never_falls_as_designs_come(objectives):
    reference = beyond_worst(objectives)
    volumes = [hypervolume(objectives[:n], reference) for n in range(1, len(objectives) + 1)]
    assert all(later >= earlier - 1e-12 for earlier, later in itertools.pairwise(volumes))


@given(points)
def test_reference_point_is_beyond_every_value(objectives):
    assert (beyond_worst(objectives) > objectives.max(axis=0)).all()


def test_coverage_and_epsilon_of_shifted_fronts():
    front = np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])
    worse = front + 0.5
    assert coverage(front, worse) == 1.0
    assert coverage(worse, front) == 0.0
    assert additive_epsilon(front, worse) == pytest.approx(-0.5)
    assert additive_epsilon(worse, front) == pytest.approx(0.5)
    assert coverage(front, front) == 1.0
    assert additive_epsilon(front, front) == 0.0


@given(points, points)
def test_coverage_equals_the_definition(front, other):
    other = np.resize(other, (len(other), front.shape[1]))
    weakly = [any((member <= design).all() for member in front) for design in other]
    assert coverage(front, other) == sum(weakly) / len(other)


def test_coverage_of_large_fronts_needs_little_memory():
    """All pairs at once would take 6000 * 6000 * 3 bytes."""
    rng = np.random.default_rng(0)
    front, other = rng.random((2, 6000, 3))
    tracemalloc.start()
    assert 0 < coverage(front, other) <= 1
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20e6


GREATEST = np.finfo(float).max


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("size", [1e90, 1e200, GREATEST])
def test_indicators_of_any_finite_numbers_are_finite(m, size):
    objectives = size * np.random.default_rng(m).uniform(-1.0, 1.0, (12, m))
    reference = beyond_worst(objectives)
    assert np.isfinite(reference).all()
    assert (reference >= objectives.max(axis=0)).all()
    assert 0.0 < hypervolume(objectives, reference) <= GREATEST
    assert np.isfinite(extent(objectives)).all()
    assert np.isfinite([median(column) for column in objectives.T]).all()
    assert np.isfinite(additive_epsilon(objectives, -objectives))


def test_hypervolume_of_great_numbers_is_that_of_small_ones_scaled():
    objectives = np.random.default_rng(1).uniform(0.0, 1.0, (20, 2))
    reference = np.array([1.0, 1.0])
    scaled = hypervolume(objectives * [1e170, 1e100], reference * [1e170, 1e100])
    assert scaled == pytest.approx(1e270 * hypervolume(objectives, reference), rel=1e-12)


def test_igd_plus_counts_only_what_is_worse():
    """By hand: the front is worse than the first point by (1, 0), and better than the second."""
    reference = np.array([[0.0, 2.0], [3.0, 1.0]])
    front = np.array([[1.0, 1.0]])
    assert igd_plus(front, reference) == pytest.approx((1.0 + 0.0) / 2)


@pytest.mark.parametrize("seed", range(10))
def test_lines_are_attained_by_their_share_of_the_seeds(seed):
    rng = np.random.default_rng(seed)
    fronts = [rng.integers(0, 15, (rng.integers(0, 7), 2)).astype(float) for _ in range(5)]
    found = attainment(fronts)
    for share in QUARTILES:
        needed = int(np.ceil(share / 100 * len(fronts)))
        for point in np.stack(np.meshgrid(np.arange(16.0), np.arange(16.0)), -1).reshape(-1, 2):
            attained = sum(bool((front <= point).all(axis=1).any()) for front in fronts) >= needed
            assert attained == bool((found[share] <= point).all(axis=1).any())
        x, y = found[share].T
        assert (np.diff(x) > 0).all()
        assert (np.diff(y) < 0).all()


def test_seeds_without_a_front_attain_nothing():
    assert all(len(line) == 0 for line in attainment([np.empty((0, 2))] * 3).values())


def test_the_median_is_the_one_that_moocore_publishes():
    """Ten sets of the example in moocore's documentation of eaf, with the corners that it prints."""
    table = moocore.get_dataset("input1.dat")
    fronts = [table[table[:, 2] == number, :2] for number in np.unique(table[:, 2])]
    published = [
        [0.53173087, 9.73244829], [0.62230271, 9.02211752], [0.79293574, 8.89066343], [0.9017068, 8.32259412],
        [0.97468676, 7.65893644], [1.06855707, 7.49376946], [1.54506255, 6.7102429], [1.5964888, 5.98825094],
        [2.16315952, 4.7394435], [2.85891341, 4.49240941], [3.34035397, 2.89377444], [4.61023932, 2.87955367],
        [4.96525837, 2.29231998], [7.04694467, 1.83484358], [9.7398055, 1.00153569],
    ]  # fmt: skip
    assert attainment(fronts)[50] == pytest.approx(np.array(published), abs=5e-9)
