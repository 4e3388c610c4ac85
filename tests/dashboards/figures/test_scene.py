import json
from dataclasses import replace

import numpy as np
import pytest

from dashboards.content.robot.robots import line_limit, line_value, numbered_lines
from dashboards.figures import has_extent, scene_bounds, scene_figure, scene_summary
from models import load
from models.scene import Box, Line, Points, Scene, Surface
from studies.exchange.voxels import creases

HOSTILE = "<b>bad</b>"


def example():
    return Scene(
        (
            Line("cable 1", np.array([[0, 0, 0], [1, 1, 1.0]]), "cables"),
            Line("cable 2", np.array([[0, 0, 0], [-1, 1, 1.0]]), "cables"),
            Line(HOSTILE, np.array([[0, 0, 0], [0, 0, 1.0]])),
            Box("platform", np.zeros(3), np.eye(3), np.array([0.07, 0.07, 0.05])),
            Surface("skin", np.eye(3), np.array([[0, 1, 2]])),
            Points("pulleys", np.array([[1, 1, 1.0], [-1, 1, 1]])),
            Points("workspace", np.array([[0, 0, 0.0], [0.1, 0, 0]]), np.full(3, 0.1)),
        ),
        "a caption",
    )


def by_name(figure):
    return {(trace["name"], trace["type"]): trace for trace in figure["data"]}


def test_every_shape_is_drawn():
    traces = by_name(scene_figure(example()))
    cables = traces["cables", "scatter3d"]
    assert cables["x"] == [0.0, 1.0, None, 0.0, -1.0, None]
    assert cables["text"][0] == "cable 1"
    assert cables["text"][-1] == "cable 2"
    assert len(traces["platform", "mesh3d"]["x"]) == 8
    assert len(traces["platform", "mesh3d"]["i"]) == 12
    assert traces["skin", "mesh3d"]["i"] == [0]
    assert traces["pulleys", "scatter3d"]["mode"] == "markers"
    assert len(traces["workspace", "mesh3d"]["i"]) == 2 * 2 * (2 + 1 + 1)


def valued(name="reached", values=(0.2, 0.6), ends=(0.0, 1.0)):
    scale = None if ends is None else np.array(ends)
    points = np.array([[0, 0, 0.0], [0, 0, 0.5]])
    return Points(name, points, None, np.array(values), "share of directions", scale)


def test_points_have_the_colours_of_their_values_on_the_stated_scale():
    figure = scene_figure(Scene((valued(),)))
    (trace,) = figure["data"]
    assert trace["marker"]["color"] == [0.2, 0.6]
    assert not trace["showlegend"]  # plotly.js would take the first value for the colour of the entry
    scale = figure["layout"][trace["marker"]["coloraxis"]]
    assert (scale["cmin"], scale["cmax"]) == (0.0, 1.0)
    assert scale["colorbar"]["title"]["text"] == "share of directions"
    assert "reached: 2 points, share of directions 0.2 to 0.6" in scene_summary(Scene((valued(),)))


def test_one_quantity_has_one_scale_and_another_its_own():
    other = Points("bent", np.ones((2, 3)), np.full(3, 0.1), np.array([1.0, 1.0]), "bend [rad]")
    figure = scene_figure(Scene((valued(ends=None), valued("far", (0.1, 0.9), None), other)))
    assert [trace["type"] for trace in figure["data"]] == ["scatter3d"] * 3
    axes = [trace["marker"]["coloraxis"] for trace in figure["data"]]
    assert axes == ["coloraxis", "coloraxis", "coloraxis2"]
    scales = [figure["layout"][name] for name in ("coloraxis", "coloraxis2")]
    assert (scales[0]["cmin"], scales[0]["cmax"]) == (0.1, 0.9)
    assert scales[1]["cmin"] < 1.0 < scales[1]["cmax"]
    assert scales[0]["colorbar"]["y"] > scales[1]["colorbar"]["y"]


def test_pictures_without_values_have_no_colour_scale():
    assert not [name for name in scene_figure(example())["layout"] if name.startswith("coloraxis")]


def frame_lines(count=1):
    axes = np.eye(3)
    return [
        Line(f"target {number} {letter}", np.array([[0, 0, 0], axis]), "target frame")
        for number in range(count)
        for letter, axis in zip("xyz", axes, strict=True)
    ]


def test_axes_of_frames_have_their_letters_unless_there_are_too_many():
    (trace,) = scene_figure(Scene(tuple(frame_lines())))["data"]
    assert trace["mode"] == "lines+text"
    assert trace["text"] == ["", "x", "", "", "y", "", "", "z", ""]
    assert trace["hovertext"][:3] == ["target 0 x"] * 3
    for lines in (frame_lines(9), [*frame_lines(), Line("rod", np.eye(3), "target frame")]):
        (trace,) = scene_figure(Scene(tuple(lines)))["data"]
        assert trace["mode"] == "lines"


def test_names_are_escaped_and_figures_are_plain_json():
    figure = scene_figure(example())
    assert HOSTILE not in json.dumps(figure)
    assert any("&lt;b&gt;" in trace["name"] for trace in figure["data"])


