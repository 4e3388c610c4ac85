"""Compiled co-rotational elements; :mod:`models.continuum_dynamics.corotational.elements` is the definition.

All of an element is computed in its own frame E, where the rate of the frame is short: with the velocities
(v, w) of the ends and the x axes x1, x2 of the ends, ``omega = (-(v2 - v1)_y / l, (v2 - v1)_x / l, omega_z)``
with ``omega_z = (sum (w x x)_y + (x1 + x2)_z omega_x) / (x1 + x2)_x``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.curvature_kernels import greatest_bending
from models.continuum_dynamics.robot import Robot
from models.jit import inner
from models.numerics.rotation_kernels import inverse_coefficients, vector_between, vector_load, vector_rate
from models.numerics.vector_kernels import Vector, add, cross, dot, length, put, row, scale, turn, turn_back


class Elements(NamedTuple):
    """Geometry of n elements.

    Attributes
    ----------
    E : (n, 3, 3) float
        Their frames, from the element's to the base frame.
    local : (n, 2, 3) float, rad
        Local rotations of both ends, frame E.
    eta : (n, 2, 2) float
        Coefficient of their rates and its slope; see :mod:`models.numerics.rotation_kernels`.
    x : (n, 2, 3) float
        The x axes of both ends, frame E.
    lengths : (n,) float, m
        Of the chords.
    """

    E: FloatArray
    local: FloatArray
    eta: FloatArray
    x: FloatArray
    lengths: FloatArray


class Ends(NamedTuple):
    """Vectors of both ends of an element, frame E: of velocities (v, w) or of accelerations."""

    v1: Vector
    w1: Vector
    v2: Vector
    w2: Vector


class ElementRates(NamedTuple):
    """Rates of an element, frame E: angular velocity, local rotations [rad/s] and length [m/s]."""

    omega: Vector
    local1: Vector
    local2: Vector
    stretch: float


class Loads(NamedTuple):
    """Loads on an element, frame E, by what they do work on.

    Local rotations of the ends, the frame's rotation [N m], the chord's length and the auxiliary point [N].
    """

    local1: Vector
    local2: Vector
    frame: Vector
    axial: float
    middle: Vector


@inner
def new_elements(n: int) -> Elements:
    """Room for n elements."""
    return Elements(
        np.empty((n, 3, 3)), np.empty((n, 2, 3)), np.empty((n, 2, 2)), np.empty((n, 2, 3)), np.empty(n)
    )


@inner
def place_element(positions: FloatArray, rotations: FloatArray, k: int, at: Elements) -> float:
    """Fill row k from nodes k and k + 1; returns the square of the larger local rotation [rad^2]."""
    chord = add(row(positions[k + 1]), scale(-1.0, row(positions[k])))
    E, first, second = at.E[k], rotations[k], rotations[k + 1]
    at.lengths[k] = length(chord)
    e3 = scale(1.0 / at.lengths[k], chord)
    e2 = cross(e3, (first[0, 0] + second[0, 0], first[1, 0] + second[1, 0], first[2, 0] + second[2, 0]))
    e2 = scale(1.0 / length(e2), e2)
    e1 = cross(e2, e3)
    for i in range(3):
        E[i, 0], E[i, 1], E[i, 2] = e1[i], e2[i], e3[i]
    largest = 0.0
    for end in range(2):
        R = rotations[k + end]
        put(at.x[k, end], turn_back(E, (R[0, 0], R[1, 0], R[2, 0])))
        local = vector_between(E, R)
        square = dot(local, local)
        put(at.local[k, end], local)
        at.eta[k, end, 0], at.eta[k, end, 1] = inverse_coefficients(square)
        largest = max(largest, square) if math.isfinite(square) else math.inf
    return largest


@inner
def ends_of(velocities: FloatArray, k: int, at: Elements) -> Ends:
    """Rows k and k + 1 of velocities or accelerations (n + 1, 6), base frame, in the frame E."""
    E, a, b = at.E[k], velocities[k], velocities[k + 1]
    return Ends(
        turn_back(E, (a[0], a[1], a[2])),
        turn_back(E, (a[3], a[4], a[5])),
        turn_back(E, (b[0], b[1], b[2])),
        turn_back(E, (b[3], b[4], b[5])),
    )


@inner
def beside_chord(L: float, first: Vector, second: Vector) -> Vector:
    """Place of the auxiliary point beside the chord (equation 6), or its rate, by local rotations."""
    return L / 8 * (first[1] - second[1]), L / 8 * (second[0] - first[0]), 0.0


@inner
def element_rates(k: int, at: Elements, ends: Ends) -> ElementRates:
    """Rates of element k."""
    x1, x2 = row(at.x[k, 0]), row(at.x[k, 1])
    apart = add(ends.v2, scale(-1.0, ends.v1))
    o1, o2 = -apart[1] / at.lengths[k], apart[0] / at.lengths[k]
    swing = cross(ends.w1, x1)[1] + cross(ends.w2, x2)[1]
    omega = (o1, o2, (swing + (x1[2] + x2[2]) * o1) / (x1[0] + x2[0]))
    back = scale(-1.0, omega)
    return ElementRates(
        omega,
        vector_rate(row(at.local[k, 0]), at.eta[k, 0, 0], add(ends.w1, back)),
        vector_rate(row(at.local[k, 1]), at.eta[k, 1, 0], add(ends.w2, back)),
        apart[2],
    )


@inner
def second_rate(r: Vector, eta: FloatArray, rate: Vector, w: Vector, w_dot: Vector) -> Vector:
    """Second derivative of a rotation vector that changes at ``rate`` by the angular velocity ``w``."""
    across, change = cross(r, w), cross(rate, w)
    twice = add(cross(rate, across), cross(r, change))
    steeper = scale(2 * dot(r, rate) * eta[1], cross(r, across))
    own = add(scale(-0.5, change), add(scale(eta[0], twice), steeper))
    return add(vector_rate(r, eta[0], w_dot), own)


@inner
def middle_motion(
    L: float, k: int, at: Elements, ends: Ends, rates: ElementRates, accelerations: Ends
) -> tuple[Vector, Vector]:
    """Acceleration [m/s^2] of the auxiliary point, angular acceleration [rad/s^2] of the frame; frame E."""
    omega, x1, x2 = rates.omega, row(at.x[k, 0]), row(at.x[k, 1])
    back, longer = scale(-1.0, omega), rates.stretch / at.lengths[k]
    dw1, dw2 = add(accelerations.w1, cross(ends.w1, omega)), add(accelerations.w2, cross(ends.w2, omega))
    apart = add(
        add(accelerations.v2, scale(-1.0, accelerations.v1)), cross(add(ends.v2, scale(-1.0, ends.v1)), omega)
    )
    spin1, spin2 = add(ends.w1, back), add(ends.w2, back)
    dx1, dx2 = cross(spin1, x1), cross(spin2, x2)
    o1, o2 = -apart[1] / at.lengths[k] - omega[0] * longer, apart[0] / at.lengths[k] - omega[1] * longer
    swing = cross(dw1, x1)[1] + cross(ends.w1, dx1)[1] + cross(dw2, x2)[1] + cross(ends.w2, dx2)[1]
    swing += (dx1[2] + dx2[2]) * omega[0] + (x1[2] + x2[2]) * o1 - omega[2] * (dx1[0] + dx2[0])
    omega_dot = (o1, o2, swing / (x1[0] + x2[0]))
    less = scale(-1.0, omega_dot)
    local1, local2 = row(at.local[k, 0]), row(at.local[k, 1])
    beside, speed = beside_chord(L, local1, local2), beside_chord(L, rates.local1, rates.local2)
    change = beside_chord(
        L,
        second_rate(local1, at.eta[k, 0], rates.local1, spin1, add(dw1, less)),
        second_rate(local2, at.eta[k, 1], rates.local2, spin2, add(dw2, less)),
    )
    carried = add(cross(omega_dot, beside), cross(omega, add(scale(2.0, speed), cross(omega, beside))))
    mean = scale(0.5, add(accelerations.v1, accelerations.v2))
    return add(mean, add(carried, change)), omega_dot


@inner
def add_turned(E: FloatArray, force: Vector, moment: Vector, out: FloatArray) -> None:
    """Add a force and a moment of the frame E, in the base frame, to ``out`` (6,)."""
    put(out[:3], add(row(out[:3]), turn(E, force)))
    put(out[3:], add(row(out[3:]), turn(E, moment)))


@inner
def add_loads(L: float, k: int, at: Elements, loads: Loads, first: FloatArray, second: FloatArray) -> None:
    """Add what loads on element k need at its ends to ``first`` and ``second`` (6,) [N, N m], base frame."""
    x1, x2, local1, local2 = row(at.x[k, 0]), row(at.x[k, 1]), row(at.local[k, 0]), row(at.local[k, 1])
    a, b, _ = beside_chord(L, local1, local2)
    fx, fy, fz = loads.middle
    bow = (-L / 8 * fy, L / 8 * fx, 0.0)
    m1 = vector_load(local1, at.eta[k, 0, 0], add(loads.local1, bow))
    m2 = vector_load(local2, at.eta[k, 1, 0], add(loads.local2, scale(-1.0, bow)))
    frame = add(add(loads.frame, cross((a, b, 0.0), loads.middle)), scale(-1.0, add(m1, m2)))
    pull = frame[2] / (x1[0] + x2[0])
    about = frame[0] + pull * (x1[2] + x2[2])
    force = (frame[1] / at.lengths[k], -about / at.lengths[k], loads.axial)
    half = (0.5 * fx, 0.5 * fy, 0.5 * fz)
    m1, m2 = add(m1, scale(pull, (-x1[2], 0.0, x1[0]))), add(m2, scale(pull, (-x2[2], 0.0, x2[0])))
    add_turned(at.E[k], add(half, scale(-1.0, force)), m1, first)
    add_turned(at.E[k], add(half, force), m2, second)


@inner
def stretch_of(robot: Robot, k: int, at: Elements) -> float:
    """Lengthening [m] of element k against the unloaded one."""
    longer = at.lengths[k] - robot.L
    if robot.bowing:
        for axis in range(2):
            a, b = at.local[k, 0, axis], at.local[k, 1, axis]
            longer += robot.L / 30 * (2 * a * a - a * b + 2 * b * b)
    return longer


@inner
def bending_moments(robot: Robot, first: Vector, second: Vector) -> tuple[Vector, Vector]:
    """Moments [N m] of local rotations [rad], or of their rates: 4 and 2 EI/L, and GJ/L."""
    bend, twist = 2 * robot.EI / robot.L, robot.GJ / robot.L * (first[2] - second[2])
    return (
        (bend * (2 * first[0] + second[0]), bend * (2 * first[1] + second[1]), twist),
        (bend * (first[0] + 2 * second[0]), bend * (first[1] + 2 * second[1]), -twist),
    )


@inner
def axial_force(robot: Robot, k: int, at: Elements) -> float:
    """Tension [N] of element k."""
    return robot.EA / robot.L * stretch_of(robot, k, at)


@inner
def elastic_loads(robot: Robot, k: int, at: Elements, bending: float, axial: float) -> Loads:
    """Loads of bending, times a factor, and of a tension ``axial`` [N] of element k: slopes of the energy."""
    local1, local2 = row(at.local[k, 0]), row(at.local[k, 1])
    first, second = bending_moments(robot, local1, local2)
    share = axial * robot.L / 30 if robot.bowing else 0.0
    first = add(
        scale(bending, first), (share * (4 * local1[0] - local2[0]), share * (4 * local1[1] - local2[1]), 0.0)
    )
    second = add(
        scale(bending, second),
        (share * (4 * local2[0] - local1[0]), share * (4 * local2[1] - local1[1]), 0.0),
    )
    return Loads(first, second, (0.0, 0.0, 0.0), axial, (0.0, 0.0, 0.0))


@inner
def greatest_curvature(robot: Robot, k: int, at: Elements) -> float:
    """Greatest curvature [1/m] of element k, by the moments at its ends and its mean bend."""
    loads, a, b = elastic_loads(robot, k, at, 1.0, axial_force(robot, k, at)), at.local[k, 0], at.local[k, 1]
    return greatest_bending(
        (-loads.local1[0] / robot.EI, -loads.local1[1] / robot.EI),
        ((b[0] - a[0]) / robot.L, (b[1] - a[1]) / robot.L),
        (loads.local2[0] / robot.EI, loads.local2[1] / robot.EI),
    )
