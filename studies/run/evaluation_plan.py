"""Evaluations that belong to no run: planned, found in the store or computed, and read together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from studies.execution import Executor
from studies.execution.evaluation import one_blas_thread
from studies.records import EvaluationRecord, Task
from studies.store import Store

R_co = TypeVar("R_co", covariant=True)
MOST_EVALUATIONS = 200_000


class EvaluationPlan(Protocol[R_co]):
    """Tasks of a question about a design or a study, and the answer that follows from them."""

    @property
    def tasks(self) -> list[Task]:
        """Every task once."""
        ...

    def prepare(self) -> None:
        """Load the kernels."""
        ...

    def result(self, found: Mapping[str, EvaluationRecord]) -> R_co:
        """Answer from the evaluations ``found``, which have every task's by its key."""
        ...


def missing_tasks(plan: EvaluationPlan[object], store: Store) -> list[Task]:
    """Tasks that are not stored yet, or might end otherwise the next time."""
    known = store.known(plan.tasks)
    return [task for task in plan.tasks if task.key not in known or not known[task.key].final]


def evaluate_plan(
    plan: EvaluationPlan[R_co],
    store: Store,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    should_stop: Callable[[], bool] = lambda: False,
) -> R_co:
    """Evaluate what is not stored, store it, and give the answer.

    Raises ``Interrupted`` when ``should_stop()`` becomes true; results until then are stored.
    """
    missing = missing_tasks(plan, store)
    if missing:
        one_blas_thread()
        plan.prepare()
        with open_executor() as executor:
            executor.evaluate(missing, store.add_results, should_stop)
    return plan.result(store.known(plan.tasks))
