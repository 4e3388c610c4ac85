"""Designs that a study starts from: checked against its variables and put into the unit cube."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError, Place, UnknownNameError, place_text
from models import Model
from models.fields import unit_at
from models.parameters import to_si
from studies.definition.objectives import finite
from studies.definition.space import ChoiceVariable, DesignSpace, Variable

FloatArray = NDArray[np.float64]


def initial_points(
    model: Model, space: DesignSpace, designs: Sequence[Mapping[str, Any]], place: Place
) -> FloatArray:
    """Snapped points ``(k, d)`` of the designs; raises ``InputError`` with the place of the first fault."""
    paths = [variable.path for variable in space.variables]
    points = np.empty((len(designs), len(space)))
    seen: dict[bytes, int] = {}
    for number, design in enumerate(designs):
        here = (*place, number)
        for path in design:
            if path not in paths:
                raise UnknownNameError("variable", path, paths, here)
        for column, variable in enumerate(space.variables):
            if variable.path not in design:
                raise InputError(
                    f"has no value for '{variable.path}'; give a value for every variable",
                    here,
                    names=(variable.path,),
                )
            points[number, column] = _encode(model, variable, design[variable.path], (*here, variable.path))
        first = seen.setdefault(points[number].tobytes(), number)
        if first != number:
            raise InputError(f"is the same design as {place_text((*place, first))}; give it only once", here)
    return points


def _encode(model: Model, variable: Variable, given: Any, place: Place) -> float:
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
    if isinstance(variable.values, range):
        return f"the whole numbers {variable.values[0]} to {variable.values[-1]}"
    return f"the options {', '.join(repr(value) for value in variable.values)}"
