"""Figures of continuum robots, from shapes made by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dashboards.figures.configurations import Pose, Sweep, configurations_figure, thinned
from dashboards.figures.motion import (
    MotionFrame,
    motion_figure,
    playing_speed,
    scene_motion_figure,
    time_labels,
)
from dashboards.figures.scene import scene_figure
from dashboards.figures.stability import Curve, Mark, eigenvalue_figure, marks_text
from dashboards.figures.up_axis import CAMERA, camera_across, upright
from dashboards.figures.workspaces import WorkspaceSurface, workspaces_figure
from dashboards.palette import RAMP, ramp_colour
from models.scene import Line, Moment, Scene

HOSTILE = "<b>50 g</b>"
EVERY_UP = ("x", "y", "z", "-x", "-y", "-z")


def arc(curvature, azimuth=0.0, length=0.48):
    """A circular arc (25, 3) m from the origin along z, bent towards an azimuth counted from y."""
    s = np.linspace(0.0, length, 25)
    k = curvature or 1e-9
    out = (1 - np.cos(k * s)) / k
    return np.stack([out * np.sin(azimuth), out * np.cos(azimuth), np.sin(k * s) / k], axis=1)


def sweep(azimuth=0.0, count=61):
    return [Pose(t, arc(0.4 * t, azimuth), not 8 < t < 10) for t in np.linspace(0.0, 20.0, count)]


def lines_of(figure):
    return [trace for trace in figure["data"] if trace.get("mode") == "lines" and trace["x"] != [None]]


# ---------------------------------------------------------------- standing upright


@pytest.mark.parametrize("up", EVERY_UP)
def test_pictures_stay_right_handed_and_point_up(up):
    view = upright(up)
    axes = np.zeros((3, 3))
    for place, world in enumerate(view.order):
        axes[place, world] = -1.0 if view.backwards(place) else 1.0
    assert np.linalg.det(axes) == pytest.approx(1.0)
    wanted = np.zeros(3)
    wanted["xyz".index(up[-1])] = -1.0 if up.startswith("-") else 1.0
    assert axes[2].tolist() == wanted.tolist()


@pytest.mark.parametrize("up", EVERY_UP)
def test_a_camera_looks_across_a_way_in_the_picture(up):
    view = upright(up)
    way = np.zeros(3)
    way[view.order[0]], way[view.order[1]] = 0.3, 0.4
    eye = camera_across(view, way)["eye"]
    drawn = [-part if view.backwards(place) else part for place, part in enumerate((0.6, 0.8))]
    distance = np.hypot(eye["x"], eye["y"])
    assert distance == pytest.approx(np.hypot(CAMERA["eye"]["x"], CAMERA["eye"]["y"]), rel=1e-3)
    share = (drawn[0] * eye["x"] + drawn[1] * eye["y"]) / distance
    assert np.degrees(np.arccos(share)) == pytest.approx(65, abs=0.1)


def test_a_way_along_the_vertical_turns_no_camera():
    assert camera_across(upright("z"), np.array([0.0, 0.0, 1.0])) == CAMERA


def test_a_scene_with_another_up_is_drawn_along_other_axes():
    shape = Line("backbone", np.array([[0, 0, 0], [0.1, 0.2, 0.5]]))
    plain = scene_figure(Scene((shape,)))
    lying = scene_figure(Scene((shape,), up="y"))
    hanging = scene_figure(Scene((shape,), up="-z"))
    assert plain["data"][0]["z"][:2] == [0, 0.5]
    assert lying["data"][0]["z"][:2] == [0, 0.2]
    assert lying["data"][0]["x"][:2] == [0, 0.5]
    assert lying["layout"]["scene"]["zaxis"]["title"]["text"] == "y [m]"
    ends = hanging["layout"]["scene"]["zaxis"]["range"]
    assert ends[0] > ends[1]


# ---------------------------------------------------------------- configurations


def test_every_shape_is_a_line_of_its_own_colour_and_unstable_ones_are_dotted():
    poses = [Pose(t, arc(t), t != 2) for t in (0, 1, 2, 3)]
    figure = configurations_figure(poses, "y")
    shapes = [trace for trace in lines_of(figure) if "text" in trace]
    assert len(shapes) == 4
    assert shapes[0]["line"]["color"].lower() == RAMP[0].lower()
    assert shapes[-1]["line"]["color"].lower() == RAMP[-1].lower()
    assert shapes[2]["line"]["dash"] == "dot"
    assert "unstable" in shapes[2]["text"]
    assert (shapes[1]["x"][-1], shapes[1]["y"][-1]) == pytest.approx(arc(1)[-1, [2, 1]], rel=1e-3)


def test_shapes_over_time_say_so():
    poses = [Pose(t, arc(t)) for t in (0, 1, 2)]
    figure = configurations_figure(poses, "y", sweep=Sweep("time", "s", "backbone"))
    assert [trace["text"] for trace in lines_of(figure) if "text" in trace] == ["0 s", "1 s", "2 s"]
    (bar,) = [t["marker"]["colorbar"] for t in figure["data"] if "colorbar" in t.get("marker", {})]
    assert bar["title"]["text"] == "time [s]"
    assert [trace["name"] for trace in figure["data"] if "name" in trace] == ["backbone", "tip"]


def test_long_paths_are_thinned_evenly_with_both_ends():
    shown = thinned(sweep(count=500), 11)
    assert [pose.value for pose in shown] == pytest.approx(np.linspace(0, 20, 11), abs=0.03)


def test_a_robot_that_leaves_the_plane_is_seen_from_above_too():
    flat = configurations_figure(sweep(), "y")
    turned = configurations_figure(sweep(0.3), "y")
    assert "yaxis2" not in flat["layout"]
    assert "from above" in turned["layout"]["yaxis2"]["title"]["text"]
    assert turned["layout"]["xaxis2"]["matches"] == "x"
    assert turned["layout"]["yaxis2"]["scaleratio"] == 1


def test_a_hanging_robot_hangs():
    figure = configurations_figure(sweep(), "-z")
    assert figure["layout"]["yaxis"]["title"]["text"] == "z [m]"
    assert figure["layout"]["yaxis"]["autorange"] == "reversed"
    assert figure["layout"]["xaxis"]["title"]["text"] == "y [m]"


def test_a_narrow_picture_has_few_numbers_along_its_width():
    assert configurations_figure([Pose(1, arc(0.3))], "y")["layout"]["xaxis"].get("nticks") is None
    assert configurations_figure([Pose(1, arc(0.3))], "z")["layout"]["xaxis"]["nticks"] == 3


def test_a_jump_is_drawn_bold_and_named():
    figure = configurations_figure(sweep(), "y", (Pose(9.2, arc(1)), Pose(9.2, arc(6))))
    names = [trace.get("name") for trace in figure["data"]]
    assert {"before the snap", "after the snap"} <= set(names)
    assert sum(trace["line"]["width"] == 4 for trace in lines_of(figure) if "text" in trace) == 2


# ---------------------------------------------------------------- eigenvalues


def curve(name="in space"):
    tensions = np.linspace(0, 20, 81)
    values = 0.4 + 0.002 * (tensions - 9) ** 2 - 0.5 * np.exp(-((tensions - 9) ** 2))
    marks = (Mark("bifurcation", 8.3, "leaves the plane"), Mark("fold", 9.7, "snaps"))
    return Curve(name, tensions, values, values > 0, marks)


def test_unstable_stretches_are_dotted_and_join_the_stable_ones():
    stable, unstable, marks = eigenvalue_figure([curve()])["data"][:3]
    assert stable["line"]["dash"] == "solid"
    assert unstable["line"]["dash"] == "dot"
    both = [a is not None and b is not None for a, b in zip(stable["y"], unstable["y"], strict=True)]
    assert sum(both) == 2
    assert all(a is not None or b is not None for a, b in zip(stable["y"], unstable["y"], strict=True))
    assert marks["marker"]["symbol"] == ["diamond", "x"]
    assert marks["text"][0] == "bifurcation at 8.3 N: leaves the plane"


def test_events_close_together_are_shown_enlarged():
    figure = eigenvalue_figure([curve()])
    lower, upper = figure["layout"]["xaxis2"]["range"]
    assert 7 < lower < 8.3
    assert 9.7 < upper < 11
    assert {trace["xaxis"] for trace in figure["data"]} == {"x", "x2"}
    assert not [trace for trace in figure["data"] if trace["xaxis"] == "x2" and trace["showlegend"]]
    far = replace(curve(), marks=(Mark("fold", 2.0, ""), Mark("fold", 15.0, "")))
    assert "xaxis2" not in eigenvalue_figure([far])["layout"]
    assert "xaxis2" not in eigenvalue_figure([replace(curve(), marks=())])["layout"]


def test_a_band_lies_below_the_line_that_runs_along_it():
    traces = eigenvalue_figure([curve("line"), replace(curve("band"), broad=True, marks=())])["data"]
    assert [trace["name"] for trace in traces[:3]] == ["band", "line", "line, unstable"]
    assert traces[0]["line"]["width"] > traces[1]["line"]["width"]
    assert None not in traces[0]["y"]


def test_events_are_reported_in_words():
    assert marks_text(curve().marks) == "bifurcation at 8.3 N (leaves the plane); fold at 9.7 N (snaps)"


# ---------------------------------------------------------------- workspaces


def reach(name, lost=0):
    vertices = np.array([[0, 0, 0.5], [0.1, 0, 0.4], [0, 0.1, 0.4], [0.1, 0.1, 0.3]])
    return WorkspaceSurface(
        name, vertices, np.array([[0, 1, 2], [1, 3, 2]]), np.full((lost, 3), 0.2), (vertices[:2],)
    )


def test_workspaces_share_a_frame_and_losses_are_marked():
    figure = workspaces_figure([reach("none"), reach("heavy", 2)], "y")
    meshes = [trace for trace in figure["data"] if trace["type"] == "mesh3d"]
    net = next(trace for trace in figure["data"] if trace["name"] == "none")
    assert [mesh["name"] for mesh in meshes] == ["heavy"]
    assert net["type"] == "scatter3d"
    assert net["showlegend"]
    assert net["line"]["color"] != meshes[0]["color"]
    lost = next(trace for trace in figure["data"] if trace.get("name") == "heavy: stability lost")
    assert len(lost["x"]) == 2
    assert meshes[0]["z"] == [0, 0, 0.1, 0.1]


def test_an_empty_workspace_among_others_is_left_out():
    nothing = WorkspaceSurface("none", np.zeros((0, 3)), np.zeros((0, 3), np.int64), np.zeros((1, 3)))
    figure = workspaces_figure([nothing, reach("some")])
    assert [trace["name"] for trace in figure["data"] if trace["type"] == "mesh3d"] == ["some"]


# ---------------------------------------------------------------- motion


def moments(count=5):
    return [
        MotionFrame(
            f"{i} N", (Line("backbone", arc(0.4 * i)), *([Line("c1", arc(i), "cables")] if i else []))
        )
        for i in range(count)
    ]


def test_a_motion_has_a_frame_per_moment_with_the_same_traces():
    figure = motion_figure(moments(), arc(1), "y", "cable 1")
    assert len(figure["frames"]) == 5
    assert {len(item["data"]) for item in figure["frames"]} == {2}
    assert figure["frames"][0]["data"][1]["x"] == []
    for moved, drawn in zip(figure["frames"][0]["data"], figure["data"], strict=False):
        assert moved == {name: drawn[name] for name in ("type", "x", "y", "z")}
    assert "meta" not in figure["layout"]
    slider = figure["layout"]["sliders"][0]
    assert [step["label"] for step in slider["steps"]] == ["0 N", "1 N", "2 N", "3 N", "4 N"]
    assert slider["currentvalue"]["prefix"] == "cable 1: "
    labels = [button["label"] for button in figure["layout"]["updatemenus"][0]["buttons"]]
    assert labels == ["Play", "Pause"]


def test_the_frame_holds_every_moment():
    figure = motion_figure(moments(), arc(1), "y")
    low, high = figure["layout"]["scene"]["zaxis"]["range"]
    tops = [value for item in figure["frames"] for value in item["data"][0]["z"] if value is not None]
    assert low < min(tops)
    assert high > max(tops)


def swinging(times=(0.0, 0.5, 2.5), up="y"):
    """A scene in which a rod bends beside a wall and a disk that stand still, the disk in the rod's group."""
    rods = [Line("rod", arc(0.4 + place), "robot") for place in range(len(times))]
    still = Line("wall", arc(0.0), "walls"), Line("disk", arc(0.0, length=0.1), "robot")
    moments = tuple(Moment(time, (rod,)) for time, rod in zip(times, rods, strict=True))
    return Scene((*still, rods[-1]), "bent", up, moments)


