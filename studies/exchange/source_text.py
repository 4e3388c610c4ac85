"""Files of strangers, read within bounds: size, encoding, depth, and XML without entities.

A document may lead to files beside it only, by names that the reader makes: on a disk those of its folder, of
files that were sent only those that were sent with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from errors import InputError
from models.messages import json_fault
from studies.exchange.csv_rows import shown
from studies.exchange.foreign_formats import unread_format

MAX_BYTES = 2 * 1024**2
MAX_ELEMENTS = 50_000
MAX_VALUES = 20_000
"""Most values of a tree in YAML, which is read slowly, or in JSON."""
MAX_DEPTH = 100
_HEAD = 4096  # bytes that tell a format
_MOST_OF_A_NAME = 100
_TOO_MANY = f"has more than {MAX_VALUES} values, which are not read"
_TOO_DEEP = f"has tables and lists more than {MAX_DEPTH} deep"
_PLACE = ("from_file",)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a robot; ``beside`` gives the text of another one with it, by its name."""

    name: str
    text: str
    beside: Callable[[str], str]


def opened(file: Path) -> SourceFile:
    """A file on this machine, and those of its folder.

    Raises ``InputError`` for what is no file, has more than ``MAX_BYTES``, or is not UTF-8.
    """
    return SourceFile(file.name, _read(file), lambda name: _read(_in_folder_of(file, name)))


def sent(texts: Mapping[str, str]) -> list[SourceFile]:
    """Files whose texts were sent, by their names; none of them leads to a file on this machine.

    Raises ``InputError`` for a name that is more than that of a file, and for what is no text or too long.
    """
    plain = {name: _checked(name, text) for name, text in texts.items()}
    return [SourceFile(name, text, partial(_among, plain)) for name, text in plain.items()]


def _checked(name: str, text: str) -> str:
    if not 0 < len(name) <= _MOST_OF_A_NAME or not name.isprintable() or set(name) & {"/", "\\"}:
        raise InputError(
            f"{shown(name[:_MOST_OF_A_NAME])} cannot be the name of a file; use at most {_MOST_OF_A_NAME} "
            "characters, without '/' and '\\'",
            _PLACE,
        )
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InputError(f"{shown(name)} is not UTF-8 text (character {error.start})", _PLACE) from None
    _require_small(size, shown(name))
    return text.removeprefix("\ufeff")


def _among(texts: Mapping[str, str], name: str) -> str:
    if name not in texts:
        raise InputError(
            f"there is no file {shown(name)} among those that were sent; send it with them", _PLACE
        )
    return texts[name]


def _read(file: Path) -> str:
    name = shown(str(file))
    try:
        if not file.is_file():
            raise InputError(f"there is no file {name}", _PLACE)
        with file.open("rb") as content_of:
            content = content_of.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be one"
        raise InputError(f"{name} cannot be read: {reason}", _PLACE) from None
    if (reason := unread_format(content[:_HEAD].decode("latin-1"))) is not None:
        raise InputError(f"{name} {reason}", _PLACE)
    _require_small(len(content), name)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text (byte {error.start})", _PLACE) from None


def _require_small(size: int, name: str) -> None:
    if size > MAX_BYTES:
        raise InputError(
            f"{name} is larger than {MAX_BYTES // 1024**2} MiB, too large for the description of a robot; "
            "give the file without meshes",
            _PLACE,
        )


def _in_folder_of(file: Path, name: str) -> Path:
    """A file in the same folder; raises ``InputError`` where a link leads out of it."""
    found = file.parent / name
    try:
        inside = found.resolve().parent == file.parent.resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(f"{shown(str(found))} cannot be read: {error}", _PLACE) from None
    if not inside:
        raise InputError(f"{shown(str(found))} leads out of its folder; put the file itself there", _PLACE)
    return found


