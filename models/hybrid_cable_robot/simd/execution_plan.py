"""What all blocks of cells share: constants of the kernels, and what a sample of cells shows.

A sample of the cells tells at which orientation most of them fail, and at which orientations single precision
is sure of enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.robot import TOLERANCE, Load, Robot, load_case
from models.hybrid_cable_robot.simd.code_generator import BLOCK_POSES
from models.hybrid_cable_robot.simd.compaction import pack_positions
from models.hybrid_cable_robot.simd.kernels import Kernel, kernels
from models.hybrid_cable_robot.simd.wrench_source import MARGIN_BAND


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


SAMPLE = 2 * BLOCK_POSES  # sample cells, to find the orientation that excludes most
SAMPLED_FROM = 16 * SAMPLE  # fewer cells are not worth it
WORTHWHILE = 0.5  # share of the sample that single precision must be sure of at an orientation

Constants = dict[int, FloatArray]  # constants of a kernel for every load, or at every orientation


class ExecutionPlan(NamedTuple):
    """The passes over the cells: constants by kernel, each of the kernel's type.

    Attributes
    ----------
    robot : Robot
    every_index : bool
        Whether conditions are wanted at cells that fail, too.
    first_load : int or None
        The load whose margin is found first, in single precision.
    wrench_prefilter, wrench : mapping of int to (k,) float
        By load, that which excludes most first.
    platform_clearance, distance_prefilter, distance : mapping of int to (k,) float
        By orientation, in the order of the loads.
    condition_numbers : (k,) float
    """

    robot: Robot
    every_index: bool
    first_load: int | None
    wrench_prefilter: Constants
    wrench: Constants
    platform_clearance: Constants
    distance_prefilter: Constants
    distance: Constants
    condition_numbers: FloatArray


def sample_places(count: int) -> NDArray[np.intp]:
    """Which of ``count`` cells are looked at to plan; none when they are too few."""
    if count < SAMPLED_FROM:
        return np.empty(0, np.intp)
    return np.arange(SAMPLE) * (count // SAMPLE)


def plan_execution(robot: Robot, sample: FloatArray, *, every_index: bool) -> ExecutionPlan:
    """Plan the passes over cells of which those with centres (n, 3) m are typical; n may be 0."""
    order, light = list(range(len(robot.load_centers))), scaled_loads(robot)
    rotations = orientations_of(robot)
    trustworthy = set(order)
    if len(sample):
        known, trusted = sample_margins(light, sample)
        order = worst_first(known < -MARGIN_BAND)
        trustworthy = set(np.flatnonzero(trusted.mean(axis=1) >= WORTHWHILE).tolist())
    prefilter = {
        k: wrench_constants(robot, load_case(light, k), rotations[k]) for k in order if k in trustworthy
    }
    wrench = {k: wrench_constants(robot, load_case(robot, k), rotations[k]) for k in order}
    orientations = dict.fromkeys(k * len(robot.rotations) // len(rotations) for k in order)
    platform = {k: platform_constants(robot, robot.rotations[k]) for k in orientations}
    distance = {k: distance_constants(robot, robot.rotations[k]) for k in orientations}
    return ExecutionPlan(
        robot=robot,
        every_index=every_index,
        first_load=order[0] if order[0] in trustworthy else None,
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


def sample_margins(robot: Robot, sample: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Margins (q, n) of q loads in single precision at positions (n, 3) m, 0 where they cannot be trusted.

    Also where they can, (q, n).
    """
    prefilter, count = kernels().wrench_prefilter, len(sample)
    io = prefilter.workspace(count)
    found = prefilter.views(io)
    margins, trusted = np.empty((2, len(robot.load_centers), count))
    for index, rotation in enumerate(orientations_of(robot)):
        blocks = pack_positions(sample, np.arange(count), 0, count, io)
        constants = wrench_constants(robot, load_case(robot, index), rotation)
        prefilter.run(io, constants.astype(prefilter.real), blocks)
        margins[index] = found["margin"].ravel()[:count]
        trusted[index] = found["trusted"].ravel()[:count]
    return margins * (trusted > 0.0), trusted > 0.0


def worst_first(failed: NDArray[np.bool_]) -> list[int]:
    """Loads in an order that excludes early: each the one that excludes most of what is left.

    ``failed`` (q, n) says which of n cells fail under each of q loads.
    """
    waiting, order = list(range(len(failed))), list[int]()
    failed = failed.copy()
    while waiting:
        order.append(max(waiting, key=lambda index: (int(failed[index].sum()), index)))
        waiting.remove(order[-1])
        failed &= ~failed[order[-1]]
    return order
