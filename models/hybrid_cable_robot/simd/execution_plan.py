"""What all blocks of cells share: constants of the kernels, and what a sample of cells shows.

A sample of the cells tells at which orientation most of them fail, in which directions these fail, and
at which orientations single precision is sure of enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.kernel_records import TOLERANCE, CheckOptions, Geometry, Load, Loads, load_case
from models.hybrid_cable_robot.simd.code_generator import BLOCK_POSES
from models.hybrid_cable_robot.simd.compaction import pack_positions
from models.hybrid_cable_robot.simd.exclusion_source import choose_directions, exclusion_constants
from models.hybrid_cable_robot.simd.kernels import Kernel, kernels
from models.hybrid_cable_robot.simd.wrench_source import MARGIN_BAND
from models.hybrid_cable_robot.wrench_kernels import Scratch


def scaled_loads(loads: Loads) -> Loads:
    """The loads in units of the forces involved, so that single precision has room for any."""
    forces = loads.tolerance / TOLERANCE
    return Loads(
        loads.centers / forces,
        loads.half_range / forces,
        loads.f_min / forces,
        loads.f_max / forces,
        TOLERANCE,
    )


def wrench_constants(shape: Geometry, load: Load, rotation: FloatArray) -> FloatArray:
    """Constants of the wrench kernel at an orientation (3, 3)."""
    turned = shape.attachments @ rotation.T
    half_difference, half_sum = 0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)
    parts = (shape.pulleys - turned, turned / shape.length_scale, load.center, load.half_range)
    return np.concatenate([*(part.ravel() for part in parts), [half_difference, half_sum]])


def platform_constants(shape: Geometry, checks: CheckOptions, rotation: FloatArray) -> FloatArray:
    """Constants of the platform kernel at an orientation (3, 3)."""
    goals = shape.pulleys @ rotation - shape.attachments
    return np.concatenate([part.ravel() for part in (rotation, goals, shape.attachments, checks.half_size)])


def distance_constants(shape: Geometry, checks: CheckOptions, rotation: FloatArray) -> FloatArray:
    """Constants of the distance kernel at an orientation (3, 3)."""
    turned = shape.attachments @ rotation.T
    return np.concatenate([(shape.pulleys - turned).ravel(), turned.ravel(), checks.reliefs])


def condition_constants(shape: Geometry, checks: CheckOptions) -> FloatArray:
    """Constants of the condition kernel, which looks at the nominal orientation only."""
    turned = shape.attachments @ shape.rotations[0].T
    stiffness = checks.stiffness / checks.stiffness.max()
    return np.concatenate(
        [(shape.pulleys - turned).ravel(), (turned / shape.length_scale).ravel(), stiffness]
    )


SAMPLE = 2 * BLOCK_POSES  # sample cells, to find the orientation that excludes most
SAMPLED_FROM = 16 * SAMPLE  # fewer cells are not worth it
WORTHWHILE = 0.5  # share of the sample that single precision must be sure of at an orientation

Constants = dict[int, FloatArray]  # constants of a kernel for every load, or at every orientation


class ExecutionPlan(NamedTuple):
    """The passes over the cells: constants by kernel, each of the kernel's type.

    Attributes
    ----------
    shape, loads, checks : Geometry, Loads, CheckOptions
    exclusion : (k,) float, or None
        None where there is no direction worth a try.
    first_load : int or None
        The load whose margin is found first, in single precision.
    wrench_prefilter, wrench : mapping of int to (k,) float
        By load, that which excludes most first.
    platform, distance_prefilter, distance : mapping of int to (k,) float
        By orientation, in the order of the loads.
    condition : (k,) float
    """

    shape: Geometry
    loads: Loads
    checks: CheckOptions
    exclusion: FloatArray | None
    first_load: int | None
    wrench_prefilter: Constants
    wrench: Constants
    platform: Constants
    distance_prefilter: Constants
    distance: Constants
    condition: FloatArray


def sample_places(count: int) -> NDArray[np.intp]:
    """Which of ``count`` cells are looked at to plan; none when they are too few."""
    if count < SAMPLED_FROM:
        return np.empty(0, np.intp)
    return np.arange(SAMPLE) * (count // SAMPLE)


def plan_execution(
    shape: Geometry, loads: Loads, checks: CheckOptions, sample: FloatArray, scratch: Scratch
) -> ExecutionPlan:
    """Plan the passes over cells of which those with centres (n, 3) m are typical; n may be 0."""
    order, light = list(range(len(loads.centers))), scaled_loads(loads)
    rotations = orientations_of(shape, loads)
    trustworthy, exclusion = set(order), None
    if len(sample):
        known, trusted = sample_margins(shape, light, sample)
        order = worst_first(known < -MARGIN_BAND)
        trustworthy = set(np.flatnonzero(trusted.mean(axis=1) >= WORTHWHILE).tolist())
        exclusion = _exclusion(shape, light, sample, known[order[0]], order[0], scratch)
    prefilter = {
        k: wrench_constants(shape, load_case(light, k), rotations[k]) for k in order if k in trustworthy
    }
    wrench = {k: wrench_constants(shape, load_case(loads, k), rotations[k]) for k in order}
    orientations = dict.fromkeys(k * len(shape.rotations) // len(rotations) for k in order)
    platform = {k: platform_constants(shape, checks, shape.rotations[k]) for k in orientations}
    distance = {k: distance_constants(shape, checks, shape.rotations[k]) for k in orientations}
    return ExecutionPlan(
        shape=shape,
        loads=loads,
        checks=checks,
        exclusion=exclusion,
        first_load=order[0] if order[0] in trustworthy else None,
        wrench_prefilter=_typed(kernels().wrench_prefilter, prefilter),
        wrench=wrench,
        platform=platform,
        distance_prefilter=_typed(kernels().distance_prefilter, distance),
        distance=distance,
        condition=condition_constants(shape, checks),
    )


def _typed(kernel: Kernel, constants: Constants) -> Constants:
    return {k: each.astype(kernel.real) for k, each in constants.items()}


def orientations_of(shape: Geometry, loads: Loads) -> FloatArray:
    """The orientation (3, 3) of every load."""
    return np.repeat(shape.rotations, len(loads.centers) // len(shape.rotations), axis=0)


def _exclusion(
    shape: Geometry, loads: Loads, sample: FloatArray, known: FloatArray, index: int, scratch: Scratch
) -> FloatArray | None:
    """Constants for the directions in which cells of the sample, with margins ``known``, fail."""
    failed = known < -MARGIN_BAND
    if not failed.any():
        return None
    rotation, load = orientations_of(shape, loads)[index], load_case(loads, index)
    normals = choose_directions(shape, load, rotation, sample[failed], known[failed], scratch)
    if len(normals) == 0:
        return None
    return exclusion_constants(shape, load, rotation, normals).astype(kernels().exclusion.real)


def sample_margins(shape: Geometry, loads: Loads, sample: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Margins (q, n) of q loads in single precision at positions (n, 3) m, 0 where they cannot be trusted.

    Also where they can, (q, n).
    """
    prefilter, count = kernels().wrench_prefilter, len(sample)
    io = prefilter.workspace(count)
    found = prefilter.views(io)
    margins, trusted = np.empty((2, len(loads.centers), count))
    for index, rotation in enumerate(orientations_of(shape, loads)):
        blocks = pack_positions(sample, np.arange(count), 0, count, io)
        constants = wrench_constants(shape, load_case(loads, index), rotation)
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
