"""Compiled wrench test of one pose: scaled wrench matrix and capacity margin.

Everything here is in scaled coordinates: torque rows divided by the characteristic length, so that
a wrench has six components in N and the margin of a facet is its slack over the length of its
normal. :mod:`models.hybrid_cable_robot.wrench_test` is the readable twin.
"""

from __future__ import annotations

import math

from numba import njit

from models.hybrid_cable_robot.geometry import SHORTEST_CABLE

LEAST_PIVOT = 1e-5  # below it the null space is not accurate enough and facets are found one by one
RANK_PIVOT = 1e-10  # columns that stand out less from the span of the others lie in it
FACET_PIVOT = 1e-11  # columns that stand out less span no facet
NULL_FACET = 1e-13  # triples with smaller multipliers are no facet
WEAK_FACET = 1e-4  # triples with smaller multipliers get them anew from their normal
UNDECIDED = math.inf


@njit(cache=True, nogil=True)
def fill_matrix(pulleys, attachments, rotation, position, length_scale, W):
    """Fill the scaled wrench matrix W (6, m); False when a cable is too short."""
    for i in range(pulleys.shape[0]):
        b0, b1, b2 = attachments[i, 0], attachments[i, 1], attachments[i, 2]
        x = rotation[0, 0] * b0 + rotation[0, 1] * b1 + rotation[0, 2] * b2
        y = rotation[1, 0] * b0 + rotation[1, 1] * b1 + rotation[1, 2] * b2
        z = rotation[2, 0] * b0 + rotation[2, 1] * b1 + rotation[2, 2] * b2
        ux = pulleys[i, 0] - position[0] - x
        uy = pulleys[i, 1] - position[1] - y
        uz = pulleys[i, 2] - position[2] - z
        length = math.sqrt(ux * ux + uy * uy + uz * uz)
        if length < SHORTEST_CABLE:
            return False
        ux, uy, uz = ux / length, uy / length, uz / length
        W[0, i], W[1, i], W[2, i] = ux, uy, uz
        W[3, i] = (y * uz - z * uy) / length_scale
        W[4, i] = (z * ux - x * uz) / length_scale
        W[5, i] = (x * uy - y * ux) / length_scale
    return True


@njit(cache=True, nogil=True)
def direction_slack(W, normal, center, half_range, f_min, f_max):
    """Least slack [N] in the directions ``normal`` and ``-normal`` (6,)."""
    above = 0.0
    below = 0.0
    for i in range(W.shape[1]):
        pull = 0.0
        for row in range(6):
            pull += normal[row] * W[row, i]
        if pull > 0.0:
            above += pull
        else:
            below += pull
    load = 0.0
    reach = 0.0
    for row in range(6):
        load += normal[row] * center[row]
        reach += abs(normal[row]) * half_range[row]
    return min(f_max * above + f_min * below + load, -f_max * below - f_min * above - load) - reach


@njit(cache=True, nogil=True)
def _orthogonal_rows(W, Q, L):
    """W = L Q by modified Gram-Schmidt; False when a row nearly depends on those before it."""
    for row in range(6):
        before = 0.0
        for i in range(8):
            Q[row, i] = W[row, i]
            before += W[row, i] * W[row, i]
        for other in range(row):
            dot = 0.0
            for i in range(8):
                dot += Q[row, i] * Q[other, i]
            L[row, other] = dot
            for i in range(8):
                Q[row, i] -= dot * Q[other, i]
        rest = 0.0
        for i in range(8):
            rest += Q[row, i] * Q[row, i]
        pivot = math.sqrt(rest)
        if pivot <= LEAST_PIVOT * math.sqrt(before):
            return False
        L[row, row] = pivot
        for i in range(8):
            Q[row, i] /= pivot
    return True


