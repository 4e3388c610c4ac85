"""The links of a layout, made from the tables of its study file and checked against the model.

Three tables make links: ``drives`` of a variable, ``[[symmetry]]``, and parameters that are expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from errors import FaultList, InputError, Place, UnknownNameError
from models import Model
from models.fields import field_at, is_numerical, unit_at
from models.parameters import Parameters, difference_to_si, to_si
from studies.definition.derived_quantities import named_expressions, parameter_unit, require_value
from studies.definition.expressions import (
    Expression,
    Name,
    Node,
    Number,
    Operation,
    read_expression,
    require_same_unit,
    shown_unit,
    unit_of_expression,
)
from studies.definition.links import NO_LINKS, Link, Links, holds, in_order, value_at_steps
from studies.definition.stored_model import free_unit, is_free
from studies.definition.study_definition import Member, StudyDefinition, SymmetryTable, VariableTable

EXPRESSION = "expression"
"""The key of a table that stands for the value of a parameter: ``{ expression = "hole_radius / 10" }``."""
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_AXES = ("x", "y", "z")
MOST_LINKS = 1000


@dataclass(frozen=True, slots=True)
class LinkTables:
    """Tables of a layout: its own laid over those that it has from the study."""

    preset: str | None
    settings: Mapping[str, Any]
    variables: Mapping[str, VariableTable]
    symmetry: Sequence[SymmetryTable]
    interchangeable: Sequence[Sequence[Member]] = ()

    @classmethod
    def of(cls, definition: StudyDefinition, layout: str) -> LinkTables:
        """Lay the tables of a layout over those of the study."""
        own = definition.layouts.get(layout)
        if own is None:
            return cls(
                definition.preset, definition.parameters, definition.variables, definition.symmetry,
                definition.interchangeable,
            )  # fmt: skip
        return cls(
            definition.preset if own.preset is None else own.preset,
            {**definition.parameters, **own.parameters},
            {**definition.variables, **own.variables},
            definition.symmetry if own.symmetry is None else own.symmetry,
            definition.interchangeable if own.interchangeable is None else own.interchangeable,
        )

    @property
    def link_count(self) -> int:
        """Number of linked parameters, at most."""
        drives = sum(len(table.drives) for table in self.variables.values())
        copies = sum(len(_AXES) * len(symmetry.to) for symmetry in self.symmetry)
        return drives + copies + len(_expressions(self.settings))


def fixed_settings(tables: LinkTables) -> dict[str, Any]:
    """Fixed parameters of a layout, without expressions, and with room for the copies of a symmetry."""
    settings = {
        path: _without_expressions(value)
        for path, value in tables.settings.items()
        if not _is_expression(value)
    }
    for name in dict.fromkeys(symmetry.parameter for symmetry in tables.symmetry):
        listed = settings.get(name)
        if isinstance(listed, list) and listed:
            copies = {item for each in tables.symmetry if each.parameter == name for item in each.to}
            settings[name] = _with_room(listed, copies)
    return settings


def _with_room(listed: list[Any], to: Iterable[int]) -> list[Any]:
    """A list with more items at its end, as far as copies follow it without a gap."""
    found = list(listed)
    for item in sorted(to):
        if item == len(found):
            found.append([0.0, 0.0, 0.0])
    return found


def _is_expression(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {EXPRESSION}


def _without_expressions(value: Any) -> Any:
    if _is_expression(value):
        return 0.0
    if isinstance(value, Mapping):
        return {key: _without_expressions(item) for key, item in value.items()}
    return [_without_expressions(item) for item in value] if isinstance(value, list) else value


def _expressions(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The text of every parameter that is an expression, by its dotted path."""
    found: dict[str, Any] = {}
    left = list(settings.items())
    while left:
        path, value = left.pop(0)
        if _is_expression(value):
            found[path] = value[EXPRESSION]
        elif isinstance(value, Mapping):
            left += [(f"{path}.{key}", item) for key, item in value.items()]
        elif isinstance(value, list):
            left += [(f"{path}.{i}", item) for i, item in enumerate(value) if isinstance(item, (dict, list))]
    return found


def mentioned(definition: StudyDefinition, tables: LinkTables) -> frozenset[str]:
    """Variables that drive something, and every name in an expression, also in a faulty one."""
    found = {path for path, table in tables.variables.items() if table.drives}
    for text in (*definition.expressions.values(), *_expressions(tables.settings).values()):
        found.update(_NAME.findall(str(text)))
    return frozenset(found)


def links_of(model: Model, definition: StudyDefinition, tables: LinkTables, faults: FaultList) -> Links:
    """The links of a layout; what is faulty in them is left out, and goes to ``faults``.

    Places are those of a study without layouts.
    """
    free = frozenset(path for path in tables.variables if is_free(model, path))
    if not tables.link_count:
        return NO_LINKS if not free else Links(free=free)
    named = {link.path: link for link in named_expressions(definition, FaultList())}
    faulty = frozenset(definition.expressions) - named.keys()
    return _LinkCheck(model, tables, named, faulty, free, faults).run()


