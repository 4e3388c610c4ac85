"""Drawings of a multi-section robot in reports, from its own numbers."""

import json

import numpy as np
import pytest

from dashboards.content.backends import continuum_kinematics as content
from dashboards.content.backends.continuum_kinematics import (
    design_drawings,
    designs_drawings,
    deviation_drawing,
    dexterity_drawing,
    directions_drawing,
    far_apart,
    line_distances,
    poses_drawing,
    workspace_drawing,
)
from models.continuum_kinematics import (
    ContinuumKinematics,
    solve_path,
    solve_task_points,
    solve_task_poses,
)

FEW = {"samples": 1000, "directions": 60, "starts": 20}
FAR = {"x": 0.0, "y": 0.0, "z": -1.0}


@pytest.fixture(scope="module", autouse=True)
def small():
    """Fewer tips and cells than in a report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "TIPS", 5000)
        patch.setattr(content, "MOST_CELLS", 12)
        patch.setattr(content, "TRIED", 8)
        yield


@pytest.fixture(scope="module")
def robot():
    return ContinuumKinematics(**FEW)


@pytest.fixture(scope="module")
def drawings(robot):
    return design_drawings(robot)


def names(drawing):
    return [trace.get("name") for trace in drawing.figure["data"]]


def test_a_report_draws_workspace_dexterity_poses_path_and_directions(drawings):
    assert [(drawing.title.split(" at ")[0], drawing.kind) for drawing in drawings] == [
        ("Workspace from three sides", "wide"),
        ("Dexterity over the workspace", "tall"),
        ("Deviation from the path", "tall"),
        ("The robot", "space"),
        ("The motion along the path", "motion"),
        ("The path of the tip, enlarged", "wide"),
        ("Directions", "space"),
        ("Directions", "space"),
    ]
    json.dumps([drawing.figure for drawing in drawings], allow_nan=False)
    assert all(drawing.caption for drawing in drawings)


def test_a_robot_without_tasks_still_has_a_workspace():
    bare = ContinuumKinematics(**FEW, task_points=(), task_poses=(), path=())
    titles = [drawing.title for drawing in design_drawings(bare)]
    assert titles == ["Workspace from three sides", "Dexterity over the workspace"]
    single = ContinuumKinematics(
        **FEW, task_points=(), task_poses=(), path=({"x": 0.0, "y": 0.0, "z": -0.2},)
    )
    assert len(design_drawings(single)) == 2


def test_a_robot_whose_guides_would_meet_is_not_drawn():
    assert design_drawings(ContinuumKinematics(**FEW, guide_radius=0.05)) == ()


def test_the_hanging_robot_hangs_in_all_pictures(robot):
    state = solve_task_poses(robot)[0].sections
    views = workspace_drawing(robot, state)
    last = next(trace for trace in views.figure["data"] if trace["name"] == "section 3")
    assert (last["x"][-2], last["y"][-2]) == pytest.approx((0.049974, -0.195508), abs=1e-4)
    standing = ContinuumKinematics(**FEW, mounting="standing")
    assert "from z = \N{MINUS SIGN}" in views.caption
    assert min(dexterity_drawing(robot).figure["data"][0]["y"]) < -0.15
    assert max(dexterity_drawing(standing).figure["data"][0]["y"]) > 0.15


def test_dexterity_is_a_share_on_a_scale_from_0_to_1(drawings):
    (trace,) = drawings[1].figure["data"]
    values = [value for row in trace["z"] for value in row if value is not None]
    assert 1 < len(values) <= 12
    assert 0.0 <= min(values) < max(values) <= 1.0
    scale = drawings[1].figure["layout"]["coloraxis"]
    assert (scale["cmin"], scale["cmax"]) == (0.0, 1.0)


def test_the_robot_is_drawn_at_its_poses_with_their_frames(drawings):
    traces = {trace["name"]: trace for trace in drawings[3].figure["data"]}
    assert set(traces) == {"section 1", "section 2", "section 3", "guides", "cables", "target frames"}
    assert set(traces["target frames"]["text"]) == {"", "x", "y", "z"}
    assert drawings[3].caption == "1 of 1 task pose is met."


def test_poses_that_are_missed_are_named(robot):
    far = robot.model_copy(update={"task_poses": (*robot.task_poses, type(robot.task_poses[0])(**FAR))})
    drawn = poses_drawing(far, solve_task_poses(far))
    assert "1 of 2 task poses is met." in drawn.caption
    assert "Task pose 2 is missed by 0.76" in drawn.caption


def test_the_motion_goes_from_pose_to_pose(drawings):
    moments = [step["label"] for step in drawings[4].figure["layout"]["sliders"][0]["steps"]]
    assert (moments[0], moments[-1]) == ("pose 1", "pose 6")
    assert len(moments) == 61
    assert any(moment.startswith("from pose 3 to 4, ") for moment in moments)
    moving = drawings[4].figure["frames"][0]["traces"]
    still = names(drawings[4])[len(moving) :]
    assert still == ["path of the tip", "target frames"]


def test_the_deviation_is_the_path_error(robot):
    way = solve_path(robot)
    distances = line_distances(way.tips, way.wanted)
    assert distances.max() == pytest.approx(way.path_error, rel=1e-9)
    assert distances[::16] == pytest.approx(np.zeros(6), abs=1e-7)
    drawn = deviation_drawing(way)
    (trace,) = drawn.figure["data"]
    assert max(trace["y"]) == pytest.approx(1e3 * way.path_error, rel=1e-3)
    assert drawn.figure["layout"]["yaxis"]["title"]["text"] == "distance from the path [mm]"
    assert (trace["x"][0], trace["x"][-1]) == (1, 6)


def test_robots_at_a_point_end_there_and_dots_count_the_directions(robot):
    point, found = np.array(robot.task_points[0]), solve_task_points(robot)[0]
    drawn = directions_drawing(robot, point, found)
    robots = [trace for trace in drawn.figure["data"] if trace["mode"] == "lines"]
    assert [trace["name"] for trace in robots] == [f"direction {number}" for number in range(1, 7)]
    for trace in robots:
        assert [trace[axis][-2] for axis in "xyz"] == pytest.approx(point, abs=1e-6)
    dots = [trace for trace in drawn.figure["data"] if trace["mode"] == "markers"]
    assert sum(len(trace["x"]) for trace in dots) == 60
    places = np.array([dots[0][axis] for axis in "xyz"]).T
    assert np.linalg.norm(places - point, axis=1) == pytest.approx(np.full(len(places), 0.048), rel=1e-3)
    assert f"{int(found.reached.sum())} of 60 directions" in drawn.caption


def test_a_point_that_is_not_reached_has_dots_alone(robot):
    far = robot.model_copy(update={"task_points": ((0.0, 0.0, -1.0),)})
    drawn = directions_drawing(far, np.array([0.0, 0.0, -1.0]), solve_task_points(far)[0])
    assert names(drawn) == ["not reached"]
    assert "0 of 60 directions (0 %)" in drawn.caption


def test_chosen_directions_are_far_apart():
    axes = np.array([[1, 0, 0], [0.9, 0.1, 0], [-1, 0, 0], [0, 1, 0]])
    assert far_apart(axes, range(4), 3) == [0, 2, 3]
    assert far_apart(axes, [1], 3) == [1]
    assert far_apart(axes, [], 3) == []


def test_workspaces_of_several_designs_are_outlines_in_one_picture(robot):
    other = ContinuumKinematics(**FEW, bend_limit=1.0)
    (drawn,) = designs_drawings({"wide": robot, "narrow": other})
    assert names(drawn) == ["wide", "narrow", "wide", "narrow"]
    assert "wide: The tip comes up to" in drawn.caption
