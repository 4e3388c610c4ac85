"""Drawings of a continuum robot in reports and documents, from its own numbers."""

import json

import numpy as np
import pytest

from dashboards.content.backends.continuum import (
    configurations,
    design_drawings,
    evenly,
    events_text,
    first_snap,
    jump_of,
    motion_frames,
    stability_drawing,
    workspaces_drawing,
)
from dashboards.content.backends.plugins import PLUGINS, plugin_of
from dashboards.content.drawing import plot_of
from docs.continuum_statics_figures import FIGURES, paths, record
from models.continuum_statics import disks, equilibrium, equilibrium_path, stable_path
from models.continuum_statics.scene import backbone, robot_lines, up_of
from tests.models.continuum_statics.robots import paper

STATE = np.array([[0.3, -0.2, 0.1], [0.1, 0.4, -0.2], [0.0, 0.0, 0.3]])


@pytest.fixture(scope="module")
def heavy():
    """A robot in the plane that snaps, the path that is followed and the way it takes."""
    parameters = paper(tip_mass=0.055, planar=True)
    return parameters, equilibrium_path(parameters), stable_path(parameters)


# ---------------------------------------------------------------- shapes


def test_the_backbone_passes_through_the_disks_and_has_the_rods_length():
    parameters = paper(disks=3)
    points = backbone(parameters, STATE, 50)
    assert points[::50] == pytest.approx(disks(parameters, STATE).positions, abs=1e-12)
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    assert length == pytest.approx(3 * 0.08, rel=1e-4)


def test_arcs_per_gap_add_points_and_no_disks():
    parameters = paper(disks=1, arcs_per_gap=3)
    lines = robot_lines(parameters, STATE)
    assert len(backbone(parameters, STATE)) == 3 * 8 + 1
    assert sum(line.group == "disks" for line in lines) == 2


def test_cables_run_from_hole_to_hole_up_to_their_tie_disk():
    parameters = paper(disks=3, tie_disks=(3, 2, 1))
    cables = [line for line in robot_lines(parameters, STATE) if line.group == "cables"]
    assert [len(cable.points) for cable in cables] == [4, 3, 2]
    assert cables[0].points[0] == pytest.approx([0, 0.028, 0], abs=1e-12)
    where = disks(parameters, STATE)
    tied = where.positions[3] + where.rotations[3] @ [0, 0.028, 0]
    assert cables[0].points[-1] == pytest.approx(tied, abs=1e-12)


@pytest.mark.parametrize(
    ("gravity", "up"),
    [
        ("horizontal", "y"),
        ("down", "-z"),
        ("up", "z"),
        ((0, 0, 0), "z"),
        ((9, 1, 2), "-x"),
        ((-9, 1, 2), "x"),
    ],
)
def test_pictures_are_drawn_against_gravity(gravity, up):
    assert up_of(paper(gravity=gravity)) == up


# ---------------------------------------------------------------- paths


def test_a_snap_is_drawn_reported_and_shown_moment_by_moment(heavy):
    parameters, path, taken = heavy
    snap = first_snap(taken)
    assert snap is not None
    before, after = jump_of(parameters, taken)
    assert before.value == after.value == snap.tension
    assert after.points[-1] == pytest.approx(snap.tip_after, abs=1e-9)
    drawn = configurations(parameters, taken)
    assert {"before the snap", "after the snap"} <= {trace.get("name") for trace in drawn.figure["data"]}
    assert "jumps" in drawn.caption
    labels = [still.label for still in motion_frames(parameters, taken)]
    assert sum("jump" in label for label in labels) == 12
    assert labels[0] == "0 N"
    assert labels[-1] == "20 N"
    marks = next(
        trace for trace in stability_drawing(path, taken).figure["data"] if trace.get("name") == "events"
    )
    assert set(marks["marker"]["symbol"]) == {"x"}


def test_a_robot_without_events_is_stable_throughout_and_has_one_curve():
    parameters = paper(max_tension=5.0)
    path = equilibrium_path(parameters)
    assert events_text(path).startswith("Stable throughout")
    drawn = stability_drawing(path, path)
    assert [trace["name"] for trace in drawn.figure["data"]] == ["equilibria"]
    assert drawn.kind == "flat"


