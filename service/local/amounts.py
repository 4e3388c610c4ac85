"""About how much memory a value takes, without looking at all of it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, cast

import numpy as np

_LOOKED_AT = 32
"""Members of a long list that are measured; the others count as alike."""
_PLAIN = (str, bytes, int, float, bool, type(None))


def held(value: object) -> int:
    """Approximate size in bytes; good for lists of similar records, which is what the cache holds."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    size = sys.getsizeof(value)
    if isinstance(value, _PLAIN):
        return size
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return size + _all(table.keys()) + _all(table.values())
    if isinstance(value, list | tuple | set | frozenset):
        return size + _all(cast("Collection[Any]", value))
    slots = getattr(type(value), "__slots__", ())
    return (
        size
        + sum(held(getattr(value, name, None)) for name in slots)
        + held(getattr(value, "__dict__", None))
    )


def _all(items: Collection[Any]) -> int:
    """What the members hold; of many, one out of each so many is looked at."""
    step = max(1, len(items) // _LOOKED_AT)
    looked = [held(item) for item in islice(items, 0, None, step)]
    return sum(looked) * len(items) // len(looked) if looked else 0
