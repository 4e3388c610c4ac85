"""Variables that drive parameters, symmetry, and parameters that are expressions."""

import numpy as np
import pytest

from dashboards.content.robot.robot_study import robots_of_files, study_of_robots
from dashboards.content.robot.study_file import study_toml
from docs.code_blocks import ROOT as TREE
from docs.code_blocks import code_blocks_of
from errors import InputError
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import check

PLAIN = """
name = "linked"
model = "osy"
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
generations = 2
"""
ROBOT = """
name = "symmetric"
model = "hybrid-cable-robot"
[objectives]
workspace_volume = "maximize"
[search]
algorithm = "de"
generations = 2
[parameters]
cells = 8
pulleys = [[0.5, 0.45, 0.4]]
attachments = [[0.05, 0.04, -0.03]]
platform_half_size = [0.06, 0.06, 0.06]
cable_stiffness = 1000
[[symmetry]]
parameter = "attachments"
from = [0]
to = [1]
mirror = "x"
[[symmetry]]
parameter = "attachments"
from = [0, 1]
to = [2, 3]
mirror = "y"
[[symmetry]]
parameter = "attachments"
from = [0, 1, 2, 3]
to = [4, 5, 6, 7]
mirror = "z"
"""
PULLEYS = """
[[symmetry]]
parameter = "pulleys"
from = [0]
to = [1]
rotate = "z"
angle = "90 deg"
[[symmetry]]
parameter = "pulleys"
from = [0, 1]
to = [2, 3]
rotate = "z"
angle = "180 deg"
[[symmetry]]
parameter = "pulleys"
from = [0, 1, 2, 3]
to = [4, 5, 6, 7]
mirror = "z"
point = ["0 m", "0 m", "1 m"]
[variables]
pulleys.0.0 = { lower = "40 cm", upper = "60 cm" }
attachments.0.2 = { lower = "-5 cm", upper = "-2 cm" }
"""


def parameters(text, *points):
    (problem,) = check(parse_study(text)).values()
    return [task.parameters for task in problem.tasks(np.array(points, dtype=float))]


def refused(text):
    with pytest.raises(InputError) as caught:
        check_text(text, "study.toml", check)
    return str(caught.value)


def test_a_variable_drives_parameters_with_factor_and_offset():
    drives = 'drives = ["x1", { parameter = "x2", factor = -2, offset = 8 }]'
    text = PLAIN + f"[variables]\nt = {{ lower = 0, upper = 4, {drives} }}"
    low, high = parameters(text, [0], [1])
    assert (low["x1"], low["x2"]) == (0.0, 8.0)
    assert (high["x1"], high["x2"]) == (4.0, 0.0)


def test_a_variable_that_is_a_parameter_drives_others_too():
    text = PLAIN + '[variables]\nx1 = { lower = 0, upper = 4, drives = ["x2"] }'
    (found,) = parameters(text, [0.5])
    assert (found["x1"], found["x2"]) == (2.0, 2.0)


def test_whole_numbers_and_options_drive_too():
    table = "[variables]\nt = { options = [1, 2.5], drives = ['x1'] }\n"
    table += "n = { lower = 1, upper = 3, type = 'integer', drives = ['x2'] }"
    (found,) = parameters(PLAIN + table, [0.9, 0.9])
    assert (found["x1"], found["x2"]) == (2.5, 3.0)


def test_symmetry_gives_a_robot_of_eight_cables_from_one():
    (found,) = parameters(ROBOT + PULLEYS, [0.5, 0.5])
    x, y, z = 0.5, 0.45, 0.4
    upper = [[x, y, z], [-y, x, z], [-x, -y, z], [y, -x, z]]
    lower = [[a, b, 2 - c] for a, b, c in upper]
    assert np.allclose(found["pulleys"], upper + lower, rtol=0, atol=1e-15)
    corners = [[sx * 0.05, sy * 0.04, sz * -0.035] for sz in (1, -1) for sy in (1, -1) for sx in (1, -1)]
    assert np.allclose(found["attachments"], corners, rtol=0, atol=1e-15)


def test_a_parameter_is_an_expression_of_variables_parameters_and_named_expressions():
    text = (
        PLAIN
        + """
[parameters]
x2 = { expression = "0.5 * x1 + share * x6" }
[variables]
x1 = { lower = 2, upper = 4 }
share = { lower = 0, upper = 0.5 }
[expressions]
unused = "f1 / x2"
"""
    )
    (found,) = parameters(text, [1, 1])
    assert found["x2"] == 0.5 * 4 + 0.5 * 10


