"""A study begins with the designs of others: which fit, how they are ranked, and what is said of the rest."""

import numpy as np
import pytest

from errors import InputError
from studies.definition.study_file import parse_study
from studies.problem.problem import check, stored_definition
from studies.results.warm_start import with_earlier_designs
from studies.run.extension import extend_study
from studies.run.launch import branch_study, resume_study, run_study
from studies.search.dominance import nondominated
from tests.studies.run.test_run import picture

FIRST = """
name = "first"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "nsga2"
population = 12
generations = 6
"""
SECOND = FIRST.replace('"first"', '"second"').replace("population = 12", 'population = 12\nfrom = ["first"]')
NARROW = SECOND.replace("upper = 5", "upper = 2")


@pytest.fixture
def first(store, inline, make_executor):
    return run_study(store, parse_study(FIRST), inline(make_executor()))


def begun(store, text):
    definition = parse_study(text)
    return with_earlier_designs(store, definition, check(definition))


def trials(store, name):
    (run,) = store.study(name).runs
    return store.history(run)


@pytest.mark.usefixtures("first")
def test_the_first_generation_is_the_stored_front_and_costs_nothing(store, inline, make_executor):
    executor = make_executor()
    run_study(store, parse_study(SECOND), inline(executor))
    everything = trials(store, "first")
    again = trials(store, "second")[:12]
    assert {each.evaluation.task.key for each in again} <= {each.evaluation.task.key for each in everything}
    assert len(executor.keys) == 60  # five of six generations
    values = np.array([each.objectives for each in everything])
    front = {each.evaluation.task.key for each in np.array(everything, dtype=object)[nondominated(values)]}
    assert {each.evaluation.task.key for each in again} <= front or front <= {
        each.evaluation.task.key for each in again
    }


@pytest.mark.usefixtures("first")
def test_designs_out_of_the_new_ranges_are_counted_by_variable(store):
    found = begun(store, NARROW)
    points = [each.evaluation.task.parameters for each in trials(store, "first")]
    beyond = len({(p["x1"], p["x2"]) for p in points if p["x1"] > 2})
    assert f"(the others: {beyond} out of the range of x1)" in found.remarks[0]
    assert all(0 <= each["x1"] <= 2 for each in found.definition.search.earlier)
    assert check(found.definition)["default"].initial.shape == (12, 2)


@pytest.mark.usefixtures("first")
def test_a_variable_that_was_fixed_has_the_value_it_was_fixed_to(store, inline, make_executor):
    text = (
        FIRST.replace('"first"', '"line"')
        .replace("x2 = { lower = 0, upper = 3 }\n", "")
        .replace("[variables]", "[parameters]\nx2 = 1.5\n[variables]")
    )
    run_study(store, parse_study(text), inline(make_executor()))
    found = begun(store, SECOND.replace('["first"]', '["line"]'))
    assert {each["x2"] for each in found.definition.search.earlier} == {1.5}


@pytest.mark.usefixtures("first")
def test_ranges_that_go_beyond_are_mostly_searched_anew(store, inline, make_executor):
    narrow = NARROW.replace('"second"', '"narrow"').replace('\nfrom = ["first"]', "")
    run_study(store, parse_study(narrow), inline(make_executor()))
    found = begun(
        store, NARROW.replace('"first"', '"narrow"').replace('"second"', '"wide"').replace("= 2", "= 4")
    )
    # pyrefly: ignore[bad-argument-type]
    assert len(found.definition.search.earlier) == 3
    assert "so that most of the first generation is new" in found.remarks[0]


@pytest.mark.usefixtures("first")
def test_other_goals_rank_the_stored_designs_anew(store):
    alone = SECOND.replace('f1 = "minimize"\n', "").replace('"nsga2"', '"de"')
    chosen = begun(store, alone).definition.search.earlier
    values = {
        tuple(sorted((k, v) for k, v in each.evaluation.task.parameters.items() if k in ("x1", "x2"))):
        each.evaluation.metrics["f2"]
        for each in trials(store, "first")
    }  # fmt: skip
    taken = [values[tuple(sorted(each.items()))] for each in chosen]
    assert min(taken) == min(values.values())
    bounded = SECOND + "[constraints]\nc1 = { upper = 10 }\n"
    kept = begun(store, bounded).definition.search.earlier
    # pyrefly: ignore[bad-argument-type]
    assert len(kept) == 12


