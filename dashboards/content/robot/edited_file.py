"""A study file in which some values change, and comments, order and spelling stay as somebody wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import tomli

from dashboards.content.robot.study_file import toml_key, toml_value, tree_toml
from errors import InputError
from studies.definition.documents import flattened
from studies.definition.toml_lines import Headers, Path, entry_of, read_toml

_QUOTED = re.compile(r'"""[^\0]*?"""|\'\'\'[^\0]*?\'\'\'|"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?')
_COMMENT = re.compile(r"#[^\n]*")
_INLINE = frozenset({"variables", "constraints"})
MOST_LINES = 400
"""Lines of one value."""
MOST_READ = 20_000
"""Lines that are read for all values; a value of n lines is read n times."""
_ABSENT = object()


def edited_toml(text: str, tree: Mapping[str, Any]) -> str:
    """``text`` with the values of ``tree``, a flat study; written again when that cannot be done in place."""
    try:
        read_toml(text)
        edited = "".join(_added(list(_remaining_lines(text.splitlines(keepends=True), tree)), tree))
        if flattened(read_toml(edited)) == tree:
            return edited
    except (ValueError, InputError):
        pass
    return tree_toml(tree)


def comments_of(text: str) -> int:
    """Count the comments of a file."""
    return len(_COMMENT.findall(_QUOTED.sub("", text)))


@dataclass(frozen=True, slots=True)
class _Entry:
    """Lines ``[first, last)`` of a file that give a key its value."""

    path: Path
    first: int
    last: int
    start: int
    value: Any


def _remaining_lines(lines: list[str], tree: Mapping[str, Any]) -> Iterator[str]:
    """The lines that stay, with values that changed; tables and keys that are gone are left out."""
    entries = {entry.first: entry for entry in _entries(lines)}
    number, gone, headers = 0, False, Headers()
    while number < len(lines):
        entry = entries.get(number)
        if entry is not None:
            wanted = _find(tree, entry.path)
            if not gone and wanted is not _ABSENT:
                yield from (
                    lines[number : entry.last] if _same(entry.value, wanted) else [_set(lines, entry, wanted)]
                )
            number = entry.last
            continue
        header = headers.read(lines[number].strip())
        if header:
            gone = _find(tree, header) is _ABSENT
        if not (header and gone):
            yield lines[number]
        number += 1


def _entries(lines: list[str]) -> Iterator[_Entry]:
    table: Path = ()
    headers = Headers()
    number = read = 0
    while number < len(lines):
        table = headers.read(lines[number].strip()) or table
        key, start = entry_of(lines[number])
        last = number + 1
        if key:
            last, value = _read(lines, number)
            read += (last - number) ** 2
            if read > MOST_READ:
                raise ValueError("values of very many lines")
            yield _Entry((*table, *key), number, last, start, value)
        number = last


def _read(lines: list[str], first: int) -> tuple[int, Any]:
    """The line after the value that begins in line ``first``, and the value; raises ``ValueError``."""
    for last in range(first + 1, min(first + MOST_LINES, len(lines)) + 1):
        try:
            node: Any = tomli.loads("".join(lines[first:last]))
        except tomli.TOMLDecodeError:
            continue
        for step in entry_of(lines[first])[0]:
            node = node[step]
        return last, node
    raise ValueError("a value without an end")


def _set(lines: list[str], entry: _Entry, value: Any) -> str:
    """The line of an entry with another value, and with the comment that stood behind the old one."""
    whole = "".join(lines[entry.first : entry.last])
    blank = _QUOTED.sub(lambda found: "_" * len(found[0]), whole.rstrip("\n").rpartition("\n")[2])
    comment = _COMMENT.search(blank)
    behind = f"  {whole.rstrip(chr(10))[-len(comment[0]) :]}" if comment else ""
    return f"{lines[entry.first][: entry.start].rstrip()} {toml_value(value)}{behind}\n"


def _find(tree: Any, path: Path) -> Any:
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


def _added(lines: list[str], tree: Mapping[str, Any]) -> Iterator[str]:
    """The lines, with the keys that they lack behind those of their table; new tables stand at the end."""
    have = flattened(read_toml("".join(lines)))
    missing = dict(_missing(tree, have, ()))
    table: Path = ()
    headers = Headers()
    ends: dict[Path, int] = {(): 0}
    for number, line in enumerate(lines):
        table = headers.read(line.strip()) or table
        if line.strip() and not line.lstrip().startswith("#"):
            ends[table] = number + 1
    yield from _at(missing.pop((), {})) if not lines else ()
    last_of = {end: place for place, end in ends.items()}
    for number in range(len(lines) + 1):
        if number in last_of and last_of[number] in missing:
            yield from _at(missing.pop(last_of[number]))
        if number < len(lines):
            yield lines[number] if lines[number].endswith("\n") else f"{lines[number]}\n"
    for place, values in missing.items():
        yield f"\n[{'.'.join(map(toml_key, place))}]\n"
        yield from _at(values)


def _at(values: Mapping[str, Any]) -> list[str]:
    return [f"{toml_key(name)} = {toml_value(value)}\n" for name, value in values.items()]


def _missing(tree: Mapping[str, Any], have: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Keys of each table that a file lacks, by the table's path; variables and bounds stand in one line."""
    inline = bool(path) and path[-1] in _INLINE
    own: dict[str, Any] = {}
    for name, value in tree.items():
        known = have.get(name, _ABSENT) if isinstance(have, Mapping) else _ABSENT
        if isinstance(value, Mapping) and not inline:
            if known is _ABSENT and not value:
                yield (*path, name), {}
            yield from _missing(value, known, (*path, name))
        elif known is _ABSENT:
            own[name] = value
    if own:
        yield path, own
