"""Quantities written as text ("5 mm", "30 deg") to SI numbers, by Pint."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from models.errors import InputError

# A number and a short unit expression with one-digit exponents: nothing else reaches Pint's parser.
_QUANTITY = re.compile(
    r"\s*(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*"
    r"(?P<unit>(?:[A-Za-zµμ°%]+|[*/·() ]|(?:\^|\*\*)-?\d(?:\.\d)?(?!\d)|1(?=/))*)\s*"
)


@cache
def _registry() -> Any:
    import pint  # costs a fraction of a second, and only text with units needs it

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


def parse_quantity(text: str, unit: str, place: str = "") -> float:
    """The value of ``text`` in ``unit``.

    Parameters
    ----------
    text : str
        A number with a unit, for example ``"5 mm"``; the unit may be left out only where ``unit``
        is ``"1"``.
    unit : str
        The unit of the result as Pint reads it, ``"1"`` for pure numbers.

    Raises
    ------
    InputError
        When the text is no quantity or its dimension is not that of ``unit``.
    """
    wanted = "a pure number" if unit == "1" else f"a quantity in {unit} or a unit that converts to it"
    match = _QUANTITY.fullmatch(text)
    if len(text) > 80 or match is None:
        example = "" if unit == "1" else ', as in "5 mm" or "30 deg"'
        raise InputError(f"'{text[:80]}' is not a quantity; expected {wanted}{example}", place)
    import pint

    registry = _registry()
    try:
        given = registry.parse_units(match["unit"].replace("·", "*"))
        target = registry.parse_units("" if unit == "1" else unit)
        value = float(registry.Quantity(float(match["number"]), given).to(target).magnitude)
    except (pint.PintError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"'{text}' cannot be used here; expected {wanted} ({error})", place) from None
    if not math.isfinite(value):
        raise InputError(f"'{text}' is not finite; expected {wanted}", place)
    return value
