"""Chosen designs under tolerances, and what a study is sensitive to, against closed forms and the search."""

import math
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from errors import AbsentError, InputError, StateError, UnknownNameError
from models import load
from studies.definition.study_file import parse_study
from studies.definition.tolerance_tables import RobustTable, TolerancesTable
from studies.execution import Interrupted
from studies.execution.evaluation import task_of
from studies.results import evaluation_plan
from studies.results.evaluation_plan import count_missing, missing_of
from studies.results.fronts import joint_fronts
from studies.run.launch import run_study
from studies.store import Store
from studies.store.evaluations import insert_results
from studies.uncertainty import robust_design
from studies.uncertainty.global_sensitivity import GlobalSensitivity
from studies.uncertainty.robust_design import DesignSamples, RobustOptions
from tests.conftest import InlineExecutor
from tests.studies.definition.test_tolerances import BNH


@pytest.fixture(scope="module")
def finished(tmp_path_factory, empty_store, inline):
    """The file of a store with a finished study whose search asked for statistics."""
    path = shutil.copy(empty_store, tmp_path_factory.mktemp("robust"))
    with Store(str(path)) as store:
        run_study(store, parse_study(BNH), inline(InlineExecutor()))
    return path


@pytest.fixture
def store(tmp_path, finished):
    with Store(str(shutil.copy(finished, tmp_path))) as opened:
        yield opened


@pytest.fixture
def robust(store):
    """The study, and a design on its front."""
    study = store.study(parse_study(BNH).name)
    return study, joint_fronts(store, study)[0].keys[0]


def answer(store, inline, plan, executor=None):
    def keep(records):
        store._database.write(lambda connection: insert_results(connection, records))

    for tasks in plan.batches():
        (executor or InlineExecutor()).evaluate(missing_of(tasks, store), keep, lambda: False)
    return plan.answer(store)


def test_it_has_the_statistics_of_the_search_to_the_bit(store, inline, robust):
    study, key = robust
    robots = DesignSamples(store, study, key, RobustOptions())
    found = answer(store, inline, robots)
    stored = store.evaluations([key])[key].metrics
    assert {name: stored[name] for name in found.statistics} == found.statistics
    assert found.nominal["f1"] == stored["f1"]
    assert robots.units["robust.c1.q95"] == "1"
    assert set(robots.metrics) == {"f1", "f2", "c1"}


def test_robots_are_kept_and_an_interrupted_question_goes_on(store, inline, robust):
    study, key = robust
    robots = DesignSamples(store, study, key, RobustOptions())
    with pytest.raises(Interrupted):
        answer(store, inline, robots, InlineExecutor(stop_after=5))
    assert count_missing(robots, store) == robots.wanted - 5
    executor = InlineExecutor()
    answer(store, inline, robots, executor)
    assert len(executor.keys) == robots.wanted - 5
    again = InlineExecutor()
    answer(store, inline, DesignSamples(store, study, key, RobustOptions()), again)
    assert again.keys == []


