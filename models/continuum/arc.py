"""One arc of constant curvature: rotation, shift and their derivatives (equations 6 and 7).

An arc bends by theta = sqrt(u), u = alpha^2 + beta^2, about k = (alpha, beta, 0), then twists by gamma
about its end's z. With Stumpff's functions ``c_k(u) = sum_j (-u)^j / (2j + k)!`` (cos theta = c_0,
sin theta / theta = c_1, (1 - cos theta) / theta^2 = c_2) nothing is singular at theta = 0, and since
``c_k = 1/k! - u c_(k+2)`` and ``dc_k/du = (k c_(k+2) - c_(k+1)) / 2`` the functions c_5 and c_6 give all
others and all derivatives.

:func:`arc` is the definition. Derived from it are ``shape_arc``, ``place_arc`` and ``own_curvature`` in
``continuum_statics/chain_kernels.py``, and for the end alone ``tip``; and without the twist
``section_functions``, ``place_sections`` and ``fill_slopes`` in ``continuum_kinematics/residual_kernels.py``
and ``fill_tips`` in ``state_kernels.py`` there. Derived from it, too, are ``shape_arc`` and ``place_arc`` in
``continuum_dynamics/relative/motion_kernels.py``.
Tests compare the first with it and with closed forms (``tests/models/continuum/test_arc_contract.py``), the
others with the Jacobians that are made of it (``tests/models/continuum_kinematics/test_inverse.py``,
``tests/models/continuum_dynamics/relative/test_motion.py``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray

SERIES_UP_TO = 10.0  # [rad^2]; a little more than pi^2
TERMS = 13  # of the power series; what they leave out is below 1e-17 there


class ArcFunctions(NamedTuple):
    """Functions of u (float, rad^2): A = c_1, B = c_2, C = c_0, D = c_3 and derivatives with respect to u."""

    A: float
    B: float
    C: float
    D: float
    A1: float
    B1: float
    A2: float
    B2: float


def arc_functions(u: float) -> ArcFunctions:
    """The functions of an arc that bends by sqrt(u) rad."""
    c5, c6 = _series(u) if u < SERIES_UP_TO else _closed(u)
    c4, c3 = 1 / 24 - u * c6, 1 / 6 - u * c5
    c2, c1 = 1 / 2 - u * c4, 1 - u * c3
    return ArcFunctions(
        A=c1,
        B=c2,
        C=1 - u * c2,
        D=c3,
        A1=(c3 - c2) / 2,
        B1=(2 * c4 - c3) / 2,
        A2=(3 * c5 - 3 * c4 + c3) / 4,
        B2=(8 * c6 - 5 * c5 + c4) / 4,
    )


def _series(u: float) -> tuple[float, float]:
    """c_5 and c_6 by their power series."""
    c5, c6 = 0.0, 0.0
    for j in range(TERMS - 1, -1, -1):
        c5 = 1 / math.factorial(2 * j + 5) - u * c5
        c6 = 1 / math.factorial(2 * j + 6) - u * c6
    return c5, c6


def _closed(u: float) -> tuple[float, float]:
    """c_5 and c_6 by sine and cosine."""
    theta = math.sqrt(u)
    c3 = (1 - math.sin(theta) / theta) / u
    c4 = (1 / 2 - (1 - math.cos(theta)) / u) / u
    return (1 / 6 - c3) / u, (1 / 24 - c4) / u


class Arc(NamedTuple):
    """An arc in the frame where it begins.

    Attributes
    ----------
    R : (3, 3) float
        From the end's frame to the begin's.
    p : (3,) float, m
        The end.
    turns : (3, 3) float
        Row i is the vector w with ``dR/dq_i = [w]x R``, q = (alpha, beta, gamma).
    shifts : (3, 3) float, m/rad
        Row i is ``dp/dq_i``.
    """

    R: FloatArray
    p: FloatArray
    turns: FloatArray
    shifts: FloatArray


def arc(q: FloatArray, L: float) -> Arc:
    """The arc of length ``L`` [m] with the angles ``q`` (3,) [rad]."""
    alpha, beta, gamma = (float(angle) for angle in q)
    f = arc_functions(alpha**2 + beta**2)
    A, B, C, D = f.A, f.B, f.C, f.D
    bend = np.array(
        [
            [C + B * alpha**2, B * alpha * beta, A * beta],
            [B * alpha * beta, C + B * beta**2, -A * alpha],
            [-A * beta, A * alpha, C],
        ]
    )
    turns = np.array(
        [
            [1 - D * beta**2, D * alpha * beta, -B * beta],
            [D * alpha * beta, 1 - D * alpha**2, B * alpha],
            [A * beta, -A * alpha, C],
        ]
    )
    p = np.array([beta * B, -alpha * B, A])
    along = np.array([beta * f.B1, -alpha * f.B1, f.A1])  # dp/du for L = 1
    shifts = np.array([2 * alpha * along, 2 * beta * along, np.zeros(3)])
    shifts[0, 1] -= B
    shifts[1, 0] += B
    return Arc(bend @ twist(gamma), L * p, turns, L * shifts)


def arc_angles(R: FloatArray) -> FloatArray:
    """Angles alpha, beta, gamma (..., 3) [rad] of the arcs whose ends have the rotations ``R`` (..., 3, 3).

    For bends below half a turn. ``R e3 = (A beta, -A alpha, C)``; and the twist turns x and y alike.
    """
    sine = np.hypot(R[..., 0, 2], R[..., 1, 2])
    ratio = np.where(sine > 0.0, np.arctan2(sine, R[..., 2, 2]) / np.where(sine > 0.0, sine, 1.0), 1.0)
    gamma = np.arctan2(R[..., 1, 0] - R[..., 0, 1], R[..., 0, 0] + R[..., 1, 1])
    return np.stack([-ratio * R[..., 1, 2], ratio * R[..., 0, 2], gamma], axis=-1)


def twist(gamma: float) -> FloatArray:
    """Rotation (3, 3) by ``gamma`` [rad] about z."""
    c, s = math.cos(gamma), math.sin(gamma)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def force_curvature(q: FloatArray, L: float, force: FloatArray, weight: float, arm: FloatArray) -> FloatArray:
    """Second derivatives (3, 3) of ``F . (W p + R S)`` with respect to an arc's angles.

    Parameters
    ----------
    q : (3,) float, rad
        alpha, beta, gamma.
    L : float, m
        Length of the arc.
    force : (3,) float
        F, in the frame where the arc begins.
    weight : float
        W, weight of the arc's end.
    arm : (3,) float
        S, first moment of all beyond, in the frame where the arc ends.

    Notes
    -----
    With v = Rz(gamma) S, e = beta F_x - alpha F_y and m = W L + alpha v_y - beta v_x the product is
    ``F_x v_x + F_y v_y + C F_z v_z + A (F_z m + v_z e) + B e m``: an arc shifts and turns by the same
    functions.
    """
    alpha, beta, gamma = (float(angle) for angle in q)
    f = arc_functions(alpha**2 + beta**2)
    F, v = force, twist(gamma) @ arm
    e, w, z = beta * F[0] - alpha * F[1], alpha * v[1] - beta * v[0], alpha * v[0] + beta * v[1]
    m = weight * L + w
    X, Y, Z = F[2] * m + v[2] * e, e * m, F[2] * v[2]
    X1 = np.array([F[2] * v[1] - v[2] * F[1], v[2] * F[0] - F[2] * v[0], F[2] * z])
    Y1 = np.array([e * v[1] - F[1] * m, F[0] * m - e * v[0], e * z])
    X2 = F[2] * np.array([[0, 0, v[0]], [0, 0, v[1]], [v[0], v[1], -w]])
    bends, first, second = F[0] * v[1] + F[1] * v[0], e * v[0] - F[1] * z, e * v[1] + F[0] * z
    Y2 = np.array(
        [[-2 * F[1] * v[1], bends, first], [bends, -2 * F[0] * v[0], second], [first, second, -e * w]]
    )
    u1 = np.array([2 * alpha, 2 * beta, 0.0])
    slope = -f.A / 2 * Z + f.A1 * X + f.B1 * Y
    curvature = -f.A1 / 2 * Z + f.A2 * X + f.B2 * Y
    mixed = np.outer(u1, f.A1 * X1 + f.B1 * Y1)
    hessian = f.A * X2 + f.B * Y2 + curvature * np.outer(u1, u1) + mixed + mixed.T
    hessian[[0, 1], [0, 1]] += 2 * slope
    hessian[2, 2] -= F[0] * v[0] + F[1] * v[1]
    return hessian