@njit(cache=True, nogil=True)
def _null_vector(Q, N, column):
    """Fill a column of N (8, 2) with a unit vector normal to the rows of Q and earlier columns."""
    for i in range(8):
        # two fixed vectors without symmetry
        N[i, column] = math.sin(1.7 * (i + 1) * (column + 1) + 0.3)
    for _ in range(2):
        for row in range(6):
            dot = 0.0
            for i in range(8):
                dot += Q[row, i] * N[i, column]
            for i in range(8):
                N[i, column] -= dot * Q[row, i]
        if column == 1:
            dot = 0.0
            for i in range(8):
                dot += N[i, 0] * N[i, 1]
            for i in range(8):
                N[i, 1] -= dot * N[i, 0]
        rest = 0.0
        for i in range(8):
            rest += N[i, column] * N[i, column]
        pivot = math.sqrt(rest)
        if pivot <= LEAST_PIVOT:
            return False
        for i in range(8):
            N[i, column] /= pivot
    return True


@njit(cache=True, nogil=True)
def _inverse_columns(L, Q, X, center, load):
    """Fill X (8, 6), the right inverse of W = L Q, and load (8,) = X center."""
    for row in range(5, -1, -1):
        for i in range(8):
            value = Q[row, i]
            for other in range(row + 1, 6):
                value -= L[other, row] * X[i, other]
            X[i, row] = value / L[row, row]
    for i in range(8):
        total = 0.0
        for row in range(6):
            total += X[i, row] * center[row]
        load[i] = total


@njit(cache=True, nogil=True)
def margin_eight(W, center, half_range, f_min, f_max, stop, scratch, normal):
    """Capacity margin [N] of eight cables at a well-conditioned pose, by pairs of null vectors.

    Facets are the 56 triples of cables; their multipliers are 2 x 2 determinants of null vectors.
    Returns the first margin below ``stop``, whose direction goes to ``normal`` (6,), else the
    least; ``UNDECIDED`` when the matrix is nearly singular.
    """
    Q, L, X, N, dets, load = scratch
    if not (_orthogonal_rows(W, Q, L) and _null_vector(Q, N, 0) and _null_vector(Q, N, 1)):
        return UNDECIDED
    _inverse_columns(L, Q, X, center, load)
    for i in range(8):
        for j in range(i + 1, 8):
            dets[i, j] = N[i, 0] * N[j, 1] - N[i, 1] * N[j, 0]
    best = math.inf
    for i in range(6):
        for j in range(i + 1, 7):
            for k in range(j + 1, 8):
                p, q, r = dets[j, k], -dets[i, k], dets[i, j]
                size = abs(p) + abs(q) + abs(r)
                if size < NULL_FACET:
                    continue
                total = p + q + r
                above = 0.5 * (size + total)
                below = 0.5 * (total - size)
                pull = p * load[i] + q * load[j] + r * load[k]
                square = 0.0
                reach = 0.0
                for row in range(6):
                    value = p * X[i, row] + q * X[j, row] + r * X[k, row]
                    square += value * value
                    reach += abs(value) * half_range[row]
                slack = (
                    min(f_max * above + f_min * below + pull, -f_max * below - f_min * above - pull) - reach
                )
                if size < WEAK_FACET:
                    for row in range(6):
                        normal[row] = (p * X[i, row] + q * X[j, row] + r * X[k, row]) / size
                    slack = size * direction_slack(W, normal, center, half_range, f_min, f_max)
                if slack * abs(slack) < best * abs(best) * square:
                    best = slack / math.sqrt(square)
                    if best < stop:
                        for row in range(6):
                            normal[row] = p * X[i, row] + q * X[j, row] + r * X[k, row]
                        return best
    return best


