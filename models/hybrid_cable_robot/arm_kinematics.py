"""Kinematics of the arm: poses of its frames, the Jacobian of its end, and joint angles in closed form.

The last three axes meet in the wrist's centre, which is the end frame's origin. The first three
joints place it: the azimuth, then a planar two-link arm; the last three turn the end.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.arrays import FloatArray, Numbers, finite_array
from models.hybrid_cable_robot.bodies import ARM_JOINTS, JOINTS
from models.numerics.rotations import cross, turn

# Origin of each joint's frame in the frame before it, (6, 3) m.
JOINT_ORIGINS = np.array(
    [[row.a, -math.sin(row.alpha) * row.d, math.cos(row.alpha) * row.d] for row in ARM_JOINTS]
)
# Twists between neighbouring axes are right angles, exactly.
COSINES = np.array([round(math.cos(row.alpha), 15) for row in ARM_JOINTS])
SINES = np.array([round(math.sin(row.alpha), 15) for row in ARM_JOINTS])


def joint_rotations(angles: FloatArray) -> FloatArray:
    """Rotation of each frame in the one before it, (..., 6, 3, 3), for angles (..., 6) rad.

    Source: equation (3a) of the paper.
    """
    turned = angles + np.array([row.offset for row in ARM_JOINTS])
    c, s = np.cos(turned), np.sin(turned)
    zero = np.zeros(c.shape)
    ca, sa = COSINES, SINES
    rows = ((c, -s, zero), (s * ca, c * ca, zero - sa), (s * sa, c * sa, zero + ca))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def forward_kinematics(angles: Numbers) -> tuple[FloatArray, FloatArray]:
    """Poses of the arm's frames in its base frame.

    Parameters
    ----------
    angles : (..., 6) float, rad

    Returns
    -------
    positions : (..., 6, 3) float, m
        Origins of frames 1 to 6; the last is the end's.
    rotations : (..., 6, 3, 3) float
        Frames 1 to 6 to the arm's base.
    """
    steps = joint_rotations(finite_array(angles, (..., JOINTS), "angles"))
    rotations, positions = np.empty(steps.shape), np.empty(steps.shape[:-1])
    turned, p = np.broadcast_to(np.eye(3), steps[..., 0, :, :].shape), np.zeros(positions[..., 0, :].shape)
    for joint in range(JOINTS):
        p = p + turn(turned, JOINT_ORIGINS[joint])
        turned = turned @ steps[..., joint, :, :]
        positions[..., joint, :], rotations[..., joint, :, :] = p, turned
    return positions, rotations


def arm_jacobian(angles: Numbers) -> FloatArray:
    """Geometric Jacobian (..., 6, 6) of the end: joint rates to its twist in the arm's base frame.

    Rows 0-2 are the velocity of frame 6's origin [m], rows 3-5 its angular velocity [1].
    """
    positions, rotations = forward_kinematics(angles)
    axes = rotations[..., :, :, 2]
    arms = positions[..., -1:, :] - positions
    return np.swapaxes(np.concatenate([cross(axes, arms), axes], axis=-1), -1, -2)


def bias_acceleration(angles: FloatArray, velocities: FloatArray) -> FloatArray:
    """Acceleration (..., 6) of the end (linear, then angular) when no joint accelerates.

    ``J' q'`` by differentiating each column of the Jacobian; arm's base frame, m/s^2 and rad/s^2.
    """
    positions, rotations = forward_kinematics(angles)
    axes = rotations[..., :, :, 2]
    turning = np.cumsum(axes * velocities[..., None], axis=-2)  # angular velocity of each link
    before = turning - axes * velocities[..., None]
    steps = np.diff(positions, axis=-2, prepend=np.zeros((*positions.shape[:-2], 1, 3)))
    carried = np.concatenate([np.zeros((*steps.shape[:-2], 1, 3)), turning[..., :-1, :]], axis=-2)
    spin = np.cumsum(cross(before, axes * velocities[..., None]), axis=-2)  # angular accelerations
    spun = np.concatenate([np.zeros((*steps.shape[:-2], 1, 3)), spin[..., :-1, :]], axis=-2)
    linear = np.sum(cross(spun, steps) + cross(carried, cross(carried, steps)), axis=-2)
    return np.concatenate([linear, spin[..., -1, :]], axis=-1)


UPPER_ARM, FOREARM = ARM_JOINTS[2].a, ARM_JOINTS[3].d  # [m]
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


def inverse_kinematics(position: Numbers, rotation: FloatArray) -> ArmBranches:
    """All joint angles that bring frame 6 to a pose.

    Parameters
    ----------
    position : (3,) float, m
        Origin of frame 6 in the arm's base frame.
    rotation : (3, 3) float
        Frame 6 to the arm's base.
    """
    point = finite_array(position, (3,), "position")
    distance = float(np.linalg.norm(point))
    slack = ROUNDING * (UPPER_ARM + FOREARM)
    if distance > UPPER_ARM + FOREARM + slack:
        return ArmBranches(np.empty((0, JOINTS)), "too far", distance - UPPER_ARM - FOREARM)
    if distance < abs(UPPER_ARM - FOREARM) - slack:
        return ArmBranches(np.empty((0, JOINTS)), "too near", abs(UPPER_ARM - FOREARM) - distance)
    rows = [
        (*first, *last)
        for shoulder, elbow in itertools.product((1.0, -1.0), repeat=2)
        for first in [_placing_angles(point, shoulder, elbow)]
        for last in _turning_angles(first, rotation)
    ]
    angles = np.array(rows)
    return ArmBranches(math.pi - np.mod(math.pi - angles, 2 * math.pi), "reachable", 0.0)


def nearest_branch(branches: ArmBranches, angles: FloatArray) -> FloatArray:
    """The branch nearest to ``angles`` (6,) rad, with full turns added to come close to them."""
    gaps = branches.angles - angles
    turned = angles + gaps - 2 * math.pi * np.round(gaps / (2 * math.pi))
    return turned[np.argmin(np.sum((turned - angles) ** 2, axis=1))]


def _placing_angles(point: FloatArray, shoulder: float, elbow: float) -> tuple[float, float, float]:
    """Angles 1 to 3: ``shoulder`` and ``elbow`` are the signs of the branch."""
    x, y, z = (float(value) for value in point)
    outward = shoulder * math.hypot(x, y)
    first = math.atan2(shoulder * y, shoulder * x) if outward else 0.0
    cosine = (UPPER_ARM**2 + FOREARM**2 - outward**2 - z**2) / (2 * UPPER_ARM * FOREARM)
    third = elbow * math.acos(min(1.0, max(-1.0, cosine)))
    along, across = UPPER_ARM - FOREARM * math.cos(third), -FOREARM * math.sin(third)
    second = math.atan2(-z, outward) - math.atan2(across, along)
    return first, second, third


def _turning_angles(
    first: tuple[float, float, float], rotation: FloatArray
) -> list[tuple[float, float, float]]:
    """Angles 4 to 6 of both branches of the wrist."""
    steps = joint_rotations(np.array([*first, 0.0, 0.0, 0.0]))
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
