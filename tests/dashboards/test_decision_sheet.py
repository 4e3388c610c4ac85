"""A decision sheet: what it says, that it fits one page, and that it holds nothing but itself."""

import re
import shutil
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from dashboards.content.backends import cable_robot
from dashboards.content.backends.cable_robot import (
    building_facts,
    cable_lengths_and_tensions,
    cable_table,
    with_task,
)
from dashboards.content.front.sheet import (
    FEWEST_ROWS,
    MOST_CABLES,
    MOST_ROWS,
    caption,
    decision_facts,
    metrics_table,
    parameters_table,
    read_sheet_data,
    rows_beside,
)
from dashboards.decision_sheet import render, write_sheet
from dashboards.figures.dimensioned_views import dimensioned_views
from dashboards.formatting import MISSING, prose
from errors import AbsentError, InputError, StateError
from models import load
from models.hybrid_cable_robot.pose import evaluate_pose
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from models.scene import Box, Line, Points, Scene
from studies.decision.decision import rank_designs, record_decision
from studies.definition.study_file import parse_study
from studies.results.design_values import DesignValues
from studies.run.launch import run_study
from studies.store import Store
from tests.conftest import InlineExecutor
from tests.dashboards.conftest import LAYOUTS, faults_of_access
from tests.dashboards.test_report_browser import ROBOTS

WISHES = {
    "weights": {"workspace_volume": 2.0, "F2": 1.0, "F3": 0.0},
    "filters": {"workspace_volume": ("0.001 m^3", None), "beta1": (None, "300 deg")},
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Made once: a store with two finished studies."""
    path = tmp_path_factory.mktemp("finished") / "a.db"
    with Store(str(path)) as store:
        for text in (ROBOTS, LAYOUTS):
            run_study(store, parse_study(text), lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture
def store(finished, tmp_path):
    with Store(str(shutil.copy(finished, tmp_path))) as opened:
        yield opened


@pytest.fixture
def decided(store):
    """A finished study of robots, and the decision about it."""
    found = store.study("robots")
    best = rank_designs(store, found.name, **WISHES).candidates[0]
    return found, record_decision(
        store, found.name, best.key, "<b>stiff</b> & light", "topsis", **WISHES
    )  # fmt: skip


@pytest.fixture
def data(store, decided):
    found, _ = decided
    return read_sheet_data(store, found, store.decisions.of(found.name))


def shown(html):
    """The words of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_it_says_who_when_why_by_which_rule_and_what_was_beaten(data, decided):
    _, decision = decided
    facts = dict(decision_facts(data))
    assert facts["why"] == "<b>stiff</b> & light"
    assert facts["rule"].startswith(
        "TOPSIS; weights workspace volume 2, F2 1, F3 0; filters workspace volume ≥ "
    )
    assert "beta1 ≤ 300°" in facts["rule"]
    assert facts["rule"].endswith(f"number 1 of {len(decision.candidates)} candidates")
    assert all(one.key[:8] in facts["chosen over"] for one in decision.candidates[1:4])
    assert facts["decided"].endswith(f"UTC by {decision.author}")
    html = render(data, 0.0)
    assert "&lt;b&gt;stiff&lt;/b&gt; &amp; light" in html
    assert decision.key in html
    assert f"tautline study reproduce {decision.key[:10]}" in html
    assert "<script" not in html


def test_replaced_and_undecided_designs_say_so(store, decided):
    found, decision = decided
    other = decision.candidates[1]
    record_decision(store, found.name, other.key, "easier to build", replaces=1)
    listed = store.decisions.of(found.name)
    before = read_sheet_data(store, found, listed, decision.key)
    assert "Decision 1, replaced by decision 2." in shown(render(before, 0.0))
    now = read_sheet_data(store, found, listed)
    assert "Decision 2, which stands." in shown(render(now, 0.0))
    assert "replaces decision 1" in dict(decision_facts(now))["decided"]
    assert "own judgement" in dict(decision_facts(now))["rule"]
    third = read_sheet_data(store, found, listed, decision.candidates[2].key)
    assert decision_facts(third) == []
    assert "Not decided" in shown(render(third, 0.0))


def test_a_decision_keeps_its_sheet_also_where_its_design_was_chosen_again(store, decided, tmp_path):
    found, first = decided
    other = first.candidates[1]
    record_decision(store, found.name, other.key, "easier to build", replaces=1)
    record_decision(store, found.name, first.key, "too heavy after all", replaces=2)
    pages = [
        shown(write_sheet(store, found.name, tmp_path / f"{n}.html", decision=n).read_text("utf-8"))
        for n in (1, 2, 3)
    ]
    titles = ("1, replaced by decision 2; decision 3 stands", "2, replaced by decision 3", "3, which stands")
    for n, (title, reason) in enumerate(zip(titles, ("stiff", "easier to build", "too heavy"), strict=True)):
        assert f"Decision {title}." in pages[n]
        assert reason in pages[n]
    assert "TOPSIS" in pages[0]
    assert "TOPSIS" not in pages[2]
    listed = store.decisions.of(found.name)
    assert read_sheet_data(store, found, listed, first.key).decision.number == 3, "of a design, the last one"


def test_sheets_that_cannot_be(store, decided, tmp_path):
    found, decision = decided
    with pytest.raises(AbsentError, match="study 'robots' has no decision 7; it has 1"):
        write_sheet(store, found.name, tmp_path / "a.html", decision=7)
    with pytest.raises(InputError, match="of a design or of a decision"):
        write_sheet(store, found.name, tmp_path / "a.html", decision.key, decision=1)
    with pytest.raises(StateError, match="nothing is decided"):
        read_sheet_data(store, found, [])
    with pytest.raises(AbsentError, match="no run of study 'robots' holds"):
        read_sheet_data(store, found, [], "f" * 64)
    with pytest.raises(InputError, match="cannot be written"):
        write_sheet(store, found.name, tmp_path / "none" / "sheet.html")


def test_margins_are_to_the_bounds_of_the_study_else_to_what_is_safe(store):
    found = store.study("halves")
    (best, *_) = rank_designs(store, "halves").candidates
    data = read_sheet_data(store, found, [], best.key)
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in metrics_table(data, 20).rows}
    assert [*rows][:2] == ["f1 (minimised)", "f2 (minimised)"]
    value, limit, margin = rows["c1"]
    assert limit == "≥ 0"
    assert value == margin, "the bound is 0"


