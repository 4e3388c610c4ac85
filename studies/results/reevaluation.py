"""The front of a stored study, evaluated again under the installed version of its back-end.

A new version makes new keys, so the designs are evaluated under them and stored beside the old ones; nothing
of the study changes. The old evaluation leads to the new one by its parameters, and the same command again
finds everything in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from models import Model
from studies.execution import Executor
from studies.execution.evaluation import one_blas_thread
from studies.problem.problem import Problem
from studies.records import FAILED, EvaluationRecord, FloatArray, Task
from studies.results.fronts import joint_fronts
from studies.run.launch import check, stored_definition
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
    """Tasks of the joint fronts of a study under the installed version, beside the stored evaluations.

    ``places`` are the pairs of layout and key on the fronts; ``tasks`` has the task of each,
    ``points`` its point ``(d,)`` of the unit cube.
    """

    problems: Mapping[str, Problem]
    places: tuple[tuple[str, str], ...]
    stored: Mapping[str, EvaluationRecord]
    tasks: Mapping[tuple[str, str], Task]
    points: Mapping[tuple[str, str], FloatArray]

    @property
    def wanted(self) -> list[Task]:
        """Every task once."""
        return list({task.key: task for task in self.tasks.values()}.values())

    @property
    def model(self) -> Model:
        """The installed back-end."""
        return next(iter(self.problems.values())).model

    def missing(self, store: Store) -> list[Task]:
        """Tasks that are not stored yet, or might end otherwise the next time."""
        known = store.known(self.wanted)
        return [task for task in self.wanted if task.key not in known or not known[task.key].final]

    def compared(self, found: Mapping[str, EvaluationRecord]) -> list[Reevaluated]:
        """The designs as stored beside the evaluations ``found``, which has every task's by its key."""
        rows: list[Reevaluated] = []
        for layout in dict.fromkeys(layout for layout, _ in self.places):
            own = [
                (self.stored[key], found[self.tasks[layout, key].key])
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
    problems = check(stored_definition(study))
    fronts = joint_fronts(store, study)
    places = tuple((front.layout, key) for front in fronts for key in front.keys)
    points = {
        (front.layout, key): point
        for front in fronts
        for key, point in zip(front.keys, front.points, strict=True)
    }
    stored = store.evaluations([key for _, key in places])
    tasks = {place: _task(problems[place[0]], stored[place[1]], points[place]) for place in places}
    return FrontTasks(problems, places, stored, tasks, points)


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
    front = front_tasks(store, name)
    missing = front.missing(store)
    if missing:
        one_blas_thread()
        problem = next(iter(front.problems.values()))
        problem.model.prepare(problem.cost_class)
        limits = stored_definition(store.study(name)).evaluation.limits
        with open_executor() as executor:
            executor.evaluate(missing, store.add_results, should_stop, limits)
    return front.compared(store.known(front.wanted))


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
