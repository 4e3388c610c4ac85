"""What a draft may hold that no study has, and whether a form can show it all the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from models.errors import Fault
from studies.definition import StudyDefinition

_SHOWABLE = frozenset({
    "missing", "string_pattern_mismatch", "string_too_long", "too_short", "too_long", "value_error",
    "greater_than", "greater_than_equal", "less_than", "less_than_equal",
})  # fmt: skip
"""pydantic's names for faults of trees that have the shape of a study all the same."""


def is_showable(flat: dict[str, Any]) -> bool:
    """Whether a flat tree has a study's shape, sound or not."""
    try:
        StudyDefinition.model_validate(flat)
    except ValidationError as error:
        return all(detail["type"] in _SHOWABLE for detail in error.errors(include_url=False))
    return True


def strange_values(tree: Any, place: str = "") -> Iterator[Fault]:
    """Values that JSON and study files do not have: dates, null, nan and infinity."""
    if isinstance(tree, dict | list):
        holder: Mapping[Any, Any] | list[Any] = tree
        items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
        for key, value in items:
            if not isinstance(value, str | int):  # there may be very many
                yield from strange_values(value, f"{place}.{key}" if place else str(key))
    elif not isinstance(tree, str | int | float) or (isinstance(tree, float) and not math.isfinite(tree)):
        yield Fault(place, f"{tree} cannot be used in a study; write a number, a text, true or false")
