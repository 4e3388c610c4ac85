"""Faults of linked parameters and derived quantities that show at designs of a layout's space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError, is_within
from models import Model
from models.parameters import steps_of
from studies.definition.derived_quantities import Derived
from studies.definition.link_tables import LinkTables, fixed_settings, record_of
from studies.definition.links import NOT_FINITE, Links, value_at_steps
from studies.definition.space import ChoiceVariable, DesignSpace
from studies.definition.study_definition import StudyDefinition
from studies.problem.validity import corners

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
