"""Drawings of a chain of elastic links in reports."""

import json

import numpy as np
import pytest

from dashboards.content.backends.flexible_arm import (
    design_drawings,
    design_tables,
    designs_drawings,
    simulated,
)
from dashboards.figures.scene import scene_figure
from models.flexible_arm import FlexibleArm
from models.flexible_arm.scene import scene
from models.scene import motion_fault

SHORT = {"duration": 0.6, "modes": 1}


def record(**settings):
    return FlexibleArm.model_validate({**SHORT, **settings})


@pytest.fixture(scope="module")
def drawings():
    return {drawing.title: drawing for drawing in design_drawings(record())}


def curves_of(drawing):
    """By name and axis, the values that are drawn."""
    return {(trace["name"], trace["yaxis"]): trace for trace in drawing.figure["data"]}


def test_a_report_draws_nine_figures_of_a_design(drawings):
    assert list(drawings) == [
        "Ends of links over time",
        "Velocities of the ends",
        "Forces of the ground",
        "The first contact",
        "Modal weights and deflection",
        "Energies",
        "Error of the energy balance",
        "Shapes over time",
        "The motion of the arm",
    ]
    assert all(drawing.caption for drawing in drawings.values())
    json.dumps([drawing.figure for drawing in drawings.values()], allow_nan=False)


def test_ends_fall_and_touch_the_ground(drawings):
    curves = curves_of(drawings["Ends of links over time"])
    assert set(curves) == {(f"end {end}", axis) for end in range(4) for axis in ("y", "y2")}
    assert curves["end 0", "y2"]["y"][0] == 0.9
    assert curves["end 1", "y2"]["y"][0] == 1.4
    mark = drawings["Ends of links over time"].figure["layout"]["annotations"][0]
    assert (mark["text"], mark["x"]) == ("first contact", pytest.approx(np.sqrt(1.8 / 9.81), abs=1e-8))


def test_forces_reach_the_peaks_of_the_contacts_and_friction_is_its_share(drawings):
    curves, found = curves_of(drawings["Forces of the ground"]), simulated(record())
    peak = max(hit.peak_force for hit in found.motion.contacts)
    drawn = max(max(curves[f"end {end}", "y"]["y"]) for end in range(4))
    assert drawn == pytest.approx(peak, rel=0.01)
    assert max(curves["end 1", "y2"]["y"]) == 0.0, "the inner ends do not slide"
    assert "normal force is 0.1 on end 0 and 0.1 on end 3." in drawings["Forces of the ground"].caption


def test_the_first_contact_is_drawn_alone(drawings):
    drawing = drawings["The first contact"]
    curves = curves_of(drawing)
    assert {name for name, _ in curves} == {"end 0", "end 3"}
    times = curves["end 0", "y"]["x"]
    assert 0.425 < times[0] < 0.428353
    assert 0.4376 < times[-1] < 0.442
    assert "6 contacts of ends 0 and 3, from 0.4284 s to 0.4376 s. End 0 touches the ground 3 times." in (
        drawing.caption
    )


def test_the_greatest_deflection_is_the_weight_of_a_single_mode(drawings):
    curves = curves_of(drawings["Modal weights and deflection"])
    weights = [np.abs(curves[f"link {link}, mode 1", "y"]["y"]).max() for link in (1, 2, 3)]
    assert max(curves["any link", "y2"]["y"]) == pytest.approx(max(weights), rel=1e-3)


def test_energies_add_up(drawings):
    last = {trace["name"]: trace["y"][-1] for trace in drawings["Energies"].figure["data"]}
    first = {trace["name"]: trace["y"][0] for trace in drawings["Energies"].figure["data"]}
    assert sum(last.values()) == pytest.approx(sum(first.values()), rel=1e-4)
    assert "% in the mean over time, and" in drawings["Error of the energy balance"].caption


def test_shapes_and_the_motion_begin_at_the_start(drawings):
    shapes = [each for each in drawings["Shapes over time"].figure["data"] if each.get("text", "") == "0 s"]
    assert (shapes[0]["x"][0], shapes[0]["y"][0]) == (pytest.approx(-1.366, abs=1e-3), 0.9)
    motion = drawings["The motion of the arm"].figure
    assert motion["layout"]["meta"]["times"][0] == 0.0
    assert motion["layout"]["meta"]["times"][-1] == 0.6
    assert [trace["name"] for trace in motion["data"]] == [
        "links",
        "ends of links",
        "path of the tip",
        "ground",
    ]
    assert len(json.dumps(motion)) < 700_000


def test_the_table_lists_contacts_in_the_order_of_their_entries():
    (found,) = design_tables(record())
    assert found.head[:3] == ("contact of", "entry [s]", "exit [s]")
    rows = [[cell.text for cell in row] for row in found.rows]
    assert [row[0] for row in rows[:6]] == ["end 0", "end 3"] * 3
    assert [row[1] for row in rows[:6:2]] == ["0.428353", "0.432616", "0.436875"]
    assert rows[0][3] == "4.202"
    assert "late ones are chaotic" in found.caption


def test_a_contact_that_has_not_ended_says_so():
    (found,) = design_tables(record(duration=0.4286))
    assert [cell.text for cell in found.rows[0]][2] == "not ended"
    titles = [drawing.title for drawing in design_drawings(record(duration=0.4286))]
    assert "Forces of the ground" in titles
    assert "The first contact" not in titles


def test_rigid_links_that_do_not_touch_the_ground_have_no_weights_and_no_forces():
    flying = record(mode_sets=("rigid",), duration=0.2)
    titles = [drawing.title for drawing in design_drawings(flying)]
    assert not {"Forces of the ground", "The first contact", "Modal weights and deflection"} & set(titles)
    assert design_tables(flying) == ()
    assert "no end of a link touches the ground" in scene(flying).caption


def test_of_many_links_some_ends_are_drawn():
    many = record(links=12, duration=0.1)
    drawing = design_drawings(many)[0]
    names = list(dict.fromkeys(trace["name"] for trace in drawing.figure["data"]))
    assert names == ["end 0", "end 2", "end 5", "end 7", "end 10", "end 12"]
    assert "6 of 13 ends are drawn." in drawing.caption


def test_designs_are_compared_by_deflection_and_force():
    (drawing,) = designs_drawings({"one": record(), "other": record(section_height=0.02, duration=0.3)})
    assert set(curves_of(drawing)) == {("one", "y"), ("other", "y"), ("one", "y2"), ("other", "y2")}
    assert "one: links bend by up to 28" in drawing.caption
    assert "other: links bend by up to" in drawing.caption
    assert "no end touches the ground." in drawing.caption


def test_the_scene_shows_the_arm_the_ground_and_the_contacts():
    view = scene(record())
    assert motion_fault(view) == ""
    assert view.up == "y"
    names = [shape.name for shape in view.shapes]
    assert names[-2:] == ["ground", "contacts"]
    assert len(view.shapes[-1].points) == len(simulated(record()).motion.contacts)
    eye = scene_figure(view)["layout"]["scene"]["camera"]["eye"]
    assert abs(eye["x"]) > 2 * abs(eye["y"]), (
        "the camera looks across the plane of the arm: x of a picture is z"
    )
    assert view.caption.startswith("A motion of 0.6 s, in which ends of links touch the ground 10 times;")
