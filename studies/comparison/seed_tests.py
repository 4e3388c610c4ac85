"""Tests of differences between the seeds of two layouts: a rank test for each indicator of a front."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Protocol, TypeVar

import numpy as np

from studies.comparison.entries import Goal
from studies.search.dominance import nondominated
from studies.search.indicators import FloatArray, additive_epsilon, hypervolume, igd_plus, median

ALPHA = 0.05
"""Chance of one wrong difference or more among all that a comparison shows."""
POWER = 0.8
CONFIDENCE = 0.95
RESAMPLES = 9999
MOST_SEEDS = 1000
_EXACT_WITH_TIES = 8
"""Seeds of a layout up to which all ways to divide them are counted, where some are equal."""


@dataclass(frozen=True, slots=True)
class SeedTest:
    """An indicator of the fronts of two layouts, one value per seed.

    Attributes
    ----------
    indicator, unit, better : str
        What is measured of each front, and whether more or less of it is better.
    first, second : str
        The layouts; ``first`` has the better median, or where these are equal the better ranks.
    seeds : tuple of int
        How many each has.
    medians : tuple of float or None
        In ``unit``; None where half the seeds of a layout or more found nothing feasible.
    interval : tuple of float or None
        Of the difference of the medians, first less second: ends of the bootstrap interval of 95 %.
    effect : float
        Chance that a seed of ``first`` is better than one of ``second``, equal ones half (Vargha and Delaney,
        J. Educ. Behav. Stat. 25(2) 2000): 0.5 is no difference, 1 is a complete one.
    p_value : float
        Of the two-sided test of Mann and Whitney, corrected by Holm's method for all tests of the comparison.
    winner : str
        ``first`` if the difference is shown: ``p_value`` is up to 0.05, and median and ranks (``effect``) say
        the same. Else empty: no difference shown.
    seeds_needed : int or None
        About how many seeds per layout would show it, if the difference stays as it is; None where it is
        shown, where median and ranks disagree, or more than 1000.
    """

    indicator: str
    unit: str
    better: str
    first: str
    second: str
    seeds: tuple[int, int]
    medians: tuple[float | None, float | None]
    interval: tuple[float, float] | None
    effect: float
    p_value: float
    winner: str = ""
    seeds_needed: int | None = None

    @property
    def contradictory(self) -> bool:
        """True if the layouts differ, but one has the better median and the other the better ranks."""
        return not self.winner and self.p_value <= ALPHA


def seed_tests(
    fronts: Mapping[str, Mapping[int, FloatArray]], goals: Sequence[Goal], reference: FloatArray
) -> tuple[SeedTest, ...]:
    """Every indicator between every two layouts that have two seeds or more.

    Parameters
    ----------
    fronts : mapping of str to mapping of int to (n, m) array
        The front of each seed of each layout, as minimised objectives.
    goals : sequence of Goal
        The objectives.
    reference : (m,) array
        The reference point of hypervolumes, minimised.
    """
    several = {label: list(by_seed.values()) for label, by_seed in fronts.items() if len(by_seed) > 1}
    everything = [front for own in several.values() for front in own if len(front)]
    if len(several) < 2 or not everything:
        return ()
    found = [
        _tested(indicator, values, one, other)
        for indicator, values in _indicators(several, np.concatenate(everything), goals, reference)
        for one, other in combinations(several, 2)
    ]
    return _corrected(found)


class _Pair(Protocol):
    """An indicator between two layouts."""

    @property
    def indicator(self) -> str: ...
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...


P = TypeVar("P", bound=_Pair)


def leading_tests(tests: Sequence[P]) -> list[P]:
    """Tests of the layout with the best median against the others, for each indicator."""
    found: list[P] = []
    for indicator in dict.fromkeys(test.indicator for test in tests):
        own = [test for test in tests if test.indicator == indicator]
        behind = {test.second for test in own}
        first = next((test.first for test in own if test.first not in behind), own[0].first)
        found += [test for test in own if test.first == first]
    return found


@dataclass(frozen=True, slots=True)
class _Indicator:
    name: str
    unit: str
    better: str

    @property
    def sign(self) -> float:
        return 1.0 if self.better == "minimize" else -1.0


Values = Mapping[str, FloatArray]
"""Values of an indicator by layout, minimised, one per seed; infinite where a seed found nothing feasible."""


def _indicators(
    fronts: Mapping[str, Sequence[FloatArray]],
    everything: FloatArray,
    goals: Sequence[Goal],
    reference: FloatArray,
) -> list[tuple[_Indicator, Values]]:
    found: list[tuple[_Indicator, Values]] = []
    if len(goals) > 1:
        least, most = everything.min(axis=0), everything.max(axis=0)
        with np.errstate(over="ignore"):
            span = np.where(most > least, np.minimum(most - least, np.finfo(np.float64).max), 1.0)
        joint = (everything[nondominated(everything)] - least) / span

        def distance(front: FloatArray) -> float:
            return igd_plus((front - least) / span, joint)

        def epsilon(front: FloatArray) -> float:
            return additive_epsilon((front - least) / span, joint)

        def volume(front: FloatArray) -> float:
            return -hypervolume(front, reference)

        found += [
            (_Indicator("hypervolume", "", "maximize"), _each(fronts, volume)),
            (_Indicator("IGD+", "1", "minimize"), _each(fronts, distance)),
            (_Indicator("additive epsilon", "1", "minimize"), _each(fronts, epsilon)),
        ]
    for column, goal in enumerate(goals):
        best = _each({label: [front[:, [column]] for front in own] for label, own in fronts.items()}, np.min)
        found.append((_Indicator(f"best {goal.name}", goal.unit, goal.sense), best))
    return found


def _each(fronts: Mapping[str, Sequence[FloatArray]], measure: Callable[[FloatArray], float]) -> Values:
    return {
        label: np.array([measure(front) if len(front) else math.inf for front in own])
        for label, own in fronts.items()
    }


def _tested(indicator: _Indicator, values: Values, one: str, other: str) -> SeedTest:
    medians = np.median(values[one]), np.median(values[other])
    if medians[1] < medians[0] or (medians[1] == medians[0] and _effect(values[one], values[other]) < 0.5):
        one, other = other, one
    x, y = values[one], values[other]
    return SeedTest(
        indicator.name,
        indicator.unit,
        indicator.better,
        one,
        other,
        (len(x), len(y)),
        (_median(x, indicator.sign), _median(y, indicator.sign)),
        _interval(indicator.sign * x, indicator.sign * y),
        _effect(x, y),
        _mann_whitney(x, y),
    )


def _effect(x: FloatArray, y: FloatArray) -> float:
    """Chance that one of ``x`` is less than one of ``y``, equal ones half."""
    less, even = (x[:, None] < y).sum(), (x[:, None] == y).sum()
    return float((less + 0.5 * even) / (len(x) * len(y)))


def _median(values: FloatArray, sign: float) -> float | None:
    found = median(values)
    return sign * found if math.isfinite(found) else None


def _interval(x: FloatArray, y: FloatArray) -> tuple[float, float] | None:
    """Percentiles of the difference of medians over resampled seeds; None unless all are finite."""
    from scipy import stats  # takes half a second to load

    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return None

    def difference(a: FloatArray, b: FloatArray, axis: int) -> FloatArray:
        return 2.0 * (np.median(0.5 * a, axis=axis) - np.median(0.5 * b, axis=axis))

    with np.errstate(over="ignore", invalid="ignore"):
        found = stats.bootstrap(
            (x, y), difference, n_resamples=RESAMPLES, vectorized=True, confidence_level=CONFIDENCE,
            method="percentile", rng=np.random.default_rng(0),
        ).confidence_interval  # fmt: skip
    low, high = float(found.low), float(found.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _mann_whitney(x: FloatArray, y: FloatArray) -> float:
    """The p-value: exact for few seeds, by the normal distribution for many."""
    from scipy import stats  # takes half a second to load

    ranks = stats.rankdata(np.concatenate([x, y]))  # infinite values have ranks, too
    a, b = ranks[: len(x)], ranks[len(x) :]
    if np.all(ranks == ranks[0]):
        return 1.0
    ties = len(np.unique(ranks)) < len(ranks)
    count_all = ties and max(len(a), len(b)) <= _EXACT_WITH_TIES
    counted: Any = stats.PermutationMethod(n_resamples=10**5, rng=np.random.default_rng(0))
    method: Any = counted if count_all else "auto"
    return float(min(stats.mannwhitneyu(a, b, method=method).pvalue, 1.0))


def _corrected(tests: Sequence[SeedTest]) -> tuple[SeedTest, ...]:
    corrected = _holm([test.p_value for test in tests])
    return tuple(_judged(test, p, len(tests)) for test, p in zip(tests, corrected, strict=True))


def _holm(p_values: Sequence[float]) -> list[float]:
    """Holm's method: the least p-value times their number, the next times one fewer, never falling."""
    corrected, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected


