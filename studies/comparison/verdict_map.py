"""Winning layouts under each condition of a sweep, criterion by criterion, with tests of the seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from models import Model
from models.fields import unit_at
from models.parameter_names import parameter_words
from studies.comparison.comparison import (
    HYPERVOLUME,
    Criterion,
    compare_studies,
    criterion_of,
    objective_criteria,
)
from studies.comparison.entries import Goal, goals_of
from studies.comparison.seed_tests import ALPHA, Values, leaders
from studies.definition.derived_quantities import study_model
from studies.problem.problem import Problem, reference_point, stored_definition
from studies.records import EvaluationRecord, StudyRecord, SweepMode, SweepRecord
from studies.search.dominance import nondominated
from studies.search.indicators import FloatArray, beyond_worst, hypervolume, median
from studies.store import Store
from studies.uncertainty.sweep import GridPoint, SweepPlan, SweptLayout, grid_points, is_searched, read_plan

if TYPE_CHECKING:
    import pandas as pd

FEASIBLE_SHARE = "feasible share"

Outcome = Literal["shown", "not shown", "one seed", "even", "infeasible", "alone"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One criterion under one condition.

    Attributes
    ----------
    criterion : str
        Its name, as in the comparison of layouts.
    values : mapping of str to float or None
        By layout; None where a layout has no feasible design.
    winner : str
        The layout with the best value; empty where the best are even, and where none is feasible.
    margin : float or None
        Its lead over the next one, relative to that one's value; None as for a comparison.
    outcome : str
        ``shown``: the seeds show that the winner is better; ``not shown``: they do not, no difference is
        shown; ``one seed``: a layout has a single seed, so that nothing can be tested; ``even``: the best
        values do not differ, or by no more than their numerical error; ``infeasible``: no layout has a
        feasible design; ``alone``: the study has one layout.
    p_value : float or None
        The greatest one of the winner against each other layout, corrected for all criteria of the condition.
    """

    criterion: str
    values: Mapping[str, float | None]
    winner: str
    margin: float | None
    outcome: Outcome
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class ConditionVerdicts:
    """All verdicts under one condition; none before it is ``complete``.

    ``failed`` designs could not be evaluated; ``study`` is the one that searched, empty for stored fronts.
    """

    condition: GridPoint
    complete: bool
    verdicts: tuple[Verdict, ...] = ()
    failed: int = 0
    study: str = ""


@dataclass(frozen=True, slots=True)
class SweptParameter:
    """A parameter of the grid, its name in words, its unit (empty for an option), its values in SI."""

    path: str
    label: str
    unit: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class MapCriterion:
    """A criterion of the map: a name, a unit, the better end, and its meaning.

    ``labels`` are headings for objectives whose names are symbols.
    """

    name: str
    unit: str
    better: str
    meaning: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class VerdictMap:
    """Winners under each condition. ``seeds`` is the number of seeds of each layout."""

    study: str
    mode: SweepMode
    parameters: tuple[SweptParameter, ...]
    layouts: tuple[str, ...]
    seeds: int
    criteria: tuple[MapCriterion, ...]
    conditions: tuple[ConditionVerdicts, ...]

    @property
    def complete(self) -> bool:
        """True if every condition is."""
        return all(each.complete for each in self.conditions)

    def of(self, criterion: str) -> list[tuple[GridPoint, Verdict]]:
        """The verdicts of one criterion under the conditions that are complete, in order."""
        return [
            (each.condition, verdict)
            for each in self.conditions
            for verdict in each.verdicts
            if verdict.criterion == criterion
        ]

    def table(self) -> pd.DataFrame:
        """A row per condition and criterion: the condition, the value of each layout, winner, outcome."""
        import pandas as pd  # costs a quarter of a second, and only tables need it

        return pd.DataFrame(
            [
                {
                    **each.condition.values, "criterion": verdict.criterion, **verdict.values,
                    "winner": verdict.winner, "margin": verdict.margin, "outcome": verdict.outcome,
                    "p_value": verdict.p_value,
                }
                for each in self.conditions
                for verdict in each.verdicts
            ]
        )  # fmt: skip

    def __repr__(self) -> str:
        done = sum(each.complete for each in self.conditions)
        title = f"VerdictMap of {self.study}: {done} of {len(self.conditions)} conditions"
        return f"{title}\n{self.table().to_string(index=False)}"

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        return self.table().to_html(index=False)


@dataclass(frozen=True, slots=True)
class LayoutFront:
    """The front of one layout under one condition.

    ``joint`` ``(n, m)`` are the minimised objectives of the front over all seeds, ``errors`` the numerical
    error ``(n,)`` of each objective whose model states one, ``seeds`` the front of each seed. ``kept`` is the
    share of the stored front that is feasible, ``seeds_kept`` that of each seed; None after a search.
    """

    joint: FloatArray
    errors: Mapping[str, FloatArray]
    seeds: Mapping[int, FloatArray]
    kept: float | None = None
    seeds_kept: Mapping[int, float] = field(default_factory=dict[int, float])


