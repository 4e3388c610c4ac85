"""The front of a stored study, evaluated again under the installed version of its back-end.

A new version makes new keys, so the designs are evaluated under them and stored beside the old ones; nothing
of the study changes. The old evaluation leads to the new one by its parameters, and the same command again
finds everything in the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models import Model
from studies.problem.problem import Problem, check, stored_definition
from studies.records import FAILED, EvaluationRecord, FloatArray, Limits, Task
from studies.results.evaluation_plan import BATCH
from studies.results.fronts import joint_fronts
from studies.search.dominance import nondominated
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


@dataclass(frozen=True, slots=True)
class FrontTasks:
    """Tasks that evaluate the joint fronts of a study under the installed version (:class:`EvaluationPlan`).

    ``places`` are the pairs of layout and key on the fronts; ``task_of`` has the task of each,
    ``points`` its point ``(d,)`` of the unit cube.
    """

    problems: Mapping[str, Problem]
    places: tuple[tuple[str, str], ...]
    stored: Mapping[str, EvaluationRecord]
    limits: Limits
    task_of: Mapping[tuple[str, str], Task]
    points: Mapping[tuple[str, str], FloatArray]

    @property
    def tasks(self) -> list[Task]:
        """Every task once."""
        return list({task.key: task for task in self.task_of.values()}.values())

    @property
    def wanted(self) -> int:
        """Number of tasks."""
        return len(self.tasks)

    def batches(self) -> Iterator[list[Task]]:
        """Tasks, some at a time."""
        tasks = self.tasks
        return (tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH))

    def answer(self, store: Store) -> list[Reevaluated]:
        """The designs as stored beside their evaluations now, which are stored."""
        return self.result(store.known(self.tasks))

    @property
    def model(self) -> Model:
        """The installed back-end."""
        return next(iter(self.problems.values())).model

    def prepare(self) -> None:
        """Load the kernels."""
        problem = next(iter(self.problems.values()))
        problem.model.prepare(problem.cost_class)

    def result(self, found: Mapping[str, EvaluationRecord]) -> list[Reevaluated]:
        """The designs as stored beside the evaluations ``found``, which has every task's by its key."""
        rows: list[Reevaluated] = []
        for layout in dict.fromkeys(layout for layout, _ in self.places):
            own = [
                (self.stored[key], found[self.task_of[layout, key].key])
                for of, key in self.places
                if of == layout
            ]
            points = [self.points[layout, key] for of, key in self.places if of == layout]
            outcomes = _outcomes(self.problems[layout], [again for _, again in own], points)
            problem = self.problems[layout]
            rows += [
                Reevaluated(
                    layout,
                    _with_derived(problem, stored, point),
                    _with_derived(problem, again, point),
                    outcome,
                )
                for (stored, again), outcome, point in zip(own, outcomes, points, strict=True)
            ]
        return rows


def front_tasks(store: Store, name: str) -> FrontTasks:
    """Tasks of the joint front of each layout of a study under the installed version.

    Raises ``InputError`` when the installed version refuses the study.
    """
    study = store.study(name)
    definition = stored_definition(study)
    problems = check(definition)
    fronts = joint_fronts(store, study)
    places = tuple((front.layout, key) for front in fronts for key in front.keys)
    points = {
        (front.layout, key): point
        for front in fronts
        for key, point in zip(front.keys, front.points, strict=True)
    }
    stored = store.evaluations([key for _, key in places])
    tasks = {place: _task(problems[place[0]], stored[place[1]], points[place]) for place in places}
    return FrontTasks(problems, places, stored, definition.evaluation.limits, tasks, points)


def _task(problem: Problem, stored: EvaluationRecord, point: FloatArray) -> Task:
    """The same design for the installed version; parameters that it refuses end infeasible."""
    return problem.task(stored.task.parameters, problem.space.named_values(point))


def _with_derived(problem: Problem, record: EvaluationRecord, point: FloatArray) -> EvaluationRecord:
    """An evaluation whose metrics have the study's derived quantities among them."""
    if not (record.metrics and problem.derived.expressions):
        return record
    variables, parameters = problem.space.named_values(point), record.task.parameters
    derived = problem.derived.values(record.metrics, parameters, variables)
    goals = problem.goal_metrics(record.metrics, parameters, point)
    return replace(record, metrics={**record.metrics, **derived, **goals})


def _outcomes(
    problem: Problem, again: Sequence[EvaluationRecord], points: Sequence[FloatArray]
) -> list[Outcome]:
    """Outcomes of the designs of one front."""
    judged = [problem.judge(record, point) for record, point in zip(again, points, strict=True)]
    states: list[Outcome] = [
        "stays" if one.violation == 0.0
        else "failed" if one.violation >= FAILED
        else "constraint broken" if record.state == "done" else record.state
        for record, one in zip(again, judged, strict=True)
    ]  # fmt: skip
    rows = [row for row, state in enumerate(states) if state == "stays"]
    if rows:
        keep = nondominated(np.array([judged[row].objectives for row in rows]))
        for row, kept in zip(rows, keep.tolist(), strict=True):
            states[row] = "stays" if kept else "dominated"
    return states
