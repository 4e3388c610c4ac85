"""Measures of fronts. Objectives ``(n, m)`` are minimised throughout."""

from __future__ import annotations

import moocore
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

MARGIN = 0.1
"""A reference point stands this share of the range beyond the worst values."""


def nondominated(objectives: FloatArray) -> BoolArray:
    """Which rows no other row dominates; rows with equal values stand together."""
    if len(objectives) == 0:
        return np.zeros(0, dtype=bool)
    if objectives.shape[1] == 1:
        return objectives[:, 0] == objectives[:, 0].min()
    return np.asarray(moocore.is_nondominated(objectives, keep_weakly=True), dtype=bool)


def beyond_worst(objectives: FloatArray) -> FloatArray:
    """A reference point: the worst of each column plus a tenth of its range."""
    worst, best = objectives.max(axis=0), objectives.min(axis=0)
    span = worst - best
    flat = np.where(worst == 0.0, 1.0, np.abs(worst))
    return worst + MARGIN * np.where(span > 0.0, span, flat)


def hypervolume(objectives: FloatArray, reference: FloatArray) -> float:
    """Volume between the front and the reference point (Zitzler and Thiele 1998)."""
    if len(objectives) == 0:
        return 0.0
    if objectives.shape[1] == 1:
        return float(max(reference[0] - objectives[:, 0].min(), 0.0))
    return float(moocore.hypervolume(objectives, ref=reference))


def coverage(front: FloatArray, other: FloatArray) -> float:
    """Share of ``other`` that some member of ``front`` weakly dominates (C metric)."""
    if len(other) == 0 or len(front) == 0:
        return 0.0
    no_worse = (front[:, None, :] <= other[None, :, :]).all(axis=2)
    return float(no_worse.any(axis=0).mean())


def additive_epsilon(front: FloatArray, other: FloatArray) -> float:
    """Least amount by which ``front`` must be improved everywhere to weakly dominate ``other``."""
    return float(moocore.epsilon_additive(front, ref=other))


class Archive:
    """The front of everything told so far; it never loses a design that nothing dominates.

    Members are known by the number under which they were asked for.
    """

    def __init__(self, n_objectives: int) -> None:
        self._objectives = np.empty((0, n_objectives))
        self._asked = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def objectives(self) -> FloatArray:
        """The members' objectives ``(n, m)``."""
        return self._objectives

    def add(self, objectives: FloatArray, asked: NDArray[np.int64]) -> tuple[list[int], list[int]]:
        """Offer feasible designs; which ask numbers entered the front, and which left it."""
        candidates = np.concatenate([self._objectives, objectives])
        numbers = np.concatenate([self._asked, asked])
        keep = nondominated(candidates)
        old = len(self._asked)
        entered, left = numbers[old:][keep[old:]], numbers[:old][~keep[:old]]
        self._objectives, self._asked = candidates[keep], numbers[keep]
        return entered.tolist(), left.tolist()