def leaders(indicators: Mapping[str, Values]) -> dict[str, tuple[str, float]]:
    """Layout with the best median of each indicator, and its greatest p-value against the others.

    Parameters
    ----------
    indicators : mapping of str to mapping of str to (n,) array
        By name and layout, minimised, one value per seed; infinite where a seed has none.

    Returns
    -------
    mapping of str to tuple of str and float
        The layout, empty where the two best medians are equal, and the greatest of its p-values against the
        others, of Mann and Whitney's test corrected by Holm's method for all pairs of all indicators; 1 where
        the ranks do not say what the medians say.
        Without what fewer than two layouts with two seeds each have.
    """
    pairs = [
        (name, one, other)
        for name, values in indicators.items()
        for one, other in combinations([label for label, own in values.items() if len(own) > 1], 2)
    ]
    samples = [(indicators[name][one], indicators[name][other]) for name, one, other in pairs]
    p_values = _holm([_mann_whitney(x, y) for x, y in samples])
    found: dict[str, tuple[str, float]] = {}
    for name in dict.fromkeys(name for name, _, _ in pairs):
        own = [(pair[1:], p) for pair, p in zip(pairs, p_values, strict=True) if pair[0] == name]
        medians = {label: float(np.median(indicators[name][label])) for pair, _ in own for label in pair}
        best = [label for label, value in medians.items() if value == min(medians.values())]
        leader = best[0] if len(best) == 1 else ""
        against = [(p, other) for pair, p in own if leader in pair for other in pair if other != leader]
        ahead = all(_effect(indicators[name][leader], indicators[name][other]) > 0.5 for _, other in against)
        found[name] = (leader, max((p for p, _ in against), default=1.0) if ahead else 1.0)
    return found


