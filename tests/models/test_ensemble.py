"""Ensembles: statistics against closed forms, runs without a value, random numbers that stay the same."""

import math

import numpy as np
import pytest

from models.ensemble import QUANTILES, statistics, statistics_of, uniform_factors
from models.metrics import Metric
from models.units import unit_text

FORCE = Metric(
    "peak_force", "N", "greatest force", "minimize", ("motion",), error="force_error", caution="chaotic"
)
MARGIN = Metric("margin", "m", "least gap", "maximize", absent=0.0, needs="obstacle", safety_limit=0.0)


def test_statistics_of_an_arithmetic_progression():
    n = 21
    found = statistics({"a": [2.0 + 0.5 * k for k in range(n)]})
    assert found == {
        "a.mean": pytest.approx(7.0, rel=1e-15),
        "a.spread": pytest.approx(0.5 * math.sqrt(n * (n + 1) / 12), rel=1e-15),
        "a.q05": pytest.approx(2.5, rel=1e-15),
        "a.q50": pytest.approx(7.0, rel=1e-15),
        "a.q95": pytest.approx(11.5, rel=1e-15),
    }


def test_a_quantile_between_two_values_lies_on_the_line_between_them():
    found = statistics({"a": [10.0, 0.0]})
    assert [found[f"a.{name}"] for name in QUANTILES] == pytest.approx([0.5, 5.0, 9.5])
    assert found["a.spread"] == pytest.approx(10 / math.sqrt(2))


def test_runs_without_a_value_are_left_out():
    found = statistics({"some": [None, 1.0, None, 3.0], "one": [None, 4.0], "none": [None, None], "no": []})
    assert (found["some.mean"], found["some.q50"]) == (2.0, 2.0)
    assert found["some.spread"] == pytest.approx(math.sqrt(2))
    assert (found["one.mean"], found["one.spread"], found["one.q95"]) == (4.0, None, 4.0)
    assert {found[f"{name}.{of}"] for name in ("none", "no") for of in ("mean", "spread", *QUANTILES)} == {
        None
    }


@pytest.mark.parametrize("value", [0.1, 1e-300, -7.3e12])
def test_equal_values_have_no_spread_at_all(value):
    found = statistics({"a": [value] * 7})
    assert (found["a.mean"], found["a.spread"], found["a.q05"], found["a.q95"]) == (value, 0.0, value, value)


def test_the_table_and_the_values_have_the_same_names():
    table = [metric.name for metric in statistics_of([FORCE, MARGIN])]
    assert table == list(statistics({"peak_force": [1.0], "margin": [2.0]}))


def test_statistics_have_the_units_and_the_sense_of_their_metric_in_a_class_of_their_own():
    for metric in (FORCE, MARGIN):
        mean, spread, *quantiles = statistics_of([metric])
        for each in (mean, spread, *quantiles):
            assert (each.unit, each.cost_classes) == (metric.unit, ("ensemble",))
            assert (each.absent, each.needs) == (metric.absent, metric.needs)
            assert (each.caution, each.error, each.contains) == ("", "", ())
            assert each.meaning.startswith(f"{metric.meaning}; ")
            assert unit_text(each.unit)
        assert {each.sense for each in (mean, *quantiles)} == {metric.sense}
        assert {each.safety_limit for each in (mean, *quantiles)} == {metric.safety_limit}
        assert (spread.sense, spread.safety_limit) == ("minimize", None)
    assert statistics_of([MARGIN])[0].meaning == "least gap; mean of the runs that have it"
    assert statistics_of([FORCE])[2].meaning == "greatest force; 5 % quantile of the runs"


def test_a_metric_with_a_dot_can_have_no_statistics():
    with pytest.raises(ValueError, match=r"force\.left has a dot"):
        statistics_of([Metric("force.left", "N", "force", "minimize")])


def test_factors_are_the_same_for_a_seed_and_begin_with_those_of_fewer_runs():
    factors = uniform_factors(7, 16, 3, 1e-6)
    assert factors.shape == (16, 3)
    assert np.array_equal(uniform_factors(7, 16, 3, 1e-6), factors)
    assert np.array_equal(uniform_factors(7, 1000, 3, 1e-6)[:16], factors)
    assert not np.array_equal(uniform_factors(8, 16, 3, 1e-6), factors)
    assert np.array_equal(uniform_factors(7, 16, 3, 0.0), np.ones((16, 3)))


def test_factors_are_uniform():
    off = uniform_factors(0, 4000, 5, 0.1) - 1
    assert np.abs(off).max() <= 0.1
    assert np.abs(off).max() > 0.0999
    assert off.mean() == pytest.approx(0.0, abs=4 * 0.1 / math.sqrt(3 * off.size))
    assert off.std() == pytest.approx(0.1 / math.sqrt(3), rel=0.02)
