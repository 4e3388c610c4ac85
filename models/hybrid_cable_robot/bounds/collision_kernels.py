"""Certified collisions and conditioning: what holds at every position of a block, or at none.

One orientation; the attachments move by d, ``|d_k| <= h_k``, the pulleys stand still.

**Two cables**, from attachments A, B to pulleys P, Q. The vector to the point at the share s of the
first from that at the share t of the second is ``D(s, t) = D0(s, t) + (t - s) d``: linear in d, and
linear in s and in t. (So the distance changes by at most |d|.)

*Apart*: for any unit vector n the distance is at least the least of ``n . D`` over s and t, which is
reached at ends of both. With ``H = sum_k h_k |n_k|`` all d are covered by subtracting ``|s - t| H``. n is
taken along the shortest connection at the centre.

*Touching*: the distance is at most ``|D(s, t)|`` for any s and t, those of the centre: at most
``sqrt(sum_k (|D0_k| + |s - t| h_k)^2)``.

*Relief*: a length r next to the platform does not count, nor does one next to the pulley, so that the shares
s lie between r / l and 1 - r / l with a length l that differs by at most the block's radius from that at
the centre. Apart is shown for the widest such interval, touching for the narrowest.

**Platform**: in its frame the box and the attachment stand still and the cable's other end moves in a
box with half sides ``e = |R^T| h``.

*Clear*: the box lies on one side of a plane with normal n, and both ends of the cable on the other, the
moving one less ``sum_k e_k |n_k|``. Tried are the box's axes, which decide for attachments on its
surface, and their products with the cable's direction.

*Cut*: a point at a fixed share s of the cable stays inside the box. Per face this is a linear
inequality in s: cut when some s in (0, 1) satisfies all six.

A column of W is ``B u`` with a constant B of norm ``sqrt(1 + |arm|^2)``. The way r turns a cable of
length l by at most ``asin(p)``, ``p = r / l``, which moves u by at most ``2 sin(asin(p) / 2)``. The root of
the sum of squares of the columns' changes bounds the norm of the change of W, and by Weyl's inequality
no singular value changes by more: with that change E,

    (s_min - E) / (s_max + E) >= limit   at the centre gives   1 / cond >= limit   in the whole block.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.ray_kernels import Rays
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE, OUTSIDE, UNDECIDED
from models.hybrid_cable_robot.cell_results import SINGULAR_BELOW
from models.hybrid_cable_robot.collisions.distance_kernels import nearest_points
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness_kernels import fill_gram
from models.jit import inner
from models.numerics.symmetric_matrices import symmetric_inverse_condition

SPARE = 1e-9  # of the lengths involved: what rounding might do


@inner
def shares(below: float, above: float, length: float) -> tuple[float, float]:
    """Shares of a cable of a ``length`` [m] between its parts next to the platform and to the pulley."""
    last = max(1.0 - above / length, 0.0)
    return min(below / length, last), last


@inner
def nearest_shares(
    rays: Rays, i: int, j: int, first: tuple[float, float], second: tuple[float, float]
) -> tuple[float, float]:
    """Shares of two cables, within ``first`` and ``second``, at which they are nearest at the centre."""
    cosine = along = across = 0.0
    for axis in range(3):
        between = rays.ends[i, axis] - rays.ends[j, axis]
        cosine += rays.units[i, axis] * rays.units[j, axis]
        along += rays.units[i, axis] * between
        across += rays.units[j, axis] * between
    one, other = rays.lengths[i], rays.lengths[j]
    s, t = nearest_points(
        cosine, along, across, (first[0] * one, first[1] * one), (second[0] * other, second[1] * other), 0.0
    )
    return min(max(s / one, first[0]), first[1]), min(max(t / other, second[0]), second[1])


@inner
def gap_bounds(
    robot: Robot, rays: Rays, half: FloatArray, radius: float, i: int, j: int, below: float, above: float
) -> tuple[float, float]:
    """Lower and upper bound [m] over the block of the distance of two cables' axes.

    Without ``below`` [m] of both next to the platform, and ``above`` [m] next to the pulleys.
    """
    one, other = rays.lengths[i], rays.lengths[j]
    s, t = nearest_shares(
        rays, i, j, shares(below, above, one - radius), shares(below, above, other - radius)
    )
    shift = abs(s - t)
    near = far = 0.0
    for axis in range(3):
        part = rays.ends[i, axis] + s * one * rays.units[i, axis]
        part -= rays.ends[j, axis] + t * other * rays.units[j, axis]
        near += part * part
        far += (abs(part) + shift * half[axis]) ** 2
    near, far = math.sqrt(near), math.sqrt(far)
    if near == 0.0:
        return 0.0, far
    starts = first = second = reach = 0.0
    for axis in range(3):
        part = rays.ends[i, axis] + s * one * rays.units[i, axis]
        n = (part - rays.ends[j, axis] - t * other * rays.units[j, axis]) / near
        starts += n * (rays.ends[i, axis] - rays.ends[j, axis])
        first += n * (robot.pulleys[i, axis] - rays.ends[i, axis])
        second += n * (robot.pulleys[j, axis] - rays.ends[j, axis])
        reach += abs(n) * half[axis]
    least = math.inf
    for share in shares(below, above, one + radius):
        for partner in shares(below, above, other + radius):
            least = min(least, starts + share * first - partner * second - abs(share - partner) * reach)
    return least, far


@inner
def decide_cables(robot: Robot, half: FloatArray, radius: float, rays: Rays) -> int:
    """INSIDE when no two cables touch anywhere in the block, OUTSIDE when two do everywhere."""
    found = INSIDE
    for pair in range(robot.pairs.shape[0]):
        i, j = robot.pairs[pair, 0], robot.pairs[pair, 1]
        spare = SPARE * (rays.lengths[i] + rays.lengths[j])
        below, above = robot.reliefs[pair, 0], robot.reliefs[pair, 1]
        least, greatest = gap_bounds(robot, rays, half, radius, i, j, below, above)
        if greatest < robot.touching - spare:
            return OUTSIDE
        if not least > robot.touching + spare:
            found = UNDECIDED
    return found


@inner
def _clear_of(
    start: FloatArray, goal: FloatArray, reach: FloatArray, box: FloatArray, normal: FloatArray
) -> bool:
    """True if a plane with that ``normal`` (3,) keeps a cable and the box apart throughout."""
    first = last = size = swing = length = 0.0
    for axis in range(3):
        first += normal[axis] * start[axis]
        last += normal[axis] * goal[axis]
        size += abs(normal[axis]) * box[axis]
        swing += abs(normal[axis]) * reach[axis]
        length += abs(normal[axis]) * (abs(start[axis]) + abs(goal[axis]))
    if first < 0.0:
        first, last = -first, -last
    return first - size > SPARE * length and last - swing - size > SPARE * length


@inner
def clear_sides(
    start: FloatArray, goal: FloatArray, reach: FloatArray, box: FloatArray, normal: FloatArray
) -> bool:
    """True if one of the planes tried keeps a cable and the box apart; ``normal`` is memory (3,)."""
    for axis in range(3):
        left, right = (axis + 1) % 3, (axis + 2) % 3
        normal[axis], normal[left], normal[right] = 1.0, 0.0, 0.0
        if _clear_of(start, goal, reach, box, normal):
            return True
        normal[axis] = 0.0
        normal[left], normal[right] = start[right] - goal[right], goal[left] - start[left]
        if _clear_of(start, goal, reach, box, normal):
            return True
    return False


@inner
def _cut(start: FloatArray, goal: FloatArray, reach: FloatArray, box: FloatArray) -> bool:
    """True if a point at some fixed share of the cable stays in the box throughout."""
    least, most = 0.0, 1.0
    for axis in range(3):
        for sign in (1.0, -1.0):
            beyond = sign * start[axis] - box[axis] + SPARE * (abs(start[axis]) + abs(goal[axis]))
            growth = sign * (goal[axis] - start[axis]) + reach[axis]
            if growth > 0.0:
                most = min(most, -beyond / growth)
            elif growth < 0.0:
                least = max(least, -beyond / growth)
            elif beyond >= 0.0:
                return False
    return most - least > SPARE


@inner
def decide_platform(
    robot: Robot,
    rotation: FloatArray,
    center: FloatArray,
    half: FloatArray,
    work: FloatArray,
) -> int:
    """INSIDE when no cable cuts the platform in the block, OUTSIDE when one does everywhere.

    ``work`` is memory (10, 6).
    """
    goal, reach, normal = work[0], work[1], work[2]
    found = INSIDE
    for i in range(robot.pulleys.shape[0]):
        start = robot.attachments[i]
        for axis in range(3):
            goal[axis] = 0.0
            reach[axis] = 0.0
            for other in range(3):
                goal[axis] += rotation[other, axis] * (robot.pulleys[i, other] - center[other])
                reach[axis] += abs(rotation[other, axis]) * half[other]
        if not clear_sides(start, goal, reach, robot.half_size, normal):
            if _cut(start, goal, reach, robot.half_size):
                return OUTSIDE
            found = UNDECIDED
    return found


SINGULAR_SPARE = 1e-6  # of the limit: what rounding might do


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
    """True if no position of the block is singular; ``work`` is memory (10, 6), ``ones`` (m,) of 1."""
    fill_gram(rays.W, ones, work)
    ratio = math.sqrt(symmetric_inverse_condition(work))
    greatest = 0.0
    for row in range(6):
        greatest = max(greatest, work[6, row])  # where the eigenvalues are left
    greatest = math.sqrt(greatest)
    change = matrix_change(radius, rays)
    return ratio * greatest - change > SINGULAR_BELOW * (1.0 + SINGULAR_SPARE) * (greatest + change)
