"""Compiled equations of motion; ``tests/oracles/relative_motion.py`` is the definition.

Forces by the recursion of Newton and Euler, the mass matrix by composite bodies: Featherstone, Rigid Body
Dynamics Algorithms, 2008, chapters 5 and 6. Angles, rates and forces are arrays (3n,).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import SERIES_UP_TO, TERMS
from models.continuum.curvature_kernels import greatest_bending
from models.continuum_dynamics.robot import Robot
from models.jit import entry, inner
from models.numerics.vector_kernels import Vector, add, cross, dot, length, put, row, scale, turn, turn_back

MOST_BEND = math.pi**2  # [rad^2]; an arc that bends by more than half a turn is out of the model's range

_FIVE = tuple(1 / math.factorial(2 * j + 5) for j in range(TERMS))
_SIX = tuple(1 / math.factorial(2 * j + 6) for j in range(TERMS))


class Chain(NamedTuple):
    """Room for the geometry of n arcs, base frame, and for what acts on their ends.

    Attributes
    ----------
    shape : (n, 10) float
        A, B, C, D, A', B', A'', B'' (see :mod:`models.continuum.arc`), cos gamma, sin gamma.
    R : (n + 1, 3, 3) float
        Rotations of the base and the bodies.
    P : (n + 1, 3) float, m
    turns : (n, 3, 3) float
        For each angle, the rotation that it makes.
    shifts : (n, 3, 3) float, m/rad
        For each angle, the velocity of the arc's end.
    origins : (n, 3, 3) float, m/rad
        For each angle, the velocity at the base of a body that moves with the arc's end.
    forces : (n, 3) float, N
    moments : (n, 3) float, N m
    """

    shape: FloatArray
    R: FloatArray
    P: FloatArray
    turns: FloatArray
    shifts: FloatArray
    origins: FloatArray
    forces: FloatArray
    moments: FloatArray


@inner
def new_chain(n: int) -> Chain:
    """Room for n arcs."""
    R = np.zeros((n + 1, 3, 3))
    for i in range(3):
        R[0, i, i] = 1.0
    return Chain(
        np.empty((n, 10)),
        R,
        np.zeros((n + 1, 3)),
        np.empty((n, 3, 3)),
        np.empty((n, 3, 3)),
        np.empty((n, 3, 3)),
        np.empty((n, 3)),
        np.empty((n, 3)),
    )


@inner
def shape_arc(q: FloatArray, k: int, shape: FloatArray) -> float:
    """Fill row k of ``shape``; returns theta^2 [rad^2]."""
    u = q[3 * k] * q[3 * k] + q[3 * k + 1] * q[3 * k + 1]
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
    shape[k, 0], shape[k, 1], shape[k, 2], shape[k, 3] = c1, c2, 1 - u * c2, c3
    shape[k, 4], shape[k, 5] = 0.5 * (c3 - c2), 0.5 * (2 * c4 - c3)
    shape[k, 6], shape[k, 7] = 0.25 * (3 * c5 - 3 * c4 + c3), 0.25 * (8 * c6 - 5 * c5 + c4)
    shape[k, 8], shape[k, 9] = math.cos(q[3 * k + 2]), math.sin(q[3 * k + 2])
    return u


@inner
def place_arc(q: FloatArray, k: int, L: float, chain: Chain) -> None:
    """Frame where arc k ends, and its derivatives."""
    alpha, beta, R, f = q[3 * k], q[3 * k + 1], chain.R[k], chain.shape
    A, B, C, D, A1, B1 = f[k, 0], f[k, 1], f[k, 2], f[k, 3], f[k, 4], f[k, 5]
    c, s, after = f[k, 8], f[k, 9], chain.R[k + 1]
    x = turn(R, (C + B * alpha * alpha, B * alpha * beta, -A * beta))
    y = turn(R, (B * alpha * beta, C + B * beta * beta, A * alpha))
    z = turn(R, (A * beta, -A * alpha, C))
    for i in range(3):
        after[i, 0], after[i, 1], after[i, 2] = c * x[i] + s * y[i], c * y[i] - s * x[i], z[i]
    put(chain.P[k + 1], add(row(chain.P[k]), turn(R, (L * beta * B, -L * alpha * B, L * A))))
    put(chain.turns[k, 0], turn(R, (1 - D * beta * beta, D * alpha * beta, -B * beta)))
    put(chain.turns[k, 1], turn(R, (D * alpha * beta, 1 - D * alpha * alpha, B * alpha)))
    put(chain.turns[k, 2], z)
    a, b = 2 * L * alpha, 2 * L * beta
    put(chain.shifts[k, 0], turn(R, (a * beta * B1, -a * alpha * B1 - L * B, a * A1)))
    put(chain.shifts[k, 1], turn(R, (b * beta * B1 + L * B, -b * alpha * B1, b * A1)))
    put(chain.shifts[k, 2], (0.0, 0.0, 0.0))


@inner
def place(robot: Robot, q: FloatArray, chain: Chain) -> float:
    """Put all arcs in their places; returns the largest theta^2 [rad^2], infinite where one is no number."""
    largest = 0.0
    for k in range(len(robot.masses)):
        bend = shape_arc(q, k, chain.shape)
        if not math.isfinite(bend):
            return math.inf
        largest = max(largest, bend)
        place_arc(q, k, robot.L, chain)
        end = row(chain.P[k + 1])
        for i in range(3):
            back = cross(end, row(chain.turns[k, i]))
            put(chain.origins[k, i], add(row(chain.shifts[k, i]), back))
    return largest


@inner
def arc_bias(q: FloatArray, v: FloatArray, k: int, L: float, f: FloatArray) -> tuple[Vector, Vector]:
    """Rates of angular velocity and velocity of arc k's end while its rates are constant, begin's frame.

    See ``arc_rates`` in ``tests/oracles/relative_motion.py``.
    """
    alpha, beta, a, b, g = q[3 * k], q[3 * k + 1], v[3 * k], v[3 * k + 1], v[3 * k + 2]
    A, D = f[k, 0], f[k, 3]
    u1, u2 = 2 * (alpha * a + beta * b), 2 * (a * a + b * b)
    A1, B1, D1 = f[k, 4] * u1, f[k, 5] * u1, (2 * f[k, 6] + f[k, 5]) * u1
    A2, B2 = f[k, 6] * u1 * u1 + f[k, 4] * u2, f[k, 7] * u1 * u1 + f[k, 5] * u2
    e = beta * a - alpha * b
    w_dot = (
        g * (A1 * beta + A * b) - (D1 * beta + D * b) * e,
        (D1 * alpha + D * a) * e - g * (A1 * alpha + A * a),
        -B1 * e - g * 0.5 * A * u1,
    )
    return w_dot, (L * (2 * b * B1 + beta * B2), -L * (2 * a * B1 + alpha * B2), L * A2)


@inner
def combined(vectors: FloatArray, k: int, factors: FloatArray) -> Vector:
    """Sum of the three vectors of arc k, times the factors of its angles."""
    a, b, g = factors[3 * k], factors[3 * k + 1], factors[3 * k + 2]
    return (
        a * vectors[k, 0, 0] + b * vectors[k, 1, 0] + g * vectors[k, 2, 0],
        a * vectors[k, 0, 1] + b * vectors[k, 1, 1] + g * vectors[k, 2, 1],
        a * vectors[k, 0, 2] + b * vectors[k, 1, 2] + g * vectors[k, 2, 2],
    )


@inner
def turned_inertia(robot: Robot, k: int, chain: Chain, w: Vector) -> Vector:
    """Inertia of body k times ``w``; the body is a round disk."""
    R, across, along = chain.R[k + 1], robot.inertias[k, 0], robot.inertias[k, 1]
    axis = (R[0, 2], R[1, 2], R[2, 2])
    return add(scale(across, w), scale((along - across) * dot(axis, w), axis))


@inner
def load_bodies(robot: Robot, q: FloatArray, v: FloatArray, a: FloatArray, chain: Chain) -> None:
    """Fill the forces and moments that the bodies need: inertia, mass damping and weight."""
    w, w_dot, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    g, c = robot.gravity, robot.mass_damping
    acceleration = (-g[0], -g[1], -g[2])
    for k in range(len(robot.masses)):
        bias = arc_bias(q, v, k, robot.L, chain.shape)
        across = add(row(chain.P[k + 1]), scale(-1.0, row(chain.P[k])))
        turning, moving = combined(chain.turns, k, v), combined(chain.shifts, k, v)
        own = add(combined(chain.shifts, k, a), turn(chain.R[k], bias[1]))
        carried = add(cross(w_dot, across), cross(w, add(cross(w, across), scale(2.0, moving))))
        acceleration = add(acceleration, add(own, carried))
        velocity = add(velocity, add(cross(w, across), moving))
        spun = add(turn(chain.R[k], bias[0]), cross(w, turning))
        w_dot = add(w_dot, add(combined(chain.turns, k, a), spun))
        w = add(w, turning)
        put(chain.forces[k], scale(robot.masses[k], add(acceleration, scale(c, velocity))))
        changing = turned_inertia(robot, k, chain, add(w_dot, scale(c, w)))
        put(chain.moments[k], add(changing, cross(w, turned_inertia(robot, k, chain, w))))


@inner
def uncabled_forces(
    robot: Robot, q: FloatArray, v: FloatArray, a: FloatArray, chain: Chain, out: FloatArray
) -> None:
    """Write the moments (3n,) [N m] that the cables must give for this motion of a placed chain."""
    load_bodies(robot, q, v, a, chain)
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    count, d = len(robot.masses), robot.stiffness_damping
    for k in range(count - 1, -1, -1):
        if k < count - 1:
            across = add(row(chain.P[k + 2]), scale(-1.0, row(chain.P[k + 1])))
            moment = add(moment, cross(across, force))
        force = add(force, row(chain.forces[k]))
        moment = add(moment, row(chain.moments[k]))
        for i in range(3):
            angle, stiffness = 3 * k + i, (robot.GJ if i == 2 else robot.EI) / robot.L
            work = dot(row(chain.turns[k, i]), moment) + dot(row(chain.shifts[k, i]), force)
            out[angle] = work + stiffness * (q[angle] + d * v[angle])


@inner
def add_body(robot: Robot, k: int, chain: Chain, total: FloatArray) -> None:
    """Add body k to an inertia (10,): mass, first moments, moments about the base xx, yy, zz, xy, xz, yz."""
    R, m, across, along = chain.R[k + 1], robot.masses[k], robot.inertias[k, 0], robot.inertias[k, 1]
    x, y, z, extra = chain.P[k + 1, 0], chain.P[k + 1, 1], chain.P[k + 1, 2], along - across
    a, b, c = R[0, 2], R[1, 2], R[2, 2]
    total[0] += m
    total[1] += m * x
    total[2] += m * y
    total[3] += m * z
    total[4] += across + extra * a * a + m * (y * y + z * z)
    total[5] += across + extra * b * b + m * (x * x + z * z)
    total[6] += across + extra * c * c + m * (x * x + y * y)
    total[7] += extra * a * b - m * x * y
    total[8] += extra * a * c - m * x * z
    total[9] += extra * b * c - m * y * z


@inner
def fill_inertia(
    robot: Robot, chain: Chain, factor: float, gravity: FloatArray, total: FloatArray, out: FloatArray
) -> None:
    """Lower triangle of ``factor M`` and of the weight's stiffness, of a placed chain, into ``out`` (3n, 3n).

    The weight's stiffness is exact between two arcs and approximate within one; ``gravity`` of zeros leaves
    it out. ``total`` (10,) is room for :func:`add_body`.
    """
    total[:] = 0.0
    g = row(gravity)
    for b in range(len(robot.masses) - 1, -1, -1):
        add_body(robot, b, chain, total)
        m, h = total[0], (total[1], total[2], total[3])
        for j in range(3):
            w, v = row(chain.turns[b, j]), row(chain.origins[b, j])
            momentum = add(scale(m, v), cross(w, h))
            turned = (
                total[4] * w[0] + total[7] * w[1] + total[8] * w[2],
                total[7] * w[0] + total[5] * w[1] + total[9] * w[2],
                total[8] * w[0] + total[9] * w[1] + total[6] * w[2],
            )
            angular = add(scale(factor, add(turned, cross(h, v))), cross(g, momentum))
            linear, line = scale(factor, momentum), 3 * b + j
            for i in range(line + 1):
                own, far = row(chain.turns[i // 3, i % 3]), row(chain.origins[i // 3, i % 3])
                out[line, i] = dot(own, angular) + dot(far, linear)


@inner
def fill_energies(robot: Robot, q: FloatArray, v: FloatArray, chain: Chain, out: FloatArray) -> None:
    """Kinetic, elastic and gravity energy [J] of a placed chain, and the power [W] of damping, into (4,)."""
    w, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    kinetic, elastic, weight, rate = 0.0, 0.0, 0.0, 0.0
    for k in range(len(robot.masses)):
        across = add(row(chain.P[k + 1]), scale(-1.0, row(chain.P[k])))
        velocity = add(velocity, add(cross(w, across), combined(chain.shifts, k, v)))
        w = add(w, combined(chain.turns, k, v))
        kinetic += 0.5 * robot.masses[k] * dot(velocity, velocity)
        kinetic += 0.5 * dot(w, turned_inertia(robot, k, chain, w))
        weight -= robot.masses[k] * dot(row(robot.gravity), row(chain.P[k + 1]))
        for i in range(3):
            stiffness = (robot.GJ if i == 2 else robot.EI) / robot.L
            elastic += 0.5 * stiffness * q[3 * k + i] * q[3 * k + i]
            rate += stiffness * v[3 * k + i] * v[3 * k + i]
    out[0], out[1], out[2] = kinetic, elastic, weight
    out[3] = 2 * robot.mass_damping * kinetic + robot.stiffness_damping * rate


@inner
def cable_moments(robot: Robot, k: int, tensions: FloatArray, chain: Chain) -> tuple[Vector, Vector]:
    """Moments [N m] about the begin and the end of arc k by cables that pull its end, base frame."""
    R1, R2, near, far = chain.R[k], chain.R[k + 1], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    across = add(row(chain.P[k + 1]), scale(-1.0, row(chain.P[k])))
    for cable in range(len(tensions)):
        hole = (robot.holes[cable, 0], robot.holes[cable, 1], 0.0)
        arm = turn(R2, hole)
        along = add(turn(R1, hole), scale(-1.0, add(across, arm)))
        pull = scale(tensions[cable] / length(along), along)
        near = add(near, cross(add(across, arm), pull))
        far = add(far, cross(arm, pull))
    return near, far


@inner
def fill_curvatures(
    robot: Robot, q: FloatArray, v: FloatArray, a: FloatArray, tensions: FloatArray, chain: Chain,
    out: FloatArray,
) -> None:  # fmt: skip
    """Greatest curvature (n,) [1/m] in every arc of a placed chain.

    An arc has the mean curvature of its element. The moments at both ends of the element are what the bodies
    beyond need less what the cables give: half of an element's mass stands at either of its ends, so that
    these moments are exact for a straight element with a weight along it, too.
    """
    load_bodies(robot, q, v, a, chain)
    force, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(len(robot.masses) - 1, -1, -1):
        force = add(force, row(chain.forces[k]))
        moment = add(moment, row(chain.moments[k]))
        across = add(row(chain.P[k + 1]), scale(-1.0, row(chain.P[k])))
        begin, end = cable_moments(robot, k, tensions, chain)
        far = turn_back(chain.R[k + 1], add(end, scale(-1.0, moment)))
        moment = add(moment, cross(across, force))
        near = turn_back(chain.R[k], add(begin, scale(-1.0, moment)))
        c, s, i = chain.shape[k, 8], chain.shape[k, 9], 3 * k
        x, y = robot.stiffness_damping * v[i] / robot.L, robot.stiffness_damping * v[i + 1] / robot.L
        out[k] = greatest_bending(
            (near[0] / robot.EI - x, near[1] / robot.EI - y),
            (q[i] / robot.L, q[i + 1] / robot.L),
            ((c * far[0] - s * far[1]) / robot.EI - x, (s * far[0] + c * far[1]) / robot.EI - y),
        )


@entry
def evaluate_curvatures(
    robot: Robot, q: FloatArray, v: FloatArray, a: FloatArray, tensions: FloatArray, out: FloatArray
) -> None:
    """Fill the greatest curvature (n,) [1/m] in every arc; ``q`` are angles (3n,), ``tensions`` (m,)."""
    chain = new_chain(len(robot.masses))
    place(robot, q, chain)
    fill_curvatures(robot, q, v, a, tensions, chain, out)


@entry
def evaluate_motion(
    robot: Robot, q: FloatArray, v: FloatArray, a: FloatArray, mass: FloatArray, forces: FloatArray,
    energies: FloatArray,
) -> float:  # fmt: skip
    """Fill M's lower triangle (3n, 3n), forces (3n,), energies (4,); returns the largest theta^2 [rad^2]."""
    chain = new_chain(len(robot.masses))
    largest = place(robot, q, chain)
    uncabled_forces(robot, q, v, a, chain, forces)
    fill_inertia(robot, chain, 1.0, np.zeros(3), np.empty(10), mass)
    fill_energies(robot, q, v, chain, energies)
    return largest


@entry
def evaluate_velocities(robot: Robot, q: FloatArray, rates: FloatArray, out: FloatArray) -> None:
    """Fill the velocities (k, n + 1, 3) [m/s] of the base and the bodies for k ``rates`` (k, 3n) [rad/s].

    Definition: ``linear`` of ``jacobians`` in ``tests/oracles/relative_motion.py`` times the rates.
    """
    chain = new_chain(len(robot.masses))
    place(robot, q, chain)
    for each in range(len(rates)):
        w, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        put(out[each, 0], velocity)
        for k in range(len(robot.masses)):
            across = add(row(chain.P[k + 1]), scale(-1.0, row(chain.P[k])))
            velocity = add(velocity, add(cross(w, across), combined(chain.shifts, k, rates[each])))
            w = add(w, combined(chain.turns, k, rates[each]))
            put(out[each, k + 1], velocity)
