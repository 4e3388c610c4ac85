"""The evaluation of one design, with its tolerances or without, and every outcome turned into a record."""

from __future__ import annotations

import linecache
import math
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field, ValidationError

from errors import InputError, OutcomeError, WorkerError
from models import Evaluation, Infeasible, Model, load
from models.messages import explain
from models.model_source import OWN_MODULE
from studies.definition.expressions import read_expression
from studies.definition.links import value_at_steps
from studies.definition.robust_metrics import FEWEST, SampleOutcomes, document_metrics, robust_values
from studies.definition.tolerance_sampling import Uncertainty, read_uncertainty, samples_of
from studies.execution.evaluation_key import evaluation_key
from studies.records import EvaluationRecord, EvaluationState, FailureKind, Task

Found = Evaluation | Infeasible
Evaluate = Callable[[Mapping[str, Any]], Found]


def evaluate_with_tolerances(
    model: Model, task: Task, uncertainty: Mapping[str, Any], evaluate: Evaluate
) -> Found:
    """The nominal metrics of a design, and the statistics over its robots.

    A nominal design that is infeasible stays so, and no robot is made of it. So does one of which fewer than
    two robots work: its violation is the mean of theirs.

    Parameters
    ----------
    model : Model
    task : Task
    uncertainty : mapping
        The document of its uncertainty.
    evaluate : callable
        Gives the outcome of parameters as plain values; those that exclude each other end infeasible.
    """
    nominal = evaluate(task.parameters)
    if isinstance(nominal, Infeasible):
        return nominal
    plan = read_uncertainty(uncertainty)
    drawn = samples_of(plan)
    merged = _Merged(nominal, plan)
    for number, errors in enumerate(drawn.errors):
        try:
            made = plan.robot(model, task.parameters, errors)
            merged.add(number, evaluate(made), made)
        except OutcomeError as error:
            text = f"robot {number + 1} of {plan.samples}: {error}"
            raise OutcomeError(text, error.kind, error.counters, tuple(error.warnings)) from None
        except InputError as error:
            raise OutcomeError(str(error)) from None
    return merged.outcome(senses_of(model, plan), drawn.replicates)


def senses_of(model: Model, plan: Uncertainty) -> dict[str, str]:
    """The sense of every quantity of a plan; less of a derived one is better, unless the study says more."""
    known = {metric.name: metric.sense for metric in model.metrics}
    return {name: plan.senses.get(name) or known[name] for name in plan.metrics}


class RobotValues:
    """The quantities of one robot after another."""

    def __init__(self, plan: Uncertainty) -> None:
        self._plan = plan
        self._read = {name: read_expression(text) for name, text in plan.expressions.items()}
        self.values = {name: np.full(plan.samples, np.nan) for name in plan.metrics}
        self.works = np.zeros(plan.samples, dtype=bool)
        self.feasible = np.zeros(plan.samples, dtype=bool)

    def add(self, number: int, metrics: Mapping[str, float | None], parameters: Mapping[str, Any]) -> None:
        """Take the metrics of a robot that works, and its parameters as plain values."""
        known = self._with_derived(metrics, parameters)
        self.works[number] = True
        self.feasible[number] = all(limit.holds(known) for limit in self._plan.limits)
        for name, column in self.values.items():
            value = known[name]
            column[number] = np.nan if value is None else value

    def outcomes(self, start: int, end: int) -> SampleOutcomes:
        """Outcomes of the robots from number ``start`` to before ``end``."""
        own = {name: column[start:end] for name, column in self.values.items()}
        return SampleOutcomes(own, self.works[start:end], self.feasible[start:end])

    def _with_derived(
        self, metrics: Mapping[str, float | None], parameters: Mapping[str, Any]
    ) -> dict[str, float | None]:
        known: dict[str, float | None] = {**self._plan.variables, **metrics}

        def lookup(name: str) -> float | None:
            value = known[name] if name in known else value_at_steps(parameters, name.split("."))
            value = self._plan.absent.get(name) if value is None else value
            return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

        for name, expression in self._read.items():
            known[name] = expression.value(lookup)
        return known


class _Merged:
    """The outcomes of the robots of one design, in one."""

    def __init__(self, nominal: Evaluation, plan: Uncertainty) -> None:
        self._nominal, self._plan = nominal, plan
        self._counters = Counter(nominal.counters)
        self._warnings = dict.fromkeys(nominal.warnings)
        self._values = RobotValues(plan)
        self._refused: Counter[str] = Counter()
        self._violations: list[float] = []

    def add(self, number: int, found: Found, parameters: Mapping[str, Any]) -> None:
        self._counters.update(found.counters)
        self._warnings |= dict.fromkeys(found.warnings)
        if isinstance(found, Infeasible):
            self._refused[found.reason] += 1
            self._violations.append(found.violation)
        else:
            self._values.add(number, found.metrics, parameters)

    def outcome(self, senses: Mapping[str, str], replicates: Any) -> Found:
        counters = {**self._counters, "robots": self._plan.samples}
        warnings = tuple(self._warnings)
        refused = len(self._violations)
        if refused:
            reason = self._refused.most_common(1)[0][0]
            lost = f"{refused} of {self._plan.samples} robots made of this design do not work: {reason}"
            warnings = (lost, *warnings)
            if self._plan.samples - refused < FEWEST:
                return Infeasible(lost, math.fsum(self._violations) / refused, counters, warnings[1:])
        robust = robust_values(self._values.outcomes(0, self._plan.samples), senses, replicates)
        return Evaluation({**self._nominal.metrics, **robust}, counters, warnings)


