"""Numbers for people: SI values as text with a readable unit.

Angles are shown in degrees, small lengths in millimetres and so on; values that stand beside each
other share one unit, so that they can be compared at a glance.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from importlib.resources import files
from itertools import groupby
from typing import Any

from models.parameter_names import words
from models.units import SUPERSCRIPTS, unit_text
from studies.definition.robust_metrics import ERROR, STATISTIC_WORDS, base_metric

_RULES: Mapping[str, Any] = json.loads(
    files("dashboards").joinpath("static", "core", "format.json").read_text(encoding="utf-8")
)
"""The rules that reports and the scripts of pages (``core/format.js``) share."""
MISSING: str = _RULES["missing"]
_MINUS = "\N{MINUS SIGN}"
_GAP = "\N{NARROW NO-BREAK SPACE}"
DIGITS: int = _RULES["digits"]
"""Significant digits of results."""
SETTING_DIGITS: int = _RULES["setting_digits"]
"""Significant digits of parameters, which people wrote down and expect to find again."""
LONGEST_LIST: int = _RULES["longest_list"]
"""Longer lists of few repeated numbers are shown as counts and these numbers."""
MOST_REPEATED: int = _RULES["most_repeated"]

_EXACT = Context(prec=400)
"""Holds every digit that a number below 1e7 has before it is rounded."""
_UNIT_GAP = re.compile(r"(?<=\d) (?=[%°µ\w])")
_PREFIXES: Mapping[str, list[tuple[float, str]]] = _RULES["prefixes"]
_BASE_RANGE: tuple[float, float] = _RULES["base_range"]
"""Magnitudes that read well without a prefix."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale of shown values: ``shown = SI value * factor``, followed by ``unit``."""

    factor: float
    unit: str

    def show(self, value: float | None, digits: int = DIGITS) -> str:
        """The value with its unit."""
        return MISSING if value is None else with_unit(self.bare(value, digits), self.unit)

    def with_error(self, value: float | None, error: float | None) -> str:
        """The value and its numerical error with their unit: *1.81 ± 0.05 m³*."""
        if value is None or error is None:
            return self.show(value)
        return with_unit(f"{self.bare(value)} ± {self.bare(error, 2)}", self.unit)

    def bare(self, value: float | None, digits: int = DIGITS) -> str:
        """The value alone, for cells whose heading names the unit."""
        return MISSING if value is None else number(value * self.factor, digits)

    def measured(self, value: float | None, digits: int = DIGITS) -> str:
        """The value with its unit and all its digits, so that a column of results lines up."""
        if value is None:
            return MISSING
        return with_unit(number(value * self.factor, digits, trim=False), self.unit)


def scale_of(values: Iterable[float | None], unit: str) -> Scale:
    """The scale in which the largest of ``values`` (SI, in ``unit``) reads well."""
    if unit == "rad":
        return Scale(180.0 / math.pi, "°")
    largest = max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0.0)
    base = Scale(1.0, unit_text(unit))
    if largest == 0.0 or _BASE_RANGE[0] <= largest < _BASE_RANGE[1]:
        return base
    for size, name in _PREFIXES.get(unit, ()):
        if 1.0 <= largest / size < _BASE_RANGE[1]:
            return Scale(1.0 / size, name)
    return base


def quantity(value: float | None, unit: str, digits: int = DIGITS) -> str:
    """One SI value with the unit that reads best: ``quantity(0.002, "m") == "2 mm"``."""
    return scale_of([value], unit).show(value, digits)


def with_unit(text: str, unit: str) -> str:
    """``text`` followed by a unit; degrees and percent as people write them."""
    if not unit:
        return text
    return f"{text}{unit}" if unit == "°" else f"{text} {unit}"


def prose(text: str) -> str:
    """A back-end's sentence, written in ASCII, as it would be printed."""
    return text.replace("+-", "±").replace("m^3", "m³").replace("m^2", "m²")


def unbroken(text: str) -> str:
    """Prose whose numbers stay on one line with their units."""
    return _UNIT_GAP.sub("\N{NO-BREAK SPACE}", text)


