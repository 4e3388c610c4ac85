"""What is said of a name that is not there, or not for who asks."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from models.errors import AbsentError, UnknownNameError

_MOST_NAMES = 20
"""Most names that an error lists; of more it gives only the nearest."""


def absent(kind: str, name: str, known: Sequence[str]) -> AbsentError:
    """The error for a ``name`` that is none of those ``known`` to who asks."""
    if len(known) <= _MOST_NAMES:
        return AbsentError(UnknownNameError(kind, name, known).message)
    nearest = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
    return AbsentError(f"unknown {kind} '{name}'{hint}")
