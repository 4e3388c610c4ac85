"""Frames in which a target stands the same however it and the robot are turned or mirrored.

The limits of a robot are the same to all sides. A search in these frames turns and mirrors with its target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.continuum_kinematics.residual_kernels import POSE, POSITION

ON_AXIS = 1e-9  # of the greatest coordinate, or of an axis: what is nearer is on the robot's axis


def standard_frames(targets: FloatArray, mode: int) -> FloatArray:
    """Rotations about z or mirrorings (n, 3, 3) that bring poses (n, 4, 4) to their standard places.

    The position has y of 0 and x above 0; on the axis of the base, the tip's z has. What is to the left then
    is mirrored to the right.
    """
    ways = targets[:, :2, 3]
    if mode != POSITION:
        on_axis = np.hypot(*ways.T) <= ON_AXIS * np.abs(targets[:, :3, 3]).max(axis=1)
        ways = np.where(on_axis[:, None], targets[:, :2, 2], ways)
    far = np.hypot(*ways.T)
    x, y = np.where(far > 0.0, ways.T / np.maximum(far, np.finfo(float).tiny), [[1.0], [0.0]])
    frames = np.zeros((len(targets), 3, 3))
    frames[:, 0, 0], frames[:, 0, 1], frames[:, 1, 0], frames[:, 1, 1] = x, y, -y, x
    frames[:, 2, 2] = 1.0
    if mode != POSITION:
        rotations = frames @ targets[:, :3, :3] @ frames.swapaxes(-1, -2)
        frames[_are_left(rotations, mode), 1] *= -1.0
    return frames


def _are_left(rotations: FloatArray, mode: int) -> NDArray[np.bool_]:
    """True where the tip's z points to -y or, in the plane y = 0, where the tip is turned to that side."""
    sides = rotations[:, 1, 2]
    if mode == POSE:
        sides = np.where(np.abs(sides) > ON_AXIS, sides, rotations[:, 1, 0])
    return sides < -ON_AXIS


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
