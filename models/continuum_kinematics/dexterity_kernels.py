"""Compiled search for the directions in which the tip can be at a point."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.inverse_kernels import descend, solve_starts
from models.continuum_kinematics.residual_kernels import AXIS, Scratch, Target, new_scratch
from models.continuum_kinematics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

SWEEPS = 4  # that try failed directions again, each from the nearest direction that was reached


@entry
def reach_directions(
    point: FloatArray,
    directions: FloatArray,
    robot: Robot,
    scale: float,
    draws: FloatArray,
    tolerance: float,
    sections: FloatArray,
    errors: FloatArray,
) -> int:
    """Inverse kinematics of one point with the tip's z in each of several directions.

    Parameters
    ----------
    point : (3,) float, m
    directions : (n, 3) float
        Unit vectors.
    robot : Robot
    scale : float, m
        What a radian is worth.
    draws : (n, k, 3) float
        See :func:`models.continuum_kinematics.inverse_kernels.solve_targets`.
    tolerance : float, m
        Of the residual; a direction with a smaller one is reached.
    sections : (n, k, 3) float
        The first start of each direction; replaced by the best sections found.
    errors : (n,) float, m
        Filled with the norms of the residuals.

    Returns
    -------
    int
        How many starts were tried.
    """
    scratch, tried = new_scratch(sections.shape[1]), 0
    candidate = sections[0].copy()
    rotation = np.zeros((3, 3))
    target = Target(rotation, point, AXIS, scale)
    for n in range(len(directions)):
        copy(directions[n], rotation[:, 2])
        errors[n], count = solve_starts(target, robot, draws, tolerance, sections[n], candidate, scratch)
        tried += count
    for _ in range(SWEEPS):
        count, found = _sweep(target, directions, robot, tolerance, candidate, sections, errors, scratch)
        tried += count
        if not found:
            break
    return tried


@inner
def _sweep(
    target: Target,
    directions: FloatArray,
    robot: Robot,
    tolerance: float,
    candidate: FloatArray,
    sections: FloatArray,
    errors: FloatArray,
    scratch: Scratch,
) -> tuple[int, bool]:
    """Try each failed direction from the nearest reached one; returns the starts, and whether one was met."""
    tried, found = 0, False
    for n in range(len(directions)):
        if errors[n] < tolerance:
            continue
        nearest = _nearest_reached(directions, errors, tolerance, n)
        if nearest < 0:
            break
        copy(directions[n], target.rotation[:, 2])
        copy(sections[nearest], candidate)
        error = math.sqrt(descend(target, robot, tolerance, candidate, scratch))
        tried += 1
        if error < errors[n]:
            errors[n] = error
            copy(candidate, sections[n])
            found = found or error < tolerance
    return tried, found


@inner
def _nearest_reached(directions: FloatArray, errors: FloatArray, tolerance: float, n: int) -> int:
    """The reached direction that is nearest to the n-th; -1 where none is."""
    nearest, closest = -1, -2.0
    for m in range(len(directions)):
        if errors[m] < tolerance:
            cosine = 0.0
            for i in range(3):
                cosine += directions[m, i] * directions[n, i]
            if cosine > closest:
                nearest, closest = m, cosine
    return nearest
