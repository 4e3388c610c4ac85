"""Names of parameters in words: *cable 1, pulley x* for the path ``pulleys.0.0``.

The one definition: pages, reports, figures, the shell and notebooks take their names from here, the scripts
of pages through REST. A path counts items from 0, as a study file does, and names count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from models.fields import field_at, inner_record, present_steps, said_of, unit_at

_AXES = "xyz"
_ENDS_IN_NUMBER = re.compile(r"\b\d+$")


def words(name: str) -> str:
    """Words for the name of a metric or a dotted path: *capacity margin q05* for ``capacity_margin.q05``."""
    return _joined(_counted(name.split(".")))


def parameter_words(record: type[BaseModel], path: str) -> str:
    """Words for a dotted path to a parameter or a part of one.

    Items of lists and the numbers inside them are called as their field says (``item`` and ``parts`` of
    :func:`models.fields.quantity`), coordinates of points x, y and z; everything else is counted from 1.
    A field whose name is a symbol has its ``label``.
    """
    name, *rest = steps = present_steps(record, path)
    field = record.model_fields.get(name)
    if field is None:
        return words(path)
    if rest and rest[0].isdecimal() and (item := _item(field, int(rest[0]))):
        name, *rest = item, *rest[1:]
    elif isinstance(label := said_of(field, "label"), str):
        name = label
    number = rest[:1] if rest and rest[0].isdecimal() else []
    inside, inner = rest[len(number) :], inner_record(field)
    if inner is not None and inside and inside[0] in inner.model_fields:
        return _joined([name, *_counted(number), parameter_words(inner, ".".join(inside))])
    if rest and rest[-1].isdecimal():
        names = said_of(field, "parts") or (_AXES if _is_point(record, steps[:-1]) else ())
        place = int(rest[-1])
        rest = [*rest[:-1], names[place]] if place < len(names) else rest
    return _joined([name, *_counted(rest)])


def option_words(record: type[BaseModel], path: str, value: str) -> str:
    """Words for an option of the parameter at a dotted path: *least norm* for ``minimum-norm``."""
    names: Mapping[str, Mapping[str, str]] = getattr(record, "option_names", {})
    return names.get(path.partition(".")[0], {}).get(value) or value.replace("-", " ").replace("_", " ")


def factor_words(record: type[BaseModel], factor: str) -> str:
    """Words for numbers that vary together; commas separate their paths."""
    names = [parameter_words(record, path) for path in factor.split(", ")]
    return ("; " if any("," in name for name in names) else ", ").join(names)


def _item(field: FieldInfo, place: int) -> str:
    """Words that a field has for an item of its list; empty where it has none."""
    said = said_of(field, "item")
    if isinstance(said, str):
        return said.format(place + 1)
    return said[place] if place < len(said) else ""


def _counted(steps: Sequence[str]) -> list[str]:
    """Steps of a path with numbers that count from 1."""
    return [str(int(step) + 1) if step.isdecimal() else step for step in steps]


def _joined(steps: Sequence[str]) -> str:
    """Steps with spaces between them, and a comma after a number."""
    text = steps[0]
    for before, step in pairwise(steps):
        text += f", {step}" if _ENDS_IN_NUMBER.search(before) else f" {step}"
    return text.replace("_", " ")


def _is_point(record: type[BaseModel], steps: Sequence[str]) -> bool:
    """Tell whether three lengths, or rates of lengths, stand where the steps lead."""
    path = ".".join([*steps, "0"])
    unit = unit_at(record, path)
    if not isinstance(unit, str) or re.match(r"m(?![a-z])", unit) is None:
        return False
    forms: list[Any] = [field_at(record, path).annotation]
    for _ in takewhile(str.isdecimal, reversed(steps)):
        forms = [inner for form in forms for tuple_ in _tuples(form) for inner in get_args(tuple_)[:1]]
    return any(
        len(args := get_args(found)) == len(_AXES) and ... not in args
        for form in forms
        for found in _tuples(form)
    )


def _tuples(form: Any) -> list[Any]:
    """The tuples among the forms that a value may have."""
    if get_origin(form) is tuple:
        return [form]
    return [found for inner in get_args(form) for found in _tuples(inner)]
