"""The positions that the user needs: whether a design serves all of them, and how well.

The question of the workspace turned round: not where the robot can work, but how well it works where
it must. The positions do not move with the grid, so that what is measured there does not measure it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.contract import LEAST_VIOLATION, Infeasible
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    LENGTH,
    PASSED,
    PLATFORM,
    SINGULAR,
    SPEED,
    UNPROVED,
    UNPROVED_CAUSE,
    WRENCH,
    CellResults,
)
from models.hybrid_cable_robot.cell_test_kernels import fill_infeasibilities
from models.hybrid_cable_robot.collisions.culprits import cutting_cable, point_text, touching_cables
from models.hybrid_cable_robot.obstacles.gaps import (
    SURROUNDING_CAUSES,
    deficits,
    tests_surroundings,
    with_surroundings,
)
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.processor_time import SEARCHED
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.tensions.distribution import greatest_tension, held_tensions
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.workspace_grid.cell_stiffness import batches, responses
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch

ROUNDING = 1e-9  # of a step: a side of exactly three cells has three steps

MARGINS = ("capacity_margin.task", "interference_margin.task", "stiffness_index.task", "dexterity_index.task")
RESPONSES = ("displacement_under_load.task", "rotation_sensitivity.task", "point_sensitivity.task")
TENSION = "max_tension.task"
CAUSES = {
    WRENCH: "the wrenches cannot be held",
    PLATFORM: "cables cut the platform",
    INTERFERENCE: "cables touch each other",
    SINGULAR: "the platform is nearly singular",
    LENGTH: "cables are shorter or longer than their drums let out",
    SPEED: "cables would have to be faster than max_cable_speed",
    **SURROUNDING_CAUSES,
    UNPROVED: UNPROVED_CAUSE,
}


@dataclass(frozen=True, slots=True)
class Task:
    """The tested positions of a task.

    Attributes
    ----------
    parameters : HybridCableRobot
    robot : Robot
    positions : (n, 3) float, m
    cells : CellResults
    diagonal : float, m
        Of the space; no deficit counts more.
    """

    parameters: HybridCableRobot
    robot: Robot
    positions: FloatArray
    cells: CellResults
    diagonal: float

    @property
    def served(self) -> bool:
        """True if every position passes every test at every orientation of the set."""
        return bool((self.cells.verdicts == PASSED).all())

    def counters(self) -> dict[str, int]:
        """Positions tested, and failed."""
        failed = int(np.count_nonzero(self.cells.verdicts != PASSED))
        return {"task_positions": len(self.positions), "task_positions_failed": failed}


def tested_task(parameters: HybridCableRobot) -> Task | None:
    """The task's positions, tested like cells; None without a task."""
    positions = task_positions(parameters)
    if not len(positions):
        return None
    robot, grid = robot_of(parameters), grid_of(parameters)
    cells = evaluate_cells(robot, positions, every_index=False)
    return Task(parameters, robot, positions, with_surroundings(parameters, positions, cells), grid.diagonal)


def task_positions(parameters: HybridCableRobot) -> FloatArray:
    """Positions (n, 3) m of ``task_box`` and ``task_path``, world frame; none without a task.

    Of the box its corners, and positions evenly between them; of the path its points, and positions
    evenly between one and the next. Along no axis are they farther apart than the cells.
    """
    step = grid_of(parameters).cell_size
    parts = [np.empty((0, 3))]
    if parameters.task_box is not None:
        lower, upper = np.array(parameters.task_box)
        axes = [
            np.linspace(start, end, _steps(end - start, size) + 1)
            for start, end, size in zip(lower, upper, step, strict=True)
        ]
        parts.append(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3))
    if parameters.task_path is not None:
        points = np.array(parameters.task_path)
        parts.append(points[:1])
        for start, end in itertools.pairwise(points):
            count = max(_steps(length, size) for length, size in zip(np.abs(end - start), step, strict=True))
            parts.append(np.linspace(start, end, count + 1)[1:])
    return np.concatenate(parts)


def _steps(length: float, size: float) -> int:
    return int(np.ceil(length / size - ROUNDING))


def failed_task(task: Task) -> Infeasible:
    """The outcome of a design that fails at positions of the task.

    The violation is the greatest lack of capacity margin [N] plus the greatest deficit [m] in the other
    tests (see :func:`~.workspace_grid.infeasibility.empty_workspace`) over the positions:
    both shrink, without a step, as the design comes to serve the task.
    """
    failed = np.flatnonzero(task.cells.verdicts != PASSED)
    lacking, places = np.empty((len(failed), 2)), np.ascontiguousarray(task.positions[failed])
    fill_infeasibilities(task.robot, places, wrench_scratch(task.robot), lacking)
    if tests_surroundings(task.parameters):
        lacking[:, 1] = deficits(task.parameters, task.robot, places)
    lacking[:, 1] = np.minimum(lacking[:, 1], task.diagonal)
    force, length = lacking.max(axis=0).tolist()
    causes = "; ".join(_causes(task))
    short = [f"{force:.3g} N"] if force else []
    short += [f"{length:.3g} m"] if length else []
    worst = point_text(places[int(np.argmax(lacking.sum(axis=1)))])
    reason = (
        f"{len(failed)} of {len(task.positions)} positions of the task fail: {causes}"
        f"{', short by up to ' if short else ''}{' and '.join(short)}, worst at {worst}"
    )
    return Infeasible(reason, max(force + length, LEAST_VIOLATION), task.counters())


def _causes(task: Task) -> Iterator[str]:
    """Tests that positions fail, how many, and the cables that are to blame at the first of them."""
    robot = task.robot
    for verdict, text in CAUSES.items():
        failed = np.flatnonzero(task.cells.verdicts == verdict)
        blamed = {PLATFORM: cutting_cable, INTERFERENCE: touching_cables}.get(verdict)
        if not len(failed):
            continue
        first = task.positions[failed[0]]
        cables = f" ({blamed(robot, first, robot.rotations)} at {point_text(first)})" if blamed else ""
        yield f"at {len(failed)} {text}{cables}"


def task_metrics(task: Task | None) -> dict[str, float | None]:
    """Metrics of the positions of a task that is served; None each without a task."""
    if task is None:
        return dict.fromkeys(MARGINS)
    cells = task.cells
    values = (
        float(cells.margins.min()),
        float(cells.distances.min()) - task.robot.diameter,
        float(np.sqrt(np.mean(cells.conditions_k**2))),
        float(np.sqrt(np.mean(cells.conditions_j**2))),
    )
    return dict(zip(MARGINS, values, strict=True))


def task_details(parameters: HybridCableRobot) -> dict[str, float | None]:
    """The second look at the task's positions; None each without a task."""
    positions = task_positions(parameters)
    if not len(positions):
        return dict.fromkeys((*RESPONSES, TENSION))
    robot = robot_of(parameters)
    parts = [positions[some] for some in batches(np.arange(len(positions)))]
    greatest = np.max([responses(robot, part).max(axis=0) for part in parts], axis=0).tolist()
    tensions = np.concatenate([held_tensions(robot, part, robot.rotations[0])[0] for part in parts])
    tightest = np.argsort(tensions.max(axis=1), kind="stable")[-SEARCHED:]
    tension = greatest_tension(robot, positions[tightest])
    return {
        **dict(zip(RESPONSES, greatest, strict=True)),
        TENSION: None if math.isinf(tension) else tension,
    }
