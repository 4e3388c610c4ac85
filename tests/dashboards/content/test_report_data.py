import tomllib
from dataclasses import replace

import numpy as np
import pytest

from dashboards.content.backends.cable_robot import robot_table
from dashboards.content.comparison.conditions import differing, parameter_table, search_table, variable_table
from dashboards.content.comparison.margins import criteria_table, seeds_table
from dashboards.content.report.counts import (
    agreement_text,
    reasons_table,
    runs_table,
    totals,
    validation_table,
)
from dashboards.content.report.data import read_report_data
from dashboards.content.report.designs import MOST_ROWS, front_table, picks_table, scene_of
from dashboards.content.report.verdict import doubts, outcome, verdict
from dashboards.content.robot.study_file import study_toml
from models import load
from studies.definition.study_file import parse_study
from studies.problem.problem import build_problems
from studies.run.launch import run_study

ROBOTS = """
name = "robots"
model = "hybrid-cable-robot"
[parameters]
wrench_set = "box"
weight_moment = "ignored"
cells = 5
[layouts.constrained]
preset = "constrained"
[layouts.constrained.variables]
beta1 = { lower = "40 deg", upper = "50 deg" }
[layouts.suspended]
preset = "suspended"
[layouts.suspended.variables]
beta2 = { lower = "300 deg", upper = "330 deg" }
[objectives]
workspace_volume = "maximize"
F3 = "minimize"
[search]
population = 4
generations = 1
"""


def texts(table):
    return {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}


def test_the_verdict_names_what_each_layout_wins_with_its_numbers(halves_data):
    found = halves_data
    text = " ".join(verdict(found))
    criteria = {c.name: c for c in found.comparison.criteria}
    winner = criteria["best f2"].winner
    assert f"The {winner} layout leads in" in text or f"The {winner} layout reaches" in text
    assert "hypervolume" in text
    assert "A design counts as feasible when c1 is at least 0." in text


def test_one_seed_settles_nothing(report_data, halves):
    text = " ".join(verdict(report_data(halves.replace("[1, 2]", "[1]"))))
    assert "this may be chance" in text


def test_the_layout_that_has_one_seed_is_named(halves_data):
    comparison = halves_data.comparison
    alone = {**comparison.seed_hypervolumes, "left": {1: comparison.seed_hypervolumes["left"][1]}}
    text = " ".join(outcome(replace(comparison, seed_hypervolumes=alone, seed_tests=()), "layout"))
    assert "with one seed of left, this may be chance" in text


@pytest.mark.parametrize(("state", "told"), [("cancelled", "which is final"), ("paused", "may change")])
def test_only_what_still_moves_may_change(halves_data, state, told):
    found = halves_data
    first = replace(found.runs[0], run=replace(found.runs[0].run, state=state))
    text = " ".join(doubts(replace(found, runs=[first, *found.runs[1:]])))
    assert f"left seed 1 is {state}" in text
    assert told in text


def test_the_verdict_admits_layouts_without_designs(shapes_data):
    text = " ".join(verdict(shapes_data))
    assert "No feasible design was found for never" in text


def test_the_verdict_admits_that_nothing_is_feasible(report_data, halves):
    found = report_data(halves.replace("c1 = { lower = 0 }", "c1 = { lower = 1000 }"))
    text = " ".join(verdict(found))
    assert "None of the 240 designs that were asked for is feasible" in text
    assert "The closest came from" in text


def test_the_verdict_of_one_layout_compares_nothing(report_data, bnh_study):
    text = " ".join(verdict(report_data(bnh_study)))
    assert "Of 72 designs of default" in text
    assert "layout leads" not in text


def test_doubts_say_that_a_study_is_unfinished(store, inline, make_executor, halves):
    run_study(store, parse_study(halves), inline(make_executor(stop_after=30)))
    data = read_report_data(store, "halves")
    (text,) = doubts(data)
    assert text not in verdict(data)
    assert "This study is not finished (left seed 1 is paused" in text


def test_the_comparison_shows_every_criterion_and_marks_its_winner(halves_data):
    found = halves_data
    shown = criteria_table(found.comparison)
    assert len(shown.rows) == len(found.comparison.criteria)
    for row, criterion in zip(shown.rows, found.comparison.criteria, strict=True):
        marked = [layout for layout, cell in zip(found.layouts, row[1:3], strict=True) if cell.mark == "best"]
        assert marked == ([criterion.winner] if criterion.winner else [])
    assert set(texts(seeds_table(found.comparison))) == {"left", "right"}


def test_counts_add_up_and_reasons_are_reported(shapes_data):
    found = shapes_data
    rows = {row[0].text: [cell.text for cell in row] for row in runs_table(found).rows}
    asked, computed, feasible, infeasible, broken, failed = map(int, rows["raises, seed 1"][3:9])
    assert asked == 36 == feasible + infeasible + broken + failed
    assert failed > 0
    assert computed <= asked
    assert rows["never, seed 1"][5:9] == ["0", "36", "0", "0"]
    reasons = texts(reasons_table(found))
    assert reasons["too far right"] == ["infeasible", "0", "0", "36"]
    (hostile,) = [name for name in reasons if "onerror" in name]
    assert hostile.startswith("model error: RuntimeError: the back-end gave up <img")
    assert dict(totals(found))["designs asked for"] == "108"


