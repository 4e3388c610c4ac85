"""A change in the form changes a study file where it says so, and nowhere else."""

import copy

import pytest

from dashboards.content.robot.study_file import comments_of, edited_toml, tree_toml
from service.examples import examples
from studies.definition.documents import flattened
from studies.definition.study_file import read_toml

FILE = """# my robot
name = "mine"   # short
model = "hybrid-cable-robot"
seeds = [
  1,  # the first
  2,
]

[parameters]   # of both
cells = 20
cable_stiffness = "1000 N/m"  # measured # twice
"winch.size" = 3

[parameters.pulleys]
0.2 = 0.5   # higher

# what may move
[variables]
beta1 = { lower = "0 deg", upper = "90 deg" }  # keep below 90
beta2 = { lower = 0, upper = 1 }

[layouts.one]
preset = "constrained"
# two is the other
[layouts.two]
preset = "suspended"   # hangs
[layouts.two.variables.height]
lower = 1   # m
upper = 2
"""


def changed(change, text=FILE):
    tree = flattened(read_toml(text))
    wanted = copy.deepcopy(tree)
    change(wanted)
    found = edited_toml(text, wanted)
    assert flattened(read_toml(found)) == wanted
    return found


def lines_that_differ(one, other):
    before, after = one.splitlines(), other.splitlines()
    return [line for line in before if line not in after], [line for line in after if line not in before]


def test_nothing_changes_where_nothing_changed():
    assert changed(lambda tree: None) == FILE
    for example in examples():
        tree = flattened(read_toml(example.toml))
        assert edited_toml(example.toml, tree) == example.toml


CHANGES = {
    "a value": (
        lambda t: t["parameters"].update(cells=30), ["cells = 20"], ["cells = 30"],
    ),
    "a value with a comment": (
        lambda t: t["parameters"].update(cable_stiffness="2 kN/m"),
        ['cable_stiffness = "1000 N/m"  # measured # twice'], ['cable_stiffness = "2 kN/m"  # measured # twice'],
    ),
    "a bound of a range in one line": (
        lambda t: t["variables"]["beta1"].update(upper="80 deg"),
        ['beta1 = { lower = "0 deg", upper = "90 deg" }  # keep below 90'],
        ['beta1 = { lower = "0 deg", upper = "80 deg" }  # keep below 90'],
    ),
    "a bound of a range in a table": (
        lambda t: t["layouts"]["two"]["variables"]["height"].update(lower=0.5), ["lower = 1   # m"], ["lower = 0.5   # m"],
    ),
    "a dotted item": (
        lambda t: t["parameters"].update({"pulleys.0.2": 0.7}), ["0.2 = 0.5   # higher"], ["0.2 = 0.7   # higher"],
    ),
    "a new key": (
        lambda t: t["parameters"].update(f_min="4 N"), [], ['f_min = "4 N"'],
    ),
    "a new key at the top": (
        lambda t: t.update(description="new # not a comment"), [], ['description = "new # not a comment"'],
    ),
    "a new table": (
        lambda t: t.update(search={"population": 8, "generations": 2}), [],
        ["[search]", "population = 8", "generations = 2"],
    ),
    "a key that goes": (
        lambda t: t["variables"].pop("beta2"), ["beta2 = { lower = 0, upper = 1 }"], [],
    ),
    "a layout that goes": (
        lambda t: t["layouts"].pop("two"),
        ["[layouts.two]", 'preset = "suspended"   # hangs', "[layouts.two.variables.height]", "lower = 1   # m", "upper = 2"],
        [],
    ),
    "a layout that comes": (
        lambda t: t["layouts"].update(three={}), [], ["[layouts.three]"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_only_lines_that_say_something_else_change(name):
    change, gone, new = CHANGES[name]
    found = changed(change)
    assert lines_that_differ(FILE, found) == (gone, new)
    assert "# two is the other" in found


def test_a_list_of_several_lines_is_written_in_one():
    found = changed(lambda tree: tree.update(seeds=[1, 2, 3]))
    assert "seeds = [1, 2, 3]\n" in found
    assert comments_of(found) == comments_of(FILE) - 1


@pytest.mark.parametrize("text", ["", "not toml", "[[a]]\nb = 1\n", 'name = """\n[parameters]\nx = 1\n"""\n'])
def test_what_cannot_be_changed_in_place_is_written_anew(text):
    tree = {"name": "other", "model": "bnh", "variables": {"x1": {"lower": 0, "upper": 1}}}
    assert flattened(read_toml(edited_toml(text, tree))) == tree


def test_comments_are_counted_outside_of_texts():
    assert comments_of(FILE) == 11
    assert comments_of("a = \"# no\" # yes\nb = '#'\n") == 1


def test_comments_before_a_table_stay_there():
    """New keys stand before them, and they outlive the table before."""
    found = changed(lambda tree: tree["parameters"].pop("pulleys.0.2"))
    found = changed(lambda tree: tree["parameters"].update(f_min="4 N"), found)
    assert '"winch.size" = 3\nf_min = "4 N"\n\n\n# what may move\n[variables]\n' in found
    found = changed(lambda tree: tree["layouts"].pop("one"))
    assert "[layouts]\n# two is the other\n[layouts.two]\n" in found


def test_a_layout_stays_without_its_only_table():
    text = "# mine\n[layouts.one.variables]\nx = { lower = 0 }\n[layouts.two]\n"
    found = changed(lambda tree: tree["layouts"]["one"].pop("variables"), text)
    assert found == "# mine\n[layouts.two]\n\n[layouts.one]\n"


def test_a_file_of_very_many_dotted_keys_is_written_again():
    """tomlkit would take minutes to read it."""
    tree = flattened(read_toml("".join(f"{'a.' * 20}a{number} = 1\n" for number in range(100))))
    assert edited_toml(tree_toml(tree), {**tree, "b": 1}).startswith("b = 1\n")


SYMMETRIC = """# my robot
name = "mine"
[[symmetry]]
parameter = "pulleys"  # the frame
from = [0]
to = [1]
mirror = "x"

[[symmetry]]
parameter = "attachments"
from = [0]
to = [1]
mirror = "x"
[search]
generations = 3  # short
"""


def test_tables_of_a_list_stay_and_change_where_they_stand():
    def change(tree):
        tree["symmetry"][1]["mirror"] = "y"
        tree["search"]["population"] = 8

    found = changed(change, SYMMETRIC)
    expected = SYMMETRIC.replace('mirror = "x"\n[search]', 'mirror = "y"\n[search]')
    assert found == expected + "population = 8\n"


def test_a_table_of_a_list_can_go_or_come():
    changed(lambda tree: tree["symmetry"].pop(), SYMMETRIC)
    changed(lambda tree: tree["symmetry"].append(dict(tree["symmetry"][0], mirror="z")), SYMMETRIC)
    changed(lambda tree: tree.pop("symmetry"), SYMMETRIC)
