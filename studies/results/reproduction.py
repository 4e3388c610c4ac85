"""Evaluates a stored design again and compares every bit of the outcome."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from errors import InputError
from models import load
from studies.execution.evaluation import evaluate_task, is_source_of, one_blas_thread
from studies.records import EvaluationRecord, Task
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A stored evaluation, the same done again, and the names of what differs in any bit."""

    stored: EvaluationRecord
    again: EvaluationRecord
    differences: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """True if nothing differs."""
        return not self.differences


def reproduce(store: Store, key: str) -> Reproduction:
    """Evaluate the stored design with ``key`` (or the only one that starts with it) in this process.

    Raises ``InputError`` for a key that is unknown or ambiguous, and see :func:`evaluate_again`.
    """
    return evaluate_again(store.find_evaluation(key), _evaluate_here)


def _evaluate_here(task: Task) -> EvaluationRecord:
    one_blas_thread()
    load(task.model).prepare(task.cost_class)
    return evaluate_task(task, "here")


def evaluate_again(stored: EvaluationRecord, evaluate: Callable[[Task], EvaluationRecord]) -> Reproduction:
    """Evaluate a stored design by ``evaluate`` and compare.

    Raises ``InputError`` when the model here has another version than the one that evaluated the
    design, and for a design that was ended from outside: it could harm the process that evaluates.
    """
    if not stored.final:
        raise InputError(
            f"has no result that could be reproduced: its evaluation ended as {stored.kind}. A run evaluates "
            "such a design again, within the limits of its study",
            ("key",),
        )
    model = load(stored.task.model)
    if model.version != stored.task.model_version:
        raise InputError(
            f"was evaluated by version {stored.task.model_version} of {model.name}; version {model.version} "
            "is installed and computes other results: install the version that evaluated it",
            ("key",),
        )
    if not is_source_of(model, stored.task):
        raise InputError(
            f"was evaluated by another source of {model.name} than the one that is given; give the file as "
            "it was",
            ("key",),
        )
    again = evaluate(stored.task)
    return Reproduction(stored, again, tuple(_differences(stored, again)))


def _differences(stored: EvaluationRecord, again: EvaluationRecord) -> list[str]:
    names = ["state", "kind", "reason"]
    found = [name for name in names if getattr(stored, name) != getattr(again, name)]
    if _bits(stored.violation) != _bits(again.violation):
        found.append("violation")
    metrics = [*stored.metrics, *(name for name in again.metrics if name not in stored.metrics)]
    return [
        *found,
        *(name for name in metrics if _bits(stored.metrics.get(name)) != _bits(again.metrics.get(name))),
    ]


def _bits(value: float | None) -> bytes:
    return b"" if value is None else struct.pack("<d", value)
