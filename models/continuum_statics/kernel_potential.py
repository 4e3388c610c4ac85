"""Compiled energy, gradient and Hessian; :mod:`models.continuum_statics.potential` is the twin."""

from __future__ import annotations

import math

import numpy as np

from models.compiled import entry, inner
from models.continuum_statics.floats import FloatArray
from models.continuum_statics.kernel_arc import Curvature, Vector, own_curvature, place_arc, shape_arc
from models.continuum_statics.robot import Robot
from models.continuum_statics.scratch import Scratch, scratch

MOST_BEND = math.pi**2  # [rad^2]; an arc that bends by more than half a turn is out of the model's range


@inner
def add_own(hessian: FloatArray, k: int, factor: float, own: Curvature) -> None:
    """Add ``factor`` times the second derivatives of arc k to the upper triangle of its block."""
    a = 3 * k
    hessian[a, a] += factor * own[0]
    hessian[a, a + 1] += factor * own[1]
    hessian[a + 1, a + 1] += factor * own[2]
    hessian[a, a + 2] += factor * own[3]
    hessian[a + 1, a + 2] += factor * own[4]
    hessian[a + 2, a + 2] += factor * own[5]


@inner
def add_force(
    q: FloatArray, L: float, first: int, last: int, weights: FloatArray, end: Vector, F: Vector,
    room: Scratch,
) -> None:  # fmt: skip
    """Add the second derivatives of ``F . M`` to the Hessian and leave ``dM/dq`` in ``room.slopes``.

    M is the moment of ``weights`` on the arcs ``first`` to ``last`` (exclusive) and of ``end``, which is
    fixed to the last; F stands in the base frame.
    """
    x, y, z = end
    for k in range(last - 1, first - 1, -1):
        T, R, p = room.turned[k], room.local[k], room.ends[k]
        local = (
            T[0, 0] * F[0] + T[1, 0] * F[1] + T[2, 0] * F[2],
            T[0, 1] * F[0] + T[1, 1] * F[1] + T[2, 1] * F[2],
            T[0, 2] * F[0] + T[1, 2] * F[1] + T[2, 2] * F[2],
        )
        add_own(room.hessian, k, 1.0, own_curvature(q[k], room.shapes[k], L, local, weights[k], (x, y, z)))
        N = room.turned[k + 1]
        arm_x = N[0, 0] * x + N[0, 1] * y + N[0, 2] * z
        arm_y = N[1, 0] * x + N[1, 1] * y + N[1, 2] * z
        arm_z = N[2, 0] * x + N[2, 1] * y + N[2, 2] * z
        for i in range(3):
            t, shift, slope = room.turns[k, i], room.shifts[k, i], room.slopes[k, i]
            slope[0] = weights[k] * shift[0] + t[1] * arm_z - t[2] * arm_y
            slope[1] = weights[k] * shift[1] + t[2] * arm_x - t[0] * arm_z
            slope[2] = weights[k] * shift[2] + t[0] * arm_y - t[1] * arm_x
            row = room.hessian[3 * k + i]
            hx, hy, hz = F[1] * t[2] - F[2] * t[1], F[2] * t[0] - F[0] * t[2], F[0] * t[1] - F[1] * t[0]
            for later in range(k + 1, last):
                for j in range(3):
                    g = room.slopes[later, j]
                    row[3 * later + j] += hx * g[0] + hy * g[1] + hz * g[2]
        x, y, z = (
            R[0, 0] * x + R[0, 1] * y + R[0, 2] * z + weights[k] * p[0],
            R[1, 0] * x + R[1, 1] * y + R[1, 2] * z + weights[k] * p[1],
            R[2, 0] * x + R[2, 1] * y + R[2, 2] * z + weights[k] * p[2],
        )


@inner
def add_arc_chord(
    k: int, angles: FloatArray, L: float, hole: FloatArray, tension: float, room: Scratch
) -> tuple[float, float]:
    """Add a cable across one arc; returns its length [m] and how far ahead its hole is [m].

    Half the squared length is ``r^2 (1 - cos gamma) + B a b`` with a = L + alpha y' - beta x',
    b = L + alpha y - beta x and (x', y') the hole (x, y) turned by gamma.
    """
    alpha, beta = angles[0], angles[1]
    shape = room.shapes[k]
    B, B1, B2, c, s = shape[1], shape[5], shape[7], shape[8], shape[9]
    x, y = hole[0], hole[1]
    tx, ty = c * x - s * y, s * x + c * y
    w, z = alpha * ty - beta * tx, alpha * tx + beta * ty
    a, b = L + w, L + alpha * y - beta * x
    square = x * x + y * y
    half = square * (1 - c) + B * a * b
    length = math.sqrt(max(2 * half, 1e-30))
    sum_a, sum_b = ty * b + a * y, -(tx * b + a * x)
    slope = 2 * B1 * a * b
    g0, g1, g2 = alpha * slope + B * sum_a, beta * slope + B * sum_b, square * s + B * z * b
    bend = 4 * B2 * a * b
    own = (
        slope + bend * alpha * alpha + 4 * alpha * B1 * sum_a + 2 * B * ty * y,
        bend * alpha * beta + 2 * B1 * (alpha * sum_b + beta * sum_a) - B * (tx * y + ty * x),
        slope + bend * beta * beta + 4 * beta * B1 * sum_b + 2 * B * tx * x,
        2 * alpha * B1 * z * b + B * (tx * b + z * y),
        2 * beta * B1 * z * b + B * (ty * b - z * x),
        square * c - B * w * b,
    )
    pull = tension / length
    i2 = 1.0 / (length * length)
    rank = (g0 * g0 * i2, g0 * g1 * i2, g1 * g1 * i2, g0 * g2 * i2, g1 * g2 * i2, g2 * g2 * i2)
    add_own(room.hessian, k, pull, own)
    add_own(room.hessian, k, -pull, rank)
    room.gradient[3 * k] += pull * g0
    room.gradient[3 * k + 1] += pull * g1
    room.gradient[3 * k + 2] += pull * g2
    return length, shape[0] * min(a, b)


