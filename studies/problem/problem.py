"""A study checked against its model: one :class:`Problem` per layout, ready to be searched.

A study that the installed version refuses is shown all the same, with a sentence on why it is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from errors import FaultList, InputError, Place, UnknownNameError
from models import Model, load
from models.fields import unit_at
from models.parameters import Parameters, to_si
from studies.definition.derived_quantities import Derived, study_model, undefined_text, without_derived
from studies.definition.objectives import (
    Constraint,
    Given,
    Objective,
    absent_values,
    check_metrics,
    constraints,
    finite,
    objectives,
)
from studies.definition.space import DesignSpace
from studies.definition.stored_model import StoredModel, definition_of
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.definition.tolerance_sampling import Uncertainty
from studies.execution.evaluation import task_of
from studies.problem.free_constraints import require_inside, told, with_region
from studies.problem.ladder import rungs_of
from studies.problem.layout import Layout, stated_layouts
from studies.problem.layout_check import LayoutCheck
from studies.problem.robustness import Goals, searched_uncertainty
from studies.problem.validity import Validity
from studies.records import FAILED, INFEASIBLE, EvaluationRecord, StudyRecord, Task
from studies.search import check_fit, check_initial, check_search

FloatArray = NDArray[np.float64]


MOST_TEMPLATES = 256
"""Sets of variables that do not act for which merged settings are kept."""


class Template:
    """The settings of a layout, merged once; :meth:`fill` gives them the values of a design.

    To merge every design anew takes 0.2 to 0.8 ms, which a cable robot's study of 20^3 cells would feel. They
    are merged once for each set of variables that do not act.
    """

    def __init__(
        self, model: Model, preset: str | None, settings: Mapping[str, Any], space: DesignSpace
    ) -> None:
        self._model, self._preset, self._settings, self._space = model, preset, settings, space
        self._merged: dict[frozenset[int], tuple[dict[str, Any], list[list[str]]]] = {}
        middle = np.full(len(space), 0.5)
        idle = frozenset(np.flatnonzero(~space.acting(middle[None])[0]).tolist())
        self._merge(idle, space.decode(middle))

    def fill(self, values: Sequence[Any]) -> dict[str, Any]:
        """New settings with these values, in the order of the variables; None for one that does not act."""
        rules = self._space.is_linked or bool(self._space.conditions)
        settings: Mapping[str, Any] = self._space.settings(values) if rules else {}
        idle = (
            frozenset(place for place, value in enumerate(values) if value is None) if rules else frozenset()
        )
        if idle not in self._merged:
            self._merge(idle, settings)
        merged, paths = self._merged[idle]
        tree: dict[str, Any] = _copy(merged)
        for path, value in zip(paths, settings.values() if rules else values, strict=True):
            node: Any = tree
            for name in path[:-1]:
                node = node[int(name) if isinstance(node, list) else name]
            node[int(path[-1]) if isinstance(node, list) else path[-1]] = _copy(value)
        return tree

    def _merge(self, idle: frozenset[int], settings: Mapping[str, Any]) -> None:
        if len(self._merged) >= MOST_TEMPLATES:
            self._merged.clear()
        tree = self._model.merge(self._preset, {**self._settings, **settings})
        paths = [self._model.parameters.present_path(path).split(".") for path in settings]
        self._merged[idle] = tree, paths


def _copy(value: Any) -> Any:
    """New containers all the way down; tuples become lists, since a later path may write into them."""
    if isinstance(value, Mapping):
        return {name: _copy(item) for name, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


class Judgement(NamedTuple):
    """Judgement of a design for a search.

    ``objectives`` are minimised, None for a design without metrics; ``cause`` says why one failed.
    """

    objectives: list[float] | None
    violation: float
    cause: str = ""


class Certain(NamedTuple):
    """Limits by proof of the full evaluation of a design: the least ``m`` objectives, minimised."""

    objectives: FloatArray
    breaks: bool
    """A constraint is broken for certain."""


@dataclass(frozen=True, slots=True)
class Problem(Layout):
    """Problem of one layout of a study, checked: ready to be searched."""

    template: Template = field(compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """Remarks on the space, such as on options with which no design is valid."""
    rungs: tuple[Problem, ...] = field(default=(), kw_only=True, compare=False)
    """The problem at lower fidelities, the cheapest first."""

    def with_settings(self, settings: Mapping[str, Any]) -> Problem:
        """The problem with other fixed parameters, by dotted path."""
        merged = {**self.settings, **settings}
        template = Template(self.model, self.preset, merged, self.space)
        return replace(self, settings=merged, template=template)

    def tasks(self, points: FloatArray) -> list[Task]:
        """The evaluations of the designs at points ``(n, d)`` of the unit cube.

        Values that exclude each other (each fine alone) make a task too; it ends infeasible.
        """
        names = [variable.path for variable in self.space.variables]
        return [
            self.task(self.template.fill(values), dict(zip(names, values, strict=True)))
            for values in self.space.values(points)
        ]

    def task(self, merged: Mapping[str, Any], named: Mapping[str, Any]) -> Task:
        """The evaluation of a design, given as plain parameters and by the names of its variables."""
        try:
            plain = self.model.parameters.model_validate(merged).model_dump(mode="json")
        except ValidationError:
            plain = merged
        return task_of(self.model, plain, self.cost_class, self.evaluation_seed, self.robots_of(named))

    def judge(self, record: EvaluationRecord, point: FloatArray) -> Judgement:
        """Judge a design for a search, given its evaluation and its point ``(d,)`` of the unit cube.

        A derived goal that is no finite number makes the design a failed one, as such a metric would.
        """
        if record.state == "failed":
            return Judgement(None, FAILED, record.reason)
        if record.state == "infeasible":
            return Judgement(None, INFEASIBLE + min(record.violation, INFEASIBLE))
        metrics = self.goal_metrics(record.metrics, record.task.parameters, point)
        undefined = next((name for name in self.derived_goals if metrics[name] is None), None)
        if undefined is not None:
            return Judgement(None, FAILED, undefined_text(undefined))
        return Judgement(self.minimised(metrics), self.violation(metrics))

    def certain(self, record: EvaluationRecord, point: FloatArray) -> Certain | None:
        """Limits that a rung proves for a design at a point ``(d,)``; None without a proof."""
        if self.model.certified is None or record.state != "done" or self.uncertainty is not None:
            return None
        read = self.model.parameters.model_validate
        (values,) = self.space.values(point[None])
        try:
            rung, full = read(record.task.parameters), read(self.template.fill(values))
        except ValidationError:
            return None
        known = self.model.certified(rung, full, record.metrics)
        objectives = np.array([objective.least(known) for objective in self.objectives])
        return Certain(objectives, any(each.is_broken(known) for each in self.constraints))

    def minimised(self, metrics: Mapping[str, float | None]) -> list[float]:
        """The ``m`` objectives with every sense turned to minimisation, as searches get them."""
        return [o.minimised(metrics) for o in self.objectives]

    def violation(self, metrics: Mapping[str, float | None]) -> float:
        """Sum of the relative violations of all constraints; 0 when they hold."""
        return min(math.fsum(c.violation(metrics) for c in self.constraints), INFEASIBLE / 2)

    def natural(self, minimised: FloatArray) -> FloatArray:
        """Objectives ``(n, m)`` as the search got them, turned back to the metrics' own senses."""
        return minimised * np.array([o.sign for o in self.objectives])


