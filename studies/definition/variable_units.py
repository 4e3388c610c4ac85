"""The unit of a variable: its parameter's, or, of a variable that is no parameter itself, what it drives."""

from __future__ import annotations

from models import Model
from models.fields import unit_at
from models.units import si_quantity
from studies.definition.study_definition import VariableTable


def is_free(model: Model, path: str) -> bool:
    """True if a variable is no parameter itself."""
    return model.parameters.field_of(path) is None


def free_unit(model: Model, table: VariableTable) -> str:
    """The SI unit of a variable that is no parameter: of what it drives first, else of its bounds.

    Bounds without a unit are pure numbers. May raise ``InputError`` for bounds that are no quantities.
    """
    for drive in table.drives:
        unit = unit_at(model.parameters, drive.parameter)
        if isinstance(unit, str):
            return unit
    given = [table.lower, table.upper, *(table.options or ())]
    return next((si_quantity(value)[1] for value in given if isinstance(value, str)), "1")
