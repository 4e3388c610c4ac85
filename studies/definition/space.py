"""The design space: what may vary, and its map to the unit cube in which searches work.

Every search sees points ``u`` of ``[0, 1]^d``. A real variable is ``lower + u (upper - lower)``, or
``lower (upper / lower)^u`` on a logarithmic scale; an integer, a variable in steps, or an option variable
with ``k`` values takes number ``floor(k u)``, and ``snap`` moves
``u`` to the middle of its value's interval, so that equal designs have equal points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log, nextafter, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.definition.links import NO_LINKS, Links

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
class DesignSpace:
    """The variables of one layout, in the order of the study file, and what follows from them."""

    variables: tuple[Variable, ...]
    links: Links = NO_LINKS

    def __len__(self) -> int:
        return len(self.variables)

    def decode(self, u: FloatArray) -> dict[str, Any]:
        """A point ``(d,)`` of the unit cube as settings by dotted path, with what follows from variables."""
        named = self.named_values(u)
        return self.links.settings(named) if self.is_linked else named

    def middle(self) -> dict[str, Any]:
        """The settings in the middle of all ranges."""
        return self.decode(np.full(len(self), 0.5))

    def named_values(self, u: FloatArray) -> dict[str, Any]:
        """The variables at a point ``(d,)`` of the unit cube, by name or dotted path."""
        return {v.path: v.decode(x) for v, x in zip(self.variables, u.tolist(), strict=True)}

    def settings(self, values: Sequence[Any]) -> dict[str, Any]:
        """The settings by dotted path that values, in the order of the variables, make."""
        named = dict(zip([variable.path for variable in self.variables], values, strict=True))
        return self.links.settings(named) if self.is_linked else named

    @property
    def is_linked(self) -> bool:
        """True if parameters follow from variables."""
        return bool(self.links.links or self.links.free)

    @property
    def parameters(self) -> list[str]:
        """Dotted paths of all parameters that vary: variables, then what follows from them."""
        own = [variable.path for variable in self.variables if variable.path not in self.links.free]
        return [*own, *self.links.paths]

    def values(self, points: FloatArray) -> list[tuple[Any, ...]]:
        """Points ``(n, d)`` of the unit cube as values in the variables' order, column by column."""
        columns = (v.decode_all(column) for v, column in zip(self.variables, points.T, strict=True))
        return list(zip(*columns, strict=True))

    def snap(self, points: FloatArray) -> FloatArray:
        """Points ``(n, d)`` with choice variables moved to the middle of their intervals."""
        snapped = np.array(points, dtype=np.float64)
        for column, variable in enumerate(self.variables):
            if isinstance(variable, ChoiceVariable):
                k = len(variable.values)
                snapped[:, column] = (np.minimum(np.floor(snapped[:, column] * k), k - 1) + 0.5) / k
        return snapped

    def grid_shape(self, points: int) -> tuple[int, ...]:
        """Values per variable on a full grid with ``points`` values per real variable."""
        return tuple(points if isinstance(v, RealVariable) else len(v.values) for v in self.variables)

    def grid_size(self, points: int) -> int:
        """Designs on the full grid, by multiplication alone."""
        return prod(self.grid_shape(points))