@pytest.mark.parametrize("up", ["y", "-z"])
def test_a_scene_that_moves_is_drawn_as_it_is_at_the_end_with_a_frame_per_moment(up):
    scene = swinging(up=up)
    figure, still = scene_motion_figure(scene), scene_figure(scene)
    assert figure["data"] == still["data"]
    assert [item["traces"] for item in figure["frames"]] == [[1]] * 3
    drawn, (first,), (last,) = figure["data"][1], *(figure["frames"][place]["data"] for place in (0, -1))
    for axis in "xyz":
        disk, rod = slice(0, 25), slice(26, 51)
        assert first[axis][disk] == pytest.approx(drawn[axis][disk], rel=1e-3)  # stands still
        assert last[axis][rod] == pytest.approx(drawn[axis][rod], rel=1e-3, abs=1e-6)
        assert len(first[axis]) == len(drawn[axis])
    assert figure["frames"][0]["data"][0] != figure["frames"][1]["data"][0]
    assert figure["layout"]["sliders"][0]["active"] == 2
    assert [step["label"] for step in figure["layout"]["sliders"][0]["steps"]] == ["0.0 s", "0.5 s", "2.5 s"]
    meta = {"axes": figure["layout"]["meta"]["axes"], "times": [0.0, 0.5, 2.5], "speed": 1.0}
    assert figure["layout"]["meta"] == meta
    assert set(meta["axes"]) == set("xyz")
    assert meta["axes"][2] == up[-1]