def test_axes_have_one_scale_and_scenes_may_share_their_frame():
    small = Scene((Points("pulleys", np.array([[0, 0, 0.0], [1, 0, 0]])),))
    bounds = scene_bounds([example(), small])
    scenes = [scene_figure(scene, bounds)["layout"]["scene"] for scene in (example(), small)]
    for scene in scenes:
        spans = [scene[f"{name}axis"]["range"][1] - scene[f"{name}axis"]["range"][0] for name in "xyz"]
        scales = [scene["aspectratio"][name] / span for name, span in zip("xyz", spans, strict=True)]
        assert scene["aspectmode"] == "manual"
        assert scales == pytest.approx([scales[0]] * 3, rel=1e-4)
    assert [s["xaxis"]["range"] for s in scenes] == [scenes[0]["xaxis"]["range"]] * 2
    assert scenes[0]["xaxis"]["title"]["text"] == "x [m]"


def test_a_turned_box_stands_turned():
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    figure = scene_figure(
        Scene((Box("platform", np.array([1, 0, 0.0]), quarter, np.array([0.3, 0.1, 0.2])),))
    )
    mesh = figure["data"][0]
    assert (min(mesh["x"]), max(mesh["x"])) == (0.9, 1.1)
    assert (min(mesh["y"]), max(mesh["y"])) == (-0.3, 0.3)


def test_what_is_shown_is_said_in_words():
    text = scene_summary(example())
    assert "cables: 2 lines" in text
    assert "platform with sides (0.14, 0.14, 0.1) m" in text
    assert "workspace: 2 cells" in text


def test_a_point_alone_is_nothing_to_look_at():
    assert has_extent(example())
    assert not has_extent(Scene((Points("origin", np.zeros((1, 3))),)))
    assert not has_extent(Scene(()))
    assert scene_figure(Scene(()))["data"] == []


def test_the_cable_robot_shows_cables_frame_platform_and_workspace():
    model = load("hybrid-cable-robot")
    parameters = model.resolve(
        "constrained", {"cells": 6, "wrench_set": "gravity", "orientations": "nominal"}
    )
    names = {trace["name"] for trace in scene_figure(model.scene(parameters))["data"]}
    assert {"cables", "frame", "platform", "pulleys", "workspace"} <= names


def cables(values=(0.0, 11.5, 23.0)):
    limits = np.array([0.0, 23.0])
    return [
        Line(
            f"cable {number}", np.array([[0, 0, 0], [number, 1, 1.0]]), "cables", number, value,
            "tension [N]", limits, value == 0.0,
        )
        for number, value in enumerate(values, 1)
    ]  # fmt: skip


def test_cables_have_numbers_and_the_colours_of_their_tensions_and_slack_ones_are_dashed():
    figure = scene_figure(Scene(tuple(cables())))
    *drawn, bar = figure["data"]
    assert [trace["text"][-1] for trace in drawn] == ["1", "2", "3"]
    assert [trace["line"].get("dash") for trace in drawn] == ["dash", None, None]
    assert [trace["line"]["color"] for trace in (drawn[0], drawn[2])] == ["#2f8fce", "#d5602b"]
    assert [trace["showlegend"] for trace in drawn] == [True, False, False]
    scale = figure["layout"][bar["marker"]["coloraxis"]]
    assert (scale["cmin"], scale["cmax"]) == (0.0, 23.0)
    assert scale["colorbar"]["title"]["text"] == "tension [N]"
    assert "cables: 3 lines, tension [N] 0 to 23" in scene_summary(Scene(tuple(cables())))
    assert [line_limit(line) for line in numbered_lines(Scene(tuple(cables())))] == ["least", "", "greatest"]
    slack = replace(cables()[0], value=8.9e-16)  # what is left of zero by rounding
    assert line_value(slack) == 0.0


def test_edges_of_a_hull_are_where_faces_meet_at_an_angle():
    block = np.array([[x, y, z] for x in range(3) for y in range(2) for z in range(2)], float)
    lengths = np.linalg.norm(np.diff(creases(block, np.ones(3)), axis=1)[:, 0], axis=1)
    assert sorted(lengths) == [2.0] * 8 + [3.0] * 4  # the edges of one block, whatever its cells
    assert len(creases(np.array([[0, 0, 0], [1, 1, 0.0]]), np.ones(3))) == 19  # five pairs are in line
    assert len(creases(np.zeros((0, 3)), np.ones(3))) == 0


def test_a_scene_in_a_plane_is_seen_straight_on_without_the_axis_across():
    points = np.array([[0, 0, 0], [1, 1, 0], [2, 0, 0.0]])
    scene = scene_figure(Scene((Line("arm", points),), up="y"))["layout"]["scene"]
    assert scene["camera"]["projection"] == {"type": "orthographic"}
    assert scene["camera"]["eye"] == {"x": 2.0, "y": 0.0, "z": 0.0}  # x of this picture is the world's z
    assert not scene["xaxis"]["visible"]
    solid = scene_figure(Scene((Line("arm", np.eye(3)),)))
    assert "projection" not in solid["layout"]["scene"]["camera"]


def test_points_that_are_not_shown_wait_in_the_legend_with_their_scale():
    hidden = replace(valued(), shown=False)
    figure = scene_figure(Scene((hidden,)))
    (trace,) = figure["data"]
    assert (trace["visible"], trace["showlegend"], trace["marker"]["showscale"]) == ("legendonly", True, True)
    assert not [name for name in figure["layout"] if name.startswith("coloraxis")]
