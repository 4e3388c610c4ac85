"""Constraints that follow from variables alone, which need no evaluation: the region that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from errors import InputError, Place
from models import Model
from models.units import unit_text
from studies.definition.derived_quantities import Derived
from studies.definition.link_tables import record_of
from studies.definition.links import value_at_steps, value_inside
from studies.definition.objectives import Constraint
from studies.definition.region import Region
from studies.definition.robust_metrics import is_robust
from studies.definition.space import DesignSpace, FloatArray

_PROBES = 8
_MOST_PROBES = 128
_SEED = 0


def with_region(
    model: Model,
    preset: str | None,
    settings: Mapping[str, Any],
    space: DesignSpace,
    constraints: Sequence[Constraint],
    derived: Derived,
    initial: FloatArray,
) -> DesignSpace:
    """The space with the region of those constraints that follow from variables, linked and fixed parameters.

    A constraint on a metric stays out, and so does one on a parameter whose default follows from variables,
    or that the model changes: they are known when a design is evaluated.
    """
    metrics = {metric.name for metric in model.metrics}
    names = {each.metric: derived.names_of(each.metric) for each in constraints}
    free = [
        each
        for each in constraints
        if names[each.metric] and not any(name in metrics or is_robust(name) for name in names[each.metric])
    ]
    if not free or not len(space):
        return space
    wanted = tuple(dict.fromkeys(name for each in free for name in names[each.metric]))
    known = _fixed_numbers(model, preset, settings, space, wanted, initial)
    kept = [each for each in free if all(name in known for name in names[each.metric])]
    if not kept:
        return space
    constants = {name: value for name, value in known.items() if value is not None}
    return replace(space, region=Region(space, kept, derived, constants, initial))


def _fixed_numbers(
    model: Model,
    preset: str | None,
    settings: Mapping[str, Any],
    space: DesignSpace,
    names: Sequence[str],
    initial: FloatArray,
) -> dict[str, float | None]:
    """The number of each name where no variable gives it, which is None where one always does.

    A name is left out whose number differs between designs of the space all the same.
    """
    base = record_of(model, preset, settings)
    own = {variable.path for variable in space.variables}
    found: dict[str, float | None] = {}
    for name in names:
        value = _number(value_at_steps(base, name.split(".")))
        found[name] = value
    probes = list(_probes(model, preset, settings, space, initial))
    if not probes:
        return {}
    for given, record in probes:
        for name in list(found):
            if name in space.links.free:
                continue
            actual = _number(value_at_steps(record, name.split(".")))
            stated = given[name] if name in given else value_inside(given, name)
            expected = found[name] if stated is None else _number(stated)
            if expected is None and stated is None and name not in own:
                found[name] = expected = actual
            if actual is None or actual != expected:
                del found[name]
    return found


def _probes(
    model: Model, preset: str | None, settings: Mapping[str, Any], space: DesignSpace, initial: FloatArray
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Some valid designs of the space: their settings, and all parameters as they would be stored."""
    drawn = np.random.default_rng(_SEED).random((_MOST_PROBES, len(space)))
    points = space.settle(np.concatenate([initial[:_PROBES], np.full((1, len(space)), 0.5), drawn]))
    left = _PROBES
    for point in points:
        with suppress(InputError):
            given = space.decode(point)
            record = model.resolve(preset, {**settings, **given}).model_dump(mode="json")
            yield given, record
            left -= 1
        if not left:
            return


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def require_inside(space: DesignSpace, initial: FloatArray, place: Place) -> None:
    """Raise ``InputError`` where no design, or not every initial design ``(k, d)``, is inside the region."""
    region = space.region
    if region is None:
        return
    nearest = region.nearest
    if nearest is not None and (each := region.broken(nearest)) is not None:
        raise InputError(
            f"no design was found that satisfies it, among {region.tried} at random and on ways from the "
            f"nearest of these; the nearest has {_shown(region, nearest, each)}. Widen the bounds, or give "
            "a design that satisfies it under search.initial",
            ("constraints", each.metric),
        )
    for number, point in enumerate(initial):
        refuse_outside(space, point, (*place, number))


def refuse_outside(space: DesignSpace, point: FloatArray, place: Place) -> None:
    """Raise ``InputError`` at ``place`` for a settled point ``(d,)`` outside the region of a space."""
    region = space.region
    each = None if region is None else region.broken(point)
    if region is not None and each is not None:
        has = _shown(region, point, each)
        raise InputError(
            f"breaks the constraint on {each.metric}: it has {has}, and would not be evaluated; leave it "
            "out, or widen the bounds",
            place,
        )


def _shown(region: Region, point: FloatArray, constraint: Constraint) -> str:
    value = region.values(point)[constraint.metric]
    unit = unit_text(constraint.unit)
    return "no finite number" if value is None else f"{value:g} {unit}".rstrip()


def told(space: DesignSpace) -> list[str]:
    """Sentences on the rules of a space, for ``tautline study check``."""
    found: list[str] = []
    columns = dict.fromkeys(each.column for each in space.conditions)
    if columns:
        names = ", ".join(space.variables[column].path for column in columns)
        found.append(
            "where their conditions do not hold, these variables do not act, and the parameters keep their "
            f"fixed values: {names}"
        )
    for exchange in space.exchanges:
        parts = [", ".join(space.variables[column].path for column in part) for part in exchange.members]
        found.append(f"designs that differ only in the order of these parts are one: {'; '.join(parts)}")
    region = space.region
    if region is not None:
        names = ", ".join(each.metric for each in region.constraints)
        found.append(
            "these constraints follow from variables alone, and designs that break them are never evaluated: "
            f"{names}; {region.inside} of {region.tried} random designs satisfy all of them"
        )
    return found
