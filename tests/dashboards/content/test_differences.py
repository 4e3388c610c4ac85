"""Differences between the conditions under which studies were searched."""

import pytest

from dashboards.content.comparison.differences import (
    conditions,
    conditions_table,
    difference_sentences,
    read_comparison_data,
)
from errors import InputError
from studies.comparison.comparison import compare_studies
from studies.definition.study_file import parse_study

ROBOT = """
name = "NAME"
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


@pytest.fixture
def queued(store):
    """Stores studies that nobody runs: conditions do not depend on results."""

    def make(*texts):
        return [store.create_study(parse_study(text), ["default"]) for text in texts]

    return make


def told(store, studies):
    comparison_data = read_comparison_data(store, compare_studies(store, studies, across_conditions=True))
    found = conditions(comparison_data)
    return comparison_data, found, " ".join(difference_sentences(comparison_data, found))


def named(found):
    return {(c.topic, c.name) for c in found if c.differs}


def robot(name, *changes):
    text = ROBOT.replace("NAME", name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_studies_with_equal_conditions_are_reported_to_have_them(store, queued):
    comparison_data, found, text = told(
        store, queued(robot("a"), robot("b", ("[search]", "# a comment\n[search]")))
    )
    assert named(found) == set()
    assert text.startswith("a and b were searched under the same conditions")
    assert conditions_table(comparison_data, found, differing=True).rows == ()


@pytest.mark.parametrize(
    ("change", "condition", "sentence"),
    [
        (("cells = 4", "cells = 5"), ("parameter", "cells"), "cells (4 in a; 5 in b) differs"),
        (('"270 deg"', '"300 deg"'), ("variable", "beta1"), "the variable beta1 (270° to 360° in a; 300° to 360° in b)"),
        (('"0 mm"', '"2 mm"'), ("constraint", "interference_margin"), "at least 0 m in a; at least 2 mm in b"),
        (('[constraints]\ninterference_margin = { lower = "0 mm" }', ""), ("constraint", "interference_margin"), "none in b"),
        (("generations = 1", "generations = 3"), ("search", "designs per run"), "designs per run (4 in a; 12 in b)"),
        (("[search]", '[search]\nalgorithm = "lhs"'), ("search", "algorithm"), "algorithm (nsga2 in a; lhs in b)"),
        (("[parameters]", "[parameters]\norientations = 'grid27'"), ("parameter", "orientations"), "orientations (nominal and 8 corners in a; corners, edges and faces in b)"),
        (("model =", "seeds = [7]\nmodel ="), ("search", "seeds"), "seeds (1 in a; 7 in b)"),
        (("[search]", '[evaluation]\ntimeout = "2 min"\n[search]'), ("evaluation", "time of a design, at most"), "no limit in a"),
        (("[search]", '[search]\nwall_time = "1 h"'), ("search", "wall time"), "wall time (no limit in a"),
    ],
)  # fmt: skip
def test_each_condition_that_differs_is_flagged_by_itself(store, queued, change, condition, sentence):
    comparison_data, found, text = told(store, queued(robot("a"), robot("b", change)))
    own = {item for item in named(found) if item[0] != "computed value"}
    assert own == {condition}
    assert text.startswith("The conditions are not the same: ")
    assert sentence in text
    table = conditions_table(comparison_data, found, differing=True)
    marked = [row for row in table.rows if row[0].mark == "differs"]
    assert {row[1].text for row in marked} >= {condition[0]}
    assert all(cell.mark == "differs" for row in marked for cell in row[2:])


def test_digits_that_are_not_shown_are_still_compared(store, queued):
    one, other = (("[parameters]", f"[parameters]\nf_min = {value}") for value in (4.0, 4.0000001))
    comparison_data, found, text = told(store, queued(robot("a", one), robot("b", other)))
    assert named(found) == {("parameter", "f_min")}
    assert text == "The conditions are not the same: f min differs."
    (row,) = [
        row for row in conditions_table(comparison_data, found, differing=True).rows if row[0].text == "f min"
    ]
    assert [cell.text for cell in row[2:]] == ["4 N", "4 N"]


def test_layouts_are_compared_with_those_of_the_same_name(store, halves):
    def queued(name, upper):
        text = halves.replace('"halves"', f'"{name}"').replace("upper = 2.5", f"upper = {upper}")
        return store.create_study(parse_study(text), ["left", "right"])

    first, second = queued("halves", 2.5), queued("more", 2.4)
    _, found, text = told(store, [first, second])
    assert named(found) == {("variable", "x1")}
    assert "x1" in text
    _, alike, _ = told(store, [first, queued("same", 2.5)])
    assert named(alike) == set(), "layouts of one study may differ among themselves"


def test_only_common_objectives_are_compared_and_nothing_is_lost(store, study, halves):
    first = study(halves)
    second = study(halves.replace('"halves"', '"other"').replace('f2 = "minimize"\n', ""))
    comparison = compare_studies(store, [first, second])
    assert comparison.objectives == ("f1",)
    front = comparison.fronts["halves: left"]
    everything = [
        m.evaluation.metrics["f1"] for run in first.runs[:2] for m in store.history(run) if m.violation == 0
    ]
    assert {design.metrics["f1"] for design in front} == {min(everything)}
    with pytest.raises(InputError, match=r"no objective in common .halves has minimize f1, minimize f2"):
        compare_studies(
            store, [first, study(halves.replace('"halves"', '"third"').replace('"minimize"', '"maximize"'))]
        )
