"""The frame of a robot as pictures draw it."""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.robot import Robot
from models.scene import Line


def frame_lines(robot: Robot) -> list[Line]:
    """Rings through the pulleys of each height, by azimuth, and uprights between the heights."""
    heights = sorted(set(np.round(robot.pulleys[:, 2], 6).tolist()))
    lines: list[Line] = []
    if len(heights) > 2:
        return lines
    for height in heights:
        level = robot.pulleys[np.abs(robot.pulleys[:, 2] - height) < 1e-5]
        middle = level.mean(axis=0)
        order = np.argsort(np.arctan2(level[:, 1] - middle[1], level[:, 0] - middle[0]), kind="stable")
        ring = level[order]
        lines.append(Line(f"frame at {height:g} m", np.vstack([ring, ring[:1]]), "frame"))
    return lines
