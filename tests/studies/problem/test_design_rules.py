"""Conditions of variables, equal parts, and constraints that need no evaluation, from file to store."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dashboards.content.robot.study_file import study_toml
from errors import InputError
from models import registry
from models.own_model import load_file
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.fronts import fronts
from studies.results.reevaluation import vary
from studies.results.warm_start import with_earlier_designs
from studies.run.launch import resume_study, run_study
from studies.search.testing import SPACES
from studies.store import Store

MODEL = """
from models import Metric, Parameters, model, quantity


class Drive(Parameters):
    kind: str = "gear"
    teeth: int = quantity(1, unit="1", description="teeth of a gear", ge=1, le=99)
    width: float = quantity(0.004, unit="m", description="width of a belt", gt=0, le=1)
    mass: float = quantity(1.0, unit="kg", description="mass of the motor", gt=0, le=10)


@model(
    metrics=[Metric("cost", "1", "cost", "minimize"), Metric("loss", "1", "loss", "minimize")], version=1
)
def drive(design: Drive):
    size = design.teeth / 10 if design.kind == "gear" else 50 * design.width
    return {"cost": size + design.mass, "loss": 1 / size + 1 / design.mass}
"""
STUDY = """
name = "drives"
model = "drive"
[variables]
kind = { options = ["gear", "belt"] }
teeth = { lower = 10, upper = 15, type = "integer", when = { kind = "gear" } }
width = { lower = "10 mm", upper = "50 mm", step = "2 mm", when = { kind = "belt" } }
[objectives]
cost = "minimize"
loss = "minimize"
[search]
algorithm = "grid"
"""
OSY = """
name = "osy"
model = "osy"
[variables]
x1 = { lower = 0, upper = 10 }
x2 = { lower = 0, upper = 10 }
x3 = { lower = 1, upper = 5 }
x4 = { lower = 0, upper = 6 }
x5 = { lower = 1, upper = 5 }
x6 = { lower = 0, upper = 10 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[expressions]
sum = "x1 + x2"
g4 = "(x3 - 3) ** 2 + x4"
[constraints]
sum = { lower = 2, upper = 6 }
g4 = { upper = 4 }
[search]
algorithm = "nsga2"
population = 20
generations = 10
"""


@pytest.fixture(autouse=True, scope="module")
def drives(tmp_path_factory):
    """The model of this module, for as long as its tests run."""
    path = tmp_path_factory.mktemp("model") / "drive.py"
    path.write_text(MODEL, encoding="utf-8")
    load_file(path)
    yield
    registry._users.pop("drive")
    registry.load.cache_clear()


def problem_of(text):
    return check(parse_study(text))["default"]


def test_252_combinations_of_27_different_drives_are_27_evaluations(store, inline, make_executor):
    problem = problem_of(STUDY)
    assert np.prod(problem.space.grid_shape(10)) == 252
    assert problem.planned_designs(parse_study(STUDY).search) == 27
    executor = make_executor()
    study = run_study(store, parse_study(STUDY), inline(executor))
    assert len(executor.keys) == len(set(executor.keys)) == 27
    assert {(d.variables["kind"], d.variables["teeth"] is None) for d in fronts(store, study)["default"]} == {
        ("gear", False),
        ("belt", True),
    }


@pytest.mark.parametrize("algorithm", ["nsga2", "optuna-tpe", "optuna-nsga2", "sms-emoa"])
def test_a_search_evaluates_no_drive_twice(store, inline, make_executor, algorithm):
    text = STUDY.replace('"grid"', f'"{algorithm}"\npopulation = 16\ngenerations = 6')
    executor = make_executor()
    run_study(store, parse_study(text), inline(executor))
    assert 12 <= len(executor.keys) == len(set(executor.keys)) <= 27


def test_a_variable_that_does_not_act_leaves_its_parameter_as_it_is_fixed():
    fixed = STUDY.replace("[objectives]", "[parameters]\nteeth = 7\n[objectives]")
    for text, teeth in ((STUDY, 1), (fixed, 7)):
        problem = problem_of(text)
        points = problem.space.snap(np.random.default_rng(1).random((40, 3)))
        for task, point in zip(problem.tasks(points), points, strict=True):
            named = problem.space.named_values(point)
            belt = named["kind"] == "belt"
            assert (named["teeth"] is None, named["width"] is None) == (belt, not belt)
            assert task.parameters["teeth"] == (teeth if belt else named["teeth"])
            assert task.parameters["width"] == (named["width"] if belt else 0.004)
            assert ("teeth" in problem.space.decode(point)) is not belt


def test_conditions_follow_one_another_and_all_must_hold():
    text = STUDY.replace(
        "[objectives]",
        'mass = { lower = 1, upper = 2, when = { teeth = [10, 11], kind = "gear" } }\n[objectives]',
    )
    space = problem_of(text).space
    for kind, teeth, acts in (("gear", 11, True), ("gear", 12, False), ("belt", 10, False)):
        values = {"kind": kind, "teeth": teeth, "width": 0.01, "mass": 1.2}
        # pyrefly: ignore[bad-argument-type]
        point = np.array([v.encode(values[v.path]) for v in space.variables])
        assert ("mass" not in space.idle(point)) is acts


@pytest.mark.parametrize(
    ("when", "place", "words"),
    [
        ('{ king = "belt" }', "variables.width.when.king", "did you mean 'kind'"),
        ('{ kind = "bell" }', "variables.width.when.kind", "'bell' is not among the options"),
        ('{ kind = ["belt", "x"] }', "variables.width.when.kind", "'x' is not among the options"),
        ('{ kind = ["belt", "gear"] }', "variables.width.when.kind", "always holds"),
        ("{ width = 0.01 }", "variables.width.when", "names the variable itself"),
        ("{ mass = 1 }", "variables.width.when.mass", "takes any value in its range"),
        ("{ teeth = 11 }", "variables.teeth.when", "goes in a circle: teeth -> width -> teeth"),
        ('{ teeth = "2 m" }', "variables.width.when.teeth", "m"),
    ],
)
def test_a_condition_that_cannot_hold_is_one_clear_error(when, place, words):
    circle = "teeth" in when and "11" in when
    text = STUDY.replace('{ kind = "belt" }', when).replace(
        "[objectives]", "mass = { lower = 1, upper = 2 }\n[objectives]"
    )
    if circle:
        text = text.replace('{ kind = "gear" }', "{ width = 0.01 }")
    with pytest.raises(InputError) as raised:
        problem_of(text)
    (fault,) = raised.value.faults
    assert ".".join(map(str, fault.place)) == place
    assert words in fault.message


def test_initial_designs_may_leave_out_what_does_not_act():
    text = STUDY.replace('"grid"', '"nsga2"\ngenerations = 2\ninitial = [{ kind = "gear", teeth = 12 }]')
    problem = problem_of(text)
    assert problem.space.decode(problem.initial[0]) == {"kind": "gear", "teeth": 12}
    with pytest.raises(InputError, match="has no value for 'teeth'"):
        problem_of(text.replace(", teeth = 12", ", width = 0.02"))


PARTS = """
name = "parts"
model = "osy"
interchangeable = [["x1", "x2", "x6"]]
[variables]
x1 = { lower = 0, upper = 10 }
x2 = { lower = 0, upper = 10 }
x6 = { lower = 0, upper = 10 }
x3 = { lower = 1, upper = 5 }
x5 = { lower = 1, upper = 5, step = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
generations = 2
"""


@given(arrays(np.float64, 5, elements=st.floats(0, 1)))
def test_every_order_of_equal_parts_is_one_point_and_one_key(point):
    problem = problem_of_parts()
    orders = [point[[*order, 3, 4]] for order in itertools.permutations(range(3))]
    settled = problem.space.snap(np.array(orders))
    assert len(np.unique(settled, axis=0)) == 1
    assert len({task.key for task in problem.tasks(settled)}) == 1


def problem_of_parts(found=[]):  # noqa: B006 - read once for all examples
    if not found:
        found.append(problem_of(PARTS))
    return found[0]


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ('[["x1", "x3"]]', "have other values"),
        ('[["x1", "y"]]', "unknown variable 'y'"),
        ('[["x1", "x2"], ["x2", "x6"]]', "belongs to two parts"),
        ('[[["x1", "x2"], ["x6"]]]', "do not vary in the same numbers"),
    ],
)
def test_parts_that_are_not_equal_are_refused(stated, words):
    with pytest.raises(InputError, match=words) as raised:
        problem_of(PARTS.replace('[["x1", "x2", "x6"]]', stated))
    assert raised.value.faults[0].place[0] == "interchangeable"


def test_a_layout_states_equal_parts_of_its_own():
    text = PARTS.replace(
        "[objectives]", '[layouts.a]\n[layouts.b]\ninterchangeable = [["x1", "x2"]]\n[objectives]'
    )
    problems = check(parse_study(text))
    assert [len(problems[name].space.exchanges[0].members) for name in ("a", "b")] == [3, 2]


def test_no_design_that_breaks_a_constraint_on_variables_is_evaluated(store, inline, make_executor):
    executor = make_executor()
    study = run_study(store, parse_study(OSY), inline(executor))
    (run,) = study.runs
    batches = list(store.log(run))
    assert sum(len(batch.keys) for batch in batches) == 200
    assert all((batch.violations == 0.0).all() for batch in batches)
    spaces = parse_study(OSY.replace('sum = "x1 + x2"', 'sum = "x1 + x2 + 0 * f1"'))
    assert problem_of(OSY).space.region.constraints[0].metric == "sum"
    assert [each.metric for each in check(spaces)["default"].space.region.constraints] == ["g4"]


@pytest.mark.parametrize("text", [OSY, STUDY.replace('"grid"', '"nsga2"\npopulation = 8\ngenerations = 4')])
def test_a_run_that_was_stopped_continues_bit_for_bit(tmp_path, inline, make_executor, text):
    logs = []
    for stop_after in (None, 11):
        with Store(str(tmp_path / f"{stop_after}.db")) as store:
            study = run_study(store, parse_study(text), inline(make_executor(stop_after=stop_after)))
            if stop_after:
                assert study.state == "paused"
                study = resume_study(store, study.name, inline(make_executor()))
            assert study.state == "done"
            logs.append([(b.keys, b.points.tobytes()) for b in store.log(study.runs[0])])
    assert logs[0] == logs[1]


def test_earlier_designs_begin_a_study_where_they_are_inside(store, inline, make_executor):
    run_study(store, parse_study(OSY), inline(make_executor()))
    text = OSY.replace('"osy"\nmodel', '"later"\nmodel').replace("[search]", '[search]\nfrom = ["osy"]')
    definition = parse_study(text.replace("upper = 6", "upper = 3"))
    begun = with_earlier_designs(store, definition, check(definition))
    assert "beyond the limit of sum" in begun.remarks[0]
    region = check(begun.definition)["default"].space.region
    assert region.holds(check(begun.definition)["default"].initial).all()


def test_earlier_designs_leave_out_what_does_not_act(store, inline, make_executor):
    run_study(store, parse_study(STUDY), inline(make_executor()))
    text = STUDY.replace('"drives"', '"later"').replace(
        '"grid"', '"nsga2"\ngenerations = 2\nfrom = ["drives"]'
    )
    definition = parse_study(text)
    begun = with_earlier_designs(store, definition, check(definition))
    assert len(check(begun.definition)["default"].initial) == 27
    assert all(("teeth" in each) == (each["kind"] == "gear") for each in begun.definition.search.earlier)


def test_a_study_file_that_is_written_again_says_the_same():
    for text in (STUDY, PARTS, OSY):
        definition = parse_study(text)
        assert parse_study(study_toml(definition)).digest() == definition.digest()


def test_other_values_of_a_stored_design_follow_the_conditions(store, inline, make_executor):
    study = run_study(store, parse_study(STUDY), inline(make_executor()))
    (batch,) = store.log(study.runs[0])
    gear = next(point for point in batch.points if point[0] < 0.5)
    turned = vary(study, "default", gear, {"kind": "belt", "width": 0.02})
    assert turned.settings == {"kind": "belt", "width": 0.02, "teeth": 1}
    with pytest.raises(InputError, match="'width' does not act in this design"):
        vary(study, "default", gear, {"width": 0.02})


NARROW = OSY.replace("upper = 6 }", "upper = 2.002 }")


@pytest.mark.parametrize("algorithm", ["lhs", "sobol", "nsga2", "de", "cma-es", "optuna-tpe"])
def test_a_band_of_a_thousandth_of_the_space_is_begun_inside(algorithm):
    from studies.search import create_search

    definition = parse_study(NARROW.replace('"nsga2"', f'"{algorithm}"'))
    problem = problem_of(NARROW)
    search = create_search(definition.search, problem.space, 1 if algorithm in ("de", "cma-es") else 2, 3)
    points = search.ask()
    assert problem.space.region.holds(points).all()
    assert len(np.unique(points, axis=0)) == len(points)


def test_a_region_without_designs_is_refused_before_anything_runs():
    with pytest.raises(InputError, match="no design was found that satisfies it") as raised:
        problem_of(OSY.replace("lower = 2, upper = 6", "lower = 25"))
    assert raised.value.faults[0].place == ("constraints", "sum")
    outside = "initial = [{ x1 = 9, x2 = 9, x3 = 1, x4 = 1, x5 = 1, x6 = 1 }]"
    with pytest.raises(InputError, match="breaks the constraint on sum: it has 18"):
        problem_of(OSY.replace("[search]", f"[search]\n{outside}"))


@given(st.sampled_from(["conditional", "equal parts", "linear", "nonlinear"]), st.data())
@settings(deadline=None)
def test_snapping_twice_is_snapping_once_and_leads_inside(label, data):
    space = SPACES[label]
    points = data.draw(arrays(np.float64, (3, len(space)), elements=st.floats(0, 1)))
    snapped = space.snap(points)
    assert np.array_equal(space.snap(snapped), snapped)
    assert space.region is None or space.region.holds(snapped).all()
    assert [space.decode(u) for u in space.settle(points)] == [space.decode(u) for u in space.settle(points)]


@given(arrays(np.float64, 4, elements=st.floats(0, 1)))
def test_points_that_differ_in_what_does_not_act_alone_are_one(point):
    space = SPACES["conditional"]
    other = point.copy()
    for column in np.flatnonzero(~space.acting(space.settle(point[None]))[0]):
        other[column] = 1.0 - point[column]
    assert space.snap(other[None]).tobytes() == space.snap(point[None]).tobytes()
