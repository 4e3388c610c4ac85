"""Bars of Sobol indices: their order, errors and range."""

import numpy as np
import pytest

from dashboards.figures.sobol_indices import MOST_BARS, sobol_figure
from studies.uncertainty.global_sensitivity import SobolIndices


def indices_of(first, total):
    error = np.full(len(first), 0.05)
    return SobolIndices(np.array(first), error, np.array(total), 2 * error, 64)


def test_the_factor_with_the_greatest_total_index_comes_first():
    figure = sobol_figure(["a", "b<c", "d"], indices_of([0.3, -0.02, 0.5], [0.35, 0.0, 0.6]))
    first, total = figure["data"]
    assert first["y"] == total["y"] == ["d", "a", "b&lt;c"]
    assert first["x"] == pytest.approx([0.5, 0.3, -0.02])
    assert total["x"] == pytest.approx([0.6, 0.35, 0.0])
    assert first["error_x"]["array"] == pytest.approx([0.05] * 3)
    assert total["error_x"]["array"] == pytest.approx([0.1] * 3)
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < -0.1, "the ends of all errors are seen"
    assert high > 1


def test_of_many_factors_the_greatest_are_drawn():
    values = np.linspace(0, 1, 3 * MOST_BARS)
    figure = sobol_figure([f"x{i}" for i in range(len(values))], indices_of(values, values))
    assert figure["data"][1]["y"] == [f"x{len(values) - 1 - i}" for i in range(MOST_BARS)]
