"""The XML of cdpyr as the tree that its JSON holds.

cdpyr writes each entry of a table as an element and each item of a list as one more element of the same name.
A list within a list is a text, such as ``(1.0, 0.0, 0.0)``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from xml.etree.ElementTree import Element

_LISTS = frozenset({"anchors", "platforms", "cables", "kinematic_chains"})
"""Names of lists of tables: one of them is a list all the same."""
_LONGEST = 1000
"""Characters of a text that is read as a list of numbers."""


def cdpyr_tree(element: Element) -> Any:
    """Return the value of an element: a table, a list of numbers, a number, a text, or None without any.

    An attribute stands in the table under its name after ``@``, a text beside elements under ``#text``.
    """
    text = " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    if not len(element) and not element.attrib:
        return _leaf(text)
    table: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    if text:
        table["#text"] = text
    items: dict[str, list[Any]] = {}
    for child in element:
        items.setdefault(child.tag, []).append(cdpyr_tree(child))
    return table | {
        name: values if len(values) > 1 or name in _LISTS else values[0] for name, values in items.items()
    }


def _leaf(text: str) -> Any:
    """Return the value of a text; None for an empty one."""
    if "," in text and len(text) <= _LONGEST:
        return [_number(part.strip()) for part in text.strip("()[]").split(",") if part.strip()]
    return _number(text)


def _number(text: str) -> int | float | str | None:
    if not text or "_" in text or len(text) > _LONGEST:
        return text or None
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
