"""How long a model takes, and what follows for the size of chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import ceil
from statistics import median

CHUNK_SECONDS = 0.05
"""A chunk should take about this long: far above Dask's cost per task, far below a person's patience."""
CHEAP_SECONDS = 0.0005
"""Models faster than this are evaluated locally; sending their designs to workers would take longer."""
_FEW = 3


class Pace:
    """Running median of a model's time on the last designs."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=100)

    def learn(self, seconds: Iterable[float]) -> None:
        """Add the times of evaluations; 0 means that an evaluation was lost."""
        self._seconds.extend(second for second in seconds if second > 0)

    def surprise(self, seconds: float) -> None:
        """A design took so long that what was measured before says nothing about the next ones."""
        self._seconds.clear()
        self._seconds.extend([seconds] * _FEW)

    @property
    def known(self) -> bool:
        """Whether a few designs were measured."""
        return len(self._seconds) >= _FEW

    @property
    def cheap(self) -> bool:
        """Whether the model is too fast to be sent away."""
        return self.known and median(self._seconds) < CHEAP_SECONDS

    def fitting(self, seconds: float) -> int:
        """How many designs take this long, at least one; one while nothing was measured."""
        if not self._seconds:
            return 1
        return max(1, int(seconds / max(median(self._seconds), 1e-6)))

    def chunk(self, waiting: int, workers: int) -> int:
        """How many designs to send at once, so that each worker gets some."""
        return max(1, min(self.fitting(CHUNK_SECONDS), ceil(waiting / (2 * workers))))
