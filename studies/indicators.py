"""Measures of fronts. Objectives ``(n, m)`` are minimised throughout."""

from __future__ import annotations

from collections.abc import Sequence

import moocore
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

MARGIN = 0.1
"""A reference point lies this share of the range beyond the worst values."""
EXACT_OBJECTIVES = 4
CHEAP_OBJECTIVES = 3
DIRECTIONS = 2**13
GREATEST = float(np.finfo(np.float64).max)
_FAR = 1e300
"""Products of distances within this need no scaling, with room for the factor of two of each distance."""
QUARTILES = (25, 50, 75)
_BLOCK = 1_000_000
"""Comparisons held at a time."""


def nondominated(objectives: FloatArray) -> BoolArray:
    """Which rows no other row dominates; rows with equal values stand together."""
    if len(objectives) == 0:
        return np.zeros(0, dtype=bool)
    if objectives.shape[1] == 1:
        return objectives[:, 0] == objectives[:, 0].min()
    return np.asarray(moocore.is_nondominated(objectives, keep_weakly=True), dtype=bool)


def beyond_worst(objectives: FloatArray) -> FloatArray:
    """A reference point: the worst of each column plus a tenth of its range."""
    worst, span = objectives.max(axis=0), extent(objectives)
    flat = np.where(worst == 0.0, 1.0, np.abs(worst))
    with np.errstate(over="ignore"):
        return np.clip(worst + MARGIN * np.where(span > 0.0, span, flat), -GREATEST, GREATEST)


def extent(objectives: FloatArray) -> FloatArray:
    """The range of each column, no greater than the greatest float."""
    with np.errstate(over="ignore"):
        return np.minimum(np.ptp(objectives, axis=0), GREATEST)


def median(values: FloatArray) -> float:
    """The median; halved first, so that the mean of two great numbers is finite."""
    return 2.0 * float(np.median(0.5 * values))


def hypervolume(objectives: FloatArray, reference: FloatArray) -> float:
    """Volume between the front and the reference point (Zitzler and Thiele 1998).

    Exact up to four objectives. Beyond, the exact volume would take seconds to hours; it is the mean
    over ``DIRECTIONS`` fixed directions then (Deng and Zhang, IEEE Trans. Evol. Comput. 23(5) 2019),
    right to about one per cent, and like the exact one it never falls when designs come. A volume
    above the greatest float is given as that.
    """
    if len(objectives) == 0:
        return 0.0
    greatest = np.maximum(np.abs(objectives).max(axis=0), np.abs(reference))
    if greatest.max() <= _FAR ** (1.0 / len(reference)):
        return _hypervolume(objectives, reference)
    scale = np.maximum(greatest, 1.0)
    with np.errstate(over="ignore"):
        volume = _hypervolume(objectives / scale, reference / scale)
        return float(min(np.prod([volume, *np.sort(scale)]), GREATEST))


def _hypervolume(objectives: FloatArray, reference: FloatArray) -> float:
    if objectives.shape[1] == 1:
        return float(max(reference[0] - objectives[:, 0].min(), 0.0))
    if objectives.shape[1] <= EXACT_OBJECTIVES:
        return float(moocore.hypervolume(objectives, ref=reference))
    return float(moocore.hv_approx(objectives, ref=reference, nsamples=DIRECTIONS, method="Rphi-FWE+"))