def test_a_plan_makes_its_tasks_as_they_are_needed_and_the_same_each_time(store, robust, monkeypatch):
    study, key = robust
    plans = (
        DesignSamples(store, study, key, RobustOptions(index_rows=64)),
        GlobalSensitivity(study, None, 64, 0),
    )
    monkeypatch.setattr(evaluation_plan, "BATCH", 7)
    made = []
    monkeypatch.setattr(robust_design, "task_of", lambda *given: made.append(given) or task_of(*given))
    for plan in plans:
        made.clear()
        first = next(plan.batches())
        assert len(first) == 7
        assert len(made) <= 7, "the others are not made yet"
        batches = list(plan.batches())
        assert [len(tasks) for tasks in batches] == [7] * (plan.wanted // 7) + [plan.wanted % 7]
        assert batches == list(plan.batches())
        assert batches[0] == first
        assert plan.answer_if_stored(store) is None
        with pytest.raises(StateError, match="no longer stored"):
            plan.answer(store)


def test_bars_are_the_metric_a_standard_deviation_off(store, inline, robust):
    study, key = robust
    found = answer(store, inline, DesignSamples(store, study, key, RobustOptions()))
    design = store.evaluations([key])[key].task.parameters
    first, second = found.tornado["f1"]
    assert (first.path, first.deviation) == ("x1", 0.1)
    assert first.upper == pytest.approx(4 * (design["x1"] + 0.1) ** 2 + 4 * design["x2"] ** 2)
    assert second.deviation == pytest.approx(0.1 / 3**0.5)
    assert second.lower == pytest.approx(4 * design["x1"] ** 2 + 4 * (design["x2"] - second.deviation) ** 2)


def bars_of(store, inline, robust, tolerances):
    """The bars of f1 of the design under tolerances of one's own, and its parameters."""
    study, key = robust
    options = RobustOptions(TolerancesTable.model_validate(tolerances), RobustTable(samples=16), ("f1",))
    found = answer(store, inline, DesignSamples(store, study, key, options))
    return found.tornado["f1"], store.evaluations([key])[key].task.parameters


def f1(x1, x2):
    return 4 * x1**2 + 4 * x2**2


def test_a_step_is_the_standard_deviation_of_what_is_stated(store, inline, robust):
    stated = {"x1": {"normal": 0.04, "truncate": 0.04}, "x2": {"uniform": "6 %"}}
    (cut, share), design = bars_of(store, inline, robust, stated)
    # a normal distribution cut at one standard deviation, in closed form
    density = math.exp(-0.5) / math.sqrt(2 * math.pi)
    within = math.erf(1 / math.sqrt(2))
    assert cut.deviation == pytest.approx(0.04 * math.sqrt(1 - 2 * density / within))
    assert share.deviation == pytest.approx(0.06 * design["x2"] / math.sqrt(3))
    for bar, moved in ((cut, "x1"), (share, "x2")):
        for side, sign in ((bar.lower, -1), (bar.upper, 1)):
            assert side == pytest.approx(f1(**design | {moved: design[moved] + sign * bar.deviation}))


def test_a_correlated_number_moves_alone_by_its_own_deviation(store, inline, robust):
    stated = {"correlated": [{"parameters": ["x1", "x2"], "covariance": [[0.01, 0.018], [0.018, 0.04]]}]}
    (first, second), design = bars_of(store, inline, robust, stated)
    assert (first.deviation, second.deviation) == pytest.approx((0.1, 0.2))
    assert first.upper == pytest.approx(f1(design["x1"] + 0.1, design["x2"]))
    assert second.lower == pytest.approx(f1(design["x1"], design["x2"] - 0.2))


def test_a_side_beyond_the_bounds_of_the_model_has_no_value(store, inline, robust):
    """x1 lies between 0 and 5: the number is not moved back to its bound, as robots are not."""
    _, key = robust
    x1 = store.evaluations([key])[key].task.parameters["x1"]
    beyond = x1 + 0.01 if x1 < 2.4 else 5.01 - x1
    (bar,), design = bars_of(store, inline, robust, {"x1": {"normal": beyond}})
    inside = x1 + beyond if x1 < 2.4 else x1 - beyond
    lost, kept = (bar.lower, bar.upper) if x1 < 2.4 else (bar.upper, bar.lower)
    assert lost is None
    assert kept == pytest.approx(f1(inside, design["x2"]))
    (both,), _ = bars_of(store, inline, robust, {"x1": {"normal": 5.5}})
    assert (both.lower, both.upper) == (None, None)


def test_indices_are_shares_of_the_variance(store, inline, robust):
    study, key = robust
    found = answer(store, inline, DesignSamples(store, study, key, RobustOptions(index_rows=512)))
    design = store.evaluations([key])[key].task.parameters
    x, y, s, half = design["x1"], design["x2"], 0.1, 0.1
    # of 4 x^2 with a normal error, and of 4 y^2 with a uniform one
    one = 16 * (4 * x**2 * s**2 + 2 * s**4)
    other = 16 * (4 * y**2 * half**2 / 3 + half**4 * (1 / 5 - 1 / 9))
    indices = found.indices["f1"]
    exact = np.array([one, other]) / (one + other)
    assert found.factors == ["x1", "x2"]
    assert indices.first == pytest.approx(exact, abs=0.06)
    assert indices.total == pytest.approx(exact, abs=0.06)


def test_tolerances_can_be_given_instead_of_the_stated_ones(store, inline, robust):
    study, key = robust
    tables = TolerancesTable.model_validate({"x1": {"uniform": 0.01}})
    options = RobustOptions(tables, RobustTable(samples=32, method="monte-carlo"), ("f2",), tornado=False)
    robots = DesignSamples(store, study, key, options)
    found = answer(store, inline, robots)
    assert list(robots.plan.paths) == ["x1"]
    assert list(found.robots) == ["f2"]
    assert robots.wanted == 33
    assert found.tornado == {"f2": []}


def test_faulty_questions_are_refused(store, bnh_study, inline, robust):
    study, key = robust
    plain = run_study(store, parse_study(bnh_study), inline(InlineExecutor()))
    own = joint_fronts(store, plain)[0].keys[0]
    with pytest.raises(InputError, match="states no tolerances"):
        DesignSamples(store, plain, own, RobustOptions())
    with pytest.raises(UnknownNameError, match="f9"):
        DesignSamples(store, study, key, RobustOptions(metrics=("f9",)))
    with pytest.raises(InputError, match="of all robots together"):
        DesignSamples(store, study, key, RobustOptions(metrics=("gap",)))
    with pytest.raises(InputError, match="power of two"):
        DesignSamples(store, study, key, RobustOptions(index_rows=100))
    with pytest.raises(InputError, match="at most 200000"):
        DesignSamples(store, study, key, RobustOptions(index_rows=65536))
    negative = TolerancesTable.model_validate({"x1": {"normal": -1}})
    with pytest.raises(InputError, match="negative"):
        DesignSamples(store, study, key, RobustOptions(negative))
    assert count_missing(DesignSamples(store, study, key, RobustOptions()), store), "nothing was evaluated"


def test_a_design_of_another_study_is_named(store, inline, robust):
    _, key = robust
    study = store.create_study(parse_study(LINEAR), ["default"])
    with pytest.raises(AbsentError, match=f"study 'osy' evaluated the design {key[:10]}"):
        DesignSamples(store, study, key, RobustOptions())


LINEAR = """
name = "osy"
model = "osy"
[variables]
x1 = { lower = 0, upper = 10 }
x2 = { lower = 0, upper = 5 }
[objectives]
c1 = "maximize"
[search]
algorithm = "lhs"
population = 4
evaluations = 4
"""


def test_a_study_is_sensitive_to_its_variables_by_their_shares(store, inline):
    study = run_study(store, parse_study(LINEAR), inline(InlineExecutor()))
    plan = GlobalSensitivity(study, None, 256, 0)
    found = answer(store, inline, plan)
    assert plan.wanted == 256 * 4
    assert found.factors == ["x1", "x2"]
    assert found.indices["c1"].first == pytest.approx([0.8, 0.2], abs=0.03)
    assert found.indices["c1"].total == pytest.approx([0.8, 0.2], abs=0.03)


def test_questions_of_sensitivity_are_checked(store, inline):
    study = run_study(store, parse_study(LINEAR), inline(InlineExecutor()))
    with pytest.raises(InputError, match="power of two"):
        GlobalSensitivity(study, None, 100, 0)
    with pytest.raises(InputError, match="at most 200000"):
        GlobalSensitivity(study, None, 65536, 0)
    with pytest.raises(UnknownNameError, match="layout"):
        GlobalSensitivity(study, "suspended", 64, 0)


def test_the_resolution_of_a_metric_is_its_numerical_error_at_the_design():
    robots = SimpleNamespace(metrics=["workspace_volume", "F2"], _study_model=load("hybrid-cable-robot"))
    nominal = SimpleNamespace(metrics={"workspace_volume": 0.4, "workspace_volume_error": 0.1, "F2": 3.0})
    # pyrefly: ignore[bad-argument-type]
    assert DesignSamples._resolution(robots, nominal) == {"workspace_volume": 0.1}
    nominal.metrics["workspace_volume_error"] = None
    # pyrefly: ignore[bad-argument-type]
    assert DesignSamples._resolution(robots, nominal) == {}
