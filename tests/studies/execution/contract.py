"""Contract of every executor: conformance suites for test files to inherit.

They need the back-ends ``faulty`` and ``zdt1`` of the analytic test plug-in::

    class TestMine(IsolatedExecutorContract):
        @pytest.fixture
        def executor(self): ...
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from errors import WorkerError
from models import load
from studies.definition.tolerance_sampling import Limit, Tolerance, Uncertainty
from studies.execution.evaluation import evaluate_task, task_of
from studies.execution.evaluation_call import Executor, Interrupted, ShouldStop
from studies.records import NO_LIMITS, EvaluationRecord, Limits, Task
from tests.repetition import repeated

_HOLD = 100 * 1024**2


def tasks_of(model: str, settings: Iterable[Mapping[str, Any]]) -> list[Task]:
    """One task per table of settings."""
    found = load(model)
    return [task_of(found, found.resolve(None, s).model_dump(mode="json"), "plain", 0) for s in settings]


def row(count: int, **settings: Any) -> list[Task]:
    """Designs of the faulty back-end with ``x`` from 0 to 1."""
    return tasks_of("faulty", [{**settings, "x": i / (count - 1)} for i in range(count)])


@dataclass
class Heard:
    """Records that a sink was given, and their times."""

    records: list[EvaluationRecord] = field(default_factory=list[EvaluationRecord])
    times: list[float] = field(default_factory=list[float])

    def __call__(self, records: list[EvaluationRecord]) -> None:
        self.records += records
        self.times.append(time.monotonic())

    @property
    def longest_silence(self) -> float:
        """The longest time between two calls, in s."""
        return max((b - a for a, b in itertools.pairwise(self.times)), default=0.0)


def evaluated(executor: Executor, tasks: Sequence[Task], limits: Limits = NO_LIMITS) -> Heard:
    """Evaluate tasks; each must get one record."""
    heard = Heard()
    heard([])
    executor.evaluate(tasks, heard, lambda: False, limits)
    assert sorted(r.key for r in heard.records) == sorted(t.key for t in tasks)
    return heard


def stopped(executor: Executor, tasks: Sequence[Task], should_stop: ShouldStop) -> Heard:
    """Evaluate tasks until the stop, which must be told as such."""
    heard = Heard()
    with pytest.raises(Interrupted):
        executor.evaluate(tasks, heard, should_stop)
    return heard


def has_worked(executor: Executor) -> bool:
    """True if the executor of the tests has evaluated some designs: it gives records at the end alone."""
    return len(getattr(executor, "keys", ())) > 50


def processes_in(note: Path) -> set[int]:
    """Processes that evaluated designs whose ``note`` this is, and still run."""
    numbers = {int(line.split()[0]) for line in note.read_text().splitlines()} if note.exists() else set()
    return {number for number in numbers if _runs(number)}


def _runs(number: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    return False


def named(argument: str) -> list[int]:
    """Processes that were started with this argument and still run."""
    found = psutil.process_iter(["cmdline"])
    return [p.pid for p in found if argument in (p.info["cmdline"] or []) and _runs(p.pid)]


def gone_within(seconds: float, note: Path) -> bool:
    """True if the processes of ``note`` end in time."""
    deadline = time.monotonic() + seconds
    while processes_in(note):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def only_the_last_failed(heard: Heard, kind: str, said: str) -> None:
    """The last design of a row failed so, and the others are done."""
    ends = {r.task.parameters["x"]: r for r in heard.records}
    failed = ends.pop(1.0)
    assert (failed.state, failed.kind) == ("failed", kind)
    assert said in failed.reason
    assert {r.state for r in ends.values()} == {"done"}


class ExecutorContract:
    """Every executor; ``executor`` is a fixture to provide."""

    @pytest.fixture
    def executor(self) -> Executor:
        raise NotImplementedError

    def test_every_task_gets_one_record(self, executor: Executor) -> None:
        heard = evaluated(executor, row(50))
        assert {r.state for r in heard.records} == {"done"}
        found = {r.task.parameters["x"]: r.metrics["f2"] for r in heard.records}
        assert all(f2 == pytest.approx(1 - x) for x, f2 in found.items())

    def test_no_task_is_no_work(self, executor: Executor) -> None:
        heard = Heard()
        executor.evaluate([], heard, lambda: True)
        assert heard.records == []

    def test_statistics_over_robots_are_the_same_to_the_bit(self, executor: Executor) -> None:
        errors = (Tolerance("x1", "normal", 0.1), Tolerance("x2", "uniform", 0.2))
        plan = Uncertainty(errors, samples=32, metrics=("f1", "c1"), limits=(Limit("c1", 0.0, None, 0.0),))
        bnh = load("bnh")
        tasks = [task_of(bnh, {"x1": x, "x2": 1.0}, "plain", 0, plan.document) for x in (0.05, 1.0, 3.0)]
        here = {task.key: evaluate_task(task, "here") for task in tasks}
        for found in evaluated(executor, tasks).records:
            expected = here[found.key]
            assert (found.metrics, found.warnings) == (expected.metrics, expected.warnings)
            assert found.task.uncertainty == plan.document

    def test_it_has_workers(self, executor: Executor) -> None:
        assert executor.workers >= 1

    def test_failures_are_reported_by_kind_and_the_others_finish(self, executor: Executor) -> None:
        expected = {
            "raise": "model_error", "quit": "model_error", "missing": "model_error", "shape": "model_error",
            "none": "model_error", "nan": "non_finite", "inf": "non_finite", "no_memory": "out_of_memory",
        }  # fmt: skip
        tasks = [task for fault in expected for task in row(3, threshold=0.9, fault=fault)]
        for record in evaluated(executor, tasks).records:
            wanted = expected[record.task.parameters["fault"]] if record.task.parameters["x"] > 0.9 else ""
            assert record.kind == wanted
            assert (record.state == "done") == (not wanted)
            assert bool(record.reason) == bool(wanted)

    def test_what_a_back_end_says_is_cut_to_size(self, executor: Executor) -> None:
        heard = evaluated(executor, tasks_of("faulty", [{"x": 1, "threshold": 0, "fault": "huge"}]))
        (record,) = heard.records
        assert record.state == "infeasible"
        assert len(record.reason) + sum(map(len, record.warnings)) < 500_000

    def test_a_stop_is_reported_and_what_is_finished_is_kept(self, executor: Executor) -> None:
        evaluated(executor, row(12, delay=0.02))
        heard = Heard()
        with pytest.raises(Interrupted):
            executor.evaluate(
                row(201, delay=0.02001), heard, lambda: bool(heard.records) or has_worked(executor)
            )
        assert 0 < len(heard.records) < 201
        assert len({r.key for r in heard.records}) == len(heard.records)

    def test_another_version_of_the_model_is_refused(self, executor: Executor) -> None:
        strange = [replace(task, model_version=99) for task in row(3)]
        with pytest.raises(WorkerError, match="version 1 of faulty, the study uses 99"):
            executor.evaluate(strange, Heard(), lambda: False)
        evaluated(executor, row(3, y=0.25))  # and the executor is none the worse for it

    def test_several_runs_share_it(self, executor: Executor) -> None:
        work = [row(21, y=k / 4, delay=0.01) for k in range(3)]
        heard = [Heard() for _ in work]
        threads = [
            threading.Thread(target=executor.evaluate, args=(tasks, sink, lambda: False))
            for tasks, sink in zip(work, heard, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        for tasks, sink in zip(work, heard, strict=True):
            assert sorted(r.key for r in sink.records) == sorted(t.key for t in tasks)


class IsolatedExecutorContract(ExecutorContract):
    """Executors that evaluate in child processes."""

    @pytest.mark.parametrize(
        ("fault", "said"),
        [
            ("crash", "signal 9 (SIGKILL)"),
            pytest.param("segfault", "signal 11 (SIGSEGV)", marks=pytest.mark.soak),
            ("exit", "exit code 3"),
        ],
    )
    def test_a_design_that_ends_its_process_is_reported_and_the_others_finish(
        self, executor: Executor, fault: str, said: str
    ) -> None:
        heard = evaluated(executor, row(8, threshold=0.9, fault=fault))
        only_the_last_failed(heard, "worker_lost", said)

    @pytest.mark.parametrize("fault", repeated(["chatter", "forge", "close_files"], quick=["close_files"]))
    def test_a_design_that_breaks_the_connection_is_lost_and_the_others_finish(
        self, executor: Executor, fault: str
    ) -> None:
        heard = evaluated(executor, row(8, threshold=0.9, fault=fault))
        only_the_last_failed(heard, "worker_lost", "the evaluation process")

    @pytest.mark.parametrize("fault", ["fork_twice", "truncate"])
    def test_a_copy_or_a_cut_file_of_the_process_harms_no_design(
        self, executor: Executor, fault: str
    ) -> None:
        heard = evaluated(executor, row(8, threshold=0.4, fault=fault))
        assert {record.state for record in heard.records} == {"done"}

    def test_what_is_no_text_is_recorded_all_the_same(self, executor: Executor) -> None:
        heard = evaluated(executor, row(2, threshold=0.9, fault="surrogate"))
        assert sorted(record.reason for record in heard.records) == ["", "no text: ?"]

    def test_a_design_past_its_time_is_reported_and_ended_with_all_that_it_started(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        note = tmp_path / "note"
        tasks = row(4, threshold=0.9, fault="grandchild", note=str(note))
        heard = evaluated(executor, tasks, Limits(timeout=0.5))
        only_the_last_failed(heard, "timeout", "longer than the limit of 0.5 s (3 tries)")
        tried = [line for line in note.read_text().splitlines() if line.endswith(" 1.0")]
        assert len(tried) >= 3
        assert not named(str(note))

    @pytest.mark.parametrize("fault", ["hoard", pytest.param("gulp", marks=pytest.mark.soak)])
    def test_a_design_past_its_memory_is_reported(self, executor: Executor, fault: str) -> None:
        limits = Limits(timeout=60.0, memory=_HOLD)
        heard = evaluated(executor, row(4, threshold=0.9, fault=fault), limits)
        only_the_last_failed(heard, "out_of_memory", "memory")

    def test_a_stop_ends_designs_that_would_take_hours(self, executor: Executor, tmp_path: Path) -> None:
        note = tmp_path / "note"
        # The first one would be done, and its child wait for more.
        tasks = row(5, threshold=0.0, fault="sleep", note=str(note))[1:]
        asked: list[float] = []

        def should_stop() -> bool:
            if not asked and len(processes_in(note)) >= min(executor.workers, 2):
                asked.append(time.monotonic())
            return bool(asked)

        stopped(executor, tasks, should_stop)
        assert time.monotonic() - asked[0] < 20.0
        assert gone_within(30.0, note)

    def test_slow_designs_hold_up_neither_results_nor_signs_of_life(self, executor: Executor) -> None:
        evaluated(executor, row(60, delay=0.002))
        slow = tasks_of("faulty", [{"y": 0.5, "x": i / 40, "delay": 6.0 * (i % 8 == 7)} for i in range(16)])
        late: list[float] = []
        heard = Heard()

        def sink(records: list[EvaluationRecord]) -> None:
            late.extend(time.time() - record.finished for record in records)
            heard(records)

        sink([])
        executor.evaluate(slow, sink, lambda: False)
        assert len(late) == 16
        assert max(late) < 4.0, sorted(late)
        assert heard.longest_silence < 3.0, "a sign is due every second, with time for a busy machine"
