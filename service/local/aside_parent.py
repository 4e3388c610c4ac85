"""A child process that computes, seen from the server: started, asked, watched, ended."""

from __future__ import annotations

import os
import pickle
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe
from typing import Any

import psutil

from service.local.aside_child import BEGUN, Answer, Order
from studies.execution.base import Limits
from studies.execution.processes import describe_end, kill_tree, resident, start
from studies.records import FailureKind

MAIN = "from service.local.aside_child import main; main()"
READY_SECONDS = 180.0
"""For starting and for kernels, which are compiled when this machine has never run them."""
MOST_BYTES = 64 * 1024**2
"""Of an answer."""
_WATCH_SECONDS = 0.05
_MIB = 1024**2


class EndedError(Exception):
    """The child ended, or was ended for what it took."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind


class Child:
    """One child process, for one thread at a time; any thread may close it."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        self._lifeline, held = Pipe()
        descriptors = [theirs.fileno(), held.fileno()]
        self._process = start(MAIN, [*descriptors, os.getpid()], descriptors)
        theirs.close()
        held.close()

    def ask(self, order: Order, limits: Limits) -> Any:
        """What the order gives; raises ``EndedError``, or the error that it ended with."""
        try:
            self._pipe.send(replace(order, memory=limits.memory))
            first = self._receive(Limits(READY_SECONDS, None))
            answer: Answer = self._receive(limits) if first == BEGUN else first
        except (EOFError, OSError):
            raise self._gone() from None
        how, content = answer
        if how == "refused":
            raise content
        return content

    def _receive(self, limits: Limits) -> Any:
        """The next message; raises ``EndedError`` when it takes too much."""
        since = time.monotonic()
        process = psutil.Process(self._process.pid)
        before = resident(process)
        while not self._pipe.poll(_WATCH_SECONDS):
            took = time.monotonic() - since
            if limits.timeout is not None and took > limits.timeout:
                raise EndedError("timeout", f"took longer than the limit of {limits.timeout:g} s")
            if limits.memory is not None:
                added = _held(process) - before
                if added > limits.memory:
                    most = limits.memory / _MIB
                    raise EndedError("out_of_memory", f"took more memory than the limit of {most:.6g} MiB")
            if self._process.poll() is not None and not self._pipe.poll():
                raise self._gone()
        return self._read()

    def _read(self) -> Any:
        """A message that is there; raises ``EndedError`` when it is too large to be taken in."""
        try:
            content = self._pipe.recv_bytes(MOST_BYTES)
        except OSError as error:
            if error.errno is not None:
                raise
            # The pipe refused the message by its length, without an error of the system.
            raise EndedError(
                "out_of_memory", f"gave an answer of more than {MOST_BYTES / _MIB:.6g} MiB"
            ) from None
        return pickle.loads(content)  # noqa: S301 - from a process that was started here

    def _gone(self) -> EndedError:
        with suppress(Exception):
            self._process.wait(timeout=1.0)
        kill_tree(self._process)
        return EndedError("worker_lost", f"the process was ended by {describe_end(self._process.returncode)}")

    def close(self) -> None:
        """End the process and all that it started."""
        kill_tree(self._process)
        with suppress(OSError):
            self._pipe.close()
            self._lifeline.close()


def _held(process: psutil.Process) -> int:
    """Bytes held by the process and those that it started."""
    with suppress(psutil.Error):
        return resident(process) + sum(resident(child) for child in process.children(recursive=True))
    return 0
