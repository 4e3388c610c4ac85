"""The arm's accelerations by its composite mass matrix, compiled: what the recursion is compared with.

From the last link to the first, masses of the links beyond are composed into one mass at the joint; every
coordinate then has its momentum (a column for the first end) and its inner products with the coordinates of
the links before. Cholesky's factor solves for the accelerations. The equations are those of
``tests/oracles/flexible_arm_equations.py``; a test compares the two. The work grows with the cube of the
coordinates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain_kernels import Scratch, accelerations_into, sag_of
from models.jit import entry, inlined, inner


@inlined
def shift_of(arm: Arm, i: int, z: FloatArray, v: FloatArray) -> tuple[float, float]:
    """``a.delta`` [kg m] of link i, and its rate [kg m/s]."""
    n, shift, rate = len(arm.lengths), 0.0, 0.0
    for j in range(arm.offsets[i], arm.offsets[i + 1]):
        shift += arm.a[j - 2 - n] * z[j]
        rate += arm.a[j - 2 - n] * v[j]
    return shift, rate


class Composite(NamedTuple):
    """Room for one evaluation: mass matrix and factor (N, N), loads (N,), momenta (N, 2), moves (N, 2).

    ``moves`` is how the far end of a coordinate's link moves per rate of it. ``joints`` (n + 1, 2) are the
    accelerations of the joints without any of the coordinates, gravity included [m/s^2].
    """

    mass: FloatArray
    loads: FloatArray
    momenta: FloatArray
    moves: FloatArray
    joints: FloatArray


def new_composite(arm: Arm) -> Composite:
    N, n = int(arm.offsets[-1]), len(arm.lengths)
    return Composite(np.zeros((N, N)), np.zeros(N), np.zeros((N, 2)), np.zeros((N, 2)), np.zeros((n + 1, 2)))


@inner
def fill_joints(arm: Arm, z: FloatArray, v: FloatArray, room: Composite) -> None:
    """Bias accelerations of all joints, from the first end outwards."""
    room.joints[0, 0], room.joints[0, 1] = 0.0, arm.gravity
    for i in range(len(arm.lengths)):
        c, s, w = math.cos(z[2 + i]), math.sin(z[2 + i]), v[2 + i]
        sag, rate = sag_of(arm, i, z, v)
        along, across = -w * w * arm.lengths[i] - 2 * w * rate, -w * w * sag
        room.joints[i + 1, 0] = room.joints[i, 0] + c * along - s * across
        room.joints[i + 1, 1] = room.joints[i, 1] + s * along + c * across


@inner
def fill_modes(arm: Arm, i: int, z: FloatArray, v: FloatArray, across: float, room: Composite) -> float:
    """Loads and masses of a link's modes by themselves; returns ``delta c delta'``."""
    first, last = arm.offsets[i], arm.offsets[i + 1]
    square, own = v[2 + i] * v[2 + i], first - 2 - len(arm.lengths)
    change = 0.0
    for j in range(last - first):
        load, momentum = arm.a[own + j] * across, 0.0
        for m in range(last - first):
            momentum += arm.c[i, j, m] * z[first + m]
            load += arm.stiffness[i, j, m] * z[first + m]
            load += (arm.air[i, j, m] + arm.structure[i, j, m]) * v[first + m]
            room.mass[first + j, first + m] = arm.ce[i, j, m]
        change += momentum * v[first + j]
        room.loads[first + j] = load - square * momentum
        room.mass[first + j, 2 + i] = arm.b[own + j]
    return change


@inner
def fill_link(
    arm: Arm, i: int, z: FloatArray, v: FloatArray, beyond: tuple[float, float, float], room: Composite
) -> tuple[float, float, float]:
    """Rows of a link, from mass [kg] and force [N] ``beyond`` it; returns those at its first end."""
    c, s, w, L = math.cos(z[2 + i]), math.sin(z[2 + i]), v[2 + i], arm.lengths[i]
    (shift, shift_rate), (sag, _), n = shift_of(arm, i, z, v), sag_of(arm, i, z, v), len(arm.lengths)
    x, y = room.joints[i, 0], room.joints[i, 1]
    mass, fx, fy = beyond
    change = fill_modes(arm, i, z, v, c * y - s * x, room)
    stretch = 0.0
    for j in range(arm.offsets[i], arm.offsets[i + 1]):
        for m in range(arm.offsets[i], arm.offsets[i + 1]):
            stretch += z[j] * arm.c[i, j - arm.offsets[i], m - arm.offsets[i]] * z[m]
        W, a = arm.end_shape[j - 2 - n], arm.a[j - 2 - n]
        room.moves[j, 0], room.moves[j, 1] = -s * W, c * W
        room.momenta[j, 0], room.momenta[j, 1] = -s * (a + mass * W), c * (a + mass * W)
        room.loads[j] += W * (c * fy - s * fx)
    p, q = -c * shift - s * arm.m1[i], -s * shift + c * arm.m1[i]
    u, t = -c * sag - s * L, -s * sag + c * L
    room.moves[2 + i, 0], room.moves[2 + i, 1] = u, t
    room.momenta[2 + i, 0], room.momenta[2 + i, 1] = p + mass * u, q + mass * t
    room.loads[2 + i] = 2 * w * change + p * x + q * y + u * fx + t * fy
    room.mass[2 + i, 2 + i] = arm.m2[i] + stretch + mass * (u * u + t * t)
    for j in range(arm.offsets[i], arm.offsets[i + 1]):
        room.mass[j, 2 + i] += mass * (u * room.moves[j, 0] + t * room.moves[j, 1])
        for m in range(arm.offsets[i], j + 1):
            room.mass[j, m] += mass * arm.end_shape[j - 2 - n] * arm.end_shape[m - 2 - n]
    along, across = -w * w * arm.m1[i] - 2 * w * shift_rate, -w * w * shift
    m0 = arm.m0[i]
    return mass + m0, fx + c * along - s * across + m0 * x, fy + s * along + c * across + m0 * y


@inner
def fill_couplings(arm: Arm, i: int, room: Composite) -> None:
    """Inner products of a link's coordinates with those of all links before it, and with the first end."""
    n, first = len(arm.lengths), arm.offsets[i]
    for k in range(-1, arm.offsets[i + 1] - first):
        row = 2 + i if k < 0 else first + k
        px, py = room.momenta[row, 0], room.momenta[row, 1]
        room.mass[row, 0], room.mass[row, 1] = px, py
        for j in range(2, 2 + i):
            room.mass[row, j] = px * room.moves[j, 0] + py * room.moves[j, 1]
        for j in range(2 + n, first):
            room.mass[row, j] = px * room.moves[j, 0] + py * room.moves[j, 1]
        # Angles of the links behind come before the modes of this one in the order of the coordinates.
        for j in range(2 + i + 1, 2 + n):
            if k >= 0:
                room.mass[row, j] = room.momenta[j, 0] * room.moves[row, 0]
                room.mass[row, j] += room.momenta[j, 1] * room.moves[row, 1]


