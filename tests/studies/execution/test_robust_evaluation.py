"""One evaluation with tolerances: infeasible robots, faults of the model, the same on any number of workers."""

from dataclasses import replace

import numpy as np
import pytest

from models import Evaluation, Infeasible, load
from studies.definition.tolerance_sampling import Limit, Tolerance, Uncertainty, samples_of
from studies.execution.evaluation import evaluate_task, evaluate_with_tolerances, outcome_of, task_of

PLAN = Uncertainty(
    (Tolerance("x1", "normal", 0.1), Tolerance("x2", "uniform", 0.2)), samples=32,
    metrics=("f1", "c1"), limits=(Limit("c1", 0.0, None, 0.0),),
)  # fmt: skip


def task(plan=PLAN, x1=2.0, x2=1.0):
    model = load("bnh")
    return task_of(model, {"x1": x1, "x2": x2}, "plain", 0, plan.document)


def robots(plan=PLAN, x1=2.0, x2=1.0):
    return np.array([x1, x2]) + samples_of(plan).errors


def test_statistics_are_those_of_the_robots():
    record = evaluate_task(task(), "here")
    x, y = robots().T
    f1 = 4 * x**2 + 4 * y**2
    c1 = 25 - (x - 5) ** 2 - y**2
    assert record.state == "done"
    assert record.metrics["f1"] == 20
    assert record.metrics["robust.f1.mean"] == pytest.approx(f1.mean())
    assert record.metrics["robust.f1.sd"] == pytest.approx(f1.std(ddof=1))
    assert record.metrics["robust.f1.q95"] == pytest.approx(np.quantile(f1, 0.95))
    assert record.metrics["robust.f1.worst"] == pytest.approx(f1.max())
    assert record.metrics["robust.c1.worst"] == pytest.approx(c1.min()), "more is better"
    assert record.metrics["robust.probability_feasible"] == (c1 >= 0).mean()


def test_all_designs_meet_the_same_errors():
    one, other = (evaluate_task(task(x1=x1), "here").metrics for x1 in (2.0, 2.5))
    x = robots()[:, 0]
    assert other["robust.f1.mean"] - one["robust.f1.mean"] == pytest.approx(
        (4 * (x + 0.5) ** 2 - 4 * x**2).mean()
    )


def test_robots_outside_the_bounds_do_not_work():
    record = evaluate_task(task(x1=0.05), "here")
    refused = int((robots(x1=0.05)[:, 0] < 0).sum())
    assert 0 < refused < 30
    assert record.metrics["robust.probability_feasible"] <= 1 - refused / 32
    assert f"{refused} of 32 robots made of this design do not work" in record.warnings[0]
    assert "x1" in record.warnings[0]


def test_a_nominal_design_that_is_infeasible_makes_no_robots():
    record = evaluate_task(task(x1=-1.0), "here")
    assert record.state == "infeasible"
    assert "robots" not in record.counters


def test_a_design_of_which_one_robot_works_is_infeasible_by_the_mean_of_the_others():
    calls = []

    def evaluate(plain):
        calls.append(plain)
        works = len(calls) in (1, 5)
        return (
            Evaluation({"f1": 1.0, "f2": 1.0, "c1": 1.0, "c2": 1.0})
            if works
            else Infeasible("too short", 2.0)
        )

    found = evaluate_with_tolerances(load("bnh"), task(), PLAN.document, evaluate)
    assert isinstance(found, Infeasible)
    assert found.violation == 2
    assert found.reason == "31 of 32 robots made of this design do not work: too short"
    assert len(calls) == 33


def test_a_fault_of_the_model_in_a_robot_names_the_robot():
    bad = load("bnh")
    nominal = bad.stages["plain"]

    def stage(parameters):
        found = nominal(parameters)
        return found if parameters.x1 < 2.1 else Evaluation({**found.metrics, "f1": float("nan")})

    outcome = outcome_of(replace(bad, stages={"plain": stage}), task())
    assert outcome.state == "failed"
    assert outcome.kind == "non_finite"
    assert outcome.reason.startswith("robot ")
    assert "of 32" in outcome.reason


def test_a_number_that_a_design_does_not_have_is_a_fault_of_the_model():
    plan = replace(PLAN, tolerances=(Tolerance("x3", "normal", 1.0),))
    outcome = outcome_of(load("bnh"), task(plan))
    assert outcome.state == "failed"
    assert "'x3'" in outcome.reason
