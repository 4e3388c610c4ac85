"""Computes in child processes, alone or in a pool, holds them to their limits and replaces those that die."""

from __future__ import annotations

import contextlib
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import Pipe
from subprocess import TimeoutExpired
from typing import TypeVar

import psutil

from errors import WorkerError
from studies.execution.channel import MOST_BYTES, Channel, ClosedError, MalformedError, read
from studies.execution.code_version import CodeVersion
from studies.execution.evaluation import Outcome, failure
from studies.execution.evaluation_call import Interrupted, ShouldStop
from studies.execution.messages import (
    MESSAGE,
    ORDER,
    Begun,
    Compared,
    Drawn,
    EvaluateOrder,
    Exported,
    Finished,
    ModelOrder,
    Outcomes,
    Ready,
    Refused,
)
from studies.execution.processes import describe_end, kill_orphans, kill_tree, resident, start
from studies.records import Limits, Task

WATCH_SECONDS = 0.05
TREE_SECONDS = 0.5
"""Finding the processes that a child has started means reading the whole table of processes."""
START_SECONDS = 120.0
MAIN = "from studies.execution.evaluation_child import main; main()"
_MIB = 1024**2

Deliver = Callable[[Outcomes], None]
T = TypeVar("T", Drawn, Exported, Compared)


