"""Retries of designs that took too long or too much memory, or lost their worker."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from models import load
from studies.execution.evaluation import Outcome, believed
from studies.records import FailureKind, Task

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
