"""Metrics whose names hold a dot: in quotes, as nested tables, beside the undotted one, through every face."""

import json

import pytest

from dashboards.content.robot.study_file import study_toml
from errors import InputError
from studies.definition.study_file import define, parse_study
from studies.problem.problem import check

HEAD = """
name = "dotted"
model = "hybrid-cable-robot"
[parameters]
cells = 4
[variables]
beta1 = { lower = "40 deg", upper = "45 deg" }
[search]
generations = 2
"""
QUOTED = """
[objectives]
"capacity_margin.q05" = "maximize"
capacity_margin = "maximize"
[constraints]
interference_margin = { upper = "9 mm" }
"interference_margin.q05" = { lower = "2 mm" }
[indicators.reference_point]
"capacity_margin.q05" = 0
capacity_margin = "0 N"
"""
NESTED = """
[objectives]
"capacity_margin" = "maximize"
"capacity_margin.q05" = "maximize"
[constraints.interference_margin]
upper = "9 mm"
q05 = { lower = "2 mm" }
[indicators]
reference_point = { capacity_margin = "0 N", "capacity_margin.q05" = 0 }
"""


def test_nested_tables_and_quoted_names_are_one_study():
    quoted, nested = parse_study(HEAD + QUOTED), parse_study(HEAD + NESTED)
    assert nested.objectives == quoted.objectives
    assert nested.constraints == quoted.constraints
    assert nested.digest() == quoted.digest()
    problem = check(nested)["default"]
    assert [constraint.metric for constraint in problem.constraints] == [
        "interference_margin",
        "interference_margin.q05",
    ]
    assert problem.constraints[1].lower == 0.002


def test_variants_alone_may_be_dotted_keys():
    lines = """
[objectives]
capacity_margin.q05 = "maximize"
displacement_under_load.box = "minimize"
[constraints]
interference_margin.q05 = { lower = "2 mm" }
[indicators]
reference_point = { capacity_margin.q05 = 0, displacement_under_load.box = "1 m" }
"""
    study = parse_study(HEAD + lines)
    assert list(study.objectives) == ["capacity_margin.q05", "displacement_under_load.box"]
    assert study.constraints["interference_margin.q05"].lower == "2 mm"
    assert study.indicators.reference_point == {
        "capacity_margin.q05": 0,
        "displacement_under_load.box": "1 m",
    }
    assert check(study)["default"].cost_class == "detail"


def test_json_of_the_same_shape_is_the_same_study():
    tree = json.loads(json.dumps(parse_study(HEAD + QUOTED).model_dump(mode="json")))
    tree["constraints"] = {"interference_margin": {"upper": "9 mm", "q05": {"lower": "2 mm"}}}
    assert define(tree).digest() == parse_study(HEAD + QUOTED).digest()


def test_a_file_that_is_written_anew_says_the_same():
    study = parse_study(HEAD + NESTED)
    assert parse_study(study_toml(study)).digest() == study.digest()


@pytest.mark.parametrize(
    ("lines", "place", "words"),
    [
        (
            '[objectives]\n"capacity_margin.q05" = "maximize"\ncapacity_margin.q05 = "maximize"',
            "objectives",
            "'capacity_margin.q05' is given twice",
        ),
        ('[objectives]\ncapacity_margin.q50 = "maximize"', "objectives", "capacity_margin.q05"),
        ('[objectives]\ncapacity_margin.q05 = "most"', "objectives.capacity_margin.q05", "'maximize'"),
        (
            '[objectives]\nF1 = "minimize"\n[constraints]\ncapacity_margin.q05 = { min = 1 }',
            "constraints.capacity_margin.q05",
            "min",
        ),
        ('[objectives]\ncapacity_margin.task = "maximize"', "objectives.capacity_margin.task", "'task_path'"),
    ],
)
def test_faults_name_the_variant(lines, place, words):
    with pytest.raises(InputError) as refusal:
        check(parse_study(HEAD + lines))
    assert place in str(refusal.value)
    assert words in str(refusal.value)
