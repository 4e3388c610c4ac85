"""pydantic's validation errors as sentences for the user: what was given, where, what is allowed."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from models.errors import InputError, UnknownNameError
from models.fields import inner_record, unit_of
from models.wording import MUST, either, plain_number, wording

MOST_FAULTS = 10
_MOST_DETAILS = 100
"""Of pydantic, which tells several for a value that may have several forms."""
_LONGEST_SHOWN = 60
"""Characters of a text that are repeated."""
_UNION_TAGS = frozenset(
    {"int", "float", "str", "bool", "constrained-float"}
)  # pydantic's names for the forms of a value


def explain(error: ValidationError, place: str, record: type[BaseModel]) -> InputError:
    """One line per faulty value; the first one's place is the error's place."""
    faults: dict[str, list[_Fault]] = {}
    for detail in error.errors(include_url=False)[:_MOST_DETAILS]:
        fault = _fault(detail, place, record)
        if fault.text:
            faults.setdefault(fault.where, []).append(fault)
    lines = [(where, _line(found)) for where, found in faults.items()]
    first, *rest = lines[:MOST_FAULTS]
    more = "".join(f"\n{where}: {text}" if where else f"\n{text}" for where, text in rest)
    return InputError(first[1] + more, first[0])


class _Fault(NamedTuple):
    """Where a fault is, what was given there, what is wrong with it, and the field that it is in."""

    where: str
    given: str
    text: str
    field: FieldInfo | None


def _fault(detail: Any, place: str, record: type[BaseModel]) -> _Fault:
    raw = [str(step) for step in detail["loc"]]
    field = record.model_fields.get(raw[0]) if raw else None
    inner = inner_record(field) if field is not None else None
    tag = inner.__name__ if inner is not None else ""
    steps = [step for step in raw if step != tag and "[" not in step]
    while len(steps) > 1 and steps[-1] in _UNION_TAGS:
        steps.pop()
    if detail["type"] == "extra_forbidden":
        holder = inner if len(steps) > 1 and inner is not None else record
        where = ".".join([place, *steps[:-1]] if place else steps[:-1])
        return _Fault(where, "", UnknownNameError("key", steps[-1], holder.model_fields).message, None)
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
    return _Fault(where, shown, wording(detail), field)


def _shown(given: Any) -> str:
    """What was given, as it is written in a study file, where it is short enough to be repeated."""
    if isinstance(given, bool):
        return f"{given}: ".lower()
    if isinstance(given, str) and len(given) > _LONGEST_SHOWN:
        return f"'{given[:_LONGEST_SHOWN]}…': "
    return f"{given!r}: " if isinstance(given, int | float | str) else ""


def _line(faults: list[_Fault]) -> str:
    field = faults[-1].field
    text = either(faults[0].given, [fault.text for fault in faults][:MOST_FAULTS])
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
