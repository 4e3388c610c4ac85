"""Designs at the ends of what a parameter record accepts: a back-end computes each, or says why not."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from errors import InputError
from models.contract import Model
from models.fields import is_numerical, unit_of
from models.parameters import Parameters

_INSIDE = 1e-6
"""Share of the distance to the default by which a value lies inside a bound that is itself excluded."""


def boundary_designs(
    model: Model, settings: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, Any, Parameters]]:
    """Designs of the first preset in which one parameter is at an end of its bounds, or is another option.

    Gives the parameter, its value and the design. Combinations that the record refuses are left out, and so
    are settings of the computation, which studies cannot vary. ``settings`` keep evaluations short.
    """
    preset = next(iter(model.presets))
    short = dict(settings or {})
    base = model.resolve(preset, short)
    for name, field in model.parameters.model_fields.items():
        if is_numerical(field) or name in short:
            continue
        for value in _values(field, getattr(base, name)):
            try:
                yield name, value, model.resolve(preset, {**short, name: value})
            except InputError:
                continue


def boundary_faults(
    model: Model, cost_class: str | None = None, settings: Mapping[str, Any] | None = None
) -> list[str]:
    """A sentence for each of :func:`boundary_designs` for which the model raises, or gives no number."""
    found: list[str] = []
    for name, value, design in boundary_designs(model, settings):
        try:
            model.evaluate(design, cost_class)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a model may raise anything
            frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
            where = f"{frame.f_code.co_filename.rpartition('/')[2]}, line {line}"
            found.append(
                f"{model.name} raises for {name} = {value!r}, which its record accepts: "
                f"{type(error).__name__}: {error} ({where}). Let it return Infeasible, or narrow the bounds"
            )
    return found


def repetition_fault(model: Model) -> str:
    """A sentence if the first preset does not give the same numbers twice; empty if it does."""
    design = model.resolve(next(iter(model.presets)), {})
    first, second = model.evaluate(design), model.evaluate(design)
    if first == second:
        return ""
    return (
        f"{model.name} gives other results when it evaluates a design again ({first} and {second}): stored "
        "results would not be those of the design. Fix the seeds of what is random, and keep nothing between "
        "evaluations"
    )


def _values(field: FieldInfo, default: Any) -> list[Any]:
    """The ends of a number's bounds, or the options of a name or a switch, without the default."""
    forms = (field.annotation, *get_args(field.annotation))
    options = [option for form in forms if get_origin(form) is Literal for option in get_args(form)]
    if bool in forms:
        options += [True, False]
    if unit_of(field) is not None and isinstance(default, int | float) and not isinstance(default, bool):
        options += _ends(field, default)
    return [option for option in dict.fromkeys(options) if option != default]


def _ends(field: FieldInfo, default: float) -> list[float]:
    """The least and the greatest value that the bounds of a number allow, where there are any."""
    ends: list[float] = []
    for bound in field.metadata:
        for name in ("ge", "le", "gt", "lt"):
            end = getattr(bound, name, None)
            if end is None:
                continue
            inside = (
                end + _INSIDE * (default - end)
                if isinstance(default, float)
                else end + (name == "gt") - (name == "lt")
            )
            ends.append(type(default)(end if name in ("ge", "le") else inside))
    return ends
