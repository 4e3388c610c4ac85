"""Whether the scaled Jacobian is far enough from singular at every position of a block.

A column of W is ``B u`` with a constant B of norm ``sqrt(1 + |arm|^2)``. The way r turns a cable of
length l by at most ``asin(p)``, ``p = r / l``, which moves u by at most ``2 sin(asin(p) / 2)``. The root of
the sum of squares of the columns' changes bounds the norm of the change of W, and by Weyl's inequality
no singular value changes by more: with that change E,

    (s_min - E) / (s_max + E) >= limit   at the centre gives   1 / cond >= limit   in the whole block.
"""

from __future__ import annotations

import math

from models.compiled import inner
from models.hybrid_cable_robot.bounds.rays import Rays
from models.hybrid_cable_robot.cells.verdicts import SINGULAR_BELOW
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.stiffness.kernel_index import fill_gram, inverse_condition

SPARE = 1e-6  # of the limit: what rounding might do


@inner
def matrix_change(radius: float, rays: Rays) -> float:
    """Greatest norm over the block of W less W at the centre."""
    square = 0.0
    for i in range(rays.lengths.shape[0]):
        share = radius / rays.lengths[i]
        turned = 2.0 * share * share / (1.0 + math.sqrt(1.0 - share * share))  # (2 sin(asin(p) / 2))^2
        square += rays.sizes[i] * rays.sizes[i] * turned
    return math.sqrt(square)


@inner
def is_regular(radius: float, rays: Rays, ones: FloatArray, work: FloatArray) -> bool:
    """Whether no position of the block is singular; ``work`` is memory (10, 6), ``ones`` (m,) of 1."""
    fill_gram(rays.W, ones, work)
    ratio = math.sqrt(inverse_condition(work))
    greatest = 0.0
    for row in range(6):
        greatest = max(greatest, work[6, row])  # where the eigenvalues are left
    greatest = math.sqrt(greatest)
    change = matrix_change(radius, rays)
    return ratio * greatest - change > SINGULAR_BELOW * (1.0 + SPARE) * (greatest + change)
