"""TOML text: read, with the line of a fault, and the lines of its keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import tomli

from studies.definition.documents import MAX_DEPTH

_KEY = r"""(?P<key>(?:[A-Za-z0-9_. \t-]|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')++)"""
_HEADER = re.compile(rf"\s*+\[(?P<item>\[)?{_KEY}\](?(item)\])\s*+(?:#.*)?")
_ENTRY = re.compile(rf"\s*+{_KEY}=")
_BARE = re.compile(r"[A-Za-z0-9_-]++")

# A number with a unit behind it, or a word: what an engineer writes, and TOML reads in quotes only.
_VALUE = re.compile(
    r"""=[ \t]*+(?P<value>(?:[+-]?+[0-9][0-9.]*+[ \t]*+)?+[A-Za-z°%][^\s,\]}"'=]*+)[ \t]*+(?:[,\]}]|$)"""
)
_LONGEST_LINE = 1000

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"(?<![A-Za-z0-9_\-\\]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_DEPTH}}}"  # begun once for each word
)

Path = tuple[str, ...]


class TomlError(ValueError):
    """The fault of a text that is no TOML. ``line`` counts from 1; None where it is unknown."""

    def __init__(self, message: str, line: int | None) -> None:
        self.line = line
        super().__init__(message)


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
        for line, path, _ in statements(text, tree):
            for end in range(1, len(path) + 1):
                self._lines.setdefault(path[:end], line)

    def line(self, steps: Sequence[str]) -> int | None:
        """The line, from 1, of what these keys lead to, or of what holds it; None when neither is there."""
        for end in range(len(steps), 0, -1):
            found = self._lines.get(tuple(steps[:end]))
            if found is not None:
                return found
        return None


def read_toml(text: str) -> dict[str, Any]:
    """TOML text as a tree; raises :class:`TomlError`.

    A key of very many parts is refused first: the reader takes memory by the square of them,
    so that a file of 256 KiB would fill any machine. (So is a text that looks like such a key.)
    """
    long = _LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise TomlError(f"a key of more than {MAX_DEPTH} parts (line {line})", line)
    try:
        return tomli.loads(text)
    except RecursionError:
        raise TomlError("nested too deeply", None) from None
    except tomli.TOMLDecodeError as error:
        raise _located(text, error) from None
    except ValueError as error:
        raise TomlError(str(error), None) from None


def _located(text: str, error: tomli.TOMLDecodeError) -> TomlError:
    """The reader's error; for a key that is given twice, its name and both lines."""
    message = str(error)
    line = min(error.lineno, len(text.splitlines()) or 1)  # the end of a document lies behind its last line
    if message.startswith(("Cannot overwrite", "Cannot declare")):
        message = _twice(text, line) or message
    return TomlError(_unquoted(text.splitlines()[line - 1] if text else "") or message, line)


def _unquoted(line: str) -> str:
    """Word the fault of a value that is neither a number nor text in quotes; empty for a line without one."""
    found = _VALUE.search(line.partition("#")[0][:_LONGEST_LINE])
    value = found["value"] if found else ""
    if value.lower() in ("true", "false"):
        return "" if value.islower() else f"write {value.lower()} in small letters"
    return f'text needs quotes: "{value}"' if value not in ("", "inf", "nan") else ""


def _twice(text: str, line: int | None) -> str:
    """Message on a key that an earlier line gives too; empty where none does."""
    seen: dict[Path, int] = {}
    for number, path, headed in statements(text):
        if number == line and path in seen:
            name = f"[{'.'.join(path)}]" if headed else f"'{'.'.join(path)}'"
            return f"{name} is given twice, in line {seen[path]} and in line {number}; keep one"
        seen.setdefault(path, number)
    return ""


def statements(text: str, tree: dict[str, Any] | None = None) -> Iterator[tuple[int, Path, bool]]:
    """Lines that look like a header (True) or begin like an entry, with the whole path; only those of a tree.

    A table of a list, ``[[symmetry]]``, has its number as the last part of its path, counted from 0.
    """
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        header, entry = _HEADER.fullmatch(line), _ENTRY.match(line)
        if header is not None:
            path = _headed(_path(header["key"]), header["item"] is not None, counts)
            if tree is None or (path and isinstance(_within(tree, path), dict)):
                table = path
                yield number, path, True
        elif entry is not None:
            path = _path(entry["key"])
            if tree is None or (path and _within(tree, (*table, *path)) is not None):
                yield number, (*table, *path), False


def _headed(written: Path, is_item: bool, counts: dict[Path, int]) -> Path:
    """The path of a header with the number of the last table of each list on its way; one more in a list."""
    path: Path = ()
    for number, step in enumerate(written, 1):
        path = (*path, step)
        if is_item and number == len(written):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, str(counts[path]))
    return path


def _path(key: str) -> Path:
    """The parts of a dotted key; none when it is no key."""
    if _BARE.fullmatch(key.strip()):
        return (key.strip(),)
    try:
        node: Any = tomli.loads(f"{key} = 0")
    except tomli.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(node, dict):
        name = next(iter(node))
        path.append(str(name))
        node = node[name]
    return tuple(path)


def _within(tree: Any, path: Path) -> Any:
    for step in path:
        if isinstance(tree, list):
            items: list[Any] = tree
            tree = items[int(step)] if step.isdecimal() and int(step) < len(items) else None
        else:
            tree = tree.get(step) if isinstance(tree, dict) else None
    return tree
