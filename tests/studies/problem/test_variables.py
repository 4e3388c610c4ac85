"""Variables in steps and over decades: their values, their search, and what is refused."""

import pytest

from errors import InputError
from models import load
from service.app.studies import quantities_resource
from studies.definition.study_definition import VariableTable
from studies.definition.study_file import parse_study
from studies.problem.layout import variable_of
from studies.problem.problem import check
from studies.run.launch import run_study

STUDY = """
name = "steps"
model = "bnh"
[variables]
x1 = { lower = 0.5, upper = 5, scale = "log" }
x2 = { lower = 0, upper = 3, step = 0.1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "nsga2"
population = 12
generations = 3
"""


def space_of(text):
    return check(parse_study(text))["default"].space


def test_steps_reach_both_ends_and_are_written_as_people_write_them():
    logarithmic, stepped = space_of(STUDY).variables
    assert stepped.values[:4] == (0, 0.1, 0.2, 0.3)
    assert (len(stepped.values), stepped.values[-1]) == (31, 3)
    assert logarithmic.decode(0.5) == pytest.approx(2.5**0.5)


def test_steps_may_have_units():
    text = """
name = "cable"
model = "hybrid-cable-robot"
[variables]
frame_radius = { lower = "50 cm", upper = "60 cm", step = "25 mm" }
[objectives]
workspace_volume = "maximize"
mass = "minimize"
[search]
generations = 1
"""
    (radius,) = space_of(text).variables
    assert radius.values == (0.5, 0.525, 0.55, 0.575, 0.6)


def test_steps_around_zero_have_a_zero():
    text = STUDY.replace("lower = 0, upper = 3, step = 0.1", "lower = -0.3, upper = 0.3, step = 0.1")
    with pytest.raises(InputError, match="must be at least 0"):
        check(parse_study(text))
    variable = space_of(STUDY).variables[1]
    table = VariableTable(lower=-0.3, upper=0.3, step=0.1)
    assert variable_of(load("bnh"), "x2", table, ("variables", "x2")).values == (
        -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3,
    )  # fmt: skip
    assert variable.stepped


@pytest.mark.parametrize("algorithm", ["nsga2", "optuna-tpe", "age-moea2", "sobol"])
def test_searches_ask_for_steps_only_and_spread_over_decades(store, inline, make_executor, algorithm):
    text = STUDY.replace('"nsga2"', f'"{algorithm}"')
    study = run_study(store, parse_study(text), inline(make_executor()))
    asked = [each.evaluation.task.parameters for each in store.history(study.runs[0])]
    allowed = {round(0.1 * k, 12) for k in range(31)}
    assert {each["x2"] for each in asked} <= allowed
    assert len({each["x2"] for each in asked}) > 5
    assert all(0.5 <= each["x1"] <= 5 for each in asked)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("lower = 0, upper = 5, scale = 'log'", "x1.lower: 0 must be above 0 on a logarithmic scale"),
        ("lower = 0, upper = 5, step = 0.3", "x1.step: 0.3 does not reach upper; that would be 4.8 or 5.1"),
        ("lower = 0, upper = 5, step = 0", "x1.step: 0 must be above 0 and at most upper - lower"),
        ("lower = 0, upper = 5, step = 7", "x1.step: 7 must be above 0 and at most upper - lower"),
        ("lower = 0, upper = 5, step = 1e-6", "x1.step: makes more than 1000 values"),
        ("lower = 0, upper = 5, step = nan", "line 5: variables.x1.step"),
        ("options = [1, 2], step = 1", "line 5: variables.x1: needs no step"),
        ("lower = 1, upper = 5, type = 'integer', scale = 'log'", "x1: is logarithmic, which only a range"),
        ("lower = 1, upper = 5, scale = 'cubic'", "line 5: variables.x1.scale"),
    ],
)
def test_what_makes_no_steps_is_refused_with_its_place(given, message):
    text = STUDY.replace('lower = 0.5, upper = 5, scale = "log"', given)
    with pytest.raises(InputError, match=message):
        check(parse_study(text))


def test_forms_are_told_the_steps_and_the_scale(store):
    store.create_study(parse_study(STUDY), ["default"])
    (layout,) = quantities_resource(store.study("steps")).layouts
    logarithmic, stepped = layout.variables
    assert (logarithmic.scale, logarithmic.step) == ("log", None)
    assert (stepped.scale, stepped.step) == ("linear", 0.1)
