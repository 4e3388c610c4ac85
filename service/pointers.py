"""Dotted places, as errors give them, as JSON pointers (RFC 6901) into the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studies.tree import steps


def pointer(place: str, document: Any) -> str:
    """A dotted place as a JSON pointer into the document that was sent, whose keys may hold dots too."""
    return joined(steps(place, document))


def joined(keys: Sequence[str]) -> str:
    """Keys as a JSON pointer."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