def xml_root(text: str, name: str) -> Element:
    """The root of an XML document.

    Raises ``InputError`` for broken XML, for a document that defines entities or names external ones, and
    for one with too many or too deeply nested elements.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if (depth := _nesting(text)) > MAX_DEPTH:
        raise InputError(f"{name}: has elements nested {depth} deep; at most {MAX_DEPTH} are read", _PLACE)
    try:
        root: Element = fromstring(text, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise InputError(
            f"{name}: defines entities or names external files ({type(error).__name__}), which are not read; "
            "remove them from the file",
            _PLACE,
        ) from None
    except (ParseError, ValueError) as error:
        raise InputError(f"{name}: is not XML: {error}", _PLACE) from None
    if (count := sum(1 for _ in root.iter())) > MAX_ELEMENTS:
        raise InputError(f"{name}: has {count} elements; at most {MAX_ELEMENTS} are read", _PLACE)
    return root


def _nesting(text: str) -> int:
    """A bound of the depth of elements, from the tags alone: a parser would need stack for them."""
    depth = deepest = 0
    place = text.find("<")
    while place >= 0:
        ahead = text[place + 1 : place + 2]
        if ahead == "/":
            depth -= 1
        elif ahead not in ("!", "?"):
            end = text.find(">", place)
            depth += end > 0 and text[end - 1] != "/"
            deepest = max(deepest, depth)
        place = text.find("<", place + 1)
    return deepest


class _RefusedError(Exception):
    """Report what is YAML, and is not read; the text says why."""


def yaml_or_json(text: str, name: str) -> Any:
    """The tree of a JSON text, if it begins like one, else of YAML without Python objects.

    Raises ``InputError`` for a text that is neither, and for a tree that is too deep or has too many values.
    """
    import yaml

    try:
        tree = json.loads(text) if text.lstrip().startswith("{") else _yaml(text)
    except _RefusedError as error:
        raise InputError(f"{name}: {error}", _PLACE) from None
    except (ValueError, RecursionError, OverflowError, yaml.YAMLError) as error:
        reason = json_fault(text, error).splitlines()[0][:120]
        raise InputError(f"{name}: is neither JSON nor YAML: {reason}", _PLACE) from None
    _extent(tree, name, {}, 1)
    return tree


def _yaml(text: str) -> Any:
    """The tree of a YAML text, which is given up while it is read: a large one takes seconds."""
    import yaml

    from studies.exchange.yaml_values import PlainLoader

    class Loader(PlainLoader):
        count = depth = 0

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            self.count += 1
            self.depth += 1
            if self.count > MAX_VALUES:
                raise _RefusedError(_TOO_MANY)
            if self.depth > MAX_DEPTH:
                raise _RefusedError(_TOO_DEEP)
            found = super().compose_node(parent, index)
            self.depth -= 1
            return found

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
                raise _RefusedError("has '<<', which can make a short file endless; write the keys out")

    def refuse(_: Loader, suffix: str, node: yaml.Node) -> None:
        raise _RefusedError(
            f"line {node.start_mark.line + 1}: has the tag !!python/{shown(suffix)}, which makes an object "
            "of Python; of such tags only !!python/tuple is read, as a list"
        )

    Loader.add_multi_constructor("tag:yaml.org,2002:python/", refuse)
    Loader.add_constructor("tag:yaml.org,2002:python/tuple", Loader.construct_yaml_seq)
    return yaml.load(text, Loader)  # noqa: S506  as safe as a SafeLoader


def _extent(tree: Any, name: str, known: dict[int, tuple[int, int]], depth: int) -> tuple[int, int]:
    """Number of values in a tree, and its depth; ``known`` by the identity of its parts.

    YAML can name one list many times over, also within itself: each time counts.
    """
    if not isinstance(tree, (dict, list)):
        return 1, 0
    if (found := known.get(id(tree))) is not None:
        return found
    items: list[Any] = list(tree.values()) if isinstance(tree, dict) else tree
    count = height = 1
    for item in items:
        if depth > MAX_DEPTH:
            break
        more, below = _extent(item, name, known, depth + 1)
        count, height = count + more, max(height, below + 1)
    if max(depth, height) > MAX_DEPTH:
        raise InputError(f"{name}: {_TOO_DEEP}", _PLACE)
    if count > MAX_VALUES:
        raise InputError(f"{name}: {_TOO_MANY}", _PLACE)
    known[id(tree)] = count, height
    return count, height