def test_an_expression_stands_anywhere_in_a_table_or_list():
    text = ROBOT + PULLEYS.replace("[variables]", """
[parameters.wrench_set]
center = [0, 0, { expression = "-weight" }, 0, 0, 0]
half_range = [5, 5, 5, 0.2, 0.2, 0.2]
[variables]
weight = { lower = "10 N", upper = "30 N" }""")  # fmt: skip
    (found,) = parameters(text, [0.5, 0.5, 0.5])
    assert found["wrench_set"]["center"][2] == -20.0


def test_the_same_robot_has_the_same_key_however_it_is_written():
    linked = PLAIN + '[variables]\nt = { lower = 0, upper = 4, drives = ["x1"] }'
    plain = PLAIN + "[variables]\nx1 = { lower = 0, upper = 4 }"
    keys = {check(parse_study(text))["default"].tasks(np.array([[0.3]]))[0].key for text in (linked, plain)}
    assert len(keys) == 1


def test_values_that_are_no_finite_number_make_a_design_infeasible():
    text = (
        PLAIN
        + """
[parameters]
x3 = { expression = "1 + 1e-9 / (t - 1.25) ** 2" }
[variables]
t = { lower = 1, upper = 2 }
"""
    )
    (found,) = parameters(text, [0.25])
    assert found["x3"] == "not a finite number"


def test_a_layout_replaces_the_symmetry_and_the_expressions_of_the_study():
    text = (
        PLAIN
        + """
[parameters]
x2 = { expression = "2 * x1" }
[variables]
x1 = { lower = 1, upper = 4 }
[layouts.half.parameters]
x2 = { expression = "0.5 * x1" }
[layouts.twice]
"""
    )
    problems = check(parse_study(text))
    found = {name: problem.tasks(np.array([[1.0]]))[0].parameters["x2"] for name, problem in problems.items()}
    assert found == {"half": 2.0, "twice": 8.0}


@pytest.mark.parametrize("text", [ROBOT + PULLEYS, PLAIN + "[variables]\nt={lower=0,upper=1,drives=['x1']}"])
def test_the_file_that_is_written_again_says_the_same(text):
    definition = parse_study(text)
    again = parse_study(study_toml(definition))
    assert again.digest() == definition.digest()
    assert check(again).keys() == check(definition).keys()


def test_a_definition_without_them_has_the_digest_that_it_had():
    definition = parse_study(PLAIN + "[variables]\nx1 = { lower = 0, upper = 1 }")
    tree = definition.model_dump(mode="json")
    assert not {"symmetry", "expressions"} & tree.keys()
    assert "drives" not in tree["variables"]["x1"]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("[variables]\nt = { lower = 0, upper = 4 }", "line 10: variables.t: unknown parameter 't'"),
        (
            "[variables]\nt = { lower = 0, upper = 9, drives = ['x3'] }",
            "line 10: variables.t.drives[0]: leads out of bounds: 'x3' is 0 where t = 0: must be at least 1",
        ),
        ("[variables]\nt = { lower = 1, upper = 2, drives = ['x9'] }", "unknown parameter 'x9'"),
        (
            "[variables]\nt = { lower = 1, upper = 2, drives = [{ parameter = 'x1', factor = 0 }] }",
            "line 10: variables.t.drives[0].factor: 0: must not be 0",
        ),
        (
            "[parameters]\nx1 = { expression = 'x3.real' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "'x1' is not a finite number",
        ),
        ("[variables]\nt = { lower = 1, upper = 2, drives = ['x1', 'x1'] }", "'x1' gets its value twice"),
        (
            "[variables]\nt = { lower = 1, upper = 2, drives = ['x1'] }\nx1 = { lower = 0, upper = 1 }",
            "'x1' is a variable as well",
        ),
        (
            "[parameters]\nx1 = 2\n[variables]\nt = { lower = 1, upper = 2, drives = ['x1'] }",
            "'x1' is also fixed under parameters",
        ),
        (
            (
                "[parameters]\nx1 = { expression = '2 * x2' }\nx2 = { expression = 'x1 / 2' }\n"
                "[variables]\nx3 = { lower = 1, upper = 2 }"
            ),
            "line 10: parameters.x1: goes in a circle: x1 -> x2 -> x1",
        ),
        (
            "[parameters]\nx1 = { expression = 'x1 + 1' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "parameters.x1: refers to itself",
        ),
        (
            "[parameters]\nx1 = { expression = 'f1 + 1' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "needs the metric 'f1'",
        ),
        (
            "[parameters]\nx1 = { expression = 'x33 + 1' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "unknown name 'x33'; did you mean 'x3'?",
        ),
        (
            "[parameters]\nx1 = { expression = 'x3 + 2 [mm]' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "mixes a pure number and m in +",
        ),
        (
            "[parameters]\nx1 = { expression = '1 / (x3 - 1)' }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "'x1' is not a finite number where x3 = 1",
        ),
        (
            "[parameters]\nx1 = { expression = 3 }\n[variables]\nx3 = { lower = 1, upper = 2 }",
            "needs its expression as text",
        ),
        (
            "[expressions]\na = 't * f1'\n[variables]\nt = { lower = 1, upper = 2 }\nx3 = { lower = 1, upper = 2 }",
            "variables.t: is no parameter, and no parameter follows from it",
        ),
        (
            (
                "[[symmetry]]\nparameter = 'x1'\nfrom = [0]\nto = [1]\nmirror = 'x'\n"
                "[variables]\nx3 = { lower = 1, upper = 2 }"
            ),
            "line 10: symmetry[0].parameter: 'x1' is no list of points here",
        ),
    ],
)  # fmt: skip
def test_faults_have_their_place(tables, message):
    assert message in refused(PLAIN + tables)