class _LinkCheck:
    """The links of one layout, in the order in which they are checked."""

    def __init__(
        self,
        model: Model,
        tables: LinkTables,
        named: Mapping[str, Link],
        faulty: frozenset[str],
        free: frozenset[str],
        faults: FaultList,
    ) -> None:
        self._faulty = faulty
        self._model, self._tables, self._named, self._free, self._faults = model, tables, named, free, faults
        self._fixed = fixed_settings(tables)
        self._links: dict[str, Link] = {}
        self._named_units: dict[str, str | InputError] = {}

    def run(self) -> Links:
        for link in chain(self._drives(), self._copies(), self._stated()):
            with self._faults.collect():
                self._check_target(link)
                self._links[link.path] = link
            if len(self._links) > MOST_LINKS:
                text = f"makes more than {MOST_LINKS} parameters follow from variables; at most so many may"
                self._faults.add(InputError(text, link.place))
                return Links(free=self._free)
        for link in self._named.values():
            self._named_units[link.path] = self._unit_or_fault(link)
        found: list[Link] = []
        for link in self._links.values():
            with self._faults.collect():
                self._check_unit(link)
                require_value(link)
                found.append(link)
        ordered: tuple[Link, ...] = ()
        with self._faults.collect():
            ordered = in_order([*found, *self._needed(found)])
        return Links(ordered, self._constants(ordered), self._free)

    # ------------------------------------------------------------ the three tables

    def _drives(self) -> Iterator[Link]:
        for path, table in self._tables.variables.items():
            for number, drive in enumerate(table.drives):
                place: Place = ("variables", path, "drives", number)
                with self._faults.collect():
                    record = self._model.parameters
                    if record.field_of(drive.parameter) is None:
                        head = drive.parameter.partition(".")[0]
                        raise UnknownNameError("parameter", head, record.model_fields, place)
                    unit = parameter_unit(self._model, record.present_path(drive.parameter), (), place)
                    offset = float(difference_to_si(drive.offset, unit, (*place, "offset")))
                    tree = _affine(Name(path), float(drive.factor), offset, unit)
                    yield Link(drive.parameter, Expression(tree, f"{path} of {drive.parameter}"), place)

    def _copies(self) -> Iterator[Link]:
        for number, symmetry in enumerate(self._tables.symmetry):
            place: Place = ("symmetry", number)
            with self._faults.collect():
                unit = self._unit_of_points(symmetry.parameter, place)
                point = [
                    float(to_si(value, unit, (*place, "point")))
                    for value in symmetry.point or (0.0, 0.0, 0.0)
                ]
                for source, target in zip(symmetry.from_, symmetry.to, strict=True):
                    for k, (axis, sign) in enumerate(_turned(symmetry)):
                        name = f"{symmetry.parameter}.{source}.{axis}"
                        tree = _affine(Name(name), sign, point[k] - sign * point[axis], unit)
                        yield Link(f"{symmetry.parameter}.{target}.{k}", Expression(tree, name), place)

    def _unit_of_points(self, parameter: str, place: Place) -> str:
        fields = self._model.parameters.model_fields
        if parameter not in fields:
            raise UnknownNameError("parameter", parameter, fields, (*place, "parameter"))
        unit, listed = unit_at(self._model.parameters, f"{parameter}.0.0"), self._base(parameter)
        points = isinstance(listed, (list, tuple)) and all(
            isinstance(item, (list, tuple)) and len(item) == len(_AXES) for item in listed
        )
        if not isinstance(unit, str) or not points:
            text = f"'{parameter}' is no list of points here; write the list under parameters"
            raise InputError(text, (*place, "parameter"), names=(parameter,))
        return unit

    def _stated(self) -> Iterator[Link]:
        for path, text in _expressions(self._tables.settings).items():
            place: Place = ("parameters", path)
            with self._faults.collect():
                if not isinstance(text, str):
                    raise InputError('needs its expression as text, as in { expression = "2 * a" }', place)
                yield Link(path, read_expression(text, place), place)

    # ------------------------------------------------------------ checks

    def _check_target(self, link: Link) -> None:
        """Raise ``InputError`` for a parameter that cannot follow from anything."""
        fields, path = self._model.parameters.model_fields, link.path
        if self._model.parameters.field_of(path) is None:
            raise UnknownNameError("parameter", path, fields, link.place)
        if not isinstance(unit_at(self._model.parameters, path), str):
            raise InputError(f"'{path}' is not a number, so it cannot follow from a variable", link.place)
        if is_numerical(field_at(self._model.parameters, path)):
            text = f"'{path}' is a setting of the computation, not a property of the robot; fix it"
            raise InputError(text, link.place)
        if path in self._links:
            raise InputError(f"'{path}' gets its value twice; keep one", link.place, names=(path,))
        if any(holds(varied, path) for varied in self._tables.variables):
            raise InputError(f"'{path}' is a variable as well; keep one of the two", link.place)
        if path in self._fixed:
            raise InputError(f"'{path}' is also fixed under parameters; keep one of the two", link.place)

    def _check_unit(self, link: Link) -> None:
        """Raise ``InputError`` unless the expression gives a number in the parameter's unit."""
        wanted = unit_at(self._model.parameters, link.path)
        unit = unit_of_expression(link.expression, lambda name: self._unit(name, link), link.place)
        one, two = shown_unit(unit), shown_unit(str(wanted))
        text = f"gives '{link.path}' a value in {one}, but it is in {two}"
        require_same_unit(unit, str(wanted), text, link.place)

    def _unit(self, name: str, link: Link) -> str:
        if name in self._tables.variables and name in self._free:
            return free_unit(self._model, self._tables.variables[name])
        if name in self._named_units:
            unit = self._named_units[name]
            if isinstance(unit, InputError):
                raise InputError(
                    f"needs the expression '{name}', which {unit.message}", link.place, names=(name,)
                )
            return unit
        if name in self._faulty:
            text = f"needs the expression '{name}', which has a fault of its own"
            raise InputError(text, link.place, names=(name,))
        if any(metric.name == name for metric in self._model.metrics):
            text = f"needs the metric '{name}', which follows from the parameters, not the other way round"
            raise InputError(text, link.place, names=(name,))
        unit = parameter_unit(self._model, name, [*self._free, *self._named], link.place)
        table = next((each for path, each in self._tables.variables.items() if holds(path, name)), None)
        if table is not None and table.when and self._constant(name) is None:
            text = f"needs '{name}', which has no value where it does not act; set it under parameters, too"
            raise InputError(text, link.place, names=(name,))
        known = name in self._links or any(holds(path, name) for path in self._tables.variables)
        if not known and self._constant(name) is None:
            text = f"needs '{name}', which has no value; set it under parameters"
            raise InputError(text, link.place, names=(name,))
        return unit

    def _unit_or_fault(self, link: Link) -> str | InputError:
        """The unit of a named expression, or why no parameter can follow from it."""
        try:
            return unit_of_expression(link.expression, lambda name: self._unit(name, link), link.place)
        except InputError as error:
            return error

    def _needed(self, links: Iterable[Link]) -> list[Link]:
        """The named expressions that links need."""
        found: dict[str, Link] = {}
        left = [name for link in links for name in link.expression.names]
        while left:
            name = left.pop()
            if name in self._named and name not in found:
                found[name] = self._named[name]
                left += self._named[name].expression.names
        return list(found.values())

    # ------------------------------------------------------------ fixed numbers

    def _constants(self, links: Iterable[Link]) -> dict[str, float]:
        acting = (path for path, table in self._tables.variables.items() if not table.when)
        known = {*acting, *self._links, *self._named}
        names = dict.fromkeys(name for link in links for name in link.expression.names if name not in known)
        values = {name: self._constant(name) for name in names}
        return {name: value for name, value in values.items() if value is not None}

    def _constant(self, name: str) -> float | None:
        head, *steps = name.split(".")
        found = value_at_steps(self._base(head), steps)
        return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None

    def _base(self, name: str) -> Any:
        """A parameter as the layout fixes it, in SI, or as its preset or the model has it."""
        return getattr(self._record, name, None)

    @cached_property
    def _record(self) -> Parameters:
        preset = self._tables.preset
        return record_of(self._model, preset if preset in self._model.presets else None, self._fixed)