class EndedError(Exception):
    """The child has ended, or must: with the number of the task in hand and what became of it."""

    def __init__(self, number: int, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.number = number
        self.outcome = outcome


class SupervisedProcess:
    """One child process at a time; not for several threads at once.

    A design that ends the child, or is ended for what it takes, is reported as ``worker_lost``,
    ``timeout`` or ``out_of_memory``; the others go on in a new child.

    Parameters
    ----------
    gather : float
        See :class:`EvaluateOrder`.
    prepare : float
        How long loading or compiling kernels may take, in s.
    """

    def __init__(self, gather: float = 0.0, prepare: float = math.inf) -> None:
        self._gather = gather
        self._prepare = prepare
        self._child: _Child | None = None
        self._started_in_vain = 0

    def evaluate(
        self,
        tasks: Sequence[Task],
        version: CodeVersion,
        limits: Limits,
        deliver: Deliver,
        should_stop: ShouldStop,
    ) -> None:
        """Deliver an outcome for every task, with its number in ``tasks`` counted from 0.

        Raises ``Interrupted`` at once when ``should_stop()`` becomes true, and ``WorkerError``
        when the child cannot evaluate these tasks at all. ``should_stop`` is asked, and
        ``deliver`` is called with an empty list, many times a second.
        """
        waiting = dict(enumerate(tasks))
        try:
            while waiting:
                self._some(waiting, version, limits, deliver, should_stop)
        except BaseException:
            self.close()
            raise

    def ask(self, order: ModelOrder, kind: type[T], limits: Limits, should_stop: ShouldStop) -> T | Refused:
        """The answer to an order, of the kind that it has.

        Raises ``EndedError``, or ``Interrupted`` as :meth:`evaluate` does.
        """
        try:
            child = self._ready_child(lambda _: None, should_stop)
            watch = _Watch(child, limits, 1, self._prepare)
            try:
                child.channel.send(ORDER, replace(order, memory=limits.memory))
                while True:
                    if should_stop():
                        raise Interrupted
                    for line in child.receive():
                        answer = watch.take_answer(line, kind)
                        if answer is not None:
                            return answer
                    watch.look()
            except (ClosedError, MalformedError) as error:
                raise watch.ended_by(error) from None
        except BaseException:
            self.close()
            raise

    @property
    def ready(self) -> bool:
        """True if a child waits."""
        return self._child is not None and self._child.lives()

    def close(self) -> None:
        """End the child and everything that it started."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _some(
        self,
        waiting: dict[int, Task],
        version: CodeVersion,
        limits: Limits,
        deliver: Deliver,
        should_stop: ShouldStop,
    ) -> None:
        """Evaluate until nothing waits or the child is gone; what is finished leaves ``waiting``."""
        child = self._ready_child(deliver, should_stop)
        numbers = list(waiting)
        watch = _Watch(child, limits, len(numbers), self._prepare, version.own is not None)
        order = EvaluateOrder(list(waiting.values()), version, limits.memory, self._gather)
        try:
            child.channel.send(ORDER, order)
            while waiting:
                if should_stop():
                    raise Interrupted
                self._receive(watch, numbers, waiting, deliver)
                watch.look()
        except (ClosedError, MalformedError) as error:
            self._bury(watch.ended_by(error), numbers, waiting, deliver)
        except EndedError as ended:
            self._bury(ended, numbers, waiting, deliver)

    def _receive(
        self, watch: _Watch, numbers: Sequence[int], waiting: dict[int, Task], deliver: Deliver
    ) -> None:
        """Deliver what has come within a moment, also what came before something that is no answer."""
        found: Outcomes = []
        try:
            for line in watch.child.receive():
                found += [(numbers[number - 1], outcome) for number, outcome in watch.take(line)]
        finally:
            for index, _ in found:
                del waiting[index]
            if found:
                self._started_in_vain = 0
            deliver(found)

    def _ready_child(self, deliver: Deliver, should_stop: ShouldStop) -> _Child:
        """The child process; a new one is started when there is none."""
        if self._child is not None and self._child.lives():
            return self._child
        self.close()
        kill_orphans()
        child = self._child = _Child()
        deadline = time.monotonic() + START_SECONDS
        while not child.greets():
            deliver([])
            if should_stop():
                raise Interrupted
            if time.monotonic() > deadline:
                raise WorkerError(f"an evaluation process did not start within {START_SECONDS:g} s")
        return child

    def _bury(
        self,
        ended: EndedError,
        numbers: Sequence[int],
        waiting: dict[int, Task],
        deliver: Deliver,
    ) -> None:
        """Tell the design that was in hand as failed; a child that dies without one may die only twice."""
        self.close()
        guilty = numbers[ended.number - 1] if ended.number else -1
        if guilty in waiting:
            self._started_in_vain = 0
            del waiting[guilty]
            deliver([(guilty, ended.outcome)])
            return
        self._started_in_vain += 1
        if self._started_in_vain > 2:
            raise WorkerError(
                f"evaluation processes end before they evaluate a design: {ended.outcome.reason}"
            )


class _Child:
    """A running child process and the channel to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours, MOST_BYTES)
        self._lifeline, held = Pipe()
        descriptors = [theirs.fileno(), held.fileno()]
        self.process = start(MAIN, [*descriptors, os.getpid()], descriptors)
        theirs.close()
        held.close()

    def lives(self) -> bool:
        """True if the process runs."""
        return self.process.poll() is None

    def greets(self) -> bool:
        """True if the process is ready, after waiting a moment for it."""
        try:
            lines = self.channel.receive(WATCH_SECONDS)
            return bool(lines) and isinstance(read(MESSAGE, lines[0]), Ready)
        except (ClosedError, MalformedError):
            raise WorkerError(f"an evaluation process could not start: it {self.describe_end()}") from None

    def receive(self) -> list[bytes]:
        """Lines that came within a moment; raises ``ClosedError`` when nothing can come any more.

        A process that the design has started may hold the channel open after the child's end.
        """
        lines = self.channel.receive(WATCH_SECONDS)
        if not lines and not self.lives():
            lines = self.channel.receive(0.0)
            if not lines:
                raise ClosedError
        return lines

    def resident(self) -> int:
        """Bytes of memory that the process itself holds; 0 when it is gone."""
        with contextlib.suppress(psutil.Error):
            return resident(psutil.Process(self.process.pid))
        return 0

    def describe_end(self) -> str:
        """End of the process in words; one that has closed its channel and goes on is ended."""
        try:
            self.process.wait(timeout=1.0)
        except TimeoutExpired:
            how = "closed its connection"
        else:
            how = f"was ended by {describe_end(self.process.returncode)}"
        kill_tree(self.process)
        return how

    def close(self) -> None:
        """End the process and everything that it started."""
        kill_tree(self.process)
        self.channel.close()
        self._lifeline.close()


