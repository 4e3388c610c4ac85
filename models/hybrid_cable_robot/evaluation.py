"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from models.arrays import FloatArray
from models.contract import JOIN, LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.cable_sag import cable_sag, cable_weights
from models.hybrid_cable_robot.cables.geometry import cable_rates
from models.hybrid_cable_robot.cell_results import PASSED, CellResults
from models.hybrid_cable_robot.freedoms import PLANAR, POINTS
from models.hybrid_cable_robot.motion.following import motion_outcome
from models.hybrid_cable_robot.motion.winches import WinchMotion, motion_from, start_of
from models.hybrid_cable_robot.natural_frequencies import (
    hanging_robot,
    has_inertia,
    mass_matrix,
    natural_frequencies,
)
from models.hybrid_cable_robot.obstacles.gaps import gaps_at
from models.hybrid_cable_robot.parameter_checks import proofless_words
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import load_scale, middle_wrench, robot_of
from models.hybrid_cable_robot.tensions.distribution import held_tensions
from models.hybrid_cable_robot.total_orientation import least_orientation
from models.hybrid_cable_robot.workspace_grid.cell_extremes import Compute, extreme_metrics, extreme_names
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.infeasibility import empty_workspace
from models.hybrid_cable_robot.workspace_grid.performance_indices import detail_metrics
from models.hybrid_cable_robot.workspace_grid.statistics import counters, is_any_feasible
from models.hybrid_cable_robot.workspace_grid.task_positions import (
    failed_task,
    task_details,
    task_metrics,
    task_positions,
    tested_task,
)
from models.hybrid_cable_robot.workspace_grid.tool_reach import hybrid_reach
from models.hybrid_cable_robot.workspace_grid.workspace import tested_cells, workspace_metrics
from models.hybrid_cable_robot.wrench_sets import body_warnings, path_fault, suspended_mass
from models.kernel_cache import once

FREQUENCIES, SAGS = ("natural_frequency",), ("sag_max", "sag_error")
REACH = ("hybrid_reach", "hybrid_reach_error")
SPEEDS, POWERS = ("platform_speed",), ("task_power",)
WINCH_MOTION = (
    "peak_tension", "slack_share", "path_error", "path_error_rms", "settling_time", "energy_error"
)  # fmt: skip
TOTAL_ORIENTATION = ("total_orientation", "total_orientation.task")
GAPS = ("obstacle_margin", "arm_margin")
SAG_SHARE = 0.05  # of the load: sag that misses more of the wrench is told


@dataclass(frozen=True)
class Design:
    """A design in the course of one evaluation, with what several stages need of it."""

    parameters: HybridCableRobot

    @cached_property
    def cells(self) -> CellResults:
        """Results of the tests of every cell, as arrays (nx, ny, nz)."""
        return tested_cells(self.parameters)

    @cached_property
    def emptiness(self) -> Infeasible | None:
        """The outcome of a design none of whose cells passes; None where some do."""
        return None if is_any_feasible(self.cells) else empty_workspace(self.parameters, self.cells)


def bodies_stage(design: Design) -> Outcome:
    """The mass, and a warning for each inertia tensor that no body can have."""
    parameters = design.parameters
    return Evaluation({"mass": suspended_mass(parameters)}, warnings=body_warnings(parameters))


def motion_stage(design: Design) -> Outcome:
    """The metrics of the trajectory, or why the design cannot follow it."""
    return motion_outcome(design.parameters)


def task_stage(design: Design) -> Outcome:
    """The margins over the task; infeasible if it is not served, or if there is no wrench set."""
    fault = path_fault(design.parameters)
    if fault is not None:
        reason = f"{fault.fault}, so there is no wrench set"
        return Infeasible(reason, max(fault.fault_size, LEAST_VIOLATION))
    task = tested_task(design.parameters)
    if task is not None and not task.served:
        return failed_task(task)
    return Evaluation(task_metrics(task), {} if task is None else task.counters())


def workspace_stage(design: Design) -> Outcome:
    """Every metric of the workspace, or why it is empty."""
    if design.emptiness is not None:
        return design.emptiness
    parameters, cells = design.parameters, design.cells
    metrics = workspace_metrics(parameters, cells)
    outside = metrics["disconnected_volume"] / metrics["workspace_volume"]
    told = (f"{outside:.2g} of the workspace lies outside its largest connected part",) if outside else ()
    bounds, blocks = bound_metrics(parameters)
    if parameters.bounds:
        proved = [metrics["workspace_volume"], *(value for value in bounds.values() if value is not None)]
        metrics["workspace_volume_error"] = max(proved) - min(proved)
    return Evaluation({**metrics, **bounds}, {**counters(cells), **blocks}, told)


def detail_stage(design: Design) -> Outcome:
    """The same, and the metrics of a second look at its cells and at the positions of the task."""
    found = workspace_stage(design)
    if isinstance(found, Infeasible):
        return found
    more = {**detail_metrics(design.parameters, design.cells), **task_details(design.parameters)}
    return replace(found, metrics={**found.metrics, **more})


