"""Expressions of a study file: ``hole_radius / 10``, ``workspace_volume / mass``.

The grammar has numbers, numbers with a unit in brackets (``2 [mm]``), names with dots
(``capacity_margin.q05``, ``pulleys.0.2``), ``+ - * / **``, parentheses, ``pi`` and the functions of
:data:`FUNCTIONS`. Python's parser builds the tree after every number and name was replaced by a
placeholder, so that it sees no text of the user's but operators; nothing is ever run by Python.
:mod:`studies.definition.derived_quantities` makes metrics of them, :mod:`studies.definition.links`
parameters.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError, Place, UnknownNameError
from models.units import MOST_EXPONENT, Unit, difference_unit, parsed_unit, si_quantity, unit_name, unit_text

FloatArray = NDArray[np.float64]

MOST_CHARACTERS = 1000
MOST_DEPTH = 100
"""Operations inside each other; a sum of so many terms has this depth."""

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "min": min, "max": max, "abs": abs, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan,
}  # fmt: skip
OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": math.pow,
    "negative": operator.neg,
}


def _of_all(binary: Callable[..., Any], *given: FloatArray) -> FloatArray:
    return reduce(binary, given)


_COLUMNS: Mapping[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power, "negative": np.negative,
    "min": partial(_of_all, np.minimum), "max": partial(_of_all, np.maximum),
    "abs": np.abs, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan,
}  # fmt: skip
_SYMBOLS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
RESERVED = (*FUNCTIONS, "pi")
"""Names that mean the same in every expression."""
_SEVERAL = ("min", "max")
"""Functions of two or more arguments; the others have one."""

_NUMBER = r"(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
_TOKEN = re.compile(
    rf"(?P<quantity>{_NUMBER}\s*+\[[^][]*+\])|(?P<number>{_NUMBER})"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*+(?:\.[A-Za-z0-9_]++)*+)|(?P<space>\s++)|(?P<sign>[-+*/(),])|(?P<other>.)",
    re.DOTALL,
)
_GRAMMAR = "numbers, names, + - * / **, parentheses, pi, " + ", ".join(FUNCTIONS)


@dataclass(frozen=True, slots=True)
class Number:
    """A number, in SI if it has a unit."""

    value: float
    unit: str = "1"


@dataclass(frozen=True, slots=True)
class Name:
    """The value of a variable, parameter, metric or expression at a design."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or a function with its arguments."""

    symbol: str
    arguments: tuple[Node, ...]


Node = Number | Name | Operation


