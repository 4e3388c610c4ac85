"""What a study says: as one text that is equal for equal trees, and in what two of them differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

_MOST_LETTERS = 60
MOST_NAMED = 4


def plain_text(tree: Any) -> str:
    """A tree of plain values as JSON with sorted names."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def without_points(tree: Any) -> Any:
    """A tree whose floats without a fraction are whole numbers: ``1000.0`` is ``1000``."""
    if isinstance(tree, Mapping):
        table = cast("Mapping[str, Any]", tree)
        return {name: without_points(value) for name, value in table.items()}
    if isinstance(tree, list | tuple):
        return [without_points(value) for value in cast("Sequence[Any]", tree)]
    return int(tree) if isinstance(tree, float) and tree.is_integer() else tree


def differences(stored: Mapping[str, Any], given: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Dotted places with the stored value and the given one; "nothing" where there is none."""
    one, other = dict(_leaves(stored, "")), dict(_leaves(given, ""))
    return [
        (place, one.get(place, "nothing"), other.get(place, "nothing"))
        for place in dict.fromkeys([*one, *other])
        if one.get(place) != other.get(place)
    ]


def only_description_differs(stored: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Whether two definitions differ in their description and in nothing else: that refuses nothing."""
    return {place for place, _, _ in differences(stored, given)} == {"description"}


def differences_text(found: list[tuple[str, str, str]]) -> str:
    """The first few differences in words."""
    named = [f"{place} is {one} in the store and {other} here" for place, one, other in found[:MOST_NAMED]]
    more = len(found) - MOST_NAMED
    return "; ".join([*named, f"{more} more differences"] if more > 0 else named)


def _leaves(tree: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every value with its place; what is not set is not there, a list of plain values is one value."""
    if isinstance(tree, Mapping):
        for key, value in cast("Mapping[str, Any]", tree).items():
            yield from _leaves(value, f"{place}.{key}" if place else key)
    elif tree is not None:
        text = json.dumps(without_points(tree), ensure_ascii=False)
        yield place, text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 3]}..."
