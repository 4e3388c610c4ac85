"""One call of an executor: finished records, costs of designs, retries of those whose worker was lost."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from statistics import median
from typing import Protocol

from models import load
from studies.execution.cluster import Say, say_nothing
from studies.execution.code_version import CodeVersion
from studies.execution.evaluation import Outcome, believed
from studies.records import NO_LIMITS, EvaluationRecord, FailureKind, Limits, Task

Sink = Callable[[list[EvaluationRecord]], None]
ShouldStop = Callable[[], bool]


Supply = Callable[[int], Sequence[Task]]
"""Gives up to so many further tasks of a call, none while it has none; it knows what the sink was handed."""


class Interrupted(Exception):  # noqa: N818  not an error: somebody asked
    """The caller asked to stop; finished results were handed on, the rest is dropped."""


class Executor(Protocol):
    """Evaluates tasks; several threads may ask one executor at the same time."""

    @property
    def workers(self) -> int:
        """Number of evaluations that can go on at once."""
        ...

    def evaluate(
        self,
        tasks: Sequence[Task],
        sink: Sink,
        should_stop: ShouldStop,
        limits: Limits = NO_LIMITS,
        supply: Supply | None = None,
        *,
        say: Say = say_nothing,
    ) -> None:
        """Evaluate every task once and hand the records to ``sink`` within a second of finishing.

        ``supply`` is asked for further tasks whenever a worker would have none, after the sink was handed
        what is finished; the call ends when it gives none and none is in hand.

        ``sink`` is also called with an empty list while nothing finishes, so that leases are
        renewed. ``say`` is told, again and again, what the tasks wait for, and an empty text while they wait
        for nothing but evaluation. Raises ``Interrupted`` about a second after ``should_stop()`` becomes
        true, when no evaluation goes on any more; ``WorkerError`` when there is nothing that could evaluate.
        """
        ...


TRIES = 3
TRIED_AGAIN: frozenset[FailureKind] = frozenset({"timeout", "out_of_memory", "worker_lost"})


class RetryPolicy:
    """Counts the tries of each task."""

    def __init__(self) -> None:
        self._tries: Counter[str] = Counter()

    def again(self, task: Task) -> bool:
        """True if the task was tried before: it is evaluated alone, where no neighbour answers for it."""
        return task.key in self._tries

    def final_outcome(self, task: Task, outcome: Outcome) -> Outcome | None:
        """The outcome if it is the last word; None when the task should be tried again, alone."""
        outcome = believed(load(task.model), task, outcome)
        if outcome.kind not in TRIED_AGAIN:
            return outcome
        self._tries[task.key] += 1
        if self._tries[task.key] < TRIES:
            return None
        return replace(outcome, reason=f"{outcome.reason} ({TRIES} tries)")


FLUSH_SECONDS = 0.5
"""Time between batches of records; with their way it is below the promised second."""
STOP_SECONDS = 0.05


class ResultBuffer:
    """Collects records for a sink."""

    def __init__(self, sink: Sink, should_stop: ShouldStop) -> None:
        self._sink = sink
        self._should_stop = should_stop
        self._records: list[EvaluationRecord] = []
        self._flushed = time.monotonic()
        self._checked = 0.0
        self.stopped = False
        """True if somebody has asked to stop."""

    def put(self, records: Iterable[EvaluationRecord]) -> None:
        """Take finished records."""
        self._records += records

    def beat(self) -> None:
        """Hand on what has waited long enough; raises ``Interrupted`` when somebody asks to stop."""
        self.flush_if_due()
        if self.stop_requested():
            raise Interrupted

    def flush_if_due(self) -> None:
        """Hand on what has waited long enough, or give a sign of life."""
        if time.monotonic() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def stop_requested(self) -> bool:
        """True if somebody asks to stop; looked up a few times a second, however often this is called."""
        now = time.monotonic()
        if not self.stopped and now - self._checked > STOP_SECONDS:
            self._checked = now
            self.stopped = self._should_stop()
        return self.stopped

    def flush(self) -> None:
        """Hand on what is there, even if that is nothing."""
        records, self._records = self._records, []
        self._flushed = time.monotonic()
        self._sink(records)


CHUNK_SECONDS = 0.05
"""A chunk should take about this long: far above Dask's cost per task, far below a person's patience."""
CHEAP_SECONDS = 0.0005
"""Models faster than this are evaluated locally; sending their designs to workers would take longer."""
_FEW = 3


class CostEstimate:
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
        """True if a few designs were measured."""
        return len(self._seconds) >= _FEW

    @property
    def cheap(self) -> bool:
        """True if the model is too fast to be sent away."""
        return self.known and median(self._seconds) < CHEAP_SECONDS

    def fitting(self, seconds: float) -> int:
        """Number of designs that take this long, at least one; one while nothing was measured."""
        if not self._seconds:
            return 1
        return max(1, int(seconds / max(median(self._seconds), 1e-6)))

    def chunk(self, waiting: int, workers: int) -> int:
        """Number of designs to send at once, so that each worker gets some."""
        return max(1, min(self.fitting(CHUNK_SECONDS), ceil(waiting / (2 * workers))))


SPARE = 0.1
"""Tasks beyond the workers, as a share of these: one waits where a worker ends."""


@dataclass(frozen=True, slots=True)
class EvaluationCall:
    """The code and limits that hold, the model's known cost, and where records go and tasks come from."""

    version: CodeVersion
    limits: Limits
    cost: CostEstimate
    buffer: ResultBuffer
    supply: Supply | None = None
    say: Say = say_nothing
    retries: RetryPolicy = field(default_factory=RetryPolicy)

    def refill(self, waiting: deque[Task], in_flight: int, workers: int) -> None:
        """Let tasks wait so that no worker is idle, where there is a supply."""
        room = workers + ceil(SPARE * workers) - in_flight - len(waiting)
        if self.supply is not None and room > 0:
            self.buffer.flush()
            waiting.extend(self.supply(room))
