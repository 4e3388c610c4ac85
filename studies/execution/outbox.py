"""A buffer that sends finished records within a second, and a heartbeat when there are none."""

from __future__ import annotations

import time
from collections.abc import Iterable

from studies.execution.base import Interrupted, ShouldStop, Sink
from studies.records import EvaluationRecord

FLUSH_SECONDS = 0.5
"""With the time that outcomes travel, below the promised second."""
STOP_SECONDS = 0.05


class Outbox:
    """Collects records for a sink."""

    def __init__(self, sink: Sink, should_stop: ShouldStop) -> None:
        self._sink = sink
        self._should_stop = should_stop
        self._records: list[EvaluationRecord] = []
        self._flushed = time.monotonic()
        self._asked = 0.0
        self.stopped = False
        """Whether somebody has asked to stop."""

    def put(self, records: Iterable[EvaluationRecord]) -> None:
        """Take finished records."""
        self._records += records

    def beat(self) -> None:
        """Hand on what has waited long enough; raises ``Interrupted`` when somebody asks to stop."""
        self.flush_if_due()
        if self.stop_asked():
            raise Interrupted

    def flush_if_due(self) -> None:
        """Hand on what has waited long enough, or give a sign of life."""
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def stop_asked(self) -> bool:
        """Whether somebody asks to stop; asked a few times a second, however often this is called."""
        now = time.monotonic()
        if not self.stopped and now - self._asked > STOP_SECONDS:
            self._asked = now
            self.stopped = self._should_stop()
        return self.stopped

    def flush(self) -> None:
        """Hand on what is there, even if that is nothing."""
        records, self._records = self._records, []
        self._flushed = time.monotonic()
        self._sink(records)
