"""Compiled capacity margin for any number of cables and any rank, facet normals one by one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.robot import Load
from models.jit import entry, inner


@inner
def direction_slack(W: FloatArray, load: Load, normal: FloatArray) -> float:
    """Least slack [N] in the directions ``normal`` and ``-normal`` (6,)."""
    above = below = least_above = least_below = 0.0
    for i in range(W.shape[1]):
        pull = 0.0
        for row in range(6):
            pull += normal[row] * W[row, i]
        above += load.upper[i] * max(pull, 0.0)
        below += load.upper[i] * min(pull, 0.0)
        least_above += load.lower[i] * max(pull, 0.0)
        least_below += load.lower[i] * min(pull, 0.0)
    weight = 0.0
    reach = 0.0
    for row in range(6):
        weight += normal[row] * load.center[row]
        reach += abs(normal[row]) * load.half_range[row]
    upper = load.f_max * above + load.f_min * least_below + weight
    lower = -load.f_max * below - load.f_min * least_above - weight
    return min(upper, lower) - reach


RANK_PIVOT = 1e-10  # columns that stand out less from the span of the others lie in it
FIRM = 1e-5  # columns that stand out more from the plane of two others span all three rows
FACET_PIVOT = 1e-11  # columns that stand out less span no facet


class FacetScratch(NamedTuple):
    """Memory for the search.

    Attributes
    ----------
    bases : (6, 6, 6) float
        ``bases[d][:, :rank - d]`` spans what is normal to the d columns chosen so far.
    mirror : (6,) float
        A Householder vector.
    rest : (6, m) float
        Parts of the columns outside the span found so far.
    following : (7,) int
        The column to try next at each depth.
    normal : (6,) float
        Normal of the facet looked at last.
    """

    bases: FloatArray
    mirror: FloatArray
    rest: FloatArray
    following: IntArray
    normal: FloatArray


def facet_scratch(cables: int) -> FacetScratch:
    """Memory for a robot with that many cables."""
    return FacetScratch(
        np.zeros((6, 6, 6)), np.zeros(6), np.zeros((6, cables)), np.zeros(7, np.int64), np.zeros(6)
    )


@inner
def _longest(columns: FloatArray) -> tuple[int, float]:
    """Index and squared length of the longest column (6,)."""
    best, longest = 0, -1.0
    for i in range(columns.shape[1]):
        square = 0.0
        for row in range(6):
            square += columns[row, i] * columns[row, i]
        if square > longest:
            best, longest = i, square
    return best, longest


@inner
def _span(W: FloatArray, basis: FloatArray, rest: FloatArray) -> int:
    """Orthonormal basis (6, rank) of the columns of W, by pivoting; returns the rank."""
    for i in range(W.shape[1]):
        for row in range(6):
            rest[row, i] = W[row, i]
    scale = 0.0
    for rank in range(6):
        best, square = _longest(rest)
        scale = max(scale, square)
        if square <= RANK_PIVOT * RANK_PIVOT * scale:
            return rank
        for row in range(6):
            basis[row, rank] = rest[row, best] / math.sqrt(square)
        for i in range(W.shape[1]):
            for _ in range(2):
                dot = 0.0
                for row in range(6):
                    dot += basis[row, rank] * rest[row, i]
                for row in range(6):
                    rest[row, i] -= dot * basis[row, rank]
    return 6


@inner
def _shortfall(basis: FloatArray, rank: int, load: Load) -> float:
    """Distance [N] by which the wrench box reaches out of the span of ``basis`` (6, rank)."""
    square = 0.0
    reach = 0.0
    for row in range(6):
        outside = load.center[row]
        share = 1.0
        for column in range(rank):
            dot = 0.0
            for other in range(6):
                dot += basis[other, column] * load.center[other]
            outside -= basis[row, column] * dot
            share -= basis[row, column] * basis[row, column]
        square += outside * outside
        if share > 1e-14:
            reach += load.half_range[row] * math.sqrt(share)
    return math.sqrt(square) + reach


@inner
def _deflate(
    before: FloatArray, after: FloatArray, width: int, column: FloatArray, pivot: float, mirror: FloatArray
) -> bool:
    """Basis ``after`` (6, width - 1) of what in ``before`` (6, width) is normal to ``column`` (6,).

    False when the column has no part there, or less than its ``pivot``. The Householder reflection
    that takes the column's coordinates to the first axis leaves the others normal to it.
    """
    square = 0.0
    length = 0.0
    for i in range(width):
        dot = 0.0
        for row in range(6):
            dot += before[row, i] * column[row]
        mirror[i] = dot
        square += dot * dot
    for row in range(6):
        length += column[row] * column[row]
    if square <= pivot * pivot * length:
        return False
    norm = math.sqrt(square)
    half = square + norm * abs(mirror[0])  # |v|^2 / 2
    mirror[0] += math.copysign(norm, mirror[0])
    for row in range(6):
        dot = 0.0
        for i in range(width):
            dot += before[row, i] * mirror[i]
        for i in range(1, width):
            after[row, i - 1] = before[row, i] - dot * mirror[i] / half
    return True


@inner
def next_facet(W: FloatArray, rank: int, depth: int, pivot: float, scratch: FacetScratch) -> bool:
    """Go on from ``depth`` to the next choice of rank - 1 independent columns; False at the end.

    The search starts at depth 0 with ``scratch.following[0] = 0`` and goes on at rank - 2. The unit
    normal of the facet that the columns span is then ``scratch.bases[rank - 1][:, 0]``.
    """
    bases, following = scratch.bases, scratch.following
    cables = W.shape[1]
    while depth >= 0:
        cable = following[depth]
        following[depth] += 1
        if cable > cables - (rank - 1 - depth):
            depth -= 1
        elif _deflate(bases[depth], bases[depth + 1], rank - depth, W[:, cable], pivot, scratch.mirror):
            depth += 1
            if depth == rank - 1:
                return True
            following[depth] = cable + 1
    return False


@inner
def _least_slack(W: FloatArray, rank: int, load: Load, stop: float, scratch: FacetScratch) -> float:
    """Least slack [N] over the facets, or the first below ``stop``.

    Every choice of rank - 1 independent columns spans a facet, whose unit normal remains when the
    columns are deflated from the span one after the other.
    """
    normal = scratch.normal
    best = math.inf
    scratch.following[0] = 0
    found = rank == 1 or next_facet(W, rank, 0, FACET_PIVOT, scratch)
    while found:
        for row in range(6):
            normal[row] = scratch.bases[rank - 1, row, 0]
        best = min(best, direction_slack(W, load, normal))
        if best < stop:
            return best
        found = rank > 1 and next_facet(W, rank, rank - 2, FACET_PIVOT, scratch)
    return best


@inner
def margin_of_three(W: FloatArray, load: Load, stop: float, normal: FloatArray) -> float:
    """Capacity margin [N] of a pattern with three rows, or the first one below ``stop``.

    The facets are pairs of cables, their normals cross products. NaN where W is nearly singular. ``normal``
    (6,) is left as that of the facet that ended the search.
    """
    axes = (0, 0, 0)
    for row in range(6):
        if load.rows[row] > 0.0:
            axes = (axes[1], axes[2], row)
        normal[row] = 0.0
    p, q, r = axes
    best, stands_out = math.inf, 0.0
    for i in range(W.shape[1]):
        for j in range(i + 1, W.shape[1]):
            x = W[q, i] * W[r, j] - W[r, i] * W[q, j]
            y = W[r, i] * W[p, j] - W[p, i] * W[r, j]
            z = W[p, i] * W[q, j] - W[q, i] * W[p, j]
            square = x * x + y * y + z * z
            if square <= FACET_PIVOT * FACET_PIVOT:
                continue
            scale = 1.0 / math.sqrt(square)
            normal[p], normal[q], normal[r] = scale * x, scale * y, scale * z
            for k in range(W.shape[1]):
                part = normal[p] * W[p, k] + normal[q] * W[q, k] + normal[r] * W[r, k]
                stands_out = max(stands_out, abs(part))
            best = min(best, direction_slack(W, load, normal))
            if best < stop:
                return best
    return best if stands_out > FIRM else math.nan


@entry
def margin_any(W: FloatArray, load: Load, stop: float, scratch: FacetScratch) -> float:
    """Capacity margin [N], or the first one below ``stop``, whose direction is left in the scratch memory.

    Below the load's rank the margin is at most zero, and negative when the wrench box leaves the span of
    W by more than the load's tolerance; then the direction is zero.
    """
    basis = scratch.bases[0]
    rank = _span(W, basis, scratch.rest)
    flat = math.inf
    if rank < load.rank:
        shortfall = _shortfall(basis, rank, load)
        flat = -shortfall if shortfall > load.tolerance else 0.0
        if flat < stop:
            for row in range(6):
                scratch.normal[row] = 0.0
            return flat
    elif rank == 6:
        for row in range(6):
            for column in range(6):
                basis[row, column] = 1.0 if row == column else 0.0
    return min(flat, _least_slack(W, rank, load, stop, scratch))
