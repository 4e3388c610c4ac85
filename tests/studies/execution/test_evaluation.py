import dataclasses
import hashlib
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import WorkerError
from models import Evaluation, load
from studies.execution.evaluation import evaluate_task, task_of
from studies.execution.evaluation_key import evaluation_key

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


@pytest.mark.parametrize("change", [{"model_version": 99}, {"model": "not-installed"}])
def test_a_worker_that_does_not_fit_says_nothing_about_the_design(change):
    task = dataclasses.replace(task_of(FAULTY, plain(), "plain", 0), **change)
    with pytest.raises(WorkerError):
        evaluate_task(task, "here")


@pytest.mark.parametrize(
    "returned", [None, {"f1": 1.0}, "text", 3, Evaluation({"f1": "x"}), Evaluation({}, {"n": "x"})]
)
def test_whatever_a_back_end_returns_is_a_record(monkeypatch, returned):
    odd = dataclasses.replace(FAULTY, stages={"plain": lambda _: returned})
    monkeypatch.setattr("studies.execution.evaluation.load", lambda _: odd)
    assert evaluated().kind == "model_error"


def test_metrics_that_no_table_has_are_refused_with_what_the_back_end_said(monkeypatch):
    generous = Evaluation({"f1": 1, "f2": 2.0, "sometimes": None, "extra": 3.0}, {"n": 4}, ("careful",))
    odd = dataclasses.replace(FAULTY, stages={"plain": lambda _: generous})
    monkeypatch.setattr("studies.execution.evaluation.load", lambda _: odd)
    record = evaluated()
    assert (record.state, record.kind) == ("failed", "model_error")
    assert "'extra', which is not in its table of metrics" in record.reason
    assert (record.counters, record.warnings) == ({"n": 4}, ("careful",))


def test_out_of_memory_is_not_the_last_word(monkeypatch):
    def hungry(*_):
        raise MemoryError

    odd = dataclasses.replace(FAULTY, stages={"plain": hungry})
    monkeypatch.setattr("studies.execution.evaluation.load", lambda _: odd)
    record = evaluated()
    assert record.kind == "out_of_memory"
    assert not record.final


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


def test_a_key_is_as_it_always_was():
    """Keys are stored for good: another spelling would compute everything again."""
    told = '["faulty",1,{"a":["0x1.0000000000000p-1",true,null,[7]],"b":"\\u00b5","c":"0x0.0p+0"},"plain",3]'
    assert FAULTY.version == 1
    parameters = {"c": -0.0, "b": "\N{MICRO SIGN}", "a": (0.5, True, None, [7])}
    assert evaluation_key(FAULTY, parameters, "plain", 3) == hashlib.sha256(told.encode()).hexdigest()
