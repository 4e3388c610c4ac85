"""The cables of a cable robot: where they run, and their lengths and tensions over the workspace."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dashboards.content.tables import Table, table
from dashboards.formatting import MISSING, Scale, rounded, scale_of
from models.arrays import FloatArray
from models.hybrid_cable_robot import HybridCableRobot
from models.hybrid_cable_robot.cables import cable_vectors
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.tension_distribution import held_tensions
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from models.hybrid_cable_robot.wrench_sets import path_fault

TITLE = "Cables over the workspace"
_ROUNDING = 1e-12
"""Share of the greatest value below which a value is the rounding of a slack cable."""


def cable_table(parameters: HybridCableRobot) -> Table | None:
    """One row per cable: pulley, attachment, least, mean and greatest length and tension.

    Over the feasible cells, with the platform not turned; tensions by the tension rule for the middle of the
    wrench set. Without a workspace, lengths and tensions are missing; None without a wrench set.
    """
    if path_fault(parameters) is not None:
        return None
    robot = robot_of(parameters)
    lengths, tensions = cable_lengths_and_tensions(parameters, robot)
    metres, newtons = scale_of(_ends(lengths), "m"), scale_of(_ends(tensions), "N")
    small = scale_of(robot.attachments.ravel().tolist(), "m")
    rows = [
        [
            str(i + 1),
            *(_millimetre(value) for value in robot.pulleys[i].tolist()),
            *(small.bare(value) for value in robot.attachments[i].tolist()),
            *_range(lengths, i, metres),
            *_range(tensions, i, newtons),
        ]
        for i in range(len(robot.pulleys))
    ]
    head = ["cable", *(f"pulley {axis} [m]" for axis in "xyz")]
    head += [f"attachment {axis} [{small.unit}]" for axis in "xyz"]
    head += [f"length {what} [{metres.unit}]" for what in ("min", "mean", "max")]
    head += [f"tension {what} [{newtons.unit}]" for what in ("min", "mean", "max")]
    return table(TITLE, head, rows, range(1, len(head)))


def cable_lengths_and_tensions(parameters: HybridCableRobot, robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Lengths (k, m) m at the feasible cells, and tensions (l, m) N at those where the rule finds some."""
    points, nominal = workspace(parameters).points, np.eye(3)
    none = np.empty((0, len(robot.pulleys)))
    if not len(points):
        return none, none
    vectors = np.stack([cable_vectors(robot, point, nominal) for point in points])
    tensions, held = held_tensions(robot, points, nominal)
    return np.linalg.norm(vectors, axis=-1), tensions[held]


def _millimetre(metres: float) -> str:
    """A coordinate in m to the millimetre."""
    return f"{rounded(metres, 3):f}".replace("-", "\N{MINUS SIGN}")


def _range(values: FloatArray, cable: int, scale: Scale) -> Sequence[str]:
    if not len(values):
        return [MISSING] * 3
    own = values[:, cable]
    own = np.where(np.abs(own) > _ROUNDING * np.abs(values).max(), own, 0.0)
    return [scale.bare(float(value)) for value in (own.min(), own.mean(), own.max())]


def _ends(values: FloatArray) -> list[float]:
    return [float(values.max())] if len(values) else []
