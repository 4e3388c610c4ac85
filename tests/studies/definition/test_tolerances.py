"""Tolerances of a study file: read, checked, and what goals may ask of them."""

import numpy as np
import pytest

from dashboards.content.robot.study_file import study_toml
from errors import InputError
from models import load
from studies.definition.derived_quantities import study_model
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import check_text, define, parse_study
from studies.definition.tolerance_sampling import Correlated, Tolerance
from studies.problem.problem import check
from studies.run.launch import run_study
from tests.conftest import InlineExecutor

ROBOT = """
name = "built"
model = "hybrid-cable-robot"
preset = "constrained"
[variables]
beta1 = { lower = "0 deg", upper = "90 deg" }
[tolerances]
TOLERANCES
[objectives]
GOALS
[search]
population = 4
generations = 1
"""
BNH = """
name = "built"
model = "bnh"
[variables]
x1 = { lower = 0.5, upper = 4.5 }
t = { lower = 0.5, upper = 2.5, drives = ["x2"] }
[expressions]
cost = "f1 + t"
gap = "robust.cost.q95 - cost"
[tolerances]
x1.normal = 0.1
x2 = { uniform = 0.1 }
[robust]
samples = 16
[objectives]
robust.f1.q95 = "minimize"
f2 = "minimize"
[constraints]
gap = { upper = 100 }
c1 = { lower = 0 }
robust.probability_feasible = { lower = 0.9 }
[search]
population = 8
generations = 2
"""


def robot(tolerances, goals='robust.F2.q95 = "minimize"'):
    return ROBOT.replace("TOLERANCES", tolerances).replace("GOALS", goals)


def plan_of(tolerances):
    return check(parse_study(robot(tolerances)))["default"].uncertainty


def test_tables_become_tolerances_of_numbers_in_si():
    plan = plan_of(
        'pulleys.0.2 = { normal = "2 mm" }\nframe_radius = { uniform = "1 %" }\n'
        'attachments.1 = { normal = "1 mm", truncate = "3 mm" }\n'
        '[[tolerances.correlated]]\nparameters = ["upper_height", "lower_height"]\nnormal = "1 mm"\n'
        "correlation = 0.5\n"
    )
    assert plan.tolerances == (
        Tolerance("pulleys.0.2", "normal", 2e-3),
        Tolerance("frame_radius", "uniform", 0.01, relative=True),
        *(Tolerance(f"attachments.1.{axis}", "normal", 1e-3, truncate=3e-3) for axis in range(3)),
    )
    (group,) = plan.correlated
    assert group.paths == ("upper_height", "lower_height")
    assert np.array(group.covariance) == pytest.approx(1e-6 * np.array([[1, 0.5], [0.5, 1]]))
    assert plan.metrics == ("F2",)


def test_a_list_is_all_numbers_in_it():
    assert len(plan_of('pulleys = { normal = "2 mm" }').paths) == 24


def test_a_covariance_is_in_si():
    text = "[[tolerances.correlated]]\nparameters = ['upper_height', 'lower_height']\ncovariance = [[4e-6, 0], [0, 1e-6]]"
    assert plan_of(text).correlated == (
        Correlated(("upper_height", "lower_height"), ((4e-6, 0.0), (0.0, 1e-6))),
    )


CORRELATED = "[[tolerances.correlated]]\nparameters = ['upper_height', 'lower_height']\n"


