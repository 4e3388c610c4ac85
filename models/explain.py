"""pydantic's validation errors as sentences for the user: what was given, where, what is allowed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from models.errors import MOST_FAULTS, Fault, FaultsError, InputError, UnknownNameError
from models.fields import inner_record, unit_of
from models.wording import MUST, either, plain_number, wording

_MOST_FORMS = 10
_MOST_DETAILS = 500
"""Of pydantic, which reports several for a value that may have several forms."""
_LONGEST_SHOWN = 60
"""Characters of a text that are repeated."""
_COMBINED = frozenset({"value_error", "assertion_error"})
"""pydantic's names for what validators of ours raise."""
_UNION_TAGS = frozenset(
    {"int", "float", "str", "bool", "constrained-float"}
)  # pydantic's names for the forms of a value


def explain(error: ValidationError, place: str, record: type[BaseModel]) -> InputError:
    """One fault per faulty value; the first one's place is the error's place."""
    found = faults_of(error, place, record)
    return FaultsError(found) if len(found) > 1 else InputError(found[0].message, found[0].place)


def faults_of(error: ValidationError, place: str, record: type[BaseModel]) -> list[Fault]:
    """What is wrong, one fault per faulty value."""
    return _faults(error.errors(include_url=False)[:_MOST_DETAILS], place, record)


def faults_of_values(error: ValidationError, place: str, record: type[BaseModel]) -> list[Fault]:
    """Only the faults of single values, which no other value could mend.

    Left out are those that a validator of the record reports: values that exclude each other. Where a
    value may have several forms, it excludes others if it has one of the forms.
    """
    forms: dict[Any, dict[Any, list[Any]]] = {}
    for detail in error.errors(include_url=False)[:_MOST_DETAILS]:
        form = forms.setdefault(detail["loc"][:1], {})
        form.setdefault(detail["loc"][1:2], []).append(detail)
    own = [
        detail
        for tried in forms.values()
        if not any(all(detail["type"] in _COMBINED for detail in form) for form in tried.values())
        for form in tried.values()
        for detail in form
    ]
    return _faults(own, place, record)


def _faults(details: Sequence[Any], place: str, record: type[BaseModel]) -> list[Fault]:
    faults: dict[tuple[str, str], list[_Fault]] = {}
    for detail in details:
        fault = _fault(detail, place, record)
        if fault.text:
            faults.setdefault((fault.where, fault.key), []).append(fault)
    return [Fault(where, _line(found), key) for (where, key), found in faults.items()][:MOST_FAULTS]


class _Fault(NamedTuple):
    """Where a fault is, what was given there, what is wrong with it, its field, and its unknown key."""

    where: str
    given: str
    text: str
    field: FieldInfo | None
    key: str = ""


def _fault(detail: Any, place: str, record: type[BaseModel]) -> _Fault:
    raw = [str(step) for step in detail["loc"]]
    field = record.model_fields.get(raw[0]) if raw else None
    inner = inner_record(field) if field is not None else None
    tag = inner.__name__ if inner is not None else None  # a key may be empty
    steps = [step for step in raw if step != tag and "[" not in step]
    while len(steps) > 1 and steps[-1] in _UNION_TAGS:
        steps.pop()
    if detail["type"] == "extra_forbidden":
        holder = inner if len(steps) > 1 and inner is not None else record
        where = ".".join([place, *steps[:-1]] if place else steps[:-1])
        return _Fault(
            where, "", UnknownNameError("key", steps[-1], holder.model_fields).message, None, steps[-1]
        )
    if inner is not None and len(steps) > 1:
        inside = steps[2:] if steps[1].isdecimal() else steps[1:]  # of an item of a list of records
        field = inner.model_fields.get(inside[0], field) if inside else field
    where = ".".join([place, *steps] if place else steps)
    given = detail.get("input")
    shown = _shown(given)
    if detail["type"] == "model_type" and inner is not None:
        return _Fault(where, shown, f"{MUST}a table with {', '.join(inner.model_fields)}", field)
    if raw and isinstance(given, dict) and raw[-1].startswith("literal["):
        return _Fault(where, "", "", field)  # a table was given: what names are allowed does not help
    return _Fault(where, shown, wording(detail) + _degrees(detail, field), field)


def _degrees(detail: Mapping[str, Any], field: FieldInfo | None) -> str:
    """A question after a bare number that is too large for radians, but would do in degrees."""
    given, limit = detail.get("input"), detail.get("ctx", {})
    if field is None or unit_of(field) != "rad" or not isinstance(given, int | float):
        return ""
    most, least = limit.get("le", limit.get("lt")), limit.get("ge", limit.get("gt"))
    if (most is None and least is None) or abs(given) <= 2 or given != round(given, 3):
        return ""  # a number with many digits was converted from text with a unit
    turned = math.radians(given)
    fits = (most is None or turned <= most) and (least is None or turned >= least)
    return f"; did you mean '{plain_number(given)} deg'?" if fits else ""


def _shown(given: Any) -> str:
    """What was given, as it is written in a study file, where it is short enough to be repeated."""
    if isinstance(given, bool):
        return f"{given}: ".lower()
    if isinstance(given, str) and len(given) > _LONGEST_SHOWN:
        return f"'{given[:_LONGEST_SHOWN]}…': "
    return f"{given!r}: " if isinstance(given, int | float | str) else ""


def _line(faults: list[_Fault]) -> str:
    field = faults[-1].field
    text = either(faults[0].given, [fault.text for fault in faults][:_MOST_FORMS])
    allowed = _allowed(field) if field is not None else ""
    return f"{text} ({allowed})" if allowed else text


def _allowed(field: FieldInfo) -> str:
    """Bounds, unit and description of a field."""
    constraints = [_attributes(item) for item in field.metadata]
    bounds = {name: value for item in constraints for name, value in item.items()}
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    limits = " and ".join(f"{signs[name]} {plain_number(bounds[name])}" for name in signs if name in bounds)
    unit = unit_of(field)
    stated = f"in {unit}" if isinstance(unit, str) and unit != "1" else ""
    return "; ".join(part for part in (limits, stated, field.description or "") if part)


def _attributes(constraint: Any) -> dict[str, Any]:
    names: tuple[str, ...] = getattr(constraint, "__slots__", ()) or ()
    return {name: getattr(constraint, name) for name in names}
