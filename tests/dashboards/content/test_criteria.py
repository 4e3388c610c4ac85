"""The point against which hypervolumes are measured, in words."""

import numpy as np
import pytest

from dashboards.content.comparison.margins import point_text
from studies.search.indicators import beyond_worst


def test_a_maximised_metric_below_0_is_told_to_be_the_value_of_no_design():
    volumes = -beyond_worst(-np.array([[0.001], [0.051]]))
    text = point_text(
        ["workspace_volume", "mass"], [volumes.item(), 0.02], ["m^3", "kg"], ["maximize", "minimize"]
    )
    assert text.startswith("workspace volume \N{MINUS SIGN}0.004")
    assert "(no design's value: the point lies beyond the designs), mass 20" in text


@pytest.mark.parametrize(("value", "sense"), [(0.004, "maximize"), (-0.004, "minimize")])
def test_other_values_need_no_words(value, sense):
    assert "no design" not in point_text(["x"], [value], ["m^3"], [sense])
