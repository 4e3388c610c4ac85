"""Fields of parameter records: a number with its unit, and what can be asked of a field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo


def quantity(
    default: Any,
    *,
    unit: str | Sequence[str],
    description: str,
    numerical: bool = False,
    item: str | Sequence[str] = (),
    parts: Sequence[str] = (),
    per: str = "",
    usual: tuple[float, float] | None = None,
    label: str = "",
    **bounds: Any,
) -> Any:
    """A pydantic field with a unit.

    ``unit`` is a Pint unit, ``"1"`` for pure numbers, or one unit per item of a list; ``bounds``
    are pydantic's (``ge``, ``gt``, ``le``, ``lt``). ``numerical`` marks a setting of the computation
    (a grid, a step, a tolerance, a sample) that is no property of the robot; see :func:`is_numerical`.

    ``item`` names an item of a list for people, as in ``"cable {}, tension"`` with a number from 1 on,
    or has one name per item; ``parts`` names the numbers of a vector, or of the vector that an item is.

    ``per`` names the parameter of whose items a list, or each list in it, has one number each: forms take
    the count, the names and, from its ``units``, the unit of each number from there.

    ``usual`` is the range, in ``unit``, that forms propose for a parameter without a value, or whose value 0
    says nothing about its size.

    ``label`` is what headings say where the name is a symbol, as in ``"azimuth beta1"``.
    """
    stated: Any = unit if isinstance(unit, str) else list(unit)
    extra: dict[str, Any] = {"unit": stated, "numerical": True} if numerical else {"unit": stated}
    if item:
        extra["item"] = item if isinstance(item, str) else list(item)
    if parts:
        extra["parts"] = list(parts)
    if per:
        extra["per"] = per
    if usual:
        extra["usual"] = list(usual)
    if label:
        extra["label"] = label
    return Field(default, description=description, json_schema_extra=extra, **bounds)


def said_of(field: FieldInfo, key: Literal["item", "parts", "per", "label"]) -> str | list[str]:
    """Names that :func:`quantity` stored on a field, its items or its parts; empty without any."""
    extra = field.json_schema_extra
    said: Any = extra.get(key) if isinstance(extra, dict) else None
    return said if isinstance(said, str) else list(said or ())


def is_numerical(field: FieldInfo) -> bool:
    """True if a field is a setting of the computation; a search would only make the computation coarse.

    Names and switches are marked by ``json_schema_extra={"numerical": True}`` on pydantic's ``Field``.
    """
    extra = field.json_schema_extra
    return isinstance(extra, dict) and extra.get("numerical") is True


def unit_of(field: FieldInfo) -> str | list[str] | None:
    """The unit that :func:`quantity` stored on a field; None for names and switches."""
    extra = field.json_schema_extra
    unit: Any = extra.get("unit") if isinstance(extra, dict) else None
    return unit if unit is None or isinstance(unit, str) else [str(item) for item in unit]


def names_in(field: FieldInfo) -> tuple[str, ...]:
    """The names that may be given instead of a field's number, such as ``"down"`` for a vector."""
    forms = (field.annotation, *get_args(field.annotation))
    literals = [get_args(form) for form in forms if get_origin(form) is Literal]
    return tuple(name for names in literals for name in names if isinstance(name, str))


def inner_record(field: FieldInfo) -> type[BaseModel] | None:
    """The record that a field holds: alone, in a list, or in either way among other forms."""
    forms: list[Any] = [field.annotation]
    while forms:
        form = forms.pop(0)
        if isinstance(form, type) and issubclass(form, BaseModel):
            return form
        forms += get_args(form)
    return None


DATA_FILE = "csv"
"""The key of a table that stands for the rows of a file: ``{ csv = "poses.csv" }``."""


def list_item(field: FieldInfo) -> Any:
    """The type of the items of a list, which may be one of several forms; None for a field without one."""
    forms: list[Any] = [field.annotation]
    while forms:
        form = forms.pop(0)
        if get_origin(form) in (tuple, list):
            return _bare(next(iter(get_args(form)), None))
        if get_origin(form) in (Annotated, Union, UnionType):
            forms += [_bare(inner) for inner in get_args(form)]
    return None


MESH_FILE = "file"
"""The key of a table that stands for a triangle mesh in a file: ``{ file = "column.stl", unit = "mm" }``."""


def names_mesh(field: FieldInfo, value: Any) -> bool:
    """True if a value given to a field of a triangle mesh is a table that names a file."""
    inner = inner_record(field)
    is_mesh = inner is not None and {"vertices", "triangles"} <= inner.model_fields.keys()
    return is_mesh and isinstance(value, Mapping) and MESH_FILE in value


def _bare(form: Any) -> Any:
    """A type without what pydantic is told about it."""
    return get_args(form)[0] if get_origin(form) is Annotated else form


def names_file(field: FieldInfo, value: Any) -> bool:
    """True if a value given to a list is a table that names a file."""
    return isinstance(value, Mapping) and DATA_FILE in value and list_item(field) is not None


def field_at(record: type[BaseModel], path: str) -> FieldInfo:
    """The field that holds the value at a dotted path: of the record, or of a record inside it."""
    name, *rest = present_steps(record, path)
    field = record.model_fields[name]
    inner = inner_record(field)
    inside = rest[1:] if rest and rest[0].isdecimal() else rest  # of an item of a list of records
    if inside and inner is not None and inside[0] in inner.model_fields:
        return field_at(inner, ".".join(inside))
    return field


def present_steps(record: type[BaseModel], path: str) -> list[str]:
    """Steps of a dotted path, the first by the present name of its field."""
    renamed: Mapping[str, str] = getattr(record, "renamed", {})  # records inside others have none
    name, *rest = path.split(".")
    return [renamed.get(name, name), *rest]


def unit_at(record: type[BaseModel], path: str) -> str | list[str] | None:
    """The unit of the value at a dotted path; None for names and switches, and what the record has not."""
    name, *rest = present_steps(record, path)
    if name not in record.model_fields:
        return None
    field = record.model_fields[name]
    inner = inner_record(field)
    inside = rest[1:] if rest and rest[0].isdecimal() else rest  # of an item of a list of records
    if inside and inner is not None and inside[0] in inner.model_fields:
        return unit_at(inner, ".".join(inside))
    unit = unit_of(field)
    if isinstance(unit, list) and rest and rest[0].isdecimal() and int(rest[0]) < len(unit):
        return unit[int(rest[0])]
    return unit
