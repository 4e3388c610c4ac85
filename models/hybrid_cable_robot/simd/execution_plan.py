"""Constants of the kernels, which all blocks of cells share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import Load, Robot, load_case
from models.hybrid_cable_robot.simd.kernels import Kernels, kernels


def wrench_constants(robot: Robot, load: Load, rotation: FloatArray) -> FloatArray:
    """Constants of the wrench kernel at an orientation (3, 3)."""
    turned = robot.attachments @ rotation.T
    half_difference, half_sum = 0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)
    parts = (robot.pulleys - turned, turned / robot.length_scale, load.center, load.half_range)
    return np.concatenate(
        [*(part.ravel() for part in parts), [half_difference, half_sum], wheel_constants(robot)]
    )


def wheel_constants(robot: Robot) -> FloatArray:
    """Swivel axes (8, 3) and radii (8,) m of wheels, which end the constants of kernels that know them."""
    return np.concatenate([robot.swivels.ravel(), robot.wheels]) if robot.wheels.any() else np.empty(0)


def platform_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the platform kernel at an orientation (3, 3)."""
    goals = robot.pulleys @ rotation - robot.attachments
    if robot.wheels.any():
        goals = robot.pulleys - robot.attachments @ rotation.T
    parts = (rotation, goals, robot.attachments, robot.half_size, wheel_constants(robot))
    return np.concatenate([part.ravel() for part in parts])


def distance_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the distance kernel at an orientation (3, 3)."""
    turned = robot.attachments @ rotation.T
    parts = (robot.pulleys - turned, turned, robot.reliefs.T, wheel_constants(robot))
    return np.concatenate([part.ravel() for part in parts])


def condition_constants(robot: Robot) -> FloatArray:
    """Constants of the condition kernel, which looks at the nominal orientation only."""
    turned = robot.attachments @ robot.rotations[0].T
    stiffness = robot.stiffness / robot.stiffness.max()
    parts = (robot.pulleys - turned, turned / robot.length_scale, stiffness, wheel_constants(robot))
    return np.concatenate([part.ravel() for part in parts])


class ExecutionPlan(NamedTuple):
    """The passes over the cells: the constants of each, by kernel.

    Attributes
    ----------
    robot : Robot
    every_index : bool
        True where the conditions of cells that fail are wanted, too.
    wrench : list of (k,) float
        Of each load, from the last to the first: turned poses are harder to hold than the nominal one.
    platform_clearance, distance : list of (k,) float
        Of each orientation, in the same order.
    condition_numbers : (k,) float
    """

    robot: Robot
    every_index: bool
    wrench: list[FloatArray]
    platform_clearance: list[FloatArray]
    distance: list[FloatArray]
    condition_numbers: FloatArray

    @property
    def kernels(self) -> Kernels:
        """Kernels that know the robot's cables."""
        return kernels(wheels=bool(self.robot.wheels.any()))


def plan_execution(robot: Robot, *, every_index: bool) -> ExecutionPlan:
    """Plan the passes over cells; ``every_index`` as in :class:`ExecutionPlan`."""
    turned = robot.rotations[::-1]
    postures = len(robot.load_centers) // len(turned)
    return ExecutionPlan(
        robot=robot,
        every_index=every_index,
        wrench=[
            wrench_constants(robot, load_case(robot, k), robot.rotations[k // postures])
            for k in reversed(range(len(robot.load_centers)))
        ],
        platform_clearance=[platform_constants(robot, rotation) for rotation in turned],
        distance=[distance_constants(robot, rotation) for rotation in turned],
        condition_numbers=condition_constants(robot),
    )
