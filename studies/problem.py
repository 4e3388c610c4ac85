"""A study checked against its model: one :class:`Problem` per layout, ready to be searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from models import Model, load
from models.errors import InputError, UnknownNameError
from models.fields import unit_at
from models.parameters import Parameters, join, to_si
from studies.definition import MAX_EVALUATIONS, MAX_VARIABLES, SearchTable, StudyDefinition, VariableTable
from studies.execution.evaluation import task_of
from studies.goals import Constraint, Given, Objective, check_metrics, constraints, finite, objectives
from studies.initial import initial_points
from studies.records import Task
from studies.search import check_fit, check_initial, planned_designs
from studies.space import ChoiceVariable, DesignSpace, RealVariable, Variable
from studies.template import Template

FloatArray = NDArray[np.float64]

INFEASIBLE = 1e6
"""An infeasible design is told as this plus its own number: behind every design that has metrics."""
RESERVED_LAYOUTS = frozenset({"criterion", "unit", "winner", "margin", "meaning"})
FAILED = 1e9
"""Violation told for a failed design: behind every infeasible one."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What one layout of a study asks: a design space, a model, objectives and constraints."""

    model: Model
    layout: str
    preset: str | None
    settings: Mapping[str, Any]
    space: DesignSpace
    objectives: tuple[Objective, ...]
    constraints: tuple[Constraint, ...]
    cost_class: str
    evaluation_seed: int
    initial: FloatArray = field(compare=False)
    """Snapped points ``(k, d)`` that the first generation starts with."""
    template: Template = field(compare=False)

    def planned_designs(self, search: SearchTable) -> int:
        """Designs that one run asks for at most."""
        return planned_designs(search, self.space, len(self.objectives))

    def tasks(self, points: FloatArray) -> list[Task]:
        """The evaluations of the designs at points ``(n, d)`` of the unit cube.

        Values that exclude each other (each fine alone) make a task too; it ends infeasible.
        """
        return [self._task(self.template.fill(values)) for values in self.space.values(points)]

    def _task(self, merged: Mapping[str, Any]) -> Task:
        try:
            plain = self.model.parameters.model_validate(merged).model_dump(mode="json")
        except ValidationError:
            plain = merged
        return task_of(self.model, plain, self.cost_class, self.evaluation_seed)

    def minimised(self, metrics: Mapping[str, float | None]) -> list[float]:
        """The ``m`` objectives with every sense turned to minimisation, as searches are told."""
        return [o.minimised(metrics) for o in self.objectives]

    def violation(self, metrics: Mapping[str, float | None]) -> float:
        """Sum of the relative violations of all constraints; 0 when they hold."""
        return min(sum([c.violation(metrics) for c in self.constraints]), INFEASIBLE / 2)

    def natural(self, minimised: FloatArray) -> FloatArray:
        """Objectives ``(n, m)`` as told turned back to the metrics' own senses."""
        return minimised * np.array([o.sign for o in self.objectives])


def build_problems(definition: StudyDefinition) -> dict[str, Problem]:
    """One checked problem per layout; raises ``InputError`` with the place of the first fault."""
    model = load(definition.model)
    cost_class = model.cost_class_for(check_metrics(definition, model))
    _check_reference_point(definition, model)
    layouts = definition.layouts or {"default": None}
    problems: dict[str, Problem] = {}
    for layout, table in layouts.items():
        place = "" if table is None else f"layouts.{layout}"
        if layout in RESERVED_LAYOUTS:
            raise InputError(f"'{layout}' is the name of a column of comparisons; choose another", "layouts")
        preset = definition.preset if table is None or table.preset is None else table.preset
        settings = {**definition.parameters, **(table.parameters if table else {})}
        variables = {**definition.variables, **(table.variables if table else {})}
        preset_place = join(place, "preset") if table and table.preset else "preset"
        if preset is not None:
            model.preset(preset, preset_place)
        own = set(table.parameters) if table else set()
        fixed = _check_parameters(model, preset, settings, own, place)
        space = _space(model, preset, settings, variables, place)
        given = Given(fixed, frozenset(path.split(".", 1)[0] for path in variables))
        wanted = objectives(definition, model, given), constraints(definition, model, given)
        seed = definition.evaluation.seed if model.stochastic else 0
        own_initial = table is not None and table.initial is not None
        initial = (table.initial if table and own_initial else definition.search.initial) or []
        initial_place = f"{place}.initial" if own_initial else "search.initial"
        check_fit(definition.search, space, len(wanted[0]), len(wanted[1]))
        check_initial(definition.search, len(wanted[0]), len(initial), initial_place)
        points = initial_points(model, space, initial, initial_place)
        problems[layout] = Problem(
            model, layout, preset, settings, space, *wanted, cost_class, seed, points,
            _template(model, preset, settings, space),
        )  # fmt: skip
    return problems


def _template(model: Model, preset: str | None, settings: Mapping[str, Any], space: DesignSpace) -> Template:
    middle = space.decode(np.full(len(space), 0.5))
    return Template(model.merge(preset, {**settings, **middle}), list(middle))