def _judged(test: SeedTest, p_value: float, tests: int) -> SeedTest:
    if p_value <= ALPHA and test.effect > 0.5:
        return replace(test, p_value=p_value, winner=test.first)
    return replace(test, p_value=p_value, seeds_needed=_seeds_needed(test.effect, tests))


def _seeds_needed(effect: float, tests: int) -> int | None:
    """Seeds per layout that show an effect with a chance of 80 % among so many tests.

    Noether, J. Am. Stat. Assoc. 82(398) 1987, and no fewer than with which a complete difference is shown.
    """
    from scipy import stats  # takes half a second to load

    if effect <= 0.5:
        return None
    z = stats.norm.ppf(1.0 - 0.5 * ALPHA / tests) + stats.norm.ppf(POWER)
    wanted = z**2 / (6.0 * (effect - 0.5) ** 2)
    if wanted > MOST_SEEDS:
        return None
    least = least_seeds_of(tests)
    return least if effect == 1.0 else max(least, math.ceil(wanted))


def least_seeds(layouts: int, objectives: int) -> int:
    """The fewest seeds per layout with which even a complete difference between two layouts is shown."""
    indicators = objectives + (3 if objectives > 1 else 0)
    return least_seeds_of(indicators * math.comb(layouts, 2))


def least_seeds_of(tests: int) -> int:
    """The same for so many tests."""
    return next(n for n in range(2, MOST_SEEDS) if 2.0 / math.comb(2 * n, n) <= ALPHA / tests)