@dataclass
class _Watch:
    """Follows the child through one order and holds it to the limits of one evaluation.

    The child reports each task before it begins it, in turn; whatever does not fit is no answer.
    """

    child: _Child
    limits: Limits
    tasks: int
    prepare: float = math.inf
    own: bool = False
    """True if the model is the user's own, which may stop the run; another one loses only its design."""
    _number: int = 0
    _finished: set[int] = field(default_factory=set[int])
    _memory_before: int = 0
    _since: float = field(default_factory=time.monotonic)
    _next: float = 0.0
    _next_tree: float = 0.0
    _others: list[psutil.Process] = field(default_factory=list[psutil.Process])

    def take(self, line: bytes) -> Outcomes:
        """The outcomes of a message; raises ``MalformedError``, or ``WorkerError`` for a refusal."""
        message = read(MESSAGE, line)
        if isinstance(message, Finished):
            numbers = [number for number, _ in message.outcomes]
            if len(set(numbers)) < len(numbers) or self._finished.intersection(numbers):
                raise MalformedError("two outcomes of one task")
            if max(numbers, default=0) > self._number:
                raise MalformedError("an outcome of a task that was not begun")
            self._finished.update(numbers)
            return message.outcomes
        if isinstance(message, Begun) and message.number == self._number + 1 <= self.tasks:
            self._begin(message)
            return []
        if isinstance(message, Refused) and (self._number == 0 or self.own):
            raise WorkerError(str(message.error))
        raise MalformedError(f"'{message.kind}' at the wrong time")

    def take_answer(self, line: bytes, kind: type[T]) -> T | Refused | None:
        """The answer to an order that is no evaluation, if the message is one; raises ``MalformedError``."""
        message = read(MESSAGE, line)
        if isinstance(message, Begun) and self._number == 0:
            self._begin(message)
            return None
        if isinstance(message, Refused) or (isinstance(message, kind) and self._number == 1):
            return message
        raise MalformedError(f"'{message.kind}' at the wrong time")

    def _begin(self, message: Begun) -> None:
        self._number, self._since = message.number, time.monotonic()
        if self.limits.memory is not None:  # a child that claims more than it holds is not believed
            self._memory_before = min(message.memory, self.child.resident())

    def ended_by(self, error: ClosedError | MalformedError) -> EndedError:
        """The process has ended, or must, by no limit of ours."""
        unreadable = f"sent an answer that cannot be read ({error})"
        how = unreadable if isinstance(error, MalformedError) else self.child.describe_end()
        number = 0 if self._number in self._finished else self._number
        return EndedError(number, failure("worker_lost", f"the evaluation process {how}"))

    def look(self) -> None:
        """Raise ``EndedError`` when the design in hand has taken more than it may."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + WATCH_SECONDS / 2
        if self._number == 0 and now - self._since > self.prepare:
            raise WorkerError(f"the kernels of the back-end were not ready within {self.prepare:g} s")
        if self._number == 0 or self._number in self._finished:
            return
        if self.limits.timeout is not None and now - self._since > self.limits.timeout:
            took = now - self._since
            reason = f"took longer than the limit of {self.limits.timeout:g} s"
            raise EndedError(self._number, failure("timeout", reason, took))
        if self.limits.memory is not None:
            added = self._memory(now) - self._memory_before
            if added > self.limits.memory:
                reason = (
                    f"used {added / _MIB:.0f} MiB of memory, more than the limit of "
                    f"{self.limits.memory / _MIB:.6g} MiB"
                )
                raise EndedError(self._number, failure("out_of_memory", reason, now - self._since))

    def _memory(self, now: float) -> int:
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self.child.process.pid)
            if now >= self._next_tree:
                self._others = root.children(recursive=True)
                self._next_tree = time.monotonic() + TREE_SECONDS
            return resident(root) + sum(resident(other) for other in self._others)
        return 0


class ProcessPool:
    """Supervised processes for any number of threads; each is used by one at a time.

    ``prepare`` and ``gather`` are those of :class:`SupervisedProcess`.
    """

    def __init__(self, gather: float = 0.0, prepare: float = math.inf) -> None:
        self._gather = gather
        self._prepare = prepare
        self._idle: list[SupervisedProcess] = []
        self._made = 0
        self._lock = threading.Lock()

    @property
    def made(self) -> int:
        """Number of processes, at work or idle."""
        return self._made

    @contextmanager
    def process(self, *, new: bool = False) -> Generator[SupervisedProcess]:
        """A process for this thread alone, a ``new`` one on request.

        Its child outlives the block and serves the next one.
        """
        with self._lock:
            if self._idle and not new:
                process = self._idle.pop()
            else:
                process = SupervisedProcess(self._gather, self._prepare)
                self._made += 1
        try:
            yield process
        finally:
            with self._lock:
                self._idle.append(process)

    def close(self) -> None:
        """End the children of the processes that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()
