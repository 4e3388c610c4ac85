"""Study files as trees of plain values: brought to one shape, compared; the base of their tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_serializer,
)

from errors import InputError, Place
from models.units import parse_quantity

MAX_DEPTH = 24
MAX_KEY = 200
"""Characters of a key, and of a dotted path: each leaf of a tree is named by its whole path."""
_MOST_PARTS = 50
"""Most parts of a dotted place; the rest is one part."""
MAX_BITS = 63
"""Most bits of whole numbers, without their sign: TOML promises no more, and databases hold no more."""

BOUNDS = ("lower", "upper")
"""Keys in a table of a constraint; its other tables are variants of the metric."""


def refuse_depth(tree: Any) -> None:
    """Tables in tables in tables, endless numbers and endless keys help nobody.

    What follows would not survive them, or take memory and time by the square of their size.
    """
    level: list[tuple[Place, Any]] = [((), tree)]
    for _ in range(MAX_DEPTH):
        for place, node in level:
            if isinstance(node, int) and node.bit_length() > MAX_BITS:
                text = "is a whole number of more than 64 bits, too large; write a large number as in 1e20"
                raise InputError(text, place)
            if isinstance(node, dict) and any(len(str(key)) > MAX_KEY for key in node):
                raise InputError(f"has a key of more than {MAX_KEY} characters")
        level = [
            ((*place, key), item)
            for place, node in level
            if isinstance(node, (dict, list))
            for key, item in (node.items() if isinstance(node, dict) else enumerate(node))
        ]
        if not level:
            return
    raise InputError(f"is nested more than {MAX_DEPTH} levels deep")


def flattened(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with nested tables of variables, and items of lists, as dotted paths."""
    flat = _flat_holder(tree)
    if isinstance(tree.get("layouts"), dict):
        flat["layouts"] = {
            name: _flat_holder(layout) if isinstance(layout, dict) else layout
            for name, layout in tree["layouts"].items()
        }
    if isinstance(tree.get("search"), dict):
        flat["search"] = _flat_holder(tree["search"])
    if isinstance(tree.get("tolerances"), dict):
        flat["tolerances"] = flat_tolerances(tree["tolerances"])
    for name in ("objectives", "constraints"):
        if isinstance(tree.get(name), dict):
            flat[name] = _flat_metrics(tree[name], (name,))
    if isinstance(tree.get("indicators"), dict):
        flat["indicators"] = {
            name: _flat_metrics(item, ("indicators", name))
            if name == "reference_point" and isinstance(item, dict)
            else item
            for name, item in tree["indicators"].items()
        }
    return flat


