"""Tolerances in a report: those that held, and the statistics that the store has."""

import re

import pytest

from dashboards.content.front.tolerances import statistics_tables, tolerance_note, tolerance_table
from dashboards.content.report.data import read_report_data
from dashboards.report import render
from studies.definition.study_file import parse_study
from studies.results.evaluation_plan import count_missing
from studies.run.launch import run_study
from studies.run.questions import evaluate_robust_design
from studies.uncertainty.robust_design import DesignSamples, RobustOptions
from tests.studies.definition.test_tolerances import BNH

NOMINAL = """
name = "nominal"
model = "bnh"
[layouts.left.variables]
x1 = { lower = 0.5, upper = 2.0 }
x2 = { lower = 0.5, upper = 2.5 }
[layouts.right.variables]
x1 = { lower = 2.0, upper = 4.5 }
x2 = { lower = 0.5, upper = 2.5 }
[tolerances]
x1 = { normal = 0.1, truncate = "0.2" }
x2 = { uniform = "5 %" }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 4
generations = 2
"""
CORRELATED = """
[[tolerances.correlated]]
parameters = ["x1", "x2"]
"""


def shown(table):
    return {row[0].text: row[1:] for row in table.rows}


def as_number(text):
    return float(text.replace("\N{MINUS SIGN}", "-").replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_the_statistics_of_a_search_stand_beside_the_nominal_values(report_data):
    found = report_data(BNH)
    picks = found.tolerance_picks["default"]
    titles = ", ".join(pick.title.lower() for pick in picks)
    assert "best 95 % quantile of f1" in titles
    assert "knee" in titles
    (table,) = statistics_tables(found, found.tolerance_picks)
    rows = shown(table)
    for place, pick in enumerate(picks):
        metrics = pick.design.metrics
        for text, name in (
            ("Nominal f1", "f1"),
            ("Mean of f1", "robust.f1.mean"),
            ("95 % quantile of f1", "robust.f1.q95"),
            ("Share of feasible robots", "robust.probability_feasible"),
        ):
            assert as_number(rows[text][place].text) == pytest.approx(metrics[name], rel=1e-3)
        error = as_number(rows["Mean of f1"][place].note.removeprefix("\N{PLUS-MINUS SIGN} "))
        assert error == pytest.approx(metrics["robust.f1.mean.error"], rel=0.05)
    assert "Worst of f1" not in rows, "nobody asked for it"
    (q95,) = [row[0] for row in table.rows if row[0].text == "95 % quantile of f1"]
    assert q95.note == "objective"
    note = tolerance_note(found, found.tolerance_picks)
    assert re.search(r"made \d+ robots of each design, by scrambled Sobol points with seed 0", note)
    assert "95 % quantile of f1" in note


def test_robots_of_a_chosen_design_are_shown_once_they_are_stored(store, inline, make_executor):
    run_study(store, parse_study(NOMINAL), inline(make_executor()))
    before = read_report_data(store, "nominal")
    assert statistics_tables(before, before.tolerance_picks) == []
    note = tolerance_note(before, before.tolerance_picks)
    assert "compared nominal designs" in note
    assert "Tolerances in Review evaluates them" in note
    design = before.tolerance_picks["left"][0].design
    robots = evaluate_robust_design(store, "nominal", design.key, inline(make_executor()), RobustOptions())
    after = read_report_data(store, "nominal")
    (table,) = statistics_tables(after, after.tolerance_picks)
    assert table.caption == "Robots of left"
    assert table.rows[0][1].text == design.key[:10]
    found = as_number(shown(table)["Mean of f2"][0].text)
    assert found == pytest.approx(robots.statistics["robust.f2.mean"], rel=1e-3)
    other = after.tolerance_picks["right"][0].design.key
    left = DesignSamples(store, after.study, other, RobustOptions())
    assert count_missing(left, store) >= left.plan.samples, "a report evaluates nothing"


@pytest.mark.parametrize(
    ("lines", "error", "width"),
    [
        ("normal = [0.1, 0.2]\ncorrelation = 0.5", "normal, correlated by 0.5", "0.1, 0.2"),
        ("normal = 0.1\ncorrelation = [[1, 0.25], [0.25, 1]]", "correlated by 0.25", "deviation 0.1"),
        ("covariance = [[0.01, 0.01], [0.01, 0.04]]", "correlated by 0.5", "0.1, 0.2"),
    ],
)
def test_tolerances_are_listed_as_they_are_stated(report_data, lines, error, width):
    plain = report_data(NOMINAL)
    rows = shown(tolerance_table(plain))
    assert [cell.text for cell in rows["x1"]] == ["normal", "standard deviation 0.1, at most 0.2"]
    assert [cell.text for cell in rows["x2"]] == ["uniform", "at most 5 % of the value"]
    text = re.sub(
        r"\[tolerances\].*?\[objectives\]", f"{CORRELATED}{lines}\n[objectives]", NOMINAL, flags=re.DOTALL
    )
    found = report_data(text.replace('"nominal"', '"correlated"'))
    (row,) = tolerance_table(found).rows
    assert row[0].text == "x1, x2"
    assert error in row[1].text
    assert width in row[2].text


def test_a_report_has_the_section_only_where_tolerances_are_stated(report_data, bnh_study):
    assert "Under tolerances" in render(report_data(BNH), 0.0)
    assert "Under tolerances" not in render(report_data(bnh_study), 0.0)
