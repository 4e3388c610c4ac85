"""Evaluates tasks in a child process, holds it to its limits and replaces it when it dies."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from typing import Any

import psutil

from models.errors import WorkerError
from studies.execution.base import Interrupted, Limits, ShouldStop
from studies.execution.board import Board
from studies.execution.child import Order, Outcomes
from studies.execution.code import CodeVersion
from studies.execution.evaluation import Outcome, failure
from studies.execution.processes import describe_end, kill_tree, resident, start
from studies.records import Task

WATCH_SECONDS = 0.05
TREE_SECONDS = 0.5
"""Finding the processes that a child has started means reading the whole table of processes."""
START_SECONDS = 120.0
MAIN = "from studies.execution.child import main; main()"
MOST_AT_ONCE = 100
_MIB = 1024**2

Deliver = Callable[[Outcomes], None]


class Keeper:
    """One child process at a time; not for several threads at once. ``gather`` is for :class:`Order`.

    A design that ends the child, or is ended for what it takes, is told as ``worker_lost``,
    ``timeout`` or ``out_of_memory``; the others go on in a new child.
    """

    def __init__(self, gather: float = 0.0) -> None:
        self._gather = gather
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

    @property
    def ready(self) -> bool:
        """Whether a child waits."""
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
        watch = _Watch(child, limits)
        try:
            child.pipe.send(Order(list(waiting.values()), version, limits.memory, self._gather))
            while waiting:
                if should_stop():
                    raise Interrupted
                found = child.receive()
                outcomes = [(numbers[number - 1], outcome) for number, outcome in found]
                for index, _ in outcomes:
                    del waiting[index]
                deliver(outcomes)
                watch.look()
        except _GoneError as gone:
            self._bury(gone, numbers, waiting, deliver)
        except ConnectionError:
            self._bury(child.gone(), numbers, waiting, deliver)

    def _ready_child(self, deliver: Deliver, should_stop: ShouldStop) -> _Child:
        """The child, started anew when there is none."""
        if self._child is not None and self._child.lives():
            return self._child
        self.close()
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
        gone: _GoneError,
        numbers: Sequence[int],
        waiting: dict[int, Task],
        deliver: Deliver,
    ) -> None:
        """Tell the design that was in hand as failed; a child that dies without one may die only twice."""
        self.close()
        guilty = numbers[gone.number - 1] if gone.number else -1
        if guilty in waiting:
            self._started_in_vain = 0
            del waiting[guilty]
            deliver([(guilty, gone.outcome)])
            return
        self._started_in_vain += 1
        if self._started_in_vain > 2:
            raise WorkerError(f"evaluation processes end before they evaluate: {gone.outcome.reason}")


class _GoneError(Exception):
    """The child has ended, or must: with the number of the task in hand and what became of it."""

    def __init__(self, number: int, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.number = number
        self.outcome = outcome


class _Child:
    """A running child process, the pipe to it and the board that it writes on."""

    def __init__(self) -> None:
        self.board = Board.make()
        self.pipe, theirs = Pipe()
        self._lifeline, held = Pipe()
        descriptors = [theirs.fileno(), held.fileno(), self.board.descriptor]
        self.process = start(MAIN, [*descriptors, os.getpid()], descriptors)
        theirs.close()
        held.close()

    def lives(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def greets(self) -> bool:
        """Whether the process is ready, after waiting a moment for it."""
        if not self.pipe.poll(WATCH_SECONDS):
            return False
        try:
            self.pipe.recv()
        except (EOFError, OSError):
            how = describe_end(self.end())
            raise WorkerError(f"an evaluation process could not start: it was ended by {how}") from None
        return True

    def receive(self) -> Outcomes:
        """What has come within a moment; raises ``_GoneError`` when nothing can come any more."""
        if not self.pipe.poll(WATCH_SECONDS):
            if not self.lives() and not self.pipe.poll():
                raise self.gone()
            return []
        found: Outcomes = []
        try:
            while not found or (len(found) < MOST_AT_ONCE and self.pipe.poll()):
                message: Any = self.pipe.recv()
                if isinstance(message, str):
                    raise WorkerError(message)
                found += message
        except (EOFError, OSError):
            if not found:
                raise self.gone() from None
        return found

    def gone(self) -> _GoneError:
        """The process has ended by itself."""
        how = describe_end(self.end())
        reason = f"the evaluation process was ended by {how}"
        return _GoneError(self.board.read().number, failure("worker_lost", reason))

    def end(self) -> int:
        """The exit code; a process that has closed its pipe but goes on is ended."""
        with contextlib.suppress(Exception):
            self.process.wait(timeout=1.0)
        kill_tree(self.process)
        return self.process.returncode

    def close(self) -> None:
        """End the process and everything that it started."""
        kill_tree(self.process)
        self.pipe.close()
        self._lifeline.close()
        self.board.close()


@dataclass
class _Watch:
    """Holds a child to the limits of one evaluation."""

    child: _Child
    limits: Limits
    _number: int = 0
    _since: float = field(default_factory=time.monotonic)
    _next: float = 0.0
    _next_tree: float = 0.0
    _others: list[psutil.Process] = field(default_factory=list[psutil.Process])

    def look(self) -> None:
        """Raise ``_GoneError`` when the design in hand has taken more than it may."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + WATCH_SECONDS / 2
        in_hand = self.child.board.read()
        if in_hand.number != self._number:
            self._number, self._since = in_hand.number, now
        if self._number == 0:
            return
        if self.limits.timeout is not None and now - self._since > self.limits.timeout:
            took = now - self._since
            reason = f"took longer than the limit of {self.limits.timeout:g} s"
            raise _GoneError(self._number, failure("timeout", reason, took))
        if self.limits.memory is not None:
            added = self._memory(now) - in_hand.memory
            if added > self.limits.memory:
                reason = (
                    f"took {added / _MIB:.0f} MiB of memory, more than the limit of "
                    f"{self.limits.memory / _MIB:.6g} MiB"
                )
                raise _GoneError(self._number, failure("out_of_memory", reason, now - self._since))

    def _memory(self, now: float) -> int:
        root = psutil.Process(self.child.process.pid)
        if now >= self._next_tree:
            with contextlib.suppress(psutil.Error):
                self._others = root.children(recursive=True)
            self._next_tree = time.monotonic() + TREE_SECONDS
        return resident(root) + sum(resident(other) for other in self._others)
