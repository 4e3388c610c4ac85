"""Derived quantities: objectives and constraints as expressions, and everything that shows them."""

import json

import numpy as np
import pytest

from errors import InputError, UnknownNameError
from service.app.context import Context
from service.app.evaluations import EvaluationArray
from service.app.services import StoreServices
from service.app.verdicts import verdicts_resource
from service.resources.models import DesignEvaluationRequest
from studies.comparison.comparison import compare_layouts
from studies.definition.derived_quantities import Derived, study_model, with_absent
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import check
from studies.results.design_values import unit_of_variable
from studies.results.export import evaluation_table, export_stream, front_table
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.run.questions import reevaluate_front

STUDY = """
name = "derived"
model = "bnh"
[parameters]
x2 = { expression = "0.5 * t + offset" }
[variables]
t = { lower = 0, upper = 4 }
x1 = { lower = 0, upper = 5 }
[expressions]
offset = "0.25"
cost = "f2 + t + x2"
ratio = "f1 / (t + 1)"
root = "sqrt(f1 - 40)"
[objectives]
f1 = "minimize"
cost = "minimize"
[constraints]
ratio = { upper = 15 }
[search]
population = 12
generations = 4
[indicators]
reference_point = { f1 = 140, cost = 70 }
"""
ROBOT = """
name = "light"
model = "continuum-statics"
[variables]
backbone_diameter = { lower = "1 mm", upper = "2 mm" }
[expressions]
volume_per_mass = "reachable_volume / mass"
half = "volume_per_mass / 2"
[objectives]
half = "maximize"
mass = "minimize"
[constraints]
volume_per_mass = { lower = "1 l/g" }
[search]
generations = 2
"""


@pytest.fixture
def study(store, inline, inline_executor):
    return run_study(store, parse_study(STUDY), inline(inline_executor))


def refused(text):
    with pytest.raises(InputError) as caught:
        check_text(text, "study.toml", check)
    return str(caught.value)


def test_a_front_has_variables_linked_parameters_and_derived_quantities(store, study):
    assert study.state == "done"
    front = fronts(store, study)["default"]
    assert front
    for design in front:
        t, f1, f2 = design.variables["t"], design.metrics["f1"], design.metrics["f2"]
        assert design.linked == {"x2": 0.5 * t + 0.25}
        assert design.metrics["cost"] == f2 + t + design.linked["x2"] == design.objectives[1]
        assert design.metrics["ratio"] == f1 / (t + 1) <= 15
        assert design.metrics["root"] is None or f1 > 40


def test_exports_and_numbers_have_them(store, study):
    table = front_table(store, study)
    assert {"t [1]", "x2 [1]", "cost [1]", "ratio [1]"} <= set(table.columns)
    for kind in ("csv", "json", "parquet"):
        found = export_stream(store, study, kind)
        content = b"".join(found.pieces)
        assert found.designs == 48
        assert b"NaN" not in content
    rows = json.loads(b"".join(export_stream(store, study, "json").pieces))
    array = EvaluationArray(store, study, study.runs, ["t", "cost", "root"])
    numbers = np.frombuffer(b"".join(array.pieces()), "<f4").reshape(array.shape)
    for name, column in (("t", 0), ("cost", 1), ("root", 2)):
        stored = [np.nan if row[f"{name} [1]"] is None else row[f"{name} [1]"] for row in rows]
        assert np.allclose(numbers[:, column], stored, rtol=1e-6, equal_nan=True)


def test_comparison_verdicts_and_reevaluation_know_them(store, study, inline, inline_executor):
    comparison = compare_layouts(store, study)
    assert comparison.objectives == ("f1", "cost")
    assert comparison.reference_point == (140.0, 70.0)
    verdicts = verdicts_resource(store, study)
    table = evaluation_table(store, study)
    broken = int((table["violation"] > 0).sum())
    assert verdicts.constraint_broken == broken > 0
    assert [(group.reason, group.designs) for group in verdicts.groups] == [("ratio", broken)]
    again = reevaluate_front(store, "derived", inline(inline_executor))
    assert {one.outcome for one in again} == {"stays"}


def test_a_goal_that_is_no_finite_number_fails_the_design(store, inline, inline_executor):
    text = STUDY.replace("ratio = {", "root = {") + "[evaluation]\nmax_failure_share = 1.0\n"
    study = run_study(store, parse_study(text), inline(inline_executor))
    table = evaluation_table(store, study)
    failed = table[table["state"] == "failed"]
    assert len(failed) > 0
    assert (failed["f1 [1]"] < 40).all()
    assert set(failed["reason"]) == {"the expression 'root' is no finite number"}
    assert set(failed["failure"]) == {"non_finite"}
    assert verdicts_resource(store, study).failed == len(failed)
    assert store.last_generations(study.runs)[study.runs[0].id].failed == len(failed)
    assert all(design.metrics["f1"] >= 40 for design in fronts(store, study)["default"])


