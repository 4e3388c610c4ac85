"""Conditioning of the Jacobian: its singular values (after Gosselin and Angeles, 1991)."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.cables import by_length, length_slopes
from models.continuum_kinematics.residual_kernels import fill_jacobians
from models.continuum_kinematics.robot import Robot, characteristic_length

ROUNDING = 1e-12  # of the greatest singular value; what is below is nothing


def singular_values(robot: Robot, states: FloatArray) -> FloatArray:
    """Singular values (n, 6) of the Jacobian from lengths of cables to the tip, the greatest first.

    Of states (n, k, 3): length [m], u and v [rad] of each section. Rows of rotation are times the robot's
    characteristic length, so that all entries are m/m. Cables of a section whose length cannot change move
    only in the two ways that keep it. Values are 0 for motions of the tip that the robot lacks.
    """
    count, k = states.shape[:2]
    jacobians = np.empty((count, 6, 3 * k))
    fill_jacobians(np.ascontiguousarray(states), characteristic_length(robot), jacobians)
    columns = jacobians.reshape(count, 6, k, 3).swapaxes(1, 2)  # (n, k, 6, 3)
    slopes = length_slopes(states, robot.guides, robot.radius)
    whole, fixed = by_length(columns, slopes), robot.lower == robot.upper
    if fixed.any():
        whole[:, fixed] = _at_constant_length(columns[:, fixed], slopes[:, fixed])
    found = np.zeros((count, 6))
    values = np.linalg.svd(whole.swapaxes(1, 2).reshape(count, 6, 3 * k), compute_uv=False)
    found[:, : values.shape[1]] = np.where(values > ROUNDING * values[:, :1], values, 0.0)
    return found


def backbone_values(robot: Robot, states: FloatArray) -> FloatArray:
    """Least singular values (n,) of states (n, k, 3) that do not depend on guides.

    Those of :func:`singular_values` for cables that run at the characteristic length from the backbone,
    through many guides: thin guides, which let small changes of cables move the tip far, count no more than
    thick ones.
    """
    count, k = states.shape[:2]
    scale = characteristic_length(robot)
    jacobians = np.empty((count, 6, 3 * k))
    fill_jacobians(np.ascontiguousarray(states), scale, jacobians)
    lengths = np.where(robot.lower == robot.upper, 0.0, 1.0 / math.sqrt(3.0))
    bends = np.full(k, math.sqrt(2.0 / 3.0) / scale)
    values = np.linalg.svd(jacobians * np.column_stack([lengths, bends, bends]).ravel(), compute_uv=False)
    if values.shape[1] < 6:
        return np.zeros(count)
    return np.where(values[:, -1] > ROUNDING * values[:, 0], values[:, -1], 0.0)


def _at_constant_length(columns: FloatArray, slopes: FloatArray) -> FloatArray:
    """Derivatives (..., 6, 3) along two orthonormal motions of three cables that bend a section, and 0."""
    triangle = np.linalg.qr(slopes[..., 1:]).R  # the motions are slopes times its inverse
    found = np.zeros_like(columns)
    found[..., :2] = np.linalg.solve(triangle.swapaxes(-1, -2), columns[..., 1:].swapaxes(-1, -2)).swapaxes(
        -1, -2
    )
    return found
