"""From a trajectory to a wrench set: the paper's own chain from the arm to the workspace."""

from __future__ import annotations

from models.errors import InputError
from models.hybrid_cable_robot.arm_dynamics import platform_wrench
from models.hybrid_cable_robot.parameters import HybridCableRobot, WrenchBox
from models.hybrid_cable_robot.sampling import sample
from models.hybrid_cable_robot.trajectory import Trajectory


def reaction_range(
    parameters: HybridCableRobot, trajectory: Trajectory | None = None, samples: int | None = None
) -> WrenchBox:
    """The least box of external wrenches that a motion puts on the platform.

    Weight and inertia of platform and arm along the trajectory, about the platform's origin in world
    axes. As ``wrench_set`` of a record it asks for the workspace in which every one of them, in any
    combination, is held.

    Parameters
    ----------
    parameters : HybridCableRobot
    trajectory : Trajectory, optional
        The record's when left out.
    samples : int, optional
        Instants; the record's ``trajectory_samples`` when left out.

    Raises
    ------
    InputError
        When the arm cannot follow the tool's path.
    """
    path = sample(trajectory or parameters.path, samples or parameters.trajectory_samples)
    if path.fault:
        raise InputError(path.fault, "trajectory")
    external = -platform_wrench(parameters, path.platform, path.arm).wrench
    low, high = external.min(axis=0), external.max(axis=0)
    return WrenchBox.model_validate(
        {"center": ((low + high) / 2).tolist(), "half_range": ((high - low) / 2).tolist()}
    )
