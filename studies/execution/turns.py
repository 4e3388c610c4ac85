"""The order in which runs send designs to shared workers."""

from __future__ import annotations

import threading


class Turns:
    """Lets chunks of all runs be at the workers together, but a suspect chunk only alone.

    Otherwise a worker that another run's design kills could be blamed on the suspect.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = 0
        self._claimant: object = None

    def take(self) -> bool:
        """Whether a chunk may be sent now; not while anyone is, or wants to be, alone."""
        with self._lock:
            free = self._claimant is None
            self._out += free
            return free

    def take_alone(self, who: object) -> bool:
        """Whether ``who`` may send a suspect now; if not, others send nothing until it could."""
        with self._lock:
            if self._claimant is None:
                self._claimant = who
            free = self._claimant is who and self._out == 0
            self._out += free
            return free

    def leave(self) -> None:
        """A chunk, or a suspect, has come back."""
        with self._lock:
            self._out -= 1

    def yield_claim(self, who: object) -> None:
        """``who`` has no suspect out, and wants none out."""
        with self._lock:
            if self._claimant is who:
                self._claimant = None
