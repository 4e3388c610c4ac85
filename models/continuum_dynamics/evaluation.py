"""The stages of an evaluation, the cost classes that run them, and the preparation of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from errors import InputError
from models.continuum_dynamics.formulation import (
    last_pulls,
    natural_frequencies,
    simulate,
    static_solution,
    wound,
)
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.measured import trajectory_errors
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.continuum_dynamics.response import (
    bend,
    constraint_error,
    energy_error,
    peak_power,
    residual_energy,
    settling,
    slack_fraction,
)
from models.continuum_dynamics.robot import robot_of
from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.kernel_cache import once

NO_REST = 1.0
"""Violation of a design that does not rest under the last lengths of its cables, at least."""


def rest_stage(parameters: ContinuumDynamics) -> Outcome:
    """The state at rest under the last lengths of the cables."""
    rest = static_solution(parameters, last_pulls(parameters))
    return _no_rest(rest) or Evaluation(_at_rest(parameters, rest), {}, _instability(rest))


def _no_rest(rest: StaticSolution) -> Infeasible | None:
    """A design that does not rest under the last lengths of its cables; None for one that does."""
    if rest.exists:
        return None
    return Infeasible(f"under its last lengths, {rest.reason}", NO_REST + 1.0 - rest.reached)


def _instability(rest: StaticSolution) -> tuple[str, ...]:
    return () if rest.stable else (f"under the last lengths of the cables, {rest.reason}",)


def _at_rest(parameters: ContinuumDynamics, rest: StaticSolution) -> dict[str, float | None]:
    robot = robot_of(parameters)
    modes = natural_frequencies(robot, rest, 1)
    tip_x, tip_y, tip_z = map(float, rest.positions[-1])
    return {
        "mass": float(robot.masses.sum()),
        "stable": float(rest.stable),
        "tip_x": tip_x,
        "tip_y": tip_y,
        "tip_z": tip_z,
        "final_tension": float(rest.tensions.max(initial=0.0)),
        "final_bend": bend(rest.rotations[-1]),
        "first_frequency": float(modes.frequencies[0]) if len(modes.frequencies) else None,
        "static_strain": parameters.backbone_diameter / 2 * float(rest.curvatures.max()),
    }


def motion_stage(parameters: ContinuumDynamics) -> Outcome:
    """The motion, how it settles, and the state at rest in which it ends."""
    rest = static_solution(parameters, last_pulls(parameters))
    if none := _no_rest(rest):
        return none
    try:
        motion = simulate(parameters)
    except InputError as error:
        return Infeasible(error.message, NO_REST)
    steps = {"steps": len(motion.times) - 1}
    if not motion.completed:
        missing = 1.0 - len(motion.times) * parameters.time_step / parameters.duration
        return Infeasible(motion.reason, max(missing, LEAST_VIOLATION), steps)
    metrics = _at_rest(parameters, rest) | _in_motion(parameters, motion, rest)
    warnings = _instability(rest)
    if metrics["settling_time"] is None:
        warnings += (f"the tip has not settled at the end of the motion, {parameters.duration:g} s",)
    return Evaluation(metrics, steps, warnings)


def _in_motion(
    parameters: ContinuumDynamics, motion: Motion, rest: StaticSolution
) -> dict[str, float | None]:
    drives = wound(parameters, motion.times)
    settled = settling(motion, drives, rest, parameters.length)
    return {
        "tip_way": settled.way,
        "settling_time": settled.time,
        "arrival_time": settled.arrival,
        "overshoot": settled.overshoot,
        "peak_tension": float(motion.tensions.max(initial=0.0)),
        "slack_fraction": slack_fraction(motion, drives),
        "peak_power": peak_power(motion, drives),
        "residual_energy": residual_energy(motion, rest),
        "max_strain": parameters.backbone_diameter / 2 * float(motion.curvatures.max()),
        "constraint_error": constraint_error(motion),
        "energy_error": energy_error(motion),
        **_against_measured(parameters, motion),
    }


def _against_measured(parameters: ContinuumDynamics, motion: Motion) -> dict[str, float | None]:
    """Errors (41) of the tip and of all disks along each axis; null for what was not measured."""
    tip, disks = np.full(3, np.nan), np.full(3, np.nan)
    if parameters.measured:
        end = motion.times[-1]  # the multiple of the step nearest to the duration
        rows = [(min(row.time, end), row.disk, row.x, row.y, row.z) for row in parameters.measured]
        errors = trajectory_errors(rows, motion.times, motion.positions, parameters.length)
        tip, disks = errors.tip, np.nanmax(errors.disks, axis=0)
    named = {"tip_error": tip, "disk_error": disks}
    return {
        f"{name}.{axis}": None if np.isnan(value) else float(value)
        for name, values in named.items()
        for axis, value in zip("xyz", values, strict=True)
    }


STAGES: Mapping[str, Callable[[ContinuumDynamics], Outcome]] = {"rest": rest_stage, "motion": motion_stage}
CLASSES: Mapping[str, Sequence[str]] = {"rest": ("rest",), "motion": ("motion",)}


def warm_up(cost_class: str, evaluate: Callable[[ContinuumDynamics], Outcome]) -> None:
    """Compile the kernels of both formulations if they are new to this machine; load the relative ones."""

    def evaluate_small(formulation: str = "relative") -> None:
        settings = {"formulation": formulation, "disks": 2, "duration": 0.05}
        evaluate(ContinuumDynamics.model_validate(settings))

    once(f"continuum-dynamics-{cost_class}", lambda: evaluate_small("corotational"))
    evaluate_small()
