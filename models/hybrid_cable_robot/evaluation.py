"""What the evaluation of a cost class returns, and the preparation of its kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.following import motion_outcome
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.simd.loader import compile_kernels, compiled_apart
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.infeasibility import empty_workspace
from models.hybrid_cable_robot.workspace_grid.performance_indices import detailed_statistics
from models.hybrid_cable_robot.workspace_grid.statistics import CellStatistics
from models.hybrid_cable_robot.workspace_grid.task_positions import (
    Task,
    failed_task,
    task_details,
    task_metrics,
    tested_task,
)
from models.hybrid_cable_robot.workspace_grid.workspace import cell_statistics
from models.hybrid_cable_robot.wrench_sets import path_fault
from models.kernel_cache import once


def workspace_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the workspace and the task, or why one is empty, not served, or without wrenches."""
    return _outcome_of_cells(parameters, lambda design, _: (cell_statistics(design), {}))


def detail_outcome(parameters: HybridCableRobot) -> Outcome:
    """The same and every metric of a closer look at its cells and the task's positions."""
    return _outcome_of_cells(parameters, _closer_look)


def _closer_look(
    parameters: HybridCableRobot, task: Task | None
) -> tuple[CellStatistics, Mapping[str, float | None]]:
    statistics, details = detailed_statistics(parameters)
    return statistics, {**details, **task_details(task)} if statistics.feasible else {}


def _outcome_of_cells(
    parameters: HybridCableRobot,
    look: Callable[[HybridCableRobot, Task | None], tuple[CellStatistics, Mapping[str, float | None]]],
) -> Outcome:
    fault = path_fault(parameters)
    if fault is not None:
        reason = f"{fault.fault}, so there is no wrench set"
        return Infeasible(reason, max(fault.fault_size, LEAST_VIOLATION))
    task = tested_task(parameters)
    if task is not None and not task.served:
        return failed_task(task)
    statistics, details = look(parameters, task)
    if not statistics.feasible:
        return empty_workspace(parameters, statistics)
    metrics = statistics.metrics(grid_of(parameters).cell_volume, parameters.cable_diameter)
    bounds, blocks = bound_metrics(parameters)
    proved = [metrics["workspace_volume"], *(value for value in bounds.values() if value is not None)]
    gap = {"workspace_volume_error": max(proved) - min(proved)} if parameters.bounds else {}
    return Evaluation(
        {**metrics, **gap, **task_metrics(task), **details, **bounds},
        {**statistics.counters(), **blocks, **({} if task is None else task.counters())},
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


_CORNERS = [(x, y, z) for z in (0, 1) for x, y in ((1, 0), (-1, 1), (-1, -1))]
_SIX = {  # not eight cables: no vector kernels, and the scalar ones that decide where those cannot
    "pulleys": _CORNERS,
    "attachments": [(y / 10, x / 10, z / 10) for x, y, z in _CORNERS],
    "cable_stiffness": 1.0,
}
_MANY = {"cells": 33, "weight_moment": "ignored"}  # enough cells, one of four alike, for a look at a sample
_NONE = ({"wrench_set": "paper-extreme"}, {"clearance": 1.0})  # no workspace, with the reason
_TASK = {"task_path": [(0.0, 0.0, 0.0)]}
_NOT_SERVED = {**_TASK, "wrench_set": "paper-extreme"}
_MOTIONS = ({}, {"tension_rule": "centroid"}, {"f_max": 1.0})
_PREPARED: Mapping[str, Sequence[Mapping[str, object]]] = {
    "workspace": ({}, *_NONE, _TASK, _NOT_SERVED),
    "motion": _MOTIONS,
    "detail": ({}, *_NONE, _TASK, _NOT_SERVED, {"axial_stiffness": 1e4}),
    "all": (*_MOTIONS, *_NONE, _TASK, _NOT_SERVED, {"axial_stiffness": 1e4}),
}


def prepare(cost_class: str) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load the usual ones."""
    once(f"hybrid-cable-robot-{cost_class}", lambda: _compile(cost_class))
    OUTCOMES[cost_class](_small({}))


def _compile(cost_class: str) -> None:
    """Evaluate designs with and without a workspace or motion."""
    if cost_class != "motion":
        with compiled_apart():
            compile_kernels(["wrench", "exclusion"])
            for settings in ({}, *_NONE):
                workspace_outcome(_small({**_SIX, **settings}))
        workspace_outcome(_small(_MANY))
    for settings in _PREPARED[cost_class]:
        OUTCOMES[cost_class](_small(settings))


def _small(settings: Mapping[str, object]) -> HybridCableRobot:
    return HybridCableRobot.model_validate({"cells": 4, "trajectory_samples": 3, **settings})
