"""Compiled conditioning of translations alone and of rotations alone, cell by cell.

:func:`models.hybrid_cable_robot.cells.twin.block_conditions` is the twin.
"""

from __future__ import annotations

import numpy as np

from models.compiled import entry
from models.hybrid_cable_robot.cells.arrays import Elastic, Shape
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.stiffness.kernel_singular import inverse_condition
from models.hybrid_cable_robot.stiffness.kernel_stiffness import fill_stiffness
from models.hybrid_cable_robot.wrench.kernel_wrench import fill_matrix


@entry
def fill_block_conditions(
    shape: Shape, elastic: Elastic, centers: FloatArray, tensions: FloatArray, out: FloatArray
) -> None:
    """Fill ``out`` (n, 4) with inverse condition numbers at the nominal orientation.

    Of the translation and rotation blocks of K, and of the translation and rotation columns of J; at
    positions (n, 3) m with tensions (n, m) N. All 0 where a cable is too short.
    """
    W, K, block = np.empty((6, shape.pulleys.shape[0])), np.empty((6, 6)), np.empty((3, 3))
    rotation = shape.rotations[0]
    for cell in range(centers.shape[0]):
        out[cell, :] = 0.0
        if not fill_matrix(shape, rotation, centers[cell], W):
            continue
        fill_stiffness(shape, elastic, rotation, centers[cell], tensions[cell], W, K)
        block[:, :] = K[:3, :3]
        out[cell, 0] = inverse_condition(block)
        block[:, :] = K[3:, 3:]
        out[cell, 1] = inverse_condition(block)
        out[cell, 2] = inverse_condition(W[:3])
        out[cell, 3] = inverse_condition(W[3:])