def reference_point(definition: StudyDefinition, problem: Problem) -> FloatArray | None:
    """The stated reference point as minimised objectives ``(m,)``; None when the file states none."""
    stated = definition.indicators.reference_point
    if stated is None:
        return None
    values = [
        to_si(stated[o.metric], o.unit, f"indicators.reference_point.{o.metric}") for o in problem.objectives
    ]
    return np.array([o.sign * float(v) for o, v in zip(problem.objectives, values, strict=True)])


def _check_reference_point(definition: StudyDefinition, model: Model) -> None:
    stated = definition.indicators.reference_point
    if stated is None:
        return
    place = "indicators.reference_point"
    for name in stated:
        if name not in definition.objectives:
            raise UnknownNameError("objective", name, definition.objectives, place)
    for name in definition.objectives:
        if name not in stated:
            raise InputError(f"has no value for the objective '{name}'; give one for each", place)
        finite(to_si(stated[name], model.metric(name).unit, f"{place}.{name}"), f"{place}.{name}")


def _check_parameters(
    model: Model, preset: str | None, settings: Mapping[str, Any], own: set[str], place: str
) -> Parameters:
    """Resolve the fixed parameters; a fault is placed in the table in which its key stands."""
    try:
        return model.resolve(preset, settings)
    except InputError as error:
        key = error.place.split(".", 1)[0]
        is_own = place and (not key or any(path.split(".", 1)[0] == key for path in own))
        table = f"{place}.parameters" if is_own else "parameters"
        raise InputError(error.message, join(table, error.place) if error.place else table) from None


def _space(
    model: Model,
    preset: str | None,
    settings: Mapping[str, Any],
    tables: Mapping[str, VariableTable],
    place: str,
) -> DesignSpace:
    """The checked design space: every bound and option is a value that the model accepts."""
    where = join(place, "variables")
    if not tables:
        raise InputError(
            'declares nothing to vary; add e.g. beta1 = { lower = "0 deg", upper = "90 deg" }', where
        )
    if len(tables) > MAX_VARIABLES:
        raise InputError(f"has {len(tables)} variables; at most {MAX_VARIABLES} are allowed", where)
    for path in tables:
        if path in settings:
            raise InputError("is also fixed under parameters; keep one of the two", join(where, path))
    variables = [_variable(model, path, table, join(where, path)) for path, table in tables.items()]
    for variable in variables:
        _check_values(model, preset, settings, variable, join(where, variable.path))
    return DesignSpace(tuple(variables))


def _variable(model: Model, path: str, table: VariableTable, place: str) -> Variable:
    name = path.split(".", 1)[0]
    if name not in model.parameters.model_fields:
        raise UnknownNameError("parameter", name, model.parameters.model_fields, place)
    unit = unit_at(model.parameters, path)
    text_unit = unit if isinstance(unit, str) else ""
    if table.options is not None:
        options = [_si(option, unit, f"{place}.options") for option in table.options]
        if len({repr(option) for option in options}) != len(options):
            raise InputError("lists an option twice", f"{place}.options")
        return ChoiceVariable(path, text_unit, tuple(options))
    if not text_unit:
        raise InputError("is not a number, so it cannot have lower and upper; list its options", place)
    lower = finite(_si(table.lower, text_unit, f"{place}.lower"), f"{place}.lower")
    upper = finite(_si(table.upper, text_unit, f"{place}.upper"), f"{place}.upper")
    if lower >= upper:
        raise InputError(f"lower ({lower:g}) must be below upper ({upper:g}); were they swapped?", place)
    if table.type == "integer":
        if lower != int(lower) or upper != int(upper):
            raise InputError(f"is an integer, but its bounds are {lower:g} and {upper:g}", place)
        if upper - lower >= MAX_EVALUATIONS:
            raise InputError(f"has more than {MAX_EVALUATIONS} values; make it a real variable", place)
        return ChoiceVariable(path, text_unit, range(int(lower), int(upper) + 1))
    return RealVariable(path, text_unit, lower, upper)


def _si(value: Any, unit: str | list[str] | None, place: str) -> Any:
    return to_si(value, unit, place) if unit else value


def _check_values(
    model: Model, preset: str | None, settings: Mapping[str, Any], variable: Variable, place: str
) -> None:
    """Resolve the ends, a fraction between them, and every option, so that a run meets no surprise."""
    tries: list[tuple[str, Any]]
    if isinstance(variable, RealVariable):
        between = variable.decode(0.381966)
        tries = [("lower", variable.lower), ("upper", variable.upper), ("lower to upper", between)]
    elif isinstance(variable.values, range):
        tries = [("lower", variable.values[0]), ("upper", variable.values[-1])]
    else:
        tries = [("options", option) for option in variable.values]
    for where, value in tries:
        _try_value(model, preset, {**settings, variable.path: value}, f"{place}.{where}")


def _try_value(model: Model, preset: str | None, settings: Mapping[str, Any], where: str) -> None:
    try:
        model.resolve(preset, settings)
    except InputError as error:
        raise InputError(str(error), where) from None