def build_problems(definition: StudyDefinition) -> dict[str, Problem]:
    """One checked problem per layout; raises ``InputError`` with every fault that can be found.

    What counts as a fault of a design space, see :mod:`studies.problem.validity`.
    """
    faults, search = FaultList(), FaultList()
    model = study_model(definition, faults)
    if isinstance(model, StoredModel):
        load(definition.model)  # raises: tables alone cannot search
    with search.collect():
        if definition.imported is None:
            check_search(definition.search)
    faults.add(*search.errors)
    known = check_metrics(definition, model, faults)
    cost_class = ""
    with faults.collect():
        cost_class = model.cost_class_for(known)
    _check_reference_point(definition, model, faults)
    validity = Validity(model)
    problems: dict[str, Problem] = {}
    middles: list[Parameters] = []
    for layout, table in (definition.layouts or {"default": None}).items():
        with faults.collect():
            checked = LayoutCheck(definition, model, layout, table)
            checked.run(validity, faults)
            middles.append(checked.middle)
            goals = _goals_of_layout(definition, model, checked, layout, faults)
            if not faults and definition.imported is None:
                _add_region(definition, model, checked, goals.constraints)
            if not search and definition.imported is None:
                _check_search_fits(definition, checked)
            if not faults:
                problem = _problem(definition, model, checked, layout, goals, cost_class)
                lower = rungs_of(definition, model, problem.preset, problem.settings, problem.space)
                rungs = tuple(problem.with_settings(rung) for rung in lower)
                problems[layout] = replace(problem, rungs=rungs)
    faults.raise_found()
    return _with_shared(problems, middles)


