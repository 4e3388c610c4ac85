"""The study file written from a stored definition, and one in which values change and all else stays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from tomlkit import key as key_of
from tomlkit import parse
from tomlkit import value as item_of
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item, Key, Table

from errors import InputError
from studies.definition.documents import flattened
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import KeyPath, read_toml, statements

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


_QUOTED = re.compile(r'"""[^\0]*?"""|\'\'\'[^\0]*?\'\'\'|"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?')
_COMMENT = re.compile(r"#[^\n]*")
_ABSENT = object()
_MOST_KEYS = 900.0
"""Greatest weight of a text that is edited in place; for 170 keys like ``a.0.2``, tomlkit takes a second."""

Body = list[tuple[Key | None, Item]]


def edited_toml(text: str, tree: Mapping[str, Any]) -> str:
    """``text`` with the values of ``tree``, a flat study; written again when that cannot be done in place."""
    try:
        read_toml(text)
        edited = _edited(text, tree)
        if flattened(read_toml(edited)) == tree:
            return edited
    except (ValueError, InputError, TOMLKitError):
        pass
    return tree_toml(tree)


def comments_of(text: str) -> int:
    """Count the comments of a file."""
    return len(_COMMENT.findall(_QUOTED.sub("", text)))


def _weight(text: str) -> float:
    """Estimate the root of the time of tomlkit [us], which copies all dotted keys of a table for each."""
    found, table = 0.0, 0
    for _, path, headed in statements(text):
        table = len(path) if headed else table
        parts = len(path) - table
        found += headed + (parts**1.5 if parts > 1 else 0.0)
    return found


def _edited(text: str, tree: Mapping[str, Any]) -> str:
    if _weight(text) > _MOST_KEYS:
        raise ValueError("very many tables or dotted keys")
    document = parse(text if text.endswith("\n") else f"{text}\n")
    bodies: dict[KeyPath, Body] = {(): document.body}
    _change(document.body, tree, (), bodies)
    behind: list[str] = []
    for path, values in absent_tables(tree, flattened(read_toml(document.as_string()))):
        if path in bodies:
            _insert(bodies[path], values)
        else:
            behind.append(f"\n{table_toml(path, values)}\n")
    return "".join([document.as_string(), *behind])


def _change(body: Body, tree: Mapping[str, Any], path: KeyPath, bodies: dict[KeyPath, Body]) -> None:
    """Give keys of a table their values in the tree, drop those that it lacks, and note where tables are."""
    kept: Body = []
    for key, item in body:
        steps = path if key is None else (*path, key.key)
        wanted = _find(tree, steps)
        if key is None:
            kept.append((key, item))
        elif wanted is _ABSENT:
            kept += _remarks_behind(item)
        elif isinstance(item, AoT):
            tables: Body = [(key_of(str(number)), table) for number, table in enumerate(item.body)]
            _change(tables, tree, steps, bodies)
            item.body[:] = [table for _, table in tables if isinstance(table, Table)]
            kept += [(key, item)] if tables else []
        elif isinstance(item, Table):
            if steps not in bodies or not item.is_super_table():
                bodies[steps] = item.value.body
            _change(item.value.body, tree, steps, bodies)
            if item.is_super_table() and all(inner is None for inner, _ in item.value.body):
                if bodies[steps] is item.value.body:
                    del bodies[steps]
                kept += item.value.body
            else:
                kept.append((key, item))
        else:
            kept.append((key, item if _same(item.unwrap(), wanted) else _changed(item, wanted)))
    body[:] = kept


def _changed(item: Item, value: Any) -> Item:
    """Another value with the comment that stands behind the item."""
    found = item_of(toml_value(value))
    for part in ("indent", "comment_ws", "comment", "trail"):
        setattr(found.trivia, part, getattr(item.trivia, part))
    return found


def _remarks_behind(item: Item) -> Body:
    """The comments at the end of a table: they stand before the next one, and say something of that."""
    body = item.value.body if isinstance(item, Table) else []
    count = len(list(takewhile(lambda entry: entry[0] is None, reversed(body))))
    return body[len(body) - count :] if count or not body else _remarks_behind(body[-1][1])


def _insert(body: Body, values: Mapping[str, Any]) -> None:
    """Write keys behind the last one of a table, before the comments that follow and the tables in it."""
    own = [
        number
        for number, (key, item) in enumerate(body, 1)
        if key is not None and (key.is_dotted() or not isinstance(item, (AoT, Table)))
    ]
    place = own[-1] if own else 0
    body[place:place] = [(key_of(name), item_of(toml_value(value))) for name, value in values.items()]


def _find(tree: Any, path: KeyPath) -> Any:
    """The value at a path in a flat tree, whose keys may hold several steps; ``_ABSENT`` without one."""
    if not path:
        return tree
    if isinstance(tree, list) and path[0].isdecimal():
        items: list[Any] = tree
        return _find(items[int(path[0])], path[1:]) if int(path[0]) < len(items) else _ABSENT
    if not isinstance(tree, Mapping):
        return _ABSENT
    node: Mapping[str, Any] = tree
    for length in range(len(path), 0, -1):
        key = ".".join(path[:length])
        if key in node and (found := _find(node[key], path[length:])) is not _ABSENT:
            return found
    prefix = ".".join(path) + "."
    return {} if any(key.startswith(prefix) for key in node) else _ABSENT


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)
