"""Where the robot is: tips, and its shape for figures."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.arc import arc
from models.continuum_statics.chain import chain_frames
from models.continuum_statics.floats import FloatArray
from models.continuum_statics.robot import Robot


def tip_of(robot: Robot, q: FloatArray) -> FloatArray:
    """Position (3,) [m] of the last disk's centre in a state (n, 3) [rad]."""
    return chain_frames([arc(angles, robot.L) for angles in q]).positions[-1]


def tips_of(robot: Robot, states: FloatArray) -> FloatArray:
    """As :func:`tip_of`, (k, 3) of states (k, n, 3)."""
    return np.array([tip_of(robot, q) for q in states]).reshape(-1, 3)
