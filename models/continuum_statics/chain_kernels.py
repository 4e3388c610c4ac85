"""Compiled arcs and chains of arcs, and the arrays that kernels work in.

What belongs to an arc stands in one row, at the columns that the constants below name: numba handles
one array much faster than ten.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import SERIES_UP_TO, TERMS
from models.continuum_statics.robot import Robot
from models.jit import entry, inner
from models.numerics.vector_kernels import Vector

SHAPE = 0  # A, B, C, D, A', B', A'', B'' (see models.continuum.arc), cos gamma, sin gamma
LOCAL = SHAPE + 10  # rotation of the arc, by rows
FRAME = LOCAL + 9  # frame where the arc begins, by rows; the row after the last arc holds the tip's
END = FRAME + 9  # end of the arc in the frame where it begins [m]
TURNS = END + 3  # for each angle, the rotation that it makes, base frame
SHIFTS = TURNS + 9  # for each angle, the slope of the arc's end [m/rad], base frame
SLOPES = SHIFTS + 9  # for each angle, the slope of a moment, base frame
WEIGHT = SLOPES + 9  # mass from the arc's end to the tip [kg]
ONE = WEIGHT + 1  # 1
COLUMNS = ONE + 1


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
def new_scratch(robot: Robot) -> Scratch:
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


Curvature = tuple[float, float, float, float, float, float]

_FIVE = tuple(1 / math.factorial(2 * j + 5) for j in range(TERMS))
_SIX = tuple(1 / math.factorial(2 * j + 6) for j in range(TERMS))


@inner
def shape_arc(q: FloatArray, k: int, arcs: FloatArray) -> float:
    """Fill the columns ``SHAPE`` of arc k; returns theta^2 [rad^2]."""
    u = q[k, 0] * q[k, 0] + q[k, 1] * q[k, 1]
    if u < SERIES_UP_TO:
        c5, c6 = 0.0, 0.0
        for j in range(TERMS - 1, -1, -1):
            c5 = _FIVE[j] - u * c5
            c6 = _SIX[j] - u * c6
    else:
        theta = math.sqrt(u)
        c5 = (1 / 6 - (1 - math.sin(theta) / theta) / u) / u
        c6 = (1 / 24 - (1 / 2 - (1 - math.cos(theta)) / u) / u) / u
    c4, c3 = 1 / 24 - u * c6, 1 / 6 - u * c5
    c2, c1 = 1 / 2 - u * c4, 1 - u * c3
    arcs[k, SHAPE], arcs[k, SHAPE + 1], arcs[k, SHAPE + 2], arcs[k, SHAPE + 3] = c1, c2, 1 - u * c2, c3
    arcs[k, SHAPE + 4], arcs[k, SHAPE + 5] = 0.5 * (c3 - c2), 0.5 * (2 * c4 - c3)
    arcs[k, SHAPE + 6] = 0.25 * (3 * c5 - 3 * c4 + c3)
    arcs[k, SHAPE + 7] = 0.25 * (8 * c6 - 5 * c5 + c4)
    arcs[k, SHAPE + 8], arcs[k, SHAPE + 9] = math.cos(q[k, 2]), math.sin(q[k, 2])
    return u


@inner
def turn(arcs: FloatArray, k: int, place: int, v: Vector) -> Vector:
    """Rotate ``v`` by the matrix whose rows stand at column ``place`` of arc k."""
    return (
        arcs[k, place] * v[0] + arcs[k, place + 1] * v[1] + arcs[k, place + 2] * v[2],
        arcs[k, place + 3] * v[0] + arcs[k, place + 4] * v[1] + arcs[k, place + 5] * v[2],
        arcs[k, place + 6] * v[0] + arcs[k, place + 7] * v[1] + arcs[k, place + 8] * v[2],
    )


@inner
def turn_back(arcs: FloatArray, k: int, place: int, v: Vector) -> Vector:
    """Rotate ``v`` by the transpose of that matrix."""
    return (
        arcs[k, place] * v[0] + arcs[k, place + 3] * v[1] + arcs[k, place + 6] * v[2],
        arcs[k, place + 1] * v[0] + arcs[k, place + 4] * v[1] + arcs[k, place + 7] * v[2],
        arcs[k, place + 2] * v[0] + arcs[k, place + 5] * v[1] + arcs[k, place + 8] * v[2],
    )


@inner
def put(arcs: FloatArray, k: int, place: int, v: Vector) -> None:
    """Write ``v`` at column ``place`` of arc k."""
    arcs[k, place], arcs[k, place + 1], arcs[k, place + 2] = v


@inner
def pull_along(arcs: FloatArray, k: int, place: int, weight: float, S: Vector) -> Vector:
    """``R S + W p`` of arc k, with R at column ``place``: a first moment seen from where the arc begins."""
    x, y, z = turn(arcs, k, place, S)
    return x + weight * arcs[k, END], y + weight * arcs[k, END + 1], z + weight * arcs[k, END + 2]


@inner
def place_arc(q: FloatArray, k: int, L: float, arcs: FloatArray) -> None:
    """Rotation, end and derivatives of arc k, and the frame where it ends."""
    alpha, beta = q[k, 0], q[k, 1]
    A, B, C, D = arcs[k, SHAPE], arcs[k, SHAPE + 1], arcs[k, SHAPE + 2], arcs[k, SHAPE + 3]
    A1, B1, c, s = arcs[k, SHAPE + 4], arcs[k, SHAPE + 5], arcs[k, SHAPE + 8], arcs[k, SHAPE + 9]
    xx, xy, yy = C + B * alpha * alpha, B * alpha * beta, C + B * beta * beta
    put(arcs, k, LOCAL, (c * xx + s * xy, c * xy - s * xx, A * beta))
    put(arcs, k, LOCAL + 3, (c * xy + s * yy, c * yy - s * xy, -A * alpha))
    put(arcs, k, LOCAL + 6, (A * (s * alpha - c * beta), A * (c * alpha + s * beta), C))
    put(arcs, k, END, (L * beta * B, -L * alpha * B, L * A))
    a, b = 2 * L * alpha, 2 * L * beta
    put(arcs, k, TURNS, turn(arcs, k, FRAME, (1 - D * beta * beta, D * alpha * beta, -B * beta)))
    put(arcs, k, TURNS + 3, turn(arcs, k, FRAME, (D * alpha * beta, 1 - D * alpha * alpha, B * alpha)))
    put(arcs, k, TURNS + 6, turn(arcs, k, FRAME, (A * beta, -A * alpha, C)))
    put(arcs, k, SHIFTS, turn(arcs, k, FRAME, (a * beta * B1, -a * alpha * B1 - L * B, a * A1)))
    put(arcs, k, SHIFTS + 3, turn(arcs, k, FRAME, (b * beta * B1 + L * B, -b * alpha * B1, b * A1)))
    for i in range(0, 9, 3):
        x, y, z = arcs[k, FRAME + i], arcs[k, FRAME + i + 1], arcs[k, FRAME + i + 2]
        put(arcs, k + 1, FRAME + i, turn_back(arcs, k, LOCAL, (x, y, z)))


@inner
def own_curvature(
    q: FloatArray, k: int, arcs: FloatArray, L: float, F: Vector, weight: float, S: Vector
) -> Curvature:
    """Second derivatives of arc k: alpha alpha, alpha beta, beta beta, alpha gamma, beta gamma, gamma gamma.

    Of ``F . (W p + R S)``; see :func:`models.continuum.arc.force_curvature`.
    """
    alpha, beta = q[k, 0], q[k, 1]
    A, B, A1, B1 = arcs[k, SHAPE], arcs[k, SHAPE + 1], arcs[k, SHAPE + 4], arcs[k, SHAPE + 5]
    A2, B2, c, s = arcs[k, SHAPE + 6], arcs[k, SHAPE + 7], arcs[k, SHAPE + 8], arcs[k, SHAPE + 9]
    vx, vy, vz = c * S[0] - s * S[1], s * S[0] + c * S[1], S[2]
    e = beta * F[0] - alpha * F[1]
    w, z = alpha * vy - beta * vx, alpha * vx + beta * vy
    m = weight * L + w
    X, Y, Z = F[2] * m + vz * e, e * m, F[2] * vz
    mixed_a = A1 * (F[2] * vy - vz * F[1]) + B1 * (e * vy - F[1] * m)
    mixed_b = A1 * (vz * F[0] - F[2] * vx) + B1 * (F[0] * m - e * vx)
    mixed_g = 2 * z * (A1 * F[2] + B1 * e)
    slope = 2 * (A1 * X + B1 * Y) - A * Z
    curvature = 4 * (A2 * X + B2 * Y) - 2 * A1 * Z
    return (
        curvature * alpha * alpha + slope + 4 * alpha * mixed_a - 2 * B * F[1] * vy,
        curvature * alpha * beta + 2 * (alpha * mixed_b + beta * mixed_a) + B * (F[0] * vy + F[1] * vx),
        curvature * beta * beta + slope + 4 * beta * mixed_b - 2 * B * F[0] * vx,
        alpha * mixed_g + A * F[2] * vx + B * (e * vx - F[1] * z),
        beta * mixed_g + A * F[2] * vy + B * (e * vy + F[0] * z),
        -A * F[2] * w - B * e * w - F[0] * vx - F[1] * vy,
    )


SMALL = 1e-8  # [rad]; the next term of both series is lost in rounding


@inner
def tip(L: float, q: FloatArray) -> tuple[float, float, float]:
    """Position [m] of the last arc's end in a state (n, 3) [rad]; NaN stays NaN.

    ``L`` [m] is the length of an arc. Equations 6, 7, 13 and 14, from the tip inwards.
    """
    x, y, z = 0.0, 0.0, 0.0
    for k in range(len(q) - 1, -1, -1):
        alpha, beta, gamma = q[k, 0], q[k, 1], q[k, 2]
        theta = math.sqrt(alpha * alpha + beta * beta)
        sinc, half = 1.0, 1.0
        if theta > SMALL:
            sinc, half = math.sin(theta) / theta, 2 * math.sin(0.5 * theta) / theta
        B, C = 0.5 * half * half, math.cos(theta)
        c, s = math.cos(gamma), math.sin(gamma)
        x, y = c * x - s * y, s * x + c * y
        along = B * (alpha * x + beta * y)
        x, y, z = (
            C * x + along * alpha + sinc * beta * z + L * beta * B,
            C * y + along * beta - sinc * alpha * z - L * alpha * B,
            C * z + sinc * (alpha * y - beta * x) + L * sinc,
        )
    return x, y, z


def tips(L: float, states: FloatArray) -> FloatArray:
    """:func:`tip`, (k, 3) of states (k, n, 3)."""
    found = np.empty((len(states), 3))
    _tips(L, states, found)
    return found


@entry
def _tips(L: float, states: FloatArray, found: FloatArray) -> None:
    for place in range(len(states)):
        found[place, 0], found[place, 1], found[place, 2] = tip(L, states[place])