def heading(name: str, unit: str) -> str:
    """A column heading or axis title: ``workspace volume [m³]``."""
    return f"{words(name)} [{unit}]" if unit else words(name)


def statistic_words(name: str) -> str:
    """``95 % quantile of F2``."""
    plain = name.removesuffix(ERROR)
    base = base_metric(plain)
    text = (
        "share of feasible robots"
        if base is None
        else f"{STATISTIC_WORDS[plain.rpartition('.')[2]]} of {words(base)}"
    )
    return text if plain == name else f"standard error of the {text}"


def title_of(name: str, label: str) -> str:
    """Title of a metric in headings."""
    return label or words(name).replace(".", " ")


def number(value: float, digits: int = DIGITS, *, trim: bool = True) -> str:
    """A number with ``digits`` significant digits, grouped in thousands, powers of ten spelled out.

    ``trim`` drops zeros at the end of decimals.
    """
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    if value == 0:
        return "0"
    cut = Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal_from_float(float(value))
    size = cut.adjusted()
    if -4 <= size < 7:
        text = f"{rounded(value, max(digits - 1 - size, 0)):,f}"
        text = text.rstrip("0").rstrip(".") if trim and "." in text else text
        return text.replace(",", _GAP if size >= 4 else "").replace("-", _MINUS)
    mantissa, exponent = f"{cut:.{digits - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if trim else mantissa
    power = str(int(exponent)).translate(SUPERSCRIPTS)
    return f"{mantissa}·10{power}".replace("-", _MINUS)


def rounded(value: float, decimals: int) -> Decimal:
    """A number with ``decimals`` decimals; halves go away from zero.

    Python's own formats send exact halves to the even digit, and scripts of the pages away from zero: the
    share 0.15625 of a space would be 0.1562 in a report and 0.1563 on a page.
    """
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)


def moment(seconds: float) -> str:
    """A time as UTC text."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def counted(count: int, noun: str) -> str:
    """``1 design``, ``3 designs``."""
    return f"{count} {noun}{'s' * (count != 1)}"


def percent(share: float) -> str:
    """A share as a percentage; ``percent(0.123) == "12 %"``."""
    value = 100 * share
    if 0 < abs(value) < 0.1:
        return "under 0.1 %"
    return f"{rounded(value, int(abs(value) < 10 and value != round(value))):f} %"


def value_text(value: Any, unit: str | Sequence[str] | None) -> str:
    """Any stored parameter as text: numbers with units, lists with one unit, tables by name."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return quantity(float(value), unit if isinstance(unit, str) else "1", SETTING_DIGITS)
    if isinstance(value, Mapping):
        table: Mapping[str, Any] = value
        return "; ".join(f"{name} {value_text(item, unit)}" for name, item in table.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _list_text(list(value), unit)
    return str(value)


def _list_text(items: list[Any], unit: str | Sequence[str] | None) -> str:
    if isinstance(unit, Sequence) and not isinstance(unit, str) and len(unit) == len(items):
        return "(" + ", ".join(value_text(item, u) for item, u in zip(items, unit, strict=True)) + ")"
    stated = unit if isinstance(unit, str) else "1"
    numbers = list(_numbers(items))
    scale = scale_of(numbers, stated)
    if len(items) > LONGEST_LIST and len(numbers) == len(items):
        repeated = [(len(list(same)), value) for value, same in groupby(numbers)]
        if len(repeated) <= MOST_REPEATED:
            runs = ", ".join(f"{n} times {scale.bare(value, SETTING_DIGITS)}" for n, value in repeated)
            return with_unit(runs, scale.unit)
    return with_unit(_nested(items, scale), scale.unit)


def _numbers(items: Iterable[Any]) -> Iterable[float]:
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from _numbers(item)
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield float(item)


def _nested(item: Any, scale: Scale) -> str:
    if isinstance(item, (list, tuple)):
        parts: list[str] = [_nested(part, scale) for part in item]
        return "(" + ", ".join(parts) + ")"
    if isinstance(item, int | float) and not isinstance(item, bool):
        return scale.bare(float(item), SETTING_DIGITS)
    return value_text(item, None)