@pytest.mark.parametrize(
    ("tolerances", "place", "words"),
    [
        ('pulleys.0.2 = { normal = "-2 mm" }', "tolerances.pulleys.0.2.normal", "negative"),
        ('pulleys.0.2 = { uniform = "0 mm" }', "tolerances.pulleys.0.2.uniform", "is 0"),
        ('pulleys.0.2 = { normal = "2 kg" }', "tolerances.pulleys.0.2.normal", "mass"),
        ("pulleys.0.2 = { normal = nan }", "tolerances.pulleys.0.2.normal", "finite"),
        ("pulleys.0.2 = { normal = 1e308 }", "tolerances.pulleys.0.2.normal", "too great"),
        (
            f"{CORRELATED}covariance = [[1e308, 0], [0, 1]]",
            "tolerances.correlated[0].covariance",
            "too great",
        ),
        (f"{CORRELATED}covariance = [[inf, 0], [0, 1]]", "tolerances.correlated[0].covariance", "finite"),
        ("pulleys.0.2 = { normal = inf }", "tolerances.pulleys.0.2.normal", "finite"),
        ('pulleys.0.2 = { normal = "2 mm", uniform = "1 mm" }', "tolerances.pulleys.0.2", "either"),
        ('pulleys.0.2 = { uniform = "2 mm", truncate = "1 mm" }', "tolerances.pulleys.0.2", "truncates"),
        (
            'frame_radius = { normal = "1 %", truncate = "1 mm" }',
            "tolerances.frame_radius.truncate",
            "same way",
        ),
        ('pulleys.0.2 = { norml = "2 mm" }', "tolerances.pulleys.0.2", "did you mean 'normal'"),
        ('pulleys.8.2 = { normal = "2 mm" }', "tolerances.pulleys.8.2", "no such item"),
        ('puleys = { normal = "2 mm" }', "tolerances.puleys", "did you mean 'pulleys'"),
        ("arrangement = { normal = 1 }", "tolerances.arrangement", "option"),
        ("check_platform = { normal = 1 }", "tolerances.check_platform", "option"),
        ("cable_order = { normal = 1 }", "tolerances.cable_order", "is not set"),
        ("cells = { normal = 1 }", "tolerances.cells", "setting of the computation"),
        ('pulleys.0.normal = "1 mm"\npulleys.0.2.normal = "1 mm"', "tolerances.pulleys.0.2", "two"),
        ('pulleys.0.2.normal = "1 mm"\n"pulleys.0.2" = { normal = "1 mm" }', "tolerances", "twice"),
        (f"{CORRELATED}covariance = [[1, 2], [2, 1]]", "tolerances.correlated[0].covariance", "not positive"),
        (f"{CORRELATED}covariance = [[1, 2], [1, 9]]", "tolerances.correlated[0].covariance", "symmetric"),
        (f"{CORRELATED}covariance = [[0, 0], [0, 1]]", "tolerances.correlated[0].covariance", "diagonal"),
        (f"{CORRELATED}covariance = [[1]]", "tolerances.correlated[0].covariance", "2 rows of 2"),
        (f"{CORRELATED}covariance = [[1, 0], [0, 1]]\nnormal = 1", "tolerances.correlated[0]", "either"),
        (
            f"{CORRELATED}normal = '1 mm'\ncorrelation = 1.5",
            "tolerances.correlated[0].correlation",
            "-1 and 1",
        ),
        (f"{CORRELATED}normal = '-1 mm'\ncorrelation = 0.5", "tolerances.correlated[0].normal", "negative"),
        (
            f"{CORRELATED}normal = ['1 mm']\ncorrelation = 0.5",
            "tolerances.correlated[0].normal",
            "1 standard",
        ),
    ],
)
def test_faults_name_their_place(tolerances, place, words):
    with pytest.raises(InputError, match=f"(?s){place.replace('[', chr(92) + '[')}.*({words})"):
        check_text(robot(tolerances), "study.toml", check)


def test_variables_of_options_and_whole_numbers_have_no_tolerance():
    text = """
    name = "m"
    model = "mixed"
    [variables]
    VARIABLES
    [tolerances]
    count = { normal = 1 }
    [objectives]
    cost = "minimize"
    [search]
    algorithm = "lhs"
    evaluations = 4
    """
    fields = load("mixed").parameters.model_fields
    whole = next(name for name, field in fields.items() if field.annotation is int)
    study = text.replace("count", whole).replace(
        "VARIABLES", f'{whole} = {{ lower = 1, upper = 3, type = "integer" }}'
    )
    with pytest.raises(InputError, match="whole number"):
        check_text(study, "study.toml", check)


def test_a_variable_of_options_has_no_tolerance_although_its_options_are_numbers():
    variable = "x1 = { lower = 0.5, upper = 4.5 }"
    assert variable in BNH
    text = BNH.replace(variable, "x1 = { options = [0.5, 1.0, 2.0] }")
    with pytest.raises(InputError, match=r"tolerances\.x1.*'x1' is a variable of options"):
        check_text(text, "study.toml", check)


