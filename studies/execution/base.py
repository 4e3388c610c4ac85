"""Executors of evaluations, as a run sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from studies.records import NO_LIMITS, EvaluationRecord, Limits, Task

Sink = Callable[[list[EvaluationRecord]], None]
ShouldStop = Callable[[], bool]


class Interrupted(Exception):  # noqa: N818  not an error: somebody asked
    """The caller asked to stop; finished results were handed on, the rest is dropped."""


class Executor(Protocol):
    """Evaluates tasks; several threads may ask one executor at the same time."""

    @property
    def workers(self) -> int:
        """Number of evaluations that can go on at once."""
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
