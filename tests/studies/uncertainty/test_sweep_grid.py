"""Grids of conditions: what may be swept, counted and checked before anything is stored."""

from pathlib import Path

import pytest

from errors import InputError, UnknownNameError
from studies.definition.study_file import parse_study, read_study
from studies.uncertainty.sweep import (
    MOST_GRID_POINTS,
    GridPoint,
    checked_grid,
    grid_digest,
    grid_points,
    under,
)
from tests.studies.uncertainty.sweep_studies import two_layouts

ROBOCAB = read_study(Path(__file__).parents[3] / "examples" / "robocab.toml")


def test_every_combination_is_a_condition_the_last_parameter_varies_fastest():
    found = list(grid_points({"a": (1, 2), "b": ("x", "y")}))
    assert [tuple(each.values.values()) for each in found] == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]
    assert [each.number for each in found] == [1, 2, 3, 4]
    assert found[1].text == "a = 1, b = y"


def test_values_are_brought_to_si_and_to_one_spelling():
    grid = checked_grid(ROBOCAB, {"f_min": ["0 N", 2.0, "0.004 kN"], "wrench_set": ["gravity", "box"]})
    assert grid == {"f_min": (0, 2, 4), "wrench_set": ("gravity", "box")}
    assert [type(value) for value in grid["f_min"]] == [int, int, int]


def test_a_condition_holds_for_every_layout_and_overrides_what_the_file_states():
    study = parse_study("""
        name = "own"
        model = "hybrid-cable-robot"
        [parameters]
        f_min = "1 N"
        [layouts.a]
        preset = "constrained"
        parameters = { f_min = 3.0, cells = 8 }
        variables = { beta1 = { lower = 0, upper = 1 } }
        [layouts.b]
        preset = "suspended"
        variables = { beta1 = { lower = 0, upper = 1 } }
        [objectives]
        workspace_volume = "maximize"
    """)
    found = under(study, GridPoint(1, {"f_min": 2}))
    assert found.parameters == {"f_min": 2}
    assert found.layouts["a"].parameters == {"cells": 8}
    assert found.name == study.name


def test_what_drives_the_geometry_makes_other_robots_and_is_refused():
    study = parse_study("""
        name = "driven"
        model = "continuum-statics"
        [parameters]
        hole_radius = { expression = "half" }
        youngs_modulus = 60e9
        stress_limit = { expression = "youngs_modulus / 100" }
        [variables]
        tip_mass = { lower = 0, upper = 0.1 }
        [expressions]
        half = "4 * backbone_diameter"
        [objectives]
        tip_compliance = "minimize"
        [search]
        generations = 2
    """)
    with pytest.raises(
        InputError, match="drives hole_radius in the layout 'default', which is geometry"
    ) as caught:
        checked_grid(study, {"backbone_diameter": ["1 mm", "1.2 mm"]})
    assert caught.value.place == ("over", "backbone_diameter")
    assert checked_grid(study, {"youngs_modulus": [50e9]}) == {"youngs_modulus": (50e9,)}, (
        "not by what is none"
    )


@pytest.mark.parametrize(
    ("over", "place", "said"),
    [
        ({}, ("over",), "is missing"),
        ({"f_min": []}, ("over", "f_min"), "has no values"),
        ({"f_mn": [1]}, ("over", "f_mn"), "did you mean 'f_min'"),
        ({"beta1": [1]}, ("over", "beta1"), "varies in the layout 'constrained'"),
        ({"frame_radius": [1]}, ("over", "frame_radius"), "is geometry"),
        ({"pulleys.0.2": [1]}, ("over", "pulleys.0.2"), "is geometry"),
        ({"f_min": [0, "0 N"]}, ("over", "f_min"), "has the value 0 twice"),
        ({"cells": [20, 20.0]}, ("over", "cells"), "has the value 20 twice"),
        ({"f_min": [-1]}, ("over", "f_min"), "must be at least 0"),
        ({"f_min": [float("nan")]}, ("over", "f_min"), "must be a finite number"),
        ({"f_min": ["2 m"]}, ("over", "f_min"), "it is a length"),
        ({"wrench_set": ["bax"]}, ("over", "wrench_set"), "must be 'gravity', 'box'"),
        ({"cells": [2.5]}, ("over", "cells"), "must be a whole number"),
        ({"f_min": [30, 0], "f_max": [23]}, ("over",), "the study cannot have f_min = 30, f_max = 23"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_condition_is_refused_at_its_place(over, place, said):
    with pytest.raises(InputError, match=said) as caught:
        checked_grid(ROBOCAB, over)
    assert caught.value.place == place


def test_a_million_conditions_are_counted_before_anything_is_looked_at():
    with pytest.raises(InputError, match=rf"1000 x 1000 = 1000000 conditions; at most {MOST_GRID_POINTS}"):
        checked_grid(ROBOCAB, {"nothing": range(1000), "none": range(1000)})
    with pytest.raises(InputError, match="makes 2000 conditions"):
        checked_grid(ROBOCAB, {"nothing": range(2000)})


def test_a_parameter_that_follows_a_variable_varies_too():
    study = parse_study("""
        name = "driven"
        model = "bnh"
        [variables]
        u = { lower = 0, upper = 1, drives = ["x1", "x2"] }
        [objectives]
        f1 = "minimize"
        [search]
        algorithm = "de"
        generations = 1
    """)
    with pytest.raises(InputError, match="varies in the layout 'default'"):
        checked_grid(study, {"x2": [1]})


def test_a_sweep_is_the_same_in_any_order():
    one = grid_digest("a", "search", {"x": (1, 2), "y": ("p",)})
    assert one == grid_digest("a", "search", {"y": ("p",), "x": (2, 1)})
    others = [("b", "search", {"x": (1, 2), "y": ("p",)}), ("a", "reevaluate", {"x": (1, 2), "y": ("p",)})]
    # pyrefly: ignore[bad-argument-type]
    assert one not in {grid_digest(*other) for other in others}


def test_unknown_names_say_which_are_known():
    with pytest.raises(UnknownNameError, match="known: x1, x2"):
        checked_grid(two_layouts(), {"x3": [1]})