def hypervolume_is_due(evaluated: int, batch: int, members: int, n_objectives: int) -> bool:
    """Whether a run measures its front after ``evaluated`` designs, the last ``batch`` of them new.

    Always up to three objectives, where it costs nothing. With more, a large front is measured once
    per quarter of its own size, so that measuring stays a small part of the search; a generation in
    between keeps the last volume. Depends on counts alone, so that a resumed run does the same.
    """
    step = max(members // 4, 1)
    return n_objectives <= CHEAP_OBJECTIVES or evaluated // step > (evaluated - batch) // step


def coverage(front: FloatArray, other: FloatArray) -> float:
    """Share of ``other`` that some member of ``front`` weakly dominates (C metric)."""
    if len(other) == 0 or len(front) == 0:
        return 0.0
    rows = max(_BLOCK // len(front), 1)
    blocks = [other[start : start + rows] for start in range(0, len(other), rows)]
    covered = sum(int(_no_worse(block, front).any(axis=1).sum()) for block in blocks)
    return covered / len(other)


def additive_epsilon(front: FloatArray, other: FloatArray) -> float:
    """Least amount by which ``front`` must be improved everywhere to weakly dominate ``other``."""
    with np.errstate(over="ignore"):
        return float(np.clip(moocore.epsilon_additive(front, ref=other), -GREATEST, GREATEST))


def igd_plus(front: FloatArray, reference: FloatArray) -> float:
    """Mean distance of ``front`` from a reference front, where it is worse (Ishibuchi et al. 2015)."""
    return float(moocore.igd_plus(front, ref=reference))


def attainment(fronts: Sequence[FloatArray]) -> dict[int, FloatArray]:
    """Lines that a quarter, half and three quarters of the seeds attain (Grunert da Fonseca et al. 2001).

    Parameters
    ----------
    fronts : sequence of (n, 2) array
        The front of each seed in two minimised objectives; an empty one attains nothing.

    Returns
    -------
    dict of int to (k, 2) array
        Corners of the line of each share in per cent, by rising first objective; empty where too few seeds
        attain anything.
    """
    sets = [front[nondominated(front)] for front in fronts]
    if not any(len(front) for front in sets):
        return {share: np.empty((0, 2)) for share in QUARTILES}
    # A seed without a front counts as one whose only design is worse than all others.
    worst = np.concatenate([front for front in sets if len(front)]).max(axis=0)
    beyond = np.nextafter(worst, np.inf)[None, :]
    filled = [front if len(front) else beyond for front in sets]
    numbers = np.concatenate([np.full(len(front), place) for place, front in enumerate(filled)])
    surfaces = moocore.eaf(np.concatenate(filled), numbers, percentiles=list(QUARTILES))
    found: dict[int, FloatArray] = {}
    for share in QUARTILES:
        corners = surfaces[surfaces[:, 2] == share, :2]
        inside = corners[(corners <= worst).all(axis=1)]
        found[share] = inside[np.argsort(inside[:, 0])]
    return found


class Archive:
    """The front of all designs so far; it never loses a nondominated design.

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
        """Offer feasible designs; which ask numbers entered the front, and which left it.

        Members are compared with the new designs only, never with each other again.
        """
        best = nondominated(objectives)
        new, numbers = objectives[best], asked[best]
        enter = ~_dominated(new, self._objectives)
        new, numbers = new[enter], numbers[enter]
        leave = _dominated(self._objectives, new)
        left = self._asked[leave].tolist()
        if len(new):
            self._objectives = np.concatenate([self._objectives[~leave], new])
            self._asked = np.concatenate([self._asked[~leave], numbers])
        return numbers.tolist(), left


def _dominated(objectives: FloatArray, others: FloatArray) -> BoolArray:
    """Which rows ``(n, m)`` some row of ``others`` ``(k, m)`` dominates; in blocks of bounded memory."""
    if len(objectives) == 0 or len(others) == 0:
        return np.zeros(len(objectives), dtype=bool)
    rows = max(_BLOCK // len(others), 1)
    blocks = [objectives[start : start + rows] for start in range(0, len(objectives), rows)]
    return np.concatenate([_block_dominated(block, others) for block in blocks])


def _no_worse(block: FloatArray, others: FloatArray) -> BoolArray:
    """Where a row of ``others`` ``(k, m)`` is nowhere worse than one of ``block`` ``(n, m)``: ``(n, k)``."""
    no_worse = np.ones((len(block), len(others)), dtype=bool)
    for own, theirs in zip(block.T, others.T, strict=True):
        no_worse &= theirs <= own[:, None]
    return no_worse


def _block_dominated(block: FloatArray, others: FloatArray) -> BoolArray:
    no_worse = _no_worse(block, others)
    rows, columns = np.nonzero(no_worse)
    better = (others[columns] < block[rows]).any(axis=1)
    dominated = np.zeros(len(block), dtype=bool)
    dominated[rows[better]] = True
    return dominated
