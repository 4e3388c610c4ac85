"""Sweeps: every design under every condition, once; the same on any number of workers; searches as studies."""

import os
import re
import shutil
import threading
from contextlib import nullcontext

import numpy as np
import pytest

from errors import InputError, LeaseError, LimitError
from studies.comparison.verdict_map import verdict_map
from studies.definition.study_file import parse_study
from studies.execution import Interrupted
from studies.run.launch import resume_study, run_study
from studies.run.questions import carry_out, make_studies, queue_studies, sweep
from studies.store import Store
from studies.store.studies import Wanted
from studies.uncertainty.sweep import read_plan, store_sweep
from tests.conftest import InlineExecutor
from tests.studies.uncertainty.sweep_studies import TWO_LAYOUTS, is_feasible, objectives_at, two_layouts

OVER = {"x2": [0.5, 1.0, 2.0]}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store with the finished study, made once."""
    path = tmp_path_factory.mktemp("made") / "a.db"
    with Store(str(path)) as store:
        run_study(store, two_layouts(), lambda: nullcontext(InlineExecutor()))
    return path


@pytest.fixture
def store(made, tmp_path):
    with Store(str(shutil.copy(made, tmp_path))) as opened:
        yield opened


@pytest.fixture
def study(store):
    return store.study("sides")


def test_every_design_of_every_seed_is_evaluated_under_every_condition(store, study, make_executor, inline):
    executor = make_executor()
    record = sweep(store, "sides", OVER, inline(executor))
    plan = read_plan(store, record)
    for run in study.runs:
        front = store.front_places(run)
        own = next(each for each in plan.layouts if each.layout == run.layout)
        np.testing.assert_array_equal(own.points[list(own.seeds[run.seed])], front.points)
    for condition in plan.conditions:
        for tasks in plan.tasks_under(plan.problems(condition)).values():
            found = store.known(tasks)
            for task in tasks:
                x1, x2 = task.parameters["x1"], task.parameters["x2"]
                assert x2 == condition.values["x2"]
                metrics = found[task.key].metrics
                assert (metrics["f1"], metrics["f2"]) == pytest.approx(objectives_at(x1, x2), rel=1e-12)
    stored = {key for run in study.runs for key in store.front_places(run).keys}
    assert set(executor.keys) == {task.key for tasks in plan.batches() for task in tasks} - stored, (
        "the study's own condition is not computed again"
    )
    assert len(executor.keys) == len(set(executor.keys))


def test_what_was_interrupted_goes_on_with_what_is_missing(store, study, make_executor, inline):
    first, reports = make_executor(stop_after=5), []
    with pytest.raises(Interrupted):
        sweep(store, "sides", OVER, inline(first))
    second = make_executor(backwards=True)
    record = sweep(store, "sides", OVER, inline(second), report=reports.append)
    assert not set(first.keys) & set(second.keys)
    assert reports[0].done == reports[-1].wanted - len(second.keys)
    assert reports[-1].done == reports[-1].wanted
    third = make_executor()
    again = carry_out(store, record, inline(third))
    assert (again, third.keys) == (record, [])
    assert store.sweeps.of("sides") == [record]


def test_of_two_processes_one_computes_and_the_other_says_who_until_it_is_stopped(
    store, study, make_executor, inline
):
    record, second, heard = store_sweep(store, "sides", OVER), make_executor(), []

    class First(InlineExecutor):
        def evaluate(self, tasks, *others, **said):
            with pytest.raises(Interrupted):
                carry_out(
                    store, record, inline(second), lambda: bool(heard and heard[-1].message), heard.append
                )
            super().evaluate(tasks, *others)

    first = First()
    carry_out(store, record, inline(first))
    assert f"is being worked on by process {os.getpid()}" in heard[-1].message
    assert (len(first.keys) > 0, second.keys) == (True, [])
    assert store.sweeps.of("sides") == [record]
    assert [job.state for job in store.jobs.of("sides")] == ["done"]


def test_what_is_deleted_while_it_is_computed_stops_and_keeps_what_it_has(store, study, inline):
    record = store_sweep(store, "sides", OVER)

    class Slow(InlineExecutor):
        """Goes on with the second design when it is told to stop."""

        def evaluate(self, tasks, sink, should_stop, *others, **said):
            super().evaluate(tasks[:1], sink, should_stop, *others)
            store.sweeps.remove("sides", record.id)
            while not should_stop():
                threading.Event().wait(0.01)
            super().evaluate(tasks[1:], sink, should_stop, *others)

    executor = Slow()
    with pytest.raises(LeaseError, match=r"was deleted|another process has taken over"):
        carry_out(store, record, inline(executor))
    assert len(executor.keys) == 1
    again = store_sweep(store, "sides", OVER)
    assert len(store.known(next(read_plan(store, again).batches()))) > 0


def test_the_map_does_not_depend_on_the_order_of_evaluation(store, made, tmp_path, make_executor, inline):
    forwards = verdict_map(store, sweep(store, "sides", OVER, inline(make_executor())))
    with Store(str(shutil.copy(made, tmp_path / "other.db"))) as other:
        backwards = verdict_map(other, sweep(other, "sides", OVER, inline(make_executor(backwards=True))))
    assert backwards == forwards


def test_the_best_value_is_that_of_the_closed_form(store, study, make_executor, inline):
    record = sweep(store, "sides", OVER, inline(make_executor()))
    plan = read_plan(store, record)
    first = plan.tasks_under(plan.problems(plan.conditions[0]))
    for condition, verdict in verdict_map(store, record).of("best f1"):
        for layout, tasks in first.items():
            xs = [task.parameters["x1"] for task in tasks]
            x2 = condition.values["x2"]
            feasible = [objectives_at(x, x2)[0] for x in xs if is_feasible(x, x2)]
            assert verdict.values[layout] == pytest.approx(min(feasible), rel=1e-12)
    for condition, verdict in verdict_map(store, record).of("feasible share"):
        for layout, tasks in first.items():
            share = np.mean([is_feasible(task.parameters["x1"], condition.values["x2"]) for task in tasks])
            assert verdict.values[layout] == pytest.approx(share)


def test_a_map_of_what_is_half_computed_says_so(store, study, make_executor, inline):
    with pytest.raises(Interrupted):
        sweep(store, "sides", {"x2": [0.5, 1.0]}, inline(make_executor(stop_after=3)))
    (record,) = store.sweeps.of("sides")
    found = verdict_map(store, record)
    assert [each.complete for each in found.conditions] == [False, True], "1.0 is the study's own condition"
    assert not found.complete


@pytest.mark.parametrize("over", [{"x2": [0, 0]}, {"x9": [1]}, {"x1": [1]}, {"x2": [7]}, {}])
def test_nothing_is_stored_of_a_sweep_that_is_refused(store, study, over):
    with pytest.raises(InputError):
        store_sweep(store, "sides", over)
    assert store.sweeps.of("sides") == []


def test_a_study_without_fronts_has_nothing_to_evaluate(store):
    store.create_study(parse_study(TWO_LAYOUTS.replace("sides", "new")), ["near", "far"])
    with pytest.raises(InputError, match="no design on a front yet; run it first"):
        store_sweep(store, "new", OVER)
    assert store_sweep(store, "new", OVER, "search").mode == "search"


def test_each_condition_of_a_search_is_a_study(store, study, make_executor, inline):
    record = sweep(store, "sides", {"x2": [0.5, 2.0]}, inline(make_executor()), "search")
    assert list(record.studies) == [1, 2]
    for number, x2 in ((1, 0.5), (2, 2.0)):
        child = store.study(record.studies[number])
        assert child.definition["parameters"] == {"x2": x2}
        assert re.fullmatch(f"sides-sweep-[0-9a-f]{{8}}-{number}", child.name)
        assert child.state == "done"
        text = TWO_LAYOUTS.replace("sides", f"alone-{number}").replace("x2 = 1.0", f"x2 = {x2}")
        store.create_study(parse_study(text), ["near", "far"])
        alone = resume_study(store, f"alone-{number}", inline(make_executor()))
        for own, other in zip(child.runs, alone.runs, strict=True):
            assert store.front_places(own).keys == store.front_places(other).keys
    found = verdict_map(store, record)
    assert found.complete
    assert [each.study for each in found.conditions] == list(record.studies.values())
    assert "feasible share" not in [each.name for each in found.criteria]


def test_a_search_that_was_stopped_goes_on(store, study, make_executor, inline):
    calls = []

    def stop():
        calls.append(1)
        return len(calls) > 20

    with pytest.raises(Interrupted):
        sweep(store, "sides", {"x2": [0.5, 2.0]}, inline(make_executor()), "search", stop)
    (record,) = store.sweeps.of("sides")
    assert not verdict_map(store, record).complete
    assert verdict_map(store, carry_out(store, record, inline(make_executor()))).complete


def test_the_studies_of_a_sweep_count_as_one_and_stand_in_no_list(store, study):
    record = make_studies(store, store_sweep(store, "sides", {"x2": [0.5, 2.0, 0.0]}, "search"))
    queue_studies(store, record, most_running=1)
    names = list(record.studies.values())
    assert {store.study(name).state for name in names} == {"queued"}
    listed = [each.name for each in store.studies(Wanted(of_sweeps=False))]
    assert listed == ["sides"]
    assert {each.name for each in store.studies()} == {"sides", *names}
    other = parse_study(TWO_LAYOUTS.replace("sides", "other"))
    with pytest.raises(LimitError, match="1 of your studies and jobs are queued"):
        store.create_study(other, ["near", "far"], most_running=1)
    store.delete_study("sides")
    assert {each.name for each in store.studies(Wanted(of_sweeps=False))} == set(names), "nothing is lost"


def test_a_study_made_anew_with_other_content_is_searched_under_the_same_conditions(store, study):
    over = {"x2": [0.5, 2.0]}
    old = make_studies(store, store_sweep(store, "sides", over, "search"))
    store.delete_study("sides")
    store.create_study(
        parse_study(TWO_LAYOUTS.replace("generations = 3", "generations = 4")), ["near", "far"]
    )
    new = make_studies(store, store_sweep(store, "sides", over, "search"))
    assert not set(new.studies.values()) & set(old.studies.values())
    assert {store.study(name).definition["search"]["generations"] for name in new.studies.values()} == {4}
    store.sweeps.remove("sides", new.id)
    assert make_studies(store, store_sweep(store, "sides", over, "search")).studies == new.studies
