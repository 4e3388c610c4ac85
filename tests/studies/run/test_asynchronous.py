"""Asynchronous runs: workers at work, the order of arrival in the log, resumed and extended runs."""

import dataclasses
import time
from contextlib import contextmanager, suppress

import pytest

from studies.definition.study_file import parse_study
from studies.execution import Interrupted, open_executor
from studies.results.fronts import fronts
from studies.run.extension import extend_study
from studies.run.launch import resume_study, run_study
from studies.store import Store
from tests.simulated_workers import SimulatedWorkers

VARIABLES = "\n".join(f'"x.{i}" = {{ lower = 0, upper = 1 }}' for i in range(6))
STUDY = f"""
name = "steady"
model = "zdt1"
[parameters]
x = [0, 0, 0, 0, 0, 0]
[variables]
{VARIABLES}
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 20
evaluations = 400
asynchronous = true
"""


def seconds(task):
    """One design in ten takes twenty times as long as the others."""
    return 20.0 if int(task.key[:8], 16) % 10 == 0 else 1.0


def opened(executor):
    @contextmanager
    def opener():
        yield executor

    return opener


def rows(store, run):
    """The log as one list: key, point, objectives, origin of each design."""
    return [
        row
        for batch in store.log(run)
        for row in zip(
            batch.keys,
            map(bytes, batch.points),
            map(bytes, batch.objectives),
            batch.violations.tolist(),
            batch.origins,
            strict=True,
        )
    ]


def test_no_worker_waits_for_the_slowest_design(tmp_path):
    use = {}
    for wanted in ("true", "false"):
        workers = SimulatedWorkers(20, seconds)
        with Store(str(tmp_path / f"{wanted}.db")) as store:
            text = STUDY.replace("asynchronous = true", f"asynchronous = {wanted}").replace("400", "1200")
            study = run_study(store, parse_study(text), opened(workers))
            assert study.state == "done"
            assert store.generations(study.runs[0])[-1].asked == len(workers.finished) == 1200
            use[wanted] = workers.use
    assert use["true"] > 0.9
    assert use["false"] < 0.4


def test_the_log_keeps_the_order_of_arrival_and_the_asks_before(store):
    workers = SimulatedWorkers(7, seconds)
    study = run_study(store, parse_study(STUDY), opened(workers))
    log = rows(store, study.runs[0])
    assert [key for key, *_ in log] == workers.finished
    asked = [origin.asked for *_, origin in log]
    assert sorted(asked) == list(range(400))
    assert asked != sorted(asked)
    asks = [origin.asks for *_, origin in log]
    assert asks == sorted(asks)
    assert all(before > number for number, before in zip(asked, asks, strict=True))
    assert [batch.generation for batch in store.log(study.runs[0])] == list(range(1, 21))
    assert len(fronts(store, study)["default"]) > 5


def test_an_interrupted_run_goes_on_behind_its_log_with_other_workers(store):
    stopped = SimulatedWorkers(7, seconds, stop_after=150)
    study = run_study(store, parse_study(STUDY), opened(stopped))
    assert study.state == "paused"
    before = rows(store, study.runs[0])
    assert len(before) == 150
    rest = SimulatedWorkers(3, seconds)
    study = resume_study(store, "steady", opened(rest))
    assert study.state == "done"
    after = rows(store, study.runs[0])
    assert after[:150] == before
    assert len(after) == 400
    assert len(set(stopped.finished) & set(rest.finished)) == 0


def test_a_replayed_log_gives_the_stored_front_bit_for_bit(store, tmp_path):
    """An extension replays the whole log; what it logged before stays as it was, and so do the fronts."""
    study = run_study(store, parse_study(STUDY), opened(SimulatedWorkers(7, seconds)))
    (run,) = study.runs
    log, history = rows(store, run), store.generations(run)
    front = [(member.ask_no, member.evaluation.key) for member in store.front(run)]
    extend_study(store, "steady", {"evaluations": 420})
    study = resume_study(store, "steady", opened(SimulatedWorkers(2, seconds)))
    assert study.state == "done"
    assert rows(store, run)[:400] == log
    volumes = [dataclasses.replace(each, finished=0.0) for each in store.generations(run)]
    assert volumes[:20] == [dataclasses.replace(each, finished=0.0) for each in history]
    kept = {(member.ask_no, member.evaluation.key) for member in store.front(run) if member.ask_no < 400}
    assert kept <= set(front)


def test_results_in_the_store_are_told_at_once(store):
    run_study(store, parse_study(STUDY), opened(SimulatedWorkers(1, seconds)))
    again = SimulatedWorkers(1, seconds)
    study = run_study(store, parse_study(STUDY.replace('"steady"', '"again"')), opened(again))
    assert study.state == "done"
    assert (
        len(again.finished) <= 380
    )  # the first generation is the same; then the order of arrival is another


@pytest.mark.parametrize("algorithm", ["sms-emoa", "nsga3", "optuna-tpe"])
def test_a_run_ends_when_its_time_is_over_or_its_front_stands_still(store, algorithm):
    text = STUDY.replace("evaluations = 400", 'evaluations = 200\nwall_time = "2 s"\nstagnation = 2')
    text = text.replace("population", f'algorithm = "{algorithm}"\npopulation')
    study = run_study(store, parse_study(text), opened(SimulatedWorkers(5, seconds)))
    assert study.state == "done"
    (run,) = study.runs
    assert 0 < store.generations(run)[-1].asked <= 200


def test_designs_are_evaluated_on_dask_and_beside_the_driver(store, tmp_path):
    """The log is whole with real workers; cheap designs never leave the driver."""
    for delay, name in (("0.0", "cheap"), ("0.02", "dear")):
        text = STUDY.replace('"steady"', f'"{name}"').replace(
            "[variables]", f"delay = {delay}\n[variables]", 1
        )
        with open_executor(2) as executor:
            study = run_study(store, parse_study(text.replace("400", "90")), opened(executor))
        assert study.state == "done"
        log = rows(store, study.runs[0])
        assert sorted(origin.asked for *_, origin in log) == list(range(90))


def test_a_run_that_is_paused_while_nothing_is_in_flight_is_not_done(store):
    """The request comes while designs are supplied, and the executor then has nothing left."""
    asked = []

    class Cheap(SimulatedWorkers):
        def evaluate(self, tasks, sink, should_stop, limits, supply, **said):
            def supplied(room):
                asked.append(len(self.finished) > 100)
                return supply(room)

            super().evaluate(tasks, sink, lambda: False, limits, supplied)

    workers = Cheap(1, lambda _: 1.0)
    study = run_study(store, parse_study(STUDY), opened(workers), lambda: bool(asked) and asked[-1])
    assert study.state == "paused"
    assert resume_study(store, "steady", opened(SimulatedWorkers(3, seconds))).state == "done"


def test_a_time_that_is_over_is_counted_though_nothing_has_arrived(store):
    text = STUDY.replace("evaluations = 400", 'evaluations = 400\nwall_time = "1 s"')

    class Slow(SimulatedWorkers):
        def evaluate(self, tasks, sink, should_stop, limits, supply, **said):
            if not self.finished:
                self.stop_after = 20
                with suppress(Interrupted):
                    super().evaluate(tasks, sink, should_stop, limits, supply)
            while not should_stop():
                time.sleep(0.01)
            raise Interrupted

    study = run_study(store, parse_study(text), opened(Slow(5, seconds)))
    assert study.state == "done"
    assert "wall time of 1 s is used up" in study.runs[0].message
