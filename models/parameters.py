"""The base of every back-end's parameter record, and how settings become one.

Fields are declared with :func:`models.fields.quantity` (a number with a unit) or pydantic's
``Field`` (names, switches). Bare numbers are SI; text carries its unit ("5 mm") and is converted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from models.errors import InputError, UnknownNameError
from models.explain import explain
from models.fields import inner_record, names_in, unit_of
from models.units import parse_quantity


class Parameters(BaseModel):
    """A frozen record of SI numbers: unknown fields, NaN and infinity are refused.

    ``supersedes`` names, for a field that replaces others when it is set, the fields that lose
    their meaning: setting both is an error, and a preset's values for them are dropped.

    ``geometry`` names the fields that make one layout of the robot another: where cables run, what they
    are tied to. Layouts of a study that differ in other fields too are compared in more than the layout.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    geometry: ClassVar[frozenset[str]] = frozenset()


def resolve(
    record: type[Parameters], base: Mapping[str, Any], settings: Mapping[str, Any], place: str = ""
) -> Parameters:
    """``record`` filled from ``base`` (a preset), then ``settings``; see ``Model.resolve``."""
    try:
        return record.model_validate(merge(record, base, settings, place))
    except ValidationError as error:
        raise explain(error, place, record) from None


def merge(
    record: type[Parameters], base: Mapping[str, Any], settings: Mapping[str, Any], place: str = ""
) -> dict[str, Any]:
    """``settings`` laid over ``base`` as one tree in SI units, names checked, values not yet."""
    tree: dict[str, Any] = _plain(base)
    if "preset" in settings and "preset" not in record.model_fields:
        raise InputError("'preset' is no parameter; write it one level up, or as --preset", place)
    chosen = flatten_names(settings)
    for name in chosen:
        if name not in record.model_fields:
            raise UnknownNameError("parameter", name, record.model_fields, place)
    winners = {name for name in chosen & record.supersedes.keys() if settings.get(name, ...) is not None}
    for winner in winners:
        for loser in record.supersedes[winner]:
            if loser in chosen:
                raise InputError(
                    f"has no effect beside '{winner}', which replaces it; set one of the two",
                    join(place, loser),
                )
            tree.pop(loser, None)
    for path, value in settings.items():
        _assign(record, tree, path.split("."), value, place)
    _convert_table(record, tree, place)
    return tree


def flatten_names(settings: Mapping[str, Any]) -> set[str]:
    """The top-level names that dotted settings touch."""
    return {path.split(".", 1)[0] for path in settings}


def join(place: str, name: str) -> str:
    """``place.name``, without a leading dot."""
    return f"{place}.{name}" if place else name


def _assign(record: type[Parameters], tree: dict[str, Any], path: list[str], value: Any, place: str) -> None:
    """Put ``value`` at a dotted path, starting lists and tables from the record's defaults."""
    node: Any = tree
    full = join(place, ".".join(path))
    if len(path) > 1 and path[0] not in tree:
        default = record.model_fields[path[0]].get_default(call_default_factory=True)
        tree[path[0]] = _plain(default)
    for depth, step in enumerate(path):
        last = depth == len(path) - 1
        if isinstance(node, list):
            items: list[Any] = node
            if not _is_index(step) or int(step) >= len(items):
                raise InputError(f"'{step}' is no item; there are items 0 to {len(items) - 1}", full)
            if last:
                items[int(step)] = value
            node = items[int(step)]
        elif isinstance(node, dict):
            table: dict[str, Any] = node
            if last and isinstance(value, Mapping) and isinstance(table.get(step), dict):
                table[step] = {**table[step], **value}
            elif last:
                table[step] = _plain(value)
            elif step not in table:
                raise InputError(f"'{path[depth - 1]}' has no '{step}'", full)
            node = table[step]
        else:
            parent = ".".join(path[:depth])
            raise InputError(f"'{parent}' has no items here; set '{parent}' whole first", full)


def _is_index(step: str) -> bool:
    """Whether a step of a path counts items: one spelling per number, plain digits only."""
    return step.isascii() and step.isdecimal() and len(step) < 10 and str(int(step)) == step


def _plain(value: Any) -> Any:
    """A copy with records and tuples as tables and lists that can be written to."""
    if isinstance(value, BaseModel):
        return _plain(value.model_dump())
    if isinstance(value, Mapping):
        table: Mapping[str, Any] = value
        return {name: _plain(item) for name, item in table.items()}
    if isinstance(value, list | tuple):
        items: Sequence[Any] = value
        return [_plain(item) for item in items]
    return deepcopy(value)


def _convert_table(record: type[BaseModel], table: dict[str, Any], place: str) -> None:
    """Replace text with units by SI numbers, in place."""
    for name, value in table.items():
        field = record.model_fields.get(name)
        if field is None:
            continue
        inner = inner_record(field)
        unit = unit_of(field)
        if isinstance(value, dict) and inner is not None:
            _convert_table(inner, value, join(place, name))  # type: ignore[arg-type]
        elif isinstance(value, list) and inner is not None:
            items: list[Any] = value
            for i, item in enumerate(items):
                if isinstance(item, dict):
                    _convert_table(inner, item, f"{join(place, name)}.{i}")  # type: ignore[arg-type]
        elif unit is not None:
            table[name] = _named_or_si(value, unit, names_in(field), join(place, name))


def _named_or_si(value: Any, unit: str | list[str], names: tuple[str, ...], place: str) -> Any:
    """As :func:`to_si`, but a text that is one of ``names`` stays."""
    if isinstance(value, str) and value in names:
        return value
    try:
        return to_si(value, unit, place)
    except InputError as error:
        if not names or not isinstance(value, str):
            raise
        raise InputError(f"{error.message}; or one of {', '.join(names)}", place) from None


def to_si(value: Any, unit: str | list[str], place: str) -> Any:
    """``value`` with every text replaced by its number in ``unit``; lists item by item."""
    if isinstance(value, list | tuple):
        units = unit if isinstance(unit, list) else [unit] * len(value)  # type: ignore[arg-type]
        if len(units) != len(value):  # type: ignore[arg-type]
            return value  # type: ignore[return-value]  # pydantic says what length is allowed
        return [to_si(item, u, f"{place}.{i}") for i, (item, u) in enumerate(zip(value, units, strict=True))]  # type: ignore[arg-type]
    if isinstance(value, str) and isinstance(unit, str):
        return parse_quantity(value, unit, place)
    if isinstance(value, bool):
        raise InputError(f"{str(value).lower()} is not a number", place)
    return value