def test_copies_are_made_in_any_order():
    tables = (ROBOT + PULLEYS).split("[[symmetry]]")
    other = "[[symmetry]]".join([tables[0], *reversed(tables[1:4]), *tables[4:]])
    assert parameters(other, [0.5, 0.5]) == parameters(ROBOT + PULLEYS, [0.5, 0.5])


def test_a_linked_parameter_is_tried_at_the_ends_of_very_many_variables():
    names = [f"v{number}" for number in range(20)]
    table = "".join(f"{name} = {{ lower = 0, upper = 0.1 }}\n" for name in names)
    text = PLAIN + f"[parameters]\nx3 = {{ expression = '3.05 + {' + '.join(names)}' }}\n[variables]\n{table}"
    assert "'x3' is 5.05 where v0 = 0.1" in refused(text)
    assert check(parse_study(text.replace("3.05 +", "2.9 +")))


def test_links_are_limited():
    many = ", ".join(["0"] * 1000)
    text = ROBOT + PULLEYS.replace(
        "from = [0]\nto = [1]", f"from = [{many}]\nto = [{', '.join(map(str, range(1000)))}]"
    )
    assert "symmetry[3]: makes more than 1000 parameters follow from variables" in refused(text)


def test_a_copy_without_a_source_or_beyond_the_list_is_a_fault():
    assert "needs 'pulleys.8.0', which has no value" in refused(
        ROBOT + PULLEYS.replace("from = [0]\nto = [1]\nrotate", "from = [8]\nto = [1]\nrotate")
    )
    assert "is not an item" in refused(ROBOT + PULLEYS.replace("to = [1]\nrotate", "to = [11]\nrotate"))


@pytest.mark.parametrize(
    ("tables", "faults"),
    [
        (
            "[parameters]\nx1 = { expression = 't * )' }\n[variables]\nt = { lower = 1, upper = 2 }",
            ["parameters.x1: "],
        ),
        (
            (
                "[parameters]\nx1 = { expression = 't * twice' }\n[variables]\nt = { lower = 1, upper = 2 }\n"
                "[expressions]\ntwice = 'twice + 1'"
            ),
            [
                "expressions.twice: refers to itself",
                "needs the expression 'twice', which has a fault of its own",
            ],
        ),
    ],
)
def test_a_faulty_expression_is_reported_and_what_follows_from_it_is_not(tables, faults):
    lines = refused(PLAIN + tables).splitlines()
    assert len(lines) == len(faults)
    assert all(part in line for part, line in zip(faults, lines, strict=True))


def test_a_list_that_cannot_be_read_is_reported_and_what_follows_from_it_is_not(tmp_path):
    text = (TREE / "docs" / "guide" / "own-robot.md").read_text(encoding="utf-8")
    tables = [tmp_path / "six.csv", tmp_path / "eight.csv"]
    blocks = {block.title: block.text for block in code_blocks_of(text)}
    for table in tables:
        table.write_text(blocks[table.name], encoding="utf-8")
    study = study_of_robots(robots_of_files(tables, tmp_path), "own", {})
    tables[0].write_text(blocks["six.csv"].replace("pulley_z", "pully_z"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        check_text(study, "study.toml", check, tmp_path)
    (line,) = str(caught.value).splitlines()
    assert "layouts.six.parameters.pulleys: six.csv, line 1: unknown column 'pulley_z'" in line