def test_robots_have_safety_margins_and_ranges(data):
    names = [row[0].text for row in metrics_table(data, 20).rows]
    assert "capacity margin" in names
    rows = {row[0].text: row[2].text for row in parameters_table(data, 20).rows}
    assert rows["azimuth beta1"] in ("0° to 90°", "0° to 360°")


def test_what_the_study_sets_stands_among_the_parameters(data):
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in parameters_table(data, 20).rows}
    assert rows["wrench set"] == ["weight", "set by the study"]
    assert rows["cells"] == ["6", "set by the study"]
    assert [*rows][:2] == ["azimuth beta1", "azimuth beta2"]
    assert {*[*rows][-2:]} == {"cells", "orientations"}, "how it is computed comes last"
    assert "frame radius" not in rows, "a default of the back-end"


def test_items_of_lists_count_from_1(data):
    values = DesignValues({"pulleys.7.2": 0.5}, {}, data.values.metrics)
    rows = parameters_table(replace(data, values=values), 20).rows
    assert rows[0][0].text == "cable 8, pulley z"


def test_a_caption_is_whole_or_ends_with_a_sentence(data):
    assert caption(data) == prose(data.scene.caption)
    long = replace(data.scene, caption="It holds 0.5 N. " + "Word " * 10 + "end. " + "More " * 200 + "end.")
    assert caption(replace(data, scene=long)) == "It holds 0.5 N. " + "Word " * 10 + "end."


