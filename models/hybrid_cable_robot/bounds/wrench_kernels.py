"""Certificates that a load is held, or cannot be held, at every position of a block at one orientation.

Scaled coordinates as in :mod:`models.hybrid_cable_robot.wrench.capacity_kernels`. Write T for the box of
tensions ``[f_min, f_max]^m``, K for the set of minus the wrenches to be held, ``W(x)`` for the matrix
at x, ``W0`` for that at the block's centre, ``Z(x) = W(x) T``; the load is held at x when K lies in
Z(x). For a direction c, ``c . W_i(x) = a_i . u_i(x)`` with the constant ``a_i = c_f + c_m x arm_i``: its
value at the centre is the *pull* p_i, its gradient the *slope* ``v_i = -(a_i - p_i u_i) / l_i``, and the
rest at most ``|a_i|`` times the cable's bend (:mod:`.ray_kernels`).

**Held throughout.** The facets of Z(x) are not those of Z(x0), so it is not enough that the directions
of the latter stay satisfied. Let c be the outward normal of a facet of ``Z0 = Z(x0)``. The tensions t
that W0 takes into the facet have ``t_i = f_max`` where ``p_i > 0``, ``t_i = f_min`` where ``p_i < 0``
and anything between where ``p_i = 0``. Suppose that for each facet, all these t and all x of the block

    c . W(x) t  >  c . k   for every k in K.                                                     (1)

Then K lies in Z(x). Proof: let t(y) be the tensions of least norm with ``W0 t(y) = y``; they depend
continuously on y in Z0. Move every y of the surface of Z0 straight from y to ``W(x) t(y)``. By (1) at
the centre and at x, c . (the moving point) exceeds c . k all the way, so that the surface never meets
a point k of K. Hence the map ``y -> W(x) t(y)`` of Z0 has the same degree at k as the identity: 1, for
k lies inside Z0 by (1) at the centre. So some y is taken to k, and t(y) holds it. The proof uses of c
only that (1) holds for it: an inaccurate normal does no harm as long as the signs of the p_i that
are not taken as zero are right.

By the expansion, (1) follows when

    slack  >  sum_k h_k (|sum_i t_i v_ik| + (f_max - f_min)/2 sum_zero |v_ik|) + sum_i t_i |a_i| bend_i,

``slack`` its value at the centre, ``t_i`` in the first sum the middle of the range and in the last
one f_max where p_i counts as zero.

**Held nowhere.** If c . k exceeds the greatest c . W(x) t for some c, at every x, no position of the
block holds the load. That greatest value is the sum over the cables of ``s(a_i . u_i(x))``, where
``s(q) = max(f_max q, f_min q)`` is convex and grows by at most f_max per unit of q: at most
``sum_i s(p_i + v_i . d) + f_max |a_i| bend_i``, which is convex in d and so greatest at one of the
block's eight corners. c may be any direction; those of the violated facets of Z0 are tried.

Source: the idea and the first-order terms are the project's; the degree of a map is the usual one of
Brouwer.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.ray_kernels import Rays
from models.hybrid_cable_robot.robot import Load
from models.hybrid_cable_robot.wrench.facet_kernels import FacetScratch, facet_scratch, next_facet
from models.jit import inner

INSIDE, UNDECIDED, OUTSIDE = 1, 0, -1
FREE = 1e-6  # pulls below this share of the column count as zero: far more than a normal's error
DEPENDENT = 1e-8  # columns that stand out less count as dependent: their facet is covered by FREE
SAFETY = 10.0  # tolerances of the load to spare, so that rounding decides nothing


class Pulls(NamedTuple):
    """Memory for what the cables do in one direction c.

    Attributes
    ----------
    normal : (6,) float
        The direction.
    pulls : (m,) float
        c . W_i at the centre.
    slopes : (m, 3) float, 1/m
        Their gradients.
    rests : (m,) float
        Bounds of what is beyond first order.
    facets : FacetScratch
    """

    normal: FloatArray
    pulls: FloatArray
    slopes: FloatArray
    rests: FloatArray
    facets: FacetScratch


def new_pulls(cables: int) -> Pulls:
    """Memory for that many cables."""
    return Pulls(
        np.zeros(6), np.zeros(cables), np.zeros((cables, 3)), np.zeros(cables), facet_scratch(cables)
    )


@inner
def _fill_pulls(rays: Rays, known: Pulls) -> None:
    """Write the pulls of the cables at the centre in the direction ``known.normal``."""
    for i in range(known.pulls.shape[0]):
        pull = 0.0
        for row in range(6):
            pull += known.normal[row] * rays.W[row, i]
        known.pulls[i] = pull


@inner
def _fill_slopes(rays: Rays, known: Pulls) -> None:
    """Write the slopes of the pulls over the block."""
    c, slopes = known.normal, known.slopes
    for i in range(known.pulls.shape[0]):
        x, y, z = rays.arms[i, 0], rays.arms[i, 1], rays.arms[i, 2]
        ax = c[0] + c[4] * z - c[5] * y
        ay = c[1] + c[5] * x - c[3] * z
        az = c[2] + c[3] * y - c[4] * x
        pull, length = known.pulls[i], rays.lengths[i]
        slopes[i, 0] = (pull * rays.units[i, 0] - ax) / length
        slopes[i, 1] = (pull * rays.units[i, 1] - ay) / length
        slopes[i, 2] = (pull * rays.units[i, 2] - az) / length
        known.rests[i] = math.sqrt(ax * ax + ay * ay + az * az) * rays.bends[i]


@inner
def _demand(load: Load, normal: FloatArray, sign: float) -> float:
    """Greatest c . k [N] over the set to be held, for ``c = sign * normal``."""
    demand = 0.0
    for row in range(6):
        demand += abs(normal[row]) * load.half_range[row] - sign * normal[row] * load.center[row]
    return demand


@inner
def _spare(load: Load, half: FloatArray, rays: Rays, known: Pulls, sign: float) -> float:
    """Lower bound [N] over the block of (1), left side less right side, for ``sign * normal``."""
    middle, reach = 0.5 * (load.f_max + load.f_min), 0.5 * (load.f_max - load.f_min)
    spare = -_demand(load, known.normal, sign)
    x = y = z = 0.0
    for i in range(known.pulls.shape[0]):
        pull = sign * known.pulls[i]
        slopes = known.slopes[i]
        if abs(pull) <= FREE * rays.sizes[i]:
            tension = middle
            spare += min(load.f_min * pull, load.f_max * pull) - load.f_max * known.rests[i]
            spare -= reach * (abs(slopes[0]) * half[0] + abs(slopes[1]) * half[1] + abs(slopes[2]) * half[2])
        else:
            tension = load.f_max if pull > 0.0 else load.f_min
            spare += tension * (pull - known.rests[i])
        x += tension * slopes[0]
        y += tension * slopes[1]
        z += tension * slopes[2]
    return spare - (abs(x) * half[0] + abs(y) * half[1] + abs(z) * half[2])


@inner
def _center_slack(load: Load, known: Pulls, sign: float) -> float:
    """Slack [N] at the centre in the direction ``sign * normal``."""
    slack = -_demand(load, known.normal, sign)
    for i in range(known.pulls.shape[0]):
        pull = sign * known.pulls[i]
        slack += max(load.f_max * pull, load.f_min * pull)
    return slack


@inner
def _greatest_slack(load: Load, half: FloatArray, known: Pulls, sign: float) -> float:
    """Upper bound [N] over the block of the slack in the direction ``sign * normal``."""
    greatest = -math.inf
    for corner in range(8):
        x = half[0] if corner & 1 else -half[0]
        y = half[1] if corner & 2 else -half[1]
        z = half[2] if corner & 4 else -half[2]
        slack = 0.0
        for i in range(known.pulls.shape[0]):
            slopes = known.slopes[i]
            pull = sign * (known.pulls[i] + slopes[0] * x + slopes[1] * y + slopes[2] * z)
            slack += max(load.f_max * pull, load.f_min * pull) + load.f_max * known.rests[i]
        greatest = max(greatest, slack)
    return greatest - _demand(load, known.normal, sign)


@inner
def direction_decides(load: Load, half: FloatArray, rays: Rays, direction: FloatArray, known: Pulls) -> bool:
    """True if no position of the block holds the load in the ``direction`` (6,), a unit vector."""
    for row in range(6):
        known.normal[row] = direction[row]
    _fill_pulls(rays, known)
    if _center_slack(load, known, 1.0) >= 0.0:
        return False
    _fill_slopes(rays, known)
    return _greatest_slack(load, half, known, 1.0) < -SAFETY * load.tolerance


@inner
def _facet_decides(load: Load, half: FloatArray, rays: Rays, known: Pulls, sign: float, held: bool) -> int:
    """INSIDE when (1) holds for ``sign * normal``, OUTSIDE when no position holds the load in it.

    Without ``held`` only the latter is asked for.
    """
    slack = _center_slack(load, known, sign)
    if slack >= 0.0 and not held:
        return UNDECIDED
    _fill_slopes(rays, known)
    if slack < 0.0:
        outside = _greatest_slack(load, half, known, sign) < -SAFETY * load.tolerance
        return OUTSIDE if outside else UNDECIDED
    return INSIDE if _spare(load, half, rays, known, sign) > SAFETY * load.tolerance else UNDECIDED


@inner
def decide_wrench(load: Load, half: FloatArray, rays: Rays, known: Pulls, direction: FloatArray) -> int:
    """INSIDE, OUTSIDE or UNDECIDED; the ``direction`` (6,) that decides for OUTSIDE is filled."""
    facets = known.facets
    for row in range(6):
        for column in range(6):
            facets.bases[0, row, column] = 1.0 if row == column else 0.0
    facets.following[0] = 0
    depth = 0
    held = True
    while next_facet(rays.W, 6, depth, DEPENDENT, facets):
        depth = 4
        for row in range(6):
            known.normal[row] = facets.bases[5, row, 0]
        _fill_pulls(rays, known)
        for sign in (1.0, -1.0):
            found = _facet_decides(load, half, rays, known, sign, held)
            if found == OUTSIDE:
                for row in range(6):
                    direction[row] = sign * known.normal[row]
                return OUTSIDE
            held = held and found == INSIDE
    return INSIDE if held and depth else UNDECIDED
