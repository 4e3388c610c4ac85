"""Compiled energy, gradient and Hessian; ``tests/oracles/potential.py`` is the definition."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.chain_kernels import (
    END,
    FRAME,
    LOCAL,
    ONE,
    SHAPE,
    SHIFTS,
    SLOPES,
    TURNS,
    WEIGHT,
    Curvature,
    Scratch,
    new_scratch,
    own_curvature,
    place_arc,
    pull_along,
    put,
    shape_arc,
    turn,
    turn_back,
)
from models.continuum_statics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.vector_kernels import Vector

MOST_BEND = math.pi**2  # [rad^2]; an arc that bends by more than half a turn is out of the model's range
NO_TENSION = 1e-290  # [N]; a smaller one times a length may be 0, by which nothing can be divided


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
    q: FloatArray, L: float, first: int, last: int, weights: int, end: Vector, F: Vector, scratch: Scratch
) -> None:
    """Add the second derivatives of ``F . M`` to the Hessian and leave ``dM/dq`` at ``SLOPES``.

    M is the moment of the masses whose sums stand at column ``weights``, on the arcs ``first`` to
    ``last`` (exclusive), and of ``end``, which is fixed to the last; F stands in the base frame.
    """
    arcs, hessian, arm = scratch.arcs, scratch.hessian, end
    for k in range(last - 1, first - 1, -1):
        weight = arcs[k, weights]
        local = turn_back(arcs, k, FRAME, F)
        add_own(hessian, k, 1.0, own_curvature(q, k, arcs, L, local, weight, arm))
        x, y, z = turn(arcs, k + 1, FRAME, arm)
        for i in range(3):
            t, shift = TURNS + 3 * i, SHIFTS + 3 * i
            tx, ty, tz = arcs[k, t], arcs[k, t + 1], arcs[k, t + 2]
            slope = (
                weight * arcs[k, shift] + ty * z - tz * y,
                weight * arcs[k, shift + 1] + tz * x - tx * z,
                weight * arcs[k, shift + 2] + tx * y - ty * x,
            )
            put(arcs, k, SLOPES + 3 * i, slope)
            hx, hy, hz = F[1] * tz - F[2] * ty, F[2] * tx - F[0] * tz, F[0] * ty - F[1] * tx
            for later in range(k + 1, last):
                for j in range(3):
                    g = SLOPES + 3 * j
                    work = hx * arcs[later, g] + hy * arcs[later, g + 1] + hz * arcs[later, g + 2]
                    hessian[3 * k + i, 3 * later + j] += work
        arm = pull_along(arcs, k, LOCAL, weight, arm)


@inner
def add_arc_chord(
    q: FloatArray, k: int, L: float, x: float, y: float, tension: float, scratch: Scratch
) -> tuple[float, float]:
    """Add a cable across one arc; returns its length [m] and how far ahead its hole is [m].

    Half the squared length is ``r^2 (1 - cos gamma) + B a b`` with a = L + alpha y' - beta x',
    b = L + alpha y - beta x and (x', y') the hole (x, y) turned by gamma.
    """
    arcs, alpha, beta = scratch.arcs, q[k, 0], q[k, 1]
    B, B1, B2 = arcs[k, SHAPE + 1], arcs[k, SHAPE + 5], arcs[k, SHAPE + 7]
    c, s = arcs[k, SHAPE + 8], arcs[k, SHAPE + 9]
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
    add_own(scratch.hessian, k, pull, own)
    add_own(scratch.hessian, k, -pull, rank)
    scratch.gradient[3 * k] += pull * g0
    scratch.gradient[3 * k + 1] += pull * g1
    scratch.gradient[3 * k + 2] += pull * g2
    return length, arcs[k, SHAPE] * min(a, b)


@inner
def add_gap_chord(
    q: FloatArray, first: int, last: int, L: float, hole: Vector, tension: float, scratch: Scratch
) -> tuple[float, float]:
    """Add a cable across the arcs of one gap; returns its length [m] and how far ahead its hole is [m]."""
    arcs, arm = scratch.arcs, hole
    for k in range(last - 1, first - 1, -1):
        arm = pull_along(arcs, k, LOCAL, 1.0, arm)
    x, y, z = arm[0] - hole[0], arm[1] - hole[1], arm[2]
    length = math.sqrt(max(x * x + y * y + z * z, 1e-30))
    pull = tension / length
    F = turn(arcs, first, FRAME, (pull * x, pull * y, pull * z))
    add_force(q, L, first, last, ONE, hole, F, scratch)
    for i in range(3 * first, 3 * last):
        g = SLOPES + 3 * (i % 3)
        scratch.step[i] = F[0] * arcs[i // 3, g] + F[1] * arcs[i // 3, g + 1] + F[2] * arcs[i // 3, g + 2]
        scratch.gradient[i] += scratch.step[i]
    inverse = 1.0 / (tension * length) if tension > NO_TENSION else 0.0
    for i in range(3 * first, 3 * last):
        for j in range(i, 3 * last):
            square, g, h = 0.0, SLOPES + 3 * (i % 3), SLOPES + 3 * (j % 3)
            for axis in range(3):
                square += arcs[i // 3, g + axis] * arcs[j // 3, h + axis]
            scratch.hessian[i, j] += pull * square - inverse * scratch.step[i] * scratch.step[j]
    return length, z


@inner
def add_weight(robot: Robot, gravity: FloatArray, q: FloatArray, scratch: Scratch) -> float:
    """Put the elastic and the weight's gradient, and add both Hessians; returns their energy [J]."""
    n, arcs, energy = len(robot.masses), scratch.arcs, 0.0
    F = (-gravity[0], -gravity[1], -gravity[2])
    add_force(q, robot.L, 0, n, WEIGHT, (0.0, 0.0, 0.0), F, scratch)
    for k in range(n):
        for i in range(3):
            place, g = 3 * k + i, SLOPES + 3 * i
            moment = scratch.stiffness[place] * q[k, i]
            load = F[0] * arcs[k, g] + F[1] * arcs[k, g + 1] + F[2] * arcs[k, g + 2]
            scratch.gradient[place] = moment + load
            scratch.hessian[place, place] += scratch.stiffness[place]
            energy += 0.5 * moment * q[k, i]
        end = turn(arcs, k, FRAME, (arcs[k, END], arcs[k, END + 1], arcs[k, END + 2]))
        energy += arcs[k, WEIGHT] * (F[0] * end[0] + F[1] * end[1] + F[2] * end[2])
    return energy