class _LayoutGoals(NamedTuple):
    """Goals of a layout, values that count for missing metrics, uncertain parameters and free variables."""

    objectives: tuple[Objective, ...]
    constraints: tuple[Constraint, ...]
    absent: Mapping[str, float]
    uncertainty: Uncertainty | None
    free: tuple[str, ...]


def _goals_of_layout(
    definition: StudyDefinition, model: Model, checked: LayoutCheck, layout: str, faults: FaultList
) -> _LayoutGoals:
    """Read objectives, constraints and tolerances of a checked layout."""
    paths = (*checked.variables, *checked.space.links.paths)
    given = Given(checked.middle, frozenset(filter(None, map(model.parameters.field_of, paths))))
    minimised = objectives(definition, model, given, faults)
    bounded = constraints(definition, model, given, faults)
    absent = absent_values(definition, model, given)
    wanted = Goals(checked.middle, bounded, absent, checked.space.links.free)
    robots, free = searched_uncertainty(definition, model, layout, wanted, faults)
    return _LayoutGoals(minimised, bounded, absent, robots, free)


def _with_shared(problems: dict[str, Problem], middles: Sequence[Parameters]) -> dict[str, Problem]:
    """Problems with the values that the model has all designs of a study share."""
    record = type(middles[0])
    varied = {record.field_of(path) or "" for each in problems.values() for path in each.space.parameters}
    shared = record.shared_by(middles, varied)
    if not shared:
        return problems
    told = ", ".join(f"{name} is {value:g} {unit_at(record, name)}" for name, value in shared.items())
    remark = f"{told} in all designs of the study, so that they compare; set it under parameters to change it"
    found: dict[str, Problem] = {}
    for layout, each in problems.items():
        rungs = tuple(rung.with_settings({**shared, **rung.settings}) for rung in each.rungs)
        whole = each.with_settings({**shared, **each.settings})
        found[layout] = replace(whole, rungs=rungs, remarks=(*each.remarks, remark))
    return found


def _add_region(
    definition: StudyDefinition, model: Model, checked: LayoutCheck, bounded: Sequence[Constraint]
) -> None:
    """Give a checked layout the region of its constraints that need no evaluation."""
    derived, initial = Derived.of(definition), checked.points
    checked.space = with_region(
        model, checked.preset, checked.settings, checked.space, bounded, derived, initial
    )
    require_inside(checked.space, initial, checked.initial_place)
    checked.remarks = (*checked.remarks, *told(checked.space))


def _check_search_fits(definition: StudyDefinition, checked: LayoutCheck) -> None:
    """Raise ``InputError`` unless the algorithm suits the goals, the space and the initial designs."""
    search, wanted = definition.search, len(definition.objectives)
    region = checked.space.region
    free = len(region.constraints) if region is not None else 0
    check_fit(search, checked.space, wanted, len(definition.constraints) - free)
    check_initial(search, wanted, len(checked.points), checked.initial_place)


def _problem(
    definition: StudyDefinition,
    model: Model,
    checked: LayoutCheck,
    layout: str,
    goals: _LayoutGoals,
    cost_class: str,
) -> Problem:
    preset, settings, space = checked.preset, checked.settings, checked.space
    seed = definition.evaluation.seed if model.stochastic else 0
    template = Template(model, preset, settings, space)
    return Problem(
        without_derived(model, definition), layout, preset, settings, space, goals.objectives,
        goals.constraints, cost_class, seed, checked.points, template, checked.remarks, absent=goals.absent,
        derived=Derived.of(definition), uncertainty=goals.uncertainty, free_in_robots=goals.free,
    )  # fmt: skip


def reference_point(definition: StudyDefinition, problem: Problem) -> FloatArray | None:
    """The stated reference point as minimised objectives ``(m,)``; None when the file states none."""
    stated = definition.indicators.reference_point
    if stated is None:
        return None
    values = [
        to_si(stated[o.metric], o.unit, ("indicators", "reference_point", o.metric))
        for o in problem.objectives
    ]
    return np.array([o.sign * float(v) for o, v in zip(problem.objectives, values, strict=True)])


