"""In which line of a TOML text something stands, so that a fault can be shown where it was typed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

_KEY = r"""(?P<key>(?:[A-Za-z0-9_. \t-]|"[^"\n]*+"|'[^'\n]*+')++)"""
_HEADER = re.compile(rf"\s*+\[{_KEY}\]\s*+(?:#.*)?")
_ENTRY = re.compile(rf"\s*+{_KEY}=")
_STATED = re.compile(r"\((?:at )?line (\d+)")
_BARE = re.compile(r"[A-Za-z0-9_-]++")
_AT_THE_END = "end of document"

Path = tuple[str, ...]


class TomlLines:
    """Where the keys of a TOML text stand.

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
    return int(found[1]) if found else None


def _keys(text: str, tree: dict[str, Any]) -> Iterator[tuple[int, Path]]:
    """Lines that begin with a header or a key, with the whole path of it."""
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.fullmatch(line)
        if header is not None:
            path = _path(header["key"])
            if path and isinstance(_within(tree, path), dict):
                table = path
                yield number, path
            continue
        entry = _ENTRY.match(line)
        path = _path(entry["key"]) if entry is not None else ()
        if path and _within(tree, (*table, *path)) is not None:
            yield number, (*table, *path)


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
