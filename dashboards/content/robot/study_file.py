"""The study file written from a stored definition, so that anybody can run the study again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import KeyPath

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST = 100
_INLINE = frozenset({"variables", "constraints", "tolerances"})
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
    tables = absent_tables({**known, **tree}, {})
    return "\n\n".join(table_toml(path, values) for path, values in tables).strip() + "\n"


def _stated(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The tree without values that are not set: TOML has no null."""
    return {
        name: _stated(value) if isinstance(value, Mapping) else value
        for name, value in tree.items()
        if value is not None
    }


def absent_tables(
    tree: Mapping[str, Any], have: Any, path: KeyPath = ()
) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Keys of each table that another tree lacks, by the path of the table; those of variables are inline."""
    known: Mapping[str, Any] = have if isinstance(have, Mapping) else {}
    inner = {} if {*path[-1:]} & _INLINE else {k: v for k, v in tree.items() if isinstance(v, Mapping)}
    own = {k: v for k, v in tree.items() if k not in inner and k not in known}
    if own or (path and not inner and have is None):
        yield path, own
    for name, table in inner.items():
        yield from absent_tables(table, known.get(name), (*path, name))


def table_toml(path: KeyPath, values: Mapping[str, Any]) -> str:
    """A table as a file writes it; that of the whole file has no path and no header."""
    header = [f"[{'.'.join(map(toml_key, path))}]"] if path else []
    return "\n".join([*header, *(f"{toml_key(k)} = {wrapped_value(v)}" for k, v in values.items())])


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
