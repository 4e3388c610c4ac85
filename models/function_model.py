"""A model from one function: ``@model(...)`` makes a back-end of it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_type_hints

from pydantic import ValidationError

from errors import InputError, ModelLoadError
from models.contract import Evaluation, Model, Origin, Outcome, Preset, ReferenceCase
from models.fields import unit_of
from models.metrics import Metric
from models.parameters import Parameters
from models.scene import Scene
from models.units import parse_quantity

Function = Callable[[Any], Mapping[str, float] | Outcome]
_METRIC = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}(\.[a-z][a-z0-9_]{0,15})?")


def model(
    *,
    metrics: Sequence[Metric],
    version: int = 1,
    name: str = "",
    summary: str = "",
    source: str = "",
    presets: Mapping[str, Preset] | None = None,
    scene: Callable[[Any], Scene] | None = None,
    reference_cases: Callable[[], Sequence[ReferenceCase]] = tuple,
    files: Sequence[str] = (),
) -> Callable[[Function], Model]:
    """Make a model of a function of one parameter record.

    The function returns its metrics by name, in SI units, or :class:`~models.contract.Infeasible`. The same
    parameters must give the same numbers.

    Parameters
    ----------
    metrics : sequence of Metric
        What the function computes.
    version : int
        Part of the identity of every evaluation, besides the source; raise it when results change for another
        reason, such as a new version of a library.
    name : str
        As study files write it; the function's name with hyphens if left out.
    summary : str
        What it computes; the first line of the function's docstring if left out.
    source : str
        The paper or the book that it follows.
    presets : mapping of str to Preset
        Named designs; one of the record's defaults if left out.
    scene : callable (parameters) -> Scene
        What a 3D view shows of a design; nothing if left out.
    reference_cases : callable () -> sequence of ReferenceCase
        Known numbers beside the computed ones.
    files : sequence of str
        Files beside the model's on which results depend, such as a table that it reads.

    Raises
    ------
    ModelLoadError
        When the function, its record or the metrics cannot be those of a model.
    """

    def made(function: Function) -> Model:
        what = f"the function {function.__name__}"

        @functools.wraps(function)
        def stage(parameters: Any) -> Outcome:
            found = function(parameters)
            return Evaluation(found) if isinstance(found, Mapping) else found  # the model checks what it is

        return own_model(
            name=name or function.__name__.replace("_", "-"),
            version=version,
            summary=summary or (inspect.getdoc(function) or "A model of your own.").partition("\n")[0],
            source=source,
            parameters=_record_of(function, what),
            presets=presets,
            metrics=metrics,
            stage=stage,
            scene=scene,
            reference_cases=reference_cases,
            origin=Origin(function.__code__.co_filename, tuple(files)),
        )

    return made


def own_model(
    *,
    name: str,
    version: int,
    summary: str,
    source: str,
    parameters: type[Parameters],
    presets: Mapping[str, Preset] | None,
    metrics: Sequence[Metric],
    stage: Callable[[Any], Outcome],
    scene: Callable[[Any], Scene] | None,
    reference_cases: Callable[[], Sequence[ReferenceCase]],
    origin: Origin,
) -> Model:
    """A model of one stage, with its tables checked; raises ``ModelLoadError``."""
    _check_version(version, name)
    _check_record(parameters, name)
    _check_metrics(metrics, name)
    return Model(
        name=name,
        version=version,
        summary=summary,
        source=source or "a model of your own",
        parameters=parameters,
        presets=presets or {"defaults": Preset("the defaults of the record", "the model's file", {})},
        metrics=tuple(metrics),
        stages={"evaluate": stage},
        scene=scene or _no_scene,
        reference_cases=reference_cases,
        origin=origin,
    )


def _no_scene(_: Any) -> Scene:
    return Scene((), "this model has no drawing")


def _record_of(function: Function, what: str) -> type[Parameters]:
    """The parameter record that a function takes."""
    arguments = list(inspect.signature(function).parameters)
    found = get_type_hints(function).get(arguments[0]) if len(arguments) == 1 else None
    if not (isinstance(found, type) and issubclass(found, Parameters)):
        raise ModelLoadError(
            f"{what} must take one argument, annotated with its parameter record, as in "
            "def truss(design: Truss), where Truss is a subclass of Parameters",
            ("model",),
        )
    return found


def _check_version(version: object, name: str) -> None:
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelLoadError(
            f"'{name}' has the version {version!r}; give a whole number from 1 on", ("version",)
        )


def _check_record(record: type[Parameters], name: str) -> None:
    """Every field has a default, and every number a unit that is known."""
    for field_name, field in record.model_fields.items():
        if field.is_required():
            text = (
                f"'{field_name}' of '{name}' has no default; write quantity(1.0, unit=..., description=...)"
            )
            raise ModelLoadError(text, ("parameters",))
        kind: Any = field.annotation
        if kind in (int, float) and unit_of(field) is None:
            text = (
                f"'{field_name}' of '{name}' has no unit; write quantity({field.default!r}, unit=..., "
                'description=..., ge=..., le=...), with the unit "1" for a pure number'
            )
            raise ModelLoadError(text, ("parameters",))
        units = unit_of(field) or []
        for unit in [units] if isinstance(units, str) else units:
            _check_unit(unit, f"the parameter '{field_name}' of '{name}'", "parameters")
    try:
        record.model_validate(record().model_dump())  # pydantic takes defaults as they are
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(map(str, detail["loc"]))
        raise ModelLoadError(
            f"the record of '{name}' refuses its own defaults: {where}: {detail['msg']}", ("parameters",)
        ) from None


def _check_metrics(metrics: Sequence[Any], name: str) -> None:
    """Refuse an empty list, equal names and unknown units."""
    if not metrics:
        raise ModelLoadError(f"'{name}' has no metrics; list what it computes", ("metrics",))
    for metric in metrics:
        if not isinstance(metric, Metric):
            raise ModelLoadError(
                f'\'{name}\' lists {metric!r} as a metric; write Metric("mass", "kg", "mass of all bars", '
                '"minimize")',
                ("metrics",),
            )
        if metric.sense not in ("minimize", "maximize"):
            text = f"the metric '{metric.name}' has the sense '{metric.sense}'; give minimize or maximize"
            raise ModelLoadError(text, ("metrics",))
        if not _METRIC.fullmatch(metric.name):
            text = f"'{metric.name}' is no name of a metric; use letters, digits and _, as in peak_force"
            raise ModelLoadError(text, ("metrics",))
        _check_unit(metric.unit, f"the metric '{metric.name}' of '{name}'", "metrics")
    names = [metric.name for metric in metrics]
    twice = sorted({one for one in names if names.count(one) > 1})
    if twice:
        raise ModelLoadError(f"'{name}' lists the metric {', '.join(twice)} twice", ("metrics",))


def _check_unit(unit: str, what: str, place: str) -> None:
    try:
        parse_quantity("1" if unit == "1" else f"1 {unit}", unit)
    except InputError:
        raise ModelLoadError(
            f"{what} has the unit '{unit}', which is not known; give an SI unit, as in m, N/m or Pa, or 1",
            (place,),
        ) from None
