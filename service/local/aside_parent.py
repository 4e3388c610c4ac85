"""A child process that computes, seen from the server: started, asked, watched, ended."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe
from typing import TypeVar

import psutil

from service.local.aside_messages import ANSWER, ORDER, Answer, Begun, Order, Refused
from studies.execution.base import Limits
from studies.execution.channel import Channel, ClosedError, MalformedError, read
from studies.execution.processes import describe_end, kill_tree, resident, start
from studies.records import FailureKind

MAIN = "from service.local.aside_child import main; main()"
READY_SECONDS = 180.0
"""For starting and for kernels, which are compiled when this machine has never run them."""
MOST_BYTES = 64 * 1024**2
"""Of an answer."""
_WATCH_SECONDS = 0.05
T = TypeVar("T")
_MIB = 1024**2


class EndedError(Exception):
    """The child ended, or was ended for what it took."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind


class Child:
    """One child process, for one thread at a time; any thread may close it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._channel = Channel(ours, MOST_BYTES)
        self._lifeline, held = Pipe()
        descriptors = [theirs.fileno(), held.fileno()]
        self._process = start(MAIN, [*descriptors, os.getpid()], descriptors)
        theirs.close()
        held.close()

    def ask(self, order: Order, limits: Limits, kind: type[T]) -> T:
        """What the order gives; raises ``EndedError``, or the error that it ended with."""
        try:
            self._channel.send(ORDER, replace(order, memory=limits.memory))
            answer = self._receive(Limits(READY_SECONDS, None))
            if isinstance(answer, Begun):
                answer = self._receive(limits)
        except ClosedError:
            raise self._gone() from None
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
        """The next message; raises ``EndedError`` when it takes too much."""
        since = time.monotonic()
        process = psutil.Process(self._process.pid)
        before = resident(process)
        while (line := self._channel.next(_WATCH_SECONDS)) is None:
            took = time.monotonic() - since
            if limits.timeout is not None and took > limits.timeout:
                raise EndedError("timeout", f"took longer than the limit of {limits.timeout:g} s")
            if limits.memory is not None:
                added = _held(process) - before
                if added > limits.memory:
                    most = limits.memory / _MIB
                    raise EndedError("out_of_memory", f"used more memory than the limit of {most:.6g} MiB")
            if self._process.poll() is not None:
                line = self._channel.next(0.0)
                if line is None:
                    raise ClosedError
                break
        return read(ANSWER, line)

    def _gone(self) -> EndedError:
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


def _held(process: psutil.Process) -> int:
    """Bytes held by the process and those that it started."""
    with suppress(psutil.Error):
        return resident(process) + sum(resident(child) for child in process.children(recursive=True))
    return 0
