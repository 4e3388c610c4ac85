"""The base of every back-end's parameter record, and how settings become one.

Fields are declared with :func:`models.fields.quantity` (a number with a unit) or pydantic's
``Field`` (names, switches). Bare numbers are SI; text carries its unit ("5 mm") and is converted here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from errors import Fault, FaultList, InputError, Place, UnknownNameError, is_within
from models.fields import inner_record, names_file, names_in, names_mesh, said_of, unit_of
from models.messages import explain, faults_of_values
from models.units import parse_difference, parse_quantity


def _add_words(schema: dict[str, Any], record: type[Any]) -> None:
    """Groups of a record's fields and names of its options in its JSON Schema, where forms find them.

    Groups in a list, because pydantic sorts the keys of a schema.
    """
    if record.groups:
        schema["groups"] = [[title, list(names)] for title, names in record.groups.items()]
    if record.option_names:
        schema["option_names"] = {name: dict(names) for name, names in record.option_names.items()}


class Parameters(BaseModel):
    """A frozen record of SI numbers: unknown fields, NaN and infinity are refused.

    ``supersedes`` names, for a field that replaces others when it is set, the fields that lose
    their meaning: setting both is an error, and a preset's values for them are dropped.

    ``geometry`` names the fields that make one layout of the robot another: where cables run, what they
    are tied to. Layouts of a study that differ in other fields too are compared in more than the layout.

    ``complete`` names, for a field that describes a robot of the user's own, the lists that describe the
    same robot: none of them is taken over from a preset.

    ``groups`` names the fields that belong together, under a title for people, in the order in which a form
    shows them. A field is in one group at most; those in none come last.

    ``option_names`` has names for people of a field's options, where the options do not read as words.

    ``renamed`` names the fields by the names that they had before: studies with these are still read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, json_schema_extra=_add_words)
    supersedes: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    geometry: ClassVar[frozenset[str]] = frozenset()
    complete: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    option_names: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    renamed: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def present_path(cls, path: str) -> str:
        """A dotted path with the present name of a field that was renamed."""
        name, dot, rest = path.partition(".")
        return cls.renamed.get(name, name) + dot + rest

    @classmethod
    def field_of(cls, path: str) -> str | None:
        """The field in which a dotted path begins; None for a path that leads to no parameter."""
        name = cls.present_path(path).partition(".")[0]
        return name if name in cls.model_fields else None

    @classmethod
    def defaults_for(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG003 - subclasses read it
        """Defaults that follow what is given, such as a list with one value per cable; none by default."""
        return {}

    @classmethod
    def assumed_for(cls, given: Mapping[str, Any]) -> Sequence[str]:  # noqa: ARG003 - subclasses read it
        """Fields that matter for a robot of the user's own and keep the values of a published one."""
        return ()

    @classmethod
    def shared_by(
        cls,
        layouts: Sequence[Self],  # noqa: ARG003 - subclasses read them
        varied: Collection[str],  # noqa: ARG003
    ) -> Mapping[str, Any]:
        """Values of fields that are not set and must not differ between the designs of a study.

        Parameters
        ----------
        layouts : sequence of Parameters
            Each layout with its variables at mid-range.
        varied : collection of str
            Fields that vary in some layout.
        """
        return {}

    @model_validator(mode="before")
    @classmethod
    def _fill_defaults(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        table: Mapping[str, Any] = _renamed(cls, given)
        more = {name: value for name, value in cls.defaults_for(table).items() if name not in table}
        return {**table, **more} if more else table


def _renamed(record: type[Parameters], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings under the present names of their fields; raises ``InputError`` where both names are set."""
    if record.renamed.keys().isdisjoint(flatten_names(settings)):
        return settings
    found: dict[str, Any] = {}
    for path, value in settings.items():
        present = record.present_path(path)
        if path != present and present in settings:
            raise InputError(f"is the former name of '{present}', which is set too; keep that one", (path,))
        found[present] = value
    return found


NO_FILE_HERE = (
    "names a file, and no file is opened here: write the rows themselves, or check or run the study file on "
    "your own machine (`read_study` in Python), which reads the file"
)
_PRESET_AMONG_THEM = "'preset' is not a parameter; name the preset beside the parameters, not among them"


def resolve(
    record: type[Parameters],
    base: Mapping[str, Any],
    settings: Mapping[str, Any],
    place: Place = (),
    origin: str = "",
) -> Parameters:
    """``record`` filled from ``base`` (a preset), then ``settings``; see ``Model.resolve``.

    ``origin`` says whose the base is, as in "the preset 'a'"; without it the base is the user's own, such
    as a stored design. Raises ``InputError`` with every fault that can be found.
    """
    tree, faults = _merged(record, base, settings, place, origin)
    try:
        made = record.model_validate(tree)
    except ValidationError as error:
        if faults:  # of parts that are left out, so what the others exclude is not known
            found = _beside(faults, faults_of_values(error, place, record))
            faults.add(*map(InputError.of, found))
            faults.raise_found()
        raise _with_origin(explain(error, place, record), record, base, settings, origin) from None
    faults.raise_found()
    return made


def value_faults(
    record: type[Parameters], base: Mapping[str, Any], settings: Mapping[str, Any], origin: str = ""
) -> tuple[dict[str, Any], list[Fault]]:
    """The tree of :func:`merge`, and the faults of single values, which no other value could mend."""
    tree, faults = _merged(record, base, settings, (), origin)
    found = [fault for error in faults.errors for fault in error.faults]
    try:
        record.model_validate(tree)
    except ValidationError as error:
        found += _beside(faults, faults_of_values(error, (), record))
    return tree, list(dict.fromkeys(found))


def _beside(known: FaultList, found: Sequence[Fault]) -> list[Fault]:
    """The faults without those of values that were left out because of a known one: they are not missing."""
    places = [fault.place for error in known.errors for fault in error.faults]
    return [fault for fault in found if not any(is_within(place, fault.place) for place in places)]


def merge(
    record: type[Parameters],
    base: Mapping[str, Any],
    settings: Mapping[str, Any],
    place: Place = (),
    origin: str = "",
) -> dict[str, Any]:
    """``settings`` laid over ``base`` as one tree in SI units, names checked, values not yet."""
    tree, faults = _merged(record, base, settings, place, origin)
    faults.raise_found()
    return tree


def _with_origin(
    error: InputError,
    record: type[Parameters],
    base: Mapping[str, Any],
    settings: Mapping[str, Any],
    origin: str,
) -> InputError:
    """The error, saying which of the values that it names are not the user's own."""
    own = flatten_names(settings)
    named = [name for name in record.model_fields if name in error.names and name not in own]
    if not named or len(error.faults) > 1 or not origin or error.place:
        return error
    which = [f"'{name}' comes from {origin if name in base else 'the defaults'}" for name in named]
    message = f"{error.message} ({', '.join(which)}: write your own)"
    return InputError(message, key=error.key, names=error.names)


def _merged(
    record: type[Parameters],
    base: Mapping[str, Any],
    settings: Mapping[str, Any],
    place: Place,
    origin: str,
) -> tuple[dict[str, Any], FaultList]:
    """The tree without the settings that are faulty, and their faults."""
    faults = FaultList()
    tree: dict[str, Any] = _plain(_renamed(record, base))
    try:
        settings = _renamed(record, settings)
    except InputError as error:
        faults.add(error.at((*place, *error.place)))
        settings = {path: value for path, value in settings.items() if path in record.model_fields}
    if "preset" in settings and "preset" not in record.model_fields:
        faults.add(InputError(_PRESET_AMONG_THEM, place, names=("preset",)))
        settings = {name: value for name, value in settings.items() if name != "preset"}
    for name in sorted(flatten_names(settings) - record.model_fields.keys()):
        faults.add(UnknownNameError("parameter", name, record.model_fields, place))
    settings = {
        path: value for path, value in settings.items() if path.split(".", 1)[0] in record.model_fields
    }
    _drop_superseded(record, tree, settings, place, faults)
    if origin:
        _refuse_incomplete(record, tree, settings, place, origin, faults)
    for path, value in settings.items():
        with faults.collect():
            _assign(record, tree, path.split("."), value, place, settings)
    _convert_table(record, tree, place, faults, partial(_units_per_item, record, tree))
    return tree, faults


def _drop_superseded(
    record: type[Parameters],
    tree: dict[str, Any],
    settings: Mapping[str, Any],
    place: Place,
    faults: FaultList,
) -> None:
    """Take from the base what the settings replace; both in the settings is a fault."""
    chosen = flatten_names(settings)
    winners = {name for name in chosen & record.supersedes.keys() if settings.get(name, ...) is not None}
    for winner in sorted(winners):
        for loser in record.supersedes[winner]:
            if loser in chosen:
                text = f"has no effect beside '{winner}', which replaces it; set one of the two"
                faults.add(InputError(text, (*place, loser), names=(winner,)))
            tree.pop(loser, None)


def _refuse_incomplete(
    record: type[Parameters],
    tree: Mapping[str, Any],
    settings: Mapping[str, Any],
    place: Place,
    origin: str,
    faults: FaultList,
) -> None:
    """Lists of a preset describe the preset's robot: they are not joined to a robot of the user's own."""
    for name, parts in record.complete.items():
        if settings.get(name) is None:
            continue
        left = [part for part in parts if isinstance(tree.get(part), list) and part not in settings]
        if left:
            listed = " and ".join(f"'{part}'" for part in left)
            text = (
                f"is your own, but {listed} would come from {origin}, which has other {name}; write {listed} "
                "too, or leave the preset out"
            )
            faults.add(InputError(text, (*place, name), names=tuple(left)))


def flatten_names(settings: Mapping[str, Any]) -> set[str]:
    """The top-level names that dotted settings touch."""
    return {path.split(".", 1)[0] for path in settings}


def steps_of(path: str) -> Place:
    """The keys and item numbers of a dotted path: ``("pulleys", 0, 2)`` of ``pulleys.0.2``."""
    return tuple(int(step) if _is_index(step) else step for step in path.split("."))


def _assign(
    record: type[Parameters],
    tree: dict[str, Any],
    path: list[str],
    value: Any,
    place: Place,
    settings: Mapping[str, Any],
) -> None:
    """Put ``value`` at a dotted path, starting lists and tables from the record's defaults."""
    node: Any = tree
    full = (*place, *steps_of(".".join(path)))
    if len(path) > 1 and path[0] not in tree:
        fitting = record.defaults_for({**tree, **settings})
        default = record.model_fields[path[0]].get_default(call_default_factory=True)
        tree[path[0]] = _plain(fitting.get(path[0], default))
    for depth, step in enumerate(path):
        last = depth == len(path) - 1
        if isinstance(node, list):
            items: list[Any] = node
            if not _is_index(step) or int(step) >= len(items):
                raise InputError(f"'{step}' is not an item; the items are 0 to {len(items) - 1}", full)
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
            raise InputError(f"'{parent}' has no items here; set the whole of '{parent}' first", full)


def _is_index(step: str) -> bool:
    """True if a step of a path counts items: one spelling per number, plain digits only."""
    return step.isascii() and step.isdecimal() and len(step) < 10 and str(int(step)) == step


def _plain(value: Any) -> Any:
    """A copy with records and tuples as tables and lists that can be written to."""
    if value is None or isinstance(value, (str, int, float)):
        return value  # as most are: a deep copy of each would be a fifth of the time of :func:`merge`
    if isinstance(value, BaseModel):
        return _plain(value.model_dump())
    if isinstance(value, Mapping):
        table: Mapping[str, Any] = value
        return {name: _plain(item) for name, item in table.items()}
    if isinstance(value, (list, tuple)):
        items: Sequence[Any] = value
        return [_plain(item) for item in items]
    return deepcopy(value)


def _convert_table(
    record: type[BaseModel],
    table: dict[str, Any],
    place: Place,
    faults: FaultList,
    units_of: Callable[[FieldInfo], list[str] | None],
) -> None:
    """Replace text with units by SI numbers, in place; what cannot be converted is left out.

    ``units_of`` gives the units of a list with one number for each item of another parameter. A list that is
    to be read from a file is a fault: only :mod:`studies.data_files` opens files.
    """
    for name, value in list(table.items()):
        field = record.model_fields.get(name)
        if field is None:
            continue
        inner = inner_record(field)
        unit = unit_of(field)
        if names_file(field, value) or names_mesh(field, value):
            faults.add(InputError(NO_FILE_HERE, (*place, name)))
            del table[name]
        elif isinstance(value, dict) and inner is not None:
            inside: dict[str, Any] = value
            _convert_table(inner, inside, (*place, name), faults, units_of)
        elif isinstance(value, list) and inner is not None:
            items: list[Any] = value
            for i, item in enumerate(items):
                if isinstance(item, dict):
                    entry: dict[str, Any] = item
                    _convert_table(inner, entry, (*place, name, i), faults, units_of)
        elif unit is not None:
            try:
                table[name] = _named_or_si(value, units_of(field) or unit, names_in(field), (*place, name))
            except InputError as error:
                faults.add(error)
                del table[name]


def _units_per_item(record: type[BaseModel], tree: Mapping[str, Any], field: FieldInfo) -> list[str] | None:
    """The unit of each number of a list that has one per item of another parameter in the tree.

    Such as coordinates of joints, rad or m by the kind of each; None where the items do not say.
    """
    other = record.model_fields.get(str(said_of(field, "per")))
    given: Any = tree.get(str(said_of(field, "per")))
    extra: Any = other.json_schema_extra if other else None
    units = extra.get("units") if isinstance(extra, dict) else None
    inner = inner_record(other) if other else None
    if not units or not isinstance(given, list) or inner is None:
        return None
    ((key, unit_by_choice),) = units.items()
    default = inner.model_fields[key].default
    own: Any = unit_of(field)
    items: list[Any] = given
    choices = [item.get(key, default) if isinstance(item, dict) else default for item in items]
    return [unit_by_choice.get(choice, own) for choice in choices]


def _named_or_si(value: Any, unit: str | list[str], names: tuple[str, ...], place: Place) -> Any:
    """As :func:`to_si`, but a text that is one of ``names`` stays."""
    if isinstance(value, str) and value in names:
        return value
    try:
        return to_si(value, unit, place)
    except InputError as error:
        if not names or not isinstance(value, str):
            raise
        raise InputError(f"{error.message}; or one of {', '.join(names)}", place) from None


def difference_to_si(value: Any, unit: str, place: Place) -> Any:
    """``value`` in ``unit``, if it is a text; it is a difference, so that 2 degC is 2 K."""
    return parse_difference(value, unit, place) if isinstance(value, str) else to_si(value, unit, place)


def to_si(value: Any, unit: str | list[str], place: Place) -> Any:
    """``value`` with every text replaced by its number in ``unit``; lists item by item."""
    if isinstance(value, (list, tuple)):
        items: Sequence[Any] = value
        nested = isinstance(unit, list) and any(isinstance(item, (list, tuple)) for item in items)
        units: list[Any] = unit if isinstance(unit, list) and not nested else [unit] * len(items)
        if len(units) != len(items):
            return items  # pydantic says what length is allowed
        return [to_si(item, u, (*place, i)) for i, (item, u) in enumerate(zip(items, units, strict=True))]
    if isinstance(value, str) and isinstance(unit, str):
        return parse_quantity(value, unit, place)
    if isinstance(value, bool):
        raise InputError(f"{str(value).lower()} is not a number", place)
    return value
