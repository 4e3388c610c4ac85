"""The rates of an arm in motion, compiled; ``tests/oracles/flexible_arm_equations.py`` is the definition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain_kernels import (
    Scratch,
    accelerations_into,
    chain_scratch,
    dissipation_of,
    end_states,
)
from models.flexible_arm.contact import Contact
from models.flexible_arm.contact_kernels import contact_forces
from models.flexible_arm.ground_kernels import gap_of
from models.flexible_arm.motion import LOSSES, Touch
from models.jit import inner


class RateScratch(NamedTuple):
    """Room for one evaluation of the rates.

    Attributes
    ----------
    points : (P, 2) float, m
    velocities : (P, 2) float, m/s
    forces : (P, 2) float, N
        Forces of the ground on the link ends.
    normal, tangential : (P,) float, N
        Their components.
    chain : Scratch
    """

    points: FloatArray
    velocities: FloatArray
    forces: FloatArray
    normal: FloatArray
    tangential: FloatArray
    chain: Scratch


def new_scratch(arm: Arm) -> RateScratch:
    """Room for an arm."""
    ends = len(arm.lengths) + 1
    pairs = [np.zeros((ends, 2)) for _ in range(3)]
    return RateScratch(pairs[0], pairs[1], pairs[2], np.zeros(ends), np.zeros(ends), chain_scratch(arm))


@inner
def state_rates(
    arm: Arm, contact: Contact, touch: Touch, y: FloatArray, scratch: RateScratch, out: FloatArray
) -> None:
    """Write the rates of the state y into ``out``."""
    N, ends = arm.offsets[-1], len(arm.lengths) + 1
    z, v = y[:N], y[N : 2 * N]
    end_states(arm, z, v, scratch.points, scratch.velocities)
    losses, impulses = 2 * N, 2 * N + LOSSES
    out[losses] = out[losses + 1] = 0.0
    for k in range(ends):
        if touch.active[k]:
            fx, fy, normal, tangential, compression, friction = contact_forces(
                contact, scratch.points[k, 0], scratch.points[k, 1], scratch.velocities[k, 0],
                scratch.velocities[k, 1], touch.speeds[k],
            )  # fmt: skip
        else:
            fx = fy = normal = tangential = compression = friction = 0.0
        scratch.forces[k, 0], scratch.forces[k, 1] = fx, fy
        scratch.normal[k], scratch.tangential[k] = normal, tangential
        out[losses] -= compression
        out[losses + 1] -= friction
        out[impulses + k] = normal
        out[impulses + ends + k] = tangential
    for i in range(N):
        out[i] = v[i]
    accelerations_into(arm, z, v, scratch.forces, scratch.chain, out[N : 2 * N])
    out[losses + 2], out[losses + 3] = dissipation_of(arm, v)


@inner
def gaps_into(
    arm: Arm, contact: Contact, y: FloatArray, scratch: RateScratch, gaps: FloatArray, gap_rates: FloatArray
) -> None:
    """Write the distance (P,) [m] of each link end above the ground, and its rate [m/s]."""
    N = arm.offsets[-1]
    end_states(arm, y[:N], y[N : 2 * N], scratch.points, scratch.velocities)
    for k in range(len(gaps)):
        x, h = scratch.points[k]
        gaps[k], gx, gy = gap_of(contact.ground, x, h)
        gap_rates[k] = gx * scratch.velocities[k, 0] + gy * scratch.velocities[k, 1]


@inner
def ground_forces_at(arm: Arm, contact: Contact, touch: Touch, y: FloatArray, scratch: RateScratch) -> None:
    """Write the forces of the ground on the link ends in a state into the scratch."""
    N = arm.offsets[-1]
    end_states(arm, y[:N], y[N : 2 * N], scratch.points, scratch.velocities)
    for k in range(len(touch.active)):
        scratch.normal[k] = scratch.tangential[k] = 0.0
        if touch.active[k]:
            _, _, scratch.normal[k], scratch.tangential[k], _, _ = contact_forces(
                contact, scratch.points[k, 0], scratch.points[k, 1], scratch.velocities[k, 0],
                scratch.velocities[k, 1], touch.speeds[k],
            )  # fmt: skip
