"""Values are judged together on designs of the space, never against defaults of what varies."""

import numpy as np
import pytest

from errors import InputError, place_text
from studies.definition.study_file import parse_study
from studies.execution.evaluation import evaluate_task
from studies.problem.problem import check

CABLES = """
name = "own"
model = "hybrid-cable-robot"
[parameters]
cells = 2
orientations = "nominal"
FIXED
[variables]
VARIED
[objectives]
workspace_volume = "maximize"
[search]
generations = 1
"""
RODS = """
name = "rod"
model = "continuum-statics"
[parameters]
FIXED
[variables]
VARIED
[objectives]
stable_workspace_area = "maximize"
[search]
generations = 1
"""
PULLEYS = "pulleys = [[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1], [1, 1, 0], [-1, -1, 0]]"
POINTS = "[[0.1, 0, 0], [0, 0.1, 0], [-0.1, 0, 0], [0, -0.1, 0], [0.1, 0.1, -0.1], [-0.1, -0.1, -0.1]]"
SIX = f"{PULLEYS}\nattachments = {POINTS}"


def problem(text, fixed, varied):
    """The problem of a study's one layout; raises ``InputError``."""
    return check(parse_study(text.replace("FIXED", fixed).replace("VARIED", varied)))["default"]


@pytest.mark.parametrize(
    ("text", "fixed", "varied"),
    [
        (CABLES, 'f_min = "80 N"', 'f_max = { lower = "3 kN", upper = "5 kN" }'),
        (CABLES, "", 'f_min = { lower = "80 N", upper = "100 N" }\nf_max = { lower = "3 kN", upper = "5 kN" }'),
        (CABLES, SIX, 'cable_stiffness = { lower = "1 kN/m", upper = "5 kN/m" }'),
        (RODS, "tie_disks = [8, 8, 8]", 'disks = { lower = 8, upper = 12, type = "integer" }'),
    ],
    ids=["one limit fixed", "both limits varied", "stiffness of six cables", "ties to more disks"],
)  # fmt: skip
def test_a_space_of_valid_designs_is_accepted_whatever_the_defaults_are(text, fixed, varied):
    found = problem(text, fixed, varied)
    for task in found.tasks(np.random.default_rng(1).random((8, len(found.space)))):
        found.model.parameters.model_validate(task.parameters)  # every design of these spaces is valid


def test_values_that_exclude_each_other_in_part_of_the_space_are_infeasible_there():
    found = problem(
        CABLES, "", 'f_min = { lower = "0 N", upper = "100 N" }\nf_max = { lower = "1 N", upper = "60 N" }'
    )
    (task,) = found.tasks(np.array([[0.9, 0.1]]))
    record = evaluate_task(task, "here")
    assert (record.state, record.violation) == ("infeasible", 1.0)
    assert "'f_min' (90 N) must be less than 'f_max' (6.9 N)" in record.reason


def test_a_space_without_a_valid_design_is_refused_with_the_reason():
    with pytest.raises(InputError) as error:
        problem(
            CABLES,
            "",
            'f_min = { lower = "80 N", upper = "100 N" }\nf_max = { lower = "1 N", upper = "60 N" }',
        )
    assert error.value.place == ("variables",)
    assert "no design of the space is valid" in error.value.message
    assert "must be less than 'f_max'" in error.value.message
    assert "search.initial" in error.value.message


def test_a_fault_of_fixed_parameters_alone_is_placed_there():
    with pytest.raises(InputError) as error:
        problem(CABLES, 'f_min = "80 N"', "beta1 = { lower = 0, upper = 1 }")
    assert error.value.place == ("parameters",)
    assert "'f_max' comes from the defaults: write your own" in error.value.message


def test_one_valid_option_is_enough_and_the_others_are_remarked_on():
    options = f"attachments = {{ options = [{POINTS}, {POINTS[:-1]}, [0.1, 0, 0]]] }}"
    found = problem(CABLES, PULLEYS, options)
    assert len(found.remarks) == 3
    assert "attachments = " in found.remarks[1]
    assert "lists 6 pulleys but 'attachments' lists 7" in found.remarks[1]
    assert "characteristic_length is 0.125 m in all designs" in found.remarks[2]


def test_options_of_two_variables_that_fit_pair_by_pair_are_accepted():
    seven = PULLEYS[:-1] + ", [0, 0, 2]]"
    pairs = f"pulleys = {{ options = [{PULLEYS[10:]}, {seven[10:]}] }}\n"
    pairs += f"attachments = {{ options = [{POINTS}, {POINTS[:-1]}, [0.1, 0, 0]]] }}"
    found = problem(CABLES, "", pairs)
    assert not any("infeasible" in remark for remark in found.remarks)
    states = [evaluate_task(task, "here").state for task in found.tasks(np.array([[0.2, 0.8], [0.8, 0.2]]))]
    assert states == ["infeasible", "infeasible"]


def test_an_initial_design_proves_that_the_space_has_a_valid_one():
    """Nine times that must rise: no corner has them in order, nor does any of a thousand samples."""
    points = [[0, 0, 0]] * 11
    fixed = f"trajectory = {{ times = {list(range(11))}, platform_positions = {points} }}"
    names = [f"trajectory.times.{n}" for n in range(1, 10)]
    varied = "\n".join(f"{name} = {{ lower = 0.5, upper = 9.5 }}" for name in names)
    with pytest.raises(InputError, match="no design of the space is valid"):
        problem(CABLES, fixed, varied)
    design = ", ".join(f'"{name}" = {n}' for n, name in enumerate(names, 1))
    started = CABLES.replace("[search]", f"[search]\ninitial = [{{ {design} }}]")
    assert len(problem(started, fixed, varied).initial) == 1


