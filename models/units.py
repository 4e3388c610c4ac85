"""Quantities written as text ("5 mm", "30 deg") to SI numbers, by Pint."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import Any

from errors import InputError, Place

MOST_EXPONENT = 100
"""Powers of a unit, in all: Pint raises the whole number 60 to that of minutes."""
_LONGEST = 80
"""Characters of a quantity."""
_FAULTS_OF_PINT = (ValueError, TypeError, AttributeError, ArithmeticError, AssertionError, LookupError)
"""Errors of Pint beside its own ones, for example for a product with decibels."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]{1,3})?")
_TOKEN = re.compile(
    r"(?P<name>%|[A-Za-zµμ°ΔΩÅ_]++)|(?P<sign>[/·()]|\*(?!\*)|1(?=/))| "
    r"|(?P<power>(?:\^|\*\*)-?[0-9]{1,3}(?:\.[0-9]{1,20})?(?:e-[0-9]{2})?(?![0-9.]))"
)
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_EXPONENT = re.compile(r"(?:\*\*|\^)(-?\d++(?:\.\d++)?)")


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


Unit = Any
"""A unit of Pint's, which has no types."""


@lru_cache(maxsize=4096)
def parsed_unit(unit: str) -> Unit:
    """A unit that can be multiplied, divided and raised to a power.

    Pint is given a plain product of powers: its own parser computes towers of exponents for ever.
    Raises ``ValueError`` for a text that is no product of powers, and what Pint raises for unknown names.
    """
    powers = {} if unit == "1" else _powers(unit)
    return _registry().parse_units("*".join(f"{name}**{power}" for name, power in powers.items()))


def _powers(text: str) -> dict[str, int | float]:
    """The power of each name in a unit; raises ``ValueError`` for a text that is no product of powers."""
    tokens: list[tuple[str | None, str]] = []
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise ValueError(text)
        place = token.end()
        if token.lastgroup is not None:
            tokens.append((token.lastgroup, token[0]))
    found = _product(tokens, "") if tokens else {}
    if any(abs(power) > MOST_EXPONENT for power in found.values()):
        raise ValueError(text)
    whole = {name: int(power) if power.is_integer() else power for name, power in found.items()}
    return {name: power for name, power in whole.items() if power}


def _product(tokens: list[tuple[str | None, str]], end: str) -> dict[str, float]:
    """Take factors from the front of the tokens, and ``end`` after them."""
    found: dict[str, float] = {}
    sign = 1.0
    while True:
        for name, power in _factor(tokens).items():
            found[name] = found.get(name, 0.0) + sign * power
        after = tokens[0][1] if tokens else ""
        if after == end:
            del tokens[:1]
            return found
        sign = -1.0 if after in {"/", "per"} else 1.0
        if after in {"*", "·", "/", "per"}:
            del tokens[0]


def _factor(tokens: list[tuple[str | None, str]]) -> dict[str, float]:
    """Take a name, 1 or a product in parentheses, and its power."""
    kind, text = tokens.pop(0) if tokens else (None, "")
    found: dict[str, float] = {}
    if text == "(":
        found = _product(tokens, ")")
    elif kind == "name" and text != "per":
        found = {text: 1.0}
    elif text != "1":
        raise ValueError(text)
    power = float(tokens.pop(0)[1].lstrip("*^")) if tokens and tokens[0][0] == "power" else 1.0
    return {name: own * power for name, own in found.items()}


_KINDS = {
    "a length": "m", "an area": "m**2", "a volume": "m**3", "a mass": "kg", "a time": "s", "a speed": "m/s",
    "an acceleration": "m/s**2", "a force": "N", "a moment or an energy": "N*m", "a force per length": "N/m",
    "a pressure": "Pa", "a power": "W", "a density": "kg/m**3", "a mass per length": "kg/m",
    "a frequency": "Hz", "a temperature": "K",
}  # fmt: skip