@pytest.mark.usefixtures("first")
def test_the_stored_study_keeps_its_beginning_whatever_becomes_of_its_source(store, inline, make_executor):
    run_study(store, parse_study(SECOND), inline(make_executor()))
    before = picture(store, "second")
    extend_study(store, "first", {"generations": 9})
    resume_study(store, "first", inline(make_executor()))
    executor = make_executor()
    assert run_study(store, parse_study(SECOND), inline(executor)).state == "done"
    assert executor.keys == []
    assert picture(store, "second") == before
    store.delete_study("first")
    branch_study(store, "second", "third")
    resume_study(store, "third", inline(make_executor()))
    assert picture(store, "third") == before


@pytest.mark.usefixtures("first")
def test_designs_of_the_file_come_first_and_are_not_taken_twice(store):
    stated = trials(store, "first")[0].evaluation.task.parameters
    text = SECOND + f"[[search.initial]]\nx1 = {stated['x1']!r}\nx2 = {stated['x2']!r}\n"
    found = begun(store, text).definition
    points = check(found)["default"].initial
    assert check(found)["default"].space.named_values(points[0]) == {k: stated[k] for k in ("x1", "x2")}
    assert found.search.initial == [{k: stated[k] for k in ("x1", "x2")}]
    assert len(np.unique(points, axis=0)) == len(points) == 12


@pytest.mark.usefixtures("first")
def test_nothing_is_chosen_again_where_it_is_stored(store, inline, make_executor):
    """A source that is gone stops no run of the same file, and no branch; an edited list is another study."""
    run_study(store, parse_study(SECOND), inline(make_executor()))
    stored = stored_definition(store.study("second"))
    store.delete_study("first")
    assert begun(store, SECOND).definition.digest() == stored.digest()
    assert with_earlier_designs(store, stored, {}).definition is stored
    edited = SECOND + "[[search.initial]]\nx1 = 1.0\nx2 = 1.0\n"
    with pytest.raises(InputError, match="unknown study 'first'"):
        begun(store, edited)


def test_steps_and_twins_are_told_apart_from_ranges(store, inline, make_executor):
    run_study(store, parse_study(FIRST), inline(make_executor()))
    stepped = SECOND.replace("upper = 3 }", "upper = 3, step = 0.5 }")
    (remark,) = begun(store, stepped).remarks
    assert "between the steps of x2" in remark
    assert "72 that were evaluated" in remark
    (remark,) = begun(store, SECOND.replace('model = "bnh"', 'model = "bnh"\nseeds = [1, 2]')).remarks
    assert "all seeds begin with them" in remark


def test_layouts_take_the_designs_of_their_name(store, inline, make_executor):
    layouts = """
[layouts.low.variables]
x2 = { lower = 0, upper = 1 }
[layouts.high.variables]
x2 = { lower = 2, upper = 3 }
"""
    one = FIRST.replace("x2 = { lower = 0, upper = 3 }\n", "").replace(
        'model = "bnh"', 'model = "bnh"\nseeds = [1]'
    )
    run_study(store, parse_study(one + layouts), inline(make_executor()))
    wider = layouts.replace("lower = 0, upper = 1", "lower = 0, upper = 3")
    second = one.replace('"first"', '"second"').replace(
        "population = 12", 'population = 12\nfrom = ["first"]'
    )
    found = begun(store, second + wider)
    assert all(each["x2"] <= 1 for each in found.definition.layouts["low"].earlier)
    assert all(each["x2"] >= 2 for each in found.definition.layouts["high"].earlier)
    assert [remark.split(":")[0] for remark in found.remarks] == ["layout low", "layout high"]


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (SECOND.replace('["first"]', '["frist"]'), ("search", "from", 0), "did you mean 'first'"),
        (SECOND.replace('"second"', '"first"'), ("search", "from", 0), "names the study itself"),
        (SECOND.replace('["first"]', "[]"), None, "from"),
    ],
)
def test_faults_name_their_place(store, text, place, message):
    with pytest.raises(InputError, match=message) as caught:
        begun(store, text)
    if place is not None:
        assert caught.value.place == place


@pytest.mark.usefixtures("first")
def test_a_study_of_another_back_end_is_refused(store):
    other = """
name = "arm"
model = "flexible-arm"
[variables]
payload = { lower = 0.1, upper = 0.2 }
[objectives]
tip_deflection = "minimize"
[search]
algorithm = "de"
population = 4
generations = 1
from = ["first"]
"""
    definition = parse_study(other)
    with pytest.raises(InputError, match="'first' is a study of bnh, and this one is of flexible-arm"):
        with_earlier_designs(store, definition, {})


def test_grids_have_no_beginning(store):
    text = (
        SECOND.replace('"nsga2"', '"grid"').replace("generations = 6\n", "").replace("population = 12\n", "")
    )
    with pytest.raises(InputError, match="grid evaluates its own list of designs; remove from"):
        check(parse_study(text))
