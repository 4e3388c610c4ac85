"""Study files: read, and checked as a whole, so that all faults are reported at once.

Tables are checked before the model. What is faulty in them is left out, and the rest is checked on the
model all the same. That may hide a fault for now; one that what was left out could explain is not
reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import tomli
from pydantic import ValidationError

from errors import Fault, InputError, is_within
from models.messages import explain, faults_of
from studies.definition.data_files import DataFiles
from studies.definition.documents import MAX_DEPTH, flattened, keys_to, refuse_depth
from studies.definition.study_definition import MAX_POPULATION, StudyDefinition

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

KeyPath = tuple[str, ...]


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
        self._lines: dict[KeyPath, int] = {}
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
        raise _error_of(text, error) from None
    except ValueError as error:
        raise TomlError(str(error), None) from None


def _error_of(text: str, error: tomli.TOMLDecodeError) -> TomlError:
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
    seen: dict[KeyPath, int] = {}
    for number, path, headed in statements(text):
        if number == line and path in seen:
            name = f"[{'.'.join(path)}]" if headed else f"'{'.'.join(path)}'"
            return f"{name} is given twice, in line {seen[path]} and in line {number}; keep one"
        seen.setdefault(path, number)
    return ""


def statements(text: str, tree: dict[str, Any] | None = None) -> Iterator[tuple[int, KeyPath, bool]]:
    """Lines that look like a header (True) or begin like an entry, with the whole path; only those of a tree.

    A table of a list, ``[[symmetry]]``, has its number as the last part of its path, counted from 0.
    """
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
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


def _headed(written: KeyPath, is_item: bool, counts: dict[KeyPath, int]) -> KeyPath:
    """The path of a header with the number of the last table of each list on its way; one more in a list."""
    path: KeyPath = ()
    for number, step in enumerate(written, 1):
        path = (*path, step)
        if is_item and number == len(written):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, str(counts[path]))
    return path


def _path(key: str) -> KeyPath:
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


def _within(tree: Any, path: KeyPath) -> Any:
    for step in path:
        if isinstance(tree, list):
            items: list[Any] = tree
            tree = items[int(step)] if step.isdecimal() and int(step) < len(items) else None
        else:
            tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


T = TypeVar("T")
Check = Callable[[StudyDefinition], T]

MAX_FILE_BYTES = 256 * 1024
_ANY_SEARCH = {"algorithm": "lhs", "population": MAX_POPULATION, "evaluations": 1}
"""Takes any objectives, constraints and variables."""
_SPACES = ("variables", "parameters")


class Checked(NamedTuple):
    """A study without faults and what the check made of it; or None and the faults."""

    definition: StudyDefinition | None
    made: Any
    faults: list[Fault]


def check_text(
    text: str, source: str, check: Check[T], folder: Path | None = None
) -> tuple[StudyDefinition, T]:
    """The study in a TOML text, and what ``check`` makes of it.

    Files that its parameters name are read in ``folder``; without one they are faults. Raises ``InputError``
    with one line for each fault, with its place and its line in the text.
    """
    tree, files = read_tree(text, source), DataFiles(folder)
    try:
        flat = files.fill_study(flattened(tree))
        found = check_tree(flat, check, [*files.faults, *_excess(text, files)])
    except InputError as error:
        found = Checked(None, None, list(error.faults))
    if found.definition is None:
        faults = [files.located(fault) for fault in found.faults]
        raise InputError(located(faults, text, tree), (source,))
    return found.definition, found.made


def _excess(text: str, files: DataFiles) -> list[Fault]:
    """A fault where the study with its rows would be too large for a study file, and for a server."""
    size = len(text.encode()) + files.size
    if not files.size or size <= MAX_FILE_BYTES:
        return []
    return [
        Fault(
            (),
            f"with the rows of its data files, the study has {-(-size // 1024)} KiB; at most "
            f"{MAX_FILE_BYTES // 1024} KiB are allowed, so use fewer rows or digits",
        )
    ]


def check_tree(flat: dict[str, Any], check: Check[Any], known: Sequence[Fault] = ()) -> Checked:
    """A study as a flat tree of plain values, checked as a whole; ``known`` are faults of it found before."""
    shape, definition = list(known), None
    try:
        definition = StudyDefinition.model_validate(flat)
    except ValidationError as error:
        shape += faults_of(error, (), StudyDefinition)
    if shape or definition is None:
        return Checked(None, None, [*shape, *_faults_of_rest(flat, shape, check)])
    try:
        return Checked(definition, check(definition), [])
    except InputError as error:
        return Checked(None, None, list(error.faults))


def located(faults: Sequence[Fault], text: str, tree: dict[str, Any]) -> str:
    """Faults of a file as text: each with its place, and its line where that is known."""
    lines = TomlLines(text, tree)
    return "\n".join(_located(fault, line_of(fault, lines, tree)) for fault in faults)


def line_of(fault: Fault, lines: TomlLines, tree: dict[str, Any]) -> int | None:
    """The line of a fault in the text of a tree, of the first key in it that it names; None if unknown."""
    place = keys_to(fault.place, tree)
    held = lines.line(place)
    return next((line for name in fault.names if (line := lines.line([*place, name])) != held), held)


def _located(fault: Fault, line: int | None) -> str:
    return fault.text if line is None else f"line {line}: {fault.text}"


def _faults_of_rest(flat: Mapping[str, Any], shape: Sequence[Fault], check: Check[Any]) -> list[Fault]:
    """Faults that the model finds in the parts that have the right shape."""
    rest, dropped = _rest(flat, shape)
    try:
        check(StudyDefinition.model_validate(rest))
    except ValidationError:
        return []
    except InputError as error:
        own_search = rest.get("search") == flat.get("search")
        found = [fault for fault in error.faults if not _is_explained(fault, dropped)]
        return [fault for fault in found if own_search or not _is_of_replaced_search(fault)]
    return []


def _is_explained(fault: Fault, dropped: set[str]) -> bool:
    """True if a fault may be one because of what was left out."""
    whole = bool(fault.place) and fault.place[-1] in _SPACES
    steps = (str(step).partition(".")[0] for step in fault.place)
    return bool(dropped) and (whole or not dropped.isdisjoint((*fault.names, *steps)))


def _is_of_replaced_search(fault: Fault) -> bool:
    """True if a fault is one of the search that replaces a faulty one and has only its name."""
    return is_within(fault.place, ("search",)) and fault.place != ("search", "algorithm")


def _rest(flat: Mapping[str, Any], shape: Sequence[Fault]) -> tuple[dict[str, Any], set[str]]:
    """The tree without its faulty parts, and the names of parameters and metrics among them."""
    rest: dict[str, Any] = {name: flat[name] for name in StudyDefinition.model_fields if name in flat}
    dropped: set[str] = set()
    for fault in shape:
        section, *inside = [str(step) for step in fault.place[:4]] or [""]
        if section == "search":
            rest["search"] = {**_ANY_SEARCH, **_named_algorithm(flat["search"], inside)}
        elif section == "name":
            rest["name"] = "unnamed"
        elif section == "layouts" and len(inside) > 1:
            _drop(rest, ["layouts", *inside])
            dropped |= {inside[-1].partition(".")[0]}
        elif section in {"variables", "parameters", "objectives", "constraints"} and inside:
            _drop(rest, [section, inside[0]])
            dropped |= {inside[0].partition(".")[0]}
        elif section == "tolerances":
            rest.pop(section, None)
            dropped |= {section}
        elif section != "model":
            rest.pop(section, None)
    if dropped:  # initial designs name all variables, reference points all objectives
        rest["search"] = _ANY_SEARCH
        rest.pop("indicators", None)
    return rest, dropped


def _named_algorithm(search: Any, faulty: Sequence[str]) -> dict[str, str]:
    name = search.get("algorithm") if isinstance(search, dict) and faulty != ["algorithm"] else None
    return {"algorithm": name} if isinstance(name, str) else {}


def _drop(tree: dict[str, Any], path: Sequence[str]) -> None:
    """Remove what a path leads to; the tables on the way are copied, not changed."""
    node = tree
    for step in path[:-1]:
        inner = node.get(step)
        if not isinstance(inner, dict):
            return
        node[step] = node = dict(inner)  # type: ignore[arg-type]
    node.pop(path[-1], None)


def read_study(path: Path) -> StudyDefinition:
    """The study declared in a TOML file, and in data files beside it.

    Raises ``InputError`` with the place of each fault.
    """
    definition, _ = check_text(read_text(path), str(path), lambda _: None, path.parent)
    return definition


def read_text(path: Path) -> str:
    """The text of a study file; raises ``InputError`` for what cannot be one."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", (str(path),)) from None
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"is larger than {MAX_FILE_BYTES // 1024} KiB, too large for a study file", (str(path),)
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 text (byte {error.start}), so not a study file", (str(path),)
        ) from None


def read_tree(text: str, source: str = "study file") -> dict[str, Any]:
    """TOML text as a tree of plain values; ``source`` names it in errors."""
    try:
        tree = read_toml(text)
    except TomlError as error:
        raise InputError(f"is not TOML: {error}", (source,)) from None
    if not tree:
        raise InputError("is empty; a study needs at least name, model, variables and objectives", (source,))
    try:
        refuse_depth(tree)
    except InputError as error:
        raise InputError(str(error), (source,)) from None
    return tree


def parse_study(text: str, source: str = "study file") -> StudyDefinition:
    """The study declared in TOML text; ``source`` names it in errors. A text has no data files beside it."""
    definition, _ = check_text(text, source, lambda _: None)
    return definition


def define(tree: dict[str, Any]) -> StudyDefinition:
    """The study declared by a tree of plain values (parsed TOML or JSON)."""
    refuse_depth(tree)
    try:
        return StudyDefinition.model_validate(flattened(tree))
    except ValidationError as error:
        raise explain(error, (), StudyDefinition) from None
