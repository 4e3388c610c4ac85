"""Messages between a process and a child that it has started: one JSON document a line.

The child runs code of strangers, so its parent believes nothing that it sends: nothing is unpickled,
a line has a greatest length, and no read waits longer than it is told to.
"""

from __future__ import annotations

import math
import socket
import time
from collections import deque
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

MOST_BYTES = 64 * 1024**2
"""Most bytes of one message."""
SEND_SECONDS = 30.0
_READ = 2**18
T = TypeVar("T")


class ClosedError(Exception):
    """The other end of a channel is closed, and nothing more can come."""


class MalformedError(Exception):
    """A line that is no message came."""


class Channel:
    """One end of a stream of messages; not for several threads at once.

    Parameters
    ----------
    end : socket.socket
        A connected stream, which the channel closes.
    most_bytes : int
        Greatest length of a message that is read.
    """

    def __init__(self, end: socket.socket, most_bytes: int = MOST_BYTES) -> None:
        self._end = end
        self._most = most_bytes
        self._lines: deque[bytes] = deque()
        self._open_line: list[bytes] = []
        self._open_bytes = 0

    @classmethod
    def of_descriptor(cls, descriptor: int) -> Channel:
        """The end that a process has inherited."""
        return cls(socket.socket(fileno=descriptor))

    def send(self, form: TypeAdapter[T], message: T) -> None:
        """Send a message; raises ``ClosedError`` when nobody takes it."""
        line = form.dump_json(message) + b"\n"
        try:
            self._end.settimeout(SEND_SECONDS)
            self._end.sendall(line)
        except OSError as error:
            raise ClosedError(str(error)) from error

    def receive(self, seconds: float | None) -> list[bytes]:
        """All messages that are there, as text, waiting so long for the first; none when none came.

        Raises ``ClosedError`` when there is none and none can come, ``MalformedError`` for a message
        that is too long.
        """
        self._wait(seconds)
        lines, self._lines = list(self._lines), deque()
        return lines

    def next(self, seconds: float | None = None) -> bytes | None:
        """The next message; see :meth:`receive`."""
        self._wait(seconds)
        return self._lines.popleft() if self._lines else None

    def _wait(self, seconds: float | None) -> None:
        """Read until there is a message; without ``seconds``, however long that takes."""
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        left = deadline - time.monotonic()
        while not self._lines:
            self._end.settimeout(None if seconds is None else max(left, 1e-6))
            try:
                found = self._end.recv(_READ)
            except TimeoutError:
                return
            except OSError as error:
                raise ClosedError(str(error)) from error
            if not found:
                raise ClosedError("it was closed")
            self._split(found)
            left = deadline - time.monotonic()
            if left < 0:
                return

    def close(self) -> None:
        """Give the connection up."""
        self._end.close()

    def _split(self, found: bytes) -> None:
        *ends, rest = found.split(b"\n")
        for end in ends:
            self._add(end)
            self._lines.append(b"".join(self._open_line))
            self._open_line, self._open_bytes = [], 0
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._open_line.append(piece)
        self._open_bytes += len(piece)
        if self._open_bytes > self._most:
            raise MalformedError(f"a message of more than {self._most / 1024**2:.6g} MiB")


def read(form: TypeAdapter[T], message: bytes) -> T:
    """A message as what it must be; raises ``MalformedError`` when it is something else."""
    try:
        return form.validate_json(message)
    except ValidationError as error:
        first: Any = error.errors(include_url=False, include_input=False)[0]
        raise MalformedError(f"{first['msg']} in a message of {len(message)} bytes") from None
