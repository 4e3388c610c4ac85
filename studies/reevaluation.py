"""The front of a stored study, evaluated again under the installed version of its back-end.

A new version makes new keys, so the designs are evaluated under them and stored beside the old ones; nothing
of the study changes. The old evaluation leads to the new one by its parameters, and the same command again
finds everything in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import ValidationError

from studies.execution import Executor
from studies.execution.evaluation import one_blas_thread, task_of
from studies.fronts import joint_fronts
from studies.indicators import nondominated
from studies.launch import check, stored_definition
from studies.problem import Problem
from studies.records import EvaluationRecord, Task
from studies.store import Store

Outcome = Literal["stays", "dominated", "constraint broken", "infeasible", "failed"]


@dataclass(frozen=True, slots=True)
class Reevaluated:
    """A design of a layout's front as stored and as evaluated now, and what became of its place.

    ``stays``: no other design of the front, all evaluated now, is better; ``dominated``: one is.
    """

    layout: str
    stored: EvaluationRecord
    again: EvaluationRecord
    outcome: Outcome


def reevaluate_front(
    store: Store,
    name: str,
    open_executor: Callable[[], AbstractContextManager[Executor]],
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Reevaluated]:
    """Evaluate the joint front of each layout under the installed version, and store the evaluations.

    What is stored already is not computed again. Raises ``InputError`` when the installed version refuses
    the study, and ``Interrupted`` when ``should_stop()`` becomes true; results until then are stored.
    """
    study = store.study(name)
    definition = stored_definition(study)
    problems = check(definition)
    places = [(front.layout, key) for front in joint_fronts(store, study) for key in front.keys]
    stored = store.evaluations([key for _, key in places])
    tasks = {place: _task(problems[place[0]], stored[place[1]]) for place in places}
    wanted = list({task.key: task for task in tasks.values()}.values())
    missing = [task for task in wanted if not _final(store, task)]
    if missing:
        one_blas_thread()
        problem = next(iter(problems.values()))
        problem.model.prepare(problem.cost_class)
        with open_executor() as executor:
            executor.evaluate(missing, store.add_results, should_stop, definition.evaluation.limits)
    found = store.known(wanted)
    rows: list[Reevaluated] = []
    for layout in dict.fromkeys(layout for layout, _ in places):
        own = [(stored[key], found[tasks[layout, key].key]) for of, key in places if of == layout]
        outcomes = _outcomes(problems[layout], [again for _, again in own])
        rows += [Reevaluated(layout, *pair, outcome) for pair, outcome in zip(own, outcomes, strict=True)]
    return rows


def _final(store: Store, task: Task) -> bool:
    found = store.known([task]).get(task.key)
    return found is not None and found.final


def _task(problem: Problem, stored: EvaluationRecord) -> Task:
    """The same design for the installed version; parameters that it refuses end infeasible."""
    plain = dict(stored.task.parameters)
    with suppress(ValidationError):
        plain = problem.model.parameters.model_validate(plain).model_dump(mode="json")
    return task_of(problem.model, plain, problem.cost_class, problem.evaluation_seed)


def _outcomes(problem: Problem, again: Sequence[EvaluationRecord]) -> list[Outcome]:
    """What became of each design of one front."""
    states: list[Outcome] = [
        "stays"
        if record.state == "done" and problem.violation(record.metrics) == 0.0
        else "constraint broken" if record.state == "done" else record.state
        for record in again
    ]  # fmt: skip
    rows = [row for row, state in enumerate(states) if state == "stays"]
    if rows:
        keep = nondominated(np.array([problem.minimised(again[row].metrics) for row in rows]))
        for row, kept in zip(rows, keep.tolist(), strict=True):
            states[row] = "stays" if kept else "dominated"
    return states
