"""Choice among the sections that meet a target: those of the least bend, or of the least change."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.inverse import Solution, first_start, inverse, solutions_of
from models.continuum_kinematics.reachable_volume import random_states
from models.continuum_kinematics.redundancy_kernels import Change, settle_starts
from models.continuum_kinematics.residual_kernels import Target
from models.continuum_kinematics.robot import Robot, characteristic_length, random_numbers
from models.continuum_kinematics.targets import (
    MODES,
    Mode,
    checked_targets,
    moved_poses,
    moved_sections,
    standard_frames,
)

LENGTHS = 0.1  # what a change of length counts beside one of bend
SAME = 1e-3  # of the changes of two solutions: what is nearer is one solution


def least_bent(
    target: Numbers,
    robot: Robot,
    mode: Mode = "pose",
    *,
    starts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-8,
) -> list[Solution]:
    """Find the solutions in which the sections bend least, the best one first.

    Each has the least sum of squares of all bends among the solutions around it; lengths count a tenth, from
    the middles of their ranges. Where the target is not met, the list holds what
    :func:`models.continuum_kinematics.inverse.inverse` finds.

    Parameters
    ----------
    target, robot, mode, starts, seed, tolerance
        Those of :func:`models.continuum_kinematics.inverse.inverse`.
    """
    pose = checked_targets(finite_array(target, (4, 4), "target", "a pose")[None], mode, single=True)[0]
    first = inverse(pose, robot, mode, starts=starts, seed=seed, tolerance=tolerance)
    if not first.converged:
        return [first]
    count, worth = len(robot.bend), characteristic_length(robot)
    straight = np.column_stack([(robot.lower + robot.upper) / 2, np.zeros((count, 2))])
    rows = np.diag(np.tile([LENGTHS, worth, worth], count))
    draws = random_states(robot, random_numbers(seed, (starts, count, 3))[1:])
    begins = np.concatenate([first_start(robot)[None], draws])
    states, changes = _settled(pose, robot, mode, Change(straight, rows), tolerance, first, begins)
    kept: list[int] = []
    for place in np.argsort(changes, kind="stable").tolist():
        if math.isfinite(changes[place]) and not (
            kept and changes[place] - changes[kept[-1]] < SAME * changes[place]
        ):
            kept.append(place)
    return _found(pose, robot, mode, states[kept], tolerance, first.starts + starts)


def least_changed(
    target: Numbers,
    robot: Robot,
    mode: Mode,
    before: FloatArray,
    *,
    starts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-8,
) -> Solution:
    """Find the solution for which the motors wind least from the sections ``before`` (k, 3).

    The search begins there; other starts are tried only where it leads to no solution. The other arguments
    are those of :func:`least_bent`.
    """
    pose = checked_targets(finite_array(target, (4, 4), "target", "a pose")[None], mode, single=True)[0]
    first = inverse(pose, robot, mode, starts=starts, seed=seed, tolerance=tolerance, near=before)
    if not first.converged:
        return first
    change = Change(before, winding_rows(robot))
    begins = np.empty((0, *before.shape))
    if first.starts > 1:
        begins = random_states(robot, random_numbers(seed, (starts, *before.shape)))
    states, changes = _settled(pose, robot, mode, change, tolerance, first, begins)
    best = int(np.argmin(changes))
    tried = first.starts + len(begins)
    return _found(pose, robot, mode, states[best : best + 1], tolerance, tried)[0]


def winding_rows(robot: Robot) -> FloatArray:
    """Changes (3 k, 3 k) of what motors wind, by changes of s [m], u and v [rad] of each section.

    A cable of a section runs through all sections before it. The sum of squares over the three cables of a
    section is that of three rows; guides are taken as many. Rows are scaled so that a bend of 1 rad counts
    the characteristic length.
    """
    scale = characteristic_length(robot)
    own = np.diag([math.sqrt(2.0) * scale / robot.radius, scale, scale])
    return np.asarray(np.kron(np.tri(len(robot.bend)), own), dtype=float)


def _settled(
    pose: FloatArray,
    robot: Robot,
    mode: Mode,
    change: Change,
    tolerance: float,
    first: Solution,
    begins: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """States (n + 1, k, 3) and changes (n + 1,) from a solution and from starts in the standard frame."""
    frame = standard_frames(pose[None], MODES[mode])
    stood = moved_poses(pose[None], frame)[0]
    states = np.concatenate([moved_sections(first.sections[None], frame), begins])
    worth = characteristic_length(robot)
    target = Target(stood[:3, :3].copy(), stood[:3, 3].copy(), MODES[mode], worth)
    moved = Change(moved_sections(change.reference[None], frame)[0], change.rows)
    changes = np.empty(len(states))
    settle_starts(target, robot, moved, tolerance * min(1.0, worth), states, changes)
    if math.isinf(changes[0]):  # met but for rounding in another frame
        states[0], changes[0] = moved_sections(first.sections[None], frame)[0], np.finfo(float).max
    return moved_sections(states, frame.swapaxes(-1, -2)), changes


def _found(
    pose: FloatArray, robot: Robot, mode: Mode, states: FloatArray, tolerance: float, tried: int
) -> list[Solution]:
    poses, counts = np.tile(pose, (len(states), 1, 1)), np.full(len(states), tried)
    return solutions_of(poses, robot, mode, "levenberg-marquardt", states, tolerance, counts)
