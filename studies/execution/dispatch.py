"""One call of ``evaluate`` on a cluster: what waits, what is in flight, what is done."""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from distributed import Future, KilledWorker
from distributed.client import ClosedClientError, FutureCancelledError, FuturesCancelledError

from errors import WorkerError
from studies.execution.channel import MalformedError, read
from studies.execution.cluster import Cluster
from studies.execution.dask_client import DaskConnection, Mail
from studies.execution.evaluation import failure
from studies.execution.evaluation_call import EvaluationCall, Interrupted
from studies.execution.messages import REPLY, Outcomes, Reply
from studies.execution.worker import TaskChunk
from studies.records import Task

POLL_SECONDS = 0.1
MAX_STRAYS = 100
"""Chunks in a row that come back without a cause; more of them mean that something is wrong for good."""


@dataclass
class _Sent:
    """A chunk in flight; ``done`` are the numbers of tasks whose outcome is known."""

    tasks: list[Task]
    future: Future[Any]
    alone: bool
    done: set[int] = field(default_factory=set[int])

    def rest(self) -> list[Task]:
        """Tasks without an outcome."""
        return [task for number, task in enumerate(self.tasks) if number not in self.done]


class Batch:
    """Sends chunks, two per worker in flight or more to an adaptive cluster, until every task has a record.

    A worker that dies takes its whole chunk with it. Such chunks are suspects: they are evaluated
    again at the end, while nothing else is in flight, halved until the guilty design is found. A lost
    cluster is nobody's fault: what was in flight is sent again to the next one. Until the first worker
    has answered, ``help_out`` takes tasks too: workers need seconds to start and load a model.
    """

    def __init__(
        self, cluster: Cluster, call: EvaluationCall, waiting: deque[Task], help_out: Callable[[], bool]
    ) -> None:
        self._cluster = cluster
        self._call = call
        self._buffer = call.buffer
        self._help_out = help_out
        self._warming = True
        self._kind = (waiting[0].model, waiting[0].cost_class)
        self._connection: DaskConnection | None = None
        self._waiting = waiting
        self._again: deque[Task] = deque()
        self._suspects: deque[list[Task]] = deque()
        self._in_flight: dict[str, _Sent] = {}
        self._mail: Mail = queue.SimpleQueue()
        self._solo_deaths: Counter[str] = Counter()
        self._strays = 0
        self._progress = time.monotonic()

    def run(self) -> None:
        """Work until every task has a record, or somebody asks to stop."""
        try:
            while self._is_supplied():
                self._buffer.beat()
                connected = self._is_connected()
                if connected:
                    self._fill()
                self._warming = self._warming and self._cold() and self._help_out()
                if connected:
                    self._collect()
                    self._watch()
                elif not self._warming:
                    time.sleep(POLL_SECONDS)
            self._call.say("")
        finally:
            self._drop(cancel=True)
            self._cluster.chunk_lock.withdraw(self)

    def _is_supplied(self) -> bool:
        """True while there is anything to do, with what the call supplies further."""
        in_flight = sum(len(sent.tasks) - len(sent.done) for sent in self._in_flight.values())
        held = len(self._again) + sum(map(len, self._suspects))
        if not self._suspects:  # which wait until nothing else is in flight
            self._call.refill(self._waiting, in_flight + held, self._cluster.workers)
        return bool(self._waiting or self._again or self._suspects or self._in_flight)

    def _cold(self) -> bool:
        """True if tasks wait although no worker has the model loaded."""
        loaded = self._connection is not None and self._kind in self._connection.warm
        return bool(self._waiting) and not loaded

    # ------------------------------------------------------------ sending

    def _is_connected(self) -> bool:
        """True if there is a cluster; what the one before it had in hand is sent again."""
        connection = self._cluster.current()
        if connection is not self._connection:
            self._drop(cancel=False)
            self._connection = connection
            self._progress = time.monotonic()
        return connection is not None

    def _drop(self, *, cancel: bool) -> None:
        """Take back everything that is in flight."""
        if cancel and self._connection is not None:
            self._connection.cancel([sent.future for sent in self._in_flight.values()])
        for sent in self._in_flight.values():
            self._warming = False  # what was sent once may be guilty, and must not come near the driver
            self._end(sent)
            self._requeue(sent)
        self._in_flight.clear()

    def _fill(self) -> None:
        workers = self._cluster.workers
        chunk_lock = self._cluster.chunk_lock
        ahead = self._cluster.ahead
        while (self._waiting or self._again) and len(self._in_flight) < ahead and chunk_lock.acquire():
            if self._waiting:
                size = self._call.cost.chunk(len(self._waiting), workers)
                chunk = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            else:
                chunk = [self._again.popleft()]
            self._send(chunk, urgent=len(self._in_flight) < 2 * workers)
        if self._suspects and not self._in_flight and chunk_lock.acquire_alone(self):
            self._send(self._suspects.popleft(), alone=True)

    def _send(self, chunk: list[Task], *, urgent: bool = True, alone: bool = False) -> None:
        assert self._connection is not None  # noqa: S101 - the caller has looked
        task_chunk = TaskChunk(chunk, self._call.version, self._call.limits, self._connection.topic)
        try:
            key, future = self._connection.send(task_chunk, self._mail, urgent=urgent, large=alone)
        except BaseException:
            self._cluster.chunk_lock.release()
            raise
        self._in_flight[key] = _Sent(chunk, future, alone)

    def _end(self, sent: _Sent) -> None:
        self._cluster.chunk_lock.release()
        if sent.alone:
            self._cluster.chunk_lock.withdraw(self)

    # ------------------------------------------------------------ receiving

    def _collect(self) -> None:
        """Wait a moment for mail, then take all that is there."""
        try:
            key, item = self._mail.get(timeout=0.0 if self._warming else POLL_SECONDS)
            while True:
                self._open(key, item)
                key, item = self._mail.get_nowait()
        except queue.Empty:
            return

    def _open(self, key: str, item: Any) -> None:
        sent = self._in_flight.get(key)
        if sent is None:
            return  # late: it was sent again meanwhile
        if isinstance(item, Reply):
            self._take(sent, item)
            return
        del self._in_flight[key]
        self._end(sent)
        error = item.exception() if not item.cancelled() else WorkerError("cancelled")
        if error is None:
            self._take(sent, _reply(item.result()))
        elif isinstance(error, KilledWorker):
            self._suspect(sent, error)
        elif isinstance(error, WorkerError):
            raise error
        else:
            self._stray(sent, error)

    def _take(self, sent: _Sent, reply: Reply) -> None:
        """Keep the outcomes that are new."""
        fresh: Outcomes = [(n, outcome) for n, outcome in reply.outcomes if n not in sent.done]
        sent.done.update(number for number, _ in fresh)
        self._progress = time.monotonic()
        self._strays = 0
        if self._connection is not None:
            self._connection.warm.add(self._kind)
        self._call.cost.learn(outcome.seconds for _, outcome in fresh)
        for number, outcome in fresh:
            task = sent.tasks[number]
            final = self._call.retries.final_outcome(task, outcome)
            if final is not None:
                self._buffer.put([final.record(task, reply.worker)])
            elif outcome.kind == "out_of_memory":
                self._suspects.append([task])  # it may have lacked what its neighbours held
            else:
                self._again.append(task)

    def _suspect(self, sent: _Sent, error: KilledWorker) -> None:
        """A chunk killed its worker, or was with one that died."""
        rest = sent.rest()
        self._progress = time.monotonic()
        if len(rest) > 1:
            half = len(rest) // 2
            self._suspects.extend([rest[:half], rest[half:]])
            return
        for task in rest:
            self._solo_deaths[task.key] += sent.alone
            if self._solo_deaths[task.key] >= 2:
                reason = f"its worker died each time: {error}"
                self._buffer.put([failure("worker_lost", reason).record(task, "")])
            else:
                self._suspects.append([task])

    def _stray(self, sent: _Sent, error: BaseException) -> None:
        """A chunk came back without a cause in it: its cluster may be gone, or going."""
        self._strays += 1
        connection = self._connection
        if self._strays > MAX_STRAYS or not _is_loss(error):
            raise WorkerError(
                f"an evaluation failed ({type(error).__name__}: {error}); the run can be resumed"
            ) from error
        self._warming = False
        self._requeue(sent)
        if connection is not None and (not isinstance(error, OSError) or not connection.connected):
            self._cluster.lost(connection)

    def _requeue(self, sent: _Sent) -> None:
        rest = sent.rest()
        if rest and sent.alone:
            self._suspects.append(rest)
        else:
            self._waiting.extendleft(rest)

    # ------------------------------------------------------------ watching

    def _watch(self) -> None:
        """Give up a cluster that sends nothing back and lacks workers of ours, or a scheduler."""
        connection = self._connection
        if connection is None or not self._in_flight:
            return
        self._call.say(self._cluster.require_workers(connection))
        short = connection.short_for()
        silent = time.monotonic() - self._progress
        if min(short, silent) > self._cluster.timeouts.lost:
            self._cluster.lost(connection)


def _reply(text: bytes) -> Reply:
    """Read the reply of a worker; raises ``WorkerError`` when it is something else."""
    try:
        return read(REPLY, text)
    except MalformedError as error:
        raise WorkerError(f"a worker sent an answer that cannot be read ({error})") from None


def _is_loss(error: BaseException) -> bool:
    """True if an error says that the connection to the cluster, or the cluster, is gone."""
    losses = (
        CancelledError, FutureCancelledError, FuturesCancelledError, ClosedClientError, OSError,
        Interrupted,  # of a worker that left while it evaluated
    )  # fmt: skip
    return isinstance(error, losses)
