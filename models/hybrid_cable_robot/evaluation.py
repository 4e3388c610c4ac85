"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from models.contract import JOIN, LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.cell_results import CellResults
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory_following import motion_stage
from models.hybrid_cable_robot.workspace_grid.infeasibility import empty_workspace
from models.hybrid_cable_robot.workspace_grid.performance_indices import detail_metrics
from models.hybrid_cable_robot.workspace_grid.statistics import counters, is_any_feasible
from models.hybrid_cable_robot.workspace_grid.task_positions import (
    failed_task,
    task_details,
    task_metrics,
    tested_task,
)
from models.hybrid_cable_robot.workspace_grid.workspace import tested_cells, workspace_metrics
from models.hybrid_cable_robot.wrench_sets import body_warnings, path_fault, suspended_mass
from models.kernel_cache import once


def bodies_stage(parameters: HybridCableRobot) -> Outcome:
    """The mass, and a warning for each inertia tensor that no body can have."""
    return Evaluation({"mass": suspended_mass(parameters)}, warnings=body_warnings(parameters))


def task_stage(parameters: HybridCableRobot) -> Outcome:
    """The margins over the task; infeasible if it is not served, or if there is no wrench set."""
    fault = path_fault(parameters)
    if fault is not None:
        reason = f"{fault.fault}, so there is no wrench set"
        return Infeasible(reason, max(fault.fault_size, LEAST_VIOLATION))
    task = tested_task(parameters)
    if task is not None and not task.served:
        return failed_task(task)
    return Evaluation(task_metrics(task), {} if task is None else task.counters())


def workspace_stage(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the workspace, or why it is empty."""
    return _workspace_outcome(parameters, tested_cells(parameters))


def detail_stage(parameters: HybridCableRobot) -> Outcome:
    """The same, and the metrics of a second look at its cells and at the positions of the task."""
    cells = tested_cells(parameters)
    found = _workspace_outcome(parameters, cells)
    if isinstance(found, Infeasible):
        return found
    more = {**detail_metrics(parameters, cells), **task_details(parameters)}
    return replace(found, metrics={**found.metrics, **more})


def _workspace_outcome(parameters: HybridCableRobot, cells: CellResults) -> Evaluation | Infeasible:
    if not is_any_feasible(cells):
        return empty_workspace(parameters, cells)
    metrics = workspace_metrics(parameters, cells)
    outside = metrics["disconnected_volume"] / metrics["workspace_volume"]
    told = (f"{outside:.2g} of the workspace lies outside its largest connected part",) if outside else ()
    bounds, blocks = bound_metrics(parameters)
    if parameters.bounds:
        proved = [metrics["workspace_volume"], *(value for value in bounds.values() if value is not None)]
        metrics["workspace_volume_error"] = max(proved) - min(proved)
    return Evaluation({**metrics, **bounds}, {**counters(cells), **blocks}, told)


STAGES: Mapping[str, Callable[[HybridCableRobot], Outcome]] = {
    "bodies": bodies_stage,
    "motion": motion_stage,
    "task": task_stage,
    "workspace": workspace_stage,
    "detail": detail_stage,
}
CLASSES: Mapping[str, Sequence[str]] = {
    "workspace": ("bodies", "task", "workspace"),
    "motion": ("bodies", "motion", "task"),
    "detail": ("bodies", "task", "detail"),
}


_CORNERS = [(x, y, z) for z in (0, 1) for x, y in ((1, 0), (-1, 1), (-1, -1))]
_SIX = {  # not eight cables: no vector kernels, and the scalar ones that decide where those cannot
    "pulleys": _CORNERS,
    "attachments": [(y / 10, x / 10, z / 10) for x, y, z in _CORNERS],
    "cable_stiffness": 1.0,
}
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


Evaluate = Callable[[HybridCableRobot], Outcome]


def warm_up(cost_class: str, evaluate: Evaluate) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load the usual ones."""
    once(f"hybrid-cable-robot-{cost_class}", lambda: _compile(cost_class, evaluate))
    evaluate(_small({}))


def _compile(cost_class: str, evaluate: Evaluate) -> None:
    """Evaluate designs with and without a workspace or motion."""
    named = cost_class.split(JOIN)
    if named != ["motion"]:
        for settings in ({}, *_NONE):
            workspace_stage(_small({**_SIX, **settings}))
    for settings in (each for name in named for each in _PREPARED[name]):
        evaluate(_small(settings))


def _small(settings: Mapping[str, object]) -> HybridCableRobot:
    return HybridCableRobot.model_validate({"cells": 4, "trajectory_samples": 3, **settings})