MAX_REASON = 2_000
MAX_LINE = 200
MOST_FRAMES = 6
"""Most frames of a model's traceback, the innermost ones."""
MAX_NOTES = 100
"""Warnings and counters of one evaluation that are few; a back-end may give any number."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a task, without the task: this travels between processes."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(allow_inf_nan=False, extra="forbid")

    state: EvaluationState
    kind: FailureKind = ""
    reason: str = ""
    violation: Annotated[float, Field(ge=0)] = 0.0
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


_Judgement = tuple[
    EvaluationState, FailureKind, str, float, Mapping[str, float | None], Mapping[str, int], tuple[str, ...]
]
"""The fields of an outcome before its times."""


def failure(kind: FailureKind, reason: str, seconds: float = 0.0) -> Outcome:
    """Outcome of a task whose process was ended."""
    return Outcome("failed", kind, reason[:MAX_REASON], seconds=seconds, finished=time.time())


def believed(model: Model, task: Task, outcome: Outcome) -> Outcome:
    """An outcome that came from another process, or a failure when it cannot be one of this task."""
    names = [metric.name for metric in model.metrics_of(task.cost_class)] if outcome.state == "done" else []
    names += document_metrics(task.uncertainty) if names else []
    if set(outcome.metrics) == set(names) and (outcome.state == "failed") == bool(outcome.kind):
        return outcome
    return failure("worker_lost", "the evaluation process sent an answer that does not match the design")


def task_of(
    model: Model,
    plain: Mapping[str, Any],
    cost_class: str,
    seed: int,
    uncertainty: Mapping[str, Any] | None = None,
) -> Task:
    """The task that evaluates parameters given as plain values (``model_dump(mode="json")``).

    With an ``uncertainty`` (its document), also what production makes of them.
    """
    key = evaluation_key(model, plain, cost_class, seed, uncertainty)
    return Task(key, model.name, model.version, plain, cost_class, seed, uncertainty)


def is_source_of(model: Model, task: Task) -> bool:
    """True if a model of the user's own has the source that made a task; true of every installed one."""
    if not model.digest:
        return True
    return evaluation_key(model, task.parameters, task.cost_class, task.seed, task.uncertainty) == task.key


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
    """Evaluate a task; the model checks the results of its stages.

    Raises ``WorkerError`` when a model of the user's own says that what it would compute is no result of it.
    """
    start = time.perf_counter()
    try:
        judged = _judgement(_evaluated(model, task))
    except OutcomeError as error:
        notes = _notes(error.counters, error.warnings)
        judged = ("failed", error.kind, _text(str(error)), 0.0, {}, *notes)
    except MemoryError as error:
        judged = _failed("out_of_memory", _text(f"out of memory: {error}"))
    except (Exception, SystemExit) as error:
        if isinstance(error, WorkerError) and model.digest:
            raise
        judged = _failed("model_error", _text(_raised(error, model)))
    return Outcome(*judged, time.perf_counter() - start, time.time())


def _raised(error: BaseException, model: Model) -> str:
    """The error that a model raised, and its lines below it: frames of the model's own package alone.

    Files are named from the package on, so that no folder of this machine is stored or shown.
    """
    package = model.parameters.__module__.partition(".")[0]
    frames = [
        (frame.f_globals["__name__"], code.co_filename, line, code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
        for code in (frame.f_code,)
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package
    ]
    own = package.startswith(OWN_MODULE)
    lines = [
        f"  {Path(file).name if own else name.replace('.', '/') + '.py'}, line {line}, in {function}: "
        f"{linecache.getline(file, line).strip()}"
        for name, file, line, function in frames[-MOST_FRAMES:]
    ]
    text = f"{type(error).__name__}: {error}"[: MAX_REASON - (MAX_LINE + 1) * len(lines)]
    return "\n".join([text, *(line[:MAX_LINE] for line in lines)])


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


def _evaluated(model: Model, task: Task) -> Evaluation | Infeasible:
    def nominal(plain: Mapping[str, Any]) -> Evaluation | Infeasible:
        try:
            parameters = model.parameters.model_validate(plain)
        except ValidationError as error:
            return Infeasible(f"these values exclude each other: {explain(error, (), model.parameters)}", 1.0)
        return model.evaluate(parameters, task.cost_class, task.seed)

    if task.uncertainty is None:
        return nominal(task.parameters)
    return evaluate_with_tolerances(model, task, task.uncertainty, nominal)


def _judgement(found: Evaluation | Infeasible) -> _Judgement:
    notes = _notes(found.counters, found.warnings)
    if isinstance(found, Infeasible):
        return "infeasible", "", _text(found.reason), found.violation, {}, *notes
    return "done", "", "", 0.0, found.metrics, *notes


def _notes(
    counters: Mapping[str, int], warnings: tuple[str, ...]
) -> tuple[Mapping[str, int], tuple[str, ...]]:
    """Counters and warnings of a back-end, cut to number and size."""
    counts = {_text(name): count for name, count in islice(counters.items(), MAX_NOTES)}
    return counts, tuple([_text(text) for text in islice(warnings, MAX_NOTES)])


def _text(said: object) -> str:
    """Text of a back-end, cut to size and without bytes that are no character of a text."""
    return str(said)[:MAX_REASON].encode("utf-8", "replace").decode()


def _failed(kind: FailureKind, reason: str) -> _Judgement:
    return "failed", kind, reason, 0.0, {}, {}, ()
