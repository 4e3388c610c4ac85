"""Study files: read, and checked as a whole, so that all faults are reported at once.

Tables are checked before the model. What is faulty in them is left out, and the rest is checked on the
model all the same. That may hide a fault for now; one that what was left out could explain is not
reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from errors import UNKNOWN_KEY, Fault, InputError, is_within
from models.messages import explain, faults_of
from studies.definition.data_files import DataFiles
from studies.definition.documents import flattened, keys_to, refuse_depth
from studies.definition.study_definition import MAX_POPULATION, StudyDefinition
from studies.definition.toml_lines import TomlError, TomlLines, read_toml

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
    """The line of a fault in the text of a tree; None where it is unknown."""
    return lines.line([*keys_to(fault.place, tree), *(fault.names if fault.key == UNKNOWN_KEY else ())])


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
