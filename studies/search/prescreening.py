"""Pre-screening: Gaussian processes choose, among many children, those that are evaluated.

Predictions never leave this file: fronts hold evaluated designs. Sources: M. Emmerich, K. Giannakoglou,
B. Naujoks, IEEE Trans. Evol. Comput. 10(4) 2006 (pre-screening); J. Svenson, T. Santner, Comput. Stat. Data
Anal. 94, 2016 (expected maximin improvement).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from studies.definition.space import DesignSpace
from studies.search.base import FloatArray, single_threaded, untouched_warnings
from studies.search.dominance import nondominated
from studies.search.gaussian_process import MOST_DESIGNS, GaussianProcess, Scale, features, severity_of

LEAST_DESIGNS = 8
"""Designs below which nothing is predicted."""
MOST_CHILDREN = 4_000
"""Children that are bred for one generation at most."""
WORTHLESS = 0.9
"""Leave-one-out error from which on a prediction is no better than the mean."""
_DRAWS = 32
_TIE = 1e-6


class Prescreening:
    """The choice of one search; deterministic, given what it learned.

    It is off while no process predicts: where each leave-one-out error is at least ``WORTHLESS``, or where
    the designs of the last generation came out farther from the predictions than from the mean of what was
    known, in each objective. Predictions are made and compared all the same, so that it is on again when they
    are better. It keeps every design of the run; with 10 000, a generation costs 0.2 s more.
    """

    def __init__(self, space: DesignSpace, n_objectives: int, seed: int) -> None:
        self._space = space
        self._draws = np.random.default_rng(seed).standard_normal((_DRAWS, n_objectives))
        self._points = np.empty((0, len(space)))
        self._objectives = np.empty((0, n_objectives))
        self._violations = np.empty(0)
        self._processes: list[GaussianProcess] = []
        self._severity: GaussianProcess | None = None
        self._scale = Scale(np.zeros(n_objectives), np.ones(n_objectives))
        self._known = np.empty((0, n_objectives))
        self._smooth = self._known
        self._expected: tuple[FloatArray, FloatArray] | None = None
        self._misses = np.zeros(n_objectives)

    @property
    def notes(self) -> Mapping[str, float | str]:
        """``surrogate``: "on", "off" or "waiting"; and leave-one-out errors, by number of the objective."""
        if not self._models:
            return {"surrogate": "waiting"}
        errors: dict[str, float | str] = {
            f"surrogate_error_{i}": process.error for i, process in enumerate(self._processes, 1)
        }
        if self._severity is not None:
            errors["surrogate_error_violation"] = self._severity.error
        return {"surrogate": "on" if self._is_on else "off", **errors}

    @property
    def _models(self) -> list[GaussianProcess]:
        return [*self._processes, *([] if self._severity is None else [self._severity])]

    @property
    def _is_on(self) -> bool:
        predicts = any(model.error < WORTHLESS for model in self._models)
        return predicts and (not self._processes or bool((self._misses < 1.0).any()))

    def learn(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Add results of designs, which the next fit uses."""
        new = _unseen(points, self._points)
        self._points = np.concatenate([self._points, points[new]])
        self._objectives = np.concatenate([self._objectives, objectives[new]])
        self._violations = np.concatenate([self._violations, violations[new]])

    def tell(self, points: FloatArray, objectives: FloatArray, violations: FloatArray) -> None:
        """Compare the results of the chosen designs with what was expected, learn them, and fit again."""
        self._compare(objectives, violations)
        self.learn(points, objectives, violations)
        with untouched_warnings(), single_threaded(), np.errstate(all="ignore"):
            self._fit()

    def choose(
        self, candidates: FloatArray, count: int, rivals: NDArray[np.intp] | None = None
    ) -> NDArray[np.intp]:
        """Rows ``(count,)`` of the candidates ``(n, d)`` to evaluate: the first ones while it is off.

        Of candidates with equal numbers ``rivals`` (n,) at most one is chosen; the first ``count`` differ in
        theirs.
        """
        rivals = np.arange(len(candidates)) if rivals is None else rivals
        self._expected = None
        is_on = bool(self._models) and self._is_on
        if not self._models or len(candidates) <= count:
            return np.arange(min(count, len(candidates)))
        with untouched_warnings(), single_threaded(), np.errstate(all="ignore"):
            inputs = features(self._space, candidates)
            means, deviations = _predicted(self._processes, inputs)
            rows = np.arange(count)
            if is_on:
                severity, doubt = self._severity_at(inputs)
                if self._processes:
                    rows = self._greedy(means, deviations, severity, doubt, count, rivals)
                else:
                    rows = self._least_severe(severity, doubt, count, rivals)
        if self._processes:
            self._expected = means[rows], self._known.mean(axis=0)
        return rows

    # ------------------------------------------------------------ what was learned

    def _compare(self, objectives: FloatArray, violations: FloatArray) -> None:
        """Misses of the last predictions over those of the mean of what was known before, per objective."""
        if self._expected is None:
            return
        (means, mean), self._expected = self._expected, None
        feasible = violations == 0.0
        if feasible.sum() < LEAST_DESIGNS // 2:
            return
        found = self._scale(objectives[feasible])
        misses = np.sqrt(((means[feasible] - found) ** 2).mean(axis=0))
        self._misses = (misses + _TIE) / (np.sqrt(((mean - found) ** 2).mean(axis=0)) + _TIE)

    def _fit(self) -> None:
        """A process for each objective of feasible designs, and one for the severity of violations.

        Processes learn from the best or latest designs and from as many that lie farthest from each other:
        what is forgotten would look promising again.
        """
        inputs = features(self._space, self._points)
        feasible = np.flatnonzero(self._violations == 0.0)
        before, self._processes = self._processes, []
        if len(feasible) >= LEAST_DESIGNS:
            self._scale = Scale.of(self._objectives[feasible])
            scaled = self._scale(self._objectives[feasible])
            places = _spread(inputs[feasible], _best(scaled, MOST_DESIGNS // 2))
            learned, self._known = inputs[feasible[places]], scaled[places]
            like = before or [None] * self._known.shape[1]
            self._processes = [
                GaussianProcess(learned, column, old) for column, old in zip(self._known.T, like, strict=True)
            ]
            self._smooth, _ = _predicted(self._processes, learned)
        rows = _spread(inputs, np.arange(len(inputs))[-MOST_DESIGNS // 2 :])
        severity = severity_of(self._violations[rows])
        differs = len(rows) >= LEAST_DESIGNS and np.ptp(severity) > 0.0
        self._severity = GaussianProcess(inputs[rows], severity, self._severity) if differs else None

    # ------------------------------------------------------------ the choice

    def _severity_at(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Expected severities and their deviations, ``(n,)`` each."""
        if self._severity is None:
            return np.zeros(len(inputs)), np.zeros(len(inputs))
        return self._severity.predict(inputs)

    def _least_severe(
        self, severity: FloatArray, doubt: FloatArray, count: int, rivals: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The least severe candidates; before a feasible design is known, each if doubts turn out as drawn.

        By the expected severity alone all would lie in one valley, of which none may be feasible.
        """
        rows: list[int] = []
        free = np.ones(len(severity), dtype=bool)
        draws = np.abs(self._draws[:, 0]) * (self._violations > 0.0).all()
        for draw in np.resize(draws, count):
            row = int(np.where(free, severity - draw * doubt, np.inf).argmin())
            rows.append(row)
            free[rivals == rivals[row]] = False
        return np.array(rows, dtype=np.intp)

    def _greedy(
        self,
        means: FloatArray,
        deviations: FloatArray,
        severity: FloatArray,
        doubt: FloatArray,
        count: int,
        rivals: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """One candidate after the other: that which is expected to improve front and predecessors most."""
        chance = ndtr(-severity / np.maximum(doubt, _TIE))
        front = self._smooth[nondominated(self._smooth)]
        span = np.ptp(front, axis=0)
        span = np.where(span > _TIE, span, 1.0)
        drawn = (means[:, None, :] + deviations[:, None, :] * self._draws) / span
        gains = np.full(drawn.shape[:2], np.inf)
        for member in front / span:
            np.minimum(gains, (member - drawn).max(axis=2), out=gains)
        rows: list[int] = []
        free = np.ones(len(means), dtype=bool)
        for _ in range(count):
            worth = chance * (np.maximum(gains, 0.0).mean(axis=1) + _TIE * np.tanh(gains.mean(axis=1)))
            worth = np.where(free, worth - _TIE * _TIE * severity, -np.inf)
            row = int(worth.argmax())
            rows.append(row)
            free[rivals == rivals[row]] = False
            np.minimum(gains, (means[row] / span - drawn).max(axis=2), out=gains)
        return np.array(rows, dtype=np.intp)


def _unseen(points: FloatArray, known: FloatArray) -> NDArray[np.intp]:
    """Rows of points that are new, each once: equal designs would make a kernel matrix singular."""
    seen = {point.tobytes() for point in known}
    fresh = {point.tobytes(): row for row, point in reversed(list(enumerate(points)))}
    return np.array(sorted(row for key, row in fresh.items() if key not in seen), dtype=np.intp)


def _predicted(processes: list[GaussianProcess], inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means and deviations ``(n, m)``."""
    pairs = [process.predict(inputs) for process in processes] or [(np.empty(0), np.empty(0))]
    return np.stack([mean for mean, _ in pairs], axis=1), np.stack([wide for _, wide in pairs], axis=1)


def _best(objectives: FloatArray, most: int) -> NDArray[np.intp]:
    """At most so many rows: front after front, and within the last one as they come."""
    left, taken = np.arange(len(objectives)), np.empty(0, dtype=np.intp)
    while len(left) and len(taken) < most:
        front = nondominated(objectives[left])
        taken = np.concatenate([taken, left[front]])
        left = np.delete(left, front)
    return np.sort(taken[:most])


def _spread(inputs: FloatArray, taken: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows ``taken`` of inputs ``(n, k)`` and, up to ``MOST_DESIGNS``, always the one farthest from them."""
    rows = taken.tolist()
    apart = np.full(len(inputs), np.inf)
    for row in rows:
        np.minimum(apart, ((inputs - inputs[row]) ** 2).sum(axis=1), out=apart)
    while len(rows) < min(MOST_DESIGNS, len(inputs)):
        rows.append(int(apart.argmax()))
        np.minimum(apart, ((inputs - inputs[rows[-1]]) ** 2).sum(axis=1), out=apart)
    return np.sort(np.array(rows, dtype=np.intp))


def children(population: int, factor: int, size: int | None) -> int:
    """Children to breed; of a finite space of ``size`` designs at most half: no design is bred twice."""
    most = MOST_CHILDREN if size is None else max(size // 2, population)
    return max(min(population * factor, most), population)
