"""Total orientation of positions: the angle by which the platform may turn about every axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from errors import InputError
from models.arrays import FloatArray, finite_array
from models.hybrid_cable_robot.bounds.orientation_kernels import (
    FINE_DEPTH,
    least_total_orientation,
    new_proof,
)
from models.hybrid_cable_robot.cell_results import PASSED
from models.hybrid_cable_robot.freedoms import turning_axes
from models.hybrid_cable_robot.parameter_checks import proofless_words
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.workspace_grid.cell_evaluation import evaluate_cells
from models.hybrid_cable_robot.wrench_sets import require_wrench_set

STEP = math.radians(0.1)
GREATEST = 900  # steps: a right angle


def total_orientation(parameters: HybridCableRobot, position: Sequence[float] | FloatArray) -> float:
    """Greatest angle [rad] such that the platform passes every test after any rotation by at most this angle.

    About every axis about which it turns. Proved, not sampled, by :mod:`.bounds.orientation_kernels`: the
    angle is a multiple of 0.1 degrees and at most a right angle. The true one is not less, and greater by no
    more than a step and what the smallest boxes of rotations, 1/64 of the angle, leave undecided. The
    record's ``orientations`` and ``rotation_limit`` play no part.

    Parameters
    ----------
    parameters : HybridCableRobot
    position : (3,) float, m
        The platform's origin in the world frame.

    Returns
    -------
    float
        Zero where a test fails without any rotation.

    Raises
    ------
    InputError
        When the position is not finite, or the robot has wheels, obstacles, a floor or an arm that is tested,
        or the pattern 2R3T, for which there are no proofs, or does not turn, or there is no wrench set.
    """
    require_wrench_set(parameters)
    if parameters.proofless:
        raise InputError(f"no total orientation is proved for {proofless_words(parameters.proofless)}", ())
    return least_orientation(parameters, finite_array(position, (3,), "position")[None])


def least_orientation(parameters: HybridCableRobot, positions: FloatArray) -> float:
    """Least total orientation [rad] of positions (n, 3) m."""
    robot = robot_of(parameters.model_copy(update={"orientations": "nominal"}))
    axes = turning_axes(parameters.freedoms, parameters.plane, robot.attachments)
    if not len(axes):
        raise InputError(f"a platform with 'freedoms' {parameters.freedoms} does not turn", ())
    places = np.ascontiguousarray(positions, dtype=float)
    if (evaluate_cells(robot, places, every_index=False).verdicts != PASSED).any():
        return 0.0
    turning = robot._replace(spans=axes.copy())
    proof = new_proof(turning, FINE_DEPTH, ball=True)
    return least_total_orientation(turning, places, axes, STEP, GREATEST, proof)
