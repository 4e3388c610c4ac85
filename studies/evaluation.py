"""One design: its key, and its evaluation with every outcome turned into a record."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from models import Evaluation, Infeasible, Model, load
from models.explain import explain
from studies.records import EvaluationRecord, EvaluationState, FailureKind, Task

MAX_REASON = 2_000


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


def evaluate_chunk(tasks: Sequence[Task], worker: str) -> list[EvaluationRecord]:
    """Evaluate tasks one after the other; runs on Dask workers and in the driver alike."""
    one_blas_thread()
    return [evaluate_task(task, worker) for task in tasks]


@cache
def one_blas_thread() -> object:
    """Limit BLAS for the life of this process: results do not depend on how many cores there are."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1)


def evaluate_task(task: Task, worker: str) -> EvaluationRecord:
    """Evaluate one task; whatever the back-end does, a record comes back."""
    start = time.perf_counter()
    try:
        outcome = _outcome(task)
        state, kind, reason, violation = _verdict(load(task.model), task.cost_class, outcome)
    except Exception as error:  # noqa: BLE001 - a back-end may raise anything; the study goes on
        outcome = None
        state, kind, reason, violation = "failed", "model_error", f"{type(error).__name__}: {error}", 0.0
    seconds = time.perf_counter() - start
    metrics = outcome.metrics if isinstance(outcome, Evaluation) and state == "done" else {}
    return EvaluationRecord(
        task, state, kind, reason[:MAX_REASON], violation, dict(metrics),
        dict(outcome.counters) if outcome else {}, tuple(outcome.warnings) if outcome else (),
        seconds, worker, time.time(),
    )  # fmt: skip


def _outcome(task: Task) -> Any:
    model = load(task.model)
    if model.version != task.model_version:
        raise RuntimeError(
            f"this worker has version {model.version} of {task.model}, the study uses {task.model_version}"
        )
    try:
        parameters = model.parameters.model_validate(task.parameters)
    except ValidationError as error:
        return Infeasible(f"these values exclude each other: {explain(error, '', model.parameters)}", 1.0)
    return model.evaluate(parameters, task.cost_class, task.seed)


def _verdict(model: Model, cost_class: str, outcome: Any) -> tuple[EvaluationState, FailureKind, str, float]:
    """State, kind of failure, reason and violation; checks what the contract promises."""
    if isinstance(outcome, Infeasible):
        if not (math.isfinite(outcome.violation) and outcome.violation >= 0):
            return "failed", "non_finite", f"the back-end gave the violation {outcome.violation}", 0.0
        return "infeasible", "", outcome.reason, float(outcome.violation)
    if not isinstance(outcome, Evaluation):
        return "failed", "model_error", f"the back-end returned a {type(outcome).__name__}", 0.0
    kind, reason = _fault(model, cost_class, outcome.metrics)
    return ("failed", kind, reason, 0.0) if kind else ("done", "", "", 0.0)


def _fault(model: Model, cost_class: str, metrics: Mapping[str, float | None]) -> tuple[FailureKind, str]:
    """What is wrong with the metrics; nothing when each of the class is there and finite."""
    for metric in model.metrics_of(cost_class):
        if metric.name not in metrics:
            return "model_error", f"the back-end left out the metric '{metric.name}'"
        value = metrics[metric.name]
        if value is None and metric.absent is None:
            return "model_error", f"the back-end gave no value for '{metric.name}'"
        if value is not None and not math.isfinite(value):
            return "non_finite", f"the back-end gave {metric.name} = {value}"
    return "", ""


def lost(task: Task, reason: str) -> EvaluationRecord:
    """The record of a task whose worker died."""
    return EvaluationRecord(
        task, "failed", "worker_lost", reason[:MAX_REASON], 0.0, {}, {}, (), 0.0, "", time.time()
    )  # fmt: skip
