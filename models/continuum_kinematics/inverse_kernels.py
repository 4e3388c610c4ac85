"""Compiled inverse kinematics: Levenberg-Marquardt within the limits of length and bending.

A section at a limit that a step would lead across stays there: its length is not changed then, and its bend
goes along the circle of the greatest bend. What is made small is in
:mod:`models.continuum_kinematics.residual_kernels`.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_kinematics.residual_kernels import (
    POSITION,
    Scratch,
    Target,
    fill_residual,
    fill_slopes,
    new_scratch,
)
from models.continuum_kinematics.robot import Robot
from models.continuum_kinematics.state_kernels import fill_state
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.small_matrices import factorise, solve_factored

ITERATIONS = 300  # per start; two of a thousand random poses move along a limit for more than a hundred
PATIENCE = 20  # iterations in which the squared error must halve, else another start is better
NEAR = 1e-4  # share of the length squared; a start that is so near is not given up
DRAWS = 10  # for each start; of 40 000 random poses, 20 starts met all, and all but 10 with one for each
DAMPING, EASED, HARDENED = 1e-2, 0.2, 4.0  # at first; after a step that is better; after one that is not
LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e8
AIMS = 7  # bends to each side, of the first section and of the others
FLOOR = 1e-5  # share of the length squared, added to what damping multiplies


@inner
def normal_equations(robot: Robot, sections: FloatArray, scratch: Scratch) -> int:
    """Fill H and slope of what may change, and ``free``; returns how many.

    A section at its greatest bend, which would bend more, moves along the circle: ``free`` holds minus the
    column of its u then.
    """
    J, r, H, slope, free = scratch.J, scratch.r, scratch.H, scratch.slope, scratch.free
    count = 0
    for n in range(sections.shape[0]):
        at, s = 3 * n, sections[n, 0]
        along = _descent(J, r, at)
        if robot.lower[n] < s < robot.upper[n] or (
            robot.lower[n] < robot.upper[n] and (along > 0.0) == (s <= robot.lower[n])
        ):
            free[count] = at
            count += 1
        bend = math.hypot(sections[n, 1], sections[n, 2])
        if bend >= robot.bend[n] * (1 - 1e-12):
            cosine, sine = sections[n, 1] / bend, sections[n, 2] / bend
            if cosine * _descent(J, r, at + 1) + sine * _descent(J, r, at + 2) > 0.0:
                for i in range(len(r)):
                    J[i, at + 1] = cosine * J[i, at + 2] - sine * J[i, at + 1]
                free[count] = -(at + 1)
                count += 1
                continue
        free[count], free[count + 1] = at + 1, at + 2
        count += 2
    for a in range(count):
        column = abs(free[a])
        slope[a] = _descent(J, r, column)
        for b in range(a + 1):
            other, total = abs(free[b]), 0.0
            for i in range(6):
                total += J[i, column] * J[i, other]
            for i in range(6, len(r)):
                total += J[i, column] * J[i, other]
            H[a, b] = total
    return count


@inner
def _descent(J: FloatArray, r: FloatArray, column: int) -> float:
    total = 0.0
    for i in range(6):
        total += J[i, column] * r[i]
    for i in range(6, len(r)):
        total += J[i, column] * r[i]
    return total


@inner
def damped_step(count: int, damping: float, floor: float, scratch: Scratch) -> bool:
    """Fill the step with H's diagonal made larger; False where H is not positive definite even so."""
    H, factor, step = scratch.H, scratch.factor, scratch.step
    for a in range(count):
        for b in range(a + 1):
            factor[a, b] = H[a, b]
        factor[a, a] += damping * (H[a, a] + floor)
        scratch.scale[a], step[a] = factor[a, a], scratch.slope[a]
    if factorise(factor, count, 1, scratch.scale) > 0:
        return False
    solve_factored(factor, count, step)
    return True


@inner
def move(robot: Robot, sections: FloatArray, count: int, scratch: Scratch) -> None:
    """Fill ``trial`` with the sections after the step, within the robot."""
    moved = scratch.trial
    copy(sections, moved)
    for a in range(count):
        column = scratch.free[a]
        n = abs(column) // 3
        if column >= 0:
            moved[n, column % 3] += scratch.step[a]
        else:
            angle = math.atan2(sections[n, 2], sections[n, 1]) + scratch.step[a] / robot.bend[n]
            moved[n, 1], moved[n, 2] = robot.bend[n] * math.cos(angle), robot.bend[n] * math.sin(angle)
    for n in range(len(moved)):
        moved[n, 0] = min(max(moved[n, 0], robot.lower[n]), robot.upper[n])
        bend = math.hypot(moved[n, 1], moved[n, 2])
        if bend > robot.bend[n]:
            moved[n, 1] *= robot.bend[n] / bend
            moved[n, 2] *= robot.bend[n] / bend


