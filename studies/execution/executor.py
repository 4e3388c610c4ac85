"""Evaluates batches of designs on Dask, and cheap ones in a local child process of the driver."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from studies.execution.cluster import CLUSTER_TIMEOUTS, Cluster, ClusterTimeouts, Say, say_nothing
from studies.execution.code_version import code_version
from studies.execution.evaluation_call import (
    CostEstimate,
    EvaluationCall,
    Interrupted,
    ResultBuffer,
    ShouldStop,
    Sink,
    Supply,
)
from studies.execution.messages import Outcomes
from studies.execution.processes import kill_orphans
from studies.execution.supervision import START_SECONDS, ProcessPool, SupervisedProcess
from studies.records import NO_LIMITS, Limits, Task

if TYPE_CHECKING:
    from distributed import Security


ORDER_SECONDS = 0.1
DEAR_SECONDS = 0.25
"""A design that takes longer is ended here and sent to the cluster: the model is not cheap."""
ORDER_LIMIT = 1.0
GATHER_SECONDS = 0.01
PATIENCE_SECONDS = 1.0
"""The cluster is started when a new model has not shown within this time that it is cheap."""
WORKER = "driver"


class LocalEvaluation:
    """Children of the driver's, one for each thread that evaluates."""

    def __init__(self) -> None:
        self._pool = ProcessPool(GATHER_SECONDS)

    def evaluate(self, waiting: deque[Task], call: EvaluationCall, cluster_ready: Callable[[], bool]) -> None:
        """Evaluate while the model is cheap, or may be; the tasks that are left over stay in ``waiting``.

        ``cluster_ready`` starts the cluster when it is first called.
        """
        estimate = call.cost
        call.refill(waiting, 0, 1)
        if estimate.known and not estimate.cheap:
            return
        with self._pool.process() as process:
            late = _after(PATIENCE_SECONDS)

            def probed() -> bool:
                return late() and cluster_ready()

            while waiting and (estimate.cheap or not estimate.known):
                size = estimate.fitting(ORDER_SECONDS) if estimate.known else 1
                give_up = (
                    _after(ORDER_LIMIT if process.ready else START_SECONDS) if estimate.known else probed
                )
                if not _Order(waiting, size, call).carry_out(process, give_up):
                    break
                call.refill(waiting, 0, 1)

    def help(self, waiting: deque[Task], call: EvaluationCall) -> bool:
        """Evaluate one task while workers start; whether it came off, and is worth repeating."""
        with self._pool.process() as process:
            return process.ready and _Order(waiting, 1, call).carry_out(process, lambda: False)

    def close(self) -> None:
        """End the children."""
        self._pool.close()


def _after(seconds: float) -> Callable[[], bool]:
    """True once so much time has passed from now."""
    deadline = time.monotonic() + seconds
    return lambda: time.monotonic() > deadline


def _first(waiting: deque[Task], size: int, call: EvaluationCall) -> list[Task]:
    """Up to ``size`` tasks from the front; one that is tried again stands alone."""
    taken = [waiting.popleft()]
    while waiting and len(taken) < size and not any(map(call.retries.again, (taken[-1], waiting[0]))):
        taken.append(waiting.popleft())
    return taken


class _Order:
    """A few tasks from the front of what waits; those without an outcome go back to it."""

    def __init__(self, waiting: deque[Task], size: int, call: EvaluationCall) -> None:
        self._waiting = waiting
        self._tasks = dict(enumerate(_first(waiting, size, call)))
        self._call = call
        self._dear = False

    def carry_out(self, process: SupervisedProcess, give_up: Callable[[], bool]) -> bool:
        """True if the tasks were cheap; each has its outcome, or is back with those that wait."""
        limits = self._call.limits
        own = limits.timeout is not None and limits.timeout <= DEAR_SECONDS
        held = limits if own else replace(limits, timeout=DEAR_SECONDS)

        def should_stop() -> bool:
            return self._dear or self._call.buffer.stop_requested() or give_up()

        def take(outcomes: Outcomes) -> None:
            self._take(outcomes, timeout_counts=own)

        try:
            process.evaluate(list(self._tasks.values()), self._call.version, held, take, should_stop)
        except Interrupted:
            if self._call.buffer.stopped:
                raise
            self._dear = True
        finally:
            self._waiting.extendleft(reversed(self._tasks.values()))
        if self._dear:
            self._call.cost.surprise(DEAR_SECONDS)
        return not self._dear

    def _take(self, outcomes: Outcomes, *, timeout_counts: bool) -> None:
        for number, outcome in outcomes:
            if outcome.kind == "timeout" and not timeout_counts:
                self._dear = True
                continue
            final = self._call.retries.final_outcome(self._tasks[number], outcome)
            if final is not None:
                self._call.buffer.put([final.record(self._tasks.pop(number), WORKER)])
        self._call.cost.learn(outcome.seconds for _, outcome in outcomes)
        self._call.buffer.flush_if_due()


class DaskExecutor:
    """See :class:`~studies.execution.evaluation_call.Executor`; several runs share one."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._local = LocalEvaluation()
        self._estimates: dict[tuple[str, str], CostEstimate] = {}
        self._lock = threading.Lock()

    @property
    def workers(self) -> int:
        """Number of evaluations that can go on at once."""
        return self._cluster.workers

    def evaluate(
        self,
        tasks: Sequence[Task],
        sink: Sink,
        should_stop: ShouldStop,
        limits: Limits = NO_LIMITS,
        supply: Supply | None = None,
        *,
        say: Say = say_nothing,
    ) -> None:
        """See :class:`~studies.execution.evaluation_call.Executor`."""
        waiting = deque(tasks or (supply(1) if supply is not None else ()))
        if not waiting:
            return
        buffer = ResultBuffer(sink, should_stop)
        first = waiting[0]
        call = EvaluationCall(code_version(first.model), limits, self._estimate(first), buffer, supply, say)
        try:
            self._local.evaluate(waiting, call, lambda: self._cluster.current() is not None)
            if waiting:
                from studies.execution.dispatch import Batch

                Batch(self._cluster, call, waiting, lambda: self._local.help(waiting, call)).run()
        finally:
            buffer.flush()

    def close(self) -> None:
        """End all processes."""
        self._local.close()
        self._cluster.close()
        kill_orphans()

    def _estimate(self, task: Task) -> CostEstimate:
        with self._lock:
            return self._estimates.setdefault((task.model, task.cost_class), CostEstimate())


@contextmanager
def open_executor(
    workers: int | None = None,
    scheduler: str | None = None,
    security: Security | None = None,
    timeouts: ClusterTimeouts = CLUSTER_TIMEOUTS,
    say: Say = say_nothing,
) -> Generator[DaskExecutor]:
    """An executor on the cluster at ``scheduler``, or on ``workers`` processes of this machine.

    Local workers, one per core if no number is given, start when a model turns out to be worth
    it. ``say`` is told when a scheduler has no worker. Raises ``InputError`` when no scheduler answers.
    """
    executor = DaskExecutor(Cluster(workers, scheduler, security, timeouts, say))
    try:
        yield executor
    finally:
        executor.close()
