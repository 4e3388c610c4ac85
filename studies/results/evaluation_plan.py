"""Evaluations that belong to no search: planned, found in the store or computed, and read together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from studies.records import EvaluationRecord, Limits, Task
from studies.store import Store

R_co = TypeVar("R_co", covariant=True)
MOST_EVALUATIONS = 200_000


class EvaluationPlan(Protocol[R_co]):
    """Tasks that answer a question about a design or a study, and their answer."""

    @property
    def tasks(self) -> list[Task]:
        """Every task once."""
        ...

    @property
    def limits(self) -> Limits:
        """Time and memory of one evaluation."""
        ...

    def prepare(self) -> None:
        """Load the kernels."""
        ...

    def result(self, found: Mapping[str, EvaluationRecord]) -> R_co:
        """The answer of the evaluations ``found``, which have every task's by its key."""
        ...


def missing_tasks(plan: EvaluationPlan[object], store: Store) -> list[Task]:
    """Tasks that are not stored yet, or might end otherwise the next time."""
    known = store.known(plan.tasks)
    return [task for task in plan.tasks if task.key not in known or not known[task.key].final]
