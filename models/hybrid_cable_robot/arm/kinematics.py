"""Kinematics of the arm: poses of its frames, the Jacobian of its end, and joint angles in closed form.

Any chain of revolute and prismatic joints has the first two; arms like the paper's have closed forms. Their
last three axes meet in the wrist's centre, which is the end frame's origin. The first three joints place it:
the azimuth, then a planar two-link arm; the last three turn the end.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.hybrid_cable_robot.bodies import ARM_JOINTS, NO_CLOSED_FORM, ArmJoint, wrist_arm_lengths
from models.numerics.rotations import cross, turn


class Chain(NamedTuple):
    """Arrays of n joints.

    Attributes
    ----------
    origins : (n, 3) float, m
        Of each joint's frame in the frame before it, at zero.
    cosines, sines : (n,) float
        Of the twists between neighbouring axes; right angles exactly.
    offsets : (n,) float, rad
    sliding : (n,) bool
        True for prismatic joints.
    """

    origins: FloatArray
    cosines: FloatArray
    sines: FloatArray
    offsets: FloatArray
    sliding: NDArray[np.bool_]


@lru_cache(maxsize=64)  # a search rarely varies the arm
def chain_of(joints: tuple[ArmJoint, ...]) -> Chain:
    """The arrays of a table of joints."""
    origins = [[row.a, -math.sin(row.alpha) * row.d, math.cos(row.alpha) * row.d] for row in joints]
    return Chain(
        np.array(origins).reshape(-1, 3),
        np.array([round(math.cos(row.alpha), 15) for row in joints]),
        np.array([round(math.sin(row.alpha), 15) for row in joints]),
        np.array([row.offset for row in joints]),
        np.array([row.kind == "prismatic" for row in joints], dtype=bool),
    )


def joint_rotations(coordinates: FloatArray, chain: Chain) -> FloatArray:
    """Rotation of each frame in the one before it, (..., n, 3, 3), for coordinates (..., n) rad or m.

    Source: equation (3a) of the paper.
    """
    turned = np.where(chain.sliding, 0.0, coordinates) + chain.offsets
    c, s = np.cos(turned), np.sin(turned)
    zero = np.zeros(c.shape)
    ca, sa = chain.cosines, chain.sines
    rows = ((c, -s, zero), (s * ca, c * ca, zero - sa), (s * sa, c * sa, zero + ca))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def forward_kinematics(
    angles: Numbers, joints: tuple[ArmJoint, ...] = ARM_JOINTS
) -> tuple[FloatArray, FloatArray]:
    """Poses of the arm's frames in its base frame.

    Parameters
    ----------
    angles : (..., n) float, rad
        Of revolute joints, and the travels of prismatic ones [m].
    joints : tuple of n ArmJoint, optional
        Those of the paper's arm if left out.

    Returns
    -------
    positions : (..., n, 3) float, m
        Origins of frames 1 to n; the last is the end's.
    rotations : (..., n, 3, 3) float
        Frames 1 to n to the arm's base.
    """
    chain = chain_of(joints)
    coordinates = finite_array(angles, (..., len(joints)), "angles", "one per joint of the arm")
    steps = joint_rotations(coordinates, chain)
    rotations, positions = np.empty(steps.shape), np.empty(steps.shape[:-1])
    turned, p = np.broadcast_to(np.eye(3), (*coordinates.shape[:-1], 3, 3)), np.zeros(3)
    for joint, slides in enumerate(chain.sliding.tolist()):
        origin = chain.origins[joint]
        if slides:
            origin = origin + coordinates[..., joint, None] * steps[..., joint, :, 2]
        p = p + turn(turned, origin)
        turned = turned @ steps[..., joint, :, :]
        positions[..., joint, :], rotations[..., joint, :, :] = p, turned
    return positions, rotations


def arm_jacobian(angles: Numbers, joints: tuple[ArmJoint, ...] = ARM_JOINTS) -> FloatArray:
    """Geometric Jacobian (..., 6, n) of the end: joint rates to its twist in the arm's base frame.

    Rows 0-2 are the velocity of frame n's origin, [m] for a revolute joint and [1] for a prismatic one, rows
    3-5 its angular velocity, [1] and zero. ``angles`` (..., n) and ``joints`` as in
    :func:`forward_kinematics`.
    """
    positions, rotations = forward_kinematics(angles, joints)
    axes, slides = rotations[..., :, :, 2], chain_of(joints).sliding[:, None]
    arms = positions[..., -1:, :] - positions
    linear = np.where(slides, axes, cross(axes, arms))
    return np.swapaxes(np.concatenate([linear, np.where(slides, 0.0, axes)], axis=-1), -1, -2)


def bias_acceleration(
    angles: FloatArray, velocities: FloatArray, joints: tuple[ArmJoint, ...] = ARM_JOINTS
) -> FloatArray:
    """Acceleration (..., 6) of the end (linear, then angular) when no joint accelerates.

    ``J' q'`` by differentiating each column of the Jacobian; arm's base frame, m/s^2 and rad/s^2.
    """
    positions, rotations = forward_kinematics(angles, joints)
    slides = chain_of(joints).sliding[:, None]
    rates = rotations[..., :, :, 2] * velocities[..., None]
    spins, slips = np.where(slides, 0.0, rates), np.where(slides, rates, 0.0)
    turning = np.cumsum(spins, axis=-2)  # angular velocity of each link
    before = turning - spins
    steps = np.diff(positions, axis=-2, prepend=np.zeros((*positions.shape[:-2], 1, 3)))
    spin = np.cumsum(cross(before, spins), axis=-2)  # angular accelerations
    base = np.zeros((*steps.shape[:-2], 1, 3))
    carried = np.concatenate([base, turning[..., :-1, :]], axis=-2)
    spun = np.concatenate([base, spin[..., :-1, :]], axis=-2)
    along = cross(spun, steps) + cross(carried, cross(carried, steps)) + 2 * cross(carried, slips)
    return np.concatenate([np.sum(along, axis=-2), spin[..., -1, :]], axis=-1)


ROUNDING = 1e-12  # of the reach: beyond it by less counts as within
STRAIGHT_WRIST = 1e-9  # sine of the fifth angle below which the fourth axis is the sixth

Reach = Literal["reachable", "too far", "too near"]


@dataclass(frozen=True, slots=True)
class ArmBranches:
    """Branches of the inverse kinematics of one pose.

    Attributes
    ----------
    angles : (k, 6) float, rad, in (-pi, pi]
        One row per branch, eight of them; none when the pose is out of reach. On the first axis,
        or with a straight wrist, one of infinitely many angles is zero.
    reach : {"reachable", "too far", "too near"}
    shortfall : float, m
        How far the wrist's centre is out of reach; zero when it is not.
    """

    angles: FloatArray
    reach: Reach
    shortfall: float


def inverse_kinematics(
    position: Numbers, rotation: FloatArray, joints: tuple[ArmJoint, ...] = ARM_JOINTS
) -> ArmBranches:
    """All joint angles that bring frame 6 of an arm like the paper's to a pose.

    Parameters
    ----------
    position : (3,) float, m
        Origin of frame 6 in the arm's base frame.
    rotation : (3, 3) float
        Frame 6 to the arm's base.
    joints : tuple of ArmJoint, optional
        Those of the paper's arm if left out.

    Raises
    ------
    InputError
        For an arm without closed forms, see :func:`~models.hybrid_cable_robot.bodies.wrist_arm_lengths`.
    """
    lengths = wrist_arm_lengths(joints)
    if lengths is None:
        raise InputError(NO_CLOSED_FORM, ("joints",))
    upper, forearm = lengths
    point = finite_array(position, (3,), "position")
    distance = float(np.linalg.norm(point))
    slack = ROUNDING * (upper + forearm)
    if distance > upper + forearm + slack:
        return ArmBranches(np.empty((0, len(joints))), "too far", distance - upper - forearm)
    if distance < abs(upper - forearm) - slack:
        return ArmBranches(np.empty((0, len(joints))), "too near", abs(upper - forearm) - distance)
    rows = [
        (*first, *last)
        for shoulder, elbow in itertools.product((1.0, -1.0), repeat=2)
        for first in [_placing_angles(point, shoulder, elbow, lengths)]
        for last in _turning_angles(first, rotation)
    ]
    angles = np.array(rows)
    return ArmBranches(math.pi - np.mod(math.pi - angles, 2 * math.pi), "reachable", 0.0)


def nearest_branch(branches: ArmBranches, angles: FloatArray) -> FloatArray:
    """The branch nearest to ``angles`` (6,) rad, with full turns added to come close to them."""
    gaps = branches.angles - angles
    turned = angles + gaps - 2 * math.pi * np.round(gaps / (2 * math.pi))
    return turned[np.argmin(np.sum((turned - angles) ** 2, axis=1))]


def _placing_angles(
    point: FloatArray, shoulder: float, elbow: float, lengths: tuple[float, float]
) -> tuple[float, float, float]:
    """Angles 1 to 3: ``shoulder`` and ``elbow`` are the signs of the branch."""
    upper, forearm = lengths
    x, y, z = (float(value) for value in point)
    outward = shoulder * math.hypot(x, y)
    first = math.atan2(shoulder * y, shoulder * x) if outward else 0.0
    cosine = (upper**2 + forearm**2 - outward**2 - z**2) / (2 * upper * forearm)
    third = elbow * math.acos(min(1.0, max(-1.0, cosine)))
    along, across = upper - forearm * math.cos(third), -forearm * math.sin(third)
    second = math.atan2(-z, outward) - math.atan2(across, along)
    return first, second, third


def _turning_angles(
    first: tuple[float, float, float], rotation: FloatArray
) -> list[tuple[float, float, float]]:
    """Angles 4 to 6 of both branches of the wrist."""
    steps = joint_rotations(np.array([*first, 0.0, 0.0, 0.0]), chain_of(ARM_JOINTS))
    R = (steps[0] @ steps[1] @ steps[2]).T @ rotation
    sine = math.hypot(R[0, 2], R[2, 2])
    if sine < STRAIGHT_WRIST:
        fifth = math.atan2(0.0, R[1, 2])
        return [(0.0, fifth, math.atan2(-R[2, 0], -R[2, 1]))] * 2
    return [
        (
            math.atan2(sign * R[2, 2], -sign * R[0, 2]),
            math.atan2(sign * sine, R[1, 2]),
            math.atan2(-sign * R[1, 1], sign * R[1, 0]),
        )
        for sign in (1.0, -1.0)
    ]