@dataclass(frozen=True, slots=True)
class Expression:
    """A tree, and the text that it was read from."""

    tree: Node
    text: str = field(compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it, each once, in their order."""
        return tuple(dict.fromkeys(_names(self.tree)))

    def value(self, lookup: Callable[[str], float | None]) -> float | None:
        """Value of the expression; None where a name has none, or where a step of it is no finite number.

        A division by zero is such a step, and so is the root of a negative number.
        """
        try:
            return _value(self.tree, lookup)
        except (ArithmeticError, ValueError):
            return None

    def columns(self, lookup: Callable[[str], FloatArray]) -> FloatArray:
        """Values ``(n,)`` at many designs, to rounding those of :meth:`value`; NaN for None."""
        with np.errstate(all="ignore"):
            return _column(self.tree, lookup)


def _names(node: Node) -> Iterator[str]:
    if isinstance(node, Name):
        yield node.name
    elif isinstance(node, Operation):
        for argument in node.arguments:
            yield from _names(argument)


def _value(node: Node, lookup: Callable[[str], float | None]) -> float:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        found = lookup(node.name)
    else:
        arguments = [_value(argument, lookup) for argument in node.arguments]
        found = (OPERATORS.get(node.symbol) or FUNCTIONS[node.symbol])(*arguments)
    if found is None or not math.isfinite(found):
        raise ArithmeticError
    return float(found)


def _column(node: Node, lookup: Callable[[str], FloatArray]) -> FloatArray:
    if isinstance(node, Number):
        return np.float64(node.value) * np.ones(1)
    if isinstance(node, Name):
        return lookup(node.name)
    arguments = [_column(argument, lookup) for argument in node.arguments]
    found = _COLUMNS[node.symbol](*arguments)
    known = reduce(np.logical_and, map(np.isfinite, (found, *arguments)))
    return np.where(known, found, np.nan)


def read_expression(text: str, place: Place = ()) -> Expression:
    """The expression in a text; raises ``InputError`` at ``place``."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"has {len(text)} characters; an expression has at most {MOST_CHARACTERS}. Give its parts names "
            "under [expressions]",
            place,
        )
    reader = _Reader(place)
    source = reader.without_words(text)
    if not source.strip():
        raise InputError('is empty; write an expression, as in "workspace_volume / mass"', place)
    try:
        parsed = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"'{_short(text)}' is not an expression; allowed are {_GRAMMAR}, and numbers with a unit: 2 [mm]",
            place,
        ) from None
    return Expression(reader.node(parsed.body), text.strip())


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Reader:
    """Turns Python's tree into ours; ``words`` has the numbers and names by their placeholders."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._words: dict[str, Node] = {}

    def without_words(self, text: str) -> str:
        """The text with placeholders for numbers and names; raises ``InputError`` for other signs."""
        return "".join(map(self._sign, _TOKEN.finditer(text)))

    def _sign(self, token: re.Match[str]) -> str:
        kind, found = token.lastgroup, token[0]
        if kind == "space":
            return " "
        if kind == "sign":
            return found
        if kind == "other":
            hint = "; a power is written **" if found == "^" else ""
            text = f"'{found}' has no meaning in an expression{hint} (allowed: {_GRAMMAR})"
            raise InputError(text, self._place)
        word = f"w{len(self._words)}"
        self._words[word] = self._leaf(kind, found)
        return f" {word} "

    def _leaf(self, kind: str | None, found: str) -> Node:
        if kind == "name":
            return Number(math.pi) if found == "pi" else Name(found)
        if kind == "quantity":
            return self._quantity(*found[:-1].split("[", 1))
        if not math.isfinite(float(found)):
            raise InputError(f"{_short(found)} is too large a number", self._place)
        return Number(float(found))

    def _quantity(self, number: str, unit: str) -> Number:
        """A number with a unit; raises ``InputError`` for one that may be a temperature or a difference."""
        text = " ".join(f"{number} {unit}".split())
        value, si = si_quantity(text, self._place)
        step = difference_unit(unit)
        if step:
            number = number.strip()
            raise InputError(
                f"has {number} [{unit.strip()}], which may be a temperature or a difference; write "
                f"{number} [{step}] for a difference, {value:g} [{si}] for a temperature",
                self._place,
            )
        return Number(value, si)

    def node(self, node: ast.expr, depth: int = 1) -> Node:
        """Ours for one of Python's nodes; raises ``InputError`` for what the grammar has not."""
        if depth > MOST_DEPTH:
            raise InputError(
                f"is nested more than {MOST_DEPTH} deep; give its parts names under [expressions]",
                self._place,
            )
        if isinstance(node, ast.Name):
            word = self._words[node.id]
            if isinstance(word, Name) and word.name in FUNCTIONS:
                raise InputError(f"'{word.name}' is a function; write {word.name}(...)", self._place)
            return word
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            inner = self.node(node.operand, depth + 1)
            return inner if isinstance(node.op, ast.UAdd) else Operation("negative", (inner,))
        if isinstance(node, ast.BinOp) and type(node.op) in _SYMBOLS:
            sides = (self.node(node.left, depth + 1), self.node(node.right, depth + 1))
            return Operation(_SYMBOLS[type(node.op)], sides)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise InputError(f"is not an expression; allowed are {_GRAMMAR}", self._place)

    def _call(self, node: ast.Call, depth: int) -> Node:
        word = self._words[node.func.id] if isinstance(node.func, ast.Name) else None
        if not isinstance(word, Name):
            raise InputError("needs a sign between two values, as in 2 * (a + b)", self._place)
        if word.name not in FUNCTIONS:
            raise UnknownNameError("function", word.name, FUNCTIONS, self._place)
        several, count = word.name in _SEVERAL, len(node.args)
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if starred or node.keywords or (count < 2 if several else count != 1):
            wanted = "two or more values" if several else "one value"
            raise InputError(f"{word.name} takes {wanted}; {count} given", self._place)
        return Operation(word.name, tuple(self.node(argument, depth + 1) for argument in node.args))


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