def test_broken_constraints_are_counted_by_name(store, report_data, halves):
    found = report_data(halves.replace("c1 = { lower = 0 }", "c1 = { lower = 24 }"))
    broken = texts(reasons_table(found))["c1 outside its bounds"]
    members = [member for run in found.runs for member in store.history(run.run)]
    assert sum(map(int, broken[1:])) == sum(m.evaluation.metrics["c1"] < 24 for m in members)


def test_picked_designs_hold_the_best_of_each_objective(halves_data):
    found = halves_data
    chosen = found.picks("left")
    reasons = [reason for pick in chosen for reason in pick.title.lower().split(", ")]
    assert sorted(reasons) == ["best f1", "best f2", "closest to ideal", "knee"]
    best = next(pick for pick in chosen if "best f1" in pick.title.lower()).design
    assert best.metrics["f1"] == min(d.metrics["f1"] for d in found.comparison.fronts["left"])
    rows = texts(picks_table(found, "left", chosen))
    assert {"x1", "x2", "f1", "f2", "c1", "found by seed"} <= set(rows)
    assert found.parameters_of(best).x1 == best.variables["x1"]
    scene, reason = scene_of(found, best)
    assert scene is not None
    assert reason == ""


def test_front_tables_list_every_design_best_first(halves_data):
    found = halves_data
    front = found.comparison.fronts["right"]
    listed = front_table(found, "right")
    assert len(listed.rows) == min(len(front), MOST_ROWS)
    column = listed.head.index("f1")
    shown = [float(row[column].text.replace("\N{NARROW NO-BREAK SPACE}", "")) for row in listed.rows]
    assert shown == pytest.approx(sorted(d.metrics["f1"] for d in front), rel=1e-3, abs=1e-9)


def test_conditions_of_the_cable_robot_name_units_origins_and_differences(report_data):
    found = report_data(ROBOTS)
    rows = texts(parameter_table(found))
    assert rows["cells"][:3] == ["5", "5", "study file"]
    assert rows["f_max"][:3] == ["23 N", "23 N", "model default"]
    assert rows["beta1"][0] == "varies"
    assert rows["platform_half_size"][:3] == ["(70, 70, 50) mm", "(50, 50, 50) mm", "preset"]
    assert {"arrangement", "attachments", "platform_half_size", "cable_stiffness"} == set(differing(found))
    marked = {row[0].text for row in parameter_table(found).rows if row[0].mark == "differs"}
    assert marked == set(differing(found))
    numbers = texts(robot_table(found))
    assert "21.935) N" in numbers["external wrench, centre"][0]
    assert numbers["external wrench, half range"][0] == "(4, 4, 0) N and (0.3, 0.3, 0.1) N m"
    assert numbers["cable tension"] == ["0 N to 23 N"] * 2
    assert numbers["cells tested"][0] == "5 per axis, each a cube of 0.2 m"
    assert texts(variable_table(found))["azimuth beta1"][:2] == ["40° to 50°", "fixed"]


def test_conditions_of_any_model(shapes_data):
    found = shapes_data
    rows = texts(parameter_table(found))
    assert rows["threshold"][:3] == ["2", "0.6", "0"]
    assert texts(search_table(found))["runs"] == ["3: 3 layouts x 1 seed"]


@pytest.mark.parametrize("name", ["halves", "shapes", "bnh_study"])
def test_the_printed_study_file_declares_the_same_study(name, request):
    definition = parse_study(request.getfixturevalue(name))
    assert parse_study(study_toml(definition)).digest() == definition.digest()


def test_study_files_survive_odd_names_and_control_characters():
    definition = parse_study(ROBOTS).model_copy(
        update={
            "description": 'quote " backslash \\ delete \x7f tab \t line\nü \U0001f600',
            "parameters": {
                "wrench_set": {"center": [0, 0, -20.0, 0, 0, 0], "half_range": [1e-3] * 6},
                "a b": True,
            },
        }
    )
    tree = tomllib.loads(study_toml(definition))
    assert tree["description"] == definition.description
    assert tree["parameters"] == definition.parameters


def test_validation_shows_both_numbers_and_what_is_expected():
    model = load("hybrid-cable-robot")
    cases = model.reference_cases()
    shown = validation_table(model.name, cases)
    assert len(shown.rows) == len(cases)
    for row, case in zip(shown.rows, cases, strict=True):
        assert row[4].text == {True: "agrees", False: "differs", None: "not expected"}[case.agrees]
    assert f"Of {len(cases)} reference numbers" in agreement_text(cases)
    assert validation_table("faulty", []) is None
    assert agreement_text([]) == ""


def test_a_study_that_has_not_started_is_described_too(store, halves):
    definition = parse_study(halves)
    store.create_study(definition, build_problems(definition))
    found = read_report_data(store, "halves")
    assert any("nothing to report" in sentence for sentence in verdict(found))
    assert reasons_table(found) is None
    assert found.asked == 0
    assert np.array(found.comparison.reference_point).shape == (2,)


def test_limits_of_single_cables_and_axes_are_conditions(report_data):
    own = 'f_min = [0, 0, 0, 0, 1, 1, 1, 1]\nrotation_limit = [0.1, 0.2, 0.1]\norientations = "grid27"'
    numbers = texts(robot_table(report_data(ROBOTS.replace("cells = 5", f"cells = 5\n{own}"))))
    assert numbers["cable tension"][0].endswith("to 8 times 23 N, cable by cable")
    assert "about x, y and z" in numbers["orientations tested"][0]
