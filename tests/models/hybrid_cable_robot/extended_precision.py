"""Capacity margins in extended precision, by a way of their own: Gram-Schmidt twice, a triangular inverse."""

from itertools import combinations

import numpy as np

Real = np.longdouble


def extended_margins(robot, load, positions):
    """Margins (n,) at positions (n, 3) m and the first orientation, in the units of the load.

    See :mod:`models.hybrid_cable_robot.wrench.capacity`: a facet of the set of wrenches belongs to three cables whose
    tensions are free; the other five stand at their limits.
    """
    turned = (robot.attachments @ robot.rotations[0].T).astype(Real)
    cables = (robot.pulleys.astype(Real) - turned) - positions[:, None].astype(Real)
    units = cables / np.sqrt((cables**2).sum(2, keepdims=True))
    arms = np.broadcast_to(turned / Real(robot.length_scale), units.shape)
    wrenches = np.concatenate([units, np.cross(arms, units)], axis=2).swapaxes(1, 2)  # (n, 6, 8)
    lengths = np.sqrt((wrenches**2).sum(2))
    rows, factors = _orthonormal(wrenches / lengths[:, :, None])
    inverse = np.einsum("nrj,nri->nji", _inverse(factors), rows[:, :6]) / lengths[:, :, None]
    half_difference = Real(load.f_max - load.f_min) / 2
    loads = Real(load.f_max + load.f_min) / 2 + np.einsum("j,nji->ni", load.center.astype(Real), inverse)
    margin = np.full(len(positions), Real(np.inf))
    for i, j, k in combinations(range(8), 3):
        null = rows[:, 6:]
        shares = [
            null[:, 0, p] * null[:, 1, q] - null[:, 1, p] * null[:, 0, q] for p, q in ((j, k), (k, i), (i, j))
        ]
        size, pull = (
            sum(map(abs, shares)),
            sum(s * loads[:, c] for s, c in zip(shares, (i, j, k), strict=True)),
        )
        normal = sum(s[:, None] * inverse[:, :, c] for s, c in zip(shares, (i, j, k), strict=True))
        slack = half_difference * size - abs(pull) - abs(normal) @ load.half_range.astype(Real)
        margin = np.minimum(margin, slack / np.sqrt((normal**2).sum(1)))
    return margin


def _orthonormal(matrices):
    """Rows that span those of matrices (n, 6, 8), two more of the null space, and factors (n, 6, 6) below."""
    count = len(matrices)
    rows, factors = np.zeros((count, 8, 8), Real), np.zeros((count, 6, 6), Real)
    seeds = np.random.default_rng(0).normal(size=(2, 8)).astype(Real)
    for place in range(8):
        row = matrices[:, place].copy() if place < 6 else np.tile(seeds[place - 6], (count, 1))
        for _ in range(3):
            for other in range(place):
                share = (row * rows[:, other]).sum(1)
                row -= share[:, None] * rows[:, other]
                if place < 6:
                    factors[:, place, other] += share
        length = np.sqrt((row**2).sum(1))
        rows[:, place] = row / length[:, None]
        if place < 6:
            factors[:, place, place] = length
    return rows, factors


def _inverse(factors):
    """Inverses of lower triangular matrices (n, 6, 6)."""
    inverse = np.zeros_like(factors)
    for j in range(6):
        inverse[:, j, j] = 1 / factors[:, j, j]
        for i in range(j + 1, 6):
            known = (factors[:, i, j:i] * inverse[:, j:i, j]).sum(1)
            inverse[:, i, j] = -known / factors[:, i, i]
    return inverse
