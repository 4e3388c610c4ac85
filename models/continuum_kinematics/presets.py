"""Named designs, and numbers of the paper that are defaults."""

from __future__ import annotations

import math

from models.contract import Preset

SOURCE = "Forward and Reverse Kinematic Control Model for A Multi-sectional Continuum Robot (in Chinese)"
UNITS = "the paper gives no unit; its lengths are read as centimetres"

TARGET = {"x": 0.049974, "y": 0.046168, "z": -0.195508, "rx": 0.185802, "ry": -0.437171, "rz": -0.054086}
"""Equation 23: position [m] and rotation vector [rad] of the nearest rotation."""
POINTS = ((0.03, 0.0, -0.14), (0.03, 0.0, -0.15))
"""Section 4.2.3: the points that are reached from several directions."""
PATH = tuple({"x": round(0.05 - 0.02 * step, 2), "y": 0.03, "z": -0.17} for step in range(6))
"""Six targets, as many as figures 14 and 15 show; the paper prints none (assumed)."""

PRESETS = {
    "extensible": Preset(
        "three sections of 6 to 8 cm that bend by up to 135 degrees, as the paper's points with several "
        f"directions need; {UNITS}; guides and their radius are assumed",
        f"{SOURCE}, sections 4.1 and 4.2",
        {},
    ),
    "fixed-length": Preset(
        f"three sections of 7 cm that bend by up to 90 degrees; {UNITS}; guides and their radius are assumed",
        f"{SOURCE}, sections 4.1 and 4.2",
        {
            "section_lengths": (0.07, 0.07, 0.07),
            "bend_limit": math.pi / 2,
            "task_points": ((0.03, 0.0, -0.19),),
            "path": tuple({**pose, "z": -0.19} for pose in PATH),
        },
    ),
    "two-segment-tendon": Preset(
        "two sections of 20 cm, each bent by three tendons through ten disks, 10 mm from the backbone; the "
        "bend limit, the mounting and the tasks are assumed",
        "code of Rao, Peyron, Lilge, Burgner-Kahrs, Frontiers in Robotics and AI 7:630245 (2021), robot of "
        "two sections",
        {
            "section_lengths": (0.2, 0.2),
            "bend_limit": math.pi,
            "mounting": "standing",
            "task_mode": "position",
            "task_points": ((0.1, 0.0, 0.3),),
            "task_poses": ({"x": 0.15, "y": 0.1, "z": 0.25},),
            "path": tuple({"x": round(0.15 - 0.06 * step, 2), "y": 0.1, "z": 0.3} for step in range(6)),
        },
    ),
}
