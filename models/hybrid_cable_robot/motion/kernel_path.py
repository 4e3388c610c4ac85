"""Compiled collision tests along a path."""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry
from models.floats import FloatArray, IntArray
from models.hybrid_cable_robot.cells.arrays import Shape
from models.hybrid_cable_robot.collisions.kernel_collision import cable_distance, platform_clearance


@entry
def fill_gaps(
    shape: Shape,
    pairs: IntArray,
    reliefs: FloatArray,
    half_size: FloatArray,
    rotations: FloatArray,
    positions: FloatArray,
    distances: FloatArray,
    clearances: FloatArray,
) -> None:
    """Fill ``distances`` and ``clearances`` (n,) m for n poses of the platform.

    The least distance of the axes of the paired cables (k, 2), less ``reliefs`` (k,) m next to the
    platform, and the slab test's clearance of the platform box of ``half_size`` (3,) m, at ``rotations``
    (n, 3, 3) and ``positions`` (n, 3) m. No cable may be without length.
    """
    cables = np.empty((shape.pulleys.shape[0], 7))
    for i in range(positions.shape[0]):
        distances[i] = math.sqrt(cable_distance(shape, pairs, reliefs, rotations[i], positions[i], cables))
        clearances[i] = platform_clearance(shape, rotations[i], positions[i], half_size)
