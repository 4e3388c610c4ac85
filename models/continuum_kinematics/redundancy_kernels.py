"""Compiled choice among the sections that meet a target: those of the least change.

Most targets have a continuum of solutions. From one of them, ``settle_starts`` moves along it until a sum of
squares is least: the rows of that sum, times a weight that becomes small, are further rows of the residual.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.inverse_kernels import damped_step, descend, move, normal_equations
from models.continuum_kinematics.residual_kernels import (
    Scratch,
    Target,
    fill_residual,
    fill_slopes,
    new_scratch,
)
from models.continuum_kinematics.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy

WEIGHTS = (0.1, 0.01, 0.001)  # of the rows of change, one after the other
STEPS = 60  # with each weight
DAMPING, EASED, HARDENED, MOST_DAMPING = 1e-4, 0.1, 8.0, 1e8
FLOOR = 1e-5  # as in inverse_kernels
SETTLED = 1e-8  # share of the sum by which a step must lessen it


class Change(NamedTuple):
    """Change that a redundant robot keeps small.

    Attributes
    ----------
    reference : (k, 3) float
        Sections from which changes count.
    rows : (3 k, 3 k) float
        Changes that count, in m, by changes of s [m], u and v [rad] of each section.
    """

    reference: FloatArray
    rows: FloatArray


@inner
def change_of(change: Change, sections: FloatArray, weight: float, rows: FloatArray) -> float:
    """Fill ``rows`` (3 k,) with minus the changes times a weight; returns the sum of their squares [m^2]."""
    total = 0.0
    for a in range(len(rows)):
        value = 0.0
        for b in range(len(rows)):
            value += change.rows[a, b] * (change.reference[b // 3, b % 3] - sections[b // 3, b % 3])
        rows[a] = weight * value
        total += rows[a] * rows[a]
    return total


@inner
def _lessen(
    target: Target, robot: Robot, change: Change, weight: float, sections: FloatArray, scratch: Scratch
) -> None:
    """Make the sum of squares of residual and weighted changes least."""
    further = scratch.r[6:]
    error = fill_residual(target, sections, scratch) + change_of(change, sections, weight, further)
    damping, fresh, count = DAMPING, True, 0
    for _ in range(STEPS):
        if fresh:
            fill_slopes(target, sections, scratch)
            for row in range(len(change.rows)):
                for column in range(change.rows.shape[1]):
                    scratch.J[6 + row, column] = weight * change.rows[row, column]
            count = normal_equations(robot, sections, scratch)
        better = math.inf
        if damped_step(count, damping, FLOOR * target.scale * target.scale, scratch):
            move(robot, sections, count, scratch)
            better = fill_residual(target, scratch.trial, scratch)
            better += change_of(change, scratch.trial, weight, further)
        fresh = better < error
        if fresh:
            copy(scratch.trial, sections)
            settled = error - better < SETTLED * error
            error, damping = better, EASED * damping
            if settled:
                return
        else:
            damping *= HARDENED
            if damping > MOST_DAMPING:
                return


@entry
def settle_starts(
    target: Target, robot: Robot, change: Change, tolerance: float, states: FloatArray, changes: FloatArray
) -> None:
    """Meet a target from several starts, each with the least change.

    Parameters
    ----------
    target : Target
    robot : Robot
    change : Change
    tolerance : float, m
        Of the residual.
    states : (n, k, 3) float
        Starts within the limits; replaced by solutions.
    changes : (n,) float, m
        Filled with the roots of the sums of squares of what is to be small; infinite where the target is not
        met.
    """
    k = states.shape[1]
    scratch, wide, own = new_scratch(k), new_scratch(k, 6 + 3 * k), np.empty(3 * k)
    met, state = tolerance * tolerance, np.empty((k, 3))
    for n in range(len(states)):
        changes[n] = math.inf
        if descend(target, robot, tolerance, states[n], scratch) >= met:
            continue
        changes[n] = math.sqrt(change_of(change, states[n], 1.0, own))
        copy(states[n], state)
        for weight in WEIGHTS:
            _lessen(target, robot, change, weight, state, wide)
        if descend(target, robot, tolerance, state, scratch) < met:
            found = math.sqrt(change_of(change, state, 1.0, own))
            if found < changes[n]:
                changes[n] = found
                copy(state, states[n])