def test_too_many_such_designs_stop_a_run(store, inline, inline_executor):
    text = STUDY.replace("ratio = {", "root = {")
    study = run_study(store, parse_study(text), inline(inline_executor))
    assert study.state == "failed"
    assert "the expression 'root' is no finite number" in study.runs[0].message


def test_evaluations_are_shared_with_studies_that_derive_nothing(store, study, inline, make_executor):
    plain = STUDY.replace('name = "derived"', 'name = "other"').replace("f2 + t + x2", "f2 + x2 + t + 0")
    executor = make_executor()
    run_study(store, parse_study(plain), inline(executor))
    assert executor.keys == []


def test_units_are_computed():
    definition = parse_study(ROBOT)
    units = {metric.name: metric.unit for metric in study_model(definition).metrics}
    assert units["volume_per_mass"] == units["half"] == "m**3/kg"
    (problem,) = check(definition).values()
    assert problem.objectives[0].unit == "m**3/kg"
    assert problem.constraints[0].lower == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "reachable_volume / mass",
            "reachable_volume / mas",
            "line 7: expressions.volume_per_mass: unknown name",
        ),
        ("reachable_volume / mass", "reachable_volume + mass", "mixes m³ and kg in +"),
        ("volume_per_mass / 2", "half + 1", "line 8: expressions.half: refers to itself"),
        ("reachable_volume / mass", "2 * half", "goes in a circle"),
        ("volume_per_mass / 2", "1 / 0", "'1 / 0' is not a finite number"),
        ("volume_per_mass / 2", "x" * 100_000, "has 100000 characters"),
        (
            "reachable_volume / mass",
            "((mass ** 100) ** 100) ** 100",
            "has a unit to a power that is not between -100",
        ),
        ("reachable_volume / mass", "1 [kg^9^9^9]", "'1 kg^9^9^9' is not a quantity"),
        ('"1 l/g"', '"1 kg"', "constraints.volume_per_mass.lower: '1 kg' cannot be used here: it is a mass"),
        (
            'half = "volume_per_mass / 2',
            'half = "1"\nmass = "2',
            "is the name of a metric of the back-end already",
        ),
        ('half = "maximize"', 'hal = "maximize"', "unknown metric 'hal'; did you mean 'half'?"),
        (
            "volume_per_mass / 2",
            "backbone_diameter.real",
            "needs 'backbone_diameter.real', which has no value here",
        ),
        ("volume_per_mass / 2", "youngs_modulus / 2", "needs 'youngs_modulus', which has no value here"),
        ("half =", "sqrt =", "expressions.sqrt: is the name of a function or number of the grammar already"),
        (
            "[variables]",
            "[variables]\nthick = { lower = 0, upper = 1 }",
            "variables.thick: unknown parameter 'thick'",
        ),
    ],
)
def test_faults_have_their_place(old, new, message):
    assert message in refused(ROBOT.replace(old, new))


SUM = """
name = "sum"
model = "bnh"
[parameters]
x1 = { expression = "s + t" }
[variables]
s = { lower = 0, upper = 1 }
t = { options = [1, 2, 3] }
x2 = { lower = 0, upper = 3 }
[expressions]
cost = "f2 + t"
[objectives]
f1 = "minimize"
cost = "minimize"
[search]
generations = 2
"""


def test_equal_robots_cannot_differ_in_a_goal():
    text = "line 8: variables.t: stands in 'cost', but no parameter follows from it alone"
    assert text in refused(SUM)
    assert check(parse_study(SUM.replace("f2 + t", "f2 + x1")))
    assert check(parse_study(SUM.replace('"s + t"', '"5 - t"').replace("s = { lower = 0, upper = 1 }", "")))


def test_a_derived_goal_shows_what_counts_for_a_metric_that_a_design_does_not_have():
    derived = Derived.of(parse_study(STUDY))
    parameters = {"x1": 1.0, "x2": 2.0}
    metrics = {"f1": None, "f2": 3.0}
    assert derived.values(metrics, parameters, {"t": 1.0})["ratio"] is None
    filled = with_absent(metrics, {"f1": 8.0})
    assert derived.values(filled, parameters, {"t": 1.0})["ratio"] == 4.0


