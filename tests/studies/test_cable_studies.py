"""Studies that vary coordinates of pulleys and attachments, and which cable runs from which pulley."""

import pytest

from errors import InputError
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.export import export_study
from studies.results.fronts import fronts
from studies.run.launch import run_study

STUDY = """
name = "reroute"
model = "hybrid-cable-robot"
[parameters]
cells = 3
orientations = "nominal"
wrench_set = "gravity"
check_interference = false
check_platform = false
pulleys = [
  [-0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [-0.5, -0.5, 0.5],
  [-0.5, 0.5, -0.5], [0.5, 0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, -0.5, -0.5],
]
[variables]
pulleys.0.2 = { lower = "30 cm", upper = "60 cm" }
attachments.3.0 = { lower = "-8 cm", upper = "8 cm" }
cable_order = { options = [[1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 6, 5, 8, 7], [5, 6, 7, 8, 1, 2, 3, 4]] }
[objectives]
workspace_volume = "maximize"
displacement_under_load = "minimize"
[search]
algorithm = "lhs"
population = 6
generations = 2
"""


def test_a_study_varies_points_and_the_order_of_cables(store, inline, make_executor, tmp_path):
    study = run_study(store, parse_study(STUDY), inline(make_executor()))
    assert study.state == "done"
    members = list(store.history(study.runs[0]))
    assert len(members) == 12
    orders = set()
    for member in members:
        parameters = member.evaluation.task.parameters
        assert 0.3 <= parameters["pulleys"][0][2] <= 0.6
        assert -0.08 <= parameters["attachments"][3][0] <= 0.08
        assert parameters["pulleys"][1] == [0.5, 0.5, 0.5]
        orders.add(tuple(parameters["cable_order"]))
    assert len(orders) == 3
    assert {member.evaluation.state for member in members} <= {"done", "infeasible"}
    front = fronts(store, study)["default"]
    assert front
    assert all(design.metrics["displacement_under_load"] > 0 for design in front)
    for kind in ("csv", "parquet", "json"):
        assert export_study(store, study, tmp_path / f"designs.{kind}") == 12


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_cable_order_combines_with_an_arrangement(preset):
    text = STUDY[: STUDY.index("pulleys = [")] + STUDY[STUDY.index("[variables]") :]
    text = text.replace('pulleys.0.2 = { lower = "30 cm", upper = "60 cm" }', "")
    problem = check(parse_study(text.replace("[parameters]", f'preset = "{preset}"\n[parameters]')))[
        "default"
    ]
    assert problem.space.variables[1].values[2] == [5, 6, 7, 8, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("old", "new", "words", "place"),
    [
        ("[2, 1, 4, 3, 6, 5, 8, 7]", "[1, 2, 3, 4, 5, 6, 7, 8]", "twice", "variables.cable_order.options"),
        ("pulleys.0.2", "pulleys.8.2", "items are 0 to 7", "variables.pulleys.8.2"),
        ('"60 cm"', '"60 kg"', "kg", "variables.pulleys.0.2.upper"),
        (
            "cells = 3",
            "cells = 3\nf_min = 30",
            "'f_min' (30 N) must be less than 'f_max' (23 N)",
            "parameters",
        ),
    ],
)
def test_faults_are_reported_with_their_place(old, new, words, place):
    with pytest.raises(InputError) as caught:
        check(parse_study(STUDY.replace(old, new)))
    assert words in str(caught.value)
    assert str(caught.value).startswith(place)


def test_points_may_be_options_with_units():
    options = '"attachments.0" = { options = [["0 mm", "70 mm", "-50 mm"], [0.0, 0.06, -0.05]] }'
    problem = check(parse_study(STUDY.replace("[variables]", f"[variables]\n{options}")))["default"]
    assert problem.space.variables[0].values == ([0.0, 0.07, -0.05], [0.0, 0.06, -0.05])
