import json
from dataclasses import replace

import pytest

from dashboards.figures import front_figures, parallel_figure
from dashboards.palette import COLOURS, SYMBOLS, styles

THREE = """
name = "three"
model = "faulty"
[variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
shape = { options = ["round", "flat"] }
[layouts.one]
[layouts.two.parameters]
size = 3
[objectives]
f1 = "minimize"
f2 = "maximize"
sometimes = "minimize"
[search]
population = 12
generations = 3
"""
FOUR = """
name = "four"
model = "osy"
[variables]
x1 = { lower = 0, upper = 10 }
x3 = { lower = 1, upper = 5 }
[objectives]
f1 = "minimize"
f2 = "minimize"
c1 = "maximize"
c5 = "maximize"
[search]
population = 12
generations = 2
"""


def traces(figure):
    return {trace["legendgroup"]: trace for trace in figure["data"]}


def test_two_objectives_show_each_design_of_each_front_where_it_is(halves_data):
    found = halves_data
    (item,) = front_figures(found.comparison, found.model)
    assert item.title == "f2 against f1"
    for layout, trace in traces(item.figure).items():
        front = found.comparison.fronts[layout]
        assert trace["customdata"] == [design.key for design in front]
        assert trace["x"] == pytest.approx([design.metrics["f1"] for design in front], rel=1e-5)
        assert trace["y"] == pytest.approx([design.metrics["f2"] for design in front], rel=1e-5)
        assert all("x1 = " in text and "c2 = " in text and "seed" in text for text in trace["text"])
    assert item.figure["layout"]["xaxis"]["title"]["text"] == "f1<br>less is better"


def test_three_objectives_show_space_and_pairs_in_the_metrics_own_senses(report_data):
    found = report_data(THREE)
    space, *pairs = front_figures(found.comparison, found.model)
    assert space.columns == (0, 1, 2)
    assert [item.columns for item in pairs] == [(0, 1), (0, 2), (1, 2)]
    for layout, trace in traces(space.figure).items():
        front = found.comparison.fronts[layout]
        assert trace["type"] == "scatter3d"
        assert trace["y"] == pytest.approx([design.metrics["f2"] for design in front], rel=1e-5)
        told = [9.0 if d.metrics["sometimes"] is None else d.metrics["sometimes"] for d in front]
        assert trace["z"] == pytest.approx(told, rel=1e-5)
    assert [item.figure["layout"]["meta"]["better"] for item in (space, *pairs)] == [
        [-1, 1, -1],
        [-1, 1],
        [-1, -1],
        [1, -1],
    ]


def test_one_objective_shows_the_best_value_of_each_layout(report_data, halves):
    found = report_data(halves.replace('f2 = "minimize"\n', ""))
    (item,) = front_figures(found.comparison, found.model)
    for layout, trace in traces(item.figure).items():
        assert set(trace["x"]) == {layout}
        best = min(design.metrics["f1"] for design in found.comparison.fronts[layout])
        assert trace["y"] == pytest.approx([best] * len(trace["y"]), rel=1e-5)


def test_more_objectives_show_every_pair(report_data):
    found = report_data(FOUR)
    (item,) = front_figures(found.comparison, found.model)
    (trace,) = item.figure["data"]
    assert trace["type"] == "splom"
    assert [d["label"] for d in trace["dimensions"]] == ["f1", "f2", "c1", "c5"]
    assert len(trace["dimensions"][0]["values"]) == len(found.comparison.fronts["default"])


def test_parallel_lines_join_variables_and_objectives(report_data):
    found = report_data(THREE)
    (trace,) = parallel_figure(found.comparison, found.model)["data"]
    designs = [design for front in found.comparison.fronts.values() for design in front]
    labels = [dimension["label"] for dimension in trace["dimensions"]]
    assert labels == ["x", "y", "shape", "f1", "f2", "sometimes [m]"]
    assert all(len(dimension["values"]) == len(designs) for dimension in trace["dimensions"])
    shape = trace["dimensions"][2]
    assert [shape["ticktext"][i] for i in shape["values"]] == [
        design.variables["shape"] for design in designs
    ]
    assert trace["line"]["color"] == [["one", "two"].index(design.layout) for design in designs]


def test_a_layout_without_designs_is_named_in_the_legend(shapes_data):
    found = shapes_data
    for item in front_figures(found.comparison, found.model):
        empty = traces(item.figure)["never"]
        assert empty["name"] == "never (no feasible design)"
        assert empty["x"] == [None]


def test_hostile_names_are_escaped_and_figures_are_plain_json(halves_data):
    found = halves_data
    bad = "<img src=x onerror=alert(1)>"
    metrics = tuple(replace(m, name=bad) if m.name == "c1" else m for m in found.model.metrics)
    designs = {
        layout: [
            replace(d, metrics={bad if k == "c1" else k: v for k, v in d.metrics.items()}) for d in front
        ]
        for layout, front in found.comparison.fronts.items()
    }
    comparison = replace(found.comparison, objectives=(bad, "f2"), fronts=designs)
    (item,) = front_figures(comparison, replace(found.model, metrics=metrics))
    text = json.dumps(item.figure)
    assert "<img" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


def test_layouts_look_the_same_in_all_figures_and_differ_from_each_other():
    looks = styles([f"layout-{i}" for i in range(24)])
    assert len({(look.colour, look.symbol) for look in looks.values()}) == len(COLOURS) * len(SYMBOLS) // 2
    assert styles(["a", "b"])["a"] == styles(["a"])["a"]
