"""pydantic's validation errors as sentences for the user: what was given, where, what is allowed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError, from_json

from errors import MOST_FAULTS, UNKNOWN_KEY, Fault, FaultsError, InputError, Place, UnknownNameError
from models.fields import inner_record, unit_of

MUST = "must be "
_KINDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list, as in [1, 2]",
    "tuple_type": "a list, as in [1, 2]",
    "dict_type": "a table of names and values",
    "model_type": "a table of names and values",
    "model_attributes_type": "a table of names and values",
}
"""Words for the kind that a value must have, by pydantic's name of the fault."""
_LIMITS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


def json_fault(text: str, error: Exception) -> str:
    """Reason why ``json`` refused a text, in pydantic's words; Python's own change between its versions."""
    told = str(error)
    if isinstance(error, json.JSONDecodeError):
        told = f"fault in line {error.lineno}, column {error.colno}"
        try:
            from_json(text, allow_inf_nan=False)
        except ValueError as fault:
            told = str(fault)
    too_deep = isinstance(error, RecursionError) or told.startswith("recursion limit")
    return "nested too deeply" if too_deep else told


def wording(detail: Mapping[str, Any]) -> str:
    """The fault without the value that was given, for one entry of pydantic's ``errors()``."""
    kind: str = detail["type"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind in _KINDS:
        return MUST + _KINDS[kind]
    if kind in _LIMITS:
        side, name = _LIMITS[kind]
        return f"{MUST}{side} {plain_number(context[name])}"
    if kind == "literal_error":
        return MUST + context["expected"]
    if kind == "missing":
        place = detail["loc"]
        item = place and isinstance(place[-1], int)
        return f"is missing: the list must have an item {place[-1]}, counted from 0" if item else "is missing"
    return _amiss(kind, context) or plainer(detail["msg"])


def _amiss(kind: str, context: Mapping[str, Any]) -> str:
    """A fault in how long a text, list or table is, or what it is called; empty for other faults."""
    least, most = context.get("min_length"), context.get("max_length")
    if kind == "too_short" and not context["actual_length"]:
        return f"is empty: at least {least} must be given"
    return {
        "too_short": f"needs at least {least} items; {context.get('actual_length')} given",
        "too_long": f"takes at most {most} items; more were given",
        "string_too_short": f"is too short: at least {least} characters are needed",
        "string_pattern_mismatch": "cannot be used as a name",
        "extra_forbidden": "is not known here",
        "string_too_long": f"is too long: at most {most} characters are allowed",
    }.get(kind, "")


def plainer(message: str) -> str:
    """A sentence of ours, or one of pydantic's that is in no table."""
    text = message.removeprefix("Value error, ").replace("Input should be ", MUST)
    return f"{text[:1].lower()}{text[1:]}"


def plain_number(value: Any) -> str:
    """A bound as people write it: ``1e9``, ``12.566``, and whole numbers in full."""
    return f"{value:.5g}".replace("e+0", "e").replace("e-0", "e-") if isinstance(value, float) else str(value)


def either(shown: str, wordings: Sequence[str]) -> str:
    """Word a value that fits none of several forms: ``3: must be text or a number``."""
    musts = list(dict.fromkeys(each.removeprefix(MUST) for each in wordings if each.startswith(MUST)))
    if "a number" in musts:
        musts = [must for must in musts if must != "a whole number"]
    last = f"{', '.join(musts[:-1])} or {musts[-1]}" if len(musts) > 1 else "".join(musts)
    others = list(dict.fromkeys(each for each in wordings if not each.startswith(MUST)))
    return shown + ", or ".join([*([MUST + last] if musts else []), *others])


_MOST_FORMS = 10
_MOST_DETAILS = 500
"""Most details of pydantic's, which reports several for a value that may have several forms."""
_LONGEST_SHOWN = 60
"""Characters of a text that are repeated."""
_EXCLUDED = "excluded"
_COMBINED = frozenset({"value_error", "assertion_error", _EXCLUDED})
"""pydantic's names for what validators raise."""
_UNION_TAGS = frozenset(
    {"int", "float", "str", "bool", "constrained-float"}
)  # pydantic's names for the forms of a value


def excluded(message: str, *names: str) -> PydanticCustomError:
    """Make the error that a validator of a record raises for values that exclude each other.

    Parameters
    ----------
    message : str
        What was given, what is allowed and what to do.
    *names : str
        The fields of the record that the message names.
    """
    return PydanticCustomError(_EXCLUDED, "{message}", {"message": message, "names": names})


def explain(error: ValidationError, place: Place, record: type[BaseModel]) -> InputError:
    """One fault per faulty value; the first one's place is the error's place."""
    found = faults_of(error, place, record)
    return FaultsError(found) if len(found) > 1 else InputError.of(found[0])


def faults_of(error: ValidationError, place: Place, record: type[BaseModel]) -> list[Fault]:
    """Faults of an error, one per faulty value."""
    return _faults(error.errors(include_url=False)[:_MOST_DETAILS], place, record)


def faults_of_values(error: ValidationError, place: Place, record: type[BaseModel]) -> list[Fault]:
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


def _faults(details: Sequence[Any], place: Place, record: type[BaseModel]) -> list[Fault]:
    """The faults of one value, which may have several forms, as one."""
    alike: dict[tuple[Place, str], list[_Fault]] = {}
    for detail in details:
        fault = _fault(detail, place, record)
        if fault.text:
            alike.setdefault((fault.where, fault.unknown), []).append(fault)
    return [Fault(where, _line(found), found[0].key, found[0].names) for (where, _), found in alike.items()][
        :MOST_FAULTS
    ]


class _Fault(NamedTuple):
    """A fault: its place, the given value, the text, its field, its key and names."""

    where: Place
    given: str
    text: str
    field: FieldInfo | None
    key: str
    names: tuple[str, ...] = ()

    @property
    def unknown(self) -> str:
        """The key that is not known at the place; empty for other faults."""
        return self.names[0] if self.key == UNKNOWN_KEY else ""


def _fault(detail: Any, place: Place, record: type[BaseModel]) -> _Fault:
    raw: Place = detail["loc"]
    field = record.model_fields.get(str(raw[0])) if raw else None
    inner = inner_record(field) if field is not None else None
    steps = _without_forms(raw, inner)
    if detail["type"] == "extra_forbidden":
        unknown = str(raw[-1])
        text = UnknownNameError("key", unknown, _keys(_holder(record, raw[:-1]))).message
        return _Fault((*place, *steps[:-1]), "", text, None, UNKNOWN_KEY, (unknown,))
    if inner is not None and len(steps) > 1:
        inside = steps[2:] if isinstance(steps[1], int) else steps[1:]  # of an item of a list of records
        field = inner.model_fields.get(str(inside[0]), field) if inside else field
    where = (*place, *steps)
    given, key = detail.get("input"), detail["type"]
    names: tuple[str, ...] = detail.get("ctx", {}).get("names", ()) if key == _EXCLUDED else ()
    if key == "model_type" and inner is not None:
        text = f"{MUST}a table with {', '.join(_keys(_holder(record, raw)))}"
        return _Fault(where, _shown(given), text, field, key)
    if raw and isinstance(given, dict) and str(raw[-1]).startswith("literal["):
        return _Fault(where, "", "", field, key)  # a table was given: what names are allowed does not help
    return _Fault(where, _shown(given), wording(detail) + _degrees(detail, field), field, key, names)


def _holder(record: type[BaseModel], steps: Place) -> type[BaseModel]:
    """The record at the end of these steps, or the last one on the way."""
    for step in steps:
        field = record.model_fields.get(str(step))
        if field is None and record.model_config.get("extra") == "allow":
            record = _record_of_extras(record)
        record = (inner_record(field) if field is not None else None) or record
    return record


def _record_of_extras(record: type[BaseModel]) -> type[BaseModel]:
    """The record under any key of one whose keys are free, such as a tolerance by the path of a parameter."""
    form = get_args(get_type_hints(record)["__pydantic_extra__"])[-1]
    return form if isinstance(form, type) and issubclass(form, BaseModel) else record


def _keys(record: type[BaseModel]) -> list[str]:
    """The keys of a record as they are written."""
    return [field.alias or name for name, field in record.model_fields.items()]


def _without_forms(raw: Place, inner: type[BaseModel] | None) -> Place:
    """Pydantic's place without its names for the forms that a value may have."""
    form = inner.__name__ if inner is not None else None  # a key may be empty
    steps = [step for step in raw if isinstance(step, int) or (step != form and "[" not in step)]
    while len(steps) > 1 and steps[-1] in _UNION_TAGS:
        steps.pop()
    return tuple(steps)


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
    """The given value as a study file writes it, if it is short enough to be repeated."""
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
