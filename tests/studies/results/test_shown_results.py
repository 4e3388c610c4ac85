"""Results in a terminal and a notebook: tables that people can read, and DataFrames."""

from dataclasses import replace

import pytest

import tautline
from models import Evaluation, Infeasible, load
from studies.comparison.comparison import compare_layouts
from studies.decision.decision import rank_designs
from studies.definition.study_file import parse_study
from studies.results.fronts import Fronts, fronts
from studies.run.launch import run_study

LAYOUTS = """
name = "two"
model = "bnh"
seeds = [1]
objectives = { f1 = "minimize", f2 = "minimize" }
search = { population = 12, generations = 3 }
[layouts."wide".variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[layouts.narrow.variables]
x1 = { lower = 0, upper = 2 }
x2 = { lower = 0, upper = 1 }
"""


@pytest.fixture
def study(store, inline, make_executor):
    return run_study(store, parse_study(LAYOUTS), inline(make_executor()))


def test_a_study_is_shown_in_lines(study):
    first, second, third = repr(study).splitlines()
    assert first == "study 'two' of bnh: done"
    assert second.startswith("  wide, seed 1: done")
    assert third.startswith("  narrow, seed 1: done")


def test_fronts_are_a_table(store, study):
    found = fronts(store, study)
    assert list(found) == ["wide", "narrow"]
    table = found.table()
    assert list(table.columns) == ["layout", "x1", "x2", "f1", "f2", "c1", "c2", "seeds", "key"]
    assert len(table) == len(found["wide"]) + len(found["narrow"])
    assert set(table["key"]) == {design.key for front in found.values() for design in front}
    text = repr(found)
    assert text.startswith(f"Fronts (wide: {len(found['wide'])} designs, narrow: ")
    assert len(text.splitlines()) <= 24
    assert "<table" in found._repr_html_()
    assert repr(fronts(store, study, "narrow")).startswith("Fronts (narrow: ")


def test_no_front_is_shown_as_well():
    assert "0 designs" in repr(Fronts({"default": []}))
    assert "<table" in Fronts({"default": []})._repr_html_()


def test_a_comparison_is_a_table(store, study):
    found = compare_layouts(store, study)
    table = found.table()
    assert list(table.columns) == ["criterion", "unit", "better", "wide", "narrow", "winner", "margin"]
    assert list(table["criterion"]) == [criterion.name for criterion in found.criteria]
    assert repr(found).splitlines()[0] == "Comparison of two"
    assert "hypervolume" in repr(found)
    assert "<table" in found._repr_html_()


HOLLOW = "<script>alert(1)</script>"


def test_a_ranking_is_a_table(store, study):
    found = rank_designs(store, study.name)
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + min(len(found.candidates), 20)
    assert found.candidates[0].key[:10] in html
    assert "<th>rank</th><th>score</th><th>layout</th><th>f1</th><th>f2</th>" in html


def test_an_evaluation_leaves_out_what_it_has_not_and_escapes_all():
    html = Evaluation({"mass": 1.23456789, "sag": None}, warnings=(HOLLOW,))._repr_html_()
    assert "<td>mass</td><td>1.23457</td>" in html
    assert "Without a value, and left out: sag." in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "<script" not in Infeasible(HOLLOW, 0.5)._repr_html_()
    assert "(violation 0.5)" in Infeasible("too long", 0.5)._repr_html_()


def test_a_model_is_two_tables():
    html = load("bnh")._repr_html_()
    assert html.count("<table>") == 2
    assert "<td>x1</td>" in html
    assert "<td>f1</td>" in html
    many = load("hybrid-cable-robot")._repr_html_()
    assert many.count("<tr>") <= 42
    assert "more</p>" in many


def test_a_store_lists_its_studies_and_tells_no_secret(store, study):
    html = store._repr_html_()
    assert f"<td>{study.name}</td><td>bnh</td><td>2</td><td>done</td>" in html
    assert html.startswith("<p><strong>Store ")


def test_a_study_lists_its_runs(study):
    html = study._repr_html_()
    assert "<td>wide</td><td>1</td><td>done</td>" in html
    assert html.startswith("<p><strong>Study two of bnh: done</strong>")


def test_a_design_has_its_variables_and_the_metrics_that_it_has(store, study):
    design = replace(fronts(store, study)["wide"][0], layout=HOLLOW, metrics={"f1": 1.5, "c1": None})
    html = design._repr_html_()
    assert "<td>f1</td><td>1.5</td>" in html
    assert "<td>x1</td>" in html
    assert "Without a value, and left out: c1." in html
    assert "<script" not in html


def test_a_definition_has_its_variables_and_goals():
    text = LAYOUTS.replace('name = "two"', f'name = "two"\ndescription = "{HOLLOW}"')
    text = text.replace("search =", "constraints = { c1 = { upper = 3 } }\nsearch =")
    html = parse_study(text)._repr_html_()
    assert "<td>narrow</td><td>x2</td><td></td><td>0</td><td>1</td>" in html
    assert "<td>f1</td><td>minimize</td>" in html
    assert "<td>c1</td><td>within</td><td>\N{EN DASH}</td><td>3</td>" in html
    assert "<p>nsga2, population 12, generations 3</p><p>seeds 1</p>" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_metrics_that_no_design_has_are_left_out(store, study):
    found = fronts(store, study)
    bare = [replace(one, metrics={**one.metrics, "c1": None}) for one in found["wide"]]
    text = repr(Fronts({"wide": bare}))
    assert "Without a value, and left out: c1." in text
    assert " c1 " not in text.splitlines()[1]
    assert "c1" in Fronts({"wide": bare}).table()


def test_a_front_names_coordinates_in_words(store, study):
    found = Fronts(fronts(store, study))
    found.labels = {"x1": "x one", "x2": "x 2"}
    assert "x1" in repr(found).splitlines()[1], "a name without a path stays as it is"
    moved = {"wide": [replace(one, variables={"pulleys.0.0": 0.5}) for one in found["wide"]]}
    shown = Fronts(moved)
    shown.labels = {"pulleys.0.0": "cable 1, pulley x"}
    assert "cable 1, pulley x" in shown._repr_html_()
    assert "pulleys.0.0" in shown.table()


def test_an_empty_front_says_what_the_nearest_designs_lack(store, inline, make_executor):
    text = LAYOUTS.replace('name = "two"', 'name = "none"').replace(
        "search =", "constraints = { f1 = { upper = -1 } }\nsearch ="
    )
    study = run_study(store, parse_study(text), inline(make_executor()))
    found = tautline.fronts(store, study)
    assert len(found.notes) == 6
    assert all(note.startswith(("wide: nearest design ", "narrow: nearest design ")) for note in found.notes)
    assert "f1 is " in repr(found)
    assert "must be at most \N{MINUS SIGN}1" in found._repr_html_()
