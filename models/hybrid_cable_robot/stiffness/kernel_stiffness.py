"""Compiled stiffness matrix of one pose; :mod:`models.hybrid_cable_robot.stiffness.stiffness` is the twin.

With ``G = [I; r~]`` and ``w = G u`` the column of W, a cable of stiffness k and tension t adds
``(k - t/l) w w^T + t/l G G^T`` and, to the last block, ``t/l (d . r I - r d^T)`` with ``d = l u``.
"""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry, inner
from models.hybrid_cable_robot.cells.arrays import Elastic, Shape
from models.hybrid_cable_robot.geometry import SHORTEST_CABLE, FloatArray
from models.hybrid_cable_robot.stiffness.kernel_singular import inverse_condition
from models.hybrid_cable_robot.wrench.kernel_wrench import fill_matrix

Three = tuple[float, float, float]


@inner
def _arm(shape: Shape, rotation: FloatArray, i: int) -> Three:
    """Turned attachment of cable i [m]."""
    b0, b1, b2 = shape.attachments[i, 0], shape.attachments[i, 1], shape.attachments[i, 2]
    return (
        rotation[0, 0] * b0 + rotation[0, 1] * b1 + rotation[0, 2] * b2,
        rotation[1, 0] * b0 + rotation[1, 1] * b1 + rotation[1, 2] * b2,
        rotation[2, 0] * b0 + rotation[2, 1] * b1 + rotation[2, 2] * b2,
    )


@inner
def _length(shape: Shape, position: FloatArray, r: Three, i: int) -> float:
    """Length of cable i [m], at least the shortest."""
    x = shape.pulleys[i, 0] - position[0] - r[0]
    y = shape.pulleys[i, 1] - position[1] - r[1]
    z = shape.pulleys[i, 2] - position[2] - r[2]
    return max(math.sqrt(x * x + y * y + z * z), SHORTEST_CABLE)


@inner
def _add_turning(K: FloatArray, r: Three, d: Three, share: float) -> None:
    """Add ``share (G G^T)`` and, to the last block, ``share (d . r I - r d^T)``; all scaled."""
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    along = d[0] * r[0] + d[1] * r[1] + d[2] * r[2]
    for row in range(3):
        after, last = (row + 1) % 3, (row + 2) % 3
        K[row, row] += share
        K[3 + row, 3 + row] += share * (square + along)
        K[3 + row, after] -= share * r[last]
        K[3 + row, last] += share * r[after]
        K[after, 3 + row] -= share * r[last]
        K[last, 3 + row] += share * r[after]
        for column in range(3):
            K[3 + row, 3 + column] -= share * r[row] * (r[column] + d[column])


@inner
def fill_stiffness(
    shape: Shape,
    elastic: Elastic,
    rotation: FloatArray,
    position: FloatArray,
    tensions: FloatArray,
    W: FloatArray,
    K: FloatArray,
) -> float:
    """Fill K (6, 6), rotations scaled by the characteristic length, in units of the result [N/m].

    ``W`` (6, m) is the scaled wrench matrix of the pose, ``tensions`` (m,) N. The unit is the
    greatest stiffness that a cable has along or across itself, so that nothing under- or overflows.
    """
    cables, unit = W.shape[1], 0.0
    for i in range(cables):
        length = _length(shape, position, _arm(shape, rotation, i), i)
        stiffness = elastic.stiffness[i] / length if elastic.axial else elastic.stiffness[i]
        unit = max(unit, stiffness, tensions[i] / length)
    K[:, :] = 0.0
    for i in range(cables):
        x, y, z = _arm(shape, rotation, i)
        length = _length(shape, position, (x, y, z), i)
        stiffness = elastic.stiffness[i] / length if elastic.axial else elastic.stiffness[i]
        share = tensions[i] / length / unit
        along = stiffness / unit - share
        for row in range(6):
            for column in range(6):
                K[row, column] += along * W[row, i] * W[column, i]
        if share > 0.0:
            L = shape.length_scale
            reach = length / L
            d = (reach * W[0, i], reach * W[1, i], reach * W[2, i])
            _add_turning(K, (x / L, y / L, z / L), d, share)
    return unit


@entry
def stiffness_conditions(
    shape: Shape, elastic: Elastic, centers: FloatArray, tensions: FloatArray, out: FloatArray
) -> None:
    """Fill ``out`` (n,) with the inverse condition numbers of the scaled K at the nominal orientation.

    At positions (n, 3) m with tensions (n, m) N; 0 where a cable is too short.
    """
    W, K = np.empty((6, shape.pulleys.shape[0])), np.empty((6, 6))
    for cell in range(centers.shape[0]):
        out[cell] = 0.0
        if fill_matrix(shape, shape.rotations[0], centers[cell], W):
            fill_stiffness(shape, elastic, shape.rotations[0], centers[cell], tensions[cell], W, K)
            out[cell] = inverse_condition(K)