def _flat_metrics(table: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """Variants of metrics in tables as dotted names: ``capacity_margin.q05 = "maximize"``.

    A table that holds bounds holds those of the metric that it is called after; variants may stand beside.
    """
    flat: dict[str, Any] = {}
    for path, value in (_bounded if place == ("constraints",) else _variants)(table):
        if path in flat:
            raise InputError(f"'{path}' is given twice, as a name in quotes and in a table; keep one", place)
        flat[path] = value
    return flat


def _variants(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values of the metrics in a table, with nested tables made flat."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _variants(value, _longer(prefix, name))
        else:
            yield prefix + name, value


def _bounded(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The bounds of each metric of a table; beside them may stand the tables of its variants."""
    for name, value in table.items():
        holder: Mapping[str, Any] = value if isinstance(value, dict) else {}
        inner = {key: item for key, item in holder.items() if isinstance(item, dict) and key not in BOUNDS}
        own = {key: item for key, item in holder.items() if key not in inner}
        if own or not inner:
            yield prefix + name, own or value
        yield from _bounded(inner, _longer(prefix, name))


def _flat_holder(holder: Mapping[str, Any]) -> dict[str, Any]:
    """One of the tables that hold variables, parameters or initial designs."""
    flat = dict(holder)
    for name in ("initial", "earlier"):
        if isinstance(flat.get(name), list):
            flat[name] = [_flat_values(each) if isinstance(each, dict) else each for each in flat[name]]
    for name, flatten in (("variables", _flat_variables), ("parameters", _flat_items)):
        if isinstance(flat.get(name), dict):
            flat[name] = flatten(flat[name])
    return flat


def _flat_variables(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables flatten until one holds ``lower``, ``upper`` or ``options``."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        nested = isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values())
        if nested and not value.keys() & {"lower", "upper", "options", "drives", "when"}:
            flat.update(_flat_variables(value, _longer(prefix, name)))
        elif isinstance(value, dict) and isinstance(value.get("when"), dict):
            flat[prefix + name] = {**value, "when": _flat_values(value["when"])}
        else:
            flat[prefix + name] = value
    return flat


def flat_tolerances(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tolerances by dotted path: ``pulleys.0.2.normal = "2 mm"`` is one of ``pulleys.0.2``."""
    flat: dict[str, Any] = {}
    for path, value in _bounded(table, prefix):
        if path in flat:
            raise InputError(f"'{path}' is given twice, in quotes and in a table; keep one", ("tolerances",))
        flat[path] = value
    return flat


def _flat_values(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A design's nested tables as dotted paths; an option is never a table."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat.update(_flat_values(value, _longer(prefix, name)))
        else:
            flat[prefix + name] = value
    return flat


def _flat_items(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables whose keys are all numbers are items of a list: ``pulleys.0.2 = 0.5``."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict) and value and all(key.isdecimal() for key in value):
            flat.update(_flat_items(value, _longer(prefix, name)))
        else:
            flat[prefix + name] = value
    return flat


def _longer(prefix: str, name: str) -> str:
    """The prefix of what stands in the table ``name``."""
    path = f"{prefix}{name}."
    if len(path) > MAX_KEY:
        raise InputError(f"has a path of more than {MAX_KEY} characters: {path[:40]}...")
    return path


def keys_to(place: Place, document: Any) -> list[str]:
    """The keys and item numbers that lead to a place in a document; none to the whole of it.

    The place is that of a flat tree: a document may hold tables where the place has a dotted key.
    """
    parts = ".".join(map(str, place)).split(".", _MOST_PARTS) if place else []
    found: list[str] = []
    here = document
    while parts:
        count = _longest_key(parts, here)
        key = ".".join(parts[:count])
        found.append(key)
        here = _within(here, key)
        del parts[:count]
    return found


def _longest_key(parts: Sequence[str], here: Any) -> int:
    """Number of parts that make a key of ``here``; one where none does."""
    if isinstance(here, Mapping):
        return next((n for n in range(len(parts), 1, -1) if ".".join(parts[:n]) in here), 1)
    return 1


def _within(here: Any, key: str) -> Any:
    if isinstance(here, Mapping):
        return here.get(key)
    if isinstance(here, list) and key.isdecimal() and int(key) < len(here):
        return here[int(key)]
    return None


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
    if isinstance(tree, (list, tuple)):
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


def continues(stored: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """True where a definition says what the stored one says, but for its description and further seeds."""
    places = {place for place, _, _ in differences(stored, given)}
    return places <= {"description", "seeds"} and set(stored["seeds"]) <= set(given["seeds"])


def differences_text(found: list[tuple[str, str, str]]) -> str:
    """The first few differences in words."""
    shown = [(place, _cut(one), _cut(other)) for place, one, other in found[:MOST_NAMED]]
    named = [f"{place} is {one} in the store and {other} here" for place, one, other in shown]
    more = len(found) - MOST_NAMED
    return "; ".join([*named, f"{more} more differences"] if more > 0 else named)


def _leaves(tree: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every value with its place; what is not set is not there, a list of plain values is one value."""
    if isinstance(tree, Mapping):
        for key, value in cast("Mapping[str, Any]", tree).items():
            yield from _leaves(value, f"{place}.{key}" if place else key)
    elif tree is not None:
        yield place, json.dumps(without_points(tree), ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 3]}..."


Number = StrictInt | StrictFloat | StrictStr
Seed = Annotated[StrictInt, Field(ge=0, lt=2**32)]


class Table(BaseModel):
    """A table of the study file.

    ``added`` names the keys that came after the first release. One that is not set is left out when
    a study is stored, so that the digests of studies stored before stay what they were.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    added: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_unset_additions(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        unset = {name for name in self.added if getattr(self, name) == fields[name].get_default()}
        return {name.rstrip("_"): value for name, value in plain(self).items() if name not in unset}


def amount(value: Number, unit: str) -> float:
    """A number, or text with a unit, as a number of ``unit``."""
    try:
        return parse_quantity(value, unit) if isinstance(value, str) else float(value)
    except InputError as error:
        raise ValueError(error.message) from None
