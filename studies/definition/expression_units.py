"""The unit of an expression, from the units of the names in it. Quantities of other kinds are never mixed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from errors import InputError, Place
from models.units import MOST_EXPONENT, Unit, parsed_unit, unit_name, unit_text
from studies.definition.expressions import Expression, Node, Number, Operation

PURE = "1"
_ALIKE = ("+", "-", "min", "max")


def _root(unit: Unit) -> Unit:
    return unit**0.5


def _pure(_: Unit) -> Unit:
    return parsed_unit(PURE)


_ANGLES = ("sin", "cos", "tan")
_MADE: Mapping[str, Callable[..., Unit]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "sqrt": _root,
    **dict.fromkeys(_ANGLES, _pure),
}
"""The unit that an operation makes of others; of those left out, it is that of the argument."""


def unit_of_expression(expression: Expression, units: Callable[[str], str], place: Place) -> str:
    """The SI unit as Pint reads it, ``"1"`` for a pure number.

    Parameters
    ----------
    units : callable (name) -> str
        The unit of each name; may raise ``InputError``.

    Raises ``InputError`` for a sum of a length and a mass, the sine of a force, an exponent with a unit.
    """
    return unit_name(_unit(expression.tree, units, place))


def require_same_unit(one: str, other: str, message: str, place: Place) -> None:
    """Raise ``InputError`` with a message unless numbers in one unit are numbers in the other."""
    if not _is_same(parsed_unit(one), parsed_unit(other)):
        raise InputError(message, place)


def shown_unit(unit: str) -> str:
    """A unit in a sentence."""
    return unit_text(unit) or "a pure number"


def _is_same(one: Unit, other: Unit) -> bool:
    return one.is_compatible_with(other) and abs((1.0 * one).to(other).magnitude - 1.0) < 1e-12


def _unit(node: Node, units: Callable[[str], str], place: Place) -> Unit:
    if isinstance(node, Number):
        return parsed_unit(node.unit)
    if not isinstance(node, Operation):
        return parsed_unit(units(node.name))
    if node.symbol == "**":
        return _power(node, units, place)
    given = [_unit(argument, units, place) for argument in node.arguments]
    if node.symbol in _ALIKE:
        return _common(node.symbol, given, place)
    if node.symbol in _ANGLES and not given[0].dimensionless:
        shown = shown_unit(unit_name(given[0]))
        raise InputError(f"takes the {node.symbol} of a quantity in {shown}, which is no angle", place)
    found = _MADE.get(node.symbol)
    return given[0] if found is None else _bounded(found(*given), place)


def _bounded(unit: Unit, place: Place) -> Unit:
    """Return the unit; raise ``InputError`` where it is raised to a power that no quantity has."""
    try:
        parsed_unit(unit_name(unit))
    except ValueError:
        raise InputError(
            f"has a unit to a power that is not between -{MOST_EXPONENT} and {MOST_EXPONENT}", place
        ) from None
    return unit


def _common(symbol: str, given: Sequence[Unit], place: Place) -> Unit:
    """The unit of things that are added or compared."""
    for other in given[1:]:
        if not _is_same(given[0], other):
            one, two = (shown_unit(unit_name(unit)) for unit in (given[0], other))
            how = f"mixes {one} and {two} in {symbol}"
            raise InputError(f"{how}; a number can have a unit, as in 2 [mm]", place)
    return next((unit for unit in given if unit_name(unit) != PURE), given[0])


def _power(node: Operation, units: Callable[[str], str], place: Place) -> Unit:
    base, exponent = node.arguments
    if not _unit(exponent, units, place).dimensionless:
        raise InputError("has an exponent with a unit", place)
    below = _unit(base, units, place)
    if unit_name(below) == PURE:
        return below
    number = Expression(exponent, "").value(lambda _: None)
    if number is None or abs(number) > MOST_EXPONENT:
        raise InputError(
            f"raises a quantity in {shown_unit(unit_name(below))} to a power that is not a number of its own "
            f"between -{MOST_EXPONENT} and {MOST_EXPONENT}, so its unit is unknown",
            place,
        )
    return _bounded(below ** (int(number) if number == int(number) else number), place)
