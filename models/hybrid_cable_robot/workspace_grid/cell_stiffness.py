"""Stiffness of many cells at the nominal orientation: EA / l and tensions included.

The kernels that test cells know constant stiffnesses only; where cables are given by their EA, or
tensions count, the condition of K is computed here afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness_kernels import (
    fill_block_conditions,
    fill_responses,
    stiffness_conditions,
)
from models.hybrid_cable_robot.tension_distribution import stiffening_tensions

BATCH = 1 << 14  # cells whose tensions are held at a time


def fill_stiffness_conditions(robot: Robot, centers: FloatArray, conditions: FloatArray) -> None:
    """Replace those of the inverse condition numbers (n,) of the scaled K that are not NaN."""
    for cells in batches(np.flatnonzero(~np.isnan(conditions))):
        some, found = centers[cells], np.empty(len(cells))
        stiffness_conditions(robot, some, _tensions(robot, some), found)
        conditions[cells] = found


def block_conditions(robot: Robot, centers: FloatArray) -> FloatArray:
    """Inverse condition numbers (n, 4) of the blocks of K and J at positions (n, 3) m.

    In order: K translation, K rotation, J translation, J rotation.
    """
    out = np.empty((len(centers), 4))
    fill_block_conditions(robot, centers, _tensions(robot, centers), out)
    return out


def responses(robot: Robot, centers: FloatArray) -> FloatArray:
    """Displacement under ``test_load`` [m], rotation [rad/m] and point [1] sensitivity, (n, 3)."""
    load = robot.test_load / np.array([1.0, 1.0, 1.0, *(robot.length_scale,) * 3])
    out = np.empty((len(centers), 3))
    fill_responses(robot, load, centers, _tensions(robot, centers), out)
    return out


def batches(cells: IntArray) -> Iterator[IntArray]:
    """The cells (n,) in groups small enough to hold their tensions."""
    for first in range(0, len(cells), BATCH):
        yield cells[first : first + BATCH]


def _tensions(robot: Robot, centers: FloatArray) -> FloatArray:
    return stiffening_tensions(robot, centers, robot.rotations[0])
