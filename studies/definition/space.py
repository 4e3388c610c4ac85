"""The design space: what may vary, and its map to the unit cube in which searches work.

Every search sees points ``u`` of ``[0, 1]^d``. A real variable is ``lower + u (upper - lower)``, or
``lower (upper / lower)^u`` on a logarithmic scale; an integer, a variable in steps, or an option variable
with ``k`` values takes number ``floor(k u)``, and ``snap`` moves
``u`` to the middle of its value's interval, so that equal designs have equal points.

Designs are equal, too, that differ only in a variable that does not act (:class:`Condition`), or in the order
of parts that may be exchanged (:class:`Exchange`): one point stands for all of them. Where constraints follow
from variables alone, points are in the :class:`~studies.definition.region.Region` that satisfies them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, log, nextafter, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studies.definition.links import NO_LINKS, Links

if TYPE_CHECKING:
    from studies.definition.region import Region

FloatArray = NDArray[np.float64]

_NEIGHBOURS = 8
"""Floating-point numbers on either side among which the exact inverse of a value is looked for."""
_ROUNDING = 1e-6
"""Share of a step by which a number may miss it."""


@dataclass(frozen=True, slots=True)
class RealVariable:
    """A real number between two bounds (SI), above 0 on a logarithmic scale."""

    path: str
    unit: str
    lower: float
    upper: float
    logarithmic: bool = False

    def decode(self, u: float) -> float:
        """The value at ``u``; the bounds are met exactly."""
        if self.logarithmic:
            value = self.lower * (self.upper / self.lower) ** u if u < 1.0 else self.upper
        else:
            value = self.lower + u * (self.upper - self.lower)
        return min(max(value, self.lower), self.upper)

    def decode_all(self, column: FloatArray) -> list[float]:
        """The values at many ``u``, each to the bit what :meth:`decode` gives."""
        if self.logarithmic:
            return [self.decode(u) for u in column.tolist()]
        values = self.lower + column * (self.upper - self.lower)
        values = np.where(values < self.lower, self.lower, values)
        return np.where(values > self.upper, self.upper, values).tolist()

    def encode(self, value: float) -> float:
        """The ``u`` of a value within the bounds; decoding it gives the value back where any ``u`` does."""
        if self.logarithmic:
            nearest = log(value / self.lower) / log(self.upper / self.lower)
        else:
            nearest = (value - self.lower) / (self.upper - self.lower)
        above = below = nearest
        for _ in range(_NEIGHBOURS):
            for u in (above, below):
                if 0.0 <= u <= 1.0 and self.decode(u) == value:
                    return u
            above, below = nextafter(above, inf), nextafter(below, -inf)
        return min(max(nearest, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class ChoiceVariable:
    """One of a list of values: numbers in steps, such as whole ones, or options."""

    path: str
    unit: str
    values: range | tuple[Any, ...]
    stepped: bool = False
    """True if the values are numbers that rise in equal steps."""

    def decode(self, u: float) -> Any:
        """The value at ``u``."""
        return self.values[min(int(u * len(self.values)), len(self.values) - 1)]

    def decode_all(self, column: FloatArray) -> list[Any]:
        """The values at many ``u``."""
        return [self.decode(u) for u in column.tolist()]

    def encode(self, value: Any) -> float:
        """The snapped ``u`` of a value; raises ``ValueError`` for one that is not in the list."""
        if self.stepped:
            return (self._step_of(value) + 0.5) / len(self.values)
        matches = (
            number
            for number, known in enumerate(self.values)
            if known == value and isinstance(known, bool) == isinstance(value, bool)
        )
        number = next(matches, None)
        if number is None:
            raise ValueError(value)
        return (number + 0.5) / len(self.values)

    def _step_of(self, value: Any) -> int:
        """The place of a number among the steps, though rounding may keep it off its step."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ValueError(value)
        first, last = float(self.values[0]), float(self.values[-1])
        step = (last - first) / max(len(self.values) - 1, 1)
        number = round((value - first) / step) if step else 0
        if not 0 <= number < len(self.values) or abs(value - self.values[number]) > _ROUNDING * (step or 1.0):
            raise ValueError(value)
        return number


