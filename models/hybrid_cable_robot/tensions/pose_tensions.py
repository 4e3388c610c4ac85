"""The tensions that stiffen the platform: those with which it holds the centre of the wrench set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.hybrid_cable_robot.geometry import SHORTEST_CABLE, FloatArray, Robot, middle_wrench
from models.hybrid_cable_robot.motion.cable_motion import cable_motion
from models.hybrid_cable_robot.motion.motions import PlatformMotion
from models.hybrid_cable_robot.tensions.tension import HELD, distribute


def stiffening_tensions(robot: Robot, positions: FloatArray, rotation: FloatArray) -> FloatArray:
    """Tensions (n, m) N that count for the stiffness at positions (n, 3) m and one rotation (3, 3).

    All zero when ``robot.geometric`` is off, and at poses where the tension rule finds no tensions
    within the limits: there K is its elastic part alone. With the rules ``minimum-norm`` and
    ``centroid`` no pose of the workspace is such, but with ``index_domain`` "cube" other cells are.
    """
    if not robot.geometric or not len(positions):
        return np.zeros((len(positions), len(robot.pulleys)))
    return held_tensions(robot, positions, rotation)[0]


def held_tensions(
    robot: Robot, positions: FloatArray, rotation: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Tensions (n, m) N by the tension rule for the centre of the wrench set, and where it finds some (n,).

    Zero where it finds none within the limits, at positions (n, 3) m and one rotation (3, 3).
    """
    tensions = np.zeros((len(positions), len(robot.pulleys)))
    still = np.zeros_like(positions)
    turns = np.broadcast_to(rotation, (len(positions), 3, 3))
    cables = cable_motion(robot, PlatformMotion(positions, turns, still, still, still, still))
    wrenches = np.broadcast_to(middle_wrench(robot, rotation), (len(positions), 6))
    found, verdicts, _ = distribute(
        cables.wrench_matrices, wrenches, robot.f_min, robot.f_max, robot.tension_rule
    )
    held = (verdicts == HELD) & (cables.lengths >= SHORTEST_CABLE).all(axis=1)
    tensions[held] = found[held]
    return tensions, held
