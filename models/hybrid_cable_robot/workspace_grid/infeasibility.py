"""Violation of a design without workspace: its distance from having one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from models.arrays import FloatArray
from models.contract import LEAST_VIOLATION, Infeasible
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, cable_vectors, scaled_wrench_matrix
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    LENGTH,
    PLATFORM,
    SINGULAR,
    SPEED,
    UNPROVED,
    UNPROVED_CAUSE,
    WORST_MARGIN,
    CellResults,
)
from models.hybrid_cable_robot.collisions.culprits import cutting_cable, point_text, touching_cables
from models.hybrid_cable_robot.obstacles.gaps import (
    SURROUNDING_CAUSES,
    deficits,
    tests_surroundings,
)
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.simd.execution_plan import ExecutionPlan
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import (
    best_margin,
    evaluate_planned_cells,
    least_deficit,
    plan_of,
)
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.grid_evaluation import distinct_blocks, distinct_sample, orbits
from models.hybrid_cable_robot.workspace_grid.statistics import counters

FIRST = 1000  # cells, or a little more, that are tried before the others


def empty_workspace(parameters: HybridCableRobot, cells: CellResults) -> Infeasible:
    """The outcome of a design none of whose cells passes.

    The violation is minus the best capacity margin over the cells [N] when no cell passes the
    wrench test, at most 1e12 N. Else it is the least over the wrench-feasible cells of the cell's
    worst deficit [m] in the tests that are enabled: the longest chord of a cable in the platform,
    what two cables lack to their distance, what a cable's length is beyond its limits, what cables, platform
    and arm lack of their clearance, and what the inverse condition number lacks to its limit, and the rate of
    a cable exceeds its own, times the characteristic length.
    """
    counted = counters(cells)
    if counted["failed_wrench"] == counted["cells"]:
        lacking = _lacking_force(parameters)
        reason = "no cell of the space can hold every wrench of the set within the tension limits"
        if lacking >= -WORST_MARGIN and (culprits := _swallowed(parameters)):
            reason = (
                "in every cell an attachment lies in the wheel of its cable or on its swivel axis (in the "
                f"middle of the space that of cable {', '.join(culprits)}): choose a smaller pulley_radius"
            )
        elif idle := _idle_freedoms(parameters):
            reason += f": no cable {' or '.join(idle)} in any of them; move pulleys or attachments"
        return Infeasible(reason, max(lacking, LEAST_VIOLATION), counted)
    causes = " or ".join(_causes(parameters, cells))
    reason = f"in every cell that can hold the wrenches, {causes}{_enclosed(parameters, counted)}"
    lacking = (
        _lacking_gap(parameters, cells) if tests_surroundings(parameters) else _lacking_distance(parameters)
    )
    return Infeasible(reason, max(lacking, LEAST_VIOLATION), counted)


def _causes(parameters: HybridCableRobot, cells: CellResults) -> Iterator[str]:
    """Tests that cells fail; with the cables that are to blame in the cell that holds the wrenches best."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    for verdict, text, blamed in (
        (PLATFORM, "cables cut the platform", cutting_cable),
        (INTERFERENCE, "cables touch each other", touching_cables),
        (SINGULAR, "the platform is nearly singular", None),
        (LENGTH, "cables are shorter or longer than their drums let out", None),
        (SPEED, "cables would have to be faster than max_cable_speed", None),
        (UNPROVED, UNPROVED_CAUSE, None),
        *((verdict, text, None) for verdict, text in SURROUNDING_CAUSES.items()),
    ):
        failed = cells.verdicts == verdict
        if not failed.any():
            continue
        best = np.unravel_index(np.argmax(np.where(failed, np.nan_to_num(cells.margins), -1.0)), grid.shape)
        place = np.array([axis[number] for axis, number in zip(grid.axes, best, strict=True)])
        yield text + (f" ({blamed(robot, place, robot.rotations)} at {point_text(place)})" if blamed else "")


def _enclosed(parameters: HybridCableRobot, counted: Mapping[str, int]) -> str:
    """Name the attachments inside the platform's box: no place of the platform frees their cables."""
    robot = robot_of(parameters)
    inside = np.flatnonzero((np.abs(robot.attachments) < robot.half_size).all(axis=1))
    if not counted["failed_platform"] or not len(inside):
        return ""
    numbers = ", ".join(str(cable + 1) for cable in inside.tolist())
    return f"; attachments {numbers} lie inside the platform's box: move them or shrink it"


def _swallowed(parameters: HybridCableRobot) -> list[str]:
    """Numbers of the cables whose wheels hold their attachments in the middle of the space."""
    robot = robot_of(parameters)
    vectors = cable_vectors(robot, np.mean(parameters.space, axis=0), np.eye(3))
    short = np.linalg.norm(vectors, axis=-1) < SHORTEST_CABLE
    return [str(cable + 1) for cable in np.flatnonzero(short & (robot.wheels > 0.0)).tolist()]


def _idle_freedoms(parameters: HybridCableRobot) -> list[str]:
    """Freedoms along or about which no cable pulls at any of ``FIRST`` cells, the platform not turned."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    centers = grid.centers()
    W = scaled_wrench_matrix(robot, centers[:: max(1, len(centers) // FIRST)], np.eye(3))
    idle = (np.abs(W).max(axis=(0, 2)) < SHORTEST_CABLE) & (robot.rows > 0.0)
    return [
        f"{'pulls along' if row < 3 else 'turns it about'} {'xyz'[row % 3]}" for row in np.flatnonzero(idle)
    ]


def _lacking_force(parameters: HybridCableRobot) -> float:
    robot, grid = robot_of(parameters), grid_of(parameters)
    columns = orbits(robot, grid)
    sample = distinct_sample(grid, columns, FIRST)
    planned = plan_of(robot, every_index=False)
    return -best_margin(robot, sample, planned, distinct_blocks(grid, columns))


def _lacking_distance(parameters: HybridCableRobot) -> float:
    robot, grid = robot_of(parameters), grid_of(parameters)
    columns = orbits(robot, grid)
    planned = plan_of(robot, every_index=False)
    least = _least_deficit(robot, planned, distinct_blocks(grid, columns))
    if math.isinf(least):  # only mirror images of cells that were too close to call hold the wrenches
        least = _least_deficit(robot, planned, grid.blocks())
    return min(least, grid.diagonal)


def _lacking_gap(parameters: HybridCableRobot, cells: CellResults) -> float:
    """The same with what cables, platform and arm lack of their clearance from what is around them."""
    held = grid_of(parameters).centers()[~np.isnan(cells.margins.ravel())]
    return min(float(deficits(parameters, robot_of(parameters), held).min()), grid_of(parameters).diagonal)


def _least_deficit(robot: Robot, planned: ExecutionPlan | None, blocks: Iterable[FloatArray]) -> float:
    least = math.inf
    for centers in blocks:
        cells, _ = evaluate_planned_cells(robot, centers, planned, every_index=False)
        least = least_deficit(robot, centers[~np.isnan(cells.margins)], least)
    return least
