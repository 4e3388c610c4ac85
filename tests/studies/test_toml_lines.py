"""Where keys of a study file stand, however it is written."""

import tomllib

import pytest

from studies.toml_lines import TomlLines, line_told

TEXT = '''# name = "no key"
name = "lines"
description = """
model = "no key either"
"""

[parameters]
"attachments.0.2" = "5 mm"
pulleys = [
  [0.1, 0.2, 0.3],
  # [variables]
  [0.4, 0.5, 0.6],
]
wrench_set.center = [1]
[ layouts . "a=b" ] # a comment
preset = "x"
[layouts."a=b".variables]
'beta1' = { lower = 1, upper = 2 }
attachments.1.2 = { options = [1] }
'''


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        (["name"], 2),
        (["description"], 3),
        (["parameters"], 7),
        (["parameters", "attachments.0.2"], 8),
        (["parameters", "pulleys", "1", "2"], 9),
        (["parameters", "wrench_set", "center"], 14),
        (["parameters", "wrench_set", "half_range"], 14),
        (["layouts", "a=b", "preset"], 16),
        (["layouts", "a=b", "variables"], 17),
        (["layouts", "a=b", "variables", "beta1", "upper"], 18),
        (["layouts", "a=b", "variables", "attachments", "1", "2", "options"], 19),
        (["layouts"], 15),
        (["model"], None),
        ([], None),
    ],
)
def test_a_place_is_in_the_line_of_its_key_or_of_what_holds_it(steps, line):
    assert TomlLines(TEXT, tomllib.loads(TEXT)).line(steps) == line


@pytest.mark.parametrize("text", ["a = 1\nb = [", "a = 1\nb = ", "a = 1\na = 2", 'a = 1\nb = "x'])
def test_an_error_of_the_reader_names_the_line(text):
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        tomllib.loads(text)
    assert line_told(str(error.value), text) == 2
    assert line_told("something else", text) is None
