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

from distributed import Client, Future, KilledWorker

from studies.evaluation import evaluate_chunk, lost
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

    def __init__(self, workers: int) -> None:
        self._seconds: deque[float] = deque(maxlen=100)
        self._workers = workers

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
        return max(1, min(by_time, ceil(waiting / (2 * self._workers))))


class DaskExecutor:
    """Sends chunks to a Dask cluster; keeps two chunks per worker in flight."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._workers = max(len(_threads(client)), 1)
        self._clock = _Clock(self._workers)
        self._number = count()

    def evaluate(self, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]) -> None:
        """See :class:`Executor`."""
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
        key = f"tautline-{id(self)}-{next(self._number)}"
        return self._client.submit(evaluate_on_worker, list(chunk), key=key, pure=False)

    @property
    def clock(self) -> _Clock:
        """What is known of the model's time."""
        return self._clock

    @property
    def in_flight_limit(self) -> int:
        """Chunks that keep every worker busy while results travel."""
        return 2 * self._workers


def _threads(client: Client) -> dict[str, int]:
    """Threads per worker; the client is a synchronous one."""
    found: Any = client.nthreads()
    return found


def evaluate_on_worker(tasks: list[Task]) -> list[EvaluationRecord]:
    """Entry on the worker: evaluate a chunk under the worker's name."""
    from distributed import get_worker

    return evaluate_chunk(tasks, str(get_worker().name))


class _Batch:
    """One call of :meth:`DaskExecutor.evaluate`: what waits, what is in flight, what is done."""

    def __init__(
        self, executor: DaskExecutor, tasks: Sequence[Task], sink: Sink, should_stop: Callable[[], bool]
    ) -> None:
        self._executor = executor
        self._waiting: deque[Task] = deque(tasks)
        self._halves: deque[list[Task]] = deque()
        self._in_flight: dict[Future[Any], list[Task]] = {}
        self._finished: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._done: list[EvaluationRecord] = []
        self._flushed = time.monotonic()
        self._sink = sink
        self._should_stop = should_stop

    def run(self) -> None:
        """Until every task has a record, or somebody asks to stop."""
        try:
            while self._waiting or self._halves or self._in_flight:
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
        while (self._waiting or self._halves) and len(self._in_flight) < self._executor.in_flight_limit:
            chunk = self._halves.popleft() if self._halves else self._next_chunk()
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
        elif isinstance(error, KilledWorker) and len(chunk) > 1:
            middle = len(chunk) // 2
            self._halves.extend((chunk[:middle], chunk[middle:]))
        else:
            self._done.append(lost(chunk[0], f"{type(error).__name__}: {error}"))
            self._done += [lost(task, str(error)) for task in chunk[1:]]

    def _flush(self) -> None:
        self._sink(self._done)
        self._done, self._flushed = [], time.monotonic()
