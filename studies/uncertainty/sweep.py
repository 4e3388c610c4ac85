"""The front of a study under a grid of conditions: evaluated again, or searched for anew.

What is stored of a sweep is its grid. What it computes are evaluations, found by their keys, and for a search
one study per condition: a sweep that was interrupted goes on with what is missing, on any number of workers.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from errors import InputError
from studies.definition.study_definition import MAX_EVALUATIONS, StudyDefinition
from studies.definition.study_file import define
from studies.problem.problem import Problem, check, stored_definition
from studies.records import (
    ENDED,
    FloatArray,
    Limits,
    StudyRecord,
    SweepMode,
    SweepRecord,
    Task,
)
from studies.store import Store
from studies.uncertainty.sweep_grid import (
    PLACE,
    Grid,
    GridPoint,
    checked_grid,
    grid_digest,
    grid_points,
    under,
)

_LETTERS = 40
"""Letters of a study's name in those of the studies that search for its sweep; a name has 64."""


@dataclass(frozen=True, slots=True)
class SweptLayout:
    """The designs of a layout that a sweep evaluates: the fronts of all its seeds.

    ``points`` ``(n, d)`` lie in the unit cube of the layout's space, ``seeds`` maps each seed to the rows of
    its own front.
    """

    layout: str
    points: FloatArray
    seeds: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Evaluations of a sweep of stored fronts (:class:`EvaluationPlan`): each design under each condition."""

    sweep: SweepRecord
    definition: StudyDefinition
    conditions: tuple[GridPoint, ...]
    layouts: tuple[SweptLayout, ...]

    @property
    def wanted(self) -> int:
        """Number of evaluations of the sweep."""
        return len(self.conditions) * sum(len(own.points) for own in self.layouts)

    def problems(self, condition: GridPoint) -> dict[str, Problem]:
        """Problems of the layouts under a condition."""
        return check(under(self.definition, condition))

    def tasks_under(self, problems: Mapping[str, Problem]) -> dict[str, list[Task]]:
        """The evaluations of each layout under a condition, a task per row of its points."""
        return {own.layout: problems[own.layout].tasks(own.points) for own in self.layouts}

    def batches(self) -> Iterator[list[Task]]:
        """Tasks, those of one condition at a time."""
        for condition in self.conditions:
            found = self.tasks_under(self.problems(condition))
            yield [task for own in found.values() for task in own]

    @property
    def limits(self) -> Limits:
        """Time and memory of one evaluation."""
        return self.definition.evaluation.limits

    def prepare(self) -> None:
        """Load the kernels."""
        problem = next(iter(self.problems(self.conditions[0]).values()))
        problem.model.prepare(problem.cost_class)

    def answer(self, store: Store) -> SweepRecord:  # noqa: ARG002 - of plans
        """The sweep, whose map reads the evaluations."""
        return self.sweep


def store_sweep(
    store: Store, name: str, over: Grid, mode: SweepMode = "reevaluate", *, owner: str = ""
) -> SweepRecord:
    """Check a grid of conditions for a study and store it; the same one again is returned as it is.

    Parameters
    ----------
    store : Store
    name : str
        The study.
    over : mapping of str to sequence
        Parameters by dotted path with their values, in SI or as text with a unit.
    mode : {"reevaluate", "search"}
        Evaluate the stored fronts under each condition, or search anew under each.
    owner : str
        The account that it belongs to, if there are accounts.

    Raises
    ------
    InputError
        As :func:`~studies.uncertainty.sweep_grid.checked_grid`; for stored fronts also when there are
        none yet, or when that makes more evaluations than a run may have. Nothing is stored then.
    """
    study = store.study(name)
    definition = stored_definition(study)
    grid = checked_grid(definition, over)
    count = math.prod(len(values) for values in grid.values())
    if mode == "reevaluate":
        designs = sum(len(own.points) for own in swept_layouts(store, study))
        if not designs:
            raise InputError(
                f"study '{name}' has no design on a front yet; run it first, or search under each condition"
            )
        if count * designs > MAX_EVALUATIONS:
            raise InputError(
                f"makes {count} conditions x {designs} designs = {count * designs} evaluations; at most "
                f"{MAX_EVALUATIONS} are allowed. Give fewer values",
                PLACE,
            )
    return store.sweeps.add(name, mode, grid, grid_digest(name, mode, grid), owner)


# ------------------------------------------------------------------ stored fronts


def swept_layouts(store: Store, study: StudyRecord) -> tuple[SweptLayout, ...]:
    """The fronts of a study, layout by layout, each design once."""
    found: list[SweptLayout] = []
    for layout in dict.fromkeys(run.layout for run in study.runs):
        places, points = dict[str, int](), list[FloatArray]()
        seeds: dict[int, tuple[int, ...]] = {}
        for run in (run for run in study.runs if run.layout == layout):
            front = store.front_places(run)
            for key, point in zip(front.keys, front.points, strict=True):
                if key not in places:
                    places[key] = len(points)
                    points.append(point)
            seeds[run.seed] = tuple(places[key] for key in front.keys)
        found.append(SweptLayout(layout, np.array(points) if points else np.empty((0, 0)), seeds))
    return tuple(found)


def read_plan(store: Store, record: SweepRecord) -> SweepPlan:
    """Plan of a stored sweep of fronts, as the fronts are now."""
    study = store.study(record.study)
    layouts = tuple(own for own in swept_layouts(store, study) if len(own.points))
    return SweepPlan(record, stored_definition(study), tuple(grid_points(record.grid)), layouts)


def study_under(definition: StudyDefinition, record: SweepRecord, condition: GridPoint) -> StudyDefinition:
    """The study that searches under a condition of a sweep; its name says which one.

    A study that was deleted and made anew with other content has other ones, though its sweep is the same.
    """
    mark = hashlib.sha256(f"{record.digest} {definition.digest()}".encode()).hexdigest()[:8]
    name = f"{record.study[:_LETTERS]}-sweep-{mark}-{condition.number}"
    tree = under(definition, condition).model_dump(mode="json", exclude_unset=True)
    return define({**tree, "name": name, "description": f"{record.study} under {condition.text}"[:4000]})


def is_searched(study: StudyRecord) -> bool:
    """True if a study that searches for a sweep has ended, for good or not."""
    return all(run.state in ENDED for run in study.runs)
