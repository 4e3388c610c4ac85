"""Dotted places, as errors tell them, as JSON pointers (RFC 6901) into what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MOST_PARTS = 50
"""Of a place; what follows is told as one part."""


def pointer(place: str, document: Any) -> str:
    """A dotted place as a JSON pointer into the document that was sent, whose keys may hold dots too."""
    return joined(steps(place, document))


def steps(place: str, document: Any) -> list[str]:
    """The keys and item numbers that lead to a dotted place of a document; none to the whole of it."""
    parts, found, here = (place.split(".", _MOST_PARTS) if place else []), [], document
    while parts:
        count = _longest_key(parts, here)
        key = ".".join(parts[:count])
        found.append(key)
        here = _within(here, key)
        del parts[:count]
    return found


def joined(keys: Sequence[str]) -> str:
    """Keys as a JSON pointer."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)


def _longest_key(parts: Sequence[str], here: Any) -> int:
    """How many parts make a key of what is here; one where none does."""
    if isinstance(here, Mapping):
        return next((n for n in range(len(parts), 1, -1) if ".".join(parts[:n]) in here), 1)
    return 1


def _within(here: Any, key: str) -> Any:
    if isinstance(here, Mapping):
        return here.get(key)
    if isinstance(here, list) and key.isdecimal() and int(key) < len(here):
        return here[int(key)]
    return None