def test_the_frame_of_a_scene_holds_its_whole_motion():
    rods = [Line("rod", np.array([[0.0, 0.0, 0.0], [0.0, 0.0, height]])) for height in (9.0, 1.0)]
    scene = Scene((rods[-1],), moments=(Moment(0.0, (rods[0],)), Moment(1.0, (rods[1],))))
    assert scene_motion_figure(scene)["layout"]["scene"]["zaxis"]["range"][1] > 9.0
    assert scene_figure(scene)["layout"]["scene"]["zaxis"]["range"][1] < 2.0


def test_a_scene_that_stands_still_has_no_frames():
    scene = replace(swinging(), moments=())
    assert scene_motion_figure(scene) == scene_figure(scene)


@pytest.mark.parametrize(
    ("duration", "speed"),
    [
        (2.0, 1),
        (20.0, 1),
        (20.1, 2),
        (60.0, 5),
        (100.0, 5),
        (101.0, 10),
        (1.0, 0.5),
        (0.3, 0.1),
        (0.02, 0.01),
    ],
)
def test_a_motion_is_played_within_two_to_twenty_seconds(duration, speed):
    assert playing_speed(duration) == pytest.approx(speed)
    assert 2.0 - 1e-9 <= duration / playing_speed(duration) <= 20.0 + 1e-9