def test_a_report_draws_three_figures_of_a_design():
    drawings = design_drawings(paper(tip_mass=0.05))
    assert [drawing.kind for drawing in drawings] == ["tall", "tall", "motion"]
    assert all(drawing.caption and drawing.title for drawing in drawings)
    json.dumps([drawing.figure for drawing in drawings], allow_nan=False)
    moving = drawings[2].figure
    assert len(moving["layout"]["sliders"][0]["steps"]) == len(moving["frames"])
    assert plot_of(drawings[2], "x").kind == "motion"


def test_places_are_spread_evenly_with_both_ends():
    assert evenly(5, 10) == [0, 1, 2, 3, 4]
    assert evenly(101, 5) == [0, 25, 50, 75, 100]
    assert evenly(101, 3, [7]) == [0, 7, 50, 100]
    assert evenly(0, 3) == []


# ---------------------------------------------------------------- workspaces


def test_workspaces_of_several_robots_are_surfaces_in_one_frame():
    small = {"tension_steps": 21, "rays": 3}
    named = {"light": paper(**small), "heavy": paper(tip_mass=0.07, **small)}
    drawn = workspaces_drawing(named)
    meshes = [trace for trace in drawn.figure["data"] if trace["type"] == "mesh3d"]
    assert [mesh["name"] for mesh in meshes] == ["heavy"]
    assert max(meshes[0]["i"]) < len(meshes[0]["x"])
    assert "light" in {trace["name"] for trace in drawn.figure["data"] if trace["type"] == "scatter3d"}
    assert "light:" in drawn.caption
    json.dumps(drawn.figure, allow_nan=False)


# ---------------------------------------------------------------- the paper


def test_figures_of_the_paper_are_all_there():
    assert [figure.number for figure in FIGURES] == list(range(6, 19))
    for figure in FIGURES:
        assert all(record(robot) for robot in figure.robots)


@pytest.mark.parametrize("number", [6, 7, 9, 11, 15])
def test_a_figure_of_the_paper_has_both_statements(number):
    drawn = FIGURES[number - 6].drawing
    assert drawn.title.startswith(f"Figure {number}: ")
    assert drawn.caption.startswith("Paper: ")
    assert "Ours: " in drawn.caption
    assert drawn.figure["data"]


@pytest.mark.parametrize(
    ("robot", "least"),
    [("no payload", 0.39), ("30 g", 0.14), ("50 g, hanging", 0.20), ("50 g, area + 25 %", 0.24)],
)
def test_robots_that_the_paper_calls_stable_are(robot, least):
    path = paths(robot)[0]
    assert path.events == ()
    assert path.lambda_min.min() == pytest.approx(least, abs=0.006)


def test_fifty_grams_leave_the_plane_and_nearly_fold_in_it():
    path, planar = paths("50 g")[0], paths("50 g", planar=True)[0]
    assert [event.tension for event in path.events] == pytest.approx([8.83, 9.27], abs=0.01)
    assert [event.supercritical for event in path.events] == [True, True]
    assert planar.events == ()
    assert planar.lambda_min.min() == pytest.approx(0.0143, abs=3e-4)


def test_the_experiments_lift_the_tip():
    tips = [equilibrium(record("no payload"), np.array([load, 0.0, 0.0])).tip[1] for load in (0.0, 5.886)]
    assert tips[0] < -0.08
    assert tips[1] > 0.2


# ---------------------------------------------------------------- faces


def test_faces_belong_to_back_ends_and_others_have_none(shapes_data):
    continuum = {"continuum-statics", "continuum-kinematics", "continuum-dynamics"}
    ours = {"hybrid-cable-robot", "flexible-arm", *continuum}
    assert set(PLUGINS) <= ours
    nothing = plugin_of("faulty")
    assert nothing.conditions(shapes_data) is None
    assert list(nothing.of_design(None)) == []
    assert list(nothing.of_designs({})) == []
