"""One design: its key, and its evaluation with every outcome turned into a record."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from numbers import Real
from typing import Any

from pydantic import ValidationError

from models import Evaluation, Infeasible, Model, load
from models.errors import WorkerError
from models.explain import explain
from studies.records import EvaluationRecord, EvaluationState, FailureKind, Task

MAX_REASON = 2_000
MAX_NOTES = 100
"""Warnings and counters of one evaluation that are kept; a back-end may give any number."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task, without the task: this travels between processes."""

    state: EvaluationState
    kind: FailureKind = ""
    reason: str = ""
    violation: float = 0.0
    metrics: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    finished: float = 0.0

    def record(self, task: Task, worker: str) -> EvaluationRecord:
        """The record of ``task``; ``worker`` is the name of the process that evaluated it."""
        return EvaluationRecord(
            task, self.state, self.kind, self.reason, self.violation, self.metrics, self.counters,
            self.warnings, self.seconds, worker, self.finished,
        )  # fmt: skip


def failure(kind: FailureKind, reason: str, seconds: float = 0.0) -> Outcome:
    """What became of a task whose process was ended."""
    return Outcome("failed", kind, reason[:MAX_REASON], seconds=seconds, finished=time.time())


def task_of(model: Model, plain: Mapping[str, Any], cost_class: str, seed: int) -> Task:
    """The task that evaluates parameters given as plain values (``model_dump(mode="json")``)."""
    return Task(
        evaluation_key(model, plain, cost_class, seed), model.name, model.version, plain, cost_class, seed
    )


def evaluation_key(model: Model, parameters: Mapping[str, Any], cost_class: str, seed: int) -> str:
    """sha256 of everything that decides the result, with floats written exactly."""
    identity = [model.name, model.version, _exact(parameters), cost_class, seed]
    return hashlib.sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _exact(value: Any) -> Any:
    """``value`` with floats as hex text, so that no rounding of decimals can join two designs."""
    if isinstance(value, float):
        return (value + 0.0).hex()  # -0.0 + 0.0 is 0.0
    if isinstance(value, Mapping):
        return {str(name): _exact(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    return value


@cache
def one_blas_thread() -> object:
    """Limit BLAS for the life of this process: results do not depend on how many cores there are."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1)


def evaluate_task(task: Task, worker: str) -> EvaluationRecord:
    """Evaluate one task here; whatever the back-end does, a record comes back.

    Raises ``WorkerError`` when this process cannot evaluate the task at all, which says nothing
    about the design.
    """
    return outcome_of(fitting_model(task), task).record(task, worker)


def outcome_of(model: Model, task: Task) -> Outcome:
    """What became of a task: everything that the contract promises was checked."""
    start = time.perf_counter()
    try:
        judged = _judge(model, task.cost_class, _evaluated(model, task))
    except MemoryError as error:
        judged = Outcome("failed", "out_of_memory", f"out of memory: {error}"[:MAX_REASON])
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a back-end may raise anything; the study goes on
        judged = Outcome("failed", "model_error", f"{type(error).__name__}: {error}"[:MAX_REASON])
    return replace(judged, seconds=time.perf_counter() - start, finished=time.time())


def fitting_model(task: Task) -> Model:
    """The installed back-end that a task is meant for; raises ``WorkerError`` when it is another one."""
    try:
        model = load(task.model)
    except Exception as error:
        raise WorkerError(f"{task.model} cannot be loaded on this worker: {error}") from error
    if model.version != task.model_version:
        raise WorkerError(
            f"this worker has version {model.version} of {task.model}, the study uses {task.model_version}; "
            "install the same Tautline everywhere"
        )
    return model


def _evaluated(model: Model, task: Task) -> Any:
    try:
        parameters = model.parameters.model_validate(task.parameters)
    except ValidationError as error:
        return Infeasible(f"these values exclude each other: {explain(error, '', model.parameters)}", 1.0)
    return model.evaluate(parameters, task.cost_class, task.seed)


def _judge(model: Model, cost_class: str, outcome: Any) -> Outcome:
    if not isinstance(outcome, Evaluation | Infeasible):
        return Outcome("failed", "model_error", f"the back-end returned a {type(outcome).__name__}")
    counters = {str(name)[:MAX_REASON]: int(n) for name, n in islice(outcome.counters.items(), MAX_NOTES)}
    warnings = tuple(str(text)[:MAX_REASON] for text in islice(outcome.warnings, MAX_NOTES))
    if isinstance(outcome, Infeasible):
        if not (math.isfinite(outcome.violation) and outcome.violation >= 0):
            return Outcome("failed", "non_finite", f"the back-end gave the violation {outcome.violation}")
        violation = float(outcome.violation)
        return Outcome("infeasible", "", str(outcome.reason)[:MAX_REASON], violation, {}, counters, warnings)
    kind, reason = _fault(model, cost_class, outcome.metrics)
    if kind:
        return Outcome("failed", kind, reason, 0.0, {}, counters, warnings)
    values = {metric.name: outcome.metrics[metric.name] for metric in model.metrics_of(cost_class)}
    metrics = {name: None if value is None else float(value) for name, value in values.items()}
    return Outcome("done", "", "", 0.0, metrics, counters, warnings)


def _fault(model: Model, cost_class: str, metrics: Mapping[str, float | None]) -> tuple[FailureKind, str]:
    """What is wrong with the metrics; nothing when each of the class is there and finite."""
    for metric in model.metrics_of(cost_class):
        if metric.name not in metrics:
            return "model_error", f"the back-end left out the metric '{metric.name}'"
        value = metrics[metric.name]
        if value is None and metric.absent is None:
            return "model_error", f"the back-end gave no value for '{metric.name}'"
        if value is not None and not isinstance(value, Real):
            shape = getattr(value, "shape", None)
            what = type(value).__name__ if shape is None else f"an array of shape {shape}"
            return "model_error", f"the back-end gave {metric.name} as {what}, not as one number"
        if value is not None and not math.isfinite(value):
            return "non_finite", f"the back-end gave {metric.name} = {value}"
    return "", ""
