"""Evaluations that belong to no search: planned, found in the store or computed, and read together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from studies.records import EvaluationRecord, Limits, Task
from studies.store import Store

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
MOST_EVALUATIONS = 200_000
BATCH = 2000
"""Evaluations that are handed to the workers at once, so that progress and memory stay in hand."""


class Batched(Protocol):
    """Tasks in batches."""

    def batches(self) -> Iterator[list[Task]]:
        """Tasks, some at a time."""
        ...


class EvaluationPlan(Batched, Protocol[R_co]):
    """Tasks that answer a question about a design or a study, and their answer."""

    @property
    def wanted(self) -> int:
        """Number of tasks."""
        ...

    @property
    def limits(self) -> Limits:
        """Time and memory of one evaluation."""
        ...

    def prepare(self) -> None:
        """Load the kernels."""
        ...

    def answer(self, store: Store) -> R_co:
        """The answer of the stored evaluations, which have every task's."""
        ...


class ListedPlan(ABC, Generic[R]):
    """A plan whose tasks make a list."""

    __slots__ = ()

    @property
    @abstractmethod
    def tasks(self) -> list[Task]:
        """Every task once."""

    @abstractmethod
    def result(self, found: Mapping[str, EvaluationRecord]) -> R:
        """The answer of the evaluations ``found``, which have every task's by its key."""

    @property
    def wanted(self) -> int:
        """Number of tasks."""
        return len(self.tasks)

    def batches(self) -> Iterator[list[Task]]:
        """Tasks, some at a time."""
        tasks = self.tasks
        return (tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH))

    def answer(self, store: Store) -> R:
        """The answer of the stored evaluations, which have every task's."""
        return self.result(store.known(self.tasks))


def count_missing(plan: Batched, store: Store) -> int:
    """Number of tasks that are not stored yet, or might end otherwise the next time."""
    return sum(len(missing_of(tasks, store)) for tasks in plan.batches())


def missing_of(tasks: list[Task], store: Store) -> list[Task]:
    """Tasks that are not stored yet, or might end otherwise the next time."""
    known = store.known(tasks)
    return [task for task in tasks if task.key not in known or not known[task.key].final]
