"""The base of every back-end's parameter record, and how settings become one.

Fields are declared with :func:`quantity` (a number with a unit) or pydantic's ``Field`` (names,
switches). Bare numbers are SI; text carries its unit ("5 mm") and is converted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from models.errors import InputError, UnknownNameError
from models.units import parse_quantity


class Parameters(BaseModel):
    """A frozen record of SI numbers: unknown fields, NaN and infinity are refused.

    ``supersedes`` names, for a field that replaces others when it is set, the fields that lose
    their meaning: setting both is an error, and a preset's values for them are dropped.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {}


def quantity(default: Any, *, unit: str | Sequence[str], description: str, **bounds: Any) -> Any:
    """A pydantic field with a unit.

    ``unit`` is a Pint unit, ``"1"`` for pure numbers, or one unit per item of a list; ``bounds``
    are pydantic's (``ge``, ``gt``, ``le``, ``lt``).
    """
    stated: Any = unit if isinstance(unit, str) else list(unit)
    return Field(default, description=description, json_schema_extra={"unit": stated}, **bounds)


def unit_of(field: FieldInfo) -> str | list[str] | None:
    """The unit that :func:`quantity` stored on a field; None for names and switches."""
    extra = field.json_schema_extra
    unit = extra.get("unit") if isinstance(extra, dict) else None
    return unit if unit is None or isinstance(unit, str) else [str(item) for item in unit]  # type: ignore[union-attr]


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
            if not step.isdigit() or int(step) >= len(items):
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
        inner = _inner_record(field)
        unit = unit_of(field)
        if isinstance(value, dict) and inner is not None:
            _convert_table(inner, value, join(place, name))  # type: ignore[arg-type]
        elif unit is not None:
            table[name] = to_si(value, unit, join(place, name))


def _inner_record(field: FieldInfo) -> type[BaseModel] | None:
    for candidate in (field.annotation, *get_args(field.annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


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


def explain(error: ValidationError, place: str, record: type[BaseModel]) -> InputError:
    """A pydantic error as one sentence per fault, each with its place and what is allowed."""
    faults: list[tuple[str, str]] = []
    for detail in error.errors(include_url=False):
        steps = [str(step) for step in detail["loc"]]
        where = join(place, ".".join(steps)) if steps else place
        field = record.model_fields.get(steps[0]) if steps else None
        if detail["type"] == "extra_forbidden":
            unknown = UnknownNameError("key", steps[-1], _names_beside(record, steps), place)
            faults.append((join(place, ".".join(steps[:-1])) if steps[:-1] else place, unknown.message))
            continue
        given = detail.get("input")
        text = detail["msg"].removeprefix("Value error, ")
        shown = f"{given!r}: " if isinstance(given, int | float | str | bool) else ""
        allowed = f" ({_allowed(field)})" if field is not None else ""
        faults.append((where, f"{shown}{text[:1].lower()}{text[1:]}{allowed}"))
    first, *rest = faults
    more = "".join(f"\n{where}: {text}" if where else f"\n{text}" for where, text in rest[:9])
    return InputError(first[1] + more, first[0])


def _names_beside(record: type[BaseModel], steps: list[str]) -> list[str]:
    current: type[BaseModel] = record
    for step in steps[:-1]:
        field = current.model_fields.get(step)
        inner = _inner_record(field) if field else None
        if inner is None:
            break
        current = inner
    return list(current.model_fields)


def _allowed(field: FieldInfo) -> str:
    bounds = {
        type(item).__name__.lower(): next(iter(vars_of(item).values()))
        for item in field.metadata
        if vars_of(item)
    }
    signs = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
    limits = " and ".join(f"{signs[name]} {bounds[name]}" for name in signs if name in bounds)
    unit = unit_of(field)
    parts = [limits, f"in {unit}" if isinstance(unit, str) and unit != "1" else "", field.description or ""]
    return "; ".join(part for part in parts if part)


def vars_of(item: Any) -> dict[str, Any]:
    """Attributes of an annotated-types constraint (slotted dataclasses have no ``__dict__``)."""
    names: tuple[str, ...] = getattr(item, "__slots__", ()) or ()
    return {name: getattr(item, name) for name in names}


def unit_at(record: type[BaseModel], path: str) -> str | list[str] | None:
    """The unit of the value at a dotted path; None for names and switches."""
    name, *rest = path.split(".")
    field = record.model_fields[name]
    inner = _inner_record(field)
    if rest and inner is not None and rest[0] in inner.model_fields:
        return unit_at(inner, ".".join(rest))
    unit = unit_of(field)
    if isinstance(unit, list) and rest and rest[0].isdigit() and int(rest[0]) < len(unit):
        return unit[int(rest[0])]
    return unit
