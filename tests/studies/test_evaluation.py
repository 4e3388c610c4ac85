import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import load
from studies.evaluation import evaluate_task, evaluation_key, task_of

FAULTY = load("faulty")


def plain(**settings):
    return FAULTY.resolve(None, settings).model_dump(mode="json")


def evaluated(**settings):
    return evaluate_task(task_of(FAULTY, plain(**settings), "plain", 0), "here")


@pytest.mark.parametrize(
    ("fault", "state", "kind"),
    [
        ("raise", "failed", "model_error"),
        ("missing", "failed", "model_error"),
        ("nan", "failed", "non_finite"),
        ("inf", "failed", "non_finite"),
        ("infeasible", "infeasible", ""),
    ],
)
def test_whatever_the_back_end_does_a_finite_record_comes_back(fault, state, kind):
    record = evaluated(x=0.5, threshold=0.1, fault=fault)
    assert (record.state, record.kind) == (state, kind)
    assert record.reason
    assert record.metrics == {}
    assert math.isfinite(record.violation)
    assert record.final


def test_a_metric_that_does_not_exist_is_null():
    assert evaluated(x=0.01).metrics["sometimes"] is None
    assert evaluated(x=0.5).metrics["sometimes"] == 0.5


def test_values_that_exclude_each_other_are_infeasible():
    record = evaluate_task(task_of(FAULTY, {**plain(), "x": 7.0}, "plain", 0), "here")
    assert record.state == "infeasible"
    assert "exclude each other" in record.reason


def test_a_worker_of_another_version_refuses():
    task = task_of(FAULTY, plain(), "plain", 0)
    other = type(task)(task.key, task.model, 99, task.parameters, task.cost_class, task.seed)
    record = evaluate_task(other, "here")
    assert record.state == "failed"
    assert "version" in record.reason


def test_records_travel():
    record = evaluated(x=0.5)
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301


def test_key_depends_on_all_that_decides_the_result():
    base = evaluation_key(FAULTY, plain(), "plain", 0)
    assert base == evaluation_key(FAULTY, plain(), "plain", 0)
    assert base != evaluation_key(FAULTY, plain(x=0.5), "plain", 0)
    assert base != evaluation_key(FAULTY, plain(), "other", 0)
    assert base != evaluation_key(FAULTY, plain(), "plain", 1)
    assert base != evaluation_key(load("bnh"), plain(), "plain", 0)


@given(st.floats(0, 1), st.floats(0, 1))
def test_keys_are_equal_exactly_when_floats_are(one, two):
    equal = evaluation_key(FAULTY, {"x": one}, "plain", 0) == evaluation_key(FAULTY, {"x": two}, "plain", 0)
    assert equal == (one == two)
