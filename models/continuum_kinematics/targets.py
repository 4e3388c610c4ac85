"""What the tip is to reach, and how far it is from there."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.residual_kernels import AXIS, POSE, POSITION
from models.numerics.rotations import cross

Mode = Literal["pose", "axis", "position"]
MODES = dict(zip(get_args(Mode), (POSE, AXIS, POSITION), strict=True))
"""What is to be met: position and rotation, position and the tip's z, or the position alone."""

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
    """How far poses (n, 4, 4) are from targets (n, 4, 4): (n,) m, and (n,) rad of what counts."""
    position = np.linalg.norm(targets[:, :3, 3] - poses[:, :3, 3], axis=1)
    if MODES[mode] == POSITION:
        return position, np.zeros(len(poses))
    if MODES[mode] == AXIS:
        wanted, found = targets[:, :3, 2], poses[:, :3, 2]
        sine = np.linalg.norm(cross(wanted, found), axis=1)
        return position, np.arctan2(sine, (wanted * found).sum(axis=1))
    half = np.linalg.norm(poses[:, :3, :3] - targets[:, :3, :3], axis=(1, 2)) / math.sqrt(8)
    return position, 2 * np.arcsin(np.minimum(half, 1.0))  # half is sin(angle / 2)