def test_cables_are_measured_over_the_feasible_cells(data):
    """Against the lengths of single poses, and tensions that balance the weight within the limits."""
    parameters = data.parameters
    robot, points = robot_of(parameters), workspace(parameters).points
    lengths, tensions = cable_lengths_and_tensions(parameters, robot)
    assert lengths.shape == (len(points), 8)
    for place in (0, len(points) // 2, len(points) - 1):
        pose = evaluate_pose(parameters, points[place], np.zeros(3))
        assert lengths[place] == pytest.approx(pose.lengths)
    assert tensions.min() >= parameters.f_min - 1e-9
    assert tensions.max() <= parameters.f_max + 1e-9
    table = cable_table(parameters)
    assert len(table.rows) == 8
    first = [cell.text for cell in table.rows[0]]
    assert float(first[7]) == pytest.approx(lengths[:, 0].min(), rel=1e-3)
    assert float(first[12]) == pytest.approx(tensions[:, 0].max(), rel=1e-3)


def test_a_robot_without_a_workspace_has_cables_without_ranges():
    model = load("hybrid-cable-robot")
    none = model.resolve("constrained", {"cells": 4, "f_max": 0.01, "f_min": 0.0})
    assert [cell.text for cell in cable_table(none).rows[0][7:]] == [MISSING] * 6


def test_a_slack_cable_has_no_tension_of_rounding(monkeypatch):
    lengths, tensions = np.ones((2, 8)), np.full((2, 8), 40.0)
    tensions[0, 2] = 6.7e-16
    monkeypatch.setattr(cable_robot, "cable_lengths_and_tensions", lambda *_: (lengths, tensions))
    table = cable_table(load("hybrid-cable-robot").resolve("constrained", {"cells": 4}))
    assert [cell.text for cell in table.rows[2][10:]] == ["0", "20", "40"]


def test_dimensions_are_those_of_the_robot_without_its_workspace():
    frame = Line("frame", np.array([[0.0, 0, 0], [2.0, 0, 0], [2.0, 1.0, 0.5], [0.0, 0, 0]]))
    cells = Points("workspace", np.array([[1.0, 1.0, -3.0]]), np.array([0.1, 0.1, 0.1]))
    box = Box("platform", np.array([1.0, 0.5, 0.2]), np.eye(3), np.full(3, 0.1))
    drawn = dimensioned_views(Scene((frame, cells, box)))
    assert [view.lengths for view in drawn.views] == [("2 m", "0.5 m"), ("1 m", "0.5 m"), ("2 m", "1 m")]
    front = drawn.views[0]
    scale = (front.right - front.left) / 2.0
    assert (front.bottom - front.top) == pytest.approx(0.5 * scale, abs=0.02), "one scale in all directions"
    assert front.bottom < front.floor, "the workspace below it has room"
    assert [name for name, _ in drawn.keys] == ["frame", "workspace", "platform"]
    assert sum(stroke.filled for stroke in front.strokes) == 1
    assert dimensioned_views(Scene(())) is None


def test_a_view_stands_on_its_head_where_z_points_down():
    line = Line("arm", np.array([[0.0, 0, 0], [0.0, 0, 1.0], [0.5, 0, 1.0]]))
    up, down = (dimensioned_views(Scene((line,), up=up)).views[0].strokes[0].d for up in ("z", "-z"))
    heights = [[float(pair.split()[1]) for pair in d[1:].split("L")] for d in (up, down)]
    assert heights[0][0] > heights[0][1]
    assert heights[1][0] < heights[1][1]


def test_it_says_what_is_needed_to_build_the_robot():
    model = load("hybrid-cable-robot")
    times = " \N{MULTIPLICATION SIGN} "
    box = [[-0.02, -0.01, 0.0], [0.02, 0.03, 0.05]]
    some = {"cells": 4, "wrench_set": "gravity", "cable_diameter": 0.0015, "task_box": box}
    record = model.resolve("constrained", some)
    facts = building_facts(record, None)
    assert facts["task box"] == (
        f"from (\N{MINUS SIGN}20, \N{MINUS SIGN}10, 0) mm to (20, 30, 50) mm: {times.join(['40', '40', '50'])} mm"
    )
    assert facts["cables"] == (
        "8, diameter 1.5 mm, spring constant 1000 N/m (cable 1 to 4) and 100 N/m (cable 5 to 8)"
    )
    low, high = robot_of(record).pulleys.min(axis=0), robot_of(record).pulleys.max(axis=0)
    assert facts["frame"].endswith(times.join(f"{side:.4g}" for side in high - low) + " m")
    assert "lowest pulley at z = \N{MINUS SIGN}0.5 m" in facts["floor"]
    platform = Points("workspace", np.array([[0.0, 0.0, -0.2]]), np.full(3, 0.1))
    assert "down to \N{MINUS SIGN}0.25 m" in building_facts(record, Scene((platform,)))["floor"]
    untested = building_facts(record.model_copy(update={"check_platform": False}), None)["platform"]
    assert untested == f"{facts['platform']}; no cable is tested against it"
    axial = model.resolve("constrained", {**some, "axial_stiffness": "30 kN", "task_box": None})
    assert building_facts(axial, None)["cables"].endswith("axial stiffness EA 30 kN each")
    assert building_facts(axial, None)["task"].startswith("none is stated")
    drawn = with_task(record, Scene(())).shapes
    assert [(shape.name, *shape.half_size) for shape in drawn] == [("task box", 0.02, 0.02, 0.025)]
    assert with_task(axial, Scene(())).shapes == ()


def test_wheels_diameters_and_points_are_told_for_the_builder():
    model = load("hybrid-cable-robot")
    own = {"pulley_radius": [0.02] * 8, "cable_diameter": [0.002] * 4 + [0.003] * 4}
    facts = building_facts(model.resolve("constrained", {"cells": 6, **own}), None)
    assert facts["frame"].endswith("; wheels with a radius of 20 mm each")
    assert "diameter 2 mm (cable 1 to 4) and 3 mm (cable 5 to 8)" in facts["cables"]
    pulleys = [[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    crane = {"freedoms": "2T", "pulleys": pulleys, "attachments": [[0.0, 0.0, 0.0]] * 2, "cells": 6}
    assert (
        building_facts(model.resolve(None, crane), None)["platform"] == "a point mass, moves in the plane xz"
    )


def test_tables_share_the_page():
    assert rows_beside(None) == MOST_ROWS
    model = load("hybrid-cable-robot")
    cables = cable_table(model.resolve("constrained", {"cells": 4}))
    assert rows_beside(cables) == 8
    many = replace(cables, rows=cables.rows * 3)
    assert rows_beside(many) == FEWEST_ROWS


@pytest.mark.browser
@pytest.mark.parametrize("full", [False, True], ids=["usual", "as much as there may be"])
def test_it_prints_on_one_page_loads_nothing_and_is_accessible(data, full, visit, tmp_path):
    if full:
        decision = replace(data.decision, reason="many words " * 900)
        paths = {f"pulleys.{i}.{j}": 0.123456 for i in range(8) for j in range(3)}
        values = DesignValues({**data.values.variables, **paths}, {}, data.values.metrics)
        data = replace(data, decision=decision, values=values)
        data.setup.study.definition["description"] = "long words " * 100
    file = tmp_path / "sheet.html"
    file.write_text(render(data, 0.0), encoding="utf-8")
    seen = visit(file)
    printed = seen.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    assert seen.page.locator("svg").count() == 3
    assert seen.page.locator(".cables tbody tr").count() == 8 <= MOST_CABLES
    assert seen.foreign == seen.complaints == []
    assert faults_of_access(seen.page) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390
