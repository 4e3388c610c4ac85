"""What a terminal and a notebook show of results: tables that people can read, and DataFrames."""

import pytest

from studies.comparison import compare_layouts
from studies.fronts import Fronts, fronts
from studies.launch import run_study
from studies.study_file import parse_study

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
