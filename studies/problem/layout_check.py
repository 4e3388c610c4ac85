"""One layout of a study checked against its model: fixed parameters, variables, initial designs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import Fault, FaultList, InputError, Place, UnknownNameError, is_within
from models import Model
from models.fields import field_at, is_numerical
from models.parameters import Parameters, steps_of
from studies.definition.derived_quantities import Derived
from studies.definition.link_tables import LinkTables, fixed_settings, links_of, mentioned, record_of
from studies.definition.links import NOT_FINITE, Links, value_at_steps
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable, Variable
from studies.definition.stored_model import is_free
from studies.definition.study_definition import MAX_VARIABLES, LayoutTable, StudyDefinition, VariableTable
from studies.problem.design_rules import DesignRules
from studies.problem.layout import encode, initial_points, variable_of
from studies.problem.validity import Validity, corners

FloatArray = NDArray[np.float64]

MOST_DESIGNS = 2048
"""Designs at which linked parameters are tried, in all."""
MOST_CORNERS = 256
"""Designs at which all ends of some variables are tried."""
_LEVELS = 64


class LinkFaults:
    """Faults of the links of a layout, each at its place in a study without layouts."""

    def __init__(
        self, model: Model, definition: StudyDefinition, tables: LinkTables, space: DesignSpace
    ) -> None:
        self._model, self._definition, self._tables, self._space = model, definition, tables, space
        self._settings = fixed_settings(tables)
        self._names = [variable.path for variable in space.variables]
        self._roots = space.links.roots(self._names)
        self._derived = Derived.of(definition)

    def __iter__(self) -> Iterator[InputError]:
        yield from self._out_of_bounds()
        yield from self._hidden_variables()
        yield from self._names_without_value()

    # ------------------------------------------------------------ values of linked parameters

    def _out_of_bounds(self) -> Iterator[InputError]:
        """Parameters that their bounds refuse where the variables are at their ends."""
        faults: dict[str, InputError] = {}
        for columns, paths in self._groups():
            for point in corners(self._space, columns, MOST_CORNERS):
                for error in self._faults_at(point, paths):
                    faults.setdefault(str(error.place), error)
        yield from faults.values()

    def _groups(self) -> list[tuple[list[int], list[str]]]:
        """Variables to try together, by column, each with the parameters that follow from them.

        All are one group where groups of their own would take too many designs.
        """
        groups: dict[frozenset[str], list[str]] = {}
        for path in self._space.links.paths:
            groups.setdefault(self._roots[path], []).append(path)
        if sum(3 ** len(group) for group in groups) > MOST_DESIGNS:
            groups = {frozenset[str]().union(*groups): list(self._space.links.paths)}
        return [
            ([column for column, name in enumerate(self._names) if name in group], paths)
            for group, paths in groups.items()
        ]

    def _faults_at(self, point: FloatArray, paths: Sequence[str]) -> Iterator[InputError]:
        """Faults of some linked parameters at one design, each where the study file links it."""
        settings = self._space.decode(point)
        _, wrong = self._model.value_faults(self._tables.preset, {**self._settings, **settings})
        values = self._space.named_values(point)
        for link in self._space.links.links if wrong else ():
            faults = [fault for fault in wrong if is_within(fault.place, steps_of(link.path))]
            if link.path not in paths or not faults:
                continue
            roots, value = self._roots[link.path], settings[link.path]
            where = ", ".join(f"{name} = {shown_value(values[name])}" for name in values if name in roots)
            what = f"'{link.path}' is {shown_value(value)}{' where ' if where else ''}{where}"
            message = what if value == NOT_FINITE else f"{what}: {_without_value(faults[0].message)}"
            yield InputError(
                f"leads out of bounds: {message}", link.place, names=(link.path.partition(".")[0],)
            )

    # ------------------------------------------------------------ derived quantities

    def _hidden_variables(self) -> Iterator[InputError]:
        """Variables in goals that no parameter shows: two designs of one robot would differ in a goal."""
        goals = (*self._definition.objectives, *self._definition.constraints)
        named = {name: goal for goal in goals for name in self._derived.names_of(goal)}
        for column, path in enumerate(self._names):
            if path in named and path in self._space.links.free and not self._is_shown(column):
                text = (
                    f"stands in '{named[path]}', but no parameter follows from it alone, always up or always "
                    "down: equal robots would differ there. Name the parameters in the expression instead"
                )
                yield InputError(text, ("variables", path))

    def _is_shown(self, column: int) -> bool:
        """True if a parameter follows from a variable alone, with another value for each of its values."""
        variable, alone = self._space.variables[column], frozenset({self._names[column]})
        choices = len(variable.values) if isinstance(variable, ChoiceVariable) else _LEVELS + 1
        count = min(choices, _LEVELS)
        point, rows = np.full(len(self._space), 0.5), list[dict[str, Any]]()
        for number in range(count):
            point[column] = (number + 0.5) / count
            rows.append(self._space.decode(point))
        return any(
            self._roots[path] == alone and _differ([row[path] for row in rows], in_order=choices > _LEVELS)
            for path in self._space.links.paths
        )

    def _names_without_value(self) -> Iterator[InputError]:
        """Parameters in derived quantities that have no number, such as a pulley that is not listed."""
        metrics = {metric.name for metric in self._model.metrics}
        known = {*metrics, *self._definition.expressions, *self._names, *self._space.links.paths}
        if not self._derived.expressions:
            return
        middle = {**self._settings, **self._space.middle()}
        record = record_of(self._model, self._tables.preset, middle)
        for link in self._derived.expressions:
            for name in link.expression.names:
                value = None if name in known else value_at_steps(record, name.split("."))
                if name not in known and (isinstance(value, bool) or not isinstance(value, int | float)):
                    text = f"needs '{name}', which has no value here; set it under parameters"
                    yield InputError(text, link.place, names=(name,))


def unused_variables(links: Links, variables: Sequence[str]) -> list[str]:
    """Variables that are no parameters, and from which none follows."""
    used = {root for roots in links.roots(variables).values() for root in roots}
    return sorted(links.free - used)


def shown_value(value: Any) -> str:
    """A value in a sentence."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _without_value(message: str) -> str:
    """A fault's message without the value that was given, which is said before."""
    before, _, rest = message.partition(": ")
    return rest if rest.startswith("must ") else message if not rest else f"{before}: {rest}"


