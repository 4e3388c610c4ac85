"""Progress of a long computation, reported to a listener.

A back-end calls :func:`report_progress` now and then; without a listener nothing happens. Between two calls a
person can interrupt the computation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float], None]
_LISTENER: ContextVar[Listener | None] = ContextVar("progress_listener", default=None)


def report_progress(share: float) -> None:
    """Report the share of the computation that is done, from 0 to 1."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(share)


@contextmanager
def listen(listener: Listener) -> Generator[None]:
    """Call ``listener`` with every report of computations within the block."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
