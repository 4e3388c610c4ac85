"""Constants of the kernels, which all blocks of cells share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import TOLERANCE, Load, Robot, load_case
from models.hybrid_cable_robot.simd.kernels import Kernel, kernels


def scaled_loads(robot: Robot) -> Robot:
    """The robot with its loads in units of the forces involved, so that single precision has room for any."""
    forces = robot.tolerance / TOLERANCE
    return robot._replace(
        load_centers=robot.load_centers / forces,
        load_range=robot.load_range / forces,
        f_min=robot.f_min / forces,
        f_max=robot.f_max / forces,
        tolerance=TOLERANCE,
    )


def wrench_constants(robot: Robot, load: Load, rotation: FloatArray) -> FloatArray:
    """Constants of the wrench kernel at an orientation (3, 3)."""
    turned = robot.attachments @ rotation.T
    half_difference, half_sum = 0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)
    parts = (robot.pulleys - turned, turned / robot.length_scale, load.center, load.half_range)
    return np.concatenate([*(part.ravel() for part in parts), [half_difference, half_sum]])


def platform_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the platform kernel at an orientation (3, 3)."""
    goals = robot.pulleys @ rotation - robot.attachments
    return np.concatenate([part.ravel() for part in (rotation, goals, robot.attachments, robot.half_size)])


def distance_constants(robot: Robot, rotation: FloatArray) -> FloatArray:
    """Constants of the distance kernel at an orientation (3, 3)."""
    turned = robot.attachments @ rotation.T
    return np.concatenate([(robot.pulleys - turned).ravel(), turned.ravel(), robot.reliefs.T.ravel()])


def condition_constants(robot: Robot) -> FloatArray:
    """Constants of the condition kernel, which looks at the nominal orientation only."""
    turned = robot.attachments @ robot.rotations[0].T
    stiffness = robot.stiffness / robot.stiffness.max()
    return np.concatenate(
        [(robot.pulleys - turned).ravel(), (turned / robot.length_scale).ravel(), stiffness]
    )


Constants = dict[int, FloatArray]  # constants of a kernel for every load, or at every orientation


class ExecutionPlan(NamedTuple):
    """The passes over the cells: constants by kernel, each of the kernel's type.

    Attributes
    ----------
    robot : Robot
    every_index : bool
        Whether conditions are wanted at cells that fail, too.
    wrench_prefilter, wrench : mapping of int to (k,) float
        By load; the last one first, since turned poses are harder to hold than the nominal one.
    platform_clearance, distance_prefilter, distance : mapping of int to (k,) float
        By orientation, in the order of the loads.
    condition_numbers : (k,) float
    """

    robot: Robot
    every_index: bool
    wrench_prefilter: Constants
    wrench: Constants
    platform_clearance: Constants
    distance_prefilter: Constants
    distance: Constants
    condition_numbers: FloatArray


def plan_execution(robot: Robot, *, every_index: bool) -> ExecutionPlan:
    """Plan the passes over cells."""
    order, light = range(len(robot.load_centers))[::-1], scaled_loads(robot)
    rotations = orientations_of(robot)
    prefilter = {k: wrench_constants(robot, load_case(light, k), rotations[k]) for k in order}
    wrench = {k: wrench_constants(robot, load_case(robot, k), rotations[k]) for k in order}
    orientations = dict.fromkeys(k * len(robot.rotations) // len(rotations) for k in order)
    platform = {k: platform_constants(robot, robot.rotations[k]) for k in orientations}
    distance = {k: distance_constants(robot, robot.rotations[k]) for k in orientations}
    return ExecutionPlan(
        robot=robot,
        every_index=every_index,
        wrench_prefilter=_typed(kernels().wrench_prefilter, prefilter),
        wrench=wrench,
        platform_clearance=platform,
        distance_prefilter=_typed(kernels().distance_prefilter, distance),
        distance=distance,
        condition_numbers=condition_constants(robot),
    )


def _typed(kernel: Kernel, constants: Constants) -> Constants:
    return {k: each.astype(kernel.real) for k, each in constants.items()}


def orientations_of(robot: Robot) -> FloatArray:
    """The orientation (3, 3) of every load."""
    return np.repeat(robot.rotations, len(robot.load_centers) // len(robot.rotations), axis=0)