def _kind(given: Unit) -> str:
    """Name what a unit measures, in words."""
    if given.dimensionless:
        return "an angle" if "rad" in str(given) or "degree" in str(given) else "a pure number"
    same = (kind for kind, unit in _KINDS.items() if parsed_unit(unit).is_compatible_with(given))
    return next(same, f"in {given:~P}")


def unit_name(unit: Unit) -> str:
    """A product of units as Pint reads it, ``"1"`` for a pure number."""
    return f"{unit:~C}" or "1"


def si_quantity(text: str, place: Place = ()) -> tuple[float, str]:
    """Text such as ``"2 mm"`` as a number in SI, and the SI unit that it is in.

    Raises ``InputError`` when the text is no quantity.
    """
    split = _split(text)
    if split is None:
        raise InputError(f"'{text[:_LONGEST]}' is not a quantity, such as 5 mm or 30 deg", place)
    unit = _si_unit(split[1])
    return parse_quantity(text, unit, place), unit


def _split(text: str) -> tuple[float, str] | None:
    """The number and the unit of a quantity; None for a text that is none."""
    stripped = text.strip() if len(text) <= _LONGEST else ""
    number = _NUMBER.match(stripped)
    if number is None:
        return None
    unit = stripped[number.end() :].strip()
    try:
        _powers(unit)
    except ValueError:
        return None
    return float(number[0]), unit


def _si_unit(given: str) -> str:
    """The SI unit of what a unit measures; metres for what is none, so that its fault is told."""
    import pint

    try:
        unit = parsed_unit(given)
        if unit.dimensionless:
            return "rad" if "rad" in str(unit) or "deg" in str(unit) else "1"
        known = (si for si in _KINDS.values() if parsed_unit(si).is_compatible_with(unit))
        return next(known, "") or unit_name(_registry().get_base_units(unit)[1])
    except (pint.PintError, *_FAULTS_OF_PINT):
        return "m"


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
    split = _split(text)
    if split is None:
        example = "" if unit == "1" else ', as in "5 mm" or "30 deg"'
        raise InputError(f"'{text[:_LONGEST]}' is not a quantity; expected {wanted}{example}", place)
    value = _converted(text, *split, unit, wanted, place)
    if not math.isfinite(value):
        raise InputError(f"'{text}' is not finite; expected {wanted}", place)
    return value


def parse_difference(text: str, unit: str, place: Place = ()) -> float:
    """The value in ``unit`` of a difference, such as a tolerance: ``"2 degC"`` is 2 K, not 275.15 K.

    Raises ``InputError`` as :func:`parse_quantity` does.
    """
    split = _split(text)
    step = difference_unit(split[1]) if split else ""
    return parse_quantity(f"{split[0]!r} {step}" if split and step else text, unit, place)


def difference_unit(unit: str) -> str:
    """The unit of differences of a temperature that has its own zero: delta_degC of degC; else empty."""
    name = unit.strip()
    try:
        offset = name != "" and _powers(name) == {name: 1} and f"delta_{name}" in _registry()
    except ValueError:
        return ""
    return f"delta_{name}" if offset else ""


def _converted(text: str, number: float, given_unit: str, unit: str, wanted: str, place: Place) -> float:
    """A number in one unit as a number in another; raises ``InputError`` saying why ``text`` is none."""
    import pint

    given = None
    try:
        given = parsed_unit(given_unit)
        return float(_registry().Quantity(number, given).to(parsed_unit(unit)).magnitude)
    except pint.DimensionalityError:
        kind = _kind(given)
        raise InputError(f"'{text}' cannot be used here: it is {kind}; expected {wanted}", place) from None
    except pint.UndefinedUnitError:
        raise InputError(
            f"'{text}' cannot be used here: '{given_unit}' is not a known unit; expected {wanted}", place
        ) from None
    except (pint.PintError, *_FAULTS_OF_PINT):
        raise InputError(f"'{text}' cannot be used here; expected {wanted}", place) from None
