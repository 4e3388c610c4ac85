"""Code that runs on a Dask worker: chunks of tasks, evaluated in child processes of the worker."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from distributed import Worker, get_worker

from studies.execution.code_version import CodeVersion, code_version, refuse_other
from studies.execution.messages import REPLY, Outcomes, Reply
from studies.execution.supervision import ProcessPool
from studies.records import Limits, Task

STREAM_SECONDS = 0.2
"""Finished outcomes travel ahead when the rest of their chunk takes longer than this."""


@dataclass(frozen=True, slots=True)
class TaskChunk:
    """A chunk on its way to a worker; nothing in it opens a database."""

    tasks: list[Task]
    version: CodeVersion
    limits: Limits
    topic: str
    """Topic for outcomes that travel ahead of the rest."""


_AT_WORK = {"running", "paused", "closing_gracefully"}
_pool = ProcessPool()
"""Children of this worker, which outlive chunks."""


def evaluate_on_worker(chunk: TaskChunk) -> bytes:
    """Evaluate a chunk; ends at once, and its child with it, when the chunk is no longer wanted.

    Gives a ``Reply`` as JSON text: what comes from a worker is read, never unpickled.
    """
    worker = get_worker()
    key = str(worker.get_current_task())
    here = code_version(chunk.tasks[0].model, chunk.version)
    refuse_other(here, chunk.version, f"the worker at {worker.address}")
    stream = _Stream(worker, key, chunk.topic)
    with _pool.process() as process:
        process.evaluate(
            chunk.tasks,
            chunk.version,
            chunk.limits.narrowed(Limits(memory=_memory(worker))),
            stream.take,
            partial(_unwanted, worker, key),
        )
    return REPLY.dump_json(Reply(str(worker.name), stream.all))


def _memory(worker: Worker) -> int | None:
    """Bytes that an evaluation may add here: a thread's share of the worker's limit; None without one."""
    limit = worker.memory_manager.memory_limit
    return limit // worker.state.nthreads if limit else None


def _unwanted(worker: Worker, key: str) -> bool:
    """True if the scheduler has taken the chunk back: it was cancelled, or who sent it is gone."""
    state = worker.state.tasks.get(key)
    return state is None or state.state == "cancelled" or worker.status.name not in _AT_WORK


class _Stream:
    """Collects outcomes; sends them ahead when the chunk takes long."""

    def __init__(self, worker: Worker, key: str, topic: str) -> None:
        self.all: Outcomes = []
        self._worker = worker
        self._key = key
        self._topic = topic
        self._sent = 0
        self._since = time.monotonic()

    def take(self, outcomes: Outcomes) -> None:
        self.all += outcomes
        if len(self.all) > self._sent and time.monotonic() - self._since > STREAM_SECONDS:
            reply = Reply(str(self._worker.name), self.all[self._sent :])
            self._worker.log_event(self._topic, {"key": self._key, "reply": REPLY.dump_json(reply)})
            self._sent, self._since = len(self.all), time.monotonic()
