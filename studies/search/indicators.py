"""Measures of fronts. Objectives ``(n, m)`` are minimised throughout."""

from __future__ import annotations

from collections.abc import Sequence

import moocore
import numpy as np

from studies.search.dominance import FloatArray, nondominated, weakly_dominated

MARGIN = 0.1
"""A reference point lies this share of the range beyond the worst values."""
EXACT_POINTS = {5: 2500, 6: 600, 7: 180, 8: 80, 9: 45, 10: 30}
"""Largest front, by number of objectives, whose exact volume takes about a second; up to 4, every front."""
APPROXIMATION_ERROR = 0.02
"""Share of an approximate volume: within 0.4 % for up to 8 objectives, 1.8 % for 10."""
CHEAP_OBJECTIVES = 3
DIRECTIONS = 2**13
GREATEST = float(np.finfo(np.float64).max)
_FAR = 1e300
"""Products of distances within this need no scaling, with room for the factor of two of each distance."""
QUARTILES = (25, 50, 75)


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

    Exact where that takes about a second at most (``EXACT_POINTS``). Else the mean over ``DIRECTIONS``
    fixed directions (Deng and Zhang, IEEE Trans. Evol. Comput. 23(5) 2019), in the box between the front's
    best values and the reference point, so that units do not matter; :func:`hypervolume_error` states its
    error, by which it may fall when designs come. A volume above the greatest float is given as that.
    """
    objectives = _inside(objectives, reference)
    if len(objectives) == 0:
        return 0.0
    greatest = np.maximum(np.abs(objectives).max(axis=0), np.abs(reference))
    exact = _is_exact(*objectives.shape)
    if exact and greatest.max() <= _FAR ** (1.0 / len(reference)):
        return _exact_hypervolume(objectives, reference)
    halves = 0.5 * reference - 0.5 * objectives  # halved, so that no distance overflows
    scale = halves.max(axis=0)
    volume = (_exact_hypervolume if exact else _hypervolume_over_directions)(
        -halves / scale, np.zeros(len(reference))
    )
    with np.errstate(over="ignore"):
        return float(min(np.prod([volume, *np.sort(scale), *np.full(len(scale), 2.0)]), GREATEST))


def hypervolume_error(objectives: FloatArray, reference: FloatArray, volume: float) -> float:
    """Numerical error of ``volume``, the hypervolume of a front: 0 where it is exact."""
    inside = len(_inside(objectives, reference))
    return 0.0 if _is_exact(inside, len(reference)) else APPROXIMATION_ERROR * volume


def _inside(objectives: FloatArray, reference: FloatArray) -> FloatArray:
    """Designs that are better than the reference point in all objectives; an empty front may be (0, 0)."""
    return objectives[(objectives < reference).all(axis=1)] if len(objectives) else objectives


def _is_exact(count: int, n_objectives: int) -> bool:
    return n_objectives < min(EXACT_POINTS) or count <= EXACT_POINTS.get(n_objectives, 0)


def _exact_hypervolume(objectives: FloatArray, reference: FloatArray) -> float:
    if objectives.shape[1] == 1:
        return float(reference[0] - objectives[:, 0].min())
    return float(moocore.hypervolume(objectives, ref=reference))


def _hypervolume_over_directions(objectives: FloatArray, reference: FloatArray) -> float:
    return float(moocore.hv_approx(objectives, ref=reference, nsamples=DIRECTIONS, method="Rphi-FWE+"))


def hypervolume_is_due(evaluated: int, batch: int, members: int, n_objectives: int) -> bool:
    """True if a run measures its front after ``evaluated`` designs, the last ``batch`` of them new.

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
    return float(weakly_dominated(other, front).mean())


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