def vibration_stage(design: Design) -> Outcome:
    """The natural frequencies over the cells of the workspace, and at the positions of the task."""
    parameters = design.parameters
    if not has_inertia(parameters):
        told = "natural_frequency is left out: some motions of the platform move no mass; set 'platform_body'"
        found = _extremes(design, FREQUENCIES, None, more_is_better=True)
        return replace(found, warnings=(told,))
    robot, M = hanging_robot(parameters), mass_matrix(parameters)

    def lowest(positions: FloatArray) -> FloatArray:
        return natural_frequencies(robot, M, positions, robot.rotations[0])[:, :1]

    return _extremes(design, FREQUENCIES, lowest, more_is_better=True)


def sag_stage(design: Design) -> Outcome:
    """The sag of the cables likewise; without ``cable_density`` there is none."""
    parameters = design.parameters
    if parameters.cable_density is None:
        return _extremes(design, SAGS, None, more_is_better=False)
    robot, weights = robot_of(parameters), cable_weights(parameters)
    rotation = robot.rotations[0]

    def sagging(positions: FloatArray) -> FloatArray:
        tensions = held_tensions(robot, positions, rotation)[0]
        found = cable_sag(robot, weights, positions, rotation, tensions)
        return np.column_stack([found.sags.max(axis=-1), found.error(robot.length_scale)])

    found = _extremes(design, SAGS, sagging, more_is_better=False)
    if isinstance(found, Infeasible):
        return found
    metrics = found.metrics
    load = float(np.linalg.norm(middle_wrench(robot, rotation) * load_scale(robot)))
    missed = metrics["sag_error.q95"] or 0.0
    told = (
        f"cables sag by up to {metrics['sag_max']:.2g} m: with the tensions of straight cables they miss the "
        f"wrench by up to {missed:.2g} N in 95 % of the workspace, where the load is {load:.2g} N; the "
        "workspace is that of straight cables"
    )
    return replace(found, warnings=(told,)) if missed > SAG_SHARE * load else found


def winch_motion_stage(design: Design) -> Outcome:
    """The metrics of the motion on elastic cables by the lengths that winches pay out.

    Its violation is what the tensions of the trajectory lack [N], or the share of the time that is missing.
    """
    parameters = design.parameters
    if not has_inertia(parameters):
        told = "winches move a platform whose every motion moves some mass; set 'platform_body'"
        return Evaluation(dict.fromkeys(WINCH_MOTION), warnings=(told,))
    start = start_of(parameters)
    if start.fault:
        return Infeasible(start.fault, max(start.fault_size, LEAST_VIOLATION))
    motion = motion_from(parameters, start)
    counters = {"winch_motion_steps": motion.steps, "slack_events": len(motion.events)}
    if motion.fault:
        return Infeasible(motion.fault, max(motion.fault_size, LEAST_VIOLATION), counters)
    errors = motion.path_errors
    values = (
        float(motion.peaks.max()), motion.slack_share, None if errors is None else float(errors.max()),
        None if errors is None else float(np.sqrt(np.mean(errors**2))),
        motion.settling_time(parameters.settling_tolerance), float(np.abs(motion.imbalances).max()),
    )  # fmt: skip
    metrics = dict(zip(WINCH_MOTION, values, strict=True))
    return Evaluation(metrics, counters, _winch_warnings(parameters, motion))


def _winch_warnings(parameters: HybridCableRobot, motion: WinchMotion) -> tuple[str, ...]:
    peak, told = float(motion.peaks.max()), []
    if (motion.peaks > parameters.tension_limits[1]).any():
        told.append(
            f"moved by its winches, the platform pulls with up to {peak:.3g} N at a cable, more than 'f_max'"
        )
    after = parameters.settling_duration
    if after and motion.settling_time(parameters.settling_tolerance) >= after:
        told.append(f"the platform has not settled {after:g} s after its winches: raise 'settling_duration'")
    return tuple(told)


def clearance_stage(design: Design) -> Outcome:
    """The margins from obstacles, the floor and the arm likewise; without any of them there are none."""
    parameters, robot = design.parameters, robot_of(design.parameters)
    present = {"obstacle_margin": parameters.has_surroundings, "arm_margin": parameters.check_arm}
    if not any(present.values()):
        return _extremes(design, GAPS, None, more_is_better=True)

    def gaps(positions: FloatArray) -> FloatArray:
        return gaps_at(parameters, robot, positions)[:, : len(GAPS)][:, [present[name] for name in GAPS]]

    names = [name for name in GAPS if present[name]]
    found = _extremes(design, names, gaps, more_is_better=True)
    if isinstance(found, Infeasible):
        return found
    every = dict.fromkeys(extreme_names(GAPS, more_is_better=True))
    return replace(found, metrics={**every, **found.metrics})


