"""Designs to start from: declared, checked, put into the unit cube and back without a rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import InputError
from studies.definition.space import ChoiceVariable, RealVariable
from studies.definition.study_file import define, parse_study
from studies.problem.problem import check

STUDY = """
name = "warm"
model = "faulty"
[variables]
x = { lower = 0, upper = 1 }
size = { lower = 1, upper = 5, type = "integer" }
shape = { options = ["round", "flat"] }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
generations = 2
population = 4
initial = [{ x = 0.25, size = 3, shape = "flat" }, { x = 0.1, size = 1, shape = "round" }]
"""


def decoded(problem):
    return [problem.space.decode(u) for u in problem.initial]


def test_initial_designs_are_the_first_points():
    problem = check(parse_study(STUDY))["default"]
    assert decoded(problem) == [
        {"x": 0.25, "size": 3, "shape": "flat"},
        {"x": 0.1, "size": 1, "shape": "round"},
    ]
    assert np.array_equal(problem.space.snap(problem.initial), problem.initial)


def test_without_initial_designs_there_are_no_points():
    text = STUDY[: STUDY.index("initial")]
    assert check(parse_study(text))["default"].initial.shape == (0, 3)


def test_a_layout_may_have_its_own():
    text = (
        STUDY
        + '[layouts.a]\n[layouts.b]\ninitial = [{ x = 1, size = 5, shape = "flat" }]\n[layouts.c]\ninitial = []'
    )
    problems = check(parse_study(text))
    assert [len(p.initial) for p in problems.values()] == [2, 1, 0]
    assert decoded(problems["b"]) == [{"x": 1.0, "size": 5, "shape": "flat"}]


def test_nested_names_and_units():
    text = """
    name = "nested"
    model = "zdt1"
    [variables]
    x.0 = { lower = 0, upper = 1 }
    x.1 = { lower = 0, upper = 1 }
    [objectives]
    f1 = "minimize"
    f2 = "minimize"
    [search]
    generations = 1
    [[search.initial]]
    x.0 = 0.5
    x.1 = "25 percent"
    """
    assert decoded(check(parse_study(text))["default"]) == [{"x.0": 0.5, "x.1": 0.25}]


BAD = {
    "a missing variable": ("x = 0.25, ", "", "no value for 'x'", "search.initial[0]"),
    "an unknown variable": ("x = 0.25", "x = 0.25, y = 1", "unknown variable 'y'", "search.initial[0]"),
    "below": ("x = 0.25", "x = -0.25", "not within 0 and 1", "search.initial[0].x"),
    "not a number": ("x = 0.25", 'x = "red"', "red", "search.initial[0].x"),
    "nan": ("x = 0.25", "x = nan", "finite", "search.initial[0].x"),
    "a truth value": ("x = 0.25", "x = true", "number", "search.initial[0].x"),
    "no whole number": ("size = 3", "size = 3.5", "whole numbers 1 to 5", "search.initial[0].size"),
    "not an option": ('"flat" }', '"square" }', "the options 'round', 'flat'", "search.initial[0].shape"),
    "a design twice": ('x = 0.1, size = 1, shape = "round"', 'x = 0.25, size = 3, shape = "flat"', "same design as search.initial[0]", "search.initial[1]"),
    "too many": ("initial = [{", 'initial = [{ x = 0, size = 1, shape = "flat" }, { x = 0.5, size = 1, shape = "flat" }, { x = 0.6, size = 1, shape = "flat" }, {', "5 designs, but the first generation of nsga2 holds 4", "search.initial"),
    "a grid": ("generations = 2", 'algorithm = "grid"', "remove initial", "search.initial"),
    "no table": ("{ x = 0.25", "3, { x = 0.25", "a table of names and values", "search.initial[0]"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_design_is_reported_with_its_place(case):
    old, new, told, place = BAD[case]
    assert old in STUDY
    with pytest.raises(InputError) as error:
        check(parse_study(STUDY.replace(old, new, 1)))
    assert told in str(error.value)
    assert place in str(error.value)


def test_a_stored_definition_reads_back_with_its_designs():
    definition = parse_study(STUDY)
    assert define(definition.model_dump(mode="json")) == definition


bound = st.floats(-1e6, 1e6)


@given(bound, st.floats(1e-3, 1e6), st.floats(0, 1))
def test_what_a_search_decoded_is_encoded_exactly(lower, width, u):
    variable = RealVariable("a", "m", lower, lower + width)
    value = variable.decode(u)
    assert variable.decode(variable.encode(value)) == value


@given(bound, st.floats(1e-3, 1e6), st.floats(0, 1))
def test_any_value_is_met_to_a_rounding(lower, width, share):
    variable = RealVariable("a", "m", lower, lower + width)
    value = min(max(lower + share * width, lower), variable.upper)
    u = variable.encode(value)
    assert 0 <= u <= 1
    assert variable.decode(u) == pytest.approx(value, rel=1e-12, abs=1e-12 * width)


def test_choices_tell_true_from_one():
    variable = ChoiceVariable("c", "", (1, True, 2.5))
    assert [variable.decode(variable.encode(v)) for v in (1, True, 2.5)] == [1, True, 2.5]
    assert variable.encode(True) != variable.encode(1)
    with pytest.raises(ValueError, match="3"):
        variable.encode(3)
