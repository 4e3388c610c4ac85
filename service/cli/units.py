"""Numbers in tables for people, in the units of the pages. CSV and JSON keep every digit in SI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.formatting import Scale, number, scale_of
from service.cli.output import NumberText, Row, typed


def aligned(value: Any, scale: Scale | None = None) -> Any:
    """A number as text that is aligned like a number; anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return NumberText(typed(number(value * scale.factor) if scale else number(value)))


def in_one_unit(row: Row, names: Sequence[str], unit: str = "unit") -> dict[str, Any]:
    """A row whose values under ``names`` share the unit under ``unit``, written in one that reads well."""
    scale = _scale([row[name] for name in names], row[unit])
    return {
        **row,
        **{name: aligned(row[name], scale) for name in names},
        unit: scale.unit,
    }


def in_units(rows: Sequence[Row], units: Mapping[str, str]) -> list[Row]:
    """Rows whose columns of numbers share a readable unit each, which stands at the column's name."""
    scales = {name: _scale([row.get(name) for row in rows], unit) for name, unit in units.items()}
    return [
        {
            f"{name} [{scales[name].unit}]" if name in scales and scales[name].unit else name: (
                aligned(value, scales[name]) if name in scales else value
            )
            for name, value in row.items()
        }
        for row in rows
    ]


def unit_in(schema: Mapping[str, Any], path: str) -> str:
    """The unit of the number at a dotted path of a JSON Schema; "1" where it says none."""
    node, unit = schema, None
    for step in path.split("."):
        node = _inside(schema, node, step)
        unit = node.get("unit", unit)
        if isinstance(unit, list) and step.isdecimal():
            unit = unit[int(step)]
    return unit if isinstance(unit, str) else "1"


def _scale(values: Sequence[Any], unit: str) -> Scale:
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return scale_of(numbers, unit)


def _inside(schema: Mapping[str, Any], node: Mapping[str, Any], step: str) -> Mapping[str, Any]:
    """The schema of a table's key, in any of the table's forms; no items of lists."""
    forms = [node, *node.get("anyOf", ())]
    for form in forms:
        found = schema["$defs"][form["$ref"].rsplit("/", 1)[-1]] if "$ref" in form else form
        if step in found.get("properties", {}):
            return found["properties"][step]
    return {}
