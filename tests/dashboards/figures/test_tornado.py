"""Bars of a tornado: where they begin and end, their order, and sides without a value."""

import pytest

from dashboards.figures.tornado import MOST_BARS, resolution_caution, tornado_figure
from studies.uncertainty.robust_design import Bar


def test_bars_lead_from_the_nominal_value_to_both_sides_the_widest_first():
    bars = [Bar("small", 1e-3, 0.9, 1.2), Bar("none", 1e-3, 1.0, 1.0), Bar("large", 1e-3, 1.5, None)]
    lower, upper = tornado_figure("f", "1", 1.0, bars)["data"]
    assert lower["y"] == upper["y"] == ["large", "small"]
    assert lower["base"] == upper["base"] == 1.0
    assert lower["x"] == pytest.approx([0.5, -0.1])
    assert upper["x"] == pytest.approx([0.0, 0.2])
    assert upper["text"][0].endswith("does not work")


def test_values_of_a_figure_share_a_unit():
    lower, upper = tornado_figure("f", "m", 0.001, [Bar("a", 1e-3, 0.0005, 0.002)])["data"]
    assert (lower["base"], lower["x"], upper["x"]) == (1.0, [-0.5], [1.0])


def test_of_many_bars_the_widest_are_drawn():
    bars = [Bar(f"x{i}", 1.0, 1.0, 1.0 + i) for i in range(2 * MOST_BARS)]
    lower, _ = tornado_figure("f", "1", 1.0, bars)["data"]
    assert lower["y"] == [f"x{2 * MOST_BARS - 1 - i}" for i in range(MOST_BARS)]


@pytest.mark.parametrize(
    ("nominal", "bars", "said"),
    [(None, [Bar("a", 1.0, 0.0, 1.0)], "nominal"), (1.0, [Bar("a", 1.0, 1.0, 1.0)], "no single number")],
)
def test_where_there_is_no_bar_it_is_said(nominal, bars, said):
    figure = tornado_figure("f", "1", nominal, bars)
    assert figure["data"] == []
    assert said in figure["layout"]["annotations"][0]["text"]


BARS = [
    Bar("pulleys.7.2", 1e-3, 0.99, 1.004),
    Bar("wide", 1e-3, 0.5, 1.4),
    Bar("broken", 1e-3, None, 1.001),
    Bar("still", 1e-3, 1.0, 1.0),
]


def test_changes_below_the_resolution_of_the_grid_get_a_caution():
    found = resolution_caution("m^3", 1.0, BARS, 0.02)
    assert (
        found
        == "the change by pulleys 8, 3 is below the resolution of the grid (0.02 m\u00b3): use more cells"
    )
    every = resolution_caution("m^3", 1.0, [BARS[0], BARS[3]], 0.02)
    assert every.startswith("every change is below the resolution")
    many = [*BARS, *(Bar(f"x{i}", 1.0, 0.99, 1.01) for i in range(4))]
    assert resolution_caution("m^3", 1.0, many, 0.02).startswith("the changes by 5 of 7 numbers are below")


@pytest.mark.parametrize(
    ("nominal", "resolution"), [(1.0, None), (1.0, 0.0), (None, 0.02), (1.0, 0.001)],
    ids=["no error known", "exact", "no nominal value", "all above"],
)  # fmt: skip
def test_what_is_above_the_resolution_gets_none(nominal, resolution):
    assert resolution_caution("m^3", nominal, BARS, resolution) == ""


def test_bars_are_named_as_people_count():
    lower, _ = tornado_figure("f", "1", 1.0, BARS, lambda path: path.upper())["data"]
    assert "PULLEYS.7.2" in lower["y"]
    lower, _ = tornado_figure("f", "1", 1.0, BARS)["data"]
    assert "pulleys 8, 3" in lower["y"]
