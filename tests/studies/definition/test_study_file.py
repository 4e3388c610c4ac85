"""All faults of a study file at once, each with its line."""

import pytest

from errors import InputError, UnknownNameError
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import check

FAULTY = """name = "many faults"
model = "faulty"
[parameters]
threshold = 9
[variables]
x = { min = 0, max = 1 }
y = { lower = 0, upper = 3 }
z = { lower = 0, upper = 3 }
size = { lower = 1, upper = 5 }
[objectives]
f1 = "minimal"
f22 = "minimize"
[constraints]
f2 = { lower = 2, upper = 1 }
[search]
algorithm = "NSGA-II"
generation = 2
"""


def faults(text):
    """The lines of the error."""
    with pytest.raises(InputError) as error:
        check_text(text, "mine.toml", check)
    assert error.value.place == ("mine.toml",)
    return error.value.message.split("\n")


def test_all_faults_of_a_file_are_reported_with_their_lines():
    told = {line.split(": ")[1]: line for line in faults(FAULTY)}
    assert {place: line.split(": ")[0] for place, line in told.items()} == {
        "name": "line 1",
        "parameters.threshold": "line 4",
        "variables.x": "line 6",
        "variables.y.upper": "line 7",
        "variables.z": "line 8",
        "variables.size": "line 9",
        "objectives.f1": "line 11",
        "objectives.f22": "line 12",
        "constraints.f2.lower": "line 14",
        "search": "line 17",
    }
    assert "did you mean 'lower'?" in "".join(faults(FAULTY))
    assert "did you mean 'generations'?" in told["search"]


def test_unknown_keys_are_reported_each_with_its_own_line():
    text = FAULTY.replace('model = "faulty"', 'model = "faulty"\ncolour = "red"\nshape = 3')
    told = {
        line.split("unknown key '")[1].split("'")[0]: line for line in faults(text) if "unknown key" in line
    }
    lines = {key: line.split(":")[0] for key, line in told.items()}
    assert lines == {
        "min": "line 8",
        "max": "line 8",
        "colour": "line 3",
        "shape": "line 4",
        "generation": "line 19",
    }


def test_a_search_with_a_faulty_key_still_reports_its_algorithm():
    """The search that replaces a faulty one has no faults of its own."""
    sound = """name = "search"
model = "faulty"
variables.x = { lower = 0, upper = 1 }
objectives.f1 = "minimize"
search = { algorithm = "%s", generations = 0 }
"""
    assert [line.split(": ")[1] for line in faults(sound % "NSGA-II")] == [
        "search.generations",
        "search.algorithm",
    ]
    assert "did you mean 'nsga2'?" in faults(sound % "NSGA-II")[1]
    assert [line.split(": ")[1] for line in faults(sound % "nsga2")] == ["search.generations"]


def test_what_was_left_out_explains_no_fault_of_the_rest():
    """Without the faulty ``upper`` the other variable would stand alone, and the initial design be too long."""
    text = """name = "rest"
model = "hybrid-cable-robot"
[parameters]
f_min = "80 N"
[variables]
f_max = { lower = "3 kN", uper = "5 kN" }
beta1 = { lower = 0, upper = 1 }
[objectives]
workspace_volume = "maximize"
[search]
generations = 2
initial = [{ f_max = 4000, beta1 = 0.5 }]
"""
    assert [line.split(": ")[1] for line in faults(text)] == ["variables.f_max"]


def test_a_fault_of_the_model_alone_is_placed_too():
    text = FAULTY.replace("many faults", "some").replace("min = 0, max", "lower = 0, upper")
    text = text.replace("minimal", "minimize").replace("generation =", "generations =")
    told = faults(text)
    assert any(
        line.startswith("line 16: search.algorithm") and "did you mean 'nsga2'?" in line for line in told
    )
    assert len(told) == 7


def test_several_errors_become_one_and_one_stays_what_it_is():
    text = FAULTY.replace("many faults", "some").replace("minimal", "minimize")
    sound = {"min = 0, max": "lower = 0, upper", "threshold = 9": "", "upper = 3": "upper = 1"}
    sound |= {
        "size = { lower = 1, upper = 5 }": "",
        "z = {": "# z = {",
        "f22": "f2",
        "lower = 2, upper": "upper",
    }
    for old, new in {**sound, "generation =": "generations ="}.items():
        text = text.replace(old, new)
    with pytest.raises(UnknownNameError, match="did you mean 'nsga2'"):
        check(parse_study(text))


@pytest.mark.parametrize("given", ["NSGA-II", "NSGA2", "nsga-2", "Nsga_II"])
def test_other_spellings_of_an_algorithm_are_understood(given):
    error = UnknownNameError("algorithm", given, ("moead", "nsga2", "nsga3"))
    assert "did you mean 'nsga2'?" in error.message


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("f_max = [9, 9, 0.5, 9]", "line 8: parameters: 'f_min' of cable 3 (1 N) must be less than 'f_max' (0.5 N)"),
        ("pulley_axis = [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 0]]", "line 9: parameters: 'pulley_axis' 4 has no length"),
        ("length_min = 3\nlength_max = [9, 2, 9, 9]", "line 9: parameters: 'length_min' of cable 2 (3 m) must be less"),
        ('freedoms = "3R3T"', "line 9: parameters: 'freedoms' 3R3T needs at least 6 cables"),
    ],
)  # fmt: skip
def test_limits_and_axes_of_one_cable_are_refused_with_cable_and_line(wrong, told):
    text = f"""name = "crane"
model = "hybrid-cable-robot"
variables."pulleys.0.0" = {{ lower = -2, upper = -1 }}
objectives.workspace_volume = "maximize"
[parameters]
pulleys = [[-1, -1, 2], [1, -1, 2], [1, 1, 2], [-1, 1, 2]]
attachments = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
f_min = 1
{wrong}
"""
    if "freedoms" not in wrong:
        text += 'freedoms = "3T"\n'
    (found,) = [line for line in faults(text + "[search]\ngenerations = 1\n") if "parameters" in line]
    assert found.startswith(told)
