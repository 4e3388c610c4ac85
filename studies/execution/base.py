"""What evaluates designs, seen from the run that wants them evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from studies.records import EvaluationRecord, Task

Sink = Callable[[list[EvaluationRecord]], None]
ShouldStop = Callable[[], bool]


class Interrupted(Exception):  # noqa: N818  not an error: somebody asked
    """The caller asked to stop; finished results were handed on, the rest is dropped."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may take: ``timeout`` in s and ``memory`` in bytes, None for any amount.

    Memory is what the evaluation adds to the process that it runs in, its own processes included.
    """

    timeout: float | None = None
    memory: int | None = None

    def narrowed(self, other: Limits) -> Limits:
        """What keeps to both."""
        timeouts = [limit for limit in (self.timeout, other.timeout) if limit is not None]
        memories = [limit for limit in (self.memory, other.memory) if limit is not None]
        return Limits(min(timeouts, default=None), min(memories, default=None))


NO_LIMITS = Limits()


class Executor(Protocol):
    """Evaluates tasks; several threads may ask one executor at the same time."""

    @property
    def workers(self) -> int:
        """How many evaluations can go on at once."""
        ...

    def evaluate(
        self, tasks: Sequence[Task], sink: Sink, should_stop: ShouldStop, limits: Limits = NO_LIMITS
    ) -> None:
        """Evaluate every task once and hand the records to ``sink`` within a second of finishing.

        ``sink`` is also called with an empty list while nothing finishes, so that leases are
        renewed. Raises ``Interrupted`` about a second after ``should_stop()`` becomes true, when
        no evaluation goes on any more; ``WorkerError`` when there is nothing that could evaluate.
        """
        ...
