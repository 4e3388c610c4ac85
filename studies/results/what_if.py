"""Other values of a stored design's variables, and the metrics that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from errors import InputError
from studies.definition.space import RealVariable, Variable
from studies.definition.stored_model import definition_of
from studies.problem.layout import stated_layouts
from studies.records import StudyRecord
from studies.search.indicators import FloatArray


@dataclass(frozen=True, slots=True)
class Variation:
    """``point`` (d,) of the unit cube, and the settings by dotted path that it stands for."""

    point: FloatArray
    settings: dict[str, Any]


def vary(study: StudyRecord, layout: str, point: FloatArray, values: Mapping[str, Any]) -> Variation:
    """The design at ``point`` (d,) of a layout's unit cube with ``values`` of some variables, in SI.

    Parameters that follow from variables follow. Raises ``InputError`` for a name that the layout does not
    vary, and for a value outside its range.
    """
    space = stated_layouts(definition_of(study))[layout].space
    if len(space) != len(point):
        raise InputError("the installed back-end does not know all variables of this study", ("variables",))
    known = {variable.path: place for place, variable in enumerate(space.variables)}
    moved = np.array(point, dtype=float)
    for path, value in values.items():
        if path not in known:
            roots = sorted(space.links.roots(list(known)).get(path, ()))
            why = (
                f"'{path}' follows from {' and '.join(roots)}; change that instead"
                if roots
                else f"layout '{layout}' does not vary '{path}'; it varies {', '.join(known)}"
            )
            raise InputError(why, ("variables", path))
        moved[known[path]] = _encoded(space.variables[known[path]], value)
    return Variation(moved, space.decode(moved))


def _encoded(variable: Variable, value: Any) -> float:
    place = ("variables", variable.path)
    if isinstance(variable, RealVariable):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"a number in SI is needed, not {value!r}", place)
        if not variable.lower <= value <= variable.upper:
            raise InputError(
                f"{value:g} is outside the range from {variable.lower:g} to {variable.upper:g} "
                f"{variable.unit}".rstrip(),
                place,
            )
        return variable.encode(float(value))
    try:
        return variable.encode(value)
    except ValueError:
        allowed = ", ".join(str(one) for one in variable.values[:20])
        raise InputError(f"{value!r} is none of the options: {allowed}", place) from None