def _differ(values: Sequence[Any], *, in_order: bool) -> bool:
    """True if no two numbers are equal; ``in_order`` when they must always grow, or always fall, too."""
    if NOT_FINITE in values or len(set(values)) < len(values):
        return False
    return not in_order or len({after > before for before, after in pairwise(values)}) <= 1


RESERVED_LAYOUTS = frozenset({"criterion", "unit", "winner", "margin", "meaning"})
_BETWEEN = 0.381966
"""A fraction of a range, at no number that people write."""


class LayoutCheck:
    """Check of the parameters that a layout fixes and varies, in their order.

    Raises ``InputError`` for a layout or preset whose name cannot be used. Every other fault goes to
    ``faults``, each placed in the table in which its key stands.

    Attributes
    ----------
    preset : str or None
    settings : dict
        Fixed parameters by dotted path.
    variables : dict
        Tables of the variables by dotted path.
    space : DesignSpace
        The variables without fault.
    points : array, shape (k, d)
        Initial designs in the unit cube.
    middle : Parameters
        The design in the middle of the space. Values that exclude each other are in it all the same.
    remarks : tuple of str
    """

    def __init__(
        self, definition: StudyDefinition, model: Model, layout: str, table: LayoutTable | None
    ) -> None:
        if table is not None and layout in RESERVED_LAYOUTS:
            raise InputError(
                f"'{layout}' is the name of a column of comparisons; choose another", ("layouts",)
            )
        self._model, self._own = model, table or LayoutTable()
        self._place: Place = () if table is None else ("layouts", layout)
        self._definition, self._tables = definition, LinkTables.of(definition, layout)
        self.preset = self._tables.preset
        if self.preset is not None:
            model.preset(self.preset, (*(self._place if self._own.preset else ()), "preset"))
        self.settings: dict[str, Any] = dict(self._tables.settings)
        self.variables = self._tables.variables
        common = self._own.initial is None
        self._initial = (definition.search.initial if common else self._own.initial) or []
        self._earlier = (definition.search if table is None else table).earlier or []
        self.initial_place: Place = ("search", "initial") if common else (*self._place, "initial")
        self.remarks: tuple[str, ...] = ()

    def run(self, validity: Validity, faults: FaultList) -> None:
        """Check everything; ``validity`` tries designs when each value for itself is right."""
        found = FaultList()
        self._check_names(found)
        fixed = fixed_settings(self._tables)
        self.settings = {path: fixed[path] for path in self.settings if path in fixed}
        variables = self._space(found)
        self.space = DesignSpace(tuple(variables), self._links(found))
        if len(variables) == len(self.variables):
            self._add_rules(found)
        self._check_values(found)
        if len(variables) == len(self.variables):
            faults_of_links = LinkFaults(self._model, self._definition, self._tables, self.space)
            found.add(*(error.at(self._own_place(error.place)) for error in faults_of_links))
        self.points = np.empty((0, len(self.space)))
        with found.collect():
            if len(variables) == len(self.variables):
                stated = initial_points(self._model, self.space, self._initial, self.initial_place)
                place = (*(self._place or ("search",)), "earlier")
                earlier = initial_points(self._model, self.space, self._earlier, place)
                self.points = np.concatenate([stated, earlier])
        if not found:
            with found.collect():
                self._check_designs(validity)
        faults.add(*found.errors)

    def _check_names(self, found: FaultList) -> None:
        """Names of fixed parameters; those that are not known are left out of what follows."""
        known = self._model.parameters.model_fields
        for path in list(self.settings):
            if self._model.parameters.field_of(path):
                continue
            place = self._home(steps_of(path))
            if path == "preset":
                found.add(InputError("is not a parameter; write it one level up", place))
            else:
                found.add(UnknownNameError("parameter", path.partition(".")[0], known, place))
            del self.settings[path]

    def _space(self, found: FaultList) -> list[Variable]:
        """The variables without fault."""
        where = (*self._place, "variables")
        variables: list[Variable] = []
        if not self.variables:
            example = 'beta1 = { lower = "0 deg", upper = "90 deg" }'
            found.add(InputError(f"declares nothing to vary; add e.g. {example}", where))
        if len(self.variables) > MAX_VARIABLES:
            text = f"has {len(self.variables)} variables; at most {MAX_VARIABLES} are allowed"
            found.add(InputError(text, where))
            return []
        named = mentioned(self._definition, self._tables)
        for path, table in self.variables.items():
            place = self._home(steps_of(path))
            with found.collect():
                if path in self.settings and not table.when:
                    raise InputError("is also fixed under parameters; keep one of the two", place)
                variables.append(_variable(self._model, path, table, place, named))
        return variables

    def _links(self, found: FaultList) -> Links:
        """The parameters that follow from variables, those without fault."""
        own = FaultList()
        links = links_of(self._model, self._definition, self._tables, own)
        found.add(*(error.at(self._own_place(error.place)) for error in own.errors))
        if not found:
            for path in unused_variables(links, list(self.variables)):
                text = "is no parameter, and no parameter follows from it; list what it drives"
                found.add(InputError(text, self._home(steps_of(path))))
        return links

    def _add_rules(self, found: FaultList) -> None:
        """Give the space its conditions and equal parts, those without fault."""
        rules = DesignRules(
            self._model, self.space.variables, encode, lambda path: self._home(steps_of(path)), found
        )
        conditions = rules.conditions(self.variables, self.space.links.free)
        place = (*(self._place if self._own.interchangeable is not None else ()), "interchangeable")
        exchanges = rules.exchanges(self._tables.interchangeable, conditions, place)
        self.space = replace(self.space, conditions=conditions, exchanges=exchanges)

    def _own_place(self, place: Place) -> Place:
        """A place in the tables of a study without layouts, where this layout has it."""
        table: Any = getattr(self._own, str(place[0]), None) if place else None
        own = table is not None and (place[0] == "symmetry" or place[1] in table)
        if place[:1] == ("parameters",) and len(place) > 1 and isinstance(place[1], str):
            return self._home(steps_of(place[1]))
        return (*self._place, *place) if own else place

    def _check_values(self, found: FaultList) -> None:
        """Every fixed value, end and option by itself, so that a run meets no surprise."""
        middle = self.space.decode(np.full(len(self.space), 0.5))
        tree, wrong = self._model.value_faults(self.preset, {**self.settings, **middle})
        self.middle: Parameters = self._model.parameters.model_construct(**tree)
        varied = [steps_of(path) for path in middle]
        fixed = [fault for fault in wrong if not any(is_within(fault.place, path) for path in varied)]
        found.add(*(InputError.of(fault._replace(place=self._home(fault.place))) for fault in fixed))
        for path in self.settings.keys() & self.variables.keys():
            _, alone = self._model.value_faults(self.preset, self.settings)
            own = [fault for fault in alone if is_within(fault.place, steps_of(path)) and fault not in fixed]
            place = (*(self._place if path in self._own.parameters else ()), "parameters", path)
            found.add(*(InputError.of(fault._replace(place=place)) for fault in own))
        for variable in self.space.variables:
            if variable.path not in self.space.links.free:
                found.add(*self._faults_of_variable(variable, {**self.settings, **middle}, fixed))

    def _faults_of_variable(
        self, variable: Variable, settings: Mapping[str, Any], known: list[Fault]
    ) -> list[InputError]:
        """Faults of a variable's ends or options, beside those that are known of the rest."""
        place = self._home(steps_of(variable.path))

        def faults(value: Any) -> list[Fault]:
            _, wrong = self._model.value_faults(self.preset, {**settings, variable.path: value})
            return [
                fault for fault in wrong if fault not in known and not self._is_of_another(fault, variable)
            ]

        tried = [(where, faults(value)) for where, value in _ends_and_options(variable)]
        if isinstance(variable, RealVariable):
            between = variable.decode(_BETWEEN)
            whole = faults(float(math.floor(between))) + faults(float(math.ceil(between)))
            if faults(between) and not whole:
                return [InputError('takes whole numbers only; add type = "integer"', place)]
        if len(tried) > 1 and tried[0][1] and all(found == tried[0][1] for _, found in tried):
            return [_of_variable(variable, fault, place) for fault in tried[0][1]]  # not of the values
        return [_of_variable(variable, fault, (*place, where)) for where, found in tried for fault in found]

    def _is_of_another(self, fault: Fault, variable: Variable) -> bool:
        """True if a fault is that of another variable's middle."""
        others = (steps_of(path) for path in self.space.parameters if path != variable.path)
        own = is_within(fault.place, steps_of(variable.path))
        return not own and any(is_within(fault.place, other) for other in others)

    def _check_designs(self, validity: Validity) -> None:
        """Raise ``InputError`` when no design of the space is valid."""
        try:
            valid = validity.require(self.preset, self.settings, self.space, self.points)
        except InputError as error:
            varied = error.place == ("variables",)
            own = self._own.variables if varied else self._own.parameters
            raise error.at((*(self._place if own else ()), *error.place)) from None
        if valid is not None:
            options = validity.remarks(self.preset, self.settings, self.space, valid)
            self.remarks = (*self._former_names(), *self._assumptions(), *options)

    def _former_names(self) -> list[str]:
        """A sentence about the parameters that the study calls by the names that they had before."""
        present = self._model.parameters.present_path
        paths = dict.fromkeys([*self.variables, *self.settings, *self.space.links.paths])
        found = [f"{path} is now {present(path)}" for path in paths if path != present(path)]
        return (
            [f"these parameters have other names since: {', '.join(found)}; both are read"] if found else []
        )

    def _assumptions(self) -> list[str]:
        """A sentence about fields of a published robot that a robot of the user's own takes over."""
        name_of = self._model.parameters.field_of
        stated = {name_of(path) or path: value for path, value in {**self.variables, **self.settings}.items()}
        missing = self._model.parameters.assumed_for(stated)
        if not missing:
            return []
        names = ", ".join(missing)
        show = f"`tautline models show {self._model.name}` prints them"
        return [f"these parameters are not stated and keep the values of a published robot: {names}; {show}"]

    def _home(self, place: Place) -> Place:
        """The whole place of a parameter: in the table, of the layout or of the study, that sets it."""
        for table, own, common in (
            ("variables", self._own.variables, self.variables),
            ("parameters", self._own.parameters, self._tables.settings),
        ):
            for holder, paths in ((self._place, own), ((), common)):
                for path in paths:
                    inner = steps_of(path)
                    if is_within(place, inner):
                        return (*holder, table, path, *place[len(inner) :])
        own = any(steps_of(path)[:1] == place[:1] for path in self._own.parameters)  # set in several parts
        return (*(self._place if own else ()), "parameters", *place)


def _of_variable(variable: Variable, fault: Fault, place: Place) -> InputError:
    """A fault of a variable's value, with the place inside the value when it is not the value itself."""
    message = fault.message if fault.place == steps_of(variable.path) else fault.text
    return InputError.of(fault._replace(place=place, message=message))


def _variable(
    model: Model, path: str, table: VariableTable, place: Place, mentioned: frozenset[str]
) -> Variable:
    variable = variable_of(model, path, table, place, mentioned)
    if not is_free(model, path) and is_numerical(field_at(model.parameters, path)):
        raise InputError(
            "is a setting of the computation, not a property of the robot: a search would prefer the setting "
            "whose error flatters the design. Fix it under parameters, and evaluate the front again with a "
            "finer one",
            place,
        )
    return variable


def _ends_and_options(variable: Variable) -> list[tuple[str, Any]]:
    """Values of a variable to try, with the key of its table: its ends, or every option."""
    if isinstance(variable, RealVariable):
        return [("lower", variable.lower), ("upper", variable.upper)]
    if variable.stepped:
        ends = [("lower", variable.values[0]), ("upper", variable.values[-1])]
        return ends if isinstance(variable.values, range) else [*ends, ("step", variable.values[1])]
    return [("options", option) for option in variable.values]
