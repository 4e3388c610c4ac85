"""Layouts against each other under the same conditions: fronts, spread over seeds, best and median.

All hypervolumes of a comparison are measured against one point, and epsilon on objectives scaled
to the joint range of all fronts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models import load
from models.parameters import to_si
from studies.definition import StudyDefinition
from studies.fronts import fronts, objectives_of
from studies.indicators import FloatArray, additive_epsilon, beyond_worst, coverage, hypervolume
from studies.records import FrontDesign, StudyRecord
from studies.store import Store


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row of the comparison.

    ``values`` maps layouts to numbers in ``unit`` (None where a layout has no feasible design).
    ``winner`` is the best layout, or "" when they tie; ``margin`` is its lead over the next,
    relative to the next's value (None when there is no second or that value is 0).
    """

    name: str
    unit: str
    meaning: str
    better: str
    values: Mapping[str, float | None]
    winner: str
    margin: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a comparison shows.

    ``fronts`` are joint over seeds; ``reference_point`` is in the metrics' own senses;
    ``seed_hypervolumes`` maps a layout to the hypervolume of each of its seeds' fronts.
    """

    study: str
    objectives: tuple[str, ...]
    units: tuple[str, ...]
    senses: tuple[str, ...]
    fronts: Mapping[str, Sequence[FrontDesign]]
    reference_point: tuple[float, ...]
    seed_hypervolumes: Mapping[str, Mapping[int, float]]
    criteria: tuple[Criterion, ...]


def compare_layouts(store: Store, study: StudyRecord) -> Comparison:
    """Compare all layouts of a study."""
    definition = StudyDefinition.model_validate(study.definition)
    model = load(definition.model)
    names = tuple(definition.objectives)
    senses = tuple(definition.objectives.values())
    units = tuple(model.metric(name).unit for name in names)
    signs = np.array([1.0 if sense == "minimize" else -1.0 for sense in senses])
    joint = fronts(store, study)
    arrays = {layout: objectives_of(designs, len(names)) for layout, designs in joint.items()}
    everything = np.concatenate(list(arrays.values()))
    stated = definition.indicators.reference_point
    if stated is not None:
        values = [to_si(stated[name], unit, name) for name, unit in zip(names, units, strict=True)]
        reference = np.array(values, dtype=np.float64) * signs
    else:
        reference = beyond_worst(everything) if len(everything) else np.zeros(len(names))
    seeds = {
        layout: {
            run.seed: hypervolume(_objectives(store, study, run.layout, run.seed, len(names)), reference)
            for run in study.runs
            if run.layout == layout
        }
        for layout in joint
    }
    criteria = [
        *_front_criteria(arrays, reference, _scale(everything)),
        *_objective_criteria(arrays, names, units, senses, signs),
    ]
    return Comparison(
        study.name, names, units, senses, joint, tuple((reference * signs).tolist()), seeds, tuple(criteria)
    )


def _objectives(store: Store, study: StudyRecord, layout: str, seed: int, n: int) -> FloatArray:
    return objectives_of(fronts(store, study, layout, seed)[layout], n)


def _scale(everything: FloatArray) -> FloatArray:
    """The joint range per objective, 1 where it is 0."""
    if len(everything) == 0:
        return np.ones(everything.shape[1])
    span = np.ptp(everything, axis=0)
    return np.where(span > 0, span, 1.0)


def _front_criteria(
    arrays: Mapping[str, FloatArray], reference: FloatArray, scale: FloatArray
) -> list[Criterion]:
    volumes = {layout: hypervolume(front, reference) for layout, front in arrays.items()}
    sizes = {layout: float(len(front)) for layout, front in arrays.items()}
    rows = [
        _criterion(
            "hypervolume", "", "volume that the front dominates, up to one common point", "maximize", volumes
        ),
        _criterion("front size", "1", "designs that nothing dominates", "none", sizes),
    ]
    if len(arrays) < 2:
        return rows
    filled = {layout: front for layout, front in arrays.items() if len(front)}
    covers: dict[str, float | None] = dict.fromkeys(arrays)
    epsilons: dict[str, float | None] = dict.fromkeys(arrays)
    for one, own in filled.items():
        others = [front for layout, front in filled.items() if layout != one]
        if others:
            covers[one] = min(coverage(own, other) for other in others)
            epsilons[one] = max(additive_epsilon(own / scale, other / scale) for other in others)
    dominates = "least share of another front that this one weakly dominates"
    improve = "amount (of the joint range) by which this front must improve to match the others"
    return [
        *rows,
        _criterion("coverage", "1", dominates, "maximize", covers),
        _criterion("additive epsilon", "1", improve, "minimize", epsilons),
    ]


def _objective_criteria(
    arrays: Mapping[str, FloatArray],
    names: Sequence[str],
    units: Sequence[str],
    senses: Sequence[str],
    signs: FloatArray,
) -> list[Criterion]:
    rows: list[Criterion] = []
    for column, (name, unit, sense) in enumerate(zip(names, units, senses, strict=True)):
        for label, pick in (("best", np.min), ("median", np.median)):
            values = {
                layout: float(pick(front[:, column]) * signs[column]) if len(front) else None
                for layout, front in arrays.items()
            }
            rows.append(_criterion(f"{label} {name}", unit, f"{label} {name} on the front", sense, values))
    return rows


def _criterion(
    name: str, unit: str, meaning: str, better: str, values: Mapping[str, float | None]
) -> Criterion:
    known = {layout: value for layout, value in values.items() if value is not None}
    ranked = sorted(known.items(), key=lambda item: item[1], reverse=better == "maximize")
    if better == "none" or len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        only = ranked[0][0] if better != "none" and len(ranked) == 1 and len(values) > 1 else ""
        return Criterion(name, unit, meaning, better, dict(values), only, None)
    (winner, best), (_, second) = ranked[0], ranked[1]
    margin = abs(best - second) / abs(second) if second else None
    return Criterion(name, unit, meaning, better, dict(values), winner, margin)
