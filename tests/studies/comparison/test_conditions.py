"""Studies may be compared only if they met the same loads, limits, resolution and version."""

import pickle

import pytest

from errors import ConditionsDifferError, InputError
from studies.comparison.comparison import compare_layouts, compare_studies
from studies.comparison.conditions import conditions_of, read_setups
from studies.comparison.entries import common_goals, comparison_entries
from studies.definition.study_file import parse_study

ROBOT = """
name = "a"
model = "hybrid-cable-robot"
preset = "suspended"
[parameters]
wrench_set = "gravity"
cells = 4
[variables]
beta1 = { lower = "270 deg", upper = "360 deg" }
[objectives]
workspace_volume = "maximize"
F2 = "minimize"
[constraints]
interference_margin = { lower = "0 mm" }
[search]
population = 4
generations = 1
"""
GEOMETRY = ("[parameters]", '[parameters]\nframe_radius = "0.7 m"')


@pytest.fixture
def pair(store):
    """Stores the study and a changed one; nobody runs them: conditions do not depend on results."""

    def make(*changes, text=ROBOT):
        other = text.replace('name = "a"', 'name = "b"')
        for old, new in changes:
            assert old in other
            other = other.replace(old, new)
        return [store.create_study(parse_study(each), ["default"]) for each in (text, other)]

    return make


def decisive(store, studies):
    entries = comparison_entries(studies, common_goals(studies))
    return [c.name for c in conditions_of(read_setups(store, entries)) if c.decisive]


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        (("cells = 4", "cells = 5"), "cells (4 in a; 5 in b)"),
        (("[parameters]", "[parameters]\nf_min = 2"), "f_min (0 N in a; 2 N in b)"),
        (("[parameters]", '[parameters]\ncable_stiffness = "2 kN/m"'), "cable_stiffness ("),
        (('"gravity"', '"box"'), "wrench_set (gravity in a; box in b)"),
        (('"0 mm"', '"2 mm"'), "the constraint interference_margin (at least 0 m in a; at least 0.002 m in b)"),
        (
            ('[constraints]\ninterference_margin = { lower = "0 mm" }', ""),
            "the constraint interference_margin (at least 0 m in a; none in b)",
        ),
    ],
)  # fmt: skip
def test_other_loads_limits_and_resolutions_are_refused_unless_asked_for(store, pair, change, stated):
    studies = pair(change)
    with pytest.raises(ConditionsDifferError) as caught:
        compare_studies(store, studies)
    assert stated in str(caught.value)
    assert caught.value.place == ("across_conditions",)
    assert "compared only if this is asked for" in caught.value.message
    found = compare_studies(store, studies, across_conditions=True)
    assert [condition.name for condition in found.across] == list(caught.value.names)


@pytest.mark.parametrize(
    "change",
    [
        ('"270 deg"', '"300 deg"'),
        ("generations = 1", "generations = 3"),
        ("model =", "seeds = [7, 8]\nmodel ="),
        ("[search]", '[search]\nalgorithm = "lhs"'),
        ("[search]", '[evaluation]\ntimeout = "2 min"\n[search]'),
        ('F2 = "minimize"', 'F3 = "minimize"'),
        GEOMETRY,
        ("[variables]", '[variables]\nbeta2 = { lower = "0 deg", upper = "90 deg" }'),
        ("[variables]", '[variables]\ncable_stiffness = { lower = "1 kN/m", upper = "2 kN/m" }'),
    ],
)
def test_geometry_variables_budget_and_seeds_may_differ(store, pair, change):
    studies = pair(change)
    assert decisive(store, studies) == []
    assert compare_studies(store, studies).across == ()


def test_expressions_of_one_name_must_say_the_same(store, pair):
    text = ROBOT.replace("[objectives]", '[expressions]\nworth = "2 * workspace_volume"\n[objectives]')
    text = text.replace("[constraints]", 'worth = "maximize"\n[constraints]')
    assert decisive(store, pair(("2 * workspace_volume", "2*workspace_volume"), text=text)) == []
    store.delete_study("a")
    store.delete_study("b")
    assert decisive(store, pair(("2 * workspace_volume", "3 * workspace_volume"), text=text)) == ["worth"]


ROBUST = ROBOT.replace('F2 = "minimize"', '"robust.F2.q95" = "minimize"').replace(
    "[search]", '[tolerances]\nframe_radius = { normal = "2 mm" }\n[robust]\nsamples = 16\n[search]'
)


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        (("2 mm", "4 mm"), "the tolerance frame_radius (normal 0.002 m in a; normal 0.004 m in b)"),
        (('normal = "2 mm"', 'normal = "2 %"'), "(normal 0.002 m in a; normal 0.02 of the value in b)"),
        (('"2 mm"', '"2 mm", truncate = "6 mm"'), "(normal 0.002 m in a; normal 0.002 cut at 0.006 m in b)"),
        (("samples = 16", "samples = 32"), "the tolerance samples (16 by sobol, seed 0 in a; 32 by sobol"),
        (('frame_radius = { normal = "2 mm" }', 'frame_radius = { normal = "2 mm" }\nupper_height = { normal = "1 mm" }'),
         "the tolerance upper_height"),
    ],
)  # fmt: skip
def test_statistics_over_robots_are_compared_under_the_same_tolerances(store, pair, change, stated):
    with pytest.raises(ConditionsDifferError) as caught:
        compare_studies(store, pair(change, text=ROBUST))
    assert stated in str(caught.value)


def test_tolerances_that_no_goal_asks_for_may_differ(store, pair):
    text = ROBUST.replace("robust.F2.q95", "F2")
    assert decisive(store, pair(("2 mm", "4 mm"), text=text)) == []
    store.delete_study("a")
    store.delete_study("b")
    assert decisive(store, pair(("generations = 1", "generations = 2"), text=ROBUST)) == []


def test_layouts_of_one_name_are_compared_with_each_other(store):
    layouts = """
[layouts.soft.parameters]
cable_stiffness = 1000
[layouts.stiff.parameters]
cable_stiffness = 2000
"""
    text = ROBOT.replace("[search]", f"{layouts}[search]")
    one = store.create_study(parse_study(text), ["soft", "stiff"])
    same = store.create_study(parse_study(text.replace('"a"', '"b"')), ["soft", "stiff"])
    swapped = (
        text.replace('"a"', '"c"').replace("1000", "0").replace("2000", "1000").replace("= 0\n", "= 2000\n")
    )
    other = store.create_study(parse_study(swapped), ["soft", "stiff"])
    assert compare_layouts(store, one).across == (), "within a study, this is a warning of its own"
    assert decisive(store, [one, same]) == []
    assert decisive(store, [one, other]) == ["cable_stiffness"]


def test_many_conditions_are_counted_and_the_error_survives_a_process(store, pair):
    changed = """
f_min = 1
f_max = 60
cells = 5
cable_stiffness = 2000
cable_diameter = 0.003
clearance = 0.002
orientations = "nominal"
geometric_stiffness = true
check_interference = false
rotation_limit = 0.1
"""
    studies = pair(("cells = 4", changed))
    with pytest.raises(InputError) as caught:
        compare_studies(store, studies)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - made here
    assert (str(again), again.names) == (str(caught.value), caught.value.names)
    assert len(again.names) == 10
    assert ", 2 more;" in str(again)
