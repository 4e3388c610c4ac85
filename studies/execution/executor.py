"""Evaluates batches of designs on Dask, in chunks sized from the measured time of the model."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from math import ceil
from statistics import median
from typing import Any, Protocol
from uuid import uuid4

from distributed import Client, Future, KilledWorker

from models.errors import WorkerError
from studies.execution.evaluation import evaluate_chunk, lost
from studies.records import EvaluationRecord, Task

CHUNK_SECONDS = 0.05
"""A chunk should take about this long: far above Dask's cost per task, far below a person's patience."""
DRIVER_SECONDS = 0.0005
"""Models faster than this are evaluated in the driver; sending them away would take longer."""
FLUSH_SECONDS = 1.0
"""Results are handed on at least this often."""
_POLL_SECONDS = 0.2

Sink = Callable[[list[EvaluationRecord]], None]


class Interrupted(Exception):  # noqa: N818  not an error: somebody asked
    """The caller asked to stop; finished results were handed on, the rest is dropped."""


class Executor(Protocol):
    """Evaluates tasks."""

    def evaluate(self, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]) -> None:
        """Evaluate every task once and hand the records to ``sink`` within a second of finishing.

        ``sink`` is also called with an empty list while nothing finishes, so that leases are
        renewed. Raises ``Interrupted`` soon after ``should_stop()`` becomes true.
        """
        ...


class _Clock:
    """Running median of the model's time, and the chunk size that follows from it."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=100)
        self.workers = 1

    def learn(self, records: Sequence[EvaluationRecord]) -> None:
        self._seconds.extend(record.seconds for record in records if record.kind != "worker_lost")

    @property
    def fast_enough_for_driver(self) -> bool:
        return bool(self._seconds) and median(self._seconds) < DRIVER_SECONDS

    def chunk(self, waiting: int) -> int:
        """How many tasks to send at once; one at a time until a time was measured."""
        if not self._seconds:
            return 1
        by_time = int(CHUNK_SECONDS / max(median(self._seconds), 1e-9))
        return max(1, min(by_time, ceil(waiting / (2 * self.workers))))


class DaskExecutor:
    """Sends chunks to a Dask cluster; keeps two chunks per worker in flight."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._clock = _Clock()
        self._prefix = uuid4().hex
        self._number = count()

    def evaluate(self, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]) -> None:
        """See :class:`Executor`."""
        self._clock.workers = max(sum(_threads(self._client).values()), 1)
        if self._clock.fast_enough_for_driver:
            self._in_driver(tasks, sink, should_stop)
        elif tasks:
            _Batch(self, tasks, sink, should_stop).run()

    def _in_driver(self, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]) -> None:
        done: list[EvaluationRecord] = []
        flushed = time.monotonic()
        for task in tasks:
            if should_stop():
                sink(done)
                raise Interrupted
            done += evaluate_chunk([task], "driver")
            if time.monotonic() - flushed > FLUSH_SECONDS:
                sink(done)
                done, flushed = [], time.monotonic()
        self._clock.learn(done)
        sink(done)

    def submit(self, chunk: Sequence[Task]) -> Future[Any]:
        """Send one chunk."""
        key = f"tautline-{self._prefix}-{next(self._number)}"
        return self._client.submit(evaluate_on_worker, list(chunk), key=key, pure=False)

    @property
    def clock(self) -> _Clock:
        """What is known of the model's time."""
        return self._clock

    @property
    def in_flight_limit(self) -> int:
        """Chunks that keep every worker busy while results travel."""
        return 2 * self._clock.workers


def _threads(client: Client) -> dict[str, int]:
    """Threads per worker; the client is a synchronous one."""
    found: Any = client.nthreads()
    return found


def evaluate_on_worker(tasks: list[Task]) -> list[EvaluationRecord]:
    """Entry on the worker: evaluate a chunk under the worker's name."""
    from distributed import get_worker

    return evaluate_chunk(tasks, str(get_worker().name))


class _Batch:
    """One call of :meth:`DaskExecutor.evaluate`: what waits, what is in flight, what is done.

    A worker that dies takes all its tasks with it, guilty or not. They are the suspects, and are
    evaluated again at the end, one at a time and alone: who kills a worker then is guilty.
    """

    def __init__(
        self, executor: DaskExecutor, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]
    ) -> None:
        self._executor = executor
        self._waiting: deque[Task] = deque(tasks)
        self._suspects: deque[Task] = deque()
        self._alone = False
        self._in_flight: dict[Future[Any], list[Task]] = {}
        self._finished: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._done: list[EvaluationRecord] = []
        self._flushed = time.monotonic()
        self._sink = sink
        self._should_stop = should_stop

    def run(self) -> None:
        """Until every task has a record, or somebody asks to stop."""
        try:
            while self._waiting or self._suspects or self._in_flight:
                self._fill()
                self._collect()
                if time.monotonic() - self._flushed > FLUSH_SECONDS:
                    self._flush()
                if self._should_stop():
                    raise Interrupted
        finally:
            for future in self._in_flight:
                future.cancel(force=True)
            self._flush()

    def _fill(self) -> None:
        while self._waiting and len(self._in_flight) < self._executor.in_flight_limit:
            self._send(self._next_chunk())
        if self._suspects and not self._in_flight:
            self._alone = True
            self._send([self._suspects.popleft()])

    def _send(self, chunk: list[Task]) -> None:
        future = self._executor.submit(chunk)
        self._in_flight[future] = chunk
        future.add_done_callback(self._finished.put)

    def _next_chunk(self) -> list[Task]:
        size = self._executor.clock.chunk(len(self._waiting))
        return [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]

    def _collect(self) -> None:
        try:
            future = self._finished.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return
        chunk = self._in_flight.pop(future)
        error: Any = future.exception()
        if error is None:
            records: list[EvaluationRecord] = future.result()
            self._executor.clock.learn(records)
            self._done += records
        elif not isinstance(error, KilledWorker):
            raise WorkerError(f"an evaluation could not be done: {error}; the run can be resumed") from error
        elif self._alone:
            self._done += [lost(task, f"it killed its worker each time: {error}") for task in chunk]
        else:
            self._suspects.extend(chunk)

    def _flush(self) -> None:
        self._sink(self._done)
        self._done, self._flushed = [], time.monotonic()
