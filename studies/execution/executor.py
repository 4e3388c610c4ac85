"""Evaluates batches of designs on Dask, and cheap ones in a local child process of the driver."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from studies.execution.base import ShouldStop, Sink
from studies.execution.cluster import CLUSTER_TIMEOUTS, Cluster, ClusterTimeouts
from studies.execution.code_version import code_version
from studies.execution.evaluation_call import CostEstimate, EvaluationCall, ResultBuffer
from studies.execution.local import LocalEvaluation
from studies.execution.processes import kill_orphans
from studies.records import NO_LIMITS, Limits, Task

if TYPE_CHECKING:
    from distributed import Security


class DaskExecutor:
    """See :class:`~studies.execution.base.Executor`; several runs share one."""

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
        self, tasks: Sequence[Task], sink: Sink, should_stop: ShouldStop, limits: Limits = NO_LIMITS
    ) -> None:
        """See :class:`~studies.execution.base.Executor`."""
        if not tasks:
            return
        buffer = ResultBuffer(sink, should_stop)
        call = EvaluationCall(code_version(tasks[0].model), limits, self._estimate(tasks[0]), buffer)
        waiting = deque(tasks)
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
) -> Generator[DaskExecutor]:
    """An executor on the cluster at ``scheduler``, or on ``workers`` processes of this machine.

    Local workers, one per core if no number is given, start when a model turns out to be worth
    it. Raises ``InputError`` when no scheduler with a worker answers.
    """
    executor = DaskExecutor(Cluster(workers, scheduler, security, timeouts))
    try:
        yield executor
    finally:
        executor.close()
