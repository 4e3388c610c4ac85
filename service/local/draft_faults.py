"""Everything that is wrong with a study that somebody still writes, each fault in its place.

A check ends with the first fault. Here the part that is faulty is left out, and the rest is checked
again: that may hide a fault for now, and never invents one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from models.errors import InputError, UnknownNameError
from models.explain import explain
from studies.definition import MAX_POPULATION, LayoutTable, SearchTable, StudyDefinition, VariableTable

SEARCH_SECONDS = 0.5
"""For how long more faults are looked for when one was found."""

Fault = tuple[str, str]
"""Where, as a dotted place, and what."""
T = TypeVar("T")

_ANY_SEARCH = SearchTable(algorithm="lhs", population=MAX_POPULATION, evaluations=1)
"""Takes any objectives, constraints and variables."""
_SHOWABLE = frozenset({
    "missing", "string_pattern_mismatch", "string_too_long", "too_short", "too_long", "value_error",
    "greater_than", "greater_than_equal", "less_than", "less_than_equal",
})  # fmt: skip
"""pydantic's names for faults of trees that have the shape of a study all the same."""


def shaped(flat: dict[str, Any]) -> tuple[StudyDefinition | None, bool, list[Fault]]:
    """The definition of a flat tree, whether the tree has a study's shape, and what is wrong with it."""
    strange = list(strange_values(flat))
    if strange:
        return None, False, strange
    try:
        return StudyDefinition.model_validate(flat), True, []
    except ValidationError as error:
        showable = all(detail["type"] in _SHOWABLE for detail in error.errors(include_url=False))
        return None, showable, _split(explain(error, "", StudyDefinition))


def checked(
    definition: StudyDefinition, check: Callable[[StudyDefinition], T]
) -> tuple[T | None, list[Fault]]:
    """What ``check`` makes of a sound study; or the faults of one that is not."""
    found: list[Fault] = []
    deadline = time.monotonic() + SEARCH_SECONDS
    rest: StudyDefinition | None = definition
    while rest is not None and (not found or time.monotonic() < deadline):
        try:
            made = check(rest)
        except InputError as error:
            told = [(_home(place, rest), detail) for place, detail in _split(error)]
            found += [fault for fault in told if fault not in found]
            rest = _without(rest, told[0][0])
        else:
            return (None, found) if found else (made, [])
    return None, found


def strange_values(tree: Any, place: str = "") -> Iterator[Fault]:
    """Values that JSON and study files do not have: dates, nothing, numbers that are none."""
    if isinstance(tree, dict | list):
        holder: Mapping[Any, Any] | list[Any] = tree
        items = holder.items() if isinstance(holder, Mapping) else enumerate(holder)
        for key, value in items:
            if not isinstance(value, str | int):  # there may be very many
                yield from strange_values(value, f"{place}.{key}" if place else str(key))
    elif not isinstance(tree, str | int | float) or (isinstance(tree, float) and not math.isfinite(tree)):
        yield place, f"{tree} cannot stand in a study; write a number, a text, true or false"


def _split(error: InputError) -> list[Fault]:
    """The faults of an error that tells several, one in each line."""
    first, *others = error.message.split("\n")
    split = [other.partition(": ") for other in others]
    place = error.place
    if isinstance(error, UnknownNameError) and place in ("objectives", "constraints"):
        place = f"{place}.{error.given}"
    return [(place, first), *((where, detail) for where, _, detail in split)]


def _home(place: str, definition: StudyDefinition) -> str:
    """The place where a variable of all layouts stands, when a fault of it was found in one of them."""
    section, _, rest = place.partition(".")
    name, _, inside = rest.partition(".variables.")
    if section == "layouts" and inside and name in definition.layouts:
        own, common = definition.layouts[name].variables, definition.variables
        if not _is_in(inside, own) and _is_in(inside, common):
            return f"variables.{inside}"
    return place


def _without(definition: StudyDefinition, place: str) -> StudyDefinition | None:
    """The study without a faulty part, when the rest of it can be checked by itself."""
    section, _, name = place.partition(".")
    if section == "search" and definition.search != _ANY_SEARCH:
        return definition.model_copy(update={"search": _ANY_SEARCH})
    if section == "constraints" and _is_in(name, definition.constraints):
        return definition.model_copy(update={section: _others(name, definition.constraints)})
    if section == "layouts" and _is_in(name, definition.layouts) and len(definition.layouts) > 1:
        return definition.model_copy(update={section: _others(name, definition.layouts)})
    if section == "variables" and _is_in(name, definition.variables) and len(definition.variables) > 1:
        return _without_initial(definition, _others(name, definition.variables))
    return None


def _without_initial(definition: StudyDefinition, variables: Mapping[str, VariableTable]) -> StudyDefinition:
    """The study with fewer variables, and without initial designs, which name all of them."""
    layouts: dict[str, LayoutTable] = {
        name: table.model_copy(update={"initial": None}) for name, table in definition.layouts.items()
    }
    search = definition.search.model_copy(update={"initial": None})
    return definition.model_copy(update={"variables": variables, "layouts": layouts, "search": search})


def _others(place: str, table: Mapping[str, T]) -> dict[str, T]:
    return {name: value for name, value in table.items() if not _is_of(place, name)}


def _is_in(place: str, table: Mapping[str, Any]) -> bool:
    return any(_is_of(place, name) for name in table)


def _is_of(place: str, name: str) -> bool:
    return place == name or place.startswith(f"{name}.")
