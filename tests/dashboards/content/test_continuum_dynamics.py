"""Drawings of a robot with driven cables in reports."""

import json

import numpy as np
import pytest

from dashboards.content.backends.continuum_dynamics import (
    design_drawings,
    designs_drawings,
    errors_drawing,
    simulated,
)
from models.continuum_dynamics import MODEL, ContinuumDynamics
from models.scene import motion_fault

SHORT = {"disks": 4, "duration": 1.5}
BENT = {"drives": ({"pull": 5e-3, "end": 0.5}, {"state": "locked"}, {"state": "absent"}), **SHORT}


def record(**settings):
    return ContinuumDynamics.model_validate({**BENT, **settings})


@pytest.fixture(scope="module")
def drawings():
    return {drawing.title: drawing for drawing in design_drawings(record())}


def test_a_report_draws_six_figures_of_a_design(drawings):
    kinds = [drawing.kind for drawing in drawings.values()]
    assert kinds == ["tall", "tall", "tall", "tall", "wide", "motion"]
    assert all(drawing.caption and drawing.title for drawing in drawings.values())
    json.dumps([drawing.figure for drawing in drawings.values()], allow_nan=False)


def test_tensions_and_wound_lengths_are_those_of_the_cables_that_are_there(drawings):
    drawing, found = drawings["Tensions and drives"], simulated(record())
    names = [(trace["name"], trace["yaxis"]) for trace in drawing.figure["data"]]
    assert names == [("cable 1", "y"), ("cable 2", "y"), ("cable 1", "y2"), ("cable 2", "y2")]
    peak = max(drawing.figure["data"][0]["y"])
    assert peak == pytest.approx(found.motion.tensions[:, 0].max(), rel=1e-4)
    assert drawing.figure["data"][2]["y"][-1] == pytest.approx(5.0, rel=1e-4)
    assert "Cable 1 is wound by up to 5 mm; it pulls with at most" in drawing.caption
    assert "Cable 2 is locked; it pulls with" in drawing.caption
    assert drawing.figure["layout"]["annotations"][0]["text"] == "drives stop"
    assert drawing.figure["layout"]["annotations"][0]["x"] == pytest.approx(0.5, abs=0.006)


def test_slack_cables_and_gravity_are_named():
    hanging = record(gravity="down", drives=({"pull": 5e-3, "end": 0.5}, {"state": "slack"}))
    tensions, energies, *_ = design_drawings(hanging)
    assert "Cable 2 is slack." in tensions.caption
    assert [trace["name"] for trace in tensions.figure["data"]] == ["cable 1", "cable 2", "cable 1"]
    names = [trace["name"] for trace in energies.figure["data"]]
    assert names[2] == "gravity, from the start on"
    assert energies.figure["data"][2]["y"][0] == 0.0


def test_energies_add_up_to_the_error_that_is_drawn(drawings):
    curves = {trace["name"]: trace["y"][-1] for trace in drawings["Energies"].figure["data"]}
    assert "gravity, from the start on" not in curves
    missed = curves["work of the cables"] - curves["dissipated"] - curves["kinetic"] - curves["elastic"]
    assert missed == pytest.approx(0.0, abs=1e-3 * curves["work of the cables"])
    assert "The cables do work of" in drawings["Energies"].caption


def test_shapes_are_coloured_by_time(drawings):
    figure = drawings["Shapes over time"].figure
    shapes = [trace for trace in figure["data"] if trace.get("text", "").endswith(" s")]
    shapes = [trace for trace in shapes if trace["yaxis"] == "y"]  # from the side
    assert len(shapes) == 13
    assert (shapes[0]["text"], shapes[0]["x"][-1]) == ("0 s", 0.0)
    (bar,) = [
        trace["marker"]["colorbar"] for trace in figure["data"] if "colorbar" in trace.get("marker", {})
    ]
    assert bar["title"]["text"] == "time [s]"


def test_the_motion_is_played_by_the_clock_and_ends_where_the_scene_does(drawings):
    figure, found = drawings["The motion of the robot"].figure, simulated(record())
    assert len(figure["frames"]) == 121
    assert figure["layout"]["meta"]["times"][-1] == 1.5
    assert figure["layout"]["meta"]["speed"] == 0.5
    tip = [figure["frames"][-1]["data"][0][axis][-2] for axis in "xyz"]
    assert tip == pytest.approx(found.motion.positions[-1, -1].tolist(), abs=2e-4 * 0.636)
    assert len(json.dumps(figure)) < 700_000


def test_without_measurements_there_are_no_errors():
    assert errors_drawing(simulated(record())) is None


def test_errors_are_those_of_the_measured_disks_by_axis():
    found = simulated(record())
    rows = [
        {"time": float(found.motion.times[place]), "disk": disk,
         **dict(zip("xyz", (found.motion.positions[place, disk] - off).tolist(), strict=True))}
        for disk, off in ((2, np.zeros(3)), (4, np.array([0.0, 0.00636, -0.0636])))
        for place in (250, 50, 150)
    ]  # fmt: skip
    measured = record(measured=rows)
    drawings = {drawing.title: drawing for drawing in design_drawings(measured)}
    errors = drawings["Errors against the measured motion"]
    curves = {(trace["name"], trace["yaxis"]): trace for trace in errors.figure["data"]}
    assert curves["disk 4", "y"]["x"] == [0.25, 0.75, 1.25]
    assert curves["disk 4", "y2"]["y"] == pytest.approx([6.36] * 3)
    assert curves["disk 4", "y3"]["y"] == pytest.approx([-63.6] * 3)
    assert curves["disk 2", "y3"]["y"] == pytest.approx([0.0] * 3, abs=1e-9)
    assert "the greatest errors are 0 % in x, 1 % in y and 10 % in z." in errors.caption
    assert "measured" in [trace["name"] for trace in drawings["The tip over time"].figure["data"]]
    paths = drawings["Paths of disks from three sides"]
    assert "disks 2, 4;" in paths.caption
    assert "measured" in [trace["name"] for trace in paths.figure["data"]]


def test_designs_are_compared_by_their_way_to_rest_and_their_tensions():
    (drawing,) = designs_drawings({"one": record(), "other": record(mass_damping=3.0, duration=3.0)})
    names = [(trace["name"], trace["yaxis"]) for trace in drawing.figure["data"]]
    assert names == [("one", "y"), ("other", "y"), ("one", "y2"), ("other", "y2")]
    assert "one: the tip does not settle, and cables pull with up to" in drawing.caption
    assert "other: the tip has settled at 2.2 s, and cables" in drawing.caption


def test_a_motion_that_does_not_settle_says_so():
    swinging = record(mass_damping=0.0, drives=({"pull": 15e-3, "end": 0.1}, {"state": "slack"}))
    caption = design_drawings(swinging)[2].caption
    assert "The tip has not settled at the end of the motion." in caption


def test_the_scene_is_a_motion():
    scene = MODEL.scene(record())
    assert motion_fault(scene) == ""
    assert len(scene.moments) == 121
    assert scene.moments[-1].time == 1.5
    assert scene.caption.startswith(
        "A motion of 1.5 s; the robot is shown at its end, or at a chosen moment. "
    )
    assert scene.caption.endswith("Hz at least (first mode).")
