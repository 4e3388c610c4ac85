"""Compiled wrench test of one pose: scaled wrench matrix and capacity margin.

Everything here is in scaled coordinates: torque rows divided by the characteristic length, so that
a wrench has six components in N and the margin of a facet is its slack over the length of its
normal. :mod:`models.hybrid_cable_robot.wrench.capacity` is the definition.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import WORST_MARGIN
from models.hybrid_cable_robot.robot import Load, Robot, load_case
from models.hybrid_cable_robot.wrench.facet_kernels import (
    FacetScratch,
    direction_slack,
    facet_scratch,
    margin_any,
    margin_of_three,
)
from models.jit import entry, inner

LEAST_PIVOT = 1e-5  # below it the null space is not accurate enough and facets are found one by one
NULL_FACET = 1e-13  # triples with smaller multipliers are no facet
WEAK_FACET = 1e-4  # triples with smaller multipliers get them anew from their normal
UNDECIDED = math.inf
CLEARLY = 1e4  # tolerances by which a direction must be violated to do without facets
# unsigned, so that the compiled lookups need not ask whether an index is negative
TRIPLES: Any = np.array(list(itertools.combinations(range(8), 3)), np.uint64)
# Two vectors without symmetry, whose parts normal to W span its null space.
SEEDS = np.array([[math.sin(1.7 * (i + 1) * k + 0.3) for i in range(8)] for k in (1, 2)])


class Scratch(NamedTuple):
    """Memory for the wrench test of one pose.

    Attributes
    ----------
    W : (6, m) float
        Scaled wrench matrix.
    Q, L : (6, 8), (6, 6) float
        W = L Q with orthonormal rows Q; L's diagonal inverted.
    X : (6, 8) float
        Right inverse of W, transposed.
    N : (2, 8) float
        Orthonormal basis of the null space of W.
    dets : (8, 8) float
        2 x 2 determinants of columns of N.
    load : (8,) float, N
        Product of X with the centre of the wrench box.
    normal : (6,) float
        Normal of the facet that excluded the pose; zero when there is none.
    excluding : (o * p, 6) float
        The normal that last excluded a pose at each orientation and posture of the arm.
    facets : FacetScratch
    """

    W: FloatArray
    Q: FloatArray
    L: FloatArray
    X: FloatArray
    N: FloatArray
    dets: FloatArray
    load: FloatArray
    normal: FloatArray
    excluding: FloatArray
    facets: FacetScratch


load_at = inner(load_case)


def wrench_scratch(robot: Robot) -> Scratch:
    """Memory for the poses of a robot, with nothing excluded yet."""
    cables = len(robot.pulleys)
    return Scratch(
        W=np.zeros((6, cables)),
        Q=np.zeros((6, 8)),
        L=np.zeros((6, 6)),
        X=np.zeros((6, 8)),
        N=np.zeros((2, 8)),
        dets=np.zeros((8, 8)),
        load=np.zeros(8),
        normal=np.zeros(6),
        excluding=np.zeros((len(robot.load_centers), 6)),
        facets=facet_scratch(cables),
    )


@inner
def _dot(A: FloatArray, row: int, B: FloatArray, other: int) -> float:
    """Product of a row of A with a row of B, eight terms added in pairs so that none waits long."""
    left = (A[row, 0] * B[other, 0] + A[row, 1] * B[other, 1]) + (
        A[row, 2] * B[other, 2] + A[row, 3] * B[other, 3]
    )
    right = (A[row, 4] * B[other, 4] + A[row, 5] * B[other, 5]) + (
        A[row, 6] * B[other, 6] + A[row, 7] * B[other, 7]
    )
    return left + right


@inner
def _factorise(W: FloatArray, Q: FloatArray, L: FloatArray) -> bool:
    """W = L Q by modified Gram-Schmidt, with inverse pivots in L's diagonal.

    False when a row nearly depends on those before it.
    """
    for row in range(6):
        for i in range(8):
            Q[row, i] = W[row, i]
        for other in range(row):
            share = _dot(Q, row, Q, other)
            L[row, other] = share
            for i in range(8):
                Q[row, i] -= share * Q[other, i]
        pivot = math.sqrt(_dot(Q, row, Q, row))
        if pivot <= LEAST_PIVOT * math.sqrt(_dot(W, row, W, row)):
            return False
        L[row, row] = 1.0 / pivot
        for i in range(8):
            Q[row, i] *= L[row, row]
    return True


@inner
def _null_space(Q: FloatArray, N: FloatArray) -> bool:
    """Fill N (2, 8) with an orthonormal basis of what is normal to the rows of Q."""
    for k in range(2):
        for i in range(8):
            N[k, i] = SEEDS[k, i]
    for k in range(2):
        for _ in range(2):
            a = b = c = d = e = f = g = 0.0
            for i in range(8):
                value = N[k, i]
                a += Q[0, i] * value
                b += Q[1, i] * value
                c += Q[2, i] * value
                d += Q[3, i] * value
                e += Q[4, i] * value
                f += Q[5, i] * value
                g += N[0, i] * value
            g *= k  # the first vector is not projected off itself
            for i in range(8):
                along = (a * Q[0, i] + b * Q[1, i]) + (c * Q[2, i] + d * Q[3, i])
                N[k, i] -= along + ((e * Q[4, i] + f * Q[5, i]) + g * N[0, i])
        pivot = math.sqrt(_dot(N, k, N, k))
        if pivot <= LEAST_PIVOT:
            return False
        for i in range(8):
            N[k, i] /= pivot
    return True


@inner
def _prepare(center: FloatArray, scratch: Scratch) -> bool:
    """Null space, right inverse and determinants of W; False when it is nearly singular."""
    Q, L, X, N, pulls = scratch.Q, scratch.L, scratch.X, scratch.N, scratch.load
    if not (_factorise(scratch.W, Q, L) and _null_space(Q, N)):
        return False
    for i in range(8):
        pulls[i] = 0.0
    for row in range(5, -1, -1):
        for i in range(8):
            value = Q[row, i]
            for other in range(row + 1, 6):
                value -= L[other, row] * X[other, i]
            X[row, i] = value * L[row, row]
            pulls[i] += X[row, i] * center[row]
    for i in range(8):
        for j in range(i + 1, 8):
            scratch.dets[i, j] = N[0, i] * N[1, j] - N[1, i] * N[0, j]
    return True


@inner
def _margin_eight(load: Load, stop: float, scratch: Scratch) -> float:
    """Capacity margin [N] of eight cables at a well-conditioned pose, by pairs of null vectors.

    Facets are the 56 triples of cables; their multipliers are 2 x 2 determinants of null vectors.
    """
    if not _prepare(load.center, scratch):
        return UNDECIDED
    X, dets, pulls, normal, half_range = (
        scratch.X,
        scratch.dets,
        scratch.load,
        scratch.normal,
        load.half_range,
    )
    best = math.inf
    for triple in range(56):
        i: int = TRIPLES[triple, 0]
        j: int = TRIPLES[triple, 1]
        k: int = TRIPLES[triple, 2]
        p, q, r = dets[j, k], -dets[i, k], dets[i, j]
        size = abs(p) + abs(q) + abs(r)
        if size < NULL_FACET:
            continue
        square = 0.0
        reach = 0.0
        for row in range(6):
            value = p * X[row, i] + q * X[row, j] + r * X[row, k]
            normal[row] = value
            square += value * value
            reach += abs(value) * half_range[row]
        if size < WEAK_FACET or load.own_limits:
            slack = direction_slack(scratch.W, load, normal)
        else:
            above = 0.5 * (p + q + r + size)
            below = above - size
            pull = p * pulls[i] + q * pulls[j] + r * pulls[k]
            slack = -reach + min(
                load.f_max * above + load.f_min * below + pull,
                -load.f_max * below - load.f_min * above - pull,
            )
        if slack * abs(slack) < best * abs(best) * square:
            best = slack / math.sqrt(square)
            if best < stop:
                return best
    return best


@entry
def matrix_margin(load: Load, stop: float, scratch: Scratch) -> float:
    """Capacity margin [N] of the matrix in ``scratch.W``, or the first one below ``stop``.

    The normal of the facet that ended the search early is left in the scratch memory.
    """
    margin = UNDECIDED
    if scratch.W.shape[1] == 8 and load.rank == 6:
        margin = _margin_eight(load, stop, scratch)
    elif load.rank == 3:
        margin = margin_of_three(scratch.W, load, stop, scratch.normal)
        if not math.isnan(margin):
            return max(margin, WORST_MARGIN)
        margin = UNDECIDED
    if margin == UNDECIDED:
        margin = margin_any(scratch.W, load, stop, scratch.facets)
        for row in range(6):
            scratch.normal[row] = scratch.facets.normal[row]
    return max(margin, WORST_MARGIN)


@inner
def direction_excludes(W: FloatArray, load: Load, normal: FloatArray) -> bool:
    """True if the load cannot be held in the direction ``normal`` (6,) by a clear amount.

    A direction that excludes one pose usually excludes its neighbours, at the price of one facet.
    """
    square = 0.0
    for row in range(6):
        square += normal[row] * normal[row]
    return square > 0.0 and direction_slack(W, load, normal) < -CLEARLY * load.tolerance * math.sqrt(square)