# ------------------------------------------------------------------ a map from a store


def verdict_map(store: Store, record: SweepRecord) -> VerdictMap:
    """The map of a stored sweep, as far as it is computed."""
    study = store.study(record.study)
    definition = stored_definition(study)
    model, goals = study_model(definition), goals_of(study)
    layouts = tuple(dict.fromkeys(run.layout for run in study.runs))
    if record.mode == "search":
        found = [_searched(store, record, condition, goals) for condition in grid_points(record.grid)]
    else:
        found = _reevaluated(store, read_plan(store, record), layouts, goals)
    units = {path: unit_at(model.parameters, path) for path in record.grid}
    parameters = tuple(
        SweptParameter(
            path,
            parameter_words(model.parameters, path),
            unit if isinstance(unit := units[path], str) else "",
            values,
        )
        for path, values in record.grid.items()
    )
    return VerdictMap(
        record.study, record.mode, parameters, layouts, len(definition.seeds),
        tuple(_criteria(goals, record.mode, model)), tuple(found),
    )  # fmt: skip


def _criteria(goals: Sequence[Goal], mode: SweepMode, model: Model) -> list[MapCriterion]:
    """Criteria of the map, as in the comparison of layouts."""
    labels = {goal.name: label for goal in goals if (label := model.metric(goal.name).label)}
    found = [
        MapCriterion(name, goal.unit, goal.sense, f"{name} on the front", labels)
        for goal in goals
        for name in (f"best {goal.name}", f"median {goal.name}")
    ]
    if len(goals) > 1:
        text = "volume that the front dominates, up to one point for each condition"
        found.insert(0, MapCriterion(HYPERVOLUME, "", "maximize", text))
    if mode == "reevaluate":
        text = "share of the designs of the stored fronts that stay feasible"
        found.append(MapCriterion(FEASIBLE_SHARE, "1", "maximize", text))
    return found


def _reevaluated(
    store: Store, plan: SweepPlan, layouts: Sequence[str], goals: Sequence[Goal]
) -> list[ConditionVerdicts]:
    return [_of_stored_fronts(store, plan, condition, layouts, goals) for condition in plan.conditions]


def _of_stored_fronts(
    store: Store, plan: SweepPlan, condition: GridPoint, layouts: Sequence[str], goals: Sequence[Goal]
) -> ConditionVerdicts:
    problems = plan.problems(condition)
    tasks = plan.tasks_under(problems)
    known = store.known([task for own in tasks.values() for task in own])
    if any(task.key not in known for own in tasks.values() for task in own):
        return ConditionVerdicts(condition, complete=False)
    empty = LayoutFront(np.empty((0, len(goals))), {}, {}, 0.0)
    fronts = dict.fromkeys(layouts, empty)
    failures: Counter[str] = Counter()
    for own in plan.layouts:
        records = [known[task.key] for task in tasks[own.layout]]
        failures.update(record.state for record in records)
        fronts[own.layout] = layout_front(problems[own.layout], own, records, goals)
    point = reference_point(plan.definition, next(iter(problems.values())))
    return ConditionVerdicts(condition, True, tuple(verdicts(goals, fronts, point)), failures["failed"])


def layout_front(
    problem: Problem, swept: SweptLayout, records: Sequence[EvaluationRecord], goals: Sequence[Goal]
) -> LayoutFront:
    """The front of a layout from the evaluations of its designs under one condition, a record per row."""
    judged = [problem.judge(record, point) for record, point in zip(records, swept.points, strict=True)]
    feasible = np.array([one.violation == 0.0 for one in judged])
    objectives = np.array([one.objectives or [np.inf] * len(goals) for one in judged])

    def front(rows: Sequence[int]) -> list[int]:
        own = [row for row in rows if feasible[row]]
        keep = nondominated(objectives[own]) if own else []
        return [row for row, kept in zip(own, keep, strict=True) if kept]

    joint = front(range(len(records)))
    names = {goal.name: _error_of(problem, goal.name) for goal in goals}
    errors = {
        goal: np.array([abs(records[row].metrics.get(name) or 0.0) for row in joint])
        for goal, name in names.items()
        if name
    }
    return LayoutFront(
        objectives[joint],
        errors,
        {seed: objectives[front(rows)] for seed, rows in swept.seeds.items()},
        float(feasible.mean()),
        {seed: float(feasible[list(rows)].mean()) if rows else 0.0 for seed, rows in swept.seeds.items()},
    )


def _error_of(problem: Problem, metric: str) -> str:
    known = next((one for one in problem.model.metrics if one.name == metric), None)
    return (known.error or "") if known is not None else ""


