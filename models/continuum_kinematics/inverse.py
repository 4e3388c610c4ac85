"""Inverse kinematics: the sections whose tip is at a pose, within limits of length and bending."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, Numbers, finite_array
from models.continuum_kinematics.cables import cable_lengths
from models.continuum_kinematics.inverse_kernels import DRAWS, solve_targets
from models.continuum_kinematics.pseudo_inverse import iterate
from models.continuum_kinematics.residual_kernels import Target, fill_poses
from models.continuum_kinematics.robot import Robot, characteristic_length, random_numbers, require_count
from models.continuum_kinematics.targets import (
    MODES,
    Mode,
    checked_targets,
    errors_of,
    moved_poses,
    moved_sections,
    standard_frames,
)

Method = Literal["levenberg-marquardt", "pseudo-inverse"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_STARTS = 10_000
ROUNDING = 1e-12  # share of a limit by which it may be passed
NEAR = 1e-6  # share of a limit within which it counts as reached


@dataclass(frozen=True, slots=True)
class Solution:
    """Result of inverse kinematics.

    Attributes
    ----------
    sections : (k, 3) float
        Length s [m], u and v [rad] of each section; the nearest that was found where it did not converge.
    lengths : (k, 3) float, m
        Of the cables of each section.
    converged : bool
    reason : str
        Why it did not converge; empty where it did.
    position_error : float, m
    orientation_error : float, rad
        Of the rotation or axis that was wanted; 0 in the mode ``position``.
    starts : int
        How many were tried.
    """

    sections: FloatArray
    lengths: FloatArray
    converged: bool
    reason: str
    position_error: float
    orientation_error: float
    starts: int


def inverse(
    target: Numbers,
    robot: Robot,
    mode: Mode = "pose",
    method: Method = "levenberg-marquardt",
    *,
    starts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-8,
    near: Numbers | None = None,
) -> Solution:
    """The sections whose tip is where it is wanted.

    Parameters
    ----------
    target : (4, 4) float
        Pose of the tip in the base frame; m.
    robot : Robot
        See :func:`models.continuum_kinematics.robot.robot_from_limits`.
    mode : {"pose", "axis", "position"}
        What of the target counts: position and rotation, position and the tip's z, or the position.
    method : {"levenberg-marquardt", "pseudo-inverse"}
        The first tries several starts and stays within the limits. The second is the paper's, from one start;
        see :mod:`models.continuum_kinematics.pseudo_inverse`.
    starts : int
        Tried at most.
    seed : int
        Of the starts.
    tolerance : float
        Of the position in m, and of the orientation in rad.
    near : (k, 3) float, optional
        Where to begin: of several solutions, one near it is found. Without it, at half of each limit.

    Returns
    -------
    Solution

    Raises
    ------
    InputError
        When the target is no pose, or an argument is not what it must be.
    """
    pose = checked_targets(finite_array(target, (4, 4), "target", "a pose")[None], mode, single=True)
    options: dict[str, Any] = {"starts": starts, "seed": seed, "tolerance": tolerance, "near": near}
    return inverse_batch(pose, robot, mode, method, **options)[0]


def inverse_batch(
    targets: Numbers,
    robot: Robot,
    mode: Mode = "pose",
    method: Method = "levenberg-marquardt",
    *,
    starts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-8,
    near: Numbers | None = None,
) -> list[Solution]:
    """As :func:`inverse`, for targets (n, 4, 4), each by itself from the same starts."""
    poses = checked_targets(targets, mode)
    if method not in METHODS:
        raise InputError(f"no method is called {method!r}; there are {', '.join(METHODS)}", ("method",))
    require_count(starts, MOST_STARTS, "starts")
    if not 0.0 < tolerance < math.inf:
        raise InputError(f"the tolerance cannot be {tolerance}; give a positive number", ("tolerance",))
    k, worth = len(robot.bend), characteristic_length(robot)
    start = first_start(robot) if near is None else within_limits(finite_array(near, (k, 3), "near"), robot)
    sections, tried = np.tile(start, (len(poses), 1, 1)), np.ones(len(poses), np.int64)
    if method == "pseudo-inverse":
        for number, pose in enumerate(poses):
            target = Target(pose[:3, :3].copy(), pose[:3, 3].copy(), MODES[mode], worth)
            sections[number] = iterate(target, robot, start, tolerance)
    else:
        draws = random_numbers(seed, (DRAWS * starts, k, 3))
        wanted = tolerance * min(1.0, worth)
        sections = _searched(poses, robot, mode, draws, wanted, sections, tried, near is not None)
    return solutions_of(poses, robot, mode, method, sections, tolerance, tried)


def _searched(
    poses: FloatArray,
    robot: Robot,
    mode: Mode,
    draws: FloatArray,
    tolerance: float,
    starts: FloatArray,
    tried: IntArray,
    turn_starts: bool,
) -> FloatArray:
    """Sections (n, k, 3) found in the standard frames of poses (n, 4, 4); counts starts in ``tried`` (n,).

    ``starts`` (n, k, 3) stand in these frames, or in the base frame when ``turn_starts`` is set.
    """
    frames = standard_frames(poses, MODES[mode])
    stood = moved_poses(poses, frames)
    sections = moved_sections(starts, frames) if turn_starts else starts
    rotations, positions = stood[:, :3, :3].copy(), stood[:, :3, 3].copy()
    worth = characteristic_length(robot)
    solve_targets(rotations, positions, MODES[mode], worth, robot, draws, tolerance, sections, tried)
    return moved_sections(sections, frames.swapaxes(-1, -2))


def solutions_of(
    targets: FloatArray,
    robot: Robot,
    mode: Mode,
    method: Method,
    sections: FloatArray,
    tolerance: float,
    tried: IntArray,
) -> list[Solution]:
    """Solutions of targets (n, 4, 4) from sections (n, k, 3), each after so many starts (n,)."""
    reached = np.empty((len(sections), 4, 4))
    fill_poses(sections, reached)
    position, orientation = errors_of(targets, mode, reached)
    met = (position <= tolerance) & (orientation <= tolerance)
    lengths = cable_lengths(sections, robot)
    beyond = (np.abs(within_limits(sections, robot) - sections) > ROUNDING * robot.upper.max()).any(
        axis=(1, 2)
    )
    found: list[Solution] = []
    for n, target in enumerate(targets):
        apart, turned, reason = float(position[n]), float(orientation[n]), ""
        if not met[n]:
            angle = f", turned by {math.degrees(turned):.3g} deg" if turned else ""
            why = _reason(target, robot, method, sections[n], int(tried[n]))
            reason = f"{why}; the nearest is {apart:.3g} m away{angle}"
        elif beyond[n]:
            reason = "the iteration met the target outside the limits, which it does not know"
        found.append(Solution(sections[n], lengths[n], not reason, reason, apart, turned, int(tried[n])))
    return found


def _reason(target: FloatArray, robot: Robot, method: Method, nearest: FloatArray, tried: int) -> str:
    """Reason why a target is not met: its distance, limits of the nearest sections, or the search."""
    if method == "pseudo-inverse":
        return "the iteration did not meet the target"
    far, length = float(np.linalg.norm(target[:3, 3])), float(robot.upper.sum())
    if far > length:
        return f"the target is {far:g} m from the base, and the robot at most {length:g} m long"
    s, bends = nearest[:, 0], np.linalg.norm(nearest[:, 1:], axis=1)
    ends = (s <= robot.lower * (1 + NEAR)) | (s >= robot.upper * (1 - NEAR))
    held = (bends >= robot.bend * (1 - NEAR)) | (ends & (robot.lower < robot.upper))
    numbers = ", ".join(str(n + 1) for n in np.flatnonzero(held))
    limits = f"; limits hold section {numbers}" if numbers else ""
    return f"no sections within the limits were found from {tried} starts{limits}"


def first_start(robot: Robot) -> FloatArray:
    """Half of each limit, each section bent in another direction: nothing is straight or symmetric."""
    angles = 2.4 * np.arange(len(robot.bend))
    middle = (robot.lower + robot.upper) / 2
    return np.column_stack([middle, robot.bend / 2 * np.cos(angles), robot.bend / 2 * np.sin(angles)])


def within_limits(sections: FloatArray, robot: Robot) -> FloatArray:
    """Sections (..., k, 3) with lengths and bends cut to the limits."""
    bends = np.linalg.norm(sections[..., 1:], axis=-1)
    share = np.minimum(1.0, robot.bend / np.maximum(bends, robot.bend))
    lengths = np.clip(sections[..., 0], robot.lower, robot.upper)
    return np.concatenate([lengths[..., None], sections[..., 1:] * share[..., None]], axis=-1)
