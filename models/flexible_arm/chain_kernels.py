"""Compiled equations of motion of the arm; ``tests/oracles/flexible_arm_equations.py`` is the definition.

The accelerations by a recursion whose work grows with the number of links alone (articulated bodies:
Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7). The links' angles are absolute and their
joints free, hence only forces pass a joint: what hangs beyond it answers to its acceleration a, gravity
included, with the force ``M a + p``, of a symmetric 2 x 2 articulated mass M and a bias p. From the last link
to the first, each link eliminates its own modal coordinates and its angle and hands M and p on.

All of a link is worked out in its own axes, along it and across. There, its modes meet the rest of the chain
by a load along ``W(l)`` alone, and the inverse of ``ce + M_22 W W^T`` follows from the constant inverse of
``ce`` by the formula of Sherman and Morrison.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm, modal_counts
from models.jit import inlined, inner

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Joint = tuple[float, float, float, float, float]
"""Articulated mass 11, 12, 22 [kg] and bias 1, 2 [N] of what hangs at a joint."""

# Columns of ``Scratch.links``.
COS, SIN, SAG, BIAS_1, BIAS_2, MASS_12, MASS_22, FORCE, SWING, SHARE, UNFORCED = range(11)
COUPLING_1, COUPLING_2, INVERSE, MOMENT = range(11, 15)


class Scratch(NamedTuple):
    """Constants of the arm, and room for one evaluation of :func:`accelerations_into`.

    Attributes
    ----------
    answers : (M, 3) float
        Columns of ``ce^-1 [a, b, W(l)]``.
    products : (n, 6) float
        For each link, ``x^T ce^-1 y`` of a a, a b, a W, b b, b W, W W.
    matrices : (n, 3, k, k) float
        For each link, ``ce^-1`` times c, stiffness and damping.
    unforced : (M,) float, m/s^2
        Room: ``ce^-1 h`` of the modal bias forces h.
    links : (n, 15) float
        Room: what the way back needs of every link.
    """

    answers: FloatArray
    products: FloatArray
    matrices: FloatArray
    unforced: FloatArray
    links: FloatArray


def chain_scratch(arm: Arm) -> Scratch:
    """Constants and room for the accelerations of this arm."""
    n, k = arm.c.shape[:2]
    loads = np.stack([arm.a, arm.b, arm.end_shape], axis=1)
    answers, products, matrices = np.zeros_like(loads), np.zeros((n, 6)), np.zeros((n, 3, k, k))
    for i, count in enumerate(modal_counts(arm)):
        own = slice(arm.offsets[i] - 2 - n, arm.offsets[i + 1] - 2 - n)
        ce = arm.ce[i, :count, :count]
        answers[own] = np.linalg.solve(ce, loads[own])
        products[i] = (loads[own].T @ answers[own])[np.triu_indices(3)]
        for at, matrix in enumerate((arm.c[i], arm.stiffness[i], arm.air[i] + arm.structure[i])):
            matrices[i, at, :count, :count] = np.linalg.solve(ce, matrix[:count, :count])
    return Scratch(answers, products, matrices, np.zeros(len(loads)), np.zeros((n, 15)))


@inner
def end_states(arm: Arm, z: FloatArray, v: FloatArray, points: FloatArray, velocities: FloatArray) -> None:
    """Fill places [m] and velocities [m/s] (n + 1, 2) of the first end and of all links' far ends."""
    n = len(arm.lengths)
    x, y, vx, vy = z[0], z[1], v[0], v[1]
    points[0, 0], points[0, 1], velocities[0, 0], velocities[0, 1] = x, y, vx, vy
    for i in range(n):
        c, s, w, L = math.cos(z[2 + i]), math.sin(z[2 + i]), v[2 + i], arm.lengths[i]
        sag, rate = sag_of(arm, i, z, v)
        along, across = -w * sag, w * L + rate
        x += c * L - s * sag
        y += s * L + c * sag
        vx += c * along - s * across
        vy += s * along + c * across
        points[i + 1, 0], points[i + 1, 1] = x, y
        velocities[i + 1, 0], velocities[i + 1, 1] = vx, vy


@inner
def turned(c: float, s: float, joint: Joint) -> Joint:
    """A joint's articulated mass and bias in axes that are turned by the angle of cosine c and sine s."""
    xx, xy, yy, x, y = joint
    return (
        c * c * xx + 2 * c * s * xy + s * s * yy,
        c * s * (yy - xx) + (c * c - s * s) * xy,
        s * s * xx - 2 * c * s * xy + c * c * yy,
        c * x + s * y,
        c * y - s * x,
    )


