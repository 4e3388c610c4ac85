"""Which designs of a front are listed, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from models.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from service.model_resources import ModelResource
    from service.operations import Operations
    from service.resources import FrontDesignResource


def in_order(
    designs: Sequence[FrontDesignResource],
    definition: Mapping[str, Any],
    model: ModelResource,
    name: str | None = None,
) -> list[FrontDesignResource]:
    """Designs by a metric, best first, or by a variable, least first; else by the first objective.

    Those without a value come last, and equal ones by key. Raises ``UnknownNameError``.
    """
    objectives: Mapping[str, str] = definition["objectives"]
    senses = {**{metric.metric: metric.better for metric in model.metrics}, **objectives}
    wanted = next(iter(objectives)) if name is None else name
    paths = {path for design in designs for path in design.variables}
    if wanted not in senses and wanted not in paths:
        raise UnknownNameError("metric", wanted, [*senses, *sorted(paths)], "--sort")
    sign = -1.0 if senses.get(wanted) == "maximize" else 1.0

    def place(design: FrontDesignResource) -> tuple[Any, ...]:
        value = design.metrics[wanted] if wanted in design.metrics else design.variables.get(wanted)
        if isinstance(value, int | float):
            return 0, sign * value, "", design.key, design.layout
        return 1 if value is not None else 2, 0.0, str(value), design.key, design.layout

    return sorted(designs, key=place)


def only_knees(
    where: Operations,
    name: str,
    definition: Mapping[str, Any],
    designs: Sequence[FrontDesignResource],
    seed: int | None,
) -> list[FrontDesignResource]:
    """The knee of each layout among ``designs``."""
    if len(definition["objectives"]) < 2:
        raise InputError("a front has a knee only if there are two objectives or more; use --top 1", "--knee")
    if seed is not None:
        raise InputError("belongs to the joint front of all seeds; leave --seed out", "--knee")
    knees = {(pick.layout, pick.key) for pick in where.picks(name) if pick.kind == "knee"}
    return [design for design in designs if (design.layout, design.key) in knees]
