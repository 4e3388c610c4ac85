"""Stored designs evaluated again: one bit for bit, one with other values, or a front under another version.

A new version makes new keys, so the designs are evaluated under them and stored beside the old ones; nothing
of the study changes. The old evaluation leads to the new one by its parameters, and the same command again
finds everything in the store.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from errors import InputError
from models import Model, load
from studies.definition.link_tables import record_of
from studies.definition.links import value_at_steps
from studies.definition.space import RealVariable, Variable
from studies.definition.stored_model import definition_of
from studies.execution.evaluation import evaluate_task, is_source_of, one_blas_thread
from studies.problem.layout import stated_layouts
from studies.problem.problem import Problem, check, stored_definition
from studies.records import FAILED, EvaluationRecord, FloatArray, Limits, StudyRecord, Task
from studies.results.evaluation_plan import BATCH
from studies.results.fronts import joint_fronts
from studies.search.dominance import nondominated
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Variation:
    """``point`` (d,) of the unit cube, and the settings by dotted path that it stands for."""

    point: FloatArray
    settings: dict[str, Any]


def vary(study: StudyRecord, layout: str, point: FloatArray, values: Mapping[str, Any]) -> Variation:
    """The design at ``point`` (d,) of a layout's unit cube with ``values`` of some variables, in SI.

    Parameters that follow from variables follow, and those of variables that do not act have their fixed
    values. Raises ``InputError`` for a name that the layout does not vary, a value outside its range, and a
    variable that does not act in the design.
    """
    stated = stated_layouts(definition_of(study))[layout]
    space = stated.space
    if len(space) != len(point):
        raise InputError("the installed back-end does not know all variables of this study", ("variables",))
    known = {variable.path: place for place, variable in enumerate(space.variables)}
    moved = np.array(point, dtype=float)
    for path, value in values.items():
        if path not in known:
            roots = sorted(space.links.roots(list(known)).get(path, ()))
            why = (
                f"'{path}' follows from {' and '.join(roots)}; change that instead"
                if roots
                else f"layout '{layout}' does not vary '{path}'; it varies {', '.join(known)}"
            )
            raise InputError(why, ("variables", path))
        moved[known[path]] = _encoded(space.variables[known[path]], value)
    idle = space.idle(moved)
    for path in values:
        if path in idle:
            raise InputError(f"'{path}' does not act in this design, by its condition", ("variables", path))
    base = record_of(stated.model, stated.preset, stated.settings) if idle else None
    fixed = {path: value_at_steps(base, path.split(".")) for path in idle}
    return Variation(moved, {**fixed, **space.decode(moved)})


def _encoded(variable: Variable, value: Any) -> float:
    place = ("variables", variable.path)
    if isinstance(variable, RealVariable):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"a number in SI is needed, not {value!r}", place)
        if not variable.lower <= value <= variable.upper:
            raise InputError(
                f"{value:g} is outside the range from {variable.lower:g} to {variable.upper:g} "
                f"{variable.unit}".rstrip(),
                place,
            )
        return variable.encode(float(value))
    try:
        return variable.encode(value)
    except ValueError:
        allowed = ", ".join(str(one) for one in variable.values[:20])
        raise InputError(f"{value!r} is none of the options: {allowed}", place) from None


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
    if stored.imported:
        raise InputError(f"is {stored.worker}, and not evaluated here: nothing can be reproduced", ("key",))
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
    foreign = definition.imported.metrics if definition.imported is not None else {}
    missing = [name for name in (*definition.objectives, *definition.constraints) if name in foreign]
    if missing:
        raise InputError(
            f"{definition.model} does not compute {', '.join(missing)}, which study '{name}' has from "
            f"{study.source}; begin a study with its designs instead"
        )
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
