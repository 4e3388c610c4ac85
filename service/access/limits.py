"""How often somebody may ask: buckets of requests that fill again with time, kept in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_MINUTE = 60.0
_MOST_BUCKETS = 10_000


class Rate:
    """So many requests a minute for each name; after a pause, a whole minute's worth at once.

    Every process of a server counts for itself. Names that have not asked for a minute are forgotten.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> float:
        """Take one request; 0 when it may pass, else the seconds after which it may."""
        with self._lock:
            now = self._clock()
            left, seen = self._buckets.get(name, (self._most, now))
            left = min(self._most, left + (now - seen) * self._most / _MINUTE)
            passes = left >= 1.0
            self._buckets[name] = (left - 1.0 if passes else left, now)
            if len(self._buckets) > _MOST_BUCKETS:
                self._forget(now)
            return 0.0 if passes else (1.0 - left) * _MINUTE / self._most

    def _forget(self, now: float) -> None:
        """Drop the full buckets; when there are none, the half that was seen longest ago."""
        kept = {name: item for name, item in self._buckets.items() if now - item[1] < _MINUTE}
        if len(kept) > _MOST_BUCKETS:
            newest = sorted(kept.items(), key=lambda pair: pair[1][1])[_MOST_BUCKETS // 2 :]
            kept = dict(newest)
        self._buckets = kept
