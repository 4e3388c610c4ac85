"""The paper's inverse kinematics, for comparison (equation 20): steps by the pseudo-inverse of the Jacobian.

The lengths of the cables change by a fixed share of the step that would meet the target if the Jacobian
stayed as it is. Neither the limits of lengths nor those of bends are part of it.
"""

from __future__ import annotations

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum_kinematics.cables import arc_from_lengths, lengths_from_arc, lengths_jacobian
from models.continuum_kinematics.residual_kernels import AXIS, POSITION, Target, residual_and_slopes
from models.continuum_kinematics.robot import Robot
from models.continuum_kinematics.sections import forward

GAIN = 0.2  # v dt of equation 20, as a share of what is missing
ITERATIONS = 300
ROWS = {AXIS: 5, POSITION: 3}
"""Rows of the twist that count; all six of a pose. The last one of ``AXIS`` is about the axis itself."""


def iterate(target: Target, robot: Robot, sections: FloatArray, tolerance: float) -> FloatArray:
    """The sections (k, 3) where the iteration ends.

    It ends at the target, to ``tolerance`` in m and rad, after ``ITERATIONS``, or where the lengths of the
    cables are those of no arc.
    """
    rows = ROWS.get(target.mode, 6)
    lengths = lengths_from_arc(sections, robot.guides, robot.radius)
    for _ in range(ITERATIONS):
        twist = _missing(target, sections)
        if max(np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])) <= tolerance:
            return sections
        slopes = lengths_jacobian(lengths, robot.guides, robot.radius)
        lengths = lengths + GAIN * (np.linalg.pinv(slopes[:rows]) @ twist[:rows]).reshape(-1, 3)
        try:
            sections = arc_from_lengths(lengths, robot.guides, robot.radius)
        except InputError:
            return sections
    return sections


def _missing(target: Target, sections: FloatArray) -> FloatArray:
    """The twist (6,) in the tip's axes, m and rad, that leads to the target."""
    residual, slopes = np.empty(6), np.empty((6, 3 * len(sections)))
    residual_and_slopes(target, sections, residual, slopes)
    to_tip = forward(sections)[:3, :3].T
    return np.concatenate([to_tip @ residual[:3], residual[3:] / target.scale])
