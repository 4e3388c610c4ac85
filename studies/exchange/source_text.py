"""Files of strangers, read within bounds: size, encoding, and XML without entities.

No file that a document names is opened, so that no name in it leads anywhere.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from errors import InputError
from studies.csv_rows import shown

MAX_BYTES = 2 * 1024**2
MAX_ELEMENTS = 50_000
MAX_DEPTH = 100
_PLACE = ("from_file",)


def read_source(file: Path) -> str:
    """The text of a file.

    Raises ``InputError`` for what is no file, has more than ``MAX_BYTES``, or is not UTF-8.
    """
    name = shown(str(file))
    try:
        if not file.is_file():
            raise InputError(f"there is no file {name}", _PLACE)
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be one"
        raise InputError(f"{name} cannot be read: {reason}", _PLACE) from None
    if len(content) > MAX_BYTES:
        raise InputError(
            f"{name} is larger than {MAX_BYTES // 1024**2} MiB, too large for the description of a robot; "
            "give the file without meshes",
            _PLACE,
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text (byte {error.start})", _PLACE) from None


def beside(file: Path, name: str) -> Path:
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
