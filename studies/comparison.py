"""Layouts and studies against each other: fronts, spread over seeds, best and median.

All hypervolumes of a comparison are measured against one point, and epsilon on objectives scaled
to the joint range of all fronts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.parameters import to_si
from studies.contenders import Contender, Goal, common_goals, contenders, front_of, seed_fronts
from studies.definition import StudyDefinition
from studies.fronts import objectives_of
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

    ``fronts`` are joint over seeds; ``reference_point`` is in the metrics' own senses, and ``stated``
    says whether the study files give it; ``seed_hypervolumes`` maps a layout to the hypervolume of each
    of its seeds' fronts. Where several studies are compared, each layout of each stands under the label
    of its contender, and ``objectives`` are those that all studies have.
    """

    study: str
    contenders: tuple[Contender, ...]
    objectives: tuple[str, ...]
    units: tuple[str, ...]
    senses: tuple[str, ...]
    fronts: Mapping[str, Sequence[FrontDesign]]
    reference_point: tuple[float, ...]
    stated: bool
    seed_hypervolumes: Mapping[str, Mapping[int, float]]
    criteria: tuple[Criterion, ...]


def compare_layouts(store: Store, study: StudyRecord) -> Comparison:
    """Compare all layouts of a study."""
    return compare_studies(store, [study])


def compare_studies(store: Store, studies: Sequence[StudyRecord]) -> Comparison:
    """Compare all layouts of one or several studies in the objectives that they have in common.

    Raises ``InputError`` when they have none. Whether they were searched under the same conditions is
    another question: see :mod:`dashboards.content.differences`.
    """
    goals = common_goals(studies)
    everyone = contenders(studies, goals)
    names = [goal.name for goal in goals]
    senses = [goal.sense for goal in goals]
    units = [goal.unit for goal in goals]
    signs = np.array([goal.sign for goal in goals])
    joint = {contender.label: front_of(store, contender) for contender in everyone}
    arrays = {label: objectives_of(designs, len(goals)) for label, designs in joint.items()}
    everything = np.concatenate(list(arrays.values()))
    stated = _stated_point(studies, goals)
    if stated is not None:
        reference = stated
    else:
        reference = beyond_worst(everything) if len(everything) else np.zeros(len(goals))
    criteria = [
        *_front_criteria(arrays, reference, _scale(everything)),
        *_objective_criteria(arrays, names, units, senses, signs),
    ]
    return Comparison(
        study=", ".join(study.name for study in studies),
        contenders=tuple(everyone),
        objectives=tuple(names),
        units=tuple(units),
        senses=tuple(senses),
        fronts=joint,
        reference_point=tuple((reference * signs).tolist()),
        stated=stated is not None,
        seed_hypervolumes={one.label: _volumes(store, one, reference) for one in everyone},
        criteria=tuple(criteria),
    )


def _volumes(store: Store, contender: Contender, reference: FloatArray) -> dict[int, float]:
    """The hypervolume of each seed's own front."""
    return {seed: hypervolume(front, reference) for seed, front in seed_fronts(store, contender).items()}


def _stated_point(studies: Sequence[StudyRecord], goals: Sequence[Goal]) -> FloatArray | None:
    """The reference point that every study file gives, minimised; None where they differ or one has none."""
    found: list[FloatArray] = []
    for study in studies:
        stated = StudyDefinition.model_validate(study.definition).indicators.reference_point
        if stated is None:
            return None
        values = [to_si(stated[goal.name], goal.unit, goal.name) * goal.sign for goal in goals]
        found.append(np.array(values, dtype=np.float64))
    return found[0] if all(np.array_equal(point, found[0]) for point in found) else None


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
