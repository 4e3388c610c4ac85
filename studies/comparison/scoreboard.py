"""Leads of layouts in each objective, how sure, at what price in safety, and along a trade-off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from models.metrics import Metric
from models.parameters import to_si
from studies.comparison.comparison import Comparison, Criterion, Spread, judged_margins, spread_of
from studies.comparison.entries import ComparisonEntry
from studies.comparison.seed_tests import SeedTest, least_seeds
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.definition.study_definition import StudyDefinition
from studies.records import Confidence, FrontDesign
from studies.results.front_picks import knee
from studies.search.indicators import FloatArray


@dataclass(frozen=True, slots=True)
class ObjectiveScore:
    """One objective: who leads, by how much, and how sure that is.

    Attributes
    ----------
    objective, unit, better, label, meaning : str
        The metric, its sense, and how it is called in headings.
    best, medians : mapping of str to float or None
        Over the front of each layout, in ``unit``; None without a front.
    errors : mapping of str to float
        Numerical error of each layout's best value, in ``unit``; empty where the model states none.
    leader, second : str
        The layouts with the two best values; ``leader`` is empty where these are even.
    margin : float or None
        The lead over the second, relative to its value.
    confidence : str
        See :data:`studies.records.Confidence`.
    seeds : tuple of int
        Of the two, or of all that have a front where nobody leads.
    test : SeedTest or None
        The rank test between the two; None where one has a single seed.
    seeds_needed : int or None
        About how many seeds per layout would settle the lead; None where it is, or none would.
    """

    objective: str
    unit: str
    better: str
    label: str
    meaning: str
    best: Mapping[str, float | None]
    errors: Mapping[str, float]
    medians: Mapping[str, float | None]
    leader: str
    second: str
    margin: float | None
    confidence: Confidence
    seeds: tuple[int, ...]
    test: SeedTest | None
    seeds_needed: int | None


@dataclass(frozen=True, slots=True)
class SafetyScore:
    """A margin of safety over the fronts: a metric with a safety limit, or one that the studies bound.

    ``limit`` is the bound that all studies state, else the model's safety limit. ``leader`` has the best
    median, or is empty where medians are equal or one front lacks the metric.
    """

    metric: str
    unit: str
    better: str
    label: str
    meaning: str
    limit: float | None
    spreads: Mapping[str, Spread | None]
    leader: str

    @property
    def unsafe(self) -> bool:
        """True if a design on a front is beyond the model's limit of safety."""
        return any(spread is not None and spread.unsafe for spread in self.spreads.values())


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All objectives, and margins of safety with those first that designs violate or that studies bound."""

    objectives: tuple[ObjectiveScore, ...]
    safety: tuple[SafetyScore, ...]

    @property
    def leads(self) -> dict[str, list[ObjectiveScore]]:
        """The objectives in which each layout leads, most first; those without a leader stand under ""."""
        found: dict[str, list[ObjectiveScore]] = {}
        for score in self.objectives:
            found.setdefault(score.leader, []).append(score)
        return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def scoreboard(comparison: Comparison) -> Scoreboard:
    """The scores of a comparison."""
    return Scoreboard(
        tuple(_objective(comparison, column) for column in range(len(comparison.objectives))),
        _safety(comparison),
    )


def knee_designs(comparison: Comparison) -> dict[str, FrontDesign]:
    """The knee of each front, or its best design where there is one objective."""
    return {
        label: front[knee(comparison.front_objectives[label])]
        for label, front in comparison.fronts.items()
        if front
    }


# ---------------------------------------------------------------- objectives


def _objective(comparison: Comparison, column: int) -> ObjectiveScore:
    name = comparison.objectives[column]
    criteria = {criterion.name: criterion for criterion in comparison.criteria}
    best, median = criteria[f"best {name}"], criteria[f"median {name}"]
    metric = _metric(comparison.entries[0], name)
    ranked = _ranked(best)
    pair = ranked[:2] if best.winner else ranked
    test = _test(comparison, name, pair) if best.winner else None
    return ObjectiveScore(
        objective=name,
        unit=best.unit,
        better=best.better,
        label=metric.label,
        meaning=metric.meaning,
        best=best.values,
        errors=_errors(comparison, column, metric),
        medians=median.values,
        leader=best.winner,
        second=ranked[1] if best.winner and len(ranked) > 1 else "",
        margin=best.margin,
        confidence=_confidence(best, ranked, test),
        seeds=tuple(len(comparison.seed_fronts[label]) for label in pair),
        test=test,
        seeds_needed=_seeds_needed(comparison, best, ranked, test),
    )


def _errors(comparison: Comparison, column: int, metric: Metric) -> dict[str, float]:
    """The numerical error of each layout's best value; none where the model states none."""
    found: dict[str, float] = {}
    for label, front in comparison.fronts.items():
        best = min(front, key=lambda design: design.objectives[column], default=None)
        error = best.metrics.get(metric.error) if best else None
        if error is not None:
            found[label] = abs(error)
    return found


def _metric(entry: ComparisonEntry, name: str) -> Metric:
    return study_model(definition_of(entry.study)).metric(name)


def _ranked(criterion: Criterion) -> list[str]:
    """The layouts that have a value, best first."""
    known = {label: value for label, value in criterion.values.items() if value is not None}
    return sorted(known, key=lambda label: known[label], reverse=criterion.better == "maximize")


