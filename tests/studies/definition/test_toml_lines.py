"""Lines of the keys of a study file, however it is written."""

import re
import tomllib

import pytest

from studies.definition.study_file import TomlError, TomlLines, read_toml

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


LISTS = """
[[symmetry]]
parameter = "pulleys"
[[symmetry]]
from = [0]
[variables]
from = 1
[[symmetry]] # the third
from = [0]
[[layouts.one.symmetry]]
from = [0]
"""


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        (["symmetry", "0", "parameter"], 3),
        (["symmetry", "0", "to"], 2),
        (["symmetry", "1", "from"], 5),
        (["symmetry", "2", "from"], 9),
        (["variables", "from"], 7),
        (["layouts", "one", "symmetry", "0", "from"], 11),
        (["symmetry", "3"], 2),
    ],
)
def test_tables_of_a_list_are_numbered(steps, line):
    assert TomlLines(LISTS, tomllib.loads(LISTS)).line(steps) == line


@pytest.mark.parametrize("text", ["a = 1\nb = [", "a = 1\nb = ", "a = 1\na = 2", 'a = 1\nb = "x'])
def test_an_error_of_the_reader_names_the_line(text):
    with pytest.raises(TomlError) as error:
        read_toml(text)
    assert error.value.line == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[variables]\nx = 1\n\n[search]\nx = 2\ny = 1\n'y' = 2\n", "'search.y' is given twice, in line 6 and in line 7"),
        ("[a.b]\nc = 1\n[a.d]\n[a.b]\n", "[a.b] is given twice, in line 1 and in line 4"),
        ("x = { lower = 1, lower = 2 }", "line 1"),
        ("a = 1\na.b = 2", "Cannot overwrite a value"),
    ],
)  # fmt: skip
def test_a_key_that_stands_twice_is_named_with_both_lines(text, told):
    with pytest.raises(TomlError, match=re.escape(told)) as error:
        read_toml(text)
    assert error.value.line == len(text.splitlines())


def test_the_line_of_a_key_without_end_is_known_and_a_tree_without_end_has_none():
    with pytest.raises(TomlError, match="more than 24 parts") as error:
        read_toml("a = 1\n[" + "b." * 400 + "b]\n")
    assert error.value.line == 2
    with pytest.raises(TomlError, match="nested too deeply") as error:
        read_toml("a = " + "[" * 100_000)
    assert error.value.line is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 35 deg", 'text needs quotes: "35 deg"'),
        ("a = { lower = -3.5mm, upper = 2 }", 'text needs quotes: "-3.5mm"'),
        ("a = 10 N/m  # stiffness", 'text needs quotes: "10 N/m"'),
        ("preset = suspended", 'text needs quotes: "suspended"'),
        ("bounds = True", "write true in small letters"),
    ],
)
def test_values_without_quotes_are_said_to_need_them(text, said):
    with pytest.raises(TomlError) as refused:
        read_toml(f'name = "x"\n{text}\n')
    assert (str(refused.value), refused.value.line) == (said, 2)
