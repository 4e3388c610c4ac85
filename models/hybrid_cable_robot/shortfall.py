"""How far a design without workspace is from having one."""

from __future__ import annotations

import math

import numpy as np

from models.contract import Infeasible
from models.hybrid_cable_robot import survey as cells
from models.hybrid_cable_robot.collision import least_cable_distance, platform_clearance
from models.hybrid_cable_robot.geometry import FloatArray, Robot, robot_of, wrench_matrix
from models.hybrid_cable_robot.grid import grid_of
from models.hybrid_cable_robot.indices import inv_cond_jacobian
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.tally import Tally
from models.hybrid_cable_robot.verdicts import SINGULAR_BELOW, WORST_MARGIN

LEAST_VIOLATION = 1e-9  # an empty workspace is never told as satisfied
MOST_CELLS = 512  # wrench-feasible cells looked at for the way out


def empty_workspace(parameters: HybridCableRobot, tally: Tally) -> Infeasible:
    """The outcome of a design none of whose cells passes.

    The violation is minus the best capacity margin over the cells [N] when no cell passes the
    wrench test. Else it is the least over the wrench-feasible cells of the cell's worst deficit
    [m]: the longest chord of a cable in the platform, what two cables lack to their distance, and
    what the inverse condition number lacks to its limit times the characteristic length. Of more
    than 512 such cells, 512 spread evenly are looked at.
    """
    robot, grid = robot_of(parameters), grid_of(parameters)
    counters = tally.counters()
    if counters["failed_wrench"] == counters["cells"]:
        best = WORST_MARGIN
        for centers in grid.blocks():
            best = cells.best_margin(robot, centers, best)
        reason = "no cell of the space can hold every wrench of the set within the tension limits"
        return Infeasible(reason, max(-best, LEAST_VIOLATION), counters)
    found = [
        centers[~np.isnan(cells.survey(robot, centers, grid.diagonal, every_index=False).margins)]
        for centers in grid.blocks()
    ]
    held = np.concatenate(found)
    held = held[:: math.ceil(len(held) / MOST_CELLS)]
    least = min(_deficit(robot, center) for center in held)
    named = {"failed_platform": "cut the platform", "failed_interference": "touch each other"}
    causes = [text for name, text in named.items() if counters[name]]
    causes += ["leave the platform nearly singular"] if counters["failed_singularity"] else []
    reason = f"in every cell that can hold the wrenches, cables {' or '.join(causes)}"
    return Infeasible(reason, max(least, LEAST_VIOLATION), counters)


def _deficit(robot: Robot, center: FloatArray) -> float:
    """Worst deficit of a cell [m], over the enabled tests and all orientations."""
    nominal = inv_cond_jacobian(wrench_matrix(robot, center, robot.rotations[0]), robot.length_scale)
    worst = max(0.0, SINGULAR_BELOW - nominal) * robot.length_scale
    for rotation in robot.rotations:
        if robot.check_platform:
            worst = max(worst, -platform_clearance(robot, center, rotation))
        if robot.check_interference:
            distance = least_cable_distance(robot, center, rotation)
            worst = max(worst, robot.diameter + robot.clearance - distance)
    return worst
