"""The exact wrench test of one pose in plain numpy: the definition of all kernels.

Cable tensions ``t`` in ``[f_min, f_max]`` hold the external wrench ``w`` when ``W t = -w``. They
hold every ``w`` of a box when, for the normal ``c`` of each facet of the set of available wrenches,

    max over t of (W.T c) . t  +  c . w0  -  |c| . wr  >=  0,

with ``w0`` and ``wr`` the centre and half range of the box. Cables may have limits of their own. A facet is
spanned by n - 1 independent columns of W, so that at most m - n + 1 cables, the others, pull out of it: there
are as many candidates as subsets of that size, and no vertex is ever listed.

Source: hyperplane shifting as in Gouttefarde and Krut (2010), the box handled by its support
function; the paper itself tests uncontrollable poses one by one.

Kernels that follow from it:

- ``capacity_kernels.matrix_margin``, one pose; eight cables by pairs of null vectors;
- ``facet_kernels.margin_any``, any number of cables and any rank, facets one by one;
- ``cell_test_kernels``, the least margin of a position over all loads;
- ``simd/wrench_source.py``, many positions at once;
- ``bounds/wrench_kernels.decide_wrench``, blocks of positions; in plain numpy in
  ``tests/oracles/cable_robot_certificates.py``.

Contract: ``tests/models/hybrid_cable_robot/test_wrench_contract.py``.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import Load

RANK_SHARE = 1e-10  # singular values below this share of the greatest are zero


def capacity_margin(W: FloatArray, load: Load) -> float:
    """Capacity margin [N] of a pose: least signed distance of the wrench box from a facet.

    Parameters
    ----------
    W : (6, m) float
        Wrench matrix with torque rows divided by the characteristic length.
    load : Load
        The wrench box, torques divided by the characteristic length, and the tension limits.

    Returns
    -------
    float
        Positive when every wrench of the box is held with this much to spare in any direction.
        When the rank of W is less than the load's nothing is to spare: zero at most, and minus the
        distance from the span when the box leaves it.
    """
    U, values, _ = np.linalg.svd(W)
    rank = int(np.count_nonzero(values > RANK_SHARE * values[0]))
    span, flat = U[:, :rank], U[:, rank:]
    margin = math.inf
    if rank < load.rank:
        beyond = float(np.linalg.norm(flat.T @ load.center) + load.half_range @ np.linalg.norm(flat, axis=1))
        margin = -beyond if beyond > load.tolerance else 0.0
    slacks = facet_slacks(W, load, facet_normals(span.T @ W) @ span.T)
    return min(margin, float(slacks.min()))


def facet_normals(W: FloatArray) -> FloatArray:
    """Unit normals (k, r) of the facets that r - 1 independent columns of W (r, m) span."""
    rank, cables = W.shape
    if rank == 1:
        return np.ones((1, 1))
    subsets = np.array(list(itertools.combinations(range(cables), rank - 1)))
    U, values, _ = np.linalg.svd(W.T[subsets].transpose(0, 2, 1))
    return U[values[:, -1] > RANK_SHARE, :, -1]


def facet_slacks(W: FloatArray, load: Load, normals: FloatArray) -> FloatArray:
    """Slacks (k,) N of the box along ``normals`` (k, 6) and against them, the lesser of the two."""
    pull = normals @ W
    above, below = np.maximum(pull, 0), np.minimum(pull, 0)
    weight, reach = normals @ load.center, np.abs(normals) @ load.half_range
    greatest, least = load.f_max * load.upper, load.f_min * load.lower
    upper = above @ greatest + below @ least + weight
    lower = -(below @ greatest) - above @ least - weight
    return np.minimum(upper, lower) - reach
