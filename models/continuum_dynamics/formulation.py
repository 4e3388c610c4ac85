"""Interface of the two formulations, and calls of the one that a design names.

Other modules reach ``relative/`` and ``corotational/`` by this one alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from models.arrays import FloatArray, Numbers
from models.continuum_dynamics import corotational, relative
from models.continuum_dynamics.drives import BoolArray, Drive, Samples, sampled
from models.continuum_dynamics.integration import Motion, Progress
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.parameters import ContinuumDynamics, FormulationName
from models.continuum_dynamics.relative.natural_frequencies import Modes, natural_frequencies
from models.continuum_dynamics.robot import Robot, greatest_pull, robot_of
from models.progress import report_progress

__all__ = [
    "FORMULATIONS", "Formulation", "Modes", "last_pulls", "natural_frequencies", "simulate",
    "static_solution", "wound",
]  # fmt: skip


class Formulation(Protocol):
    """Equations of motion in coordinates of their own."""

    def static_solution(
        self, robot: Robot, pulls: Numbers, held: Sequence[bool] | BoolArray | None = None
    ) -> StaticSolution:
        """State at rest with wound lengths ``pulls`` (m,) [m] of the cables that are ``held`` (m,)."""
        ...

    def simulate(
        self, robot: Robot, drives: Sequence[Drive], duration: float, *, step: float,
        window: float | None = None, progress: Progress | None = None,
    ) -> Motion:  # fmt: skip
        """Motion of ``duration`` [s] from the state at rest under the drives' first lengths."""
        ...


FORMULATIONS: Mapping[FormulationName, Formulation] = {"relative": relative, "corotational": corotational}


def static_solution(parameters: ContinuumDynamics, pulls: Numbers) -> StaticSolution:
    """The state at rest with these wound lengths (m,) [m] of the cables; those that are slack are free.

    Raises
    ------
    InputError
        When there is not one finite pull per cable, or a cable pulls more than the robot has.
    """
    held = [each.state in ("driven", "locked") for each in parameters.drives]
    return FORMULATIONS[parameters.formulation].static_solution(robot_of(parameters), pulls, held)


def simulate(parameters: ContinuumDynamics) -> Motion:
    """Motion from the state at rest under the first lengths of the drives.

    Raises
    ------
    InputError
        When the robot does not rest under these lengths.
    """
    return FORMULATIONS[parameters.formulation].simulate(
        robot_of(parameters),
        parameters.motors,
        parameters.duration,
        step=parameters.time_step,
        window=parameters.smoothing_window,
        progress=report_progress,
    )


def wound(parameters: ContinuumDynamics, times: Numbers) -> Samples:
    """Wound lengths, speeds and accelerations of the cables at ``times`` (k,) [s]."""
    return sampled(greatest_pull(robot_of(parameters)), parameters.motors, np.asarray(times, float))


def last_pulls(parameters: ContinuumDynamics) -> FloatArray:
    """Wound length (m,) [m] of each cable at the end of the motion."""
    return wound(parameters, [parameters.duration]).pulls[:, 0]
