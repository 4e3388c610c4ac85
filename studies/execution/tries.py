"""Which failures deserve another try: those that may be the machine's fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from models import load
from studies.execution.evaluation import Outcome, believed
from studies.records import FailureKind, Task

TRIES = 3
TRIED_AGAIN: frozenset[FailureKind] = frozenset({"timeout", "out_of_memory", "worker_lost"})


class Tries:
    """Counts the tries of each task."""

    def __init__(self) -> None:
        self._tries: Counter[str] = Counter()

    def verdict(self, task: Task, outcome: Outcome) -> Outcome | None:
        """The outcome if it is the last word; None when the task should be tried again, alone."""
        outcome = believed(load(task.model), task, outcome)
        if outcome.kind not in TRIED_AGAIN:
            return outcome
        self._tries[task.key] += 1
        if self._tries[task.key] < TRIES:
            return None
        return replace(outcome, reason=f"{outcome.reason} ({TRIES} tries)")
