"""The survival score of AGE-MOEA-II in numpy.

pymoo compiles its own one again in every process, which takes longer than most searches, and stops
with a division by zero where designs coincide. Scores are equal to pymoo's to rounding.
Source: A. Panichella, Proc. GECCO 2022.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.algorithms.moo.age2 import AGEMOEA2, AGEMOEA2Survival

from studies.search.base import FloatArray

_TINY = 1e-8
_ROWS = 2_000_000
"""Numbers held at a time while distances are worked out."""


def age_moea2(**settings: Any) -> AGEMOEA2:
    """The algorithm of pymoo with the score of this module."""
    algorithm = AGEMOEA2(**settings)
    algorithm.survival = Survival()
    return algorithm


class Survival(AGEMOEA2Survival):
    """Rates the designs of a front by how far they are from the others along the front's own shape."""

    def survival_score(self, front: FloatArray, ideal_point: FloatArray) -> tuple[FloatArray, float, Any]:
        """Scores ``(n,)`` (infinite for the ends), the exponent of the shape, and the range ``(m,)``."""
        front = np.round(front, 12)
        designs, n_objectives = front.shape
        if designs < n_objectives:
            return np.zeros(designs), 1.0, _no_zeros(front.max(axis=0))
        front = front - ideal_point
        ends = _ends(front)
        span = _span(front, ends)
        front = front / span
        exponent = float(self.compute_geometry(front, ends, n_objectives))
        length = _length(front, exponent)
        length[length < _TINY] = 1.0
        distances = np.maximum(self.pairwise_distances(front, exponent), _TINY) / length[:, None]
        return _scores(distances, ends), exponent, span

    @staticmethod
    def pairwise_distances(front: FloatArray, p: float) -> FloatArray:
        """Distances ``(n, n)`` along the shape: through the middle of two designs, put onto it."""
        on_shape = _project(front, p)
        distances = np.empty((len(front), len(front)))
        step = max(_ROWS // front.size, 1)
        for start in range(0, len(front), step):
            rows = on_shape[start : start + step, None]
            if 0.95 < p < 1.05:
                distances[start : start + step] = np.linalg.norm(rows - on_shape, axis=2)
                continue
            middle = _project(0.5 * (rows + on_shape), p)
            ways = np.linalg.norm(rows - middle, axis=2) + np.linalg.norm(on_shape - middle, axis=2)
            distances[start : start + step] = ways
        np.fill_diagonal(distances, 0.0)
        return distances

    @staticmethod
    def minkowski_distances(A: FloatArray, B: FloatArray, p: float) -> FloatArray:
        """Distances ``(n, k)`` between rows."""
        return _length(A[:, None] - B, p)


def _project(points: FloatArray, p: float) -> FloatArray:
    length = _length(np.maximum(points, 0.0), p)
    return points / np.where(length > 0.0, length, 1.0)[..., None]


def _length(points: FloatArray, p: float) -> FloatArray:
    return (np.abs(points) ** p).sum(axis=-1) ** (1.0 / p)


def _no_zeros(values: FloatArray) -> FloatArray:
    return np.where(values == 0.0, 1.0, values)


def _ends(front: FloatArray) -> NDArray[np.intp]:
    """Designs nearest to the axes, another one for each objective."""
    designs, n_objectives = front.shape
    if designs <= n_objectives:
        return np.arange(designs)
    axes = np.eye(n_objectives) + 1e-6
    ends: list[int] = []
    for axis in axes:
        along = front @ axis / (axis @ axis)
        away = ((front - along[:, None] * axis) ** 2).sum(axis=1)
        away[ends] = np.inf
        ends.append(int(away.argmin()))
    return np.array(ends)


def _span(front: FloatArray, ends: NDArray[np.intp]) -> FloatArray:
    """Intercepts of the plane through the ends with the axes; the largest values where there are none."""
    try:
        plane = np.linalg.solve(front[ends], np.ones(front.shape[1]))
    except np.linalg.LinAlgError:
        return _no_zeros(front.max(axis=0))
    intercepts = np.asarray(1.0 / plane, dtype=np.float64)
    if (plane > 0.0).all() and np.isfinite(plane).all() and np.isfinite(intercepts).all():
        return _no_zeros(intercepts)
    return _no_zeros(front.max(axis=0))


def _scores(distances: FloatArray, ends: NDArray[np.intp]) -> FloatArray:
    """One design after the other, always the one whose two nearest chosen ones are farthest away."""
    scores = np.zeros(len(distances))
    scores[ends] = np.inf
    left = np.setdiff1d(np.arange(len(distances)), ends)
    near = np.sort(distances[np.ix_(ends, left)], axis=0)[:2]
    while len(left):
        sums = near.sum(axis=0)
        best = int(sums.argmax())
        chosen = left[best]
        scores[chosen] = sums[best]
        left, near = np.delete(left, best), np.delete(near, best, axis=1)
        new = distances[chosen, left]
        near[1] = np.minimum(near[1], np.maximum(near[0], new))
        near[0] = np.minimum(near[0], new)
    return scores
