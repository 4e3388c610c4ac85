"""Compiled responses of the platform: to a load, and to errors of the cables' lengths.

:func:`models.hybrid_cable_robot.cells.twin.responses` is the twin.
"""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry, inner
from models.hybrid_cable_robot.cells.arrays import Elastic, Shape
from models.hybrid_cable_robot.cells.verdicts import GREATEST_RESPONSE
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.stiffness.kernel_index import fill_gram
from models.hybrid_cable_robot.stiffness.kernel_singular import singular_extremes
from models.hybrid_cable_robot.stiffness.kernel_solve import solve
from models.hybrid_cable_robot.stiffness.kernel_stiffness import fill_stiffness
from models.hybrid_cable_robot.wrench.kernel_wrench import fill_matrix


@inner
def _greatest_root(block: FloatArray) -> float:
    """Root of the greatest eigenvalue of a symmetric block (3, 3) >= 0, which is overwritten."""
    return min(math.sqrt(singular_extremes(block)[1]), GREATEST_RESPONSE)


@inner
def _displacement(system: FloatArray, unit: float) -> float:
    """Length of the translation [m] that solves the system (6, 7), K in units of ``unit`` [N/m]."""
    if not solve(system):
        return GREATEST_RESPONSE
    x, y, z = system[0, 6], system[1, 6], system[2, 6]
    length = math.sqrt(x * x + y * y + z * z) / unit
    if not length < GREATEST_RESPONSE:  # nor when it is not a number
        return GREATEST_RESPONSE
    return length


@entry
def fill_responses(
    shape: Shape,
    elastic: Elastic,
    load: FloatArray,
    centers: FloatArray,
    tensions: FloatArray,
    out: FloatArray,
) -> None:
    """Fill ``out`` (n, 3): displacement under the load [m], rotation [rad/m] and point [1] sensitivity.

    At positions (n, 3) m, the nominal orientation, with tensions (n, m) N. The load (6,) has its
    torques divided by the characteristic length, N. At most ``GREATEST_RESPONSE`` where singular.
    """
    W, gram = np.empty((6, shape.pulleys.shape[0])), np.empty((10, 6))
    K, system, inverse, block = np.empty((6, 6)), np.empty((6, 7)), np.empty((6, 12)), np.empty((3, 3))
    identity, ones, rotation = np.eye(6), np.ones(shape.pulleys.shape[0]), shape.rotations[0]
    for cell in range(centers.shape[0]):
        out[cell, :] = GREATEST_RESPONSE
        if not fill_matrix(shape, rotation, centers[cell], W):
            continue
        unit = fill_stiffness(shape, elastic, rotation, centers[cell], tensions[cell], W, K)
        system[:, :6], system[:, 6] = K, load
        out[cell, 0] = _displacement(system, unit)
        fill_gram(W, ones, gram)
        inverse[:, :6], inverse[:, 6:] = gram[:6], identity
        if solve(inverse):
            block[:, :] = inverse[3:, 9:]
            out[cell, 1] = _greatest_root(block) / shape.length_scale
            block[:, :] = inverse[:3, 6:9]
            out[cell, 2] = _greatest_root(block)