@inlined
def sag_of(arm: Arm, i: int, z: FloatArray, v: FloatArray) -> Pair:
    """``W(l).delta`` [m] of link i, and its rate [m/s]."""
    n, sag, rate = len(arm.lengths), 0.0, 0.0
    for j in range(arm.offsets[i], arm.offsets[i + 1]):
        sag += arm.end_shape[j - 2 - n] * z[j]
        rate += arm.end_shape[j - 2 - n] * v[j]
    return sag, rate


@inlined
def bend_link(
    arm: Arm, i: int, z: FloatArray, v: FloatArray, scratch: Scratch
) -> tuple[Pair, Pair, Pair, Triple]:
    """Fill ``unforced`` of link i; returns what its bending adds to the link's own terms.

    These are a.delta, W.delta and delta c delta, each followed by what its rate needs (delta c delta' of the
    last), and the products of a, b and W(l) with ``unforced``. One loop does it all: numba counts references
    to every array around a function that has many.
    """
    first, count, square = int(arm.offsets[i]), int(arm.offsets[i + 1] - arm.offsets[i]), v[2 + i] * v[2 + i]
    shift, shift_rate, sag, sag_rate, stretch, change = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    along_a, along_b, along_w, own = 0.0, 0.0, 0.0, first - 2 - len(arm.lengths)
    for j in range(count):
        bend, rate, momentum, unforced = z[first + j], v[first + j], 0.0, 0.0
        for m in range(count):
            momentum += arm.c[i, j, m] * z[first + m]
            stiffness = scratch.matrices[i, 1, j, m] - square * scratch.matrices[i, 0, j, m]
            unforced += stiffness * z[first + m] + scratch.matrices[i, 2, j, m] * v[first + m]
        scratch.unforced[own + j] = unforced
        a, b, W = arm.a[own + j], arm.b[own + j], arm.end_shape[own + j]
        shift, shift_rate = shift + a * bend, shift_rate + a * rate
        sag, sag_rate = sag + W * bend, sag_rate + W * rate
        stretch, change = stretch + momentum * bend, change + momentum * rate
        along_a, along_b, along_w = along_a + a * unforced, along_b + b * unforced, along_w + W * unforced
    return (shift, shift_rate), (sag, sag_rate), (stretch, change), (along_a, along_b, along_w)


@inner
def products_of(i: int, scratch: Scratch) -> tuple[float, float, float, float, float, float]:
    """Row i of ``products``."""
    own = scratch.products
    return own[i, 0], own[i, 1], own[i, 2], own[i, 3], own[i, 4], own[i, 5]


@inner
def keep_link(
    i: int, scratch: Scratch, frame: Joint, modal: tuple[float, float, float, float, float, float],
    eliminated: tuple[float, float, float, float],
) -> None:  # fmt: skip
    """Put what the way back needs into row i of ``links``, in the order of its columns."""
    links = scratch.links
    links[i, COS], links[i, SIN], links[i, SAG], links[i, BIAS_1], links[i, BIAS_2] = frame
    (
        links[i, MASS_12],
        links[i, MASS_22],
        links[i, FORCE],
        links[i, SWING],
        links[i, SHARE],
        links[i, UNFORCED],
    ) = modal
    links[i, COUPLING_1], links[i, COUPLING_2], links[i, INVERSE], links[i, MOMENT] = eliminated


@inner
def eliminate_link(arm: Arm, i: int, z: FloatArray, v: FloatArray, beyond: Joint, scratch: Scratch) -> Joint:
    """Joint that stands for link i and all ``beyond`` it, at the link's first end; both in the base frame.

    Let r, s be the joint's acceleration along (1) and across (2) the link, the angle (f) and the bias (h):
    each loads the modes by ``x + alpha W``. The link's end then moves by ``t = k (x.W + alpha W.W)`` and
    feels ``y = k (alpha - M_22 x.W)`` with ``k = 1 / (1 + M_22 W.W)``, where the dot is the product by
    ``ce^-1``; and the modes take off ``Q_rs = x_r.x_s + y_r x_s.W + alpha_s t_r`` of the link's own terms.
    """
    (shift, shift_rate), (sag, sag_rate), (stretch, change), (ha, hb, hw) = bend_link(arm, i, z, v, scratch)
    c, s, w, L = math.cos(z[2 + i]), math.sin(z[2 + i]), v[2 + i], arm.lengths[i]
    m11, m12, m22, p1, p2 = turned(c, s, beyond)
    g1, g2 = -w * w * L - 2 * w * sag_rate, -w * w * sag
    f1, f2 = m11 * g1 + m12 * g2 + p1, m12 * g1 + m22 * g2 + p2
    swing1, swing2 = m12 * L - m11 * sag, m22 * L - m12 * sag
    aa, ab, aw, bb, bw, ww = products_of(i, scratch)
    k = 1 / (1 + m22 * ww)
    t1, t2, tf, th = k * m12 * ww, k * (aw + m22 * ww), k * (bw + swing2 * ww), k * (hw + f2 * ww)
    y2, yf, yh = k * m22 * (1 - aw), k * (swing2 - m22 * bw), k * (f2 - m22 * hw)
    j1 = swing1 - shift - m12 * tf
    j2 = arm.m1[i] + swing2 - (ab + yf * aw + m22 * tf)
    inverse = 1 / (arm.m2[i] + stretch + L * swing2 - sag * swing1 - (bb + yf * bw + swing2 * tf))
    moment = 2 * w * change + L * f2 - sag * f1 - (hb + yh * bw + swing2 * th)
    keep_link(i, scratch, (c, s, sag, g1, g2), (m12, m22, f2, swing2, k, hw), (j1, j2, inverse, moment))
    at_link = (
        arm.m0[i] + m11 - m12 * t1 - j1 * j1 * inverse,
        m12 - m12 * t2 - j1 * j2 * inverse,
        arm.m0[i] + m22 - (aa + y2 * aw + m22 * t2) - j2 * j2 * inverse,
        f1 - w * w * arm.m1[i] - 2 * w * shift_rate - m12 * th - j1 * moment * inverse,
        f2 - w * w * shift - (ha + yh * aw + m22 * th) - j2 * moment * inverse,
    )
    return turned(c, -s, at_link)


