"""The study file written from a stored definition, so that anybody can run the study again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from studies.definition.study_definition import StudyDefinition

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST = 100
_ORDER = (
    "schema_version", "name", "description", "model", "seeds", "preset", "parameters", "variables",
    "symmetry", "expressions", "layouts", "tolerances", "robust", "objectives", "constraints", "search",
    "evaluation", "indicators",
)  # fmt: skip


def study_toml(definition: StudyDefinition) -> str:
    """TOML that declares the same study (equal digest); defaults are left out, but for the seeds."""
    tree = _stated(definition.model_dump(mode="json", exclude_defaults=True))
    return tree_toml({**tree, "schema_version": definition.schema_version, "seeds": definition.seeds})


def tree_toml(tree: Mapping[str, Any]) -> str:
    """A tree of plain values as a study file, also while it is not yet that of a sound study."""
    known = {name: tree[name] for name in _ORDER if name in tree}
    return "\n".join(_table({**known, **tree}, ())).strip() + "\n"


def _stated(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The tree without values that are not set: TOML has no null."""
    return {
        name: _stated(value) if isinstance(value, Mapping) else value
        for name, value in tree.items()
        if value is not None
    }


def _table(tree: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    """The lines of a table: its own values, then the tables in it; variables and bounds inline."""
    inline = bool(path) and path[-1] in ("variables", "constraints", "tolerances")
    own = {k: v for k, v in tree.items() if inline or not isinstance(v, Mapping)}
    inner = {k: v for k, v in tree.items() if k not in own}
    lines = [f"{toml_key(name)} = {wrapped_value(value)}" for name, value in own.items()]
    if path and (own or not inner):
        lines = ["", f"[{'.'.join(map(toml_key, path))}]", *lines]
    for name, value in inner.items():
        lines += _table(value, (*path, name))
    return lines


def toml_key(name: str) -> str:
    """A key as a file writes it."""
    return name if _BARE.fullmatch(name) else _text(name)


def _text(value: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def wrapped_value(value: Any) -> str:
    """A value; a list of lists or tables that is too long for a line has a line for each."""
    text = toml_value(value)
    if len(text) <= _LONGEST or not isinstance(value, list) or not isinstance(value[0], (list, Mapping)):
        return text
    items: list[Any] = value
    return "\n".join(["[", *(f"  {toml_value(item)}," for item in items), "]"])


def toml_value(value: Any) -> str:
    """A plain value as a file writes it, in one line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        table: Mapping[str, Any] = value
        return "{ " + ", ".join(f"{toml_key(k)} = {toml_value(v)}" for k, v in table.items()) + " }"
    if isinstance(value, (list, tuple)):
        items: list[Any] = list(value)
        return "[" + ", ".join(map(toml_value, items)) + "]"
    return repr(value)
