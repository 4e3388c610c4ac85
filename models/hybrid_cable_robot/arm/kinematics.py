"""Where the arm is: poses of its frames and the Jacobian of its end."""

from __future__ import annotations

import math

import numpy as np

from models.floats import FloatArray
from models.hybrid_cable_robot.arm.data import ARM_JOINTS, JOINTS
from models.hybrid_cable_robot.motion.motions import Numbers, as_points
from models.hybrid_cable_robot.rotations import cross, turn

# Origin of each joint's frame in the frame before it, (6, 3) m.
JOINT_ORIGINS = np.array(
    [[row.a, -math.sin(row.alpha) * row.d, math.cos(row.alpha) * row.d] for row in ARM_JOINTS]
)
# Of the twists between neighbouring axes: right angles, exactly.
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
    steps = joint_rotations(as_points(angles, JOINTS, "angles"))
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