Variable = RealVariable | ChoiceVariable


def place_of(variable: Variable, value: Any) -> float | None:
    """The place of a value in the range of a variable, 0 to 1; None where it has none."""
    if isinstance(variable, ChoiceVariable):
        try:
            return variable.encode(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return variable.encode(float(value)) if variable.lower <= value <= variable.upper else None


def miss(variable: Variable, value: Any) -> str:
    """Words, before a variable's name, on a value that has no place in its range."""
    if isinstance(variable, RealVariable) or not isinstance(value, int | float):
        return "out of the range of"
    if not variable.stepped:
        return "at no option of"
    between = variable.values[0] < value < variable.values[-1]
    return "between the steps of" if between else "out of the range of"


@dataclass(frozen=True, slots=True)
class Condition:
    """The values of choice variables where another variable acts; it does not act anywhere else.

    Parameters
    ----------
    column : int
        The variable that acts.
    needs : tuple of (int, frozenset of int)
        Column of each variable that the condition names, with the numbers of its values. All must hold, and
        such a variable must act itself.
    """

    column: int
    needs: tuple[tuple[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Equal parts of a robot: designs that differ only in their order are one design.

    ``members`` are the columns of each part, as many for each, in the same order.
    """

    members: tuple[tuple[int, ...], ...]

    def sort(self, points: FloatArray) -> None:
        """Bring the parts of points ``(n, d)`` to rising order, by their first column first."""
        columns = np.array(self.members)
        parts = points[:, columns]
        order = np.lexsort(np.moveaxis(parts, 2, 0)[::-1], axis=-1)
        points[:, columns] = np.take_along_axis(parts, order[:, :, None], axis=1)


@dataclass(frozen=True, slots=True)
class DesignSpace:
    """The variables of one layout, in the order of the study file, and what follows from them.

    ``conditions`` stand behind those of the variables that they name.
    """

    variables: tuple[Variable, ...]
    links: Links = NO_LINKS
    conditions: tuple[Condition, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    region: Region | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.variables)

    def decode(self, u: FloatArray) -> dict[str, Any]:
        """A point ``(d,)`` of the unit cube as settings by dotted path, with what follows from variables.

        A variable that does not act is left out: its parameter keeps its fixed value.
        """
        return self._settings(self.named_values(u))

    def middle(self) -> dict[str, Any]:
        """The settings in the middle of all ranges."""
        return self.decode(np.full(len(self), 0.5))

    def named_values(self, u: FloatArray) -> dict[str, Any]:
        """The variables at a point ``(d,)`` by name or dotted path; None for one that does not act."""
        named = {v.path: v.decode(x) for v, x in zip(self.variables, u.tolist(), strict=True)}
        return named | dict.fromkeys(self.idle(u)) if self.conditions else named

    def design(self, u: FloatArray) -> dict[str, Any]:
        """The variables that act at a point ``(d,)``, by name or dotted path."""
        return {path: value for path, value in self.named_values(u).items() if value is not None}

    def idle(self, u: FloatArray) -> list[str]:
        """The variables that do not act at a point ``(d,)``."""
        if not self.conditions:
            return []
        return [v.path for v, acts in zip(self.variables, self.acting(u[None])[0], strict=True) if not acts]

    def settings(self, values: Sequence[Any]) -> dict[str, Any]:
        """The settings by dotted path that values, in the order of the variables, make."""
        return self._settings(dict(zip(self._paths, values, strict=True)))

    def _settings(self, named: dict[str, Any]) -> dict[str, Any]:
        if self.conditions:
            named = {path: value for path, value in named.items() if value is not None}
        return self.links.settings(named) if self.is_linked else named

    @property
    def _paths(self) -> list[str]:
        return [variable.path for variable in self.variables]

    @property
    def is_linked(self) -> bool:
        """True if parameters follow from variables."""
        return bool(self.links.links or self.links.free)

    @property
    def is_plain(self) -> bool:
        """True if every snapped point is a design of its own."""
        return not self.conditions and not self.exchanges and self.region is None

    @property
    def parameters(self) -> list[str]:
        """Dotted paths of all parameters that vary: variables, then what follows from them."""
        own = [variable.path for variable in self.variables if variable.path not in self.links.free]
        return [*own, *self.links.paths]

    def values(self, points: FloatArray) -> list[tuple[Any, ...]]:
        """Points ``(n, d)`` of the unit cube as values in the variables' order, column by column.

        None stands for a variable that does not act.
        """
        columns = [v.decode_all(column) for v, column in zip(self.variables, points.T, strict=True)]
        if self.conditions:
            acting = self.acting(points)
            for each in self.conditions:
                known = zip(columns[each.column], acting[:, each.column].tolist(), strict=True)
                columns[each.column] = [value if acts else None for value, acts in known]
        return list(zip(*columns, strict=True))

    def acting(self, points: FloatArray) -> NDArray[np.bool_]:
        """Table ``(n, d)``, true where a variable acts at a point."""
        acting = np.ones(points.shape, dtype=bool)
        for condition in self.conditions:
            for column, numbers in condition.needs:
                held = np.isin(self._numbers(points, column), list(numbers))
                acting[:, condition.column] &= held & acting[:, column]
        return acting

    def condition_of(self, path: str) -> dict[str, list[Any]]:
        """The values of other variables at which a variable acts; none of one that always does."""
        column = self._paths.index(path) if path in self._paths else -1
        needs = [need for each in self.conditions if each.column == column for need in each.needs]
        return {
            self.variables[other].path: [self._choices(other)[number] for number in sorted(numbers)]
            for other, numbers in needs
        }

    def _choices(self, column: int) -> range | tuple[Any, ...]:
        variable = self.variables[column]
        return variable.values if isinstance(variable, ChoiceVariable) else ()

    def _numbers(self, points: FloatArray, column: int) -> NDArray[np.int64]:
        """Numbers ``(n,)`` of the values of a choice variable."""
        count = len(self._choices(column)) or 1
        return np.minimum((points[:, column] * count).astype(np.int64), count - 1)

    def snap(self, points: FloatArray) -> FloatArray:
        """Points ``(n, d)`` as a search may ask for them.

        Those of :meth:`settle`, moved into the region of the constraints that need no evaluation.
        """
        settled = self.settle(points)
        return settled if self.region is None else self.region.repair(settled)

    def settle(self, points: FloatArray) -> FloatArray:
        """Points ``(n, d)``, one for all that stand for one design.

        Choice variables are in the middle of their intervals, variables that do not act in the middle of
        their ranges, and parts that may be exchanged in rising order.
        """
        settled = np.array(points, dtype=np.float64)
        for column, variable in enumerate(self.variables):
            if isinstance(variable, ChoiceVariable):
                k = len(variable.values)
                settled[:, column] = (np.minimum(np.floor(settled[:, column] * k), k - 1) + 0.5) / k
        if self.conditions:
            acting = self.acting(settled)
            for column in dict.fromkeys(each.column for each in self.conditions):
                settled[~acting[:, column], column] = middle_of(self.variables[column])
        for exchange in self.exchanges:
            exchange.sort(settled)
        return settled

    def grid_shape(self, points: int) -> tuple[int, ...]:
        """Values per variable on a full grid with ``points`` values per real variable."""
        return tuple(points if isinstance(v, RealVariable) else len(v.values) for v in self.variables)

    def grid_size(self, points: int) -> int:
        """Number of combinations on the full grid, by multiplication alone."""
        return prod(self.grid_shape(points))


def middle_of(variable: Variable) -> float:
    """The snapped ``u`` in the middle of a variable's range."""
    if isinstance(variable, RealVariable):
        return 0.5
    count = len(variable.values)
    return (count // 2 + 0.5) / count
