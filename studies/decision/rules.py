"""Rules that order the designs of a front. Objectives ``(n, m)`` are minimised, rows nondominated.

Every rule works on objectives scaled to the range of the designs that it gets: 0 is the best value among
them, 1 the worst. So a rule does not depend on units, and its order changes with the designs that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from models.metrics import Sense
from studies.decision_records import DecisionRule
from studies.results.front_picks import bulge, scaled
from studies.search.base import untouched_warnings
from studies.search.indicators import GREATEST, FloatArray

AUGMENTATION = 1e-4
"""Share of the sum of all distances in an achievement; it decides between designs of equal worst distance."""

LEAST_WEIGHT = 1e-6
"""Weight that stands for zero in an achievement, which divides by weights."""

MOST_WITH_NEIGHBOURS = 10_000
"""Designs that are compared with all their neighbours: 2 s for these, and 49 s for 40 000."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A decision rule.

    Attributes
    ----------
    label : str
        Its name in words.
    score : str
        What its score is.
    better : str
        Whether a greater score is better (``maximize``) or a smaller one.
    source : str
        Where it is from.
    weighs, aspires : bool
        Whether it uses weights and aspiration levels.
    scores : callable
        Takes scaled objectives (n, m), weights (m,) that sum to 1 and scaled aspiration levels (m,), and
        returns a score for each design (n,).
    most : int or None
        How many designs it takes; any number if None.
    """

    label: str
    score: str
    better: Sense
    source: str
    weighs: bool
    aspires: bool
    scores: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    most: int | None = None


def scores(rule: DecisionRule, front: FloatArray, weights: FloatArray, aspirations: FloatArray) -> FloatArray:
    """The score of each design of a front by a rule of :data:`RULES`, finite.

    Parameters
    ----------
    front : (n, m) float
        Minimised objectives of at least one design.
    weights : (m,) float
        At least 0, and not all 0.
    aspirations : (m,) float
        Levels of the minimised objectives; NaN means the best of the designs.
    """
    shares = weights / weights.max()
    levels = _scaled_levels(front, aspirations)
    found = RULES[rule].scores(scaled(front), shares / shares.sum(), levels)
    return np.clip(np.nan_to_num(found, nan=0.0), -GREATEST, GREATEST)


def _scaled_levels(front: FloatArray, aspirations: FloatArray) -> FloatArray:
    half = 0.5 * front  # the difference of two great numbers is finite then
    lowest, span = half.min(axis=0), np.ptp(half, axis=0)
    with np.errstate(over="ignore"):
        levels = (0.5 * aspirations - lowest) / np.where(span > 0, span, 1.0)
    return np.clip(np.nan_to_num(levels, nan=0.0), -1e100, 1e100)


def topsis(front: FloatArray, weights: FloatArray, _: FloatArray) -> FloatArray:
    """Closeness to the best point, 0 to 1 (Hwang and Yoon 1981).

    A design that is best in everything has 1, one that is worst in everything 0. Columns are scaled to their
    range, where the book divides them by their norm: that would depend on where a quantity has its zero.
    """
    weighted = front * weights
    to_best = np.linalg.norm(weighted, axis=1)
    to_worst = np.linalg.norm(weighted - weights, axis=1)
    return to_worst / (to_best + to_worst)


def achievement(front: FloatArray, weights: FloatArray, aspirations: FloatArray) -> FloatArray:
    """Weighted distance of the worst objective from its aspiration level (Wierzbicki 1980).

    A design that reaches all levels has a score of 0 or less.
    """
    from pymoo.decomposition.aasf import AASF

    divisors = 1.0 / np.maximum(weights, LEAST_WEIGHT)
    function = AASF(eps=0.0, rho=AUGMENTATION)
    return function.do(front, divisors, _type="many_to_one", utopian_point=aspirations)


def pseudo_weights(front: FloatArray, weights: FloatArray, _: FloatArray) -> FloatArray:
    """Distance of a design's pseudo-weights from the wanted weights, 0 to 2 (Deb 2001).

    The pseudo-weight of an objective is how far the design is from the worst value, as a share of that of all
    objectives: where on the front it lies.
    """
    zero, one = np.zeros(len(weights)), np.ones(len(weights))
    method = _pymoo().PseudoWeights(weights, ideal=zero, nadir=one)
    _, found = method.do(front, return_pseudo_weights=True)
    return np.abs(found - weights).sum(axis=1)


def high_tradeoff(front: FloatArray, _: FloatArray, __: FloatArray) -> FloatArray:
    """Least loss per gain on the way from a design to its neighbours (Rachmawati and Srinivasan 2009).

    A design of 3 loses at least three times as much in some objectives as it gains in others. Neighbours are
    those of pymoo's ``HighTradeoffPoints``, which names the outstanding ones alone.
    """
    if len(front) < 2 or front.shape[1] < 2:
        return np.zeros(len(front))
    finder = _pymoo().NeighborFinder(front, epsilon=0.125, n_min_neigbors="auto", consider_2d=False)
    return np.array([_least_cost(front[finder.find(row)] - front[row]) for row in range(len(front))])


@cache
def _pymoo() -> Any:
    """Functions of pymoo for decisions. It imports a name that scipy has moved, and scipy warns of it."""
    with untouched_warnings():
        from pymoo.core.decision_making import NeighborFinder
        from pymoo.mcdm.pseudo_weights import PseudoWeights

    return SimpleNamespace(NeighborFinder=NeighborFinder, PseudoWeights=PseudoWeights)


def _least_cost(differences: FloatArray) -> float:
    gain = np.maximum(0.0, -differences).sum(axis=1)
    cost = np.maximum(0.0, differences).sum(axis=1)
    gains = gain > 0.0
    return float((cost[gains] / gain[gains]).min()) if gains.any() else 0.0


def _bulge(front: FloatArray, _: FloatArray, __: FloatArray) -> FloatArray:
    return bulge(front)


RULES: Mapping[str, Rule] = {
    "topsis": Rule(
        "TOPSIS", "closeness to the best point, 0 to 1", "maximize",
        "Hwang, Yoon, Multiple Attribute Decision Making, Springer 1981", True, False, topsis,
    ),
    "achievement": Rule(
        "Achievement scalarising",
        "weighted distance of the worst objective from its level; 0 or less reaches all", "minimize",
        "Wierzbicki, in: Multiple Criteria Decision Making Theory and Application, Springer 1980", True, True,
        achievement,
    ),
    "pseudo-weights": Rule(
        "Pseudo-weights", "distance from the wanted weights, 0 to 2", "minimize",
        "Deb, Multi-Objective Optimization using Evolutionary Algorithms, Wiley 2001", True, False,
        pseudo_weights,
    ),
    "knee": Rule(
        "Knee", "distance below the plane through the ends of the front", "maximize",
        "Das, Structural Optimization 18(2-3) 1999", False, False, _bulge,
    ),
    "high-tradeoff": Rule(
        "High trade-off", "least loss per gain at its neighbours", "maximize",
        "Rachmawati, Srinivasan, IEEE Trans. Evol. Comput. 13(4) 2009", False, False, high_tradeoff,
        MOST_WITH_NEIGHBOURS,
    ),
}  # fmt: skip
"""The rules by name; ``judgement`` is none of them, because it orders nothing."""
