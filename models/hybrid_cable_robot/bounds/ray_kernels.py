"""The cables of a block of positions, as seen from its centre.

A block is the set of positions ``x0 + d`` with ``|d_k| <= h_k``, at one rotation R, so that an
attachment moves by d and only the unit vector ``u`` from attachment to pulley changes. Write
``r = |h|`` for the block's radius and ``l`` for the cable's length at x0.

*First order.* ``du = -(I - u u^T) d / l``.

*Remainder.* Along a straight line of unit speed that makes the angle q with the cable,
``|u''|^2 = (sin(2 q)^2 + sin(q)^4) / l^4``, at most ``4 / (3 l^4)``. After a way s the length is at
least l - s, so that the part of u beyond first order is at most

    integral from 0 to r of (r - s) (2 / sqrt 3) / (l - s)^2 ds = (2 / sqrt 3) (-log(1 - p) - p),  p = r / l,

the cable's *bend*. For small p it is p^2 / sqrt(3).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner

REFUSED = 1.05  # radii of the block; nothing is said of a shorter cable


class Rays(NamedTuple):
    """Memory for the cables of a block at one orientation.

    Attributes
    ----------
    arms : (m, 3) float
        R b over the characteristic length.
    ends : (m, 3) float, m, world frame
        Attachments.
    units : (m, 3) float
        From attachment to pulley.
    lengths : (m,) float, m
    bends : (m,) float
        Bound of the part of u beyond first order.
    sizes : (m,) float
        Greatest length of a scaled column of W, ``sqrt(1 + |arm|^2)``.
    W : (6, m) float
        Scaled wrench matrix.
    """

    arms: FloatArray
    ends: FloatArray
    units: FloatArray
    lengths: FloatArray
    bends: FloatArray
    sizes: FloatArray
    W: FloatArray


def new_rays(cables: int) -> Rays:
    """Memory for that many cables."""
    points, numbers = (cables, 3), cables
    return Rays(
        arms=np.zeros(points),
        ends=np.zeros(points),
        units=np.zeros(points),
        lengths=np.zeros(numbers),
        bends=np.zeros(numbers),
        sizes=np.zeros(numbers),
        W=np.zeros((6, cables)),
    )


@inner
def radius_of(half: FloatArray) -> float:
    """Radius [m] of a block with half sides (3,) m."""
    return math.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2])


@inner
def fill_rays(robot: Robot, rotation: FloatArray, center: FloatArray, radius: float, rays: Rays) -> bool:
    """Fill the cables of a block with ``center`` (3,) m; False when one is too short to say anything."""
    arms, units, W = rays.arms, rays.units, rays.W
    for i in range(robot.pulleys.shape[0]):
        square = 0.0
        arm = 0.0
        for axis in range(3):
            turned = 0.0
            for other in range(3):
                turned += rotation[axis, other] * robot.attachments[i, other]
            arms[i, axis] = turned / robot.length_scale
            rays.ends[i, axis] = center[axis] + turned
            units[i, axis] = robot.pulleys[i, axis] - rays.ends[i, axis]
            square += units[i, axis] ** 2
            arm += arms[i, axis] ** 2
        length = math.sqrt(square)
        if length <= REFUSED * radius + SHORTEST_CABLE:
            return False
        for axis in range(3):
            units[i, axis] /= length
            W[axis, i] = units[i, axis]
        W[3, i] = arms[i, 1] * units[i, 2] - arms[i, 2] * units[i, 1]
        W[4, i] = arms[i, 2] * units[i, 0] - arms[i, 0] * units[i, 2]
        W[5, i] = arms[i, 0] * units[i, 1] - arms[i, 1] * units[i, 0]
        share = radius / length
        rays.lengths[i] = length
        rays.bends[i] = 2.0 / math.sqrt(3.0) * (-math.log1p(-share) - share)
        rays.sizes[i] = math.sqrt(1.0 + arm)
    return True
