"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from models.continuum_kinematics.conditioning import backbone_values, singular_values
from models.continuum_kinematics.parameters import ContinuumKinematics
from models.continuum_kinematics.reachable_volume import reachable_volume, sampled_states
from models.continuum_kinematics.robot import cable_clearance, guides_meet, robot_of
from models.continuum_kinematics.tasks import solve_path, solve_task_points, solve_task_poses, task_margin
from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.kernel_cache import once

CONDITIONED = 1000  # states over which the conditioning is the mean
SEED = 0


def geometry_stage(parameters: ContinuumKinematics) -> Outcome:
    """Compute the robot's size, and refuse cables that do not reach."""
    body = robot_of(parameters)
    if text := guides_meet(body):
        return Infeasible(text, max(-float(cable_clearance(body).min()), LEAST_VIOLATION))
    return Evaluation({"total_length": float(body.upper.sum())})


def workspace_stage(parameters: ContinuumKinematics) -> Outcome:
    """Compute what follows from random states."""
    body = robot_of(parameters)
    states = np.concatenate(list(sampled_states(body, CONDITIONED, SEED)))
    values = singular_values(body, states)
    reached = reachable_volume(body, parameters.samples, parameters.cells, seed=SEED)
    metrics = {
        "reachable_volume": reached.volume,
        "reachable_volume_error": reached.error,
        "condition_index": float((values[:, -1] / values[:, 0]).mean()),
        "min_singular_value": float(backbone_values(body, states).mean()),
        "max_singular_value": float(values[:, 0].mean()),
    }
    return Evaluation(metrics, {"states": parameters.samples, "rings": reached.tried})


def dexterity_stage(parameters: ContinuumKinematics) -> Outcome:
    """The share of directions over all task points."""
    found = solve_task_points(parameters)
    shares = [each.share for each in found]
    counters = {
        "directions": len(found) * parameters.directions,
        "starts": sum(each.starts for each in found),
    }
    return Evaluation({"dexterity": float(np.mean(shares)) if shares else None}, counters)


def tasks_stage(parameters: ContinuumKinematics) -> Outcome:
    """Task poses one by one, and the path."""
    solutions, way = solve_task_poses(parameters), solve_path(parameters)
    every = [*solutions, *(way.solutions if way else ())]
    states = np.array([found.sections for found in every])
    metrics = {
        "ik_success": float(np.mean([found.converged for found in solutions])) if solutions else None,
        "ik_margin": task_margin(parameters, solutions) if solutions else None,
        "path_success": 1.0 - len(way.missed) / len(way.solutions) if way else None,
        "path_error": way.path_error if way else None,
        "path_step": float(way.cable_steps.max()) if way else None,
        "max_bend": float(np.linalg.norm(states[..., 1:], axis=-1).max()) if every else None,
        "min_singular_value.tasks": float(backbone_values(robot_of(parameters), states).min())
        if every
        else None,
    }
    warnings = [f"task pose {n} is missed: {one.reason}" for n, one in enumerate(solutions, 1) if one.reason]
    along = way.solutions if way else []
    warnings += [
        f"pose {n} of the path is missed: {one.reason}" for n, one in enumerate(along, 1) if one.reason
    ]
    return Evaluation(metrics, {"starts": sum(found.starts for found in every)}, tuple(warnings))


STAGES: Mapping[str, Callable[[ContinuumKinematics], Outcome]] = {
    "geometry": geometry_stage,
    "workspace": workspace_stage,
    "dexterity": dexterity_stage,
    "tasks": tasks_stage,
}
CLASSES: Mapping[str, Sequence[str]] = {
    "tasks": ("geometry", "tasks"),
    "dexterity": ("geometry", "dexterity"),
    "workspace": ("geometry", "workspace"),
}


def warm_up(cost_class: str, evaluate: Callable[[ContinuumKinematics], Outcome]) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load them."""

    def evaluate_small() -> None:
        evaluate(ContinuumKinematics.model_validate({"samples": 100, "directions": 2}))

    once(f"continuum-kinematics-{cost_class}", evaluate_small)
    evaluate_small()
