"""Clouds and lines from three sides, and workspaces in the half-plane of their axis."""

import json

import numpy as np
import pytest

from dashboards.figures.colour_scale import ValueScale
from dashboards.figures.meridian import filled_cells, meridian_map, meridian_outlines, meridian_points
from dashboards.figures.three_views import MOST_POINTS, thinned, three_views_figure
from models.scene import Line, Points

VIEWS = ("", "2", "3")
HOSTILE = "<b>tips</b>"
BALL = np.random.default_rng(0).normal(size=(4000, 3)) * [1.0, 0.5, 0.2] + [0, 0, 2.0]
SECTIONS = (
    Line("first", np.array([[0, 0, 0.0], [0, 0, 1]]), "section 1"),
    Line("second", np.array([[0, 0, 1.0], [0.5, 0, 2]]), "section 2"),
)


def test_each_view_shows_two_axes_of_the_world_on_equal_scales():
    figure = three_views_figure([Points("tips", BALL)], SECTIONS)
    layout = figure["layout"]
    titles = [(layout[f"xaxis{n}"]["title"]["text"], layout[f"yaxis{n}"]["title"]["text"]) for n in VIEWS]
    assert titles == [("x [m]", "z [m]"), ("y [m]", "z [m]"), ("x [m]", "y [m]")]
    spans = [np.ptp(layout[f"{letter}axis{n}"]["range"]) for letter in "xy" for n in VIEWS]
    assert spans == pytest.approx([spans[0]] * 6, rel=1e-3)
    widths = [np.ptp(layout[f"xaxis{n}"]["domain"]) for n in VIEWS]
    assert widths == pytest.approx([widths[0]] * 3, rel=1e-6)
    second = [trace for trace in figure["data"] if trace["name"] == "section 2"]
    assert [(trace["x"][1], trace["y"][1]) for trace in second] == [(0.5, 2), (0, 2), (0.5, 0)]
    assert [trace["showlegend"] for trace in second] == [True, False, False]


def test_a_hanging_robot_hangs_from_both_sides():
    layout = three_views_figure([], SECTIONS, up="-z")["layout"]
    turned = [layout[f"yaxis{n}"]["range"][0] > layout[f"yaxis{n}"]["range"][1] for n in VIEWS]
    assert turned == [True, True, False]


def test_large_clouds_are_thinned_evenly_and_names_are_escaped():
    figure = three_views_figure([Points(HOSTILE, BALL)])
    assert [len(trace["x"]) for trace in figure["data"]] == [MOST_POINTS] * 3
    assert HOSTILE not in json.dumps(figure, allow_nan=False)
    assert thinned(BALL, 5).tolist() == [0, 1000, 2000, 2999, 3999]
    assert thinned(BALL[:3], 5).tolist() == [0, 1, 2]
    assert thinned(BALL[:0], 5).tolist() == []


def test_points_keep_the_colours_of_their_values_in_all_views():
    shape = Points("tips", BALL, None, np.arange(4000.0), "share")
    figure = three_views_figure([shape])
    assert {trace["marker"]["coloraxis"] for trace in figure["data"]} == {"coloraxis"}
    assert (figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) == (0, 3999)
    assert figure["data"][0]["marker"]["color"][-1] == 3999


def test_bands_lie_below_what_runs_along_them():
    lines = [*SECTIONS, Line("wanted path", SECTIONS[0].points)]
    first = three_views_figure([], lines, broad=["wanted path"])["data"][0]
    assert first["name"] == "wanted path"
    assert first["opacity"] < 1.0
    assert first["line"]["width"] > 4


def test_nothing_to_draw_is_said():
    assert three_views_figure([])["layout"]["annotations"][0]["text"] == "there is nothing to draw"


# ---------------------------------------------------------------- half-plane


def ball(radius=1.0, count=20_000):
    drawn = np.random.default_rng(1).uniform(-radius, radius, (count, 3))
    return meridian_points(drawn[np.linalg.norm(drawn, axis=1) <= radius])


def test_points_are_turned_into_the_half_plane():
    assert meridian_points(np.array([[3.0, -4.0, 7.0]])).tolist() == [[5.0, 7.0]]


def test_cells_are_those_that_hold_a_point():
    assert filled_cells(np.array([[0.1, -0.1], [0.2, -0.2], [0.9, 0.6]]), 0.5).tolist() == [
        [0.25, -0.25],
        [0.75, 0.75],
    ]


def test_a_map_has_the_values_in_their_cells_and_gaps_elsewhere():
    centres = np.array([[0.25, -0.25], [0.75, 0.75]])
    figure = meridian_map(centres, np.array([0.1, 0.9]), 0.5, ValueScale("share", 0.0, 1.0))
    (trace,) = figure["data"]
    assert (trace["x"], trace["y"]) == ([0.25, 0.75], [-0.25, 0.25, 0.75])
    assert trace["z"] == [[0.1, None], [None, None], [None, 0.9]]
    assert figure["layout"]["coloraxis"]["cmax"] == 1.0
    assert figure["layout"]["yaxis"]["scaleanchor"] == "x"


def test_outlines_follow_the_edge_and_not_the_axis():
    trace = meridian_outlines({"ball": ball()})["data"][0]
    grid = np.array(trace["z"])
    x, y = np.array(trace["x"]), np.array(trace["y"])
    assert grid[np.abs(y).argmin(), 0] == 1.0
    radius = np.hypot(*np.meshgrid(x, y))
    assert (grid[radius < 0.9] > 0.5).all()
    assert (grid[radius > 1.1] < 0.5).all()


def test_workspaces_have_their_own_colours_and_rows_in_the_legend():
    figure = meridian_outlines({"one": ball(), "two": ball(0.5), "none": np.zeros((0, 2))})
    assert [trace["type"] for trace in figure["data"]] == ["contour"] * 2 + ["scatter"] * 2
    one, two = (trace["colorscale"][0][1] for trace in figure["data"][:2])
    assert one != two
    json.dumps(figure, allow_nan=False)
    assert meridian_outlines({})["layout"]["annotations"][0]["text"] == "no point is reached"
    assert meridian_map(np.zeros((0, 2)), np.zeros(0), 0.1, ValueScale("s", 0.0, 1.0))["data"] == []
