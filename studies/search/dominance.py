"""Dominance between designs, and the front of all designs so far. Objectives ``(n, m)`` are minimised."""

from __future__ import annotations

from collections.abc import Callable

import moocore
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_BLOCK = 250_000
"""Comparisons held at a time."""


def nondominated(objectives: FloatArray) -> BoolArray:
    """Mask of the rows that no other row dominates; rows with equal values stand together."""
    if len(objectives) == 0:
        return np.zeros(0, dtype=bool)
    if objectives.shape[1] == 1:
        return objectives[:, 0] == objectives[:, 0].min()
    return np.asarray(moocore.is_nondominated(objectives, keep_weakly=True), dtype=bool)


def dominated(objectives: FloatArray, others: FloatArray) -> BoolArray:
    """Mask of the rows ``(n, m)`` that some row of ``others`` ``(k, m)`` dominates."""
    return _in_blocks(_block_dominated, objectives, others)


def weakly_dominated(objectives: FloatArray, others: FloatArray) -> BoolArray:
    """Mask of the rows ``(n, m)`` that some row of ``others`` ``(k, m)`` dominates or equals."""
    return _in_blocks(_block_weakly_dominated, objectives, others)


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
        enter = ~dominated(new, self._objectives)
        new, numbers = new[enter], numbers[enter]
        leave = dominated(self._objectives, new)
        left = self._asked[leave].tolist()
        if len(new):
            self._objectives = np.concatenate([self._objectives[~leave], new])
            self._asked = np.concatenate([self._asked[~leave], numbers])
        return numbers.tolist(), left


def _in_blocks(
    test: Callable[[FloatArray, FloatArray], BoolArray], objectives: FloatArray, others: FloatArray
) -> BoolArray:
    """A test of the rows of ``objectives``, in blocks of bounded memory."""
    if len(objectives) == 0 or len(others) == 0:
        return np.zeros(len(objectives), dtype=bool)
    rows = max(_BLOCK // len(others), 1)
    blocks = [objectives[start : start + rows] for start in range(0, len(objectives), rows)]
    return np.concatenate([test(block, others) for block in blocks])


def _no_worse(block: FloatArray, others: FloatArray) -> BoolArray:
    """Mask ``(n, k)``: a row of ``others`` ``(k, m)`` is nowhere worse than one of ``block`` ``(n, m)``."""
    no_worse = np.ones((len(block), len(others)), dtype=bool)
    for own, theirs in zip(block.T, others.T, strict=True):
        no_worse &= theirs <= own[:, None]
    return no_worse


def _block_weakly_dominated(block: FloatArray, others: FloatArray) -> BoolArray:
    return np.asarray(_no_worse(block, others).any(axis=1))


def _block_dominated(block: FloatArray, others: FloatArray) -> BoolArray:
    no_worse = _no_worse(block, others)
    rows, columns = np.nonzero(no_worse)
    better = (others[columns] < block[rows]).any(axis=1)
    dominated = np.zeros(len(block), dtype=bool)
    dominated[rows[better]] = True
    return dominated
