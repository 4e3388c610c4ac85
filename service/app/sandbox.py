"""Computes in child processes within limits of time and memory, so that no request harms the server."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import Pipe
from typing import Any, TypeVar

import psutil

from errors import InputError, LimitError, WorkerError
from models import load
from models.contract import ReferenceCase
from models.scene import Scene
from service.app.sandbox_messages import (
    ANSWER,
    ORDER,
    Answer,
    Begun,
    Compared,
    Drawn,
    Evaluated,
    Order,
    Refused,
    scene_of,
)
from studies.execution.base import Limits
from studies.execution.channel import Channel, ClosedError, MalformedError, read
from studies.execution.evaluation import believed, failure
from studies.execution.processes import describe_end, kill_tree, resident, start
from studies.records import EvaluationRecord, FailureKind, Task

MAIN = "from service.app.sandbox_child import main; main()"
READY_SECONDS = 180.0
"""For starting and for kernels, which are compiled when this machine has never run them."""
MOST_BYTES = 64 * 1024**2
"""Of an answer."""
_WATCH_SECONDS = 0.05
T = TypeVar("T")
_MIB = 1024**2


class EndedError(Exception):
    """The child ended, or was killed because it exceeded a limit."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind


class Child:
    """One child process, for one thread at a time; any thread may close it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._channel = Channel(ours, MOST_BYTES)
        self._lifeline, child_lifeline = Pipe()
        descriptors = [theirs.fileno(), child_lifeline.fileno()]
        self._process = start(MAIN, [*descriptors, os.getpid()], descriptors)
        theirs.close()
        child_lifeline.close()

    def ask(self, order: Order, limits: Limits, kind: type[T]) -> T:
        """The answer to an order; raises ``EndedError``, or the error of the order."""
        try:
            self._channel.send(ORDER, replace(order, memory=limits.memory))
            answer = self._receive(Limits(READY_SECONDS, None))
            if isinstance(answer, Begun):
                answer = self._receive(limits)
        except ClosedError:
            raise self._lost_error() from None
        except MalformedError as error:
            raise EndedError(
                "worker_lost", f"the process sent an answer that cannot be read ({error})"
            ) from None
        if isinstance(answer, Refused):
            raise answer.error
        if not isinstance(answer, kind):
            raise EndedError("worker_lost", "the process sent the answer to another request")
        return answer

    def _receive(self, limits: Limits) -> Answer:
        """The next message; raises ``EndedError`` when a limit is exceeded."""
        since = time.monotonic()
        process = psutil.Process(self._process.pid)
        before = resident(process)
        while (line := self._channel.next(_WATCH_SECONDS)) is None:
            took = time.monotonic() - since
            if limits.timeout is not None and took > limits.timeout:
                raise EndedError("timeout", f"took longer than the limit of {limits.timeout:g} s")
            if limits.memory is not None:
                added = _memory_of_tree(process) - before
                if added > limits.memory:
                    most = limits.memory / _MIB
                    raise EndedError("out_of_memory", f"used more memory than the limit of {most:.6g} MiB")
            if self._process.poll() is not None:
                line = self._channel.next(0.0)
                if line is None:
                    raise ClosedError
                break
        return read(ANSWER, line)

    def _lost_error(self) -> EndedError:
        with suppress(Exception):
            self._process.wait(timeout=1.0)
        kill_tree(self._process)
        return EndedError("worker_lost", f"the process was ended by {describe_end(self._process.returncode)}")

    def close(self) -> None:
        """End the process and all that it started."""
        kill_tree(self._process)
        with suppress(OSError):
            self._channel.close()
            self._lifeline.close()


def _memory_of_tree(process: psutil.Process) -> int:
    """Bytes held by the process and those that it started."""
    with suppress(psutil.Error):
        return resident(process) + sum(resident(child) for child in process.children(recursive=True))
    return 0


WORKER = "server"
_QUEUE_SECONDS = 20.0


class Sandbox:
    """See :class:`service.app.model_calls.ModelCalls`. Several threads may use one.

    Parameters
    ----------
    limits : Limits
        What one computation may take; loading kernels does not count.
    children : int
        How many run at once. A later caller waits, then gets a ``LimitError``.
    """

    def __init__(self, limits: Limits, children: int) -> None:
        self._limits = limits
        self._room = threading.BoundedSemaphore(children)
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._closed = False

    def evaluate(self, task: Task) -> EvaluationRecord:
        """Evaluate one design; one that exceeds the limits is reported as failed."""
        try:
            answer = self._ask(Order("evaluate", task.model, task.cost_class, task=task), Evaluated)
        except EndedError as ended:
            return failure(ended.kind, str(ended)).record(task, WORKER)
        return believed(load(task.model), task, answer.outcome).record(task, WORKER)

    def scene(self, model: str, parameters: Mapping[str, Any]) -> Scene:
        """What a 3D view of a design shows; raises ``InputError`` when the back-end cannot draw it."""
        try:
            answer = self._ask(Order("scene", model, parameters=dict(parameters)), Drawn)
            return scene_of(answer.scene)
        except (EndedError, MalformedError) as error:
            raise InputError(f"no view of this design: {error}") from None

    def reference_cases(self, model: str) -> Sequence[ReferenceCase]:
        """Published reference cases."""
        try:
            return self._ask(Order("reference_cases", model), Compared).cases
        except EndedError as ended:
            raise WorkerError(f"the reference cases of {model} were not computed: {ended}") from None

    def close(self) -> None:
        """End all children, also those at work."""
        with self._lock:
            self._closed = True
            children = [*self._idle, *self._busy]
            self._idle.clear()
        for child in children:
            child.close()

    def _ask(self, order: Order, kind: type[T]) -> T:
        if not self._room.acquire(timeout=_QUEUE_SECONDS):
            raise LimitError(
                "the server is busy with the computations of others; try again in a moment", _QUEUE_SECONDS
            )
        try:
            with self._child() as child:
                return child.ask(order, self._limits, kind)
        except EndedError:
            if self._closed:
                raise WorkerError("the server is shutting down") from None
            raise
        finally:
            self._room.release()

    @contextmanager
    def _child(self) -> Generator[Child]:
        """A child for one order; one that did not answer it is not used again."""
        with self._lock:
            if self._closed:
                raise WorkerError("the server is shutting down")
            child = self._idle.pop() if self._idle else Child()
            self._busy.add(child)
        try:
            yield child
        except BaseException:
            child.close()
            raise
        else:
            with self._lock:
                if not self._closed:
                    self._idle.append(child)
        finally:
            with self._lock:
                self._busy.discard(child)