def record_of(model: Model, preset: str | None, settings: Mapping[str, Any]) -> Parameters:
    """The parameters that settings give, unchecked; what they do not name has its default."""
    tree, _ = model.value_faults(preset, settings)
    return model.parameters.model_construct(**{**model.parameters.defaults_for(tree), **tree})


def _affine(node: Node, factor: float, offset: float, unit: str) -> Node:
    """``factor * node + offset``, without operations that do nothing."""
    if factor == -1.0:
        node = Operation("negative", (node,))
    elif factor != 1.0:
        node = Operation("*", (Number(factor), node))
    return Operation("+", (node, Number(offset, unit))) if offset else node


def _turned(symmetry: SymmetryTable) -> list[tuple[int, float]]:
    """Source and sign of each coordinate of a copy: of a mirror or a rotation."""
    if symmetry.mirror is not None:
        return [(k, -1.0 if axis == symmetry.mirror else 1.0) for k, axis in enumerate(_AXES)]
    axis = _AXES.index(symmetry.rotate or "z")
    turned = [(k, 1.0) for k in range(len(_AXES))]
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for _ in range(symmetry.quarters or 0):  # one goes to where two was, two to where -one was
        turned[one], turned[two] = (turned[two][0], -turned[two][1]), turned[one]
    return turned
