"""Bounds of the workspace's volume: the space as an octree of blocks inside, outside or undecided."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.bounds.block_kernels import BlockScratch, block_scratch, decide_blocks
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE, OUTSIDE, UNDECIDED
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of

PARENTS = 1 << 15  # blocks whose children are held at a time
OFFSETS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class WorkspaceBounds:
    """Volumes between which the workspace's lies.

    Attributes
    ----------
    lower, upper : float, m^3
        Volume of the blocks inside, and of those not outside.
    block_side : float, m
        Longest side of the smallest blocks.
    counters : mapping of str to int
        Blocks examined, inside, outside (of any size) and undecided (of the smallest).
    """

    lower: float
    upper: float
    block_side: float
    counters: Mapping[str, int]


class Level(NamedTuple):
    """The blocks of one size.

    Attributes
    ----------
    half : (3,) float, m
        Half sides.
    inside, outside, undecided : (k, 3) float, m
        Centres, world frame.
    """

    half: FloatArray
    inside: FloatArray
    outside: FloatArray
    undecided: FloatArray


def workspace_bounds(parameters: HybridCableRobot) -> WorkspaceBounds:
    """Bound the workspace's volume from both sides.

    Every position of a block counted in ``lower`` passes, at every orientation of the set, the tests
    that a cell's centre must pass, and no position of a block left out of ``upper`` does. The proofs
    stand in :mod:`.bounds.wrench_kernels` and :mod:`.bounds.collision_kernels`.
    The record's ``cells`` play no part.

    Parameters
    ----------
    parameters : HybridCableRobot
        ``bounds_block`` says how small the blocks get; ``bounds`` need not be set.

    Returns
    -------
    WorkspaceBounds
    """
    lower_corner, upper_corner = np.array(parameters.space)
    inside = outside = examined = undecided = lower_blocks = upper_blocks = 0
    depth = depth_of(parameters)
    for index, level in enumerate(refine(robot_of(parameters), parameters.space, depth)):
        undecided = len(level.undecided)
        examined += len(level.inside) + len(level.outside) + undecided
        inside += len(level.inside)
        outside += len(level.outside)
        smallest = 8 ** (depth - index)  # smallest blocks in one of this level
        lower_blocks += len(level.inside) * smallest
        upper_blocks += len(level.outside) * smallest
    volume, total = float(np.prod(upper_corner - lower_corner)), 8**depth
    counters = {
        "blocks": examined,
        "blocks_inside": inside,
        "blocks_outside": outside,
        "blocks_undecided": undecided,
    }
    side = float(np.max(upper_corner - lower_corner)) / 2**depth
    return WorkspaceBounds(
        volume * (lower_blocks / total), volume * ((total - upper_blocks) / total), side, counters
    )


def bound_metrics(parameters: HybridCableRobot) -> tuple[dict[str, float | None], Mapping[str, int]]:
    """The two metrics and the counters of blocks; None and no counters unless ``bounds`` is set."""
    if not parameters.bounds:
        return {"workspace_volume_lower": None, "workspace_volume_upper": None}, {}
    found = workspace_bounds(parameters)
    return {"workspace_volume_lower": found.lower, "workspace_volume_upper": found.upper}, found.counters


def depth_of(parameters: HybridCableRobot) -> int:
    """Number of halvings of the space, until no side of a block exceeds ``bounds_block``."""
    lower, upper = np.array(parameters.space)
    shares = float(np.max(upper - lower)) / parameters.smallest_block
    return max(0, math.ceil(math.log2(shares) - 1e-9))


def refine(robot: Robot, space: tuple[tuple[float, ...], tuple[float, ...]], depth: int) -> Iterator[Level]:
    """The octree level by level, from the whole space to ``depth``; only undecided blocks are halved."""
    lower, upper = np.array(space)
    half = (upper - lower) / 2
    scratch = block_scratch(robot)
    centers, proved = (lower + upper)[None] / 2, np.zeros((1, len(robot.rotations)), np.uint8)
    for index in range(depth + 1):
        if index:
            half = half / 2
        level, proved = _level(robot, centers, proved, half, index > 0, scratch)
        yield level
        centers = level.undecided


def _level(
    robot: Robot, parents: FloatArray, known: np.ndarray, half: FloatArray, split: bool, scratch: BlockScratch
) -> tuple[Level, np.ndarray]:
    """Decide the children of blocks, or the blocks themselves; and what is proved of the undecided."""
    parts: dict[int, list[FloatArray]] = {INSIDE: [], OUTSIDE: [], UNDECIDED: []}
    rest: list[np.ndarray] = []
    for first in range(0, len(parents), PARENTS):
        centers, proved = parents[first : first + PARENTS], known[first : first + PARENTS]
        if split:
            centers = (centers[:, None] + 2 * half * OFFSETS).reshape(-1, 3)
            proved = np.repeat(proved, 8, axis=0)
        verdicts = np.empty(len(centers), np.int8)
        decide_blocks(robot, centers, half, proved, scratch, verdicts)
        for verdict, found in parts.items():
            found.append(centers[verdicts == verdict])
        rest.append(proved[verdicts == UNDECIDED])
    inside, outside, undecided = (np.concatenate([np.empty((0, 3)), *found]) for found in parts.values())
    empty = np.empty((0, len(robot.rotations)), np.uint8)
    return Level(half, inside, outside, undecided), np.concatenate([empty, *rest])
