"""Lengths of the cables and their derivatives, in plain numpy.

A cable runs straight from hole to hole; its length is the sum of the chords of
:func:`models.continuum.chain.chord`, each a function of one element's angles. :func:`cable_forms` is the
definition of ``cable_kernels.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import chord
from models.continuum_dynamics.robot import Robot


class CableForms(NamedTuple):
    """Lengths of m cables across n elements, with their derivatives.

    Attributes
    ----------
    lengths : (m,) float, m
    slopes : (m, 3n) float, m/rad
    curvatures : (m, n, 3, 3) float, m/rad^2
        Second derivatives by the angles of each element; those of two elements are zero.
    """

    lengths: FloatArray
    slopes: FloatArray
    curvatures: FloatArray


def cable_forms(robot: Robot, q: FloatArray) -> CableForms:
    """Lengths and derivatives in the state ``q`` (n, 3) [rad]."""
    cables, count = len(robot.holes), len(q)
    lengths, slopes = np.zeros(cables), np.zeros((cables, count, 3))
    curvatures = np.zeros((cables, count, 3, 3))
    for cable, hole in enumerate(robot.holes):
        for k in range(count):
            length, slopes[cable, k], curvatures[cable, k] = chord(q[k : k + 1], robot.L, hole)
            lengths[cable] += length
    return CableForms(lengths, slopes.reshape(cables, -1), curvatures)


def shortenings(robot: Robot, forms: CableForms) -> FloatArray:
    """Shortening [m] of each cable (m,) against the straight robot."""
    return len(robot.masses) * robot.L - forms.lengths