@inner
def fill(
    robot: Robot, gravity: FloatArray, tensions: FloatArray, q: FloatArray, scratch: Scratch
) -> tuple[float, float]:
    """Put gradient and upper Hessian of a state (n, 3) into ``scratch``; returns energy [J] and clearance.

    ``gravity`` (3,) [m/s^2] stands for the robot's own, ``tensions`` (m,) [N] are whole. The clearance is
    positive while every arc bends by less than half a turn and, up to each cable's tie disk, the cable's
    hole lies ahead of the plane of the disk before: beyond that the two disks would cut each other on that
    cable's side. Sides without a cable and disks beyond the ties are not tested.
    """
    scratch.hessian[:] = 0.0
    clearance = 1.0
    for k in range(len(robot.masses)):
        clearance = min(clearance, 1.0 - shape_arc(q, k, scratch.arcs) / MOST_BEND)
        place_arc(q, k, robot.L, scratch.arcs)
    energy, gap_length = add_weight(robot, gravity, q, scratch), robot.L * robot.arcs
    for cable in range(len(robot.ties)):
        x, y, tension = robot.holes[cable, 0], robot.holes[cable, 1], tensions[cable]
        for gap in range(robot.ties[cable]):
            if robot.arcs == 1:
                length, ahead = add_arc_chord(q, gap, robot.L, x, y, tension, scratch)
            else:
                first, last = gap * robot.arcs, (gap + 1) * robot.arcs
                length, ahead = add_gap_chord(q, first, last, robot.L, (x, y, 0.0), tension, scratch)
            energy += tension * length
            clearance = min(clearance, ahead / gap_length)
    return energy, clearance


def evaluate(robot: Robot, tensions: FloatArray, q: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Energy [J], gradient (3n,) [N m] and Hessian (3n, 3n) [N m] of a state (n, 3) [rad].

    ``tensions`` (m,) [N] are those that act: with the pretension.
    """
    gradient, hessian = np.empty(q.size), np.empty((q.size, q.size))
    return _evaluate(robot, tensions, q, gradient, hessian), gradient, hessian


@entry
def _evaluate(
    robot: Robot, tensions: FloatArray, q: FloatArray, gradient: FloatArray, hessian: FloatArray
) -> float:
    scratch = new_scratch(robot)
    energy, _ = fill(robot, robot.gravity, tensions, q, scratch)
    for i in range(1, len(scratch.hessian)):
        for j in range(i):
            scratch.hessian[i, j] = scratch.hessian[j, i]
    copy(scratch.gradient, gradient)
    copy(scratch.hessian, hessian)
    return energy