@inner
def accelerate_link(arm: Arm, i: int, at: Pair, scratch: Scratch, out: FloatArray) -> Pair:
    """Fill accelerations of link i, whose first end has ``at`` [m/s^2]; returns that of its far end."""
    links, before = scratch.links, 2 + len(arm.lengths)
    c, s = links[i, COS], links[i, SIN]
    a1, a2 = c * at[0] + s * at[1], c * at[1] - s * at[0]
    turn = -links[i, INVERSE] * (links[i, COUPLING_1] * a1 + links[i, COUPLING_2] * a2 + links[i, MOMENT])
    out[2 + i] = turn
    free = links[i, UNFORCED] + scratch.products[i, 2] * a2 + scratch.products[i, 4] * turn
    load = links[i, MASS_12] * a1 + links[i, MASS_22] * a2 + links[i, SWING] * turn + links[i, FORCE]
    felt, sag = links[i, SHARE] * (load - links[i, MASS_22] * free), 0.0
    for j in range(arm.offsets[i] - before, arm.offsets[i + 1] - before):
        own = scratch.answers[j, 0] * a2 + scratch.answers[j, 1] * turn + scratch.answers[j, 2] * felt
        rate = -scratch.unforced[j] - own
        out[before + j] = rate
        sag += arm.end_shape[j] * rate
    a1 += links[i, BIAS_1] - links[i, SAG] * turn
    a2 += links[i, BIAS_2] + arm.lengths[i] * turn + sag
    return c * a1 - s * a2, s * a1 + c * a2


@inner
def accelerate_links(arm: Arm, at: Pair, scratch: Scratch, out: FloatArray) -> None:
    """Fill accelerations of all links, where the first end has ``at`` [m/s^2], gravity included."""
    for i in range(len(arm.lengths)):
        at = accelerate_link(arm, i, at, scratch, out)


@inner
def free_acceleration(joint: Joint) -> Pair:
    """Acceleration [m/s^2] of a joint on which nothing acts but what hangs at it."""
    m11, m12, m22, p1, p2 = joint
    determinant = m11 * m22 - m12 * m12
    return (m12 * p2 - m22 * p1) / determinant, (m12 * p1 - m11 * p2) / determinant


@inner
def accelerations_into(
    arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray, scratch: Scratch, out: FloatArray
) -> None:
    """Fill ``out`` (N,) with z'' under ``forces`` (n + 1, 2) [N] at the link ends, base frame."""
    n = len(arm.lengths)
    joint = (0.0, 0.0, 0.0, -forces[n, 0], -forces[n, 1])
    for i in range(n - 1, -1, -1):
        m11, m12, m22, p1, p2 = eliminate_link(arm, i, z, v, joint, scratch)
        joint = (m11, m12, m22, p1 - forces[i, 0], p2 - forces[i, 1])
    at = (0.0, arm.gravity) if arm.pinned else free_acceleration(joint)
    out[0], out[1] = at[0], at[1] - arm.gravity
    accelerate_links(arm, at, scratch, out)


@inner
def dissipation_of(arm: Arm, v: FloatArray) -> Pair:
    """Power [W] that the air and the structure take, each at least zero."""
    air, structure = 0.0, 0.0
    for i in range(len(arm.lengths)):
        first, count = int(arm.offsets[i]), int(arm.offsets[i + 1] - arm.offsets[i])
        for j in range(count):
            drag, friction = 0.0, 0.0
            for m in range(count):
                drag += arm.air[i, j, m] * v[first + m]
                friction += arm.structure[i, j, m] * v[first + m]
            air, structure = air + drag * v[first + j], structure + friction * v[first + j]
    return air, structure