@pytest.mark.parametrize("samples", [63, 8, 0, -1, 10**9, 64.5])
def test_numbers_of_samples_are_checked(samples):
    with pytest.raises(InputError, match="robust"):
        check_text(BNH.replace("samples = 16", f"samples = {samples}"), "study.toml", check)


def test_statistics_need_tolerances_and_known_names():
    with pytest.raises(InputError, match=r"objectives\.robust\.F2\.q95.*add \[tolerances\]"):
        check_text(robot(""), "study.toml", check)
    good = 'frame_radius = { normal = "1 mm" }'
    with pytest.raises(InputError, match=r"did you mean 'robust\.F2\.q95'"):
        check_text(robot(good, 'robust.F2.q96 = "minimize"'), "study.toml", check)
    bare = BNH.replace("x1.normal = 0.1", "").replace("x2 = { uniform = 0.1 }", "")
    with pytest.raises(InputError, match=r"expressions\.gap.*add \[tolerances\]"):
        check_text(bare, "study.toml", check)


def test_studies_without_tolerances_are_what_they_were(bnh_study):
    definition = parse_study(bnh_study)
    stored = definition.model_dump(mode="json")
    assert "tolerances" not in stored
    assert "robust" not in stored
    problem = check(definition)["default"]
    assert problem.uncertainty is None
    assert problem.tasks(np.array([[0.5, 0.5]]))[0].uncertainty is None


def test_tolerances_alone_cost_a_search_nothing(bnh_study):
    definition = parse_study(bnh_study + "\n[tolerances]\nx1 = { normal = 0.1 }")
    problem = check(definition)["default"]
    assert (
        problem.tasks(np.array([[0.5, 0.5]]))[0]
        == check(parse_study(bnh_study))["default"].tasks(np.array([[0.5, 0.5]]))[0]
    )
    assert study_model(definition).metrics == load("bnh").metrics


def test_a_stored_definition_is_read_back():
    definition = parse_study(BNH)
    again = StudyDefinition.model_validate(definition.model_dump(mode="json"))
    assert again == definition
    assert again.digest() == definition.digest()
    assert define(definition.model_dump(mode="json")) == definition


def test_a_file_written_from_a_definition_says_the_same():
    correlated = BNH.replace("[robust]", "[[tolerances.correlated]]\nparameters = ['x1', 'x2']\nnormal = 1\n"
                             "correlation = 0.5\n[robust]").replace("x1.normal = 0.1", "").replace("x2 = { uniform = 0.1 }", "")  # fmt: skip
    for text in (BNH, correlated):
        definition = parse_study(text)
        assert parse_study(study_toml(definition)).digest() == definition.digest()


def test_a_search_optimises_statistics(store, inline):
    study = run_study(store, parse_study(BNH), inline(InlineExecutor()))
    run = study.runs[0]
    assert run.state == "done"
    batch = next(iter(store.log(run)))
    record = store.evaluations(batch.keys)[batch.keys[0]]
    assert batch.objectives[0, 0] == record.metrics["robust.f1.q95"]
    assert record.metrics["robust.f1.mean.error"] > 0
    assert record.counters["robots"] == 16
    assert {"robust.cost.mean", "robust.c1.sd", "robust.probability_feasible"} <= set(record.metrics)
    assert "robust.gap.mean" not in record.metrics, "a statistic has no statistics"
    assert record.task.uncertainty["limits"] == [["c1", 0.0, None, 0.0]]


def test_a_key_holds_tolerances_and_samples():
    point = np.array([[0.5, 0.5]])
    texts = [BNH, BNH.replace("samples = 16", "samples = 32"), BNH.replace("x1.normal = 0.1", "x1.normal = 0.2"),
             BNH.replace("samples = 16", "samples = 16\nseed = 1"), BNH.replace("c1 = { lower = 0 }", "c1 = { lower = 1 }")]  # fmt: skip
    keys = [check(parse_study(text))["default"].tasks(point)[0].key for text in texts]
    assert len(set(keys)) == len(texts)
