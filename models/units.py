"""Quantities written as text ("5 mm", "30 deg") to SI numbers, by Pint."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from errors import InputError

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
    wanted = (
        "a pure number" if unit == "1" else f"a quantity in {unit_text(unit)} or a unit that converts to it"
    )
    match = _QUANTITY.fullmatch(text)
    if len(text) > 80 or match is None:
        example = "" if unit == "1" else ', as in "5 mm" or "30 deg"'
        raise InputError(f"'{text[:80]}' is not a quantity; expected {wanted}{example}", place)
    value = _converted(text, match["number"], match["unit"], unit, wanted, place)
    if not math.isfinite(value):
        raise InputError(f"'{text}' is not finite; expected {wanted}", place)
    return value


def _converted(text: str, number: str, given_unit: str, unit: str, wanted: str, place: str) -> float:
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
