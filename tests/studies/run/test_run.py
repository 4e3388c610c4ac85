"""Runs with an executor in this process: replay, resume, cache, budgets, failures."""

import dataclasses
import itertools
import threading
import time

import numpy as np
import pytest
from sqlalchemy import text

from errors import InputError, LeaseError
from models import load
from studies.comparison.comparison import compare_layouts
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.export import evaluation_table
from studies.results.front_picks import front_picks
from studies.results.fronts import fronts, objectives_of
from studies.run.heartbeat import Heartbeat
from studies.run.launch import branch_study, resume_study, run_study
from studies.search.registry import OURS
from studies.store import Store, this_process
from tests.repetition import repeated


def picture(store, name):
    """All that must be equal between runs: logs, indicators and fronts, without times and workers."""
    study = store.study(name)
    runs = []
    for run in study.runs:
        log = [
            (b.generation, b.keys, b.points.tobytes(), b.objectives.tobytes(), b.violations.tobytes())
            for b in store.log(run)
        ]
        history = [dataclasses.replace(g, seconds=0, finished=0, computed=0) for g in store.generations(run)]
        members = [(m.ask_no, m.evaluation.key, m.evaluation.metrics) for m in store.front(run)]
        runs.append((run.state, run.message, run.reference_point.tolist(), log, history, members))
    return runs


def run_whole(path, text, inline, executor):
    with Store(str(path)) as store:
        run_study(store, parse_study(text), inline(executor))
        return picture(store, parse_study(text).name)


def test_a_study_runs_and_its_front_is_stored(store, bnh_study, inline, make_executor):
    executor = make_executor()
    study = run_study(store, parse_study(bnh_study), inline(executor))
    assert study.state == "done"
    assert len(executor.keys) == len(set(executor.keys)) == 72
    front = fronts(store, study)["default"]
    assert len(front) > 5
    assert all(d.violation == 0 and d.metrics["c1"] >= 0 and d.metrics["c2"] >= 0 for d in front)
    history = store.generations(study.runs[0])
    assert [g.number for g in history] == list(range(1, 7))
    assert all(b.hypervolume >= a.hypervolume for a, b in itertools.pairwise(history))
    assert history[-1].asked == history[-1].computed == 72


@pytest.mark.parametrize("stop_after", repeated([0, 1, 11, 12, 13, 30, 71], quick=[0, 12, 13]))
def test_an_interrupted_run_ends_as_the_uninterrupted_one(
    tmp_path, bnh_study, inline, make_executor, stop_after
):
    reference = run_whole(tmp_path / "whole.db", bnh_study, inline, make_executor())
    with Store(str(tmp_path / "cut.db")) as store:
        first, second = make_executor(stop_after=stop_after), make_executor(backwards=True)
        paused = run_study(store, parse_study(bnh_study), inline(first))
        assert paused.state == "paused"
        done = resume_study(store, "bnh", inline(second))
        assert done.state == "done"
        assert picture(store, "bnh") == reference
        assert not set(first.keys) & set(second.keys)
        assert len(first.keys) + len(second.keys) == 72


