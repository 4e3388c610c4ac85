"""A write in a thread of its own, so that the next designs do not wait for the disk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self


class Behind:
    """Carries out one write at a time in a thread of its own.

    A write that fails raises where the next one begins, at :meth:`settle`, or at the end of the
    ``with`` block, whichever comes first; nothing is forgotten.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="tautline-save")
        self._going: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._pool:
            self.settle()

    @property
    def failed(self) -> bool:
        """Whether the write under way has ended with an error, which :meth:`settle` raises."""
        going = self._going
        return going is not None and going.done() and going.exception() is not None

    def start(self, write: Callable[[], None]) -> None:
        """Begin a write when the one before it has ended; raises what that one raised."""
        self.settle()
        self._going = self._pool.submit(write)

    def settle(self) -> None:
        """Wait until nothing is left to write; raises what the write raised."""
        going, self._going = self._going, None
        if going is not None:
            going.result()