@inner
def solve(mass: FloatArray, loads: FloatArray, start: int, out: FloatArray) -> None:
    """Cholesky's factor in place of the lower triangle from ``start`` on; ``out = -mass^-1 loads``."""
    N = len(loads)
    for i in range(start, N):
        total = -loads[i]
        for j in range(start, i + 1):
            value = mass[i, j]
            for k in range(start, j):
                value -= mass[i, k] * mass[j, k]
            mass[i, j] = math.sqrt(value) if i == j else value / mass[j, j]
        for j in range(start, i):
            total -= mass[i, j] * out[j]
        out[i] = total / mass[i, i]
    for i in range(N - 1, start - 1, -1):
        total = out[i]
        for k in range(i + 1, N):
            total -= mass[k, i] * out[k]
        out[i] = total / mass[i, i]


@inner
def composite_accelerations(
    arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray, room: Composite, out: FloatArray
) -> None:
    n = len(arm.lengths)
    fill_joints(arm, z, v, room)
    mass, fx, fy = 0.0, 0.0, 0.0
    for i in range(n - 1, -1, -1):
        beyond = (mass, fx - forces[i + 1, 0], fy - forces[i + 1, 1])
        mass, fx, fy = fill_link(arm, i, z, v, beyond, room)
    room.mass[0, 0], room.mass[1, 0], room.mass[1, 1] = mass, 0.0, mass
    room.loads[0], room.loads[1] = fx - forces[0, 0], fy - forces[0, 1]
    for i in range(n):
        fill_couplings(arm, i, room)
    out[0], out[1] = 0.0, 0.0
    solve(room.mass, room.loads, 2 if arm.pinned else 0, out)


@entry
def repeat_composite(
    arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray, room: Composite, out: FloatArray, times: int
) -> None:
    """Compute the same accelerations ``times`` times."""
    for _ in range(times):
        composite_accelerations(arm, z, v, forces, room, out)


@entry
def repeat_recursion(
    arm: Arm, z: FloatArray, v: FloatArray, forces: FloatArray, scratch: Scratch, out: FloatArray, times: int
) -> None:
    """The same by the recursion of the model."""
    for _ in range(times):
        accelerations_into(arm, z, v, forces, scratch, out)
