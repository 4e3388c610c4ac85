"""A trajectory at evenly spaced instants, and the wrenches that following it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.dynamics import platform_wrench
from models.hybrid_cable_robot.arm.kinematics import (
    arm_jacobian,
    bias_acceleration,
    inverse_kinematics,
    nearest_branch,
)
from models.hybrid_cable_robot.bodies import ARM_JOINTS, ArmJoint
from models.hybrid_cable_robot.parameter_types import GREATEST_LOAD, WrenchBox
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import (
    RESTING_ARM,
    ArmMotion,
    PlatformMotion,
    Trajectory,
    through_waypoints,
)
from models.numerics.rotations import angular_motion, rotation_matrices

SINGULAR_ARM = 1e-6  # inverse condition number of the arm's Jacobian, lengths in units of its reach
REACH = 0.4  # [m]
FEWEST = 2  # instants: the ends


@dataclass(frozen=True, slots=True)
class Samples:
    """A trajectory at n instants.

    Attributes
    ----------
    times : (n,) float, s
    platform : PlatformMotion
    arm : ArmMotion
        At rest where the tool's path cannot be followed.
    fault : str
        Why the arm cannot follow the tool's path; empty when it can.
    fault_size : float
        How far [m] the wrist is out of reach at worst, or what the arm's inverse condition number
        lacks to 1e-6; positive with a fault.
    """

    times: FloatArray
    platform: PlatformMotion
    arm: ArmMotion
    fault: str = ""
    fault_size: float = 0.0


def sample(trajectory: Trajectory, count: int, arm_joints: tuple[ArmJoint, ...] = ARM_JOINTS) -> Samples:
    """``count`` instants of a trajectory, its ends included.

    ``arm_joints`` are those of the arm whose tool a path moves. Without any motion of the arm it is locked at
    ``RESTING_ARM``, see :meth:`~models.hybrid_cable_robot.trajectory.Trajectory.carrying`.

    Raises
    ------
    InputError
        When ``count`` is less than two.
    """
    if count < FEWEST:
        raise InputError(f"expected at least {FEWEST} instants, got {count}", ("count",))
    times = np.array(trajectory.times)
    instants = np.linspace(times[0], times[-1], count)
    still = ((0.0, 0.0, 0.0),) * len(times)
    rows = [np.array(trajectory.platform_positions), np.array(trajectory.platform_rotations or still)]
    if trajectory.tool_positions is not None and trajectory.tool_rotations is not None:
        rows += [np.array(trajectory.tool_positions), np.array(trajectory.tool_rotations)]
    else:
        joints = (RESTING_ARM,) * len(times) if trajectory.joints is None else trajectory.joints
        rows.append(np.array(joints))
    values, rates, seconds = through_waypoints(times, np.concatenate(rows, axis=1), instants)
    platform = _rigid_motion(values[:, :6], rates[:, :6], seconds[:, :6])
    if trajectory.tool_positions is not None:
        tool = _rigid_motion(values[:, 6:], rates[:, 6:], seconds[:, 6:])
        return Samples(instants, platform, *follow_tool(tool, arm_joints))
    return Samples(instants, platform, ArmMotion(values[:, 6:], rates[:, 6:], seconds[:, 6:]))


def sample_of(
    parameters: HybridCableRobot, count: int | None = None, trajectory: Trajectory | None = None
) -> Samples:
    """Instants of a trajectory, by default that of the record, as many as it says."""
    instants = parameters.trajectory_samples if count is None else count
    return sample(parameters.path_of(trajectory), instants, parameters.arm_joints)


def follow_tool(
    tool: PlatformMotion, joints: tuple[ArmJoint, ...] = ARM_JOINTS
) -> tuple[ArmMotion, str, float]:
    """Joint motion that moves frame 6 as ``tool`` says, in the arm's base frame.

    Angles by inverse kinematics: the branch nearest to the arm's resting angles first, then the one
    nearest to the instant before. Rates and accelerations by the Jacobian.

    Returns
    -------
    tuple of (ArmMotion, str, float)
        The motion, and the fault and its size as in :class:`Samples`.
    """
    rest = ArmMotion.at_rest(np.broadcast_to(RESTING_ARM, (len(tool.position), 6)))
    angles, last = np.empty(rest.angles.shape), np.array(RESTING_ARM)
    shortfall, fault = 0.0, ""
    for i, (position, rotation) in enumerate(zip(tool.position, tool.rotation, strict=True)):
        found = inverse_kinematics(position, rotation, joints)
        if found.reach == "reachable":
            angles[i] = last = nearest_branch(found, last)
        elif found.shortfall > shortfall:
            shortfall = found.shortfall
            fault = f"the arm's end is {found.reach} by {shortfall:.3g} m on the tool's path"
    if fault:
        return rest, fault, shortfall
    J = arm_jacobian(angles, joints)
    values = np.linalg.svd(J / np.array([REACH, REACH, REACH, 1, 1, 1])[:, None], compute_uv=False)
    conditioning = float(np.min(values[:, -1] / values[:, 0]))
    if conditioning < SINGULAR_ARM:
        fault = "the arm passes through a singular pose on the tool's path"
        return rest, fault, SINGULAR_ARM - conditioning
    twists = np.concatenate([tool.velocity, tool.angular_velocity], axis=-1)
    changes = np.concatenate([tool.acceleration, tool.angular_acceleration], axis=-1)
    velocities = _solved(J, twists)
    accelerations = _solved(J, changes - bias_acceleration(angles, velocities, joints))
    return ArmMotion(angles, velocities, accelerations), "", 0.0


def _solved(J: FloatArray, twists: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(J, twists[..., None])[..., 0], dtype=float)


def _rigid_motion(values: FloatArray, rates: FloatArray, seconds: FloatArray) -> PlatformMotion:
    """Motion of a frame from positions and rotation vectors (n, 6) and their derivatives."""
    w, alpha = angular_motion(values[:, 3:], rates[:, 3:], seconds[:, 3:])
    turned = rotation_matrices(values[:, 3:])
    return PlatformMotion(values[:, :3], turned, rates[:, :3], seconds[:, :3], w, alpha)


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
    path = sample_of(parameters, samples, trajectory)
    if path.fault:
        raise InputError(path.fault, ("trajectory",))
    center, half_range = reaction_box(parameters, path)
    greatest = float((np.abs(center) + half_range).max())
    if greatest > GREATEST_LOAD:
        text = f"the motion's wrench reaches {greatest:.3g} N or N m; at most {GREATEST_LOAD:g} is allowed"
        raise InputError(text, ("trajectory",))
    return WrenchBox.model_validate({"center": center.tolist(), "half_range": half_range.tolist()})


def reaction_box(
    parameters: HybridCableRobot, path: Samples, torques: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Centre and half range, (6,) N and N m each, of the external wrenches along sampled motions.

    Without the ``torques`` (n, 3) N m, if given.
    """
    external = -platform_wrench(parameters, path.platform, path.arm).wrench
    if torques is not None:
        external[:, 3:] -= torques
    low, high = external.min(axis=0), external.max(axis=0)
    return (low + high) / 2, (high - low) / 2
