"""Line numbers of keys in a TOML text, so that a fault can be shown where it was typed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

_KEY = r"""(?P<key>(?:[A-Za-z0-9_. \t-]|"[^"\n]*+"|'[^'\n]*+')++)"""
_HEADER = re.compile(rf"\s*+\[{_KEY}\]\s*+(?:#.*)?")
_ENTRY = re.compile(rf"\s*+{_KEY}=")
_STATED = re.compile(r"\((?:at )?line (\d+)|and in line (\d+)")
_BARE = re.compile(r"[A-Za-z0-9_-]++")
_AT_THE_END = "end of document"

Path = tuple[str, ...]


class TomlLines:
    """The places of the keys of a TOML text.

    Found line by line, not by a parser: a key inside a text of several lines may be taken for one,
    but only a key that is in the tree as well.

    Parameters
    ----------
    text : str
        TOML text.
    tree : dict
        What it says.
    """

    def __init__(self, text: str, tree: dict[str, Any]) -> None:
        self._lines: dict[Path, int] = {}
        for line, path in _keys(text, tree):
            for end in range(1, len(path) + 1):
                self._lines.setdefault(path[:end], line)

    def line(self, steps: Sequence[str]) -> int | None:
        """The line, from 1, of what these keys lead to, or of what holds it; None when neither is there."""
        for end in range(len(steps), 0, -1):
            found = self._lines.get(tuple(steps[:end]))
            if found is not None:
                return found
        return None


def line_told(message: str, text: str) -> int | None:
    """The line that an error of the TOML reader names; None when it names none."""
    if _AT_THE_END in message:
        return len(text.splitlines()) or 1
    found = _STATED.search(message)
    return int(found[1] or found[2]) if found else None


def reader_fault(text: str, error: Exception) -> str:
    """What an error of the TOML reader says; for a key that is given twice, its name and both lines."""
    message = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    line = line_told(message, text)
    if line is None or not message.startswith(("Cannot overwrite", "Cannot declare")):
        return message
    seen: dict[Path, int] = {}
    for number, path, headed in _written(text):
        if number == line and path in seen:
            name = f"[{'.'.join(path)}]" if headed else f"'{'.'.join(path)}'"
            return f"{name} is given twice, in line {seen[path]} and in line {number}; keep one"
        seen.setdefault(path, number)
    return message


def _keys(text: str, tree: dict[str, Any]) -> Iterator[tuple[int, Path]]:
    """Lines that begin with a header or a key of the tree, with the whole path of it."""
    table: Path = ()
    for number, path, headed in _statements(text):
        if headed:
            if path and isinstance(_within(tree, path), dict):
                table = path
                yield number, path
        elif path and _within(tree, (*table, *path)) is not None:
            yield number, (*table, *path)


def _written(text: str) -> Iterator[tuple[int, Path, bool]]:
    """As :func:`_statements`, with the whole path of every key."""
    table: Path = ()
    for number, path, headed in _statements(text):
        table = path if headed else table
        yield number, path if headed else (*table, *path), headed


def _statements(text: str) -> Iterator[tuple[int, Path, bool]]:
    """Lines that look like a header (True) or begin like an entry, with the path that is written there."""
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.fullmatch(line)
        entry = None if header is not None else _ENTRY.match(line)
        if header is not None:
            yield number, _path(header["key"]), True
        elif entry is not None:
            yield number, _path(entry["key"]), False


def _path(key: str) -> Path:
    """The parts of a dotted key; none when it is no key."""
    if _BARE.fullmatch(key.strip()):
        return (key.strip(),)
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(node, dict):
        name = next(iter(node))
        path.append(str(name))
        node = node[name]
    return tuple(path)


def _within(tree: Any, path: Path) -> Any:
    for step in path:
        tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


def header_of(line: str) -> Path:
    """The path of a line that begins a table; none for other lines."""
    found = _HEADER.fullmatch(line)
    return _path(found["key"]) if found is not None else ()


def entry_of(line: str) -> tuple[Path, int]:
    """The key with which a line begins, and where its value begins; none for other lines."""
    found = _ENTRY.match(line)
    path = _path(found["key"]) if found is not None else ()
    return (path, found.end()) if found is not None and path else ((), 0)
