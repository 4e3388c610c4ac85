"""Quantities written as text ("5 mm", "30 deg") to SI numbers, by Pint."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from errors import InputError, Place

# A number and a short unit expression with one-digit exponents: nothing else reaches Pint's parser.
_QUANTITY = re.compile(
    r"\s*(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*"
    r"(?P<unit>(?:[A-Za-zµμ°%]+|[*/·() ]|(?:\^|\*\*)-?\d(?:\.\d)?(?!\d)|1(?=/))*)\s*"
)
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_EXPONENT = re.compile(r"\s*(?:\*\*|\^)\s*(-?\d+(?:\.\d+)?)")


def unit_text(unit: str) -> str:
    """A Pint unit as people write it: ``m**3`` as ``m³``; nothing for pure numbers."""
    if unit in ("1", ""):
        return ""
    raised = _EXPONENT.sub(lambda match: _raised(match[1]), unit)
    return raised.replace("*", "·").replace("deg", "°")


def _raised(exponent: str) -> str:
    """Whole exponents as superscripts; there is no superscript decimal point that reads well."""
    return f"^{exponent}" if "." in exponent else exponent.translate(SUPERSCRIPTS)


@cache
def _registry() -> Any:
    import pint  # costs a fraction of a second, and only text with units needs it

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


_KINDS = {
    "a length": "m", "an area": "m**2", "a volume": "m**3", "a mass": "kg", "a time": "s", "a speed": "m/s",
    "an acceleration": "m/s**2", "a force": "N", "a moment or an energy": "N*m", "a force per length": "N/m",
    "a pressure": "Pa", "a power": "W", "a density": "kg/m**3", "a mass per length": "kg/m",
    "a frequency": "Hz", "a temperature": "K",
}  # fmt: skip


def _kind(registry: Any, given: Any) -> str:
    """What a unit measures, in words."""
    if given.dimensionless:
        return "an angle" if "rad" in str(given) or "degree" in str(given) else "a pure number"
    same = (kind for kind, unit in _KINDS.items() if registry.parse_units(unit).is_compatible_with(given))
    return next(same, f"in {given:~P}")


Unit = Any
"""A unit of Pint's, which has no types."""


@cache
def parsed_unit(unit: str) -> Unit:
    """A unit that can be multiplied, divided and raised to a power."""
    return _registry().parse_units("" if unit == "1" else unit)


def unit_name(unit: Unit) -> str:
    """A product of units as Pint reads it, ``"1"`` for a pure number."""
    return f"{unit:~C}" or "1"


def si_quantity(text: str, place: Place = ()) -> tuple[float, str]:
    """Text such as ``"2 mm"`` as a number in SI, and the SI unit that it is in.

    Raises ``InputError`` when the text is no quantity.
    """
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise InputError(f"'{text[:_LONGEST]}' is not a quantity, such as 5 mm or 30 deg", place)
    unit = _si_unit(match["unit"].strip())
    return parse_quantity(text, unit, place), unit


def _si_unit(given: str) -> str:
    """The SI unit of what a unit measures; metres for what is none, so that its fault is told."""
    import pint

    registry = _registry()
    try:
        unit = registry.parse_units(given.replace("·", "*"))
        if unit.dimensionless:
            return "rad" if "rad" in str(unit) or "deg" in str(unit) else "1"
        known = (si for si in _KINDS.values() if registry.parse_units(si).is_compatible_with(unit))
        return next(known, "") or unit_name(registry.get_base_units(unit)[1])
    except (pint.PintError, ValueError, TypeError, AttributeError, OverflowError):
        return "m"


_LONGEST = 80
"""Characters of a quantity."""


def parse_quantity(text: str, unit: str, place: Place = ()) -> float:
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
    wanted = (
        "a pure number" if unit == "1" else f"a quantity in {unit_text(unit)} or a unit that converts to it"
    )
    match = _QUANTITY.fullmatch(text)
    if len(text) > _LONGEST or match is None:
        example = "" if unit == "1" else ', as in "5 mm" or "30 deg"'
        raise InputError(f"'{text[:_LONGEST]}' is not a quantity; expected {wanted}{example}", place)
    value = _converted(text, match["number"], match["unit"], unit, wanted, place)
    if not math.isfinite(value):
        raise InputError(f"'{text}' is not finite; expected {wanted}", place)
    return value


def _converted(text: str, number: str, given_unit: str, unit: str, wanted: str, place: Place) -> float:
    """A number in one unit as a number in another; raises ``InputError`` saying why ``text`` is none."""
    import pint

    registry = _registry()
    given = None
    try:
        given = registry.parse_units(given_unit.replace("·", "*"))
        target = registry.parse_units("" if unit == "1" else unit)
        return float(registry.Quantity(float(number), given).to(target).magnitude)
    except pint.DimensionalityError:
        kind = _kind(registry, given)
        raise InputError(f"'{text}' cannot be used here: it is {kind}; expected {wanted}", place) from None
    except pint.UndefinedUnitError:
        raise InputError(
            f"'{text}' cannot be used here: '{given_unit.strip()}' is not a known unit; expected {wanted}",
            place,
        ) from None
    except (pint.PintError, ValueError, TypeError, AttributeError, OverflowError):
        raise InputError(f"'{text}' cannot be used here; expected {wanted}", place) from None
