"""Where in the trade-off of two objectives which layout is best, and what the seeds attain there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import moocore
import numpy as np

from studies.indicators import FloatArray, nondominated

QUARTILES = (25, 50, 75)


class Region(NamedTuple):
    """Levels of the first objective between which one layout reaches the best second objective.

    ``lower`` and ``upper`` are in the minimised objective; ``upper`` is infinite in the last region.
    ``winner`` is empty where several layouts are equal.
    """

    winner: str
    lower: float
    upper: float


def regions(fronts: Mapping[str, FloatArray]) -> list[Region]:
    """Which layout has the least second objective if the first may be no more than some level.

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
