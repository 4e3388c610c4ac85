"""Ctrl-C and SIGTERM as a wish to stop: the run at hand is left paused and can be resumed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

STDERR = 2


@contextmanager
def stop_on_signals(left: str = "the run is left paused") -> Generator[Callable[[], bool]]:
    """A function that says whether a stop was requested; a second Ctrl-C interrupts at once.

    ``left`` says how what is at hand will be left.
    """
    requested = False

    def request_stop(number: int, frame: FrameType | None) -> None:
        nonlocal requested
        if requested:
            signal.default_int_handler(number, frame)
        requested = True
        _write(f"stopping: {left} (press again to quit at once; nothing that is stored is lost)\n")

    before = {number: signal.signal(number, request_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: requested
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write(message: str) -> None:
    """Past Python's buffer, which the signal may have interrupted and must not be entered twice."""
    with contextlib.suppress(OSError):
        os.write(STDERR, message.encode())
