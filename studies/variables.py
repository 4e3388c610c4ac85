"""The variables of a study file as those of a design space."""

from __future__ import annotations

from typing import Any

from models import Model
from models.errors import InputError, UnknownNameError
from models.fields import unit_at
from models.parameters import to_si
from studies.definition import MAX_EVALUATIONS, VariableTable
from studies.goals import finite, stated
from studies.space import ChoiceVariable, RealVariable, Variable


def variable_of(model: Model, path: str, table: VariableTable, place: str) -> Variable:
    """The variable at a dotted path, in SI; raises ``InputError`` at ``place``, or at a key inside it."""
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
        low, high = stated(table.lower, text_unit), stated(table.upper, text_unit)
        raise InputError(f"{low} must be below upper ({high}); were the two swapped?", f"{place}.lower")
    if table.type == "integer":
        if lower != int(lower) or upper != int(upper):
            raise InputError(f"is an integer, but its bounds are {lower:g} and {upper:g}", place)
        if upper - lower >= MAX_EVALUATIONS:
            raise InputError(f"has more than {MAX_EVALUATIONS} values; make it a real variable", place)
        return ChoiceVariable(path, text_unit, range(int(lower), int(upper) + 1))
    return RealVariable(path, text_unit, lower, upper)


def _si(value: Any, unit: str | list[str] | None, place: str) -> Any:
    return to_si(value, unit, place) if unit else value