def test_the_same_study_again_computes_nothing(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    again = make_executor()
    assert run_study(store, parse_study(bnh_study), inline(again)).state == "done"
    assert again.keys == []


def test_another_study_uses_what_is_stored(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    again = make_executor()
    study = run_study(store, parse_study(bnh_study.replace('"bnh"', '"twin"', 1)), inline(again))
    assert again.keys == []
    assert picture(store, "twin") == picture(store, "bnh")
    assert store.generations(study.runs[0])[-1].computed == 0


def test_the_same_name_with_other_content_is_refused(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    before = picture(store, "bnh")
    with pytest.raises(InputError, match="another study named 'bnh'"):
        run_study(
            store,
            parse_study(bnh_study.replace("population = 12", "population = 16")),
            inline(make_executor()),
        )
    assert picture(store, "bnh") == before


def test_a_refusal_says_what_differs_and_what_to_do(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    other = bnh_study.replace("population = 12", "population = 16").replace("upper = 3", 'upper = "2.5"')
    with pytest.raises(InputError) as refused:
        run_study(store, parse_study(other.replace("c2 = { lower = 0 }", "")), inline(make_executor()))
    text_ = str(refused.value)
    assert "search.population is 12 in the store and 16 here" in text_
    assert 'variables.x2.upper is 3 in the store and "2.5" here' in text_
    assert "constraints.c2.lower is 0 in the store and nothing here" in text_
    assert "cost nothing" in text_
    assert "extend" not in text_
    with pytest.raises(InputError, match="extend the study") as refused:
        run_study(
            store,
            parse_study(bnh_study.replace("generations = 6", "generations = 9")),
            inline(make_executor()),
        )
    assert refused.value.remedy == ("studies", "extend", ("bnh",), {"generations": "9"})


def test_another_description_is_stored_and_not_refused(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    before = picture(store, "bnh")
    described = parse_study(bnh_study.replace('model = "bnh"', 'model = "bnh"\ndescription = "two pulleys"'))
    executor = make_executor()
    assert run_study(store, described, inline(executor)).description == "two pulleys"
    assert (executor.keys, picture(store, "bnh")) == ([], before)
    store.edit_study("bnh", {"note": "three pulleys"})
    assert run_study(store, described, inline(executor)).description == "three pulleys"
    assert run_study(store, parse_study(bnh_study), inline(executor)).description == ""


def test_a_log_that_the_search_does_not_repeat_stops_as_diverged(tmp_path, bnh_study, inline, make_executor):
    with Store(str(tmp_path / "a.db")) as store:
        run_study(store, parse_study(bnh_study), inline(make_executor(stop_after=30)))
        with store._engine.begin() as connection:
            connection.execute(text("UPDATE run_evaluation SET objectives = zeroblob(16) WHERE ask_no < 6"))
        study = resume_study(store, "bnh", inline(make_executor()))
        assert study.state == "diverged"
        assert "other designs than those in the log" in study.runs[0].message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "x1 = { lower = 0, upper = 5 }\n    x2 = { lower = 0, upper = 3 }",
            "x2 = { lower = 0, upper = 3 }\n    x1 = { lower = 0, upper = 5 }",
        ),
        ('f1 = "minimize"\n    f2 = "minimize"', 'f2 = "minimize"\n    f1 = "minimize"'),
    ],
)
def test_a_file_in_another_order_goes_on_as_the_stored_one(
    tmp_path, bnh_study, inline, make_executor, old, new
):
    assert old in bnh_study
    reference = run_whole(tmp_path / "whole.db", bnh_study, inline, make_executor())
    with Store(str(tmp_path / "cut.db")) as store:
        run_study(store, parse_study(bnh_study), inline(make_executor(stop_after=30)))
        run_study(store, parse_study(bnh_study.replace(old, new)), inline(make_executor()))
        assert picture(store, "bnh") == reference


def test_a_model_that_changed_does_not_go_on_with_an_old_log(
    store, bnh_study, inline, make_executor, monkeypatch
):
    run_study(store, parse_study(bnh_study), inline(make_executor(stop_after=30)))
    newer = dataclasses.replace(load("bnh"), version=2)
    monkeypatch.setattr("studies.definition.stored_model.load", lambda _: newer)
    monkeypatch.setattr(
        "studies.run.launch.require_same_stream", lambda *_: None
    )  # as if the number were the same
    study = resume_study(store, "bnh", inline(make_executor()))
    assert study.state == "diverged"
    assert "version or the defaults of the model" in study.runs[0].message


def test_too_many_failures_are_seen_in_a_replay_too(store, inline, make_executor, monkeypatch):
    definition = parse_study(FAULTY.replace("FAULT", "raise").replace("threshold = 0.9", "threshold = 0.1"))
    monkeypatch.setattr("studies.run.run.Counters.require_few_failures", lambda *_: None)
    run_study(store, definition, inline(make_executor(stop_after=25)))
    monkeypatch.undo()
    executor = make_executor()
    study = resume_study(store, "faulty", inline(executor))
    assert study.state == "failed"
    assert "of 20 designs failed" in study.runs[0].message
    assert executor.keys == []


def test_a_wish_to_stop_is_heard_while_everything_is_stored(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    twin = parse_study(bnh_study.replace('"bnh"', '"twin"', 1))
    assert run_study(store, twin, inline(make_executor()), lambda: True).state == "paused"


def test_a_design_asked_for_twice_stands_on_the_front_once(store, inline, make_executor):
    text_ = FAULTY.replace("FAULT", "raise").replace("threshold = 0.9", "threshold = 2")
    text_ = text_.replace(
        "x = { lower = 0, upper = 1 }\ny = { lower = 0, upper = 1 }",
        'shape = { options = ["round", "flat"] }',
    )
    text_ = text_.replace("[search]", '[search]\nalgorithm = "lhs"')
    study = run_study(store, parse_study(text_), inline(make_executor()))
    assert study.runs[0].message == "1 design on the front"
    assert store.generations(study.runs[0])[-1].front_size == 1


def test_a_last_generation_is_cut_to_the_budget(store, bnh_study, inline, make_executor):
    executor = make_executor()
    text_ = bnh_study.replace("generations = 6", "evaluations = 31")
    study = run_study(store, parse_study(text_), inline(executor))
    assert study.state == "done"
    assert len(executor.keys) == 31
    assert resume_study(store, "bnh", inline(executor)).state == "done"


FAULTY = """
name = "faulty"
model = "faulty"
seeds = [3]
[parameters]
threshold = 0.9
fault = "FAULT"
[variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
generations = 5
[evaluation]
max_failure_share = 0.5
"""


@pytest.mark.parametrize(
    "fault", repeated(["raise", "nan", "infeasible", "inf", "missing"], quick=["raise", "nan", "infeasible"])
)
def test_failed_designs_are_recorded_and_never_on_a_front(store, inline, make_executor, fault):
    study = run_study(store, parse_study(FAULTY.replace("FAULT", fault)), inline(make_executor()))
    assert study.state == "done"
    table = evaluation_table(store, study)
    bad = table[table["x [1]"] > 0.9]
    assert len(bad) > 0
    assert set(bad["state"]) == {"infeasible" if fault == "infeasible" else "failed"}
    assert (bad["violation"] > 0).all()
    assert (table[table["x [1]"] <= 0.9]["state"] == "done").all()
    front = fronts(store, study)["default"]
    assert front
    assert all(design.variables["x"] <= 0.9 for design in front)


SEVERAL_OBJECTIVES = [
    name
    for name, algorithm in OURS.items()
    if algorithm.learns and algorithm.objectives[1] > 1 and algorithm.extra is None
]


@pytest.mark.parametrize("algorithm", repeated(SEVERAL_OBJECTIVES, quick=["nsga2", "moead", "optuna-tpe"]))
def test_a_search_and_its_comparison_cope_with_the_greatest_finite_numbers(
    store, inline, make_executor, algorithm
):
    text_ = FAULTY.replace("FAULT", "enormous").replace("threshold = 0.9", "threshold = 0.2")
    text_ = text_.replace("[search]", f'[search]\nalgorithm = "{algorithm}"')
    study = run_study(store, parse_study(text_), inline(make_executor()))
    assert study.state == "done", study.runs[0].message
    assert all(np.isfinite(g.hypervolume) for g in store.generations(study.runs[0]))
    compared = compare_layouts(store, study)
    assert np.isfinite(compared.reference_point).all()
    values = [v for row in compared.criteria for v in (*row.values.values(), row.margin) if v is not None]
    assert np.isfinite(values).all()
    designs = fronts(store, study)["default"]
    assert front_picks(objectives_of(designs, 2), ["f1", "f2"])


def test_too_many_failures_stop_the_run_with_their_cause(store, inline, make_executor):
    text_ = FAULTY.replace("FAULT", "raise").replace("threshold = 0.9", "threshold = 0.1")
    study = run_study(store, parse_study(text_), inline(make_executor()))
    assert study.state == "failed"
    assert "RuntimeError: the back-end gave up" in study.runs[0].message
    assert "of 20 designs failed" in study.runs[0].message


def test_a_failed_run_goes_on_with_a_larger_failure_share(store, tmp_path, inline, make_executor):
    text_ = FAULTY.replace("FAULT", "raise").replace("threshold = 0.9", "threshold = 0.5")
    strict = text_.replace("max_failure_share = 0.5", "max_failure_share = 0.1")
    reference = run_whole(tmp_path / "whole.db", text_, inline, make_executor())
    first = make_executor()
    study = run_study(store, parse_study(strict), inline(first))
    assert study.state == "failed"
    assert "raise evaluation.max_failure_share in the study file and run it again" in study.runs[0].message
    with pytest.raises(InputError, match="another study named 'faulty'"):
        run_study(store, parse_study(strict.replace("share = 0.1", "share = 0.05")), inline(first))
    second = make_executor()
    assert run_study(store, parse_study(text_), inline(second)).state == reference[0][0]
    assert picture(store, "faulty") == reference
    assert not set(first.keys) & set(second.keys)


def test_a_study_without_feasible_designs_says_how_close_it_came(store, inline, make_executor):
    text_ = FAULTY.replace("FAULT", "infeasible").replace("threshold = 0.9", "threshold = 0.0")
    study = run_study(store, parse_study(text_.replace("lower = 0", "lower = 0.1")), inline(make_executor()))
    assert study.state == "done"
    assert "no design was feasible; the nearest ones are listed with what they lack" in study.runs[0].message
    assert fronts(store, study) == {"default": []}
    assert store.generations(study.runs[0])[-1].hypervolume is None


def test_a_stated_reference_point_is_used(store, bnh_study, inline, make_executor):
    text_ = bnh_study + "\n[indicators]\nreference_point = { f1 = 140, f2 = 50 }\n"
    study = run_study(store, parse_study(text_), inline(make_executor()))
    assert study.runs[0].reference_point.tolist() == [140.0, 50.0]


def test_a_run_of_a_living_process_is_left_alone(store, bnh_study, inline, make_executor):
    definition = parse_study(bnh_study)
    study = store.create_study(definition, ["default"])
    living = dataclasses.replace(this_process(), id="somebody else")
    store.claim_runs(study.runs, living)
    with pytest.raises(LeaseError, match="being worked on"):
        run_study(store, definition, inline(make_executor()))


def test_drafts_are_worked_on_when_somebody_says_so(store, bnh_study, inline, make_executor):
    definition = parse_study(bnh_study)
    study = store.create_study(definition, check(definition), launch=False)
    assert store.claim_next(this_process()) is None, "a runner leaves drafts alone"
    assert resume_study(store, study.name, inline(make_executor())).state == "done"
    kinds = [event.kind for event in store.events()]
    assert kinds == ["draft", "queued", "running", *["generation"] * 6, "done"]


def test_a_branch_belongs_to_who_asked_for_it(store, bnh_study):
    definition = parse_study(bnh_study)
    for name in ("anna", "bert"):
        store.accounts.add(name, "editor")
    store.create_study(definition, check(definition), owner="anna")
    branch = branch_study(store, "bnh", "again", owner="bert", launch=False)
    assert (branch.owner, branch.state, branch.branch_of) == ("bert", "draft", "bnh")
    assert store.study("bnh").owner == "anna"


def test_a_paused_run_goes_on_although_compiling_takes_longer_than_a_heartbeat(
    store, bnh_study, inline, make_executor, monkeypatch
):
    definition = parse_study(bnh_study)
    assert run_study(store, definition, inline(make_executor(stop_after=30))).state == "paused"
    heard = threading.Event()
    renew = store.renew

    def renewed(claims):
        states = renew(claims)
        heard.set()
        return states

    monkeypatch.setattr(store, "renew", renewed)
    monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (0.02, 30.0))
    monkeypatch.setattr("studies.run.launch.get_ready", lambda *_: heard.wait(10) and time.sleep(0.05))
    assert resume_study(store, "bnh", inline(make_executor())).state == "done"