def test_each_value_is_judged_by_itself_and_placed_at_its_key():
    with pytest.raises(InputError) as error:
        problem(
            CABLES,
            'cable_diameter = "-1 mm"',
            "beta1 = { lower = 0, upper = 270 }\nclearance = { lower = 0, upper = 1 }\nf_max = { lower = 0, upper = 1 }",
        )
    faults = {place_text(fault.place): fault.message for fault in error.value.faults}
    assert set(faults) == {"parameters.cable_diameter", "variables.beta1.upper", "variables.f_max.lower"}
    assert "did you mean '270 deg'?" in faults["variables.beta1.upper"]


def test_real_bounds_of_a_whole_number_are_reported_what_to_add():
    with pytest.raises(InputError) as error:
        problem(RODS, "", "disks = { lower = 8, upper = 12 }")
    assert error.value.place == ("variables", "disks")
    assert 'add type = "integer"' in error.value.message


@pytest.mark.parametrize(
    ("text", "varied", "name"),
    [
        (CABLES, 'cells = { lower = 4, upper = 40, type = "integer" }', "cells"),
        (CABLES, 'orientations = { options = ["nominal", "corners"] }', "orientations"),
        (CABLES, 'trajectory_samples = { lower = 4, upper = 40, type = "integer" }', "trajectory_samples"),
        (CABLES, 'bounds_block = { lower = "1 cm", upper = "2 cm" }', "bounds_block"),
        (RODS, 'rays = { lower = 4, upper = 40, type = "integer" }', "rays"),
        (RODS, 'arcs_per_gap = { lower = 1, upper = 4, type = "integer" }', "arcs_per_gap"),
        (RODS, 'tension_steps = { lower = 11, upper = 40, type = "integer" }', "tension_steps"),
        (RODS, 'target_tolerance = { lower = "1 mm", upper = "1 cm" }', "target_tolerance"),
    ],
)  # fmt: skip
def test_settings_of_the_computation_cannot_vary(text, varied, name):
    text = text.replace("cells = 2\n", "").replace('orientations = "nominal"\n', "")
    with pytest.raises(InputError) as error:
        problem(text, "", varied)
    assert error.value.place == ("variables", name)
    assert "a setting of the computation, not a property of the robot" in error.value.message
    assert "Fix it under parameters" in error.value.message


def test_a_remark_names_the_values_that_a_robot_of_ones_own_takes_over():
    """Only those that matter, and nothing once all are stated."""
    varied = 'f_max = { lower = "3 kN", upper = "5 kN" }'
    body = "{ mass = 1.0, centre_of_mass = [0, 0, 0], inertia = [0.1, 0.1, 0.1, 0, 0, 0] }"
    first = problem(CABLES, SIX, varied).remarks[0]
    assert "space, platform_half_size, platform_body, arm_links;" in first
    some = f"{SIX}\nspace = [[-1, -1, 0], [1, 1, 1]]\ncheck_platform = false\nplatform_body = {body}"
    (sentence,) = problem(CABLES, some, varied).remarks
    assert "published robot: arm_links;" in sentence
    loads = "wrench_set = { center = [0, 0, -10, 0, 0, 0], half_range = [1, 1, 1, 0, 0, 0] }"
    assert problem(CABLES, f"{some}\n{loads}", varied).remarks == ()
    assert problem(CABLES, "", varied).remarks == ()


LAYOUTS = """
name = "both"
model = "hybrid-cable-robot"
[parameters]
weight_moment = "ignored"
FIXED
[layouts.constrained]
preset = "constrained"
[layouts.suspended]
preset = "suspended"
[variables]
VARIED
[objectives]
"capacity_margin.q05" = "maximize"
workspace_volume = "maximize"
[search]
generations = 1
"""
BETA = 'beta1 = { lower = "0 deg", upper = "60 deg" }'
WIDTH = 'width = { lower = "50 mm", upper = "200 mm", drives = [{ parameter = "attachments.0.0" }] }'


@pytest.mark.parametrize(
    ("fixed", "varied", "length"),
    [
        ("", BETA, 0.0863),  # 86.0 and 86.6 mm
        ("", WIDTH, 0.0962),
        ('characteristic_length = "0.1 m"', WIDTH, 0.1),
        ('[layouts.suspended.parameters]\ncharacteristic_length = "0.2 m"', BETA, 0.2),
    ],
    ids=["two layouts", "attachments vary", "set", "set in one layout"],
)
def test_all_designs_of_a_study_have_one_characteristic_length(fixed, varied, length):
    layouts = LAYOUTS.replace("FIXED", "") if "layouts" in fixed else LAYOUTS.replace("FIXED", fixed)
    text = layouts.replace("VARIED", varied) + (fixed if "layouts" in fixed else "")
    problems = check(parse_study(text))
    points = np.random.default_rng(1).random((3, 1))
    found = [task.parameters for each in problems.values() for task in each.tasks(points)]
    assert {parameters["characteristic_length"] for parameters in found} == {length}
    told = [
        remark for each in problems.values() for remark in each.remarks if "characteristic_length" in remark
    ]
    assert len(told) == (0 if 'h = "0.1' in fixed else 2)


def test_a_study_of_one_length_is_left_alone():
    found = problem(CABLES, "", 'f_max = { lower = "3 kN", upper = "5 kN" }')
    assert "characteristic_length" not in found.settings
