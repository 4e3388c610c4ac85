"""Targets of the tip: checks, errors, and frames in which equal targets stand at one place.

The limits of a robot are the same to all sides: a search in the standard frame of its target turns and
mirrors with its target.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.residual_kernels import AXIS, POSE, POSITION
from models.numerics.rotations import cross

Mode = Literal["pose", "axis", "position"]
MODES = dict(zip(get_args(Mode), (POSE, AXIS, POSITION), strict=True))
"""Parts of a target: position and rotation, position and the tip's z, or the position alone."""

ON_AXIS = 1e-9  # of the greatest coordinate, or of an axis: what is nearer is on the robot's axis
ORTHOGONAL = 1e-3  # how far a rotation matrix may be from one; it is replaced by the nearest


def checked_targets(poses: Numbers, mode: str, *, single: bool = False) -> FloatArray:
    """Poses (n, 4, 4) of the tip, base frame, m, whose rotations are exact: printed ones are rounded.

    Raises ``InputError`` for what is no pose, or an unknown mode.
    """
    if mode not in MODES:
        raise InputError(f"no mode is called {mode!r}; there are {', '.join(MODES)}", ("mode",))
    checked = finite_array(poses, (None, 4, 4), "targets", "poses")
    left, _, right = np.linalg.svd(checked[:, :3, :3])
    rotations = left @ right
    off = np.abs(checked[:, :3, :3] - rotations).max(axis=(1, 2))
    last_row = (checked[:, 3] == [0.0, 0.0, 0.0, 1.0]).all(axis=1)
    wrong = np.flatnonzero((off > ORTHOGONAL) | (np.linalg.det(rotations) < 0.0) | ~last_row)
    if len(wrong):
        raise InputError(
            "the target is no pose: its first three rows and columns must be a rotation matrix, its last row "
            f"0, 0, 0, 1; the matrix is {off[wrong[0]]:.2g} from a rotation",
            ("target",) if single else ("targets", int(wrong[0])),
        )
    checked[:, :3, :3] = rotations
    return checked


def errors_of(targets: FloatArray, mode: str, poses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Errors of poses (n, 4, 4) from targets (n, 4, 4): (n,) m, and (n,) rad of what counts."""
    position = np.linalg.norm(targets[:, :3, 3] - poses[:, :3, 3], axis=1)
    if MODES[mode] == POSITION:
        return position, np.zeros(len(poses))
    if MODES[mode] == AXIS:
        wanted, found = targets[:, :3, 2], poses[:, :3, 2]
        sine = np.linalg.norm(cross(wanted, found), axis=1)
        return position, np.arctan2(sine, (wanted * found).sum(axis=1))
    half = np.linalg.norm(poses[:, :3, :3] - targets[:, :3, :3], axis=(1, 2)) / math.sqrt(8)
    return position, 2 * np.arcsin(np.minimum(half, 1.0))  # half is sin(angle / 2)


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
