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
    return _joined(robot, *parts, np.array([half_difference, half_sum]))


def has_wheels(robot: Robot) -> bool:
    """True if some cable runs over a wheel."""
    return bool(robot.wheels.any())


def _joined(robot: Robot, *parts: FloatArray) -> FloatArray:
    """The constants in one array; those of kernels that know wheels end with swivel axes and radii."""
    wheels = (robot.swivels, robot.wheels) if has_wheels(robot) else ()
    return np.concatenate([part.ravel() for part in (*parts, *wheels)])


def platform_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the platform kernel at an orientation (3, 3)."""
    goals = robot.pulleys @ rotation - robot.attachments
    if has_wheels(robot):
        goals = robot.pulleys - robot.attachments @ rotation.T
    return _joined(robot, rotation, goals, robot.attachments, robot.half_size)


def distance_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the distance kernel at an orientation (3, 3)."""
    turned = robot.attachments @ rotation.T
    return _joined(robot, robot.pulleys - turned, turned, robot.reliefs.T)


def condition_constants(robot: Robot) -> FloatArray:
    """Constants of the condition kernel, which looks at the nominal orientation only."""
    turned = robot.attachments @ robot.rotations[0].T
    stiffness = robot.stiffness / robot.stiffness.max()
    return _joined(robot, robot.pulleys - turned, turned / robot.length_scale, stiffness)


class ExecutionPlan(NamedTuple):
    """The passes over the cells: the constants of each, by kernel.

    Attributes
    ----------
    robot : Robot
    every_index : bool
        True where the conditions of cells that fail are wanted, too.
    kernels : Kernels
        Those that know the robot's cables.
    wrench : list of (k,) float
        Of each load, from the last to the first: turned poses are harder to hold than the nominal one.
    platform_clearance, distance : list of (k,) float
        Of each orientation, in the same order.
    condition_numbers : (k,) float
    """

    robot: Robot
    every_index: bool
    kernels: Kernels
    wrench: list[FloatArray]
    platform_clearance: list[FloatArray]
    distance: list[FloatArray]
    condition_numbers: FloatArray


def plan_execution(robot: Robot, *, every_index: bool) -> ExecutionPlan:
    """Plan the passes over cells; ``every_index`` as in :class:`ExecutionPlan`."""
    turned = robot.rotations[::-1]
    postures = len(robot.load_centers) // len(turned)
    return ExecutionPlan(
        robot=robot,
        every_index=every_index,
        kernels=kernels(wheels=has_wheels(robot)),
        wrench=[
            wrench_constants(robot, load_case(robot, k), robot.rotations[k // postures])
            for k in reversed(range(len(robot.load_centers)))
        ],
        platform_clearance=[platform_constants(robot, rotation) for rotation in turned],
        distance=[distance_constants(robot, rotation) for rotation in turned],
        condition_numbers=condition_constants(robot),
    )