def _searched(
    store: Store, record: SweepRecord, condition: GridPoint, goals: Sequence[Goal]
) -> ConditionVerdicts:
    """The verdicts of the study that searched under a condition; none before it has ended."""
    name = record.studies.get(condition.number, "")
    study: StudyRecord | None = store.study(name) if name else None
    if study is None or not is_searched(study):
        return ConditionVerdicts(condition, complete=False, study=name)
    compared = compare_studies(store, [study])
    fronts = {
        label: LayoutFront(
            np.array([design.objectives for design in designs]).reshape(len(designs), len(goals)),
            {
                goal: np.array([abs(design.metrics.get(error) or 0.0) for design in designs])
                for goal, error in _errors_of(study, goals).items()
            },
            compared.seed_fronts[label],
        )
        for label, designs in compared.fronts.items()
    }
    signs = np.array([goal.sign for goal in goals])
    point = np.array(compared.reference_point) * signs if compared.stated else None
    return ConditionVerdicts(condition, True, tuple(verdicts(goals, fronts, point)), study=name)


def _errors_of(study: StudyRecord, goals: Sequence[Goal]) -> dict[str, str]:
    model = study_model(stored_definition(study))
    found = {goal.name: model.metric(goal.name).error for goal in goals}
    return {goal: error for goal, error in found.items() if error}


# ------------------------------------------------------------------ verdicts from fronts


def verdicts(
    goals: Sequence[Goal], fronts: Mapping[str, LayoutFront], reference: FloatArray | None = None
) -> list[Verdict]:
    """Every criterion under one condition.

    Parameters
    ----------
    goals : sequence of Goal
        The objectives.
    fronts : mapping of str to LayoutFront
        By layout.
    reference : (m,) array, optional
        Where hypervolumes end, minimised; a tenth of the joint range beyond the worst value if not given.
    """
    everything = np.concatenate([front.joint for front in fronts.values()])
    if reference is None:
        reference = beyond_worst(everything) if len(everything) else np.zeros(len(goals))
    tests = leaders(_seed_values(goals, fronts, reference)) if len(fronts) > 1 else {}
    return [
        _verdict(criterion, len(fronts), bool(len(everything)), tests.get(criterion.name))
        for criterion in _compared(goals, fronts, reference)
    ]


def _compared(
    goals: Sequence[Goal], fronts: Mapping[str, LayoutFront], reference: FloatArray
) -> list[Criterion]:
    """The criteria of the joint fronts."""
    arrays = {layout: front.joint for layout, front in fronts.items()}
    errors = {
        goal.name: {name: own.errors[goal.name] for name, own in fronts.items() if goal.name in own.errors}
        for goal in goals
    }
    found = objective_criteria(arrays, errors, goals)
    if len(goals) > 1:
        volumes = {
            layout: hypervolume(front, reference) if len(front) else None for layout, front in arrays.items()
        }
        found.insert(0, criterion_of(HYPERVOLUME, "", "", "maximize", volumes))
    if any(own.kept is not None for own in fronts.values()):
        kept = {layout: own.kept for layout, own in fronts.items()}
        found.append(criterion_of(FEASIBLE_SHARE, "1", "", "maximize", kept))
    return found


def _seed_values(
    goals: Sequence[Goal], fronts: Mapping[str, LayoutFront], reference: FloatArray
) -> dict[str, Values]:
    """Each criterion seed by seed, minimised; infinite where a seed has no feasible design."""

    def each(measure: Callable[[FloatArray], float]) -> Values:
        return {
            layout: np.array([measure(front) if len(front) else np.inf for front in own.seeds.values()])
            for layout, own in fronts.items()
        }

    found: dict[str, Values] = {}
    if len(goals) > 1:
        found[HYPERVOLUME] = each(lambda front: -hypervolume(front, reference))
    for column, goal in enumerate(goals):
        found[f"best {goal.name}"] = each(lambda front, column=column: float(front[:, column].min()))
        found[f"median {goal.name}"] = each(lambda front, column=column: median(front[:, column]))
    if any(own.kept is not None for own in fronts.values()):
        found[FEASIBLE_SHARE] = {
            layout: -np.array(list(own.seeds_kept.values())) for layout, own in fronts.items()
        }
    return found


def _verdict(criterion: Criterion, layouts: int, feasible: bool, test: tuple[str, float] | None) -> Verdict:
    found = Verdict(criterion.name, criterion.values, criterion.winner, criterion.margin, "alone")
    if not feasible:
        return replace(found, winner="", margin=None, outcome="infeasible")
    if layouts < 2:
        return found
    if not criterion.winner:
        return replace(found, outcome="even")
    if test is None:
        return replace(found, outcome="one seed")
    leader, p_value = test
    shown = leader == criterion.winner and p_value <= ALPHA
    return replace(found, outcome="shown" if shown else "not shown", p_value=p_value)