@inner
def descend(target: Target, robot: Robot, tolerance: float, sections: FloatArray, scratch: Scratch) -> float:
    """Improve ``sections`` from where they are; returns the sum of squares of their residual [m^2]."""
    error = fill_residual(target, sections, scratch)
    damping, mark, fresh, count = DAMPING, error, True, 0
    for iteration in range(1, ITERATIONS + 1):
        if error < tolerance * tolerance:
            break
        if fresh:
            fill_slopes(target, sections, scratch)
            count = normal_equations(robot, sections, scratch)
        better = math.inf
        if damped_step(count, damping, FLOOR * target.scale * target.scale, scratch):
            move(robot, sections, count, scratch)
            better = fill_residual(target, scratch.trial, scratch)
        fresh = better < error
        if fresh:
            copy(scratch.trial, sections)
            error, damping = better, max(EASED * damping, LEAST_DAMPING)
        else:
            damping *= HARDENED
            if damping > MOST_DAMPING:
                break
        if iteration % PATIENCE == 0:
            if error > max(0.5 * mark, NEAR * target.scale * target.scale):
                break
            mark = error
    return error


@inner
def aim(target: Target, robot: Robot, sections: FloatArray, scratch: Scratch) -> None:
    """Fill ``sections`` with a planar start whose tip is near the position of the target.

    The first section bends by one share of its limit, all others by another; all have their greatest or
    their least lengths. Of these shares, the best pair is taken.
    """
    x, y = target.position[0], target.position[1]
    far, least, best = math.hypot(x, y), math.inf, scratch.best
    cosine, sine = (x / far, y / far) if far > 0.0 else (1.0, 0.0)
    for long in range(2):
        for first in range(-AIMS, AIMS + 1):
            for others in range(-AIMS, AIMS + 1):
                for n in range(len(sections)):
                    bend = robot.bend[n] * _graded(first if n == 0 else others)
                    sections[n, 0] = robot.upper[n] if long == 0 else robot.lower[n]
                    sections[n, 1], sections[n, 2] = bend * cosine, bend * sine
                error = fill_residual(target, sections, scratch)
                if error < least:
                    least = error
                    copy(sections, best)
    copy(best, sections)


@inner
def _graded(step: int) -> float:
    """Share of a limit: finer steps near 0, where many sections in a row are nearly straight."""
    share = (abs(step) / AIMS) ** 3
    return math.copysign(share, step)


@inner
def solve_starts(
    target: Target,
    robot: Robot,
    draws: FloatArray,
    tolerance: float,
    sections: FloatArray,
    candidate: FloatArray,
    scratch: Scratch,
) -> tuple[float, int]:
    """One target of :func:`solve_targets`; returns the norm [m] of its residual and the number of starts."""
    copy(sections, candidate)
    least, tried = descend(target, robot, tolerance, candidate, scratch), 1
    copy(candidate, sections)
    if least < tolerance * tolerance:
        return math.sqrt(least), tried
    if target.mode == POSITION:
        aim(target, robot, candidate, scratch)
        error = descend(target, robot, tolerance, candidate, scratch)
        if error < least:
            least = error
            copy(candidate, sections)
    distances = np.empty(len(draws))
    for number in range(len(draws)):
        fill_state(robot, draws[number], candidate)
        distances[number] = fill_residual(target, candidate, scratch)
    while least >= tolerance * tolerance and tried < len(draws) // DRAWS:
        nearest = np.argmin(distances)
        distances[nearest] = math.inf
        fill_state(robot, draws[nearest], candidate)
        error = descend(target, robot, tolerance, candidate, scratch)
        tried += 1
        if error < least:
            least = error
            copy(candidate, sections)
    return math.sqrt(least), tried


@entry
def solve_targets(
    rotations: FloatArray,
    positions: FloatArray,
    mode: int,
    scale: float,
    robot: Robot,
    draws: FloatArray,
    tolerance: float,
    sections: FloatArray,
    tried: IntArray,
) -> None:
    """Inverse kinematics of n targets, each from several starts.

    Parameters
    ----------
    rotations, positions, mode, scale
        Rotations (n, 3, 3) and positions (n, 3) m of the targets, and what they have in common: see
        :class:`models.continuum_kinematics.residual_kernels.Target`.
    robot : Robot
    draws : (m, k, 3) float
        Numbers in [0, 1), ``DRAWS`` for each start, that sections are made of; after the first start, those
        nearest to the target are tried in turn.
    tolerance : float, m
        Of the residual.
    sections : (n, k, 3) float
        The first starts, within the limits; replaced by the best sections found.
    tried : (n,) int
        Filled with how many starts were tried.
    """
    candidate, scratch = np.empty_like(sections[0]), new_scratch(sections.shape[1])
    for n in range(len(sections)):
        target = Target(rotations[n], positions[n], mode, scale)
        _, tried[n] = solve_starts(target, robot, draws, tolerance, sections[n], candidate, scratch)
