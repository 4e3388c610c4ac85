"""Front of a run, and its growth: the hypervolume after each generation, all measured against one point.

The point lies beyond all feasible designs of the run's beginning. It follows them until ``ENOUGH`` exist, and
then stays. Whenever it moves, the hypervolumes of earlier generations are measured again. It moves
outwards only, so that the hypervolume of a growing front never falls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from studies.records import LoggedBatch
from studies.search.dominance import Archive, FloatArray
from studies.search.indicators import beyond_worst, hypervolume, hypervolume_is_due

ENOUGH = 100
"""Feasible designs after which a reference point stays."""
LEAST_GROWTH = 1e-4
"""A hypervolume that grew by less than this share of itself has not improved."""


class Growth:
    """Hypervolumes of one run, measured generation by generation, and its reference point.

    Parameters
    ----------
    stated : (m,) float, optional
        The reference point of the study file, minimised; it never moves.
    stagnation : int, optional
        Measured generations over which a front without growth stands still.
    """

    def __init__(self, stated: FloatArray | None, stagnation: int | None) -> None:
        self._stated = stated
        self._extremes: FloatArray | None = None
        self._seen = 0
        self._next = 1
        self._fronts: dict[int, FloatArray] = {}
        self._window = None if stagnation is None else deque[FloatArray](maxlen=stagnation + 1)
        self.point: FloatArray | None = None
        """The reference point ``(m,)``, minimised; None before a design is feasible."""
        self.moved = False
        """True where the point has moved since the last measurement."""
        self.volume: float | None = None
        """The hypervolume after the last generation; None before a design is feasible."""
        self.stands_still = False
        """True where the front has not grown for ``stagnation`` measured generations."""

    @property
    def follows(self) -> bool:
        """True while the point follows the feasible designs."""
        return self._stated is None and self._seen < ENOUGH

    def see(self, objectives: FloatArray) -> None:
        """Let the point follow new feasible designs ``(n, m)``, each time that their number has doubled."""
        if not self.follows:
            if self._stated is not None and self.point is None:
                self.point, self.moved = self._stated, True
            return
        known = objectives if self._extremes is None else np.concatenate([self._extremes, objectives])
        self._extremes = np.stack([known.min(axis=0), known.max(axis=0)])
        self._seen += len(objectives)
        if self._seen >= self._next:
            self._next = min(2 * self._seen, ENOUGH)
            beyond = beyond_worst(self._extremes)
            self.point = beyond if self.point is None else np.maximum(self.point, beyond)
            self.moved = True

    def resume(self, stored: FloatArray | None) -> None:
        """Compare the point with the stored one once the log is replayed.

        They differ where the last generation was taken back, or where another version wrote the log.
        """
        if self.point is None or (stored is not None and np.array_equal(self.point, stored)):
            return
        if stored is None or self.follows:
            self.moved = True
        else:
            self.point, self.volume = stored, None  # the last one may be measured against the other point

    def measure(
        self, number: int, front: FloatArray, evaluated: int, batch: int, known: float | None = None
    ) -> Mapping[int, float]:
        """Measure the front ``(n, m)`` after generation ``number``; earlier hypervolumes that changed.

        ``evaluated`` designs were asked for until its end, ``batch`` of them in it. ``known`` is the
        hypervolume in the log, which is taken once the point stays.
        """
        if self.point is None:
            return {}
        earlier: dict[int, float] = {}
        if self.moved:
            self.volume = None
            for older, members in self._fronts.items():
                earlier[older] = self.volume = self._not_below(members, self.point)
        due = hypervolume_is_due(evaluated, batch, len(front), len(self.point))
        if known is not None and not self.moved and not self.follows:
            self.volume = known
        elif due or self.moved or self.follows or self.volume is None:
            self.volume = self._not_below(front, self.point)
        if self.follows:
            self._fronts[number] = front
        else:
            self._fronts.clear()
        self.moved = False
        if due:
            self._judge(front)
        return earlier

    def _not_below(self, front: FloatArray, point: FloatArray) -> float:
        """The hypervolume, or the last one where that is greater: one over directions may fall."""
        return max(hypervolume(front, point), self.volume or 0.0)

    def _judge(self, front: FloatArray) -> None:
        """Compare the front with that of ``stagnation`` generations ago, against one point beyond both."""
        window = self._window
        if window is None or self.point is None or not self.volume:
            return  # a hypervolume is 0 while no design beats the stated point
        window.append(front)
        if len(window) < (window.maxlen or 0):
            return
        first = window[0]
        point = self.point
        if self._stated is None:
            point = np.maximum(point, beyond_worst(np.concatenate([first, front])))
        last = hypervolume(front, point)
        self.stands_still = first is front or last - hypervolume(first, point) <= LEAST_GROWTH * last


class RunFront:
    """Front of a run, fed generation by generation from its log or its search.

    Parameters
    ----------
    n_objectives : int
    stated, stagnation
        As :class:`Growth` takes them.
    """

    def __init__(self, n_objectives: int, stated: FloatArray | None, stagnation: int | None) -> None:
        self._archive = Archive(n_objectives)
        self._members: dict[int, str] = {}
        self.growth = Growth(stated, stagnation)
        """Hypervolumes and reference point."""

    def __len__(self) -> int:
        return len(self._archive)

    @property
    def objectives(self) -> FloatArray:
        """Objectives ``(n, m)`` of the front, minimised."""
        return self._archive.objectives

    def take(self, batch: LoggedBatch, first_ask: int) -> tuple[list[int], list[int]]:
        """Offer the feasible designs to the front, each once; the ask numbers that entered and that left.

        A design on the front already stays there once; one that left it is dominated and stays out. The
        reference point follows the designs offered.
        """
        known = set(self._members.values())
        first = {key: number for number, key in reversed(list(enumerate(batch.keys)))}
        new = [first[key] == number and key not in known for number, key in enumerate(batch.keys)]
        in_full = np.array([origin.rung is None for origin in batch.origins] or [True] * len(batch.keys))
        feasible = (batch.violations == 0.0) & np.array(new) & in_full
        if not feasible.any():
            return [], []
        self.growth.see(batch.objectives[feasible])
        entered, left = self._archive.add(batch.objectives[feasible], first_ask + np.flatnonzero(feasible))
        self._members.update((ask, batch.keys[ask - first_ask]) for ask in entered)
        for ask in left:
            del self._members[ask]
        return entered, left

    def measure(self, batch: LoggedBatch, first_ask: int, known: float | None = None) -> Mapping[int, float]:
        """Measure the front after a generation; see :meth:`Growth.measure`."""
        size = len(batch.keys)
        return self.growth.measure(batch.generation, self._archive.objectives, first_ask + size, size, known)
