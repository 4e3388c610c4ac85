"""The front of a study under a grid of conditions: evaluated again, or searched for anew.

What is stored of a sweep is its grid. What it computes are evaluations, found by their keys, and for a search
one study per condition: a sweep that was interrupted goes on with what is missing, on any number of workers.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errors import Fault, InputError, UnknownNameError, is_within
from models import Model
from models.parameters import steps_of
from models.units import unit_text
from studies.definition.documents import plain_text, without_points
from studies.definition.study_definition import MAX_EVALUATIONS, StudyDefinition
from studies.definition.study_file import define
from studies.problem.problem import Problem, build_problems, check, require_own_results, stored_definition
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

MOST_GRID_POINTS = 1000
PLACE = ("over",)

Grid = Mapping[str, Sequence[Any]]
"""Parameters by dotted path, each with its values in SI; the last one varies fastest."""


@dataclass(frozen=True, slots=True)
class GridPoint:
    """One combination of a grid, by its place ``number`` in it, counted from 1."""

    number: int
    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Words for the point: ``f_min = 2, wrench_set = box``."""
        return ", ".join(f"{path} = {value_text(value)}" for path, value in self.values.items())


def value_text(value: Any) -> str:
    """A value without quotes."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value)


def grid_points(grid: Grid) -> Iterator[GridPoint]:
    """Every combination, in order."""
    for number, values in enumerate(itertools.product(*grid.values()), 1):
        yield GridPoint(number, dict(zip(grid, values, strict=True)))


def grid_digest(study: str, mode: SweepMode, grid: Grid) -> str:
    """sha256 of a sweep; the order of parameters and of their values does not count."""
    content = {path: sorted(plain_text(value) for value in values) for path, values in grid.items()}
    return hashlib.sha256(plain_text({"study": study, "mode": mode, "grid": content}).encode()).hexdigest()


def checked_grid(definition: StudyDefinition, over: Grid) -> dict[str, tuple[Any, ...]]:
    """The grid in SI, counted before anything else is looked at.

    Raises ``InputError``, placed at ``over`` or at the parameter in it, for more than ``MOST_GRID_POINTS``
    combinations, a parameter that is unknown, varies, is geometry or drives it, a value that the model
    refuses or that stands there twice, and a combination under which the study could not be searched.
    """
    if not over:
        raise InputError("is missing: name a parameter and its values, as in f_min = 0, 2, 4", PLACE)
    count = math.prod(len(values) for values in over.values())
    if count > MOST_GRID_POINTS:
        sizes = " x ".join(str(len(values)) for values in over.values())
        product = f"{sizes} = {count}" if len(over) > 1 else str(count)
        raise InputError(
            f"makes {product} conditions; at most {MOST_GRID_POINTS} are allowed. Give fewer values", PLACE
        )
    problems = build_problems(definition)
    for path in over:
        _require_condition(path, over, problems)
    grid = {path: _values(path, values, problems) for path, values in over.items()}
    for condition in grid_points(grid):
        try:
            build_problems(under(definition, condition))
        except InputError as error:
            raise InputError(f"the study cannot have {condition.text}: {error}", PLACE) from None
    return grid


def under(definition: StudyDefinition, condition: GridPoint) -> StudyDefinition:
    """The study with its parameters as a condition says, in every layout."""
    tree = definition.model_dump(mode="json", exclude_unset=True)
    paths = [steps_of(path) for path in condition.values]
    for table in (tree, *tree.get("layouts", {}).values()):
        if "parameters" in table:
            table["parameters"] = {
                path: value
                for path, value in table["parameters"].items()
                if not any(is_within(steps_of(path), swept) for swept in paths)
            }
    tree["parameters"] = {**tree.get("parameters", {}), **condition.values}
    return define(tree)


def _require_condition(path: str, over: Grid, problems: Mapping[str, Problem]) -> None:
    """Raise ``InputError`` unless a parameter may be swept."""
    place, steps = (*PLACE, path), steps_of(path)
    model = next(iter(problems.values())).model
    if model.parameters.field_of(str(steps[0])) is None:
        raise UnknownNameError("parameter", str(steps[0]), model.parameters.model_fields, place)
    for layout, problem in problems.items():
        varied = next((own for own in problem.space.parameters if _overlap(steps_of(own), steps)), None)
        if varied is not None:
            raise InputError(
                f"varies in the layout '{layout}': the search chose its values, so it is no condition", place
            )
        driven = _driven_geometry(problem, path)
        if driven:
            raise InputError(
                f"drives {' and '.join(driven)} in the layout '{layout}', which is geometry: each value "
                "would make other robots of the designs. Run a study for each value instead",
                place,
            )
    if steps[0] in model.parameters.geometry:
        raise InputError(
            "is geometry: it makes one layout another, so it is no condition that layouts share", place
        )
    other = next((own for own in over if own != path and is_within(steps_of(own), steps)), None)
    if other is not None:
        raise InputError(f"holds '{other}', which is swept as well; keep one of the two", place)


def _driven_geometry(problem: Problem, path: str) -> list[str]:
    """The parameters of a layout's geometry that an expression computes from the one at ``path``."""
    roots = problem.space.links.roots([path])
    geometry = problem.model.parameters.geometry
    return [own for own in problem.space.links.paths if roots[own] and steps_of(own)[0] in geometry]


def _overlap(one: tuple[str | int, ...], other: tuple[str | int, ...]) -> bool:
    return is_within(one, other) or is_within(other, one)


def _values(path: str, given: Sequence[Any], problems: Mapping[str, Problem]) -> tuple[Any, ...]:
    """The values of one parameter in SI, each of them one that the model takes, none of them twice."""
    place = (*PLACE, path)
    if not given:
        raise InputError("has no values; give one or more", place)
    found = [_in_si(path, value, problems) for value in given]
    texts = [plain_text(value) for value in found]
    twice = next((value for n, value in enumerate(found) if texts[n] in texts[:n]), None)
    if twice is not None:
        raise InputError(f"has the value {value_text(twice)} twice: the same condition", place)
    return tuple(found)


def _in_si(path: str, value: Any, problems: Mapping[str, Problem]) -> Any:
    """A value as the model takes it; raises ``InputError`` where it does not, in any of the layouts."""
    found: Any = value
    for problem in problems.values():
        own = {name: known for name, known in problem.settings.items() if name != path}
        tree, wrong = problem.model.value_faults(
            problem.preset, {**own, **problem.space.middle(), path: value}
        )
        _, known = problem.model.value_faults(problem.preset, {**problem.settings, **problem.space.middle()})
        fault = next((fault for fault in wrong if fault not in known), None)
        if fault is not None:
            text = fault.message if is_within(fault.place, steps_of(path)) else fault.text
            raise InputError.of(Fault((*PLACE, path), text, fault.key, fault.names))
        found = _at(tree, path)
    return without_points(found)


def _at(tree: Any, path: str) -> Any:
    for step in steps_of(path):
        tree = tree[step]
    return tree


def unit_of_path(model: Model, path: str) -> str:
    """The unit of a swept parameter as people write it; empty for an option."""
    from models.fields import unit_at

    unit = unit_at(model.parameters, path)
    return unit_text(unit) if isinstance(unit, str) else ""


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
        As :func:`~studies.uncertainty.sweep.checked_grid`; for stored fronts also when there are
        none yet, or when that makes more evaluations than a run may have. Nothing is stored then.
    """
    study = store.study(name)
    require_own_results(study)
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
