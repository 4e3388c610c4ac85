"""What pydantic finds wrong with one value, in words of an engineer: what is missing or what it must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
"""What a value must be, by pydantic's name of the fault."""
_LIMITS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


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
    return _amiss(kind, context) or _plainer(detail["msg"])


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


def _plainer(message: str) -> str:
    """A sentence of ours, or one of pydantic's that is in no table."""
    text = message.removeprefix("Value error, ").replace("Input should be ", MUST)
    return f"{text[:1].lower()}{text[1:]}"


def plain_number(value: Any) -> str:
    """A bound as people write it: ``1e9``, ``12.566``, and whole numbers in full."""
    return f"{value:.5g}".replace("e+0", "e").replace("e-0", "e-") if isinstance(value, float) else str(value)


def either(shown: str, wordings: Sequence[str]) -> str:
    """What is wrong with a value that may have one of several forms: ``3: must be text or a number``."""
    musts = list(dict.fromkeys(each.removeprefix(MUST) for each in wordings if each.startswith(MUST)))
    if "a number" in musts:
        musts = [must for must in musts if must != "a whole number"]
    last = f"{', '.join(musts[:-1])} or {musts[-1]}" if len(musts) > 1 else "".join(musts)
    others = list(dict.fromkeys(each for each in wordings if not each.startswith(MUST)))
    return shown + ", or ".join([*([MUST + last] if musts else []), *others])
