"""Stiffness of many cells at the nominal orientation: EA / l and tensions included.

The kernels that test cells know constant stiffnesses only; where cables are given by their EA, or
tensions count, the condition of K is computed here afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cables.geometry import scaled_wrench_matrix
from models.hybrid_cable_robot.cell_results import GREATEST_RESPONSE
from models.hybrid_cable_robot.robot import Robot, load_scale
from models.hybrid_cable_robot.stiffness import pose_stiffness, turning_basis, within_pattern
from models.hybrid_cable_robot.stiffness_kernels import (
    fill_block_conditions,
    fill_responses,
    stiffness_conditions,
)
from models.hybrid_cable_robot.tensions.distribution import stiffening_tensions

SPATIAL = 6  # freedoms that the kernels know
MOVES, TURNS = slice(0, 3), slice(3, 6)  # rows of forces and of torques
BATCH = 1 << 14  # cells whose tensions are held at a time


def fill_stiffness_conditions(robot: Robot, centers: FloatArray, conditions: FloatArray) -> None:
    """Replace those of the inverse condition numbers (n,) of the scaled K that are not NaN."""
    for cells in batches(np.flatnonzero(~np.isnan(conditions))):
        some, found = centers[cells], np.empty(len(cells))
        if robot.rank < SPATIAL:
            found = _inverse_conditions(_reduced(robot, some)[0])
        else:
            stiffness_conditions(robot, some, _tensions(robot, some), found)
        conditions[cells] = found


def block_conditions(robot: Robot, centers: FloatArray) -> FloatArray:
    """Inverse condition numbers (n, 4) of the blocks of K and J at positions (n, 3) m.

    In order: K translation, K rotation, J translation, J rotation; those of rotations are 1 for a point mass.
    """
    if robot.rank < SPATIAL:
        return _reduced_blocks(robot, centers)
    out = np.empty((len(centers), 4))
    fill_block_conditions(robot, centers, _tensions(robot, centers), out)
    return out


def responses(robot: Robot, centers: FloatArray) -> FloatArray:
    """Displacement under ``test_load`` [m], rotation [rad/m] and point [1] sensitivity, (n, 3)."""
    load = robot.test_load * load_scale(robot)
    if robot.rank < SPATIAL:
        return _reduced_responses(robot, load, centers)
    out = np.empty((len(centers), 3))
    fill_responses(robot, load, centers, _tensions(robot, centers), out)
    return out


def batches(cells: IntArray) -> Iterator[IntArray]:
    """The cells (n,) in groups small enough to hold their tensions."""
    for first in range(0, len(cells), BATCH):
        yield cells[first : first + BATCH]


def _tensions(robot: Robot, centers: FloatArray) -> FloatArray:
    return stiffening_tensions(robot, centers, robot.rotations[0])


def _reduced(robot: Robot, centers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scaled K (n, r, r) N/m and W (n, r, m) of r freedoms, at the nominal orientation."""
    rotation, basis = robot.rotations[0], robot.bases[0]
    K = pose_stiffness(robot, centers, rotation, _tensions(robot, centers))
    return within_pattern(K, robot.length_scale, basis), basis @ scaled_wrench_matrix(
        robot, centers, rotation
    )


def _inverse_conditions(matrices: FloatArray) -> FloatArray:
    """Least over greatest singular value (n,) of matrices (n, r, c); 1 where they have no rows."""
    if not matrices.shape[1]:
        return np.ones(len(matrices))
    values = np.linalg.svd(matrices, compute_uv=False)
    return values[:, -1] / np.where(values[:, 0] > 0.0, values[:, 0], 1.0)


def _reduced_blocks(robot: Robot, centers: FloatArray) -> FloatArray:
    """The blocks of K and W as :func:`block_conditions`, for the rows that the motion pattern has."""
    rotation = robot.rotations[0]
    K = pose_stiffness(robot, centers, rotation, _tensions(robot, centers))
    W = scaled_wrench_matrix(robot, centers, rotation)
    parts = [np.eye(3)[robot.rows[:3] > 0.0], turning_basis(robot, rotation)]
    blocks = [part @ K[:, here, here] @ part.T for part, here in zip(parts, (MOVES, TURNS), strict=True)]
    blocks += [part @ W[:, here] for part, here in zip(parts, (MOVES, TURNS), strict=True)]
    return np.column_stack([_inverse_conditions(block) for block in blocks])


def _reduced_responses(robot: Robot, load: FloatArray, centers: FloatArray) -> FloatArray:
    """As :func:`responses` for a scaled load (6,) N, within the motion pattern."""
    basis, out = robot.bases[0], np.full((len(centers), 3), GREATEST_RESPONSE)
    K, W = _reduced(robot, centers)
    firm = (_inverse_conditions(K) > np.finfo(float).eps) & (_inverse_conditions(W) > np.finfo(float).eps)
    moved = np.linalg.solve(K[firm], np.broadcast_to(basis @ load, (int(firm.sum()), len(basis)))[..., None])
    out[firm, 0] = np.linalg.norm((basis.T @ moved)[:, :3, 0], axis=1)
    inverse = basis.T @ np.linalg.inv(W[firm] @ np.swapaxes(W[firm], -1, -2)) @ basis
    for column, rows, unit in ((1, slice(3, 6), robot.length_scale), (2, slice(0, 3), 1.0)):
        greatest = np.linalg.eigvalsh(inverse[:, rows, rows])[:, -1]
        out[firm, column] = np.sqrt(np.maximum(greatest, 0.0)) / unit
    return np.minimum(out, GREATEST_RESPONSE)
