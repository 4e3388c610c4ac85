"""Lists in parts: a cursor says where the next part begins, and means nothing to who holds it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Query

from errors import InputError
from service.resources.studies import Page

MOST = 1000
_LARGEST = 2**53
T = TypeVar("T")

Limit = Annotated[
    int, Query(ge=1, description=f"most items of one part of the list; more than {MOST} counts as {MOST}")
]
Cursor = Annotated[str, Query(max_length=500, description="`next` of the previous part")]
DEFAULT_LIMIT = 100


def capped(limit: int) -> int:
    """How many items a part has at most."""
    return min(limit, MOST)


def encoded(place: Sequence[Any] | None) -> str | None:
    """A cursor for the items after ``place``."""
    if place is None:
        return None
    text = json.dumps(list(place), separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decoded(cursor: str, *kinds: type) -> tuple[Any, ...] | None:
    """The place that a cursor encodes, one value of each kind; None without a cursor."""
    if not cursor:
        return None
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        place = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        raise _refused() from None
    if not isinstance(place, list):
        raise _refused()
    values: list[Any] = place
    if len(values) != len(kinds) or not all(map(_fits, values, kinds)):
        raise _refused()
    return tuple(values)


def _fits(value: Any, kind: type) -> bool:
    """Whether a value of a cursor is one that we may have put there."""
    if type(value) is not kind:
        return False
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return 0 <= value < _LARGEST  # false for NaN, too


def _refused() -> InputError:
    return InputError("is not a cursor of this list; use `next` of the previous part", ("cursor",))


def part(items: Sequence[T], key: Callable[[T], str | int], limit: int, cursor: str) -> Page[T]:
    """A part of a list whose items have a ``key`` each, in their order or in any.

    After an item that is gone, those with a larger key follow.
    """
    left = list(items)
    kind = type(key(left[0])) if left else str
    after = decoded(cursor, kind) if left else None
    if after is not None:
        keys = [key(item) for item in left]
        first = keys.index(after[0]) + 1 if after[0] in keys else None
        left = left[first:] if first is not None else [i for i in left if key(i) > after[0]]  # type: ignore[operator]
    shown = left[: capped(limit)]
    more = len(left) > len(shown)
    return Page(items=shown, next=encoded([key(shown[-1])]) if more else None)
