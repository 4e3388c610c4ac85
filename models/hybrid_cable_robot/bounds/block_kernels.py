"""Compiled verdicts on blocks of positions; ``certificates`` does the same in numpy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.bounds.collision_kernels import decide_cables, decide_platform, is_regular
from models.hybrid_cable_robot.bounds.ray_kernels import Rays, fill_rays, new_rays, radius_of
from models.hybrid_cable_robot.bounds.wrench_kernels import (
    INSIDE,
    OUTSIDE,
    UNDECIDED,
    Pulls,
    decide_wrench,
    direction_decides,
    new_pulls,
)
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.wrench.capacity_kernels import load_at
from models.jit import entry, inner

HELD, CLEAR, APART, REGULAR = 1, 2, 4, 8  # what is proved of a block at an orientation
EVERYTHING = HELD | CLEAR | APART | REGULAR


class BlockScratch(NamedTuple):
    """Memory for deciding blocks.

    Attributes
    ----------
    rays : Rays
    pulls : Pulls
    ones : (m,) float
    work : (10, 6) float
    directions : (o * p, 6) float
        The direction that last excluded a block under each load; zero when none has.
    first : (1,) int
        The orientation that last excluded a block.
    """

    rays: Rays
    pulls: Pulls
    ones: FloatArray
    work: FloatArray
    directions: FloatArray
    first: IntArray


def block_scratch(robot: Robot) -> BlockScratch:
    """Memory for a robot's blocks, with nothing excluded yet."""
    cables, turns = len(robot.pulleys), len(robot.rotations)
    return BlockScratch(
        new_rays(cables),
        new_pulls(cables),
        np.ones(cables),
        np.zeros((10, 6)),
        np.zeros((len(robot.load_centers), 6)),
        np.array([turns - 1]),
    )


@inner
def _try_collisions(
    robot: Robot,
    index: int,
    center: FloatArray,
    half: FloatArray,
    proved: NDArray[np.uint8],
    scratch: BlockScratch,
) -> bool:
    """Note in ``proved`` (o,) what collisions are ruled out; True when one happens in the whole block."""
    if not proved[index] & CLEAR:
        found = INSIDE
        if robot.check_platform:
            rotation = robot.rotations[index]
            found = decide_platform(robot, rotation, center, half, scratch.work)
        if found == OUTSIDE:
            return True
        if found == INSIDE:
            proved[index] |= CLEAR
    if not proved[index] & APART:
        found = (
            decide_cables(robot, half, radius_of(half), scratch.rays) if robot.check_interference else INSIDE
        )
        if found == OUTSIDE:
            return True
        if found == INSIDE:
            proved[index] |= APART
    return False


@inner
def _excluded_at(
    robot: Robot,
    index: int,
    center: FloatArray,
    half: FloatArray,
    proved: NDArray[np.uint8],
    scratch: BlockScratch,
) -> bool:
    """True if a cheap certificate excludes the block at an orientation; notes what it proves."""
    if not fill_rays(robot, robot.rotations[index], center, radius_of(half), scratch.rays):
        return False
    postures = robot.load_centers.shape[0] // robot.rotations.shape[0]
    for case in range(index * postures, (index + 1) * postures):
        direction = scratch.directions[case]
        known = False
        for row in range(6):
            known |= direction[row] != 0.0
        known &= not proved[index] & HELD
        if known and direction_decides(load_at(robot, case), half, scratch.rays, direction, scratch.pulls):
            return True
    return _try_collisions(robot, index, center, half, proved, scratch)


@inner
def _hold_all(robot: Robot, index: int, postures: int, half: FloatArray, scratch: BlockScratch) -> int:
    """Worst verdict on the loads of all postures at one orientation."""
    verdict = INSIDE
    for case in range(index * postures, (index + 1) * postures):
        directions, load = scratch.directions[case], load_at(robot, case)
        verdict = min(verdict, decide_wrench(load, half, scratch.rays, scratch.pulls, directions))
        if verdict == OUTSIDE:
            break
    return verdict


@inner
def _complete_at(
    robot: Robot,
    index: int,
    center: FloatArray,
    half: FloatArray,
    proved: NDArray[np.uint8],
    scratch: BlockScratch,
) -> int:
    """Verdict at one orientation after the cheap certificates."""
    postures = robot.load_centers.shape[0] // robot.rotations.shape[0]
    wanted = HELD if index else HELD | REGULAR  # singularity is tested at the nominal orientation
    if proved[index] & wanted != wanted:
        radius = radius_of(half)
        if not fill_rays(robot, robot.rotations[index], center, radius, scratch.rays):
            return UNDECIDED
        if not proved[index] & HELD:
            found = _hold_all(robot, index, postures, half, scratch)
            if found == OUTSIDE:
                return OUTSIDE
            if found == INSIDE:
                proved[index] |= HELD
        if index == 0 and is_regular(radius, scratch.rays, scratch.ones, scratch.work):
            proved[index] |= REGULAR
    if index:
        proved[index] |= REGULAR
    return INSIDE if proved[index] == EVERYTHING else UNDECIDED


@inner
def _decide(
    robot: Robot,
    center: FloatArray,
    half: FloatArray,
    proved: NDArray[np.uint8],
    scratch: BlockScratch,
) -> int:
    turns = robot.rotations.shape[0]
    first = scratch.first[0]
    for step in range(turns):
        index = (first + step) % turns
        if _excluded_at(robot, index, center, half, proved, scratch):
            scratch.first[0] = index
            return OUTSIDE
    verdict = INSIDE
    for step in range(turns):
        index = (first + step) % turns
        found = _complete_at(robot, index, center, half, proved, scratch)
        if found == OUTSIDE:
            scratch.first[0] = index
            return OUTSIDE
        verdict = min(verdict, found)
    return verdict


@entry
def decide_blocks(
    robot: Robot,
    centers: FloatArray,
    half: FloatArray,
    proved: NDArray[np.uint8],
    scratch: BlockScratch,
    verdicts: NDArray[np.int8],
) -> None:
    """Decide blocks with centres (n, 3) m and half sides (3,) m.

    Parameters
    ----------
    robot : Robot
    centers : (n, 3) float, m, world frame
    half : (3,) float, m
    proved : (n, o) uint8
        What is known to hold in each block at each orientation, a sum of HELD, CLEAR, APART and
        REGULAR; more is noted. What holds in a block holds in its parts.
    scratch : BlockScratch
    verdicts : (n,) int8
        Filled: INSIDE when every position of the block passes every test at every orientation,
        OUTSIDE when none passes them all, UNDECIDED else.
    """
    for block in range(centers.shape[0]):
        verdicts[block] = _decide(robot, centers[block], half, proved[block], scratch)
