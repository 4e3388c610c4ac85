"""Tables of a model as a study keeps them, so that its results are read where the code is not.

A study of a built-in model keeps none: every Tautline has it. The tables hold words, units and senses, and
no code; what computes or draws a design needs the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast

from pydantic import Field, TypeAdapter, create_model
from pydantic_core import to_jsonable_python

from errors import InputError, ModelLoadError, OutcomeError, UnknownNameError
from models import Metric, Model, Parameters, load
from models.contract import Outcome, Preset
from models.fields import unit_at
from models.registry import is_built_in
from models.scene import Scene
from models.units import si_quantity
from studies.definition.study_definition import StudyDefinition, VariableTable
from studies.records import StudyRecord

Document = Mapping[str, Any]


class StoredModel(Model):
    """Tables of a model whose code is not here: it evaluates and draws nothing."""


class _StoredParameters(Parameters):
    """Base of the records that are made of a stored JSON Schema."""

    stored_schema: ClassVar[dict[str, Any]] = {}

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """The schema as the code gave it."""
        return cls.stored_schema


def model_tables(name: str) -> dict[str, Any] | None:
    """The tables of a model as a document of plain values; None for a built-in or an unknown one."""
    if is_built_in(name):
        return None
    try:
        model = load(name)
    except (InputError, ModelLoadError):
        return None
    record = model.parameters
    return to_jsonable_python(
        {
            "name": model.name,
            "version": model.version,
            "title": model.title,
            "summary": model.summary,
            "source": model.source,
            "stochastic": model.stochastic,
            "test_problem": model.test_problem,
            "metrics": model.metrics,
            "classes": {name: stages for name, stages in model.stages_of.items() if name in _own(model)},
            "presets": model.presets,
            "parameters": record.model_json_schema(),
            "record": {
                "geometry": sorted(record.geometry),
                "renamed": record.renamed,
                "groups": record.groups,
            },
        }
    )


def definition_of(study: StudyRecord) -> StudyDefinition:
    """The definition of a stored study, with the tables of its model."""
    return StudyDefinition.model_validate(study.definition).with_model(study.model or {})


def back_end(definition: StudyDefinition) -> Model:
    """The model of a study, or its stored tables; raises ``InputError`` where neither is here."""
    try:
        return load(definition.model)
    except UnknownNameError as error:
        if definition.stored_model is None:
            raise
        if not definition.stored_model:
            raise InputError(
                f"the names and units of the model '{definition.model}' are missing: its code is not here, "
                "and the study was stored before studies kept them; start the server once with the file of "
                "the model, or install its package and start the server again: that stores them",
                error.place,
            ) from None
    except ModelLoadError:
        if not definition.stored_model:
            raise
    return _read(definition.stored_model)


def _own(model: Model) -> set[str]:
    """The cost classes that the model declares: it adds ``all`` itself where there are several."""
    return {*model.stages_of} if len(model.stages_of) == 1 else {*model.stages_of} - {"all"}


def _read(tables: Document) -> StoredModel:
    metrics = TypeAdapter(tuple[Metric, ...]).validate_python(tables["metrics"])
    stages = dict.fromkeys(stage for names in tables["classes"].values() for stage in names)
    return StoredModel(
        name=tables["name"],
        version=tables["version"],
        title=tables.get("title", ""),  # studies stored before models had titles
        summary=tables["summary"],
        source=tables["source"],
        parameters=_record(tables["name"], tables["parameters"], tables["record"]),
        presets={name: Preset(**preset) for name, preset in tables["presets"].items()},
        metrics=metrics,
        stages=dict.fromkeys(stages, _no_code),
        scene=_no_scene,
        reference_cases=tuple,
        classes=tables["classes"],
        stochastic=tables["stochastic"],
        test_problem=tables["test_problem"],
    )


def _no_code(*_: Any) -> Outcome:
    raise OutcomeError("the code of the model is not here")


def _no_scene(*_: Any) -> Scene:
    return Scene((), "the code of the model is not here")


def _record(name: str, schema: dict[str, Any], table: Document) -> type[Parameters]:
    """A record with the fields, units and defaults of a JSON Schema; it checks names and no values."""
    inner: dict[str, type[Any]] = {}
    made = _class(name, schema, schema.get("$defs", {}), inner)
    made.stored_schema = schema
    made.geometry = frozenset(table["geometry"])
    made.renamed = table["renamed"]
    made.groups = {title: tuple(names) for title, names in table["groups"].items()}
    return made


def _class(
    name: str, schema: Document, definitions: Document, inner: dict[str, type[Any]]
) -> type[_StoredParameters]:
    fields: dict[str, Any] = {}
    for field, given in schema.get("properties", {}).items():
        extra = {key: given[key] for key in ("unit", "numerical", "item", "parts") if key in given}
        default = given.get("default") if field not in schema.get("required", ()) else ...
        stated = Field(default, description=given.get("description"), json_schema_extra=extra)
        fields[field] = (_form(given, definitions, inner), stated)
    return create_model(name, __base__=_StoredParameters, **fields)


def _form(given: Document, definitions: Document, inner: dict[str, type[Any]]) -> Any:
    """A type that takes every value, and names the record that a field holds and the names that it takes."""
    names, records = _parts(given)
    form: Any = Any
    if names:
        form = cast("Any", Literal)[tuple(names)] | form
    for name in records:
        if name not in inner:
            inner[name] = Parameters  # a record inside itself is not followed
            inner[name] = _class(name, definitions[name], definitions, inner)
        form = list[inner[name]] | inner[name] | form
    return form


def _parts(given: Document) -> tuple[list[str], list[str]]:
    """The names that a field takes instead of a number, and the names of the records that it holds."""
    names = [text for text in [*given.get("enum", ()), given.get("const")] if isinstance(text, str)]
    records = [given["$ref"].rpartition("/")[2]] if "$ref" in given else []
    for key in ("anyOf", "allOf", "oneOf", "prefixItems", "items"):
        found = given.get(key)
        for part in found if isinstance(found, list) else [found]:
            if isinstance(part, Mapping):
                more, others = _parts(cast("Document", part))
                names += more
                records += others
    return names, list(dict.fromkeys(records))


def is_free(model: Model, path: str) -> bool:
    """True if a variable is no parameter itself."""
    return model.parameters.field_of(path) is None


def free_unit(model: Model, table: VariableTable) -> str:
    """The SI unit of a variable that is no parameter: of what it drives first, else of its bounds.

    Bounds without a unit are pure numbers. May raise ``InputError`` for bounds that are no quantities.
    """
    for drive in table.drives:
        unit = unit_at(model.parameters, drive.parameter)
        if isinstance(unit, str):
            return unit
    given = [table.lower, table.upper, *(table.options or ())]
    return next((si_quantity(value)[1] for value in given if isinstance(value, str)), "1")