@inner
def add_gap_chord(
    q: FloatArray, L: float, first: int, last: int, hole: FloatArray, tension: float, room: Scratch
) -> tuple[float, float]:
    """Add a cable across the arcs of one gap; returns its length [m] and how far ahead its hole is [m]."""
    x, y, z = hole[0], hole[1], 0.0
    for k in range(last - 1, first - 1, -1):
        R, p = room.local[k], room.ends[k]
        x, y, z = (
            R[0, 0] * x + R[0, 1] * y + R[0, 2] * z + p[0],
            R[1, 0] * x + R[1, 1] * y + R[1, 2] * z + p[1],
            R[2, 0] * x + R[2, 1] * y + R[2, 2] * z + p[2],
        )
    x, y = x - hole[0], y - hole[1]
    length = math.sqrt(max(x * x + y * y + z * z, 1e-30))
    T, pull = room.turned[first], tension / length
    F = (
        pull * (T[0, 0] * x + T[0, 1] * y + T[0, 2] * z),
        pull * (T[1, 0] * x + T[1, 1] * y + T[1, 2] * z),
        pull * (T[2, 0] * x + T[2, 1] * y + T[2, 2] * z),
    )
    add_force(q, L, first, last, room.ones, (hole[0], hole[1], 0.0), F, room)
    for i in range(3 * first, 3 * last):
        g = room.slopes[i // 3, i % 3]
        room.step[i] = F[0] * g[0] + F[1] * g[1] + F[2] * g[2]
        room.gradient[i] += room.step[i]
    inverse = 1.0 / (tension * length) if tension > 0.0 else 0.0
    for i in range(3 * first, 3 * last):
        g = room.slopes[i // 3, i % 3]
        for j in range(i, 3 * last):
            h = room.slopes[j // 3, j % 3]
            square = g[0] * h[0] + g[1] * h[1] + g[2] * h[2]
            room.hessian[i, j] += pull * square - inverse * room.step[i] * room.step[j]
    return length, z


@inner
def fill(
    robot: Robot, gravity: FloatArray, tensions: FloatArray, q: FloatArray, room: Scratch
) -> tuple[float, float]:
    """Put gradient and upper Hessian of a state (n, 3) into ``room``; returns energy [J] and clearance.

    ``gravity`` (3,) [m/s^2] stands for the robot's own, ``tensions`` (m,) [N] are whole. The clearance is
    positive while every arc bends by less than half a turn and every hole lies ahead of the disk before:
    beyond that disks would cut each other.
    """
    n = len(robot.masses)
    k_bend, k_twist = robot.EI / robot.L, robot.GJ / robot.L
    room.hessian[:] = 0.0
    for i in range(3):
        for j in range(3):
            room.turned[0, i, j] = 1.0 if i == j else 0.0
    energy, clearance, weight = 0.0, 1.0, 0.0
    for k in range(n):
        u = shape_arc(q[k], room.shapes[k])
        place_arc(k, q[k], robot.L, room)
        energy += 0.5 * (k_bend * u + k_twist * q[k, 2] * q[k, 2])
        clearance = min(clearance, 1.0 - u / MOST_BEND)
    for k in range(n - 1, -1, -1):
        weight += robot.masses[k]
        room.weights[k] = weight
    pull = (-gravity[0], -gravity[1], -gravity[2])
    add_force(q, robot.L, 0, n, room.weights, (0.0, 0.0, 0.0), pull, room)
    for k in range(n):
        for i in range(3):
            stiffness = k_twist if i == 2 else k_bend
            g, T, p = room.slopes[k, i], room.turned[k], room.ends[k]
            load = pull[0] * g[0] + pull[1] * g[1] + pull[2] * g[2]
            room.gradient[3 * k + i] = stiffness * q[k, i] + load
            room.hessian[3 * k + i, 3 * k + i] += stiffness
            energy += room.weights[k] * pull[i] * (T[i, 0] * p[0] + T[i, 1] * p[1] + T[i, 2] * p[2])
    for cable in range(len(robot.ties)):
        for gap in range(robot.ties[cable]):
            if robot.arcs == 1:
                length, ahead = add_arc_chord(gap, q[gap], robot.L, robot.holes[cable], tensions[cable], room)
            else:
                first, last = gap * robot.arcs, (gap + 1) * robot.arcs
                length, ahead = add_gap_chord(
                    q, robot.L, first, last, robot.holes[cable], tensions[cable], room
                )
            energy += tensions[cable] * length
            clearance = min(clearance, ahead / (robot.L * robot.arcs))
    return energy, clearance


@entry
def evaluate(robot: Robot, tensions: FloatArray, q: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Energy [J], gradient (3n,) [N m] and Hessian (3n, 3n) [N m] of a state (n, 3) [rad].

    ``tensions`` (m,) [N] are those that act: with the pretension.
    """
    room = scratch(robot)
    energy, _ = fill(robot, robot.gravity, tensions, q, room)
    for i in range(1, len(room.hessian)):
        for j in range(i):
            room.hessian[i, j] = room.hessian[j, i]
    return energy, room.gradient.copy(), np.ascontiguousarray(room.hessian)
