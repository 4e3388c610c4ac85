"""Arrays that the kernels work in, made once before a loop.

What belongs to an arc stands in one row, at the columns that the constants below name: numba handles
one array much faster than ten.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.compiled import inner
from models.continuum_statics.robot import Robot
from models.floats import FloatArray

SHAPE = 0  # A, B, C, D, A', B', A'', B'' (see models.continuum_statics.energy.arc), cos gamma, sin gamma
LOCAL = 10  # rotation of the arc, by rows
FRAME = 19  # frame where the arc begins, by rows; the row after the last arc holds the tip's
END = 28  # end of the arc in the frame where it begins [m]
TURNS = 31  # for each angle, the rotation that it makes, base frame
SHIFTS = 40  # for each angle, the slope of the arc's end [m/rad], base frame
SLOPES = 49  # for each angle, the slope of a moment, base frame
WEIGHT = 58  # mass from the arc's end to the tip [kg]
ONE = 59  # 1
COLUMNS = 60


class Scratch(NamedTuple):
    """Room for a robot of n arcs.

    Attributes
    ----------
    arcs : (n + 1, COLUMNS) float
    stiffness : (3n,) float, N m/rad
        EI/L, EI/L, GJ/L for each arc.
    gradient, step, diagonal, beside : (3n,) float
    hessian, factor : (3n, 3n) float
        Upper triangles.
    trial : (n, 3) float, rad
    """

    arcs: FloatArray
    stiffness: FloatArray
    gradient: FloatArray
    step: FloatArray
    diagonal: FloatArray
    beside: FloatArray
    hessian: FloatArray
    factor: FloatArray
    trial: FloatArray


@inner
def scratch(robot: Robot) -> Scratch:
    """Room for a robot, with its stiffnesses."""
    n = len(robot.masses)
    arcs = np.zeros((n + 1, COLUMNS))
    for i in range(3):
        arcs[0, FRAME + 4 * i] = 1.0
    weight = 0.0
    for k in range(n - 1, -1, -1):
        weight += robot.masses[k]
        arcs[k, WEIGHT] = weight
        arcs[k, ONE] = 1.0
    stiffness = np.empty(3 * n)
    for i in range(3 * n):
        stiffness[i] = (robot.GJ if i % 3 == 2 else robot.EI) / robot.L
    return Scratch(
        arcs,
        stiffness,
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty((3 * n, 3 * n)),
        np.empty((3 * n, 3 * n)),
        np.empty((n, 3)),
    )
