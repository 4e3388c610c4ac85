"""Compiled lengths of cables in the co-rotational form, and the stiffness of taut ones.

The definition of the lengths is ``cable_lengths`` in ``tests/oracles/corotational_motion.py``.
"""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.continuum_dynamics.corotational.motion_kernels import (
    NONE,
    Body,
    add_square,
    add_stiffness,
    new_body,
    place_elements,
    unit,
)
from models.continuum_dynamics.robot import Robot
from models.jit import entry, inner
from models.numerics.vector_kernels import Vector, add, cross, dot, put, row, scale, turn


@inner
def fill_lengths(
    robot: Robot, body: Body, v: FloatArray, lengths: FloatArray, slopes: FloatArray, bends: FloatArray
) -> None:
    """Lengths of the cables (m,), slopes (m, 6n), and second rates (m,) with constant velocities (6n,)."""
    slopes[:] = 0.0
    for cable in range(len(robot.holes)):
        hole = (robot.holes[cable, 0], robot.holes[cable, 1], 0.0)
        last, last_arm, last_v, last_turn = hole, hole, NONE, NONE
        lengths[cable], bends[cable] = 0.0, 0.0
        for k in range(1, len(body.positions)):
            i, arm = 6 * (k - 1), turn(body.rotations[k], hole)
            w = row(v[i + 3 : i + 6])
            place, around = add(row(body.positions[k]), arm), cross(w, arm)
            moving, turning = add(row(v[i : i + 3]), around), cross(w, around)
            across, apart = add(place, scale(-1.0, last)), add(moving, scale(-1.0, last_v))
            size = math.sqrt(dot(across, across))
            along = scale(1.0 / size, across)
            rate = dot(along, apart)
            lengths[cable] += size
            bends[cable] += dot(along, add(turning, scale(-1.0, last_turn)))
            bends[cable] += (dot(apart, apart) - rate * rate) / size
            add_pull(slopes[cable], i, arm, along)
            if k > 1:
                add_pull(slopes[cable], i - 6, last_arm, scale(-1.0, along))
            last, last_arm, last_v, last_turn = place, arm, moving, turning


@inner
def add_pull(slopes: FloatArray, i: int, arm: Vector, along: Vector) -> None:
    """Add a force ``along`` at ``arm`` from a disk's centre to its entries, from ``i`` on."""
    put(slopes[i : i + 3], add(row(slopes[i : i + 3]), along))
    put(slopes[i + 3 : i + 6], add(row(slopes[i + 3 : i + 6]), cross(arm, along)))


@inner
def add_cable_stiffness(robot: Robot, body: Body, cable: int, tension: float, out: FloatArray) -> None:
    """Add the stiffness of a cable with a tension [N] to the lower triangle of ``out`` (6n, 6n)."""
    hole, values = (robot.holes[cable, 0], robot.holes[cable, 1], 0.0), body.flat
    for k in range(len(robot.masses)):
        arm, next_arm = turn(body.rotations[k], hole), turn(body.rotations[k + 1], hole)
        across = add(row(body.positions[k + 1]), scale(-1.0, row(body.positions[k])))
        across = add(across, add(next_arm, scale(-1.0, arm)))
        size = math.sqrt(dot(across, across))
        along = scale(1.0 / size, across)
        for axis in range(4):
            way = along if axis == 3 else unit(axis, 1.0)
            put(values[:3], scale(-1.0, way))
            put(values[3:6], scale(-1.0, cross(arm, way)))
            put(values[6:9], way)
            put(values[9:], cross(next_arm, way))
            add_square(values, (-tension if axis == 3 else tension) / size, k, out)
        if k > 0:
            add_turning(6 * k - 3, arm, along, -tension, out)
        add_turning(6 * k + 3, next_arm, along, tension, out)


@inner
def add_turning(i: int, arm: Vector, along: Vector, tension: float, out: FloatArray) -> None:
    """Add the stiffness of a force that holds its direction while the ``arm`` turns, from entry ``i`` on."""
    for a in range(3):
        for b in range(a + 1):
            mixed = 0.5 * (arm[a] * along[b] + arm[b] * along[a])
            out[i + a, i + b] += tension * (mixed - (dot(arm, along) if a == b else 0.0))


@entry
def evaluate_lengths(
    robot: Robot, positions: FloatArray, rotations: FloatArray, v: FloatArray, lengths: FloatArray,
    slopes: FloatArray, bends: FloatArray,
) -> None:  # fmt: skip
    """Fill the lengths of the cables (m,), slopes (m, 6n) and second rates (m,) with velocities (6n,)."""
    fill_lengths(robot, new_body(positions, rotations), v, lengths, slopes, bends)


@entry
def evaluate_stiffness(
    robot: Robot, positions: FloatArray, rotations: FloatArray, tensions: FloatArray, out: FloatArray
) -> None:
    """Fill the lower triangle of the stiffness (6n, 6n) of elements and of cables with tensions (m,) [N]."""
    body = new_body(positions, rotations)
    place_elements(body)
    out[:] = 0.0
    add_stiffness(robot, body, out)
    for cable in range(len(tensions)):
        add_cable_stiffness(robot, body, cable, tensions[cable], out)
