"""What the evaluation of a cost class returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from models.contract import Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.cells.detail import detailed_tally
from models.hybrid_cable_robot.cells.grid import grid_of
from models.hybrid_cable_robot.cells.shortfall import empty_workspace
from models.hybrid_cable_robot.cells.tally import Tally
from models.hybrid_cable_robot.cells.task import Task, failed_task, task_details, task_metrics, tested_task
from models.hybrid_cable_robot.motion.motion_outcome import LEAST_VIOLATION, motion_outcome
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.workspace import tally_of
from models.hybrid_cable_robot.wrench_sets import path_fault


def workspace_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the workspace and the task, or why one is empty, not served, or without wrenches."""
    return _outcome_of_cells(parameters, lambda design, _: (tally_of(design), {}))


def detail_outcome(parameters: HybridCableRobot) -> Outcome:
    """The same and every metric of a closer look at its cells and the task's positions."""
    return _outcome_of_cells(parameters, _closer_look)


def _closer_look(parameters: HybridCableRobot, task: Task | None) -> tuple[Tally, Mapping[str, float | None]]:
    tally, details = detailed_tally(parameters)
    return tally, {**details, **task_details(task)} if tally.feasible else {}


def _outcome_of_cells(
    parameters: HybridCableRobot,
    look: Callable[[HybridCableRobot, Task | None], tuple[Tally, Mapping[str, float | None]]],
) -> Outcome:
    fault = path_fault(parameters)
    if fault is not None:
        reason = f"{fault.fault}, so there is no wrench set"
        return Infeasible(reason, max(fault.fault_size, LEAST_VIOLATION))
    task = tested_task(parameters)
    if task is not None and not task.served:
        return failed_task(task)
    tally, details = look(parameters, task)
    if not tally.feasible:
        return empty_workspace(parameters, tally)
    metrics = tally.metrics(grid_of(parameters).cell_volume, parameters.cable_diameter)
    bounds, blocks = bound_metrics(parameters)
    proved = [metrics["workspace_volume"], *(value for value in bounds.values() if value is not None)]
    gap = {"workspace_volume_error": max(proved) - min(proved)} if parameters.bounds else {}
    return Evaluation(
        {**metrics, **gap, **task_metrics(task), **details, **bounds},
        {**tally.counters(), **blocks, **({} if task is None else task.counters())},
    )


def motion_alone(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the trajectory; infeasible when it or, after it, the task is."""
    motion = motion_outcome(parameters)
    task = None if isinstance(motion, Infeasible) else tested_task(parameters)
    return motion if task is None or task.served else failed_task(task)


def all_outcomes(parameters: HybridCableRobot) -> Outcome:
    """Every metric; infeasible when the trajectory or, after it, the task or the workspace is."""
    motion = motion_outcome(parameters)
    if isinstance(motion, Infeasible):
        return motion
    cells = detail_outcome(parameters)
    if isinstance(cells, Infeasible):
        return cells
    return Evaluation({**cells.metrics, **motion.metrics}, {**cells.counters, **motion.counters})


OUTCOMES: Mapping[str, Callable[[HybridCableRobot], Outcome]] = {
    "workspace": workspace_outcome,
    "motion": motion_alone,
    "detail": detail_outcome,
    "all": all_outcomes,
}
