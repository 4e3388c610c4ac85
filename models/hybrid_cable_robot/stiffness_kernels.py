"""Compiled stiffness, conditioning and responses of one pose, as ``stiffness`` states them.

With ``G = [I; r~]`` and ``w = G u`` the column of W, a cable of stiffness k and tension t adds
``(k - t/l) w w^T + t/l G G^T`` and, to the last block, ``t/l (d . r I - r d^T)`` with ``d = l u``.

The definitions of what the entries fill are in :mod:`models.hybrid_cable_robot.cell_tests`.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.kernel_records import GREATEST_RESPONSE, Elastic, Geometry
from models.hybrid_cable_robot.robot import SHORTEST_CABLE
from models.hybrid_cable_robot.wrench_test_kernels import fill_matrix
from models.jit import entry, inner
from models.numerics.small_matrices import inverse_condition, singular_extremes, solve

STEPS = 40  # per eigenvalue; the iteration needs two or three
EPSILON = 2.3e-16


@entry
def fill_gram(W: FloatArray, weights: FloatArray, A: FloatArray) -> None:
    """First six rows of A: W diag(weights) W^T."""
    for row in range(6):
        for other in range(row + 1):
            total = 0.0
            for i in range(W.shape[1]):
                total += W[row, i] * weights[i] * W[other, i]
            A[row, other] = total
            A[other, row] = total


@inner
def _reflect(A: FloatArray, k: int) -> float:
    """Clear column k of A[:6] below the subdiagonal; returns the subdiagonal entry."""
    v, p = A[8], A[9]
    square = 0.0
    for row in range(k + 1, 6):
        v[row] = A[row, k]
        square += v[row] * v[row]
    if square == 0.0:
        return 0.0
    norm = math.copysign(math.sqrt(square), v[k + 1])
    scale = 1.0 / (square + norm * v[k + 1])  # 2 / |v|^2
    v[k + 1] += norm
    dot = 0.0
    for row in range(k + 1, 6):
        total = 0.0
        for other in range(k + 1, 6):
            total += A[row, other] * v[other]
        p[row] = scale * total
        dot += p[row] * v[row]
    for row in range(k + 1, 6):
        p[row] -= 0.5 * scale * dot * v[row]
    for row in range(k + 1, 6):
        for other in range(k + 1, 6):
            A[row, other] -= v[row] * p[other] + p[row] * v[other]
    return -norm


@inner
def _tridiagonal(A: FloatArray) -> None:
    """Reduce the symmetric A[:6] by reflections; diagonal and subdiagonal go to A[6] and A[7]."""
    for k in range(4):
        A[7, k] = _reflect(A, k)
    A[7, 4] = A[5, 4]
    A[7, 5] = 0.0
    for row in range(6):
        A[6, row] = A[row, row]


@inner
def _chase(diagonal: FloatArray, off: FloatArray, first: int, last: int) -> None:
    """One implicit QL step with Wilkinson's shift on rows first..last."""
    ratio = (diagonal[first + 1] - diagonal[first]) / (2.0 * off[first])
    radius = math.sqrt(ratio * ratio + 1.0)
    shifted = diagonal[last] - diagonal[first] + off[first] / (ratio + math.copysign(radius, ratio))
    sine, cosine, carried = 1.0, 1.0, 0.0
    for row in range(last - 1, first - 1, -1):
        bulge = sine * off[row]
        kept = cosine * off[row]
        radius = math.sqrt(bulge * bulge + shifted * shifted)
        off[row + 1] = radius
        if radius == 0.0:
            diagonal[row + 1] -= carried
            off[last] = 0.0
            return
        sine, cosine = bulge / radius, shifted / radius
        shifted = diagonal[row + 1] - carried
        radius = (diagonal[row] - shifted) * sine + 2.0 * cosine * kept
        carried = sine * radius
        diagonal[row + 1] = shifted + carried
        shifted = cosine * radius - kept
    diagonal[first] -= carried
    off[first] = shifted
    off[last] = 0.0


@entry
def symmetric_inverse_condition(A: FloatArray) -> float:
    """Least over greatest eigenvalue of the symmetric A[:6] >= 0, in [0, 1].

    A (10, 6) is overwritten.
    """
    _tridiagonal(A)
    diagonal, off = A[6], A[7]
    for first in range(6):
        for _ in range(STEPS):
            last = first
            while last < 5 and abs(off[last]) > EPSILON * (abs(diagonal[last]) + abs(diagonal[last + 1])):
                last += 1
            if last == first:
                break
            _chase(diagonal, off, first, last)
    least, greatest = diagonal[0], diagonal[0]
    for row in range(1, 6):
        least = min(least, diagonal[row])
        greatest = max(greatest, diagonal[row])
    return max(least, 0.0) / greatest if greatest > 0.0 else 0.0


Three = tuple[float, float, float]


@inner
def _arm(shape: Geometry, rotation: FloatArray, i: int) -> Three:
    """Turned attachment of cable i [m]."""
    b0, b1, b2 = shape.attachments[i, 0], shape.attachments[i, 1], shape.attachments[i, 2]
    return (
        rotation[0, 0] * b0 + rotation[0, 1] * b1 + rotation[0, 2] * b2,
        rotation[1, 0] * b0 + rotation[1, 1] * b1 + rotation[1, 2] * b2,
        rotation[2, 0] * b0 + rotation[2, 1] * b1 + rotation[2, 2] * b2,
    )


@inner
def _length(shape: Geometry, position: FloatArray, r: Three, i: int) -> float:
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
    shape: Geometry,
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
    shape: Geometry, elastic: Elastic, centers: FloatArray, tensions: FloatArray, out: FloatArray
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


@entry
def fill_block_conditions(
    shape: Geometry, elastic: Elastic, centers: FloatArray, tensions: FloatArray, out: FloatArray
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
    shape: Geometry,
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
