"""From a trajectory to a wrench set: the paper's own chain from the arm to the workspace."""

from __future__ import annotations

import numpy as np

from models.errors import InputError
from models.floats import FloatArray
from models.hybrid_cable_robot.arm.dynamics import platform_wrench
from models.hybrid_cable_robot.motion.sampling import Samples, sample
from models.hybrid_cable_robot.motion.trajectory import Trajectory
from models.hybrid_cable_robot.parameters import GREATEST_LOAD, HybridCableRobot, WrenchBox


def reaction_range(
    parameters: HybridCableRobot, trajectory: Trajectory | None = None, samples: int | None = None
) -> WrenchBox:
    """The least box of external wrenches that a motion puts on the platform.

    Weight and inertia of platform and arm along the trajectory, about the platform's origin in world
    axes. As ``wrench_set`` of a record it asks for the workspace in which every one of them, in any
    combination, is held; ``wrench_set = "trajectory"`` is this box of the record's own trajectory.

    Parameters
    ----------
    parameters : HybridCableRobot
    trajectory : Trajectory, optional
        The record's when left out.
    samples : int, optional
        Instants, at least two; the record's ``trajectory_samples`` when left out.

    Raises
    ------
    InputError
        When the arm cannot follow the tool's path, or the wrenches are beyond what a box may hold.
    """
    count = parameters.trajectory_samples if samples is None else samples
    path = sample(trajectory or parameters.path, count)
    if path.fault:
        raise InputError(path.fault, "trajectory")
    center, half_range = reaction_box(parameters, path)
    greatest = float((np.abs(center) + half_range).max())
    if greatest > GREATEST_LOAD:
        text = f"the motion's wrench reaches {greatest:.3g} N or N m; at most {GREATEST_LOAD:g} is allowed"
        raise InputError(text, "trajectory")
    return WrenchBox.model_validate({"center": center.tolist(), "half_range": half_range.tolist()})


def reaction_box(parameters: HybridCableRobot, path: Samples) -> tuple[FloatArray, FloatArray]:
    """Centre and half range, (6,) N and N m each, of the external wrenches along sampled motions."""
    external = -platform_wrench(parameters, path.platform, path.arm).wrench
    low, high = external.min(axis=0), external.max(axis=0)
    return (low + high) / 2, (high - low) / 2
