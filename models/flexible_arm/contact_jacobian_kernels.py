"""The stiff part of the Jacobian of the accelerations: forces of the ground over the velocities of link ends.

Each of the c link ends that touch has two directions: along the ground, and up, along the gradient of its
gap. ``u = J v`` are the speeds in them, all tangents first. Columns of B are accelerations per force along a
direction; ``W = J B`` [1/kg] is Delassus's matrix. Forces change by ``G u``; G couples the directions of one
end (``contact_slopes`` in ``tests/oracles/contact_forces.py``): accelerations change by ``B G J`` per rate.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain_kernels import accelerations_into, end_states
from models.flexible_arm.contact import Contact
from models.flexible_arm.contact_kernels import contact_slopes
from models.flexible_arm.ground_kernels import gap_of, ground_at
from models.flexible_arm.motion import Touch
from models.flexible_arm.motion_kernels import RateScratch
from models.jit import inner
from models.numerics.copy_kernels import copy

ALONG, CROSS, UP = range(3)
"""Columns of slopes: tangential force by speed along the ground, by speed up; normal force by speed up."""


class ContactJacobian(NamedTuple):
    """B, J, W and G in one state; N coordinates, P link ends.

    Attributes
    ----------
    count : (1,) int
        c.
    ends : (P,) int
        Numbers of the c link ends that touch, first.
    directions : (2 P, 2) float
        Tangents of these ends, then gradients of their gaps.
    columns : (2 P, N) float
        B: accelerations per force along each direction.
    delassus : (2 P, 2 P) float, 1/kg
    slopes : (P, 3) float, N s/m
        G: ALONG, CROSS and UP of each of these ends.
    rest : (2, N) float
        Room: rates of an arm at rest, and its accelerations without forces of the ground.
    """

    count: IntArray
    ends: IntArray
    directions: FloatArray
    columns: FloatArray
    delassus: FloatArray
    slopes: FloatArray
    rest: FloatArray


def new_contact_jacobian(arm: Arm) -> ContactJacobian:
    """Room for an arm."""
    N, P = int(arm.offsets[-1]), len(arm.lengths) + 1
    return ContactJacobian(
        np.zeros(1, np.int64), np.zeros(P, np.int64), np.zeros((2 * P, 2)), np.zeros((2 * P, N)),
        np.zeros((2 * P, 2 * P)), np.zeros((P, 3)), np.zeros((2, N)),
    )  # fmt: skip


@inner
def slopes_into(
    contact: Contact, touch: Touch, count: int, scratch: RateScratch, at: ContactJacobian, out: FloatArray
) -> None:
    """Fill G of the first ``count`` of ``ends`` where the scratch has places and velocities."""
    for row in range(count):
        k = at.ends[row]
        out[row, ALONG], out[row, CROSS], out[row, UP] = contact_slopes(
            contact, scratch.points[k, 0], scratch.points[k, 1], scratch.velocities[k, 0],
            scratch.velocities[k, 1], touch.speeds[k],
        )  # fmt: skip


@inner
def find_directions(
    arm: Arm, contact: Contact, touch: Touch, y: FloatArray, scratch: RateScratch, at: ContactJacobian
) -> int:
    """Fill ends, directions and slopes in the state y; c, the number of ends that touch."""
    N, count = arm.offsets[-1], 0
    end_states(arm, y[:N], y[N : 2 * N], scratch.points, scratch.velocities)
    for k in range(len(touch.active)):
        if touch.active[k]:
            at.ends[count] = k
            count += 1
    for row in range(count):
        x, height = scratch.points[at.ends[row]]
        slope = ground_at(contact.ground, x)[1]
        cosine = 1 / math.sqrt(1 + slope * slope)
        at.directions[row, 0], at.directions[row, 1] = cosine, slope * cosine
        _, at.directions[count + row, 0], at.directions[count + row, 1] = gap_of(contact.ground, x, height)
    slopes_into(contact, touch, count, scratch, at, at.slopes)
    return count


@inner
def find_responses(arm: Arm, y: FloatArray, count: int, scratch: RateScratch, at: ContactJacobian) -> None:
    """Fill B and W of ``count`` ends in the state y."""
    z, still, free = y[: arm.offsets[-1]], at.rest[0], at.rest[1]
    scratch.forces[:] = 0.0
    for row in range(-1, 2 * count):  # without forces first
        k = at.ends[row % count]
        column = at.columns[row] if row >= 0 else free
        if row >= 0:
            copy(at.directions[row], scratch.forces[k])
        accelerations_into(arm, z, still, scratch.forces, scratch.chain, column)
        scratch.forces[k] = 0.0
        if row >= 0:
            for n in range(len(z)):
                column[n] -= free[n]
            speeds_into(arm, z, column, count, scratch, at, at.delassus[row])


@inner
def speeds_into(
    arm: Arm, z: FloatArray, v: FloatArray, count: int, scratch: RateScratch, at: ContactJacobian,
    out: FloatArray,
) -> None:  # fmt: skip
    """Fill ``J v`` (2 c,) of rates v (N,)."""
    end_states(arm, z, v, scratch.points, scratch.velocities)
    for row in range(2 * count):
        direction, velocity = at.directions[row], scratch.velocities[at.ends[row % count]]
        out[row] = direction[0] * velocity[0] + direction[1] * velocity[1]


@inner
def put_slopes(
    factor: float, slopes: FloatArray, count: int, at: ContactJacobian, row: int, out: FloatArray
) -> None:
    """Fill row ``row`` (2 c,) of ``factor W G``."""
    for k in range(count):
        along, up = at.delassus[k, row], at.delassus[count + k, row]
        out[k] = factor * along * slopes[k, ALONG]
        out[count + k] = factor * (along * slopes[k, CROSS] + up * slopes[k, UP])


@inner
def add_responses(
    factor: float, slopes: FloatArray, u: FloatArray, count: int, at: ContactJacobian, out: FloatArray
) -> None:
    """Add ``factor B G u`` to accelerations (N,)."""
    for k in range(count):
        along = factor * (slopes[k, ALONG] * u[k] + slopes[k, CROSS] * u[count + k])
        up = factor * slopes[k, UP] * u[count + k]
        for n in range(len(out)):
            out[n] += along * at.columns[k, n] + up * at.columns[count + k, n]


@inner
def settling_rate(
    arm: Arm, contact: Contact, touch: Touch, y: FloatArray, scratch: RateScratch, at: ContactJacobian
) -> float:
    """Find the Jacobian in the state y, and the greatest row sum of W G.

    This is the rate [1/s] at which the ground brings link ends to rest.
    """
    count, fastest = find_directions(arm, contact, touch, y, scratch, at), 0.0
    at.count[0] = count
    if count:
        find_responses(arm, y, count, scratch, at)
    for k in range(count):
        along, up = 0.0, 0.0
        for m in range(count):
            along += abs(at.delassus[m, k] * min(at.slopes[m, ALONG], 0.0))
            up += abs(at.delassus[count + m, count + k] * at.slopes[m, UP])
        fastest = max(fastest, along, up)
    return fastest