def _test(comparison: Comparison, name: str, pair: Sequence[str]) -> SeedTest | None:
    return next(
        (
            test
            for test in comparison.seed_tests
            if test.indicator == f"best {name}" and {test.first, test.second} == set(pair)
        ),
        None,
    )


def _confidence(best: Criterion, ranked: Sequence[str], test: SeedTest | None) -> Confidence:
    if len(ranked) < 2:
        return "alone"
    if not best.winner:
        return "even"
    if test is None:
        return "too few seeds"
    if not test.winner:
        return "no difference shown"
    return "shown" if test.winner == best.winner else "contradicted"


def _seeds_needed(
    comparison: Comparison, best: Criterion, ranked: Sequence[str], test: SeedTest | None
) -> int | None:
    """Seeds that the test names; without a test, the fewest with which a complete difference is shown."""
    if len(ranked) < 2 or not best.winner:
        return None
    if test is not None:
        return test.seeds_needed
    return least_seeds(len(comparison.fronts), len(comparison.objectives))


# ---------------------------------------------------------------- safety

Bounds = tuple[float | None, float | None]


def _safety(comparison: Comparison) -> tuple[SafetyScore, ...]:
    bounds = _bounds(comparison.entries)
    filled = [label for label, front in comparison.fronts.items() if front]
    found: dict[str, SafetyScore] = {}
    for metric in _metrics(comparison.entries):
        limit = _limit(metric, bounds)
        if metric.name in found or (limit is None and metric.safety_limit is None):
            continue
        spreads = {label: spread_of(metric, front) for label, front in comparison.fronts.items()}
        if any(spreads.values()):
            found[metric.name] = SafetyScore(
                metric.name, metric.unit, metric.sense, metric.label, metric.meaning,
                metric.safety_limit if limit is None else limit, spreads,
                _leader(metric, [spreads[label] for label in filled], filled),
            )  # fmt: skip
    judged = judged_margins(found, bounds)
    shown = [score for name, score in found.items() if name in bounds or name in judged]
    return tuple(sorted(shown, key=lambda score: (not score.unsafe, score.metric not in bounds)))


def _metrics(entries: Sequence[ComparisonEntry]) -> Iterator[Metric]:
    for definition in _definitions(entries):
        yield from study_model(definition).metrics


def _definitions(entries: Sequence[ComparisonEntry]) -> list[StudyDefinition]:
    studies = {entry.study.name: entry.study for entry in entries}.values()
    return [definition_of(study) for study in studies]


def _bounds(entries: Sequence[ComparisonEntry]) -> dict[str, Bounds]:
    """Bounds that all studies state alike, by metric, in SI."""
    stated: list[dict[str, Bounds]] = []
    for definition in _definitions(entries):
        units = {metric.name: metric.unit for metric in study_model(definition).metrics}
        stated.append({
            name: (_si(bound.lower, units[name]), _si(bound.upper, units[name]))
            for name, bound in definition.constraints.items()
            if name in units
        })  # fmt: skip
    first, *others = stated
    return {
        name: bounds for name, bounds in first.items() if all(other.get(name) == bounds for other in others)
    }


def _si(value: Any, unit: str) -> float | None:
    return None if value is None else to_si(value, unit, ())


def _limit(metric: Metric, bounds: Mapping[str, Bounds]) -> float | None:
    """The bound on the side on which the metric gets worse."""
    lower, upper = bounds.get(metric.name, (None, None))
    return lower if metric.sense == "maximize" else upper


def _leader(metric: Metric, spreads: Sequence[Spread | None], labels: Sequence[str]) -> str:
    """Label of the best median; empty where one of the fronts lacks the metric."""
    medians = {label: each.median for label, each in zip(labels, spreads, strict=True) if each is not None}
    if len(medians) < max(len(labels), 2):
        return ""
    first, second = sorted(medians, key=lambda label: medians[label], reverse=metric.sense == "maximize")[:2]
    return "" if medians[first] == medians[second] else first


class Region(NamedTuple):
    """Levels of the first objective between which one layout reaches the best second objective.

    ``lower`` and ``upper`` are in the minimised objective; ``upper`` is infinite in the last region.
    ``winner`` is empty where several layouts are equal.
    """

    winner: str
    lower: float
    upper: float


def regions(fronts: Mapping[str, FloatArray]) -> list[Region]:
    """Regions of levels of the first objective by the layout with the least second objective.

    Parameters
    ----------
    fronts : mapping of str to (n, 2) array
        The designs of each layout in two minimised objectives.

    Returns
    -------
    list of Region
        From the least level that any design reaches upwards.
    """
    filled = {label: front for label, front in fronts.items() if len(front)}
    if not filled:
        return []
    levels = np.unique(np.concatenate([front[:, 0] for front in filled.values()]))
    best = np.array([_least(front, levels) for front in filled.values()])
    leads = best == best.min(axis=0)
    winners = np.where(leads.sum(axis=0) == 1, leads.argmax(axis=0), len(filled))
    begins = np.flatnonzero(np.diff(winners, prepend=-1))
    names, bounds = [*filled, ""], [*levels[begins].tolist(), np.inf]
    return [
        Region(names[winner], *bounds[number : number + 2])
        for number, winner in enumerate(winners[begins].tolist())
    ]


def _least(front: FloatArray, levels: FloatArray) -> FloatArray:
    """The least second objective of designs whose first is at most each level; infinite without any."""
    order = np.argsort(front[:, 0], kind="stable")
    least = np.concatenate([[np.inf], np.minimum.accumulate(front[order, 1])])
    return least[np.searchsorted(front[order, 0], levels, side="right")]
