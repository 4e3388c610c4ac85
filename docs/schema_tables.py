"""JSON Schemas of records as Markdown tables: a row for each key, with type, unit, default and meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dashboards.formatting import unit_text

Schema = Mapping[str, Any]

_ROLE = re.compile(r":(?:class|func|meth|mod|attr|data):`~?([^`]+)`")
_ENDS = (("minimum", "≥ "), ("exclusiveMinimum", "> "), ("maximum", "≤ "), ("exclusiveMaximum", "< "))
_TIME = "date-time"
_WORDS = {
    "boolean": ("true or false", "booleans"),
    "integer": ("whole number", "whole numbers"),
    "number": ("number", "numbers"),
    "string": ("text", "texts"),
    "object": ("table", "tables"),
    _TIME: ("time (RFC 3339)", "times (RFC 3339)"),
}
_NUMBER_OR_TEXT = ("number, or text with a unit", "numbers, or texts with a unit")
_VALUE = ("number, text, true or false, or a list of them", "values")
_NULL, _OR_NULL = {"type": "null"}, "; or null"
_LONGEST_DEFAULT = 40


def plain(text: str) -> str:
    """A docstring as Markdown: roles and doubled quotes as plain code."""
    return _ROLE.sub(r"`\1`", text).replace("``", "`")


def cell(text: str) -> str:
    """A text in a cell of a table: one line, and no sign that ends the cell, also none within code."""
    return re.sub(r"\s+", " ", plain(text)).replace("|", "\\|").strip()


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; columns that are empty in every row are left out, and so is a table without rows."""
    found = [[cell(text) for text in row] for row in rows]
    kept = [number for number in range(len(heads)) if any(row[number] for row in found)]
    lines = [heads, ["---"] * len(heads), *found]
    return "".join(f"| {' | '.join(line[number] for number in kept)} |\n" for line in lines) if found else ""


def key_table(schema: Schema, names: Iterable[str] | None = None, *, answer: bool = False) -> str:
    """The keys of a record; ``names`` chooses some of them.

    An ``answer`` has all of its keys: defaults are left out, and null is a value.
    """
    needed = set(schema.get("required", ()))
    fields: Mapping[str, Schema] = schema.get("properties", {})
    return table(
        ("key", "type", "unit", "default", "meaning"),
        (
            (
                f"`{name}`",
                kind(fields[name]) + (_OR_NULL if answer and _NULL in fields[name].get("anyOf", ()) else ""),
                unit(fields[name]),
                "" if answer else "**needed**" if name in needed else default(fields[name]),
                meaning(fields[name]),
            )
            for name in (fields if names is None else names)
        ),
    )


def meaning(field: Schema) -> str:
    """The description of a key, or that of the one form that has one."""
    forms: list[Schema] = [field, *field.get("anyOf", ())]
    said = next((form["description"] for form in forms if form.get("description")), "")
    return f"{said} (a setting of the computation)" if field.get("numerical") else said


def unit(field: Schema) -> str:
    """The SI unit of a number, or those of the numbers of a list."""
    given: str | list[str] = field.get("unit", "")
    units = [given] if isinstance(given, str) else given
    return ", ".join(unit_text(each) for each in units if each != "1")


def default(field: Schema) -> str:
    """The default as a study file writes it; its length alone where it is long."""
    value = field.get("default")
    if value is None or value in ([], "") or isinstance(value, dict):
        return ""
    text = json.dumps(_short(value), ensure_ascii=False)
    if len(text) <= _LONGEST_DEFAULT:
        return f"`{text}`"
    return f"{len(value)} items" if isinstance(value, list) else ""


def _short(value: Any) -> Any:
    """A value whose numbers have six digits, and no point where they are whole."""
    if isinstance(value, list):
        return [_short(item) for item in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e7 else float(f"{value:.6g}")
    return value


def kind(field: Schema, *, many: bool = False) -> str:
    """The type of a key in words, with its range, its options, or the record that it holds."""
    forms = [form for form in field.get("anyOf", [field]) if form.get("type") != "null"]
    kinds = [form.get("type") for form in forms]
    if {"string", "number", "boolean"} <= {*kinds}:
        return _VALUE[many]
    if {"string", "number"} <= {*kinds} and not any("enum" in form or "const" in form for form in forms):
        words = [_NUMBER_OR_TEXT[many]]
        forms = [form for form in forms if form.get("type") not in ("string", "number", "integer")]
    else:
        words = []
        forms = [form for form in forms if form.get("type") != "integer" or "number" not in kinds]
    words += [_one_kind(form, many=many) for form in forms]
    return "; or ".join(dict.fromkeys(word for word in words if word))


def _one_kind(form: Schema, *, many: bool) -> str:
    if "$ref" in form:
        name = form["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})" if not many else f"[{name}](#{name.lower()}) tables"
    if "anyOf" in form:
        return kind(form, many=many)
    options = form.get("enum", [form["const"]] if "const" in form else [])
    if options:
        return ", ".join(f"`{json.dumps(option)}`" for option in options)
    if form.get("type") == "array":
        return _list_kind(form, many=many)
    if form.get("type") == "object":
        return _table_kind(form, many=many)
    name = _TIME if form.get("format") == _TIME else form.get("type", "")
    word = _WORDS[name][many] if name else ""
    return f"{word} {_range(form)}".strip()


def _range(form: Schema) -> str:
    if "minimum" in form and "maximum" in form:
        return f"{_short(form['minimum'])} to {_short(form['maximum'])}"
    return ", ".join(f"{sign}{_short(form[key])}" for key, sign in _ENDS if key in form)


def _list_kind(form: Schema, *, many: bool) -> str:
    items: list[Schema] = form.get("prefixItems", [])
    start = "lists of" if many else "list of"
    if items:
        return f"{start} {len(items)} {kind(items[0], many=True)}"
    if form.get("minItems") is not None and form.get("minItems") == form.get("maxItems"):
        start += f" {form['minItems']}"
    return f"{start} {kind(form.get('items', {}), many=True)}".strip()


def _table_kind(form: Schema, *, many: bool) -> str:
    patterns: Mapping[str, Schema] = form.get("patternProperties", {})
    held = next(iter(patterns.values()), form.get("additionalProperties"))
    inner = kind(held, many=True) if isinstance(held, dict) and held else ""
    return f"{_WORDS['object'][many]} of {inner}" if inner else _WORDS["object"][many]