def reach_stage(design: Design) -> Outcome:
    """The volume that the tool reaches from the workspace; none of a platform that moves in a plane."""
    if design.emptiness is not None:
        return design.emptiness
    parameters = design.parameters
    if parameters.freedoms in PLANAR:
        told = "hybrid_reach is left out: it is a volume, and the platform moves in a plane"
        return Evaluation(dict.fromkeys(REACH), warnings=(told,))
    found = hybrid_reach(parameters, design.cells.verdicts == PASSED, grid_of(parameters).cell_size)
    return Evaluation(dict(zip(REACH, found, strict=True)))


def speed_stage(design: Design) -> Outcome:
    """Speeds that the winches let the platform reach, and the power that ``task_speed`` takes of a winch."""
    parameters, robot = design.parameters, robot_of(design.parameters)

    def reached(positions: FloatArray) -> FloatArray:
        rates = [cable_rates(robot, positions, rotation).max(axis=-1) for rotation in robot.rotations]
        return (parameters.max_cable_speed or 0.0) / np.maximum.reduce(rates)[:, None]

    def taken(positions: FloatArray) -> FloatArray:
        tensions = held_tensions(robot, positions, robot.rotations[0])[0]
        rates = cable_rates(robot, positions, robot.rotations[0])
        return (parameters.task_speed or 0.0) * (tensions * rates).max(axis=-1, keepdims=True)

    fast = None if parameters.max_cable_speed is None else reached
    speeds = _extremes(design, SPEEDS, fast, more_is_better=True)
    strong = None if parameters.task_speed is None else taken
    powers = _extremes(design, POWERS, strong, more_is_better=False)
    if isinstance(speeds, Infeasible) or isinstance(powers, Infeasible):
        return speeds
    return replace(speeds, metrics={**speeds.metrics, **powers.metrics})


def orientation_stage(design: Design) -> Outcome:
    """The total orientation in the middle of the space, and the least one over the task."""
    if design.emptiness is not None:
        return design.emptiness
    parameters = design.parameters
    metrics: dict[str, float | None] = dict.fromkeys(TOTAL_ORIENTATION)
    if parameters.freedoms in POINTS:
        return Evaluation(metrics)
    if parameters.proofless:
        told = f"total_orientation is left out: no proof for {proofless_words(parameters.proofless)}"
        return Evaluation(metrics, warnings=(told,))
    places = [np.mean(np.array(parameters.space), axis=0)[None], task_positions(parameters)]
    for name, positions in zip(TOTAL_ORIENTATION, places, strict=True):
        if len(positions):
            metrics[name] = least_orientation(parameters, positions)
    return Evaluation(metrics)


def _extremes(
    design: Design, names: Sequence[str], compute: Compute | None, *, more_is_better: bool
) -> Evaluation | Infeasible:
    """Extremes of quantities over the workspace, None each without ``compute``; or why it is empty."""
    if design.emptiness is not None:
        return design.emptiness
    if compute is None:
        return Evaluation(dict.fromkeys(extreme_names(names, more_is_better=more_is_better)))
    return Evaluation(
        extreme_metrics(
            design.parameters, design.cells.verdicts, names, compute, more_is_better=more_is_better
        )
    )


STAGES: Mapping[str, Callable[[Design], Outcome]] = {
    "bodies": bodies_stage,
    "motion": motion_stage,
    "task": task_stage,
    "workspace": workspace_stage,
    "detail": detail_stage,
    "vibration": vibration_stage,
    "sag": sag_stage,
    "speed": speed_stage,
    "winch_motion": winch_motion_stage,
    "clearance": clearance_stage,
    "reach": reach_stage,
    "orientation": orientation_stage,
}
CLASSES: Mapping[str, Sequence[str]] = {
    "workspace": ("bodies", "task", "workspace"),
    "motion": ("bodies", "motion", "task"),
    "detail": ("bodies", "task", "detail"),
    "vibration": ("bodies", "task", "vibration"),
    "sag": ("bodies", "task", "sag"),
    "speed": ("bodies", "task", "speed"),
    "winch_motion": ("bodies", "winch_motion", "task"),
    "clearance": ("bodies", "task", "clearance"),
    "reach": ("bodies", "task", "reach"),
    "orientation": ("bodies", "task", "orientation"),
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
    "vibration": ({}, *_NONE, _TASK, _NOT_SERVED),
    "sag": ({}, *_NONE, _TASK, _NOT_SERVED),
    "speed": ({}, *_NONE, _TASK, _NOT_SERVED),
    "winch_motion": _MOTIONS,
    "reach": ({}, *_NONE, _TASK, _NOT_SERVED),
    "clearance": ({"floor": -1.0, "check_arm": True}, {"floor": 1.0}, _TASK, _NOT_SERVED),
    "orientation": ({}, _TASK, _NOT_SERVED),
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
    if not {"motion", "winch_motion"}.issuperset(named):
        for settings in ({}, *_NONE):
            workspace_stage(Design(_small({**_SIX, **settings})))
    for settings in (each for name in named for each in _PREPARED[name]):
        evaluate(_small(settings))


def _small(settings: Mapping[str, object]) -> HybridCableRobot:
    return HybridCableRobot.model_validate({"cells": 4, "trajectory_samples": 3, **settings})
