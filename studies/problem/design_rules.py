"""Rules by which points of the unit cube are one design: conditions of variables, and equal parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from errors import FaultList, InputError, Place, UnknownNameError
from models import Model
from studies.definition.links import holds
from studies.definition.space import ChoiceVariable, Condition, Exchange, RealVariable, Variable
from studies.definition.study_definition import Member, VariableTable

Encode = Callable[[Model, Variable, Any, Place], float]


class DesignRules:
    """Reads the rules of one layout, given its variables without fault; faults go to ``faults``.

    Parameters
    ----------
    encode : callable (model, variable, value, place) -> float
        The snapped coordinate of a value of the study file; raises ``InputError``.
    place_of : callable (path) -> place
        Place of a variable's table.
    """

    def __init__(
        self,
        model: Model,
        variables: Sequence[Variable],
        encode: Encode,
        place_of: Callable[[str], Place],
        faults: FaultList,
    ) -> None:
        self._model, self._variables, self._encode = model, variables, encode
        self._place_of, self._faults = place_of, faults
        self._columns = {variable.path: column for column, variable in enumerate(variables)}

    # ------------------------------------------------------------ conditions

    def conditions(self, tables: Mapping[str, VariableTable], free: frozenset[str]) -> tuple[Condition, ...]:
        """The conditions, each behind those of the variables that it names."""
        found: dict[int, Condition] = {}
        for path, table in tables.items():
            if not table.when or path not in self._columns:
                continue
            with self._faults.collect():
                if path in free:
                    text = (
                        "is no parameter itself, so it would have no value where it does not act; state the "
                        "condition at parameters of the model"
                    )
                    raise InputError(text, (*self._place_of(path), "when"))
                needs = tuple(self._need(path, name, value) for name, value in table.when.items())
                found[self._columns[path]] = Condition(self._columns[path], needs)
        with self._faults.collect():
            return self._in_order(found)
        return ()

    def _need(self, path: str, name: str, value: Any) -> tuple[int, frozenset[int]]:
        """Column and numbers of the values of a variable that a condition names."""
        place = (*self._place_of(path), "when", name)
        if name not in self._columns:
            raise UnknownNameError(
                "variable", name, [known for known in self._columns if known != path], place
            )
        variable = self._variables[self._columns[name]]
        if isinstance(variable, RealVariable):
            text = f"'{name}' takes any value in its range; a condition needs options, whole numbers or steps"
            raise InputError(text, place)
        try:
            numbers = {self._number(variable, value, place)}
        except InputError:
            if not isinstance(value, list):
                raise
            numbers = {self._number(variable, each, place) for each in value}
        if len(numbers) == len(variable.values):
            raise InputError(f"lists every value of '{name}', so it always holds; leave it out", place)
        return self._columns[name], frozenset(numbers)

    def _number(self, variable: ChoiceVariable, value: Any, place: Place) -> int:
        return int(self._encode(self._model, variable, value, place) * len(variable.values))

    def _in_order(self, found: Mapping[int, Condition]) -> tuple[Condition, ...]:
        """The conditions behind those that they need; raises ``InputError`` where some go in a circle."""
        left, done = dict(found), list[Condition]()
        while left:
            ready = [column for column, each in left.items() if not any(c in left for c, _ in each.needs)]
            if not ready:
                raise self._circle(left)
            done += [left.pop(column) for column in ready]
        return tuple(done)

    def _circle(self, left: Mapping[int, Condition]) -> InputError:
        way = [next(iter(left))]
        while len(set(way)) == len(way):
            way.append(next(column for column, _ in left[way[-1]].needs if column in left))
        names = [self._variables[column].path for column in way[way.index(way[-1]) :]]
        what = "names the variable itself" if len(names) == 2 else f"goes in a circle: {' -> '.join(names)}"
        return InputError(what, (*self._place_of(names[0]), "when"))

    # ------------------------------------------------------------ equal parts

    def exchanges(
        self, groups: Sequence[Sequence[Member]], conditions: Sequence[Condition], place: Place
    ) -> tuple[Exchange, ...]:
        """The groups of equal parts."""
        found: list[Exchange] = []
        taken: set[int] = set()
        for number, group in enumerate(groups):
            with self._faults.collect():
                here = (*place, number)
                parts = [self._part(member, here) for member in group]
                self._require_alike(group, parts, here)
                exchange = Exchange(tuple(tuple(part.values()) for part in parts))
                columns = [column for each in exchange.members for column in each]
                twice = [column for column in columns if column in taken or columns.count(column) > 1]
                if twice:
                    path = self._variables[twice[0]].path
                    raise InputError(f"'{path}' belongs to two parts; keep one", here)
                self._require_equal_conditions(exchange, conditions, here)
                taken.update(columns)
                found.append(exchange)
        return tuple(found)

    def _part(self, member: Member, place: Place) -> dict[tuple[int, str], int]:
        """Columns of the variables of a part, by the name in the part."""
        found: dict[tuple[int, str], int] = {}
        for number, name in enumerate([member] if isinstance(member, str) else member):
            inside = sorted(path for path in self._columns if holds(name, path))
            if not inside:
                raise UnknownNameError("variable", name, self._columns, place)
            found |= {(number, path[len(name) :]): self._columns[path] for path in inside}
        return found

    def _require_alike(
        self, group: Sequence[Member], parts: Sequence[Mapping[tuple[int, str], int]], place: Place
    ) -> None:
        """Raise ``InputError`` for parts whose variables differ in more than their names."""
        for member, part in zip(group[1:], parts[1:], strict=True):
            one, other = _shown(group[0]), _shown(member)
            if part.keys() != parts[0].keys():
                text = f"{one} and {other} do not vary in the same numbers, so they are not equal parts"
                raise InputError(text, place)
            for key, column in part.items():
                first, here = self._variables[parts[0][key]], self._variables[column]
                if replace(first, path="") != replace(here, path=""):
                    text = (
                        f"'{first.path}' and '{here.path}' have other values; equal parts have equal ranges"
                    )
                    raise InputError(text, place)

    def _require_equal_conditions(
        self, exchange: Exchange, conditions: Sequence[Condition], place: Place
    ) -> None:
        """Raise ``InputError`` where a condition tells parts apart."""
        stated = {each.column: frozenset(each.needs) for each in conditions}
        first, *others = exchange.members
        for part in others:  # exchanges with the first part make every order
            turn = {**dict(zip(first, part, strict=True)), **dict(zip(part, first, strict=True))}
            for column, needs in stated.items():
                turned = frozenset((turn.get(other, other), numbers) for other, numbers in needs)
                if stated.get(turn.get(column, column)) != turned:
                    path = self._variables[column].path
                    raise InputError(f"the condition of '{path}' tells the parts apart", place)


def _shown(member: Member) -> str:
    return f"'{member}'" if isinstance(member, str) else ", ".join(f"'{name}'" for name in member)
