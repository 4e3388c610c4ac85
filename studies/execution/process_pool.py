"""Supervised child processes that several threads share."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator
from contextlib import contextmanager

from studies.execution.supervision import SupervisedProcess


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