def test_a_stored_study_is_read_without_its_back_end(store, study, monkeypatch):
    def gone(name):
        raise UnknownNameError("model", name, ())

    monkeypatch.setattr("studies.definition.stored_model.load", gone)
    for design in fronts(store, store.study("derived"))["default"]:
        assert design.variables["t"] is not None
        assert design.variables["x1"] is not None
        assert design.metrics["f1"] is not None


def test_a_chain_of_expressions_is_read_in_time():
    chain = "\n".join(f'a{i} = "a{i - 1} + a{i - 1} * 1"' for i in range(1, 90))
    text = ROBOT.replace("[expressions]", f'[expressions]\na0 = "mass"\n{chain}')
    (problem,) = check(parse_study(text)).values()
    assert problem.derived.values({"mass": 1.0}, {}, {})["a89"] == 2.0**89


def test_a_design_of_a_study_has_its_variables_and_derived_quantities(store, study):
    services = StoreServices(Context(store=store))
    (front,) = fronts(store, study).values()
    found = services.designs.get(front[0].key, "derived")
    assert found.variables == front[0].variables
    assert found.linked == front[0].linked
    assert found.metrics == front[0].metrics
    assert found.state == "done"
    alone = services.designs.get(front[0].key)
    assert (alone.variables, set(alone.metrics)) == ({}, {"f1", "f2", "c1", "c2"})
    assert services.fronts.list("derived").items[0].linked == front[0].linked
    rows = services.evaluations.list("derived").items
    assert all(row.linked["x2"] == 0.5 * row.variables["t"] + 0.25 for row in rows)


def test_tables_and_figures_have_the_units_of_variables_that_are_no_parameters(
    store, inline, inline_executor
):
    text = STUDY.replace("bnh", "osy").replace('x2 = { expression = "0.5 * t + offset" }', "")
    text = text.replace("t = { lower = 0, upper = 4 }", 't = { lower = 0, upper = 4, drives = ["x2"] }')
    study = run_study(store, parse_study(text.replace("root = ", "rest = ")), inline(inline_executor))
    (front,) = fronts(store, study).values()
    assert front[0].free_units == {"t": "1"}
    model = study_model(parse_study(text))
    assert unit_of_variable(model, front[0], "t") == unit_of_variable(model, front[0], "x1") == "1"


def test_the_model_of_a_layout_is_the_back_end_itself():
    (problem,) = check(parse_study(STUDY)).values()
    assert {metric.name for metric in problem.model.metrics} == {"f1", "f2", "c1", "c2"}
    record = problem.model.resolve(problem.preset, {**problem.settings, **problem.space.middle()})
    assert set(problem.model.evaluate(record, problem.cost_class, 0).metrics) >= {"f1", "f2"}


def test_a_design_with_another_variable_has_what_follows_from_it(store, study):
    designs = StoreServices(Context(store=store)).designs
    key = next(row.key for row in fronts(store, store.study("derived"))["default"])
    stored = designs.get(key, "derived")
    found = designs.evaluate(key, "derived", DesignEvaluationRequest(variables={"t": 3.0}))
    x1, x2 = stored.variables["x1"], 0.5 * 3.0 + 0.25
    assert (found.parameters["x1"], found.parameters["x2"]) == (x1, x2)
    f1, f2 = 4 * x1**2 + 4 * x2**2, (x1 - 5) ** 2 + (x2 - 5) ** 2
    assert found.metrics["cost"] == pytest.approx(f2 + 3.0 + x2)
    assert found.metrics["ratio"] == pytest.approx(f1 / 4.0)
    asked = DesignEvaluationRequest(variables={"t": 3.0}, metrics=["cost", "f1"])
    assert designs.evaluate(key, "derived", asked).metrics == {
        name: found.metrics[name] for name in ("f1", "cost")
    }
    as_stored = designs.evaluate(key, "derived", DesignEvaluationRequest(metrics=["ratio"]))
    assert as_stored.metrics == {"ratio": stored.metrics["ratio"]}


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"variables": {"x2": 1.0}}, ("variables", "x2"), "'x2' follows from t; change that instead"),
        ({"variables": {"cost": 1.0}}, ("variables", "cost"), "does not vary 'cost'; it varies t, x1"),
        ({"metrics": ["costs"]}, ("metrics",), "did you mean 'cost'"),
    ],
)
def test_what_cannot_be_another_value_of_a_design_is_refused(store, study, changes, place, said):
    designs = StoreServices(Context(store=store)).designs
    key = next(row.key for row in fronts(store, store.study("derived"))["default"])
    with pytest.raises(InputError, match=said) as caught:
        designs.evaluate(key, "derived", DesignEvaluationRequest(**changes))
    assert caught.value.place == place
