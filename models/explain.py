"""pydantic's validation errors as sentences for the user: what was given, where, what is allowed."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from models.errors import InputError, UnknownNameError
from models.fields import inner_record, unit_of

MOST_FAULTS = 10
_UNION_TAGS = frozenset(
    {"int", "float", "str", "bool", "constrained-float"}
)  # pydantic's names for the forms of a value


def explain(error: ValidationError, place: str, record: type[BaseModel]) -> InputError:
    """One line per faulty value; the first one's place is the error's place."""
    texts: dict[str, list[str]] = {}
    fields: dict[str, FieldInfo | None] = {}
    for detail in error.errors(include_url=False):
        where, text, field = _fault(detail, place, record)
        if text not in texts.setdefault(where, []):
            texts[where].append(text)
        fields[where] = field
    lines = [(where, _line(parts, fields[where])) for where, parts in texts.items() if any(parts)]
    first, *rest = lines[:MOST_FAULTS]
    more = "".join(f"\n{where}: {text}" if where else f"\n{text}" for where, text in rest)
    return InputError(first[1] + more, first[0])


def _fault(detail: Any, place: str, record: type[BaseModel]) -> tuple[str, str, FieldInfo | None]:
    """Where one fault is, what it says, and the field that it is in."""
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
        return where, UnknownNameError("key", steps[-1], holder.model_fields).message, None
    if inner is not None and len(steps) > 1:
        inside = steps[2:] if steps[1].isdecimal() else steps[1:]  # of an item of a list of records
        field = inner.model_fields.get(inside[0], field) if inside else field
    where = ".".join([place, *steps] if place else steps)
    given = detail.get("input")
    if detail["type"] == "model_type" and inner is not None:
        return where, f"a table with {', '.join(inner.model_fields)}", field
    if raw and isinstance(given, dict) and raw[-1].startswith("literal["):
        return where, "", field  # a table was given: what names are allowed does not help
    text = detail["msg"].removeprefix("Value error, ").replace("valid tuple", "list")
    shown = f"{given!r}: " if isinstance(given, int | float | str | bool) else ""
    return where, f"{shown}{text[:1].lower()}{text[1:]}", field


def _line(parts: list[str], field: FieldInfo | None) -> str:
    text = ", or ".join(part for part in parts if part)
    allowed = _allowed(field) if field is not None else ""
    return f"{text} ({allowed})" if allowed else text


def _allowed(field: FieldInfo) -> str:
    """Bounds, unit and description of a field."""
    constraints = [_attributes(item) for item in field.metadata]
    bounds = {name: value for item in constraints for name, value in item.items()}
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    limits = " and ".join(f"{signs[name]} {bounds[name]}" for name in signs if name in bounds)
    unit = unit_of(field)
    stated = f"in {unit}" if isinstance(unit, str) and unit != "1" else ""
    return "; ".join(part for part in (limits, stated, field.description or "") if part)


def _attributes(constraint: Any) -> dict[str, Any]:
    names: tuple[str, ...] = getattr(constraint, "__slots__", ()) or ()
    return {name: getattr(constraint, name) for name in names}
