"""Arrays that the kernels work in, made once before a loop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.compiled import inner
from models.continuum_statics.floats import FloatArray
from models.continuum_statics.robot import Robot


class Scratch(NamedTuple):
    """Room for a robot of n arcs.

    Attributes
    ----------
    shapes : (n, 10) float
        A, B, C, D, A', B', A'', B'' of each arc (see :mod:`models.continuum_statics.arc`), cos gamma and
        sin gamma.
    local : (n, 3, 3) float
        Rotation of each arc.
    turned : (n + 1, 3, 3) float
        Frame of each arc's begin, then that of the tip.
    ends : (n, 3) float, m
        End of each arc in its begin's frame.
    turns, shifts, slopes : (n, 3, 3) float
        Rows for the three angles, base frame: rotation, own shift, and derivative of a moment.
    weights, ones : (n,) float, kg and 1
        Mass from each arc to the tip; ones.
    stiffness : (3n,) float, N m/rad
        EI/L, EI/L, GJ/L for each arc.
    gradient, step, diagonal, beside : (3n,) float
    hessian, factor : (3n, 3n) float
        Upper triangles.
    trial : (n, 3) float, rad
    """

    shapes: FloatArray
    local: FloatArray
    turned: FloatArray
    ends: FloatArray
    turns: FloatArray
    shifts: FloatArray
    slopes: FloatArray
    weights: FloatArray
    ones: FloatArray
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
    stiffness = np.empty(3 * n)
    for i in range(3 * n):
        stiffness[i] = (robot.GJ if i % 3 == 2 else robot.EI) / robot.L
    return Scratch(
        np.empty((n, 10)),
        np.empty((n, 3, 3)),
        np.empty((n + 1, 3, 3)),
        np.empty((n, 3)),
        np.empty((n, 3, 3)),
        np.empty((n, 3, 3)),
        np.empty((n, 3, 3)),
        np.empty(n),
        np.ones(n),
        stiffness,
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty(3 * n),
        np.empty((3 * n, 3 * n)),
        np.empty((3 * n, 3 * n)),
        np.empty((n, 3)),
    )
