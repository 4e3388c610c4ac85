"""Writes the test of a few directions in which neighbouring poses fail, and chooses the directions.

The box of wrenches cannot be held when the slack in any one direction is clearly negative. That
costs a small part of all 56 facets, and a handful of directions excludes most of the cells that fail.
"""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.cable_kernels import fill_matrix
from models.hybrid_cable_robot.robot import Load, Robot
from models.hybrid_cable_robot.simd.code_generator import (
    AXES,
    CABLES,
    KernelSource,
    dot,
    least,
    total,
    write_units,
)
from models.hybrid_cable_robot.wrench_test_kernels import Scratch, matrix_margin
from models.jit import entry

DIRECTIONS = 6
CANDIDATES = 48
NEARLY_WORST = 0.999  # of the worst slack; the facet that has it comes first with less


def exclusion_kernel() -> KernelSource:
    """Kernel from positions to the least slack [N] over the directions, 0 where it is not sure.

    Constants: pulleys less turned attachments (8, 3) m; for every direction, what the cables' unit
    vectors are multiplied with to give their pulls (8, 3), the box's centre along it and its reach
    [N]; half the difference and half the sum of the tension limits [N].
    """
    source = KernelSource("wrench_exclusion", "float32")
    source.table("g", CABLES, 3)
    source.table("v", DIRECTIONS, CABLES, 3)
    source.table("weight", DIRECTIONS)
    source.table("reach", DIRECTIONS)
    source.constant("half_difference")
    source.constant("half_sum")
    firm = write_units(source)
    slacks: list[str] = []
    for k in range(DIRECTIONS):
        pulls = [
            source.let(
                f"p{k}_{i}", dot([f"v_{k}_{i}_{axis}" for axis in range(3)], [f"u{i}{a}" for a in AXES])
            )
            for i in range(CABLES)
        ]
        middle = f"abs(half_sum * ({total(pulls)}) + weight_{k})"
        sizes = total(f"abs({pull})" for pull in pulls)
        slacks.append(source.let(f"slack_{k}", f"half_difference * ({sizes}) - {middle} - reach_{k}"))
    source.let("closest", least(slacks))
    source.write("slack", f"closest if {firm} > 0.0 else 0.0")
    return source


@entry
def _fill(
    robot: Robot,
    load: Load,
    rotation: FloatArray,
    positions: FloatArray,
    margins: FloatArray,
    scratch: Scratch,
    matrices: FloatArray,
    normals: FloatArray,
) -> None:
    """Wrench matrices (8, 6, n) of all poses, and unit normals (k, 6) of the worst facets of the first k."""
    for pose in range(len(positions)):
        fill_matrix(robot, rotation, positions[pose], scratch.W)
        matrices[:, :, pose] = scratch.W.T
        if pose < len(normals):
            matrix_margin(load, NEARLY_WORST * margins[pose], scratch)
            length = max(np.sqrt(np.sum(scratch.normal * scratch.normal)), 1e-300)
            normals[pose] = scratch.normal / length


def choose_directions(
    robot: Robot,
    load: Load,
    rotation: FloatArray,
    sample: FloatArray,
    margins: FloatArray,
    scratch: Scratch,
) -> FloatArray:
    """Unit normals (k, 6) that exclude the most of the poses at ``sample`` (n, 3) m, k <= ``DIRECTIONS``.

    ``margins`` (n,) N are those of the poses, all negative. The directions are chosen one after the
    other, each to exclude the most of the poses that are left.
    """
    spread = np.argsort(np.arange(len(sample)) % max(1, len(sample) // CANDIDATES), kind="stable")
    sample, margins = sample[spread], margins[spread]
    matrices, normals = np.empty((CABLES, 6, len(sample))), np.zeros((min(CANDIDATES, len(sample)), 6))
    _fill(robot, load, rotation, sample, margins, scratch, matrices, normals)
    pulls = normals @ matrices  # (cables, normals, poses)
    half_difference, half_sum = 0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)
    middle = np.abs(half_sum * pulls.sum(axis=0) + (normals @ load.center)[:, None])
    reach = (np.abs(normals) @ load.half_range)[:, None]
    excludes = half_difference * np.abs(pulls).sum(axis=0) - middle - reach < 0.0
    chosen: list[int] = []
    while len(chosen) < DIRECTIONS and excludes.any():
        chosen.append(int(np.argmax(np.count_nonzero(excludes, axis=1))))
        excludes &= ~excludes[chosen[-1]]
    return normals[chosen]


def exclusion_constants(robot: Robot, load: Load, rotation: FloatArray, normals: FloatArray) -> FloatArray:
    """Constants of the kernel at an orientation (3, 3), for unit normals (k, 6); the first fills up."""
    normals = normals[np.arange(DIRECTIONS) % len(normals)]
    turned = robot.attachments @ rotation.T
    arms = np.cross(normals[:, None, 3:], turned[None] / robot.length_scale)
    return np.concatenate(
        [
            (robot.pulleys - turned).ravel(),
            (normals[:, None, :3] + arms).ravel(),
            normals @ load.center,
            np.abs(normals) @ load.half_range,
            [0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)],
        ]
    )