@njit(cache=True, nogil=True)
def _range_basis(W, B, rest):
    """Orthonormal basis of the columns of W in the columns of B (6, 6); returns the rank."""
    cables = W.shape[1]
    scale = 0.0
    for i in range(cables):
        square = 0.0
        for row in range(6):
            rest[row, i] = W[row, i]
            square += W[row, i] * W[row, i]
        scale = max(scale, square)
    for rank in range(6):
        best, pivot = -1, RANK_PIVOT * RANK_PIVOT * scale
        for i in range(cables):
            square = 0.0
            for row in range(6):
                square += rest[row, i] * rest[row, i]
            if square > pivot:
                best, pivot = i, square
        if best < 0:
            return rank
        for row in range(6):
            B[row, rank] = rest[row, best] / math.sqrt(pivot)
        for i in range(cables):
            for _ in range(2):
                dot = 0.0
                for row in range(6):
                    dot += B[row, rank] * rest[row, i]
                for row in range(6):
                    rest[row, i] -= dot * B[row, rank]
    return 6


@njit(cache=True, nogil=True)
def _flat_shortfall(B, rank, center, half_range):
    """How far [N] the wrench box reaches out of the columns' span; B is its basis."""
    square = 0.0
    reach = 0.0
    for row in range(6):
        out = center[row]
        diagonal = 1.0
        for column in range(rank):
            dot = 0.0
            for other in range(6):
                dot += B[other, column] * center[other]
            out -= B[row, column] * dot
            diagonal -= B[row, column] * B[row, column]
        square += out * out
        if diagonal > 1e-14:
            reach += half_range[row] * math.sqrt(diagonal)
    return math.sqrt(square) + reach


@njit(cache=True, nogil=True)
def _deflate(B, depth, width, W, cable):
    """Basis B[depth + 1] (6, width - 1) of what in B[depth] (6, width) is normal to a cable's column.

    False when the column has no part there.
    """
    square = 0.0
    length = 0.0
    v = B[depth, 6]  # row 6 holds the Householder vector
    for column in range(width):
        dot = 0.0
        for row in range(6):
            dot += B[depth, row, column] * W[row, cable]
        v[column] = dot
        square += dot * dot
    for row in range(6):
        length += W[row, cable] * W[row, cable]
    if square <= FACET_PIVOT * FACET_PIVOT * length:
        return False
    v[0] += math.copysign(math.sqrt(square), v[0])
    size = 0.0
    for column in range(width):
        size += v[column] * v[column]
    for row in range(6):
        dot = 0.0
        for column in range(width):
            dot += B[depth, row, column] * v[column]
        for column in range(1, width):
            B[depth + 1, row, column - 1] = B[depth, row, column] - 2.0 * dot * v[column] / size
    return True


@njit(cache=True, nogil=True)
def margin_any(W, center, half_range, f_min, f_max, tolerance, stop, scratch, normal):
    """Capacity margin [N] for any number of cables and any rank, facet normals one by one.

    Every choice of (rank - 1) independent columns spans a facet, whose unit normal remains when
    the columns are deflated from the span one after the other. Arguments and result as those of
    :func:`margin_eight`; below full rank the margin is at most zero, and negative when the wrench
    box leaves the span by more than ``tolerance``.
    """
    B, rest, following = scratch
    cables = W.shape[1]
    rank = _range_basis(W, B[0], rest)
    best = math.inf
    if rank < 6:
        shortfall = _flat_shortfall(B[0], rank, center, half_range)
        best = -shortfall if shortfall > tolerance else 0.0
        normal[:] = 0.0  # no direction to try at other poses
        if best < stop:
            return best
    else:
        B[0, :6] = 0.0
        for row in range(6):
            B[0, row, row] = 1.0
    depth = 0
    following[0] = 0
    while depth >= 0:
        if depth == rank - 1:
            for row in range(6):
                normal[row] = B[depth, row, 0]
            best = min(best, direction_slack(W, normal, center, half_range, f_min, f_max))
            if best < stop:
                return best
            depth -= 1
            continue
        cable = following[depth]
        if cable > cables - (rank - 1 - depth):
            depth -= 1
            continue
        following[depth] = cable + 1
        if _deflate(B, depth, rank - depth, W, cable):
            following[depth + 1] = cable + 1
            depth += 1
    return best
