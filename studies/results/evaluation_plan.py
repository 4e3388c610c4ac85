"""Evaluations that belong to no search: planned, found in the store or computed, and read together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import Generic, Protocol, TypeVar

from errors import StateError
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


class LazyPlan(ABC, Generic[R]):
    """A plan that makes its tasks as they are needed, in the same order each time, and keeps none.

    A task takes about 12 kB. Tasks that are equal are evaluated once, and counted as often as they come.
    """

    @property
    @abstractmethod
    def wanted(self) -> int:
        """Number of tasks."""

    @abstractmethod
    def tasks(self) -> Iterator[Task]:
        """Tasks, made one by one."""

    @abstractmethod
    def result(self, found: Iterator[EvaluationRecord]) -> R:
        """The answer of the evaluations ``found``, that of each task in their order."""

    def batches(self) -> Iterator[list[Task]]:
        """Tasks, some at a time."""
        tasks = self.tasks()
        while batch := list(islice(tasks, BATCH)):
            yield batch

    def answer(self, store: Store) -> R:
        """The answer of the stored evaluations; raises ``StateError`` where one is missing."""
        found = self.answer_if_stored(store)
        if found is None:
            raise StateError("an evaluation of the answer is no longer stored; ask again, and it is computed")
        return found

    def answer_if_stored(self, store: Store) -> R | None:
        """The answer of the stored evaluations; None where one is missing, or worth another try."""
        try:
            return self.result(self._evaluations(store))
        except _MissingError:
            return None

    def _evaluations(self, store: Store) -> Iterator[EvaluationRecord]:
        for tasks in self.batches():
            found = store.known(tasks)
            for task in tasks:
                if task.key not in found or not found[task.key].final:
                    raise _MissingError
                yield found[task.key]


class _MissingError(Exception):
    """Ends the reading of an answer at the first evaluation that is not stored."""


def count_missing(plan: Batched, store: Store) -> int:
    """Number of tasks that are not stored yet, or might end otherwise the next time."""
    return sum(len(missing_of(tasks, store)) for tasks in plan.batches())


def has_missing(plan: Batched, store: Store) -> bool:
    """True if a task is not stored yet, or might end otherwise the next time."""
    return any(missing_of(tasks, store) for tasks in plan.batches())


def missing_of(tasks: list[Task], store: Store) -> list[Task]:
    """Tasks that are not stored yet, or might end otherwise the next time."""
    known = store.known(tasks)
    return [task for task in tasks if task.key not in known or not known[task.key].final]
