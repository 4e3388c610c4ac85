"""Bars of importance, and slices: the numbers that they draw, and what they say of them."""

import numpy as np
import pytest
from pydantic import Field

from dashboards.figures.importance import importance_figure
from dashboards.figures.slice import BINS, MOST_POINTS, slice_caption, slice_figure
from models import Parameters, quantity
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.results.variable_importance import StoredDesigns, metric_importances


class Rods(Parameters):
    """A record whose parameters vary."""

    length: float = quantity(0.001, unit="m", description="of a rod")
    rods: int = quantity(1, unit="1", description="how many")
    kind: str = Field("c", description="of rods")
    ends: tuple[tuple[float, float, float], ...] = quantity(
        ((0.0, 0.0, 0.0),), unit="m", description="of the rods"
    )


SPACE = DesignSpace(
    (
        RealVariable("length", "m", 0.001, 0.002),
        ChoiceVariable("rods", "1", (3, 1, 2)),
        ChoiceVariable("kind", "", ("a<b", "c")),
    )
)


def designs_of(count=600):
    points = SPACE.snap(np.random.default_rng(3).random((count, 3)))
    metrics = [{"f": point[0] ** 2, "none": None} for point in points.tolist()]
    return StoredDesigns("default", SPACE, points, metrics, points[:, 0] > 0.25)


def test_bars_begin_with_the_most_important_variable():
    found = metric_importances(designs_of(), "f", "1", "minimize")
    importance, correlation = importance_figure(found, Rods)["data"]
    assert importance["y"][0] == correlation["y"][0] == "length"
    assert correlation["x"][0] == pytest.approx(1.0)
    assert correlation["x"][importance["y"].index("kind")] is None
    assert importance["x"] == sorted(importance["x"], reverse=True)


def test_bars_of_a_metric_without_numbers_say_why():
    found = metric_importances(designs_of(10), "f", "1", "minimize")
    figure = importance_figure(found, Rods)
    assert figure["data"] == []
    assert "at least 30" in figure["layout"]["annotations"][0]["text"]


def test_a_slice_has_every_design_and_the_median_of_each_bin():
    designs = designs_of()
    broken, kept, median = slice_figure(designs, Rods, "f", "1", "minimize", "length")["data"]
    assert (len(broken["x"]), len(kept["x"])) == ((~designs.feasible).sum(), designs.feasible.sum())
    assert min(kept["x"]) > 1.25, "in millimetres"
    assert len(median["x"]) == BINS
    for middle, value in zip(median["x"], median["y"], strict=True):
        # The median of a rising function over a bin is about its value in the middle.
        assert value == pytest.approx((middle - 1) ** 2, abs=0.03)
    assert "hollow ones break a constraint" in slice_caption(designs, "f")


def test_coordinates_of_points_have_their_letters():
    height = RealVariable("ends.0.2", "m", 0.0, 1.0)
    points = np.linspace(0.0, 1.0, 60)[:, None]
    metrics = [{"f": float(place)} for place in points[:, 0]]
    designs = StoredDesigns("default", DesignSpace((height,)), points, metrics, np.ones(60, dtype=bool))
    bars = importance_figure(metric_importances(designs, "f", "1", "minimize"), Rods)["data"]
    assert bars[0]["y"] == ["ends 1, z"]
    figure = slice_figure(designs, Rods, "f", "1", "minimize", "ends.0.2")
    assert figure["layout"]["xaxis"]["title"]["text"].startswith("ends 1, z [")


def test_options_stand_in_the_order_of_their_values():
    rods = slice_figure(designs_of(), Rods, "f", "1", "minimize", "rods")["data"][-1]
    assert rods["x"] == [1, 2, 3]
    kind = slice_figure(designs_of(), Rods, "f", "1", "minimize", "kind")
    assert kind["layout"]["xaxis"]["categoryarray"] == ["a&lt;b", "c"]


def test_two_variables_have_tiles_of_medians_below_coloured_points():
    designs = designs_of()
    tiles, *marks = slice_figure(designs, Rods, "f", "1", "minimize", "rods", "length")["data"]
    assert tiles["x"] == [1, 2, 3]
    for row, middle in zip(tiles["z"], tiles["y"], strict=True):
        assert row == pytest.approx([(middle - 1) ** 2] * 3, abs=0.06)
    assert sum(len(each["marker"]["color"]) for each in marks) == 600
    assert "tiles" in slice_caption(designs, "f", "length")


def test_of_many_designs_a_part_is_drawn_and_said():
    designs = designs_of(2 * MOST_POINTS)
    *marks, _ = slice_figure(designs, Rods, "f", "1", "minimize", "length")["data"]
    assert sum(len(each["x"]) for each in marks) == MOST_POINTS
    assert "a part of the 6000" in slice_caption(designs, "f")


def test_a_metric_that_no_design_has_is_said():
    figure = slice_figure(designs_of(), Rods, "none", "1", "minimize", "length")
    assert "no stored design" in figure["layout"]["annotations"][0]["text"]