def _check_reference_point(definition: StudyDefinition, model: Model, faults: FaultList) -> None:
    stated = definition.indicators.reference_point
    if stated is None:
        return
    place: Place = ("indicators", "reference_point")
    for name in stated:
        if name not in definition.objectives:
            faults.add(UnknownNameError("objective", name, definition.objectives, (*place, name)))
    for name in definition.objectives:
        with faults.collect():
            if name not in stated:
                raise InputError(
                    f"has no value for the objective '{name}'; give one for each", place, names=(name,)
                )
            if any(metric.name == name for metric in model.metrics):
                finite(to_si(stated[name], model.metric(name).unit, (*place, name)), (*place, name))


@dataclass(frozen=True, slots=True)
class Setup:
    """A study with what each of its layouts searches."""

    study: StudyRecord
    definition: StudyDefinition
    model: Model
    problems: Mapping[str, Layout]
    refusal: str
    """Reason why the installed version of the model would not run the study; empty when it would."""

    @property
    def layouts(self) -> list[str]:
        """Layouts in the order of the study file."""
        return list(self.problems)

    def varied(self, layout: str) -> list[str]:
        """Varied paths of a layout: variables, and parameters that follow from them, with dots."""
        space, present = self.problems[layout].space, self.model.parameters.present_path
        return [*(present(variable.path) for variable in space.variables), *map(present, space.links.paths)]

    def fixed(self, layout: str) -> dict[str, Any]:
        """A layout's resolved parameters as plain values; its variables stand at mid-range."""
        return fixed_parameters(self.problems[layout])


def fixed_parameters(problem: Layout) -> dict[str, Any]:
    """A layout's resolved parameters as plain values; its variables stand at mid-range.

    Of values that the model refuses, those that it can read, and its defaults for the others.
    """
    middle = problem.space.middle()
    for settings in ({**problem.settings, **middle}, problem.settings):  # some only fit together elsewhere
        with suppress(InputError):
            return problem.model.resolve(problem.preset, settings).model_dump(mode="json")
    tree, _ = problem.model.value_faults(problem.preset, {**problem.settings, **middle})
    defaults = problem.model.parameters.model_construct().model_dump(mode="json")
    return {name: tree.get(name, default) for name, default in defaults.items()}


def without_varied(value: Any, path: str, varied: set[str]) -> Any:
    """A parameter without those of its parts that vary: where they stand on average says nothing."""
    if path in varied:
        return "varies"
    if isinstance(value, dict):
        tables: dict[str, Any] = value
        return {key: without_varied(part, f"{path}.{key}", varied) for key, part in tables.items()}
    if isinstance(value, list):
        items: list[Any] = value
        return [without_varied(part, f"{path}.{i}", varied) for i, part in enumerate(items)]
    return value


def setup_of(study: StudyRecord) -> Setup:
    """The setup of a stored study; raises ``InputError`` when neither its model nor the tables are here."""
    definition = definition_of(study)
    model = study_model(definition)
    try:
        return Setup(study, definition, model, build_problems(definition), "")
    except InputError as error:
        return Setup(study, definition, model, stated_layouts(definition), _refusal(study, model, error))


def _refusal(study: StudyRecord, model: Model, error: InputError) -> str:
    if isinstance(model, StoredModel):
        return (
            f"The code of the model {model.name} is not here: the results of study {study.name} are shown, "
            "and no robot is drawn and no design computed."
        )
    first = error.faults[0]
    more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
    return (
        f"Version {model.version} of {model.name}, which is installed, would not run study {study.name}: "
        f"{first.text}{more}. What is stored is shown."
    )


def check(definition: StudyDefinition) -> dict[str, Problem]:
    """Check a study against its model, and return the problem of each layout by its name.

    Raises ``InputError`` with every fault that can be known before a run, each with its place.
    """
    return build_problems(definition)


def stored_definition(study: StudyRecord) -> StudyDefinition:
    """The definition that a study was stored with: the order of its tables counts too."""
    return define(dict(study.definition)).with_model(study.model or {})


def require_own_results(study: StudyRecord) -> None:
    """Raise ``InputError`` for a study whose metrics come from elsewhere, where new ones would join them."""
    if study.source:
        raise InputError(
            f"study '{study.name}' holds results imported from {study.source}; metrics computed here "
            f'would be mixed with theirs. Begin a study with theirs: [search] from = ["{study.name}"]'
        )


def branched(old: StudyRecord, new: str, place: Place = ("name",)) -> StudyDefinition:
    """The definition of a study under a new name; raises ``InputError`` for the one that it has."""
    if new == old.name:
        raise InputError("a branch needs a name that differs from its study's", place)
    return define({**stored_definition(old).model_dump(mode="json", exclude_unset=True), "name": new})
