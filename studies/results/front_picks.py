"""Designs of a front to begin with: the best of each objective, the knee, the nearest to the ideal.

Objectives ``(n, m)`` are minimised. All distances are taken on objectives scaled to the front's own
range: 0 is the best value on the front (the ideal point), 1 the worst (the nadir point).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from studies.search.indicators import FloatArray

PickKind = Literal["best", "knee", "ideal"]


@dataclass(frozen=True, slots=True)
class FrontPick:
    """The row of a design and what it stands for; ``objective`` is set where it is the best of one."""

    kind: PickKind
    objective: str
    row: int


def front_picks(front: FloatArray, objectives: Sequence[str]) -> list[FrontPick]:
    """The best of each objective, then, of several objectives, the knee and the nearest to the ideal."""
    if len(front) == 0:
        return []
    found = [
        FrontPick("best", name, int(np.argmin(front[:, column]))) for column, name in enumerate(objectives)
    ]
    if len(objectives) > 1:
        found += [FrontPick("knee", "", knee(front)), FrontPick("ideal", "", nearest_to_ideal(front))]
    return found


def nearest_to_ideal(front: FloatArray) -> int:
    """The row nearest to the ideal point."""
    return int(np.argmin(np.linalg.norm(scaled(front), axis=1)))


def knee(front: FloatArray) -> int:
    """The row where the front bulges most towards the ideal point.

    That is the one farthest below the plane through the points that are best in one objective and worst
    in all others: the normal boundary intersection's knee (Das 1999), on scaled objectives.
    """
    return int(np.argmax(bulge(scaled(front))))


def bulge(front: FloatArray) -> FloatArray:
    """Distance of each row of a scaled front below the plane through its ends; above it, less than 0."""
    return (1.0 - front.sum(axis=1)) / np.sqrt(front.shape[1])


def scaled(front: FloatArray) -> FloatArray:
    """Objectives from 0, the best on the front, to 1, the worst."""
    half = 0.5 * front  # the difference of two great numbers is finite then
    span = np.ptp(half, axis=0)
    return (half - half.min(axis=0)) / np.where(span > 0, span, 1.0)
