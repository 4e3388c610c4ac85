"""Layouts and studies against each other: fronts, spread over seeds, best and median.

All hypervolumes of a comparison are measured against one point, and epsilon on objectives scaled
to the joint range of all fronts. Values that differ by no more than their numerical error are even.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from models import Model
from models.metrics import Metric
from models.parameters import to_si
from studies.comparison.conditions import Condition, check_comparable, conditions_of, read_setups
from studies.comparison.entries import (
    ComparisonEntry,
    Goal,
    common_goals,
    comparison_entries,
    front_of,
    seed_fronts,
)
from studies.comparison.seed_tests import SeedTest, seed_tests
from studies.definition.derived_quantities import study_model
from studies.definition.objectives import SharedQuantity, shared_quantities
from studies.definition.stored_model import definition_of
from studies.records import FrontDesign, StudyRecord
from studies.results.fronts import objectives_of
from studies.search.indicators import (
    FloatArray,
    additive_epsilon,
    beyond_worst,
    coverage,
    extent,
    hypervolume,
    hypervolume_error,
    median,
)
from studies.store import Store

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Spread:
    """A metric over a front, in SI units.

    ``missing`` designs do not have it; ``unsafe`` ones are past its limit of safety.
    """

    least: float
    median: float
    greatest: float
    designs: int
    missing: int
    unsafe: int


@dataclass(frozen=True, slots=True)
class NotOptimised:
    """A metric that was neither objective nor constraint.

    ``spreads`` maps the compared to what their fronts have of it; None where no design has it. One that
    ``is_error`` is the numerical error of another metric: it is no merit of a robot.
    """

    name: str
    unit: str
    meaning: str
    better: str
    safety_limit: float | None
    spreads: Mapping[str, Spread | None]
    is_error: bool = False


def not_optimised(
    entries: Sequence[ComparisonEntry], fronts: Mapping[str, Sequence[FrontDesign]], objectives: Sequence[str]
) -> tuple[NotOptimised, ...]:
    """All computed metrics that are not compared, and not an objective or a constraint of every study."""
    found: dict[tuple[str, str], Metric] = {}
    errors = set[str]()
    for entry in entries:
        definition = definition_of(entry.study)
        computed = {name for design in fronts[entry.label] for name in design.metrics}
        metrics = study_model(definition).metrics
        errors |= {metric.error for metric in metrics if metric.error}
        margins = (each.name for each in metrics if each.name in computed and each.safety_limit is not None)
        judged = judged_margins(margins, definition.constraints)
        for metric in metrics:
            asked = metric.name in definition.objectives or metric.name in definition.constraints
            if metric.name in computed and metric.name not in objectives and not asked:
                own = metric if metric.name in judged else replace(metric, safety_limit=None)
                found.setdefault((metric.name, metric.unit), own)
    return tuple(
        NotOptimised(
            metric.name, metric.unit, metric.meaning, metric.sense, metric.safety_limit,
            {entry.label: spread_of(metric, fronts[entry.label]) for entry in entries}, metric.name in errors,
        )
        for metric in found.values()
    )  # fmt: skip


def judged_margins(names: Iterable[str], bounded: Collection[str]) -> set[str]:
    """The margins that say how safe a design is: of the variants of each, one.

    That is the one that a study bounds, else the one over the task, else the first that the model declares
    (``margin.q05`` comes before ``margin.box``).
    """
    variants: dict[str, list[str]] = {}
    for name in names:
        variants.setdefault(name.split(".", 1)[0], []).append(name)
    return {
        max(each, key=lambda name: (name in bounded, name.endswith(".task"))) for each in variants.values()
    }


def unsafe_margins(
    metrics: Iterable[Metric], bounded: Collection[str], values: Mapping[str, float | None]
) -> list[Metric]:
    """The judged margins of a design that are past their limit of safety."""
    known = [each for each in metrics if each.safety_limit is not None and values.get(each.name) is not None]
    judged = judged_margins((each.name for each in known), bounded)
    return [
        each
        for each in known
        if each.name in judged and (value := values[each.name]) is not None and passes_limit(each, value)
    ]


def spread_of(metric: Metric, front: Sequence[FrontDesign]) -> Spread | None:
    """Median and range of a metric over a front; None where no design has it."""
    values = [value for design in front if (value := design.metrics.get(metric.name)) is not None]
    if not values:
        return None
    unsafe = sum(passes_limit(metric, value) for value in values)
    middle = median(np.array(values))
    return Spread(min(values), middle, max(values), len(front), len(front) - len(values), unsafe)


def passes_limit(metric: Metric, value: float) -> bool:
    """True if a design with this value is not safe to build."""
    if metric.safety_limit is None:
        return False
    return value < metric.safety_limit if metric.sense == "maximize" else value > metric.safety_limit


HYPERVOLUME = "hypervolume"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row of the comparison.

    ``values`` maps layouts to numbers in ``unit`` (None where a layout has no feasible design).
    ``winner`` is the best layout, or "" when they tie or are even; ``margin`` is its lead over the next,
    relative to the next's value (None when there is no second or that value is 0, and for hypervolumes,
    whose ratio depends on where the reference point lies). ``error`` is the numerical error of the two
    best values, in ``unit``: when they differ by no more, they are even. None where the model states none.
    """

    name: str
    unit: str
    meaning: str
    better: str
    values: Mapping[str, float | None]
    winner: str
    margin: float | None
    error: float | None = None

    @property
    def even(self) -> bool:
        """True if the two best values differ, and by no more than their numerical error."""
        known = sorted(value for value in self.values.values() if value is not None)
        best = known[-2:] if self.better == "maximize" else known[:2]
        return self.error is not None and self.winner == "" and len(best) > 1 and best[0] != best[1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a comparison shows.

    ``fronts`` are joint over seeds, ``front_objectives`` their objectives ``(n, m)``, minimised;
    ``reference_point`` is in the metrics' own senses, and ``stated``
    says whether the study files give it; ``seed_fronts`` maps a layout to the front of each of its seeds as
    minimised objectives ``(n, m)``, ``seed_hypervolumes`` to their hypervolumes. Where several studies are
    compared, each layout of each stands under the label of its entry, and ``objectives`` are those that all
    studies have. ``shared`` are quantities that several objectives contain, ``not_optimised`` the metrics
    that were computed and not asked for. ``across`` are the decisive conditions in which the studies differ:
    the comparison was asked for all the same, and every figure is marked. ``labels`` are headings for
    objectives whose names are symbols.
    """

    study: str
    entries: tuple[ComparisonEntry, ...]
    objectives: tuple[str, ...]
    units: tuple[str, ...]
    senses: tuple[str, ...]
    fronts: Mapping[str, Sequence[FrontDesign]]
    front_objectives: Mapping[str, FloatArray]
    reference_point: tuple[float, ...]
    stated: bool
    seed_hypervolumes: Mapping[str, Mapping[int, float]]
    seed_fronts: Mapping[str, Mapping[int, FloatArray]]
    seed_tests: tuple[SeedTest, ...]
    criteria: tuple[Criterion, ...]
    shared: tuple[SharedQuantity, ...] = ()
    not_optimised: tuple[NotOptimised, ...] = ()
    across: tuple[Condition, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict[str, str])

    def table(self) -> pd.DataFrame:
        """One row per criterion: unit, the value of each layout, the winner and its relative margin."""
        import pandas as pd  # costs a quarter of a second, and only tables need it

        return pd.DataFrame(
            [
                {
                    "criterion": each.name,
                    "unit": each.unit,
                    "better": each.better,
                    **each.values,
                    "winner": "even" if each.even else each.winner,
                    "margin": each.margin,
                }
                for each in self.criteria
            ]
        )

    def __repr__(self) -> str:
        return f"Comparison of {self.study}\n{self.table().to_string(index=False)}"

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        return self.table().to_html(index=False)


def compare_layouts(store: Store, study: StudyRecord) -> Comparison:
    """Compare all layouts of a study."""
    return compare_studies(store, [study])


def compare_studies(
    store: Store, studies: Sequence[StudyRecord], *, across_conditions: bool = False
) -> Comparison:
    """Compare all layouts of one or several studies in the objectives that they have in common.

    Raises ``InputError`` when they have none, and ``ConditionsDifferError`` when they have other loads,
    limits, resolutions or versions of the model, unless ``across_conditions`` is true: see
    :mod:`studies.comparison.conditions`.
    """
    goals = common_goals(studies)
    entries = comparison_entries(studies, goals)
    across = _across(store, entries) if len(studies) > 1 else ()
    if not across_conditions:
        check_comparable(across)
    names = [goal.name for goal in goals]
    signs = np.array([goal.sign for goal in goals])
    joint = {entry.label: front_of(store, entry) for entry in entries}
    arrays = {label: objectives_of(designs, len(goals)) for label, designs in joint.items()}
    everything = np.concatenate(list(arrays.values()))
    stated = _stated_point(studies, goals)
    reference = _default_point(everything) if stated is None else stated
    by_front = _front_criteria(arrays, reference, _scale(everything))
    by_objective = objective_criteria(arrays, _errors(entries, joint, goals), goals)
    by_seed = {entry.label: seed_fronts(store, entry) for entry in entries}
    return Comparison(
        study=", ".join(study.name for study in studies),
        entries=tuple(entries),
        objectives=tuple(names),
        units=tuple(goal.unit for goal in goals),
        senses=tuple(goal.sense for goal in goals),
        fronts=joint,
        front_objectives=arrays,
        reference_point=tuple((reference * signs).tolist()),
        stated=stated is not None,
        seed_hypervolumes={label: _volumes(own, reference) for label, own in by_seed.items()},
        seed_fronts=by_seed,
        seed_tests=seed_tests(by_seed, goals, reference),
        criteria=(*by_front, *by_objective),
        shared=_shared(entries, names),
        not_optimised=not_optimised(entries, joint, names),
        across=across,
        labels=_labels(entries[0], names),
    )


def _default_point(everything: FloatArray) -> FloatArray:
    """The point of hypervolumes where no study states one: beyond the worst of all designs ``(n, m)``."""
    return beyond_worst(everything) if len(everything) else np.zeros(everything.shape[1])


def _labels(entry: ComparisonEntry, names: Sequence[str]) -> dict[str, str]:
    model = _model(entry.study)
    return {name: label for name in names if (label := model.metric(name).label)}


def _across(store: Store, entries: Sequence[ComparisonEntry]) -> tuple[Condition, ...]:
    """The conditions that differ so that a lead may come from them."""
    found = conditions_of(read_setups(store, entries))
    return tuple(condition for condition in found if condition.decisive)


def _shared(entries: Sequence[ComparisonEntry], names: Sequence[str]) -> tuple[SharedQuantity, ...]:
    """Quantities that several objectives contain by any of the models."""
    models = [_model(study) for study in {entry.study.name: entry.study for entry in entries}.values()]
    return tuple(dict.fromkeys(each for model in models for each in shared_quantities(model, names)))


def _model(study: StudyRecord) -> Model:
    return study_model(definition_of(study))


def _errors(
    entries: Sequence[ComparisonEntry], fronts: Mapping[str, Sequence[FrontDesign]], goals: Sequence[Goal]
) -> dict[str, dict[str, FloatArray]]:
    """The numerical error of each design in each objective whose model states one, by objective and label."""
    found: dict[str, dict[str, FloatArray]] = {goal.name: {} for goal in goals}
    for entry in entries:
        model = _model(entry.study)
        for goal in goals:
            error = model.metric(goal.name).error
            if error:
                values = [abs(design.metrics.get(error) or 0.0) for design in fronts[entry.label]]
                found[goal.name][entry.label] = np.array(values, dtype=np.float64)
    return found


def _volumes(fronts: Mapping[int, FloatArray], reference: FloatArray) -> dict[int, float]:
    """The hypervolume of each seed's own front."""
    return {seed: hypervolume(front, reference) for seed, front in fronts.items()}


def _stated_point(studies: Sequence[StudyRecord], goals: Sequence[Goal]) -> FloatArray | None:
    """The reference point that every study file gives, minimised; None where they differ or one has none."""
    found: list[FloatArray] = []
    for study in studies:
        stated = definition_of(study).indicators.reference_point
        if stated is None:
            return None
        values = [to_si(stated[goal.name], goal.unit, (goal.name,)) * goal.sign for goal in goals]
        found.append(np.array(values, dtype=np.float64))
    return found[0] if all(np.array_equal(point, found[0]) for point in found) else None


def _scale(everything: FloatArray) -> FloatArray:
    """The joint range per objective, 1 where it is 0."""
    if len(everything) == 0:
        return np.ones(everything.shape[1])
    span = extent(everything)
    return np.where(span > 0, span, 1.0)


def _front_criteria(
    arrays: Mapping[str, FloatArray], reference: FloatArray, scale: FloatArray
) -> list[Criterion]:
    volumes = {layout: hypervolume(front, reference) for layout, front in arrays.items()}
    errors = {
        layout: error
        for layout, front in arrays.items()
        if (error := hypervolume_error(front, reference, volumes[layout]))
    }
    sizes = {layout: float(len(front)) for layout, front in arrays.items()}
    rows = [
        criterion_of(
            HYPERVOLUME,
            "",
            "volume that the front dominates, up to one common point",
            "maximize",
            volumes,
            errors,
        ),
        criterion_of("front size", "1", "designs that no other design dominates", "none", sizes),
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
    improve = "amount, as a share of the joint range, by which this front must improve to match the others"
    return [
        *rows,
        criterion_of("coverage", "1", dominates, "maximize", covers),
        criterion_of("additive epsilon", "1", improve, "minimize", epsilons),
    ]


def objective_criteria(
    arrays: Mapping[str, FloatArray], errors: Mapping[str, Mapping[str, FloatArray]], goals: Sequence[Goal]
) -> list[Criterion]:
    """Best and median of each objective, from fronts ``(n, m)``, minimised, and their errors ``(n,)``."""
    rows: list[Criterion] = []
    for column, goal in enumerate(goals):
        own = errors[goal.name]
        fronts = {label: front[:, column] for label, front in arrays.items()}
        best = {label: int(np.argmin(front)) for label, front in fronts.items() if len(front)}
        of_best = {label: float(own[label][place]) for label, place in best.items() if label in own}
        of_median = {label: median(own[label]) for label in best if label in own}
        for label, pick, error in (("best", np.min, of_best), ("median", median, of_median)):
            values = {
                layout: float(pick(front) * goal.sign) if len(front) else None
                for layout, front in fronts.items()
            }
            name = f"{label} {goal.name}"
            rows.append(criterion_of(name, goal.unit, f"{name} on the front", goal.sense, values, error))
    return rows


def criterion_of(
    name: str,
    unit: str,
    meaning: str,
    better: str,
    values: Mapping[str, float | None],
    errors: Mapping[str, float] | None = None,
) -> Criterion:
    """A row of the comparison: who is best, unless the two best differ by no more than their errors."""
    known = {layout: value for layout, value in values.items() if value is not None}
    ranked = sorted(known.items(), key=lambda item: item[1], reverse=better == "maximize")
    if better == "none" or len(ranked) < 2:
        only = ranked[0][0] if better != "none" and len(ranked) == 1 and len(values) > 1 else ""
        return Criterion(name, unit, meaning, better, dict(values), only, None)
    (winner, best), (next_one, second) = ranked[0], ranked[1]
    error = (
        max((errors[label] for label in (winner, next_one) if label in errors), default=None)
        if errors
        else None
    )
    if abs(best - second) <= (error or 0.0):
        return Criterion(name, unit, meaning, better, dict(values), "", None, error)
    margin = abs(best - second) / abs(second) if second and name != HYPERVOLUME else None
    margin = margin if margin is not None and math.isfinite(margin) else None
    return Criterion(name, unit, meaning, better, dict(values), winner, margin, error)
