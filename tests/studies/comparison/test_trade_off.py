"""Regions of a trade-off, against counting."""

from itertools import pairwise

import numpy as np
import pytest

from studies.comparison.scoreboard import regions


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
