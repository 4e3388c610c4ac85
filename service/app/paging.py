"""Lists in parts: a cursor says where the next part begins, and means nothing to who holds it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from errors import InputError
from service.resources.models import Page

_LARGEST = 2**53
T = TypeVar("T")


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
    """True if a value of a cursor is one that we may have put there."""
    if type(value) is not kind:
        return False
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return 0 <= value < _LARGEST  # false for NaN, too


def _refused() -> InputError:
    return InputError("is not a cursor of this list; use `next` of the previous part", ("cursor",))


def one_more(limit: int | None) -> int | None:
    """Number of items to read for a part of at most ``limit``: one too many shows that there are more."""
    return None if limit is None else limit + 1


def first_part(found: Sequence[T], limit: int | None, place: Callable[[T], Sequence[Any]]) -> Page[T]:
    """The first ``limit`` of the items that follow a cursor; ``place`` is what a cursor says of an item."""
    if limit is None or len(found) <= limit:
        return Page(items=list(found))
    return Page(items=list(found[:limit]), next=encoded(place(found[limit - 1])))


def part(items: Sequence[T], key: Callable[[T], str], limit: int | None, cursor: str) -> Page[T]:
    """A part of a list whose items have a ``key`` each, in their order or in any.

    After an item that is gone, those with a larger key follow.
    """
    left = list(items)
    after = decoded(cursor, str) if left else None
    if after is not None:
        keys = [key(item) for item in left]
        first = keys.index(after[0]) + 1 if after[0] in keys else None
        left = left[first:] if first is not None else [item for item in left if key(item) > after[0]]
    return first_part(left, limit, lambda item: [key(item)])
