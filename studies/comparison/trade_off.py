"""Best layouts along the trade-off of two objectives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from studies.search.indicators import FloatArray


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
    found: list[Region] = []
    names = list(filled)
    for level, column in zip(levels.tolist(), best.T, strict=True):
        leaders = np.flatnonzero(column == column.min())
        winner = names[leaders[0]] if len(leaders) == 1 else ""
        if found and found[-1].winner == winner:
            continue
        if found:
            found[-1] = found[-1]._replace(upper=level)
        found.append(Region(winner, level, np.inf))
    return found


def _least(front: FloatArray, levels: FloatArray) -> FloatArray:
    """The least second objective of designs whose first is at most each level; infinite without any."""
    order = np.argsort(front[:, 0], kind="stable")
    least = np.concatenate([[np.inf], np.minimum.accumulate(front[order, 1])])
    return least[np.searchsorted(front[order, 0], levels, side="right")]
