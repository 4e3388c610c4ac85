"""What one account may have going on at a time; the shell on a store has no such limits."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from models.errors import LimitError


@dataclass(frozen=True)
class Allowance:
    """Limits that hold for every account, and a count of what each has going on in this process.

    None stands for any number. One object is shared by everything that a server does.
    """

    running_studies: int | None = None
    designs: int | None = None
    streams: int | None = None
    computations: int | None = None
    """What one account may have computed at a time: evaluations and reference cases."""
    scenes: int | None = None
    """Scenes that one account may have drawn at a time."""
    _busy: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int], repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def stream(self, account: str) -> Generator[None]:
        """An event stream that is open; raises ``LimitError`` when the account has enough of them."""
        with self._one_of("event streams", account, self.streams):
            yield

    @contextmanager
    def computation(self, account: str) -> Generator[None]:
        """Something that is computed while the account waits; raises ``LimitError`` like :meth:`stream`."""
        with self._one_of("computations", account, self.computations):
            yield

    @contextmanager
    def scene(self, account: str) -> Generator[None]:
        """A scene that is drawn while the account waits; raises ``LimitError`` like :meth:`stream`."""
        with self._one_of("scenes", account, self.scenes):
            yield

    @contextmanager
    def _one_of(self, what: str, account: str, most: int | None) -> Generator[None]:
        with self._lock:
            count = self._busy.get((what, account), 0)
            if most is not None and count >= most:
                raise LimitError(f"{count} of your {what} are already running; at most {most} are allowed")
            self._busy[what, account] = count + 1
        try:
            yield
        finally:
            with self._lock:
                self._busy[what, account] -= 1
                if not self._busy[what, account]:
                    del self._busy[what, account]


NO_LIMITS = Allowance()
