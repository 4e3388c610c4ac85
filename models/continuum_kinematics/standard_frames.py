"""Frames in which a target stands the same however it and the robot are turned or mirrored.

The limits of a robot are the same to all sides. A search in these frames turns and mirrors with its target.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.residual_kernels import POSE, POSITION

ON_AXIS = 1e-9  # of the greatest coordinate, or of an axis: what is nearer is on the robot's axis


def standard_frames(targets: FloatArray, mode: int) -> FloatArray:
    """Rotations about z or mirrorings (n, 3, 3) that bring poses (n, 4, 4) to their standard places.

    The position has y of 0 and x above 0; on the axis of the base, the tip's z has. What is to the left then
    is mirrored to the right.
    """
    frames = np.tile(np.eye(3), (len(targets), 1, 1))
    for frame, target in zip(frames, targets, strict=True):
        x, y = target[:2, 3]
        if np.hypot(x, y) <= ON_AXIS * np.abs(target[:3, 3]).max() and mode != POSITION:
            x, y = target[:2, 2]
        far = np.hypot(x, y)
        if far > 0.0:
            frame[:2, :2] = np.array([[x, y], [-y, x]]) / far
        if mode != POSITION and _is_left(frame @ target[:3, :3] @ frame.T, mode):
            frame[1] *= -1.0
    return frames


def _is_left(rotation: FloatArray, mode: int) -> bool:
    """True when the tip's z points to -y or, in the plane y = 0, when the tip is turned to that side."""
    if abs(rotation[1, 2]) > ON_AXIS:
        return bool(rotation[1, 2] < 0.0)
    return mode == POSE and bool(rotation[1, 0] < -ON_AXIS)


def moved_poses(poses: FloatArray, frames: FloatArray) -> FloatArray:
    """Poses (n, 4, 4) as seen in frames (n, 3, 3)."""
    moved = poses.copy()
    moved[:, :3, :3] = frames @ poses[:, :3, :3] @ frames.swapaxes(-1, -2)
    moved[:, :3, 3] = (frames @ poses[:, :3, 3:])[..., 0]
    return moved


def moved_sections(sections: FloatArray, frames: FloatArray) -> FloatArray:
    """Sections (n, k, 3) as seen in frames (n, 3, 3): directions of bending turn, lengths stay."""
    moved = sections.copy()
    moved[..., 1:] = sections[..., 1:] @ frames[:, :2, :2].swapaxes(-1, -2)
    return moved
