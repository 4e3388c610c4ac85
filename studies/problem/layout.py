"""One layout of a study as it is stated: its variables, what it fixes, wants and bounds.

:func:`stated_layouts` reads a stored study so that its results can be shown, whether or not the installed
model would run it; :func:`studies.problem.problem.build_problems` checks that it may run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import FaultList, InputError, Place, UnknownNameError, place_text
from models import Model
from models.fields import unit_at
from models.parameters import difference_to_si, to_si
from studies.definition.derived_quantities import Derived, study_model, with_absent, without_derived
from studies.definition.expressions import RESERVED
from studies.definition.link_tables import LinkTables, fixed_settings, links_of, mentioned
from studies.definition.objectives import (
    Constraint,
    Given,
    Objective,
    absent_values,
    check_metrics,
    constraints,
    finite,
    objectives,
    stated,
)
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable, Variable, middle_of
from studies.definition.stored_model import free_unit, is_free
from studies.definition.study_definition import (
    MAX_EVALUATIONS,
    LayoutTable,
    SearchTable,
    StudyDefinition,
    VariableTable,
)
from studies.definition.tolerance_sampling import Uncertainty
from studies.problem.design_rules import DesignRules
from studies.problem.free_constraints import refuse_outside
from studies.problem.robustness import Goals, searched_uncertainty
from studies.search import planned_designs

FloatArray = NDArray[np.float64]


MOST_STEPS = 1000
"""Values of a variable in steps."""


def point_of(model: Model, space: DesignSpace, design: Mapping[str, Any], place: Place) -> FloatArray:
    """The snapped point ``(d,)`` of a design; raises ``InputError`` at or below ``place`` where it is none.

    A variable that does not act may be left out.
    """
    paths = [variable.path for variable in space.variables]
    for path in design:
        if path not in paths:
            raise UnknownNameError("variable", path, paths, place)
    point = np.array([middle_of(variable) for variable in space.variables])
    for column, variable in enumerate(space.variables):
        if variable.path in design:
            point[column] = encode(model, variable, design[variable.path], (*place, variable.path))
    missing = [path for path in paths if path not in design]
    idle = space.idle(point) if missing else []
    for path in missing:
        if path not in idle:
            text = f"has no value for '{path}'; give a value for every variable"
            raise InputError(text, place, names=(path,))
    return space.settle(point[None])[0]


def initial_points(
    model: Model, space: DesignSpace, designs: Sequence[Mapping[str, Any]], place: Place
) -> FloatArray:
    """Snapped points ``(k, d)`` of different designs; raises ``InputError`` at the first fault."""
    points = np.empty((len(designs), len(space)))
    seen: dict[bytes, int] = {}
    for number, design in enumerate(designs):
        here = (*place, number)
        points[number] = point_of(model, space, design, here)
        first = seen.setdefault(points[number].tobytes(), number)
        if first != number:
            raise InputError(f"is the same design as {place_text((*place, first))}; give it only once", here)
    return points


def encode(model: Model, variable: Variable, given: Any, place: Place) -> float:
    """The snapped coordinate of a value of the study file; raises ``InputError`` for one out of range."""
    unit = unit_at(model.parameters, variable.path) or variable.unit
    value = to_si(given, unit, place) if unit else given
    if isinstance(variable, ChoiceVariable):
        try:
            return variable.encode(value)
        except ValueError:
            raise InputError(f"{given!r} is not among {_listed(variable)}", place) from None
    number = finite(value, place)
    if not variable.lower <= number <= variable.upper:
        raise InputError(f"{number:g} is not within {variable.lower:g} and {variable.upper:g}", place)
    return variable.encode(number)


def _listed(variable: ChoiceVariable) -> str:
    if variable.stepped and not isinstance(variable.values, range):
        first, second, *_, last = (*variable.values, variable.values[-1])
        return f"the steps of {second - first:.12g} from {first:.12g} to {last:.12g}"
    if isinstance(variable.values, range):
        return f"the whole numbers {variable.values[0]} to {variable.values[-1]}"
    return f"the options {', '.join(repr(value) for value in variable.values)}"


_FREE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def variable_of(
    model: Model, path: str, table: VariableTable, place: Place, mentioned: frozenset[str] = frozenset()
) -> Variable:
    """The variable at a dotted path, in SI; raises ``InputError`` at ``place``, or at a key inside it.

    One that is no parameter itself is among ``mentioned``: it drives something, or stands in an expression.
    """
    unit = _unit_of(model, path, table, place, mentioned)
    text_unit = unit if isinstance(unit, str) else ""
    if table.options is not None:
        options = [_si(option, unit, (*place, "options")) for option in table.options]
        if len({repr(option) for option in options}) != len(options):
            raise InputError("lists an option twice", (*place, "options"))
        return ChoiceVariable(path, text_unit, tuple(options))
    if not text_unit:
        raise InputError("is not a number, so it cannot have lower and upper; list its options", place)
    lower = finite(_si(table.lower, text_unit, (*place, "lower")), (*place, "lower"))
    upper = finite(_si(table.upper, text_unit, (*place, "upper")), (*place, "upper"))
    if lower >= upper:
        low, high = stated(table.lower, text_unit), stated(table.upper, text_unit)
        raise InputError(f"{low} must be below upper ({high}); were the two swapped?", (*place, "lower"))
    if table.type == "integer":
        return ChoiceVariable(path, text_unit, _whole_numbers(lower, upper, place), stepped=True)
    if table.step is not None:
        return ChoiceVariable(path, text_unit, _steps(table, lower, upper, text_unit, place), stepped=True)
    if table.scale == "log":
        _check_decades(lower, upper, stated(table.lower, text_unit), (*place, "lower"))
    return RealVariable(path, text_unit, lower, upper, logarithmic=table.scale == "log")


def _whole_numbers(lower: float, upper: float, place: Place) -> range:
    """The whole numbers from bound to bound; raises ``InputError`` unless the bounds are such."""
    if lower != int(lower) or upper != int(upper):
        raise InputError(f"is an integer, but its bounds are {lower:g} and {upper:g}", place)
    if upper - lower >= MAX_EVALUATIONS:
        raise InputError(f"has more than {MAX_EVALUATIONS} values; make it a real variable", place)
    return range(int(lower), int(upper) + 1)


def _check_decades(lower: float, upper: float, said: str, place: Place) -> None:
    """Raise ``InputError`` for ends between which there is no logarithmic scale."""
    if lower <= 0.0:
        raise InputError(f"{said} must be above 0 on a logarithmic scale", place)
    if not math.isfinite(upper / lower):
        raise InputError(f"{said} is more decades below upper than numbers have; raise it", place)


def _steps(table: VariableTable, lower: float, upper: float, unit: str, place: Place) -> tuple[float, ...]:
    """The values of a variable in steps, from bound to bound; raises ``InputError`` unless they fit."""
    here = (*place, "step")
    step = finite(difference_to_si(table.step, unit, here), here)
    if not 0.0 < step <= upper - lower:
        raise InputError(f"{stated(table.step, unit)} must be above 0 and at most upper - lower", here)
    count = (upper - lower) / step
    if count >= MOST_STEPS:
        raise InputError(f"makes more than {MOST_STEPS} values; leave it out, or make it larger", here)
    if abs(count - round(count)) > 1e-6:
        ends = " or ".join(f"{float(f'{lower + k * step:.12g}'):g}" for k in (int(count), int(count) + 1))
        raise InputError(
            f"{stated(table.step, unit)} does not reach upper; that would be {ends} {unit}", here
        )
    between = (float(f"{lower + k * step:.12g}") for k in range(1, round(count)))
    return (lower, *(0.0 if abs(value) < 1e-9 * step else value for value in between), upper)


def _unit_of(
    model: Model, path: str, table: VariableTable, place: Place, mentioned: frozenset[str]
) -> str | list[str] | None:
    """The unit of a variable; raises ``InputError`` for a name that means nothing."""
    if not is_free(model, path):
        return unit_at(model.parameters, path)
    if path not in mentioned:
        raise UnknownNameError("parameter", path.split(".", 1)[0], model.parameters.model_fields, place)
    if not _FREE_NAME.fullmatch(path) or path in RESERVED:
        raise InputError("cannot be used as a name; use letters, digits and '_', no digit first", place)
    if table.options is not None and any(isinstance(option, (bool, list)) for option in table.options):
        raise InputError("is no parameter itself, so its options must be numbers", (*place, "options"))
    return free_unit(model, table)


def _si(value: Any, unit: str | list[str] | None, place: Place) -> Any:
    return to_si(value, unit, place) if unit else value


@dataclass(frozen=True, slots=True)
class Layout:
    """A design space of a model, with what is wanted of its designs."""

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
    derived: Derived = field(default=Derived(), kw_only=True)
    absent: Mapping[str, float] = field(default_factory=dict[str, float], kw_only=True, compare=False)
    """Values that stand in derived goals for metrics that a design does not have."""
    uncertainty: Uncertainty | None = field(default=None, kw_only=True)
    """Robots that production makes of designs, if goals are statistics of them."""
    free_in_robots: tuple[str, ...] = field(default=(), kw_only=True, compare=False)
    """The variables that are no parameters, but needed to judge a robot."""

    def robots_of(self, named: Mapping[str, Any]) -> dict[str, Any] | None:
        """The document of the uncertainty of a design, whose variables are given by name."""
        if self.uncertainty is None:
            return None
        free = {name: float(named[name]) for name in self.free_in_robots}
        return replace(self.uncertainty, variables=free).document

    @property
    def derived_goals(self) -> list[str]:
        """The derived quantities among objectives and constraints."""
        known = {link.path for link in self.derived.expressions}
        goals = dict.fromkeys([goal.metric for goal in (*self.objectives, *self.constraints)])
        return [name for name in goals if name in known]

    def goal_metrics(
        self, metrics: Mapping[str, float | None], parameters: Mapping[str, Any], point: FloatArray
    ) -> dict[str, float | None]:
        """The metrics of a design by which it is judged, with the derived quantities among the goals.

        Each of those is None where it is no finite number.
        """
        goals = self.derived_goals
        if not goals:
            return dict(metrics)
        known = with_absent(metrics, self.absent)
        derived = self.derived.values(known, parameters, self.space.named_values(point))
        return {**metrics, **{name: derived[name] for name in goals}}

    def point(self, design: Mapping[str, Any], place: Place = ()) -> FloatArray:
        """The snapped point ``(d,)`` of a design by the paths of its variables.

        Raises ``InputError`` at ``place`` where it is none of the space.
        """
        point = point_of(self.model, self.space, design, place)
        refuse_outside(self.space, point, place)
        return point

    def planned_designs(self, search: SearchTable) -> int:
        """Designs that one run asks for at most."""
        return planned_designs(search, self.space, len(self.objectives))


def stated_layouts(definition: StudyDefinition) -> dict[str, Layout]:
    """The layouts of a stored study by name, without a check whether they may run.

    What the installed model has no name for, or cannot read, is left out: presets, variables, metrics,
    initial designs. Raises ``InputError`` when the model itself is not installed.
    """
    model, unread = study_model(definition), FaultList()
    cost_class = ""
    with unread.collect():
        cost_class = model.cost_class_for(check_metrics(definition, model, unread))
    tables = definition.layouts or {"default": LayoutTable()}
    return {name: _stated(definition, model, name, table, cost_class) for name, table in tables.items()}


def _stated(
    definition: StudyDefinition, model: Model, name: str, table: LayoutTable, cost_class: str
) -> Layout:
    unread = FaultList()
    tables = LinkTables.of(definition, name)
    preset = tables.preset if tables.preset in model.presets else None
    settings = fixed_settings(tables)
    variables: list[Variable] = []
    named = mentioned(definition, tables)
    for path, given in tables.variables.items():
        with unread.collect():
            variables.append(variable_of(model, path, given, (path,), named))
    links = links_of(model, definition, tables, unread)
    rules = DesignRules(model, variables, encode, lambda path: (path,), unread)
    conditions = rules.conditions(tables.variables, links.free)
    exchanges = rules.exchanges(tables.interchangeable, conditions, ())
    space = DesignSpace(tuple(variables), links, conditions, exchanges)
    points = np.empty((0, len(space)))
    with unread.collect():
        stated = definition.search.initial if table.initial is None else table.initial
        earlier = (table if definition.layouts else definition.search).earlier
        points = initial_points(model, space, [*(stated or []), *(earlier or [])], ())
    middle = space.decode(np.full(len(space), 0.5))
    tree, _ = model.value_faults(preset, {**settings, **middle})
    known = Given(
        model.parameters.model_construct(**tree),
        frozenset(model.parameters.field_of(path) or path for path in middle),
    )
    limits, absent = constraints(definition, model, known, unread), absent_values(definition, model, known)
    goals = Goals(known.parameters, limits, absent, space.links.free)
    robots, free = searched_uncertainty(definition, model, name, goals, unread)
    return Layout(
        without_derived(model, definition), name, preset, settings, space,
        objectives(definition, model, known, unread),
        limits,
        cost_class, definition.evaluation.seed if model.stochastic else 0, points,
        derived=Derived.of(definition), absent=absent, uncertainty=robots, free_in_robots=free,
    )  # fmt: skip