def test_a_motion_without_duration_is_played_in_real_time():
    assert playing_speed(0.0) == 1.0


@pytest.mark.parametrize(
    ("times", "labels"),
    [
        ((0.0, 0.25, 0.5), ["0.00 s", "0.25 s", "0.50 s"]),
        ((0.0, 0.01, 12.0), ["0.00 s", "0.01 s", "12.00 s"]),
        ((0.0, 5.0), ["0 s", "5 s"]),
        ((0.0, 0.002, 0.02), ["0 ms", "2 ms", "20 ms"]),
    ],
)
def test_times_show_how_far_apart_they_are(times, labels):
    assert time_labels(times) == labels


def test_notebooks_play_a_motion_at_the_same_speed():
    figure = motion_figure(moments(5), arc(1), "y", "time", times=[0.0, 10.0, 20.0, 30.0, 40.0])
    play = figure["layout"]["updatemenus"][0]["buttons"][0]
    assert play["args"][1]["frame"]["duration"] == 5000
    assert figure["layout"]["meta"] == {"times": [0.0, 10.0, 20.0, 30.0, 40.0], "speed": 2.0}


# ---------------------------------------------------------------- all


def everything(name=""):
    return [
        configurations_figure(sweep(), "y"),
        eigenvalue_figure([curve(f"path {name}")]),
        workspaces_figure([reach(f"robot {name}", 1)], "y"),
        motion_figure(
            [MotionFrame(f"1 N {name}", (Line(f"rod {name}", arc(1)),))], arc(1), "y", name or "tension"
        ),
    ]


def test_figures_are_plain_json_with_escaped_names():
    text = json.dumps(everything(HOSTILE), allow_nan=False)
    assert HOSTILE not in text
    assert "&lt;b&gt;50 g&lt;/b&gt;" in text


@pytest.mark.parametrize(
    "figure",
    [
        configurations_figure([]),
        eigenvalue_figure([]),
        workspaces_figure([]),
        motion_figure([], np.zeros((0, 3))),
    ],
)
def test_without_data_a_figure_says_so(figure):
    assert figure["data"] == []
    assert figure["layout"]["annotations"][0]["text"]


def test_numbers_have_few_digits():
    assert len(json.dumps(configurations_figure(sweep(count=41), "y"))) < 60_000


def test_the_ramp_passes_through_its_colours():
    assert [ramp_colour(i / (len(RAMP) - 1)).upper() for i in range(len(RAMP))] == list(RAMP)
    assert ramp_colour(-1.0).upper() == RAMP[0]
    assert ramp_colour(2.0).upper() == RAMP[-1]
