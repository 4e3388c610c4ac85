"""The cables over a box of rotations, as seen from its centre, at one position of the platform.

A box is the set of rotation vectors ``c + d`` with ``d = sum z_k s_k``, ``|z_k| <= 1``: the steps s_k are the
axes about which the platform turns, times the half sides of the box. Write ``rho = |half sides|``,
``R0 = exp([c]x)`` and ``exp([e]x) R0`` for the other rotations.

*Turns.* ``e`` is ``J d`` up to a vector no longer than *stray*, with J the left Jacobian of the rotation at
c, which takes rates of a rotation vector to angular velocities; J times the steps are the *turns* p_k. Along
``c + t d`` the angular velocity ``w = J(c + t d) d`` is no longer than rho, and changes at a rate of at most
``K rho^2``, ``K = Q exp(Q) / 6``, ``Q = |c| + rho``: in the power series of J the terms with ``[d]x d``
vanish, and those left add up to less. ``e' = w - e x w / 2 + ...`` then gives for rho <= 1, by Gronwall's
inequality, ``|e - J d| <= K rho^2 exp(rho) / 2``. From c = 0, ``e = d``.

*Arms.* ``exp([e]x) a = a + e x a`` up to ``|a| |e|^2 / 2``. So an arm ``a = R0 b`` becomes
``a + sum z_k p_k x a`` up to ``|a|`` times the *bend* ``stray + rho^2 / 2``; likewise linear functions of it.

*Columns.* ``W_i = [u; a x u / L]``, u along ``P - x - a``. With ``q = |a| / l`` for the least length l in the
box the derivatives of u along an arc of unit speed are at most ``q``, ``q + 2/sqrt(3) q^2`` and
``q + 2 sqrt(3) q^2 + 3 q^3``: those of a unit vector towards a point that moves straight are at most 1/l,
``2 / (sqrt(3) l^2)`` and ``3 / l^3``, and those of the arm ``|a|``. Products with those of the arm, at most
``|a| / L``, bound those of the torque.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.ray_kernels import Rays, fill_rays, new_rays
from models.hybrid_cable_robot.robot import Robot
from models.jit import inner
from models.numerics.rotation_kernels import rotated
from models.numerics.vector_kernels import Vector, add, cross, dot, length, put, row, scale

WIDEST = 1.0  # [rad]; nothing is said of a box with a greater radius
PAIRS = 6  # of turns, each with itself too


class Turned(NamedTuple):
    """Memory for the cables over a box of rotations.

    Attributes
    ----------
    rotation : (3, 3) float
        Platform to world, at the centre.
    turns : (3, 3) float, rad, world axes
        The turns p_k in rows; zero beyond the axes about which the platform turns.
    sizes : (3,) float, rad
        Radius, with the stray; stray; bend.
    rays : Rays
        The cables at the centre.
    reaches : (m,) float, m
        Lengths |b| of the arms.
    first : (m, 3, 6) float
        Derivatives of the scaled columns of W along the turns.
    second : (m, 6, 6) float
        Second ones, along the pairs 00, 01, 02, 11, 12, 22 of turns.
    shifts, swings : (3, 3) float
        Derivatives of one cable's unit vector, and of its arm over L.
    aim : (3,) float
        Place in the box, as shares of its half sides, at which a test is most likely to fail.
    work, cables : (3, 3), (m, 7) float
    growth : (m, 3) float
        Greatest first, second and third derivatives of a column along an arc of unit speed.
    """

    rotation: FloatArray
    turns: FloatArray
    sizes: FloatArray
    rays: Rays
    reaches: FloatArray
    first: FloatArray
    second: FloatArray
    shifts: FloatArray
    swings: FloatArray
    aim: FloatArray
    work: FloatArray
    cables: FloatArray
    growth: FloatArray


def new_turned(cables: int) -> Turned:
    """Memory for that many cables."""
    square, each = (3, 3), cables
    return Turned(
        rotation=np.zeros(square),
        turns=np.zeros(square),
        sizes=np.zeros(3),
        rays=new_rays(cables),
        reaches=np.zeros(each),
        first=np.zeros((each, 3, 6)),
        second=np.zeros((each, PAIRS, 6)),
        shifts=np.zeros(square),
        swings=np.zeros(square),
        aim=np.zeros(3),
        work=np.zeros(square),
        cables=np.zeros((each, 7)),
        growth=np.zeros((each, 3)),
    )


@inner
def fill_turns(spans: FloatArray, place: FloatArray, half: FloatArray, known: Turned) -> bool:
    """Fill rotation, turns and sizes of a box of rotations; False if it is too wide.

    ``spans`` (k, 3) rad are the half sides of the whole box as vectors, ``place`` and ``half`` (3,) the
    centre and half sides of this one as shares of them.
    """
    center: Vector = (0.0, 0.0, 0.0)
    square = 0.0
    for k in range(spans.shape[0]):
        center = add(center, scale(place[k], row(spans[k])))
        square += half[k] * half[k] * dot(row(spans[k]), row(spans[k]))
    angle, radius = length(center), math.sqrt(square)
    for axis in range(3):
        for other in range(3):
            known.rotation[axis, other] = 1.0 if axis == other else 0.0
    rotated(center, known.rotation, known.rotation)
    A, B = 0.5, 1.0 / 6.0
    if angle > 1e-4:
        A, B = 2.0 * (math.sin(0.5 * angle) / angle) ** 2, (angle - math.sin(angle)) / angle**3
    for k in range(spans.shape[0]):
        step = scale(half[k], row(spans[k]))
        moved = cross(center, step)
        put(known.turns[k], add(step, add(scale(A, moved), scale(B, cross(center, moved)))))
    stray, reach = 0.0, angle + radius
    if angle > 0.0 and radius <= WIDEST:
        stray = reach * math.exp(reach) / 12.0 * square * math.exp(radius)
    known.sizes[0], known.sizes[1], known.sizes[2] = radius + stray, stray, stray + 0.5 * square
    return radius <= WIDEST


@inner
def fill_cables(robot: Robot, position: FloatArray, known: Turned) -> bool:
    """Fill the cables at the centre of a box of rotations; False when one is too short to say anything."""
    longest = 0.0
    for i in range(known.reaches.shape[0]):
        known.reaches[i] = length(row(robot.attachments[i]))
        longest = max(longest, known.reaches[i])
    if not fill_rays(robot, known.rotation, position, longest * known.sizes[0], known.rays):
        return False
    for i in range(known.reaches.shape[0]):
        share = known.reaches[i] / (known.rays.lengths[i] - known.reaches[i] * known.sizes[0])
        lever = known.reaches[i] / robot.length_scale
        one = share
        two = share + 2.0 / math.sqrt(3.0) * share * share
        three = share + 2.0 * math.sqrt(3.0) * share * share + 3.0 * share**3
        known.growth[i, 0] = math.hypot(one, lever * (1.0 + one))
        known.growth[i, 1] = math.hypot(two, lever * (1.0 + 2.0 * one + two))
        known.growth[i, 2] = math.hypot(three, lever * (1.0 + 3.0 * one + 3.0 * two + three))
    return True


@inner
def _across(u: Vector, a: Vector) -> Vector:
    """The part of ``a`` normal to the unit vector ``u``."""
    return add(a, scale(-dot(u, a), u))


@inner
def _put_column(out: FloatArray, rows: FloatArray, force: Vector, torque: Vector) -> None:
    for axis in range(3):
        out[axis] = rows[axis] * force[axis]
        out[3 + axis] = rows[3 + axis] * torque[axis]


@inner
def fill_derivatives(robot: Robot, known: Turned) -> None:
    """Fill the derivatives of the columns of W along the turns of the box; clear rows that do not count."""
    shifts, swings = known.shifts, known.swings
    for i in range(known.reaches.shape[0]):
        u, size, arm = row(known.rays.units[i]), known.rays.lengths[i], row(known.rays.arms[i])
        L = robot.length_scale
        for line in range(6):
            known.rays.W[line, i] *= robot.rows[line]
        for k in range(3):
            moved = cross(row(known.turns[k]), arm)
            shift = _across(u, scale(-L / size, moved))
            put(swings[k], moved)
            put(shifts[k], shift)
            _put_column(known.first[i, k], robot.rows, shift, add(cross(moved, u), cross(arm, shift)))
        pair = 0
        for k in range(3):
            for j in range(k, 3):
                p, q, along, other = row(known.turns[k]), row(known.turns[j]), row(shifts[k]), row(shifts[j])
                bent = scale(0.5, add(cross(p, row(swings[j])), cross(q, row(swings[k]))))
                du, dv = L / size * dot(u, row(swings[k])), L / size * dot(u, row(swings[j]))  # minus u . D'
                turned = add(scale(dv, along), scale(du, other))
                turned = add(add(turned, scale(-dot(along, other), u)), _across(u, scale(-L / size, bent)))
                torque = add(cross(bent, u), cross(arm, turned))
                torque = add(torque, add(cross(row(swings[k]), other), cross(row(swings[j]), along)))
                _put_column(known.second[i, pair], robot.rows, turned, torque)
                pair += 1
