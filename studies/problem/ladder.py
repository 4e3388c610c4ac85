"""The rungs of a study: its layout at lower fidelities, each cheaper than the next, the cheapest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from errors import InputError, Place, UnknownNameError
from models import Model
from models.parameters import Parameters
from studies.definition.space import DesignSpace
from studies.definition.study_definition import StudyDefinition

PLACE: Place = ("search", "ladder")


def rungs_of(
    definition: StudyDefinition,
    model: Model,
    preset: str | None,
    settings: Mapping[str, Any],
    space: DesignSpace,
) -> list[dict[str, Any]]:
    """The settings of each rung, beside those of the layout; none where the study wants none.

    Raises ``InputError`` for a rung that sets what varies, what the model refuses, or nothing new.
    """
    wanted = definition.search.ladder
    if not wanted:
        return []
    full = model.resolve(preset, {**settings, **space.middle()})
    stated = [dict(rung) for rung in wanted] if isinstance(wanted, list) else declared(model, full)
    varied = {full.field_of(path) for path in space.parameters}
    before: list[Parameters] = []
    for number, rung in enumerate(stated):
        place = (*PLACE, number) if isinstance(wanted, list) else PLACE
        for path in rung:
            field = full.field_of(path)
            if field is None:
                raise UnknownNameError(
                    "parameter", path.partition(".")[0], type(full).model_fields, (*place, path)
                )
            if field in varied:
                raise InputError("varies in the study; a rung sets what the study fixes", (*place, path))
        found = model.resolve(preset, {**settings, **space.middle(), **rung}, place)
        if found == full or found in before:
            other = "the study itself" if found == full else f"rung {before.index(found) + 1}"
            raise InputError(f"is the same as {other}; each rung is cheaper than the next", place)
        before.append(found)
    return stated


def declared(model: Model, full: Parameters) -> list[dict[str, Any]]:
    """The rungs that a back-end declares for a design; raises ``InputError`` where it has none."""
    rungs: Sequence[Mapping[str, Any]] = model.ladder(full) if model.ladder is not None else ()
    if not rungs:
        why = "declares no ladder" if model.ladder is None else "is as coarse as it can be"
        raise InputError(
            f"{model.name} {why}; state the rungs, the cheapest first, as in ladder = [{{ cells = 20 }}], or "
            "remove it",
            PLACE,
        )
    return [dict(rung) for rung in rungs]
