"""Trees of plain values, as TOML and JSON give them, brought to the shape that tables are checked in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.errors import InputError

MAX_DEPTH = 24


def refuse_depth(tree: Any) -> None:
    """Tables in tables in tables help nobody, and recursion would not survive them."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for node in level
            if isinstance(node, dict | list)
            for item in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return
    raise InputError(f"is nested more than {MAX_DEPTH} levels deep")


def flatten_tables(tree: dict[str, Any]) -> None:
    """Turn nested tables of variables, and items of lists, into dotted paths, in place."""
    layouts = tree.get("layouts")
    holders = [tree, *(layouts.values() if isinstance(layouts, dict) else [])]
    for holder in [*holders, tree.get("search")]:
        if not isinstance(holder, dict):
            continue
        if isinstance(holder.get("initial"), list):
            holder["initial"] = [_flat_values(i) if isinstance(i, dict) else i for i in holder["initial"]]
        for name, flatten in (("variables", _flat_variables), ("parameters", _flat_items)):
            if isinstance(holder.get(name), dict):
                holder[name] = flatten(holder[name])


def _flat_variables(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables flatten until one holds ``lower``, ``upper`` or ``options``."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        nested = isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values())
        if nested and not value.keys() & {"lower", "upper", "options"}:
            flat.update(_flat_variables(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


def _flat_values(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A design's nested tables as dotted paths; an option is never a table."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat.update(_flat_values(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


def _flat_items(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables whose keys are all numbers are items of a list: ``pulleys.0.2 = 0.5``."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict) and value and all(key.isdecimal() for key in value):
            flat.update(_flat_items(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat
