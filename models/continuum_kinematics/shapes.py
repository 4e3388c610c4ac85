"""Lines of a robot in one state, world frame: backbones, guides, cables and frames."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import Frames
from models.continuum_kinematics.cables import DIRECTIONS
from models.continuum_kinematics.parameters import ContinuumKinematics, TaskPose
from models.continuum_kinematics.sections import section_frames
from models.continuum_kinematics.tasks import base_pose, base_rotation

PER_SECTION = 16
RING = 24
GUIDE = 1.15  # radius of a guide by that of its cables


def backbones(
    parameters: ContinuumKinematics, sections: FloatArray, per_section: int = PER_SECTION
) -> list[FloatArray]:
    """Points (per_section + 1, 3) m along each section of a state (k, 3) of s [m], u and v [rad]."""
    frames = _frames(sections, per_section)
    points = (frames.positions @ base_rotation(parameters)).copy()
    return [points[first : first + per_section + 1] for first in range(0, len(points) - 1, per_section)]


def guide_rings(parameters: ContinuumKinematics, sections: FloatArray, most: int) -> list[FloatArray]:
    """Closed outlines (RING + 1, 3) m of guides, that of the base first: at most so many of each section."""
    turns = np.linspace(0.0, 2 * np.pi, RING + 1)
    outline = GUIDE * parameters.guide_radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    frames = _frames(sections, min(parameters.guides, most))
    return [
        (position + outline @ rotation.T) @ base_rotation(parameters)
        for position, rotation in zip(frames.positions, frames.rotations, strict=True)
    ]


def cable_lines(
    parameters: ContinuumKinematics, sections: FloatArray, most: int | None = None
) -> list[FloatArray]:
    """Points (guides + 1, 3) m at which the cables of each section meet its guides, three cables per section.

    At most so many guides of each section are taken, all of them by default.
    """
    guides = parameters.guides if most is None else min(parameters.guides, most)
    frames = _frames(sections, guides)
    lines: list[FloatArray] = []
    for number in range(len(sections)):
        own = slice(number * guides, (number + 1) * guides + 1)
        for x, y in parameters.guide_radius * DIRECTIONS:
            holes = frames.positions[own] + frames.rotations[own] @ np.array([x, y, 0.0])
            lines.append(holes @ base_rotation(parameters))
    return lines


def pose_axes(parameters: ContinuumKinematics, pose: TaskPose, size: float) -> list[FloatArray]:
    """The axes x, y and z of a pose as lines (2, 3) m of a length ``size`` [m]."""
    turn, frame = base_rotation(parameters), base_pose(parameters, pose)
    origin, axes = turn @ frame[:3, 3], turn @ frame[:3, :3] @ turn
    return [np.stack([origin, origin + size * axis]) for axis in axes.T]


def _frames(sections: FloatArray, parts: int) -> Frames:
    """Frames at equal steps along each section; a part of an arc has that part of its length and bend."""
    pieces = np.repeat(sections / parts, parts, axis=0)
    return section_frames(pieces)
