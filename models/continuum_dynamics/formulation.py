"""A design in the formulation that its record names: its states at rest, and its motion."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray, Numbers
from models.continuum_dynamics import corotational_simulation, corotational_statics, simulation, statics
from models.continuum_dynamics.drives import Samples, sampled
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.progress import report_progress


def static_solution(parameters: ContinuumDynamics, pulls: Numbers) -> StaticSolution:
    """The state at rest with these wound lengths (m,) [m] of the cables; those that are slack are free.

    Raises
    ------
    InputError
        When there is not one finite pull per cable, or a cable pulls more than the robot has.
    """
    held = [each.state in ("driven", "locked") for each in parameters.drives]
    form = statics if parameters.formulation == "relative" else corotational_statics
    return form.static_solution(parameters.robot, pulls, held)


def simulate(parameters: ContinuumDynamics) -> Motion:
    """Motion from the state at rest under the first lengths of the drives.

    Raises
    ------
    InputError
        When the robot does not rest under these lengths.
    """
    form = simulation if parameters.formulation == "relative" else corotational_simulation
    return form.simulate(
        parameters.robot,
        parameters.motors,
        parameters.duration,
        step=parameters.time_step,
        window=parameters.smoothing_window,
        progress=report_progress,
    )


def wound(parameters: ContinuumDynamics, times: Numbers) -> Samples:
    """Wound lengths, speeds and accelerations of the cables at ``times`` (k,) [s]."""
    return sampled(parameters.robot, parameters.motors, np.asarray(times, float))


def last_pulls(parameters: ContinuumDynamics) -> FloatArray:
    """Wound length (m,) [m] of each cable at the end of the motion."""
    return wound(parameters, [parameters.duration]).pulls[:, 0]
