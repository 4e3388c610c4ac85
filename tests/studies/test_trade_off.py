"""Regions of a trade-off and lines that seeds attain, against counting."""

from itertools import pairwise

import moocore
import numpy as np
import pytest

from studies.trade_off import QUARTILES, attainment, regions


def test_one_layout_leads_at_low_levels_and_another_at_high_ones():
    fronts = {
        "light": np.array([[1.0, 9.0], [3.0, 5.0]]),
        "strong": np.array([[2.0, 10.0], [4.0, 2.0]]),
        "nothing": np.empty((0, 2)),
    }
    assert regions(fronts) == [("light", 1.0, 4.0), ("strong", 4.0, np.inf)]


def test_equal_layouts_share_a_region():
    assert regions({"a": np.array([[1.0, 2.0]]), "b": np.array([[1.0, 2.0], [3.0, 1.0]])}) == [
        ("", 1.0, 3.0),
        ("b", 3.0, np.inf),
    ]
    assert regions({"a": np.empty((0, 2))}) == []


@pytest.mark.parametrize("seed", range(20))
def test_regions_are_those_that_counting_finds(seed):
    rng = np.random.default_rng(seed)
    fronts = {label: rng.integers(0, 12, (rng.integers(1, 9), 2)).astype(float) for label in "abc"}
    found = regions(fronts)
    assert all(one.upper == other.lower for one, other in pairwise(found))
    assert all(one.winner != other.winner for one, other in pairwise(found))
    for level in np.arange(found[0].lower, 13.0, 0.5):
        best = {
            label: min((y for x, y in front if x <= level), default=np.inf) for label, front in fronts.items()
        }
        leaders = [label for label, value in best.items() if value == min(best.values())]
        winner = next(region.winner for region in found if region.lower <= level < region.upper)
        assert winner == (leaders[0] if len(leaders) == 1 else "")


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
