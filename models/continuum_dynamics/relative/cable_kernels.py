"""Compiled lengths of the cables; defined in ``tests/oracles/relative_motion.py``."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.relative.motion_kernels import shape_arc
from models.continuum_dynamics.robot import Robot
from models.jit import entry, inner


class CableScratch(NamedTuple):
    """Lengths of m cables across n arcs, and their derivatives.

    Attributes
    ----------
    lengths : (m,) float, m
    slopes : (m, 3n) float, m/rad
    curvatures : (m, n, 6) float, m/rad^2
        By alpha alpha, alpha beta, beta beta, alpha gamma, beta gamma, gamma gamma of one arc.
    """

    lengths: FloatArray
    slopes: FloatArray
    curvatures: FloatArray


@inner
def fill_chord(
    q: FloatArray, k: int, L: float, x: float, y: float, shape: FloatArray, slope: FloatArray, out: FloatArray
) -> float:
    """Length [m] of a chord across arc k; its derivatives into ``slope`` (3n,) and ``out`` (6,).

    Half the squared length is ``r^2 (1 - cos gamma) + B a b`` with a = L + alpha y' - beta x',
    b = L + alpha y - beta x and (x', y') the hole (x, y) turned by gamma.
    """
    alpha, beta, B, B1, B2 = q[3 * k], q[3 * k + 1], shape[k, 1], shape[k, 5], shape[k, 7]
    c, s = shape[k, 8], shape[k, 9]
    tx, ty, square = c * x - s * y, s * x + c * y, x * x + y * y
    w, z = alpha * ty - beta * tx, alpha * tx + beta * ty
    a, b = L + w, L + alpha * y - beta * x
    length = math.sqrt(max(2 * (square * (1 - c) + B * a * b), 1e-30))
    inverse = 1.0 / length
    sum_a, sum_b = ty * b + a * y, -(tx * b + a * x)
    first, second = 2 * B1 * a * b, 4 * B2 * a * b
    g0, g1 = inverse * (alpha * first + B * sum_a), inverse * (beta * first + B * sum_b)
    g2 = inverse * (square * s + B * z * b)
    slope[3 * k], slope[3 * k + 1], slope[3 * k + 2] = g0, g1, g2
    aa = first + second * alpha * alpha + 4 * alpha * B1 * sum_a + 2 * B * ty * y
    ab = second * alpha * beta + 2 * B1 * (alpha * sum_b + beta * sum_a) - B * (tx * y + ty * x)
    bb = first + second * beta * beta + 4 * beta * B1 * sum_b + 2 * B * tx * x
    out[0], out[1], out[2] = inverse * (aa - g0 * g0), inverse * (ab - g0 * g1), inverse * (bb - g1 * g1)
    out[3] = inverse * (2 * alpha * B1 * z * b + B * (tx * b + z * y) - g0 * g2)
    out[4] = inverse * (2 * beta * B1 * z * b + B * (ty * b - z * x) - g1 * g2)
    out[5] = inverse * (square * c - B * w * b - g2 * g2)
    return length


@inner
def fill_cables(robot: Robot, q: FloatArray, shape: FloatArray, scratch: CableScratch) -> None:
    """Lengths and derivatives of all cables in a state (3n,) whose arcs are in ``shape``."""
    for cable in range(len(robot.holes)):
        total, x, y = 0.0, robot.holes[cable, 0], robot.holes[cable, 1]
        for k in range(len(robot.masses)):
            slope, out = scratch.slopes[cable], scratch.curvatures[cable, k]
            total += fill_chord(q, k, robot.L, x, y, shape, slope, out)
        scratch.lengths[cable] = total


@inner
def bent(curvatures: FloatArray, v: FloatArray) -> float:
    """``v^T H v`` of one cable with the second derivatives ``curvatures`` (n, 6)."""
    total = 0.0
    for k in range(len(curvatures)):
        h, a, b, g = curvatures[k], v[3 * k], v[3 * k + 1], v[3 * k + 2]
        total += a * (h[0] * a + 2 * (h[1] * b + h[3] * g)) + b * (h[2] * b + 2 * h[4] * g) + h[5] * g * g
    return total


@inner
def add_curvature(curvatures: FloatArray, tension: float, out: FloatArray) -> None:
    """Add ``tension`` times the second derivatives (n, 6) to the lower triangle of ``out`` (3n, 3n)."""
    for k in range(len(curvatures)):
        h, a = curvatures[k], 3 * k
        out[a, a] += tension * h[0]
        out[a + 1, a] += tension * h[1]
        out[a + 1, a + 1] += tension * h[2]
        out[a + 2, a] += tension * h[3]
        out[a + 2, a + 1] += tension * h[4]
        out[a + 2, a + 2] += tension * h[5]


@entry
def evaluate_cables(
    robot: Robot, q: FloatArray, lengths: FloatArray, slopes: FloatArray, curvatures: FloatArray
) -> None:
    """Fill lengths (m,), slopes (m, 3n) and curvatures (m, n, 6) of a state (3n,)."""
    shape = np.empty((len(robot.masses), 10))
    for k in range(len(robot.masses)):
        shape_arc(q, k, shape)
    fill_cables(robot, q, shape, CableScratch(lengths, slopes, curvatures))
