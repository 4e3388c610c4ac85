"""Sentences on layouts that differ in more than their geometry."""

from dashboards.content.comparison.conditions import confounder_text, confounders
from studies.definition.study_file import parse_study
from studies.problem.problem import check

STUDY = """
name = "pair"
model = "hybrid-cable-robot"
[parameters]
cells = 8
{common}
[layouts.one]
preset = "constrained"
{one}
[layouts.two]
{two}
[variables]
beta1 = {{ lower = "0 deg", upper = "90 deg" }}
[objectives]
workspace_volume = "maximize"
[search]
generations = 2
"""


def problems(common="", one="", two='preset = "suspended"'):
    return check(parse_study(STUDY.format(common=common, one=one, two=two)))


def test_presets_that_differ_in_cables_too_are_reported_with_both_values():
    assert confounder_text(problems()) == (
        "the layouts one and two also differ in cable stiffness (4 times 1000, 4 times 100 N/m in one; "
        "1000 N/m in two): the comparison shows both effects"
    )


def test_geometry_alone_is_what_a_layout_is():
    assert confounder_text(problems("cable_stiffness = 1000.0")) == ""


def test_all_are_reported_where_there_are_several():
    told = confounder_text(problems(one='parameters.cable_diameter = "3 mm"'))
    assert "cable diameter (3 mm in one; 2 mm in two) and cable stiffness (" in told
    assert told.endswith("the comparison shows all these effects together")


def test_the_one_thing_in_which_layouts_of_equal_geometry_differ_is_what_they_compare():
    thick = 'preset = "constrained"\nparameters.cable_diameter = "3 mm"'
    assert confounder_text(problems(two=thick)) == ""
    narrow = thick + '\nvariables.beta1 = { lower = "0 deg", upper = "10 deg" }'
    assert list(confounders(problems(two=narrow))) == ["cable_diameter"]


def test_what_has_no_meaning_in_a_layout_is_not_reported():
    stiff = "parameters.axial_stiffness = 1e5"
    found = confounders(problems(one=stiff))
    assert list(found) == ["axial_stiffness"]
    assert found["axial_stiffness"] == {"one": "100 kN", "two": "not set"}


def test_parts_that_vary_are_left_out():
    vary = 'variables."test_load.2" = { lower = -10, upper = -1 }'
    loads = [
        f"parameters.test_load = [0, 0, {down}, {aside}, 0, 0]\n{vary}" for down, aside in ((-9, 0), (-5, 0))
    ]
    same = problems("cable_stiffness = 1.0", one=loads[0], two=f'preset = "suspended"\n{loads[1]}')
    assert confounders(same) == {}
    other = loads[1].replace("-5, 0", "-5, 1")
    found = confounders(problems("cable_stiffness = 1.0", one=loads[0], two=f'preset = "suspended"\n{other}'))
    assert list(found) == ["test_load"]
