"""The way of the tip through several targets, each reached with the least change from the one before."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.inverse import Solution, inverse
from models.continuum_kinematics.reachable_volume import tips_of
from models.continuum_kinematics.redundancy_resolution import least_bent, least_changed, winding_rows
from models.continuum_kinematics.robot import Robot, characteristic_length
from models.continuum_kinematics.targets import Mode, checked_targets

CHAINS = 8  # ways that are followed, from different solutions of the first target
BETWEEN = 16  # states from one target to the next at which the tip's way is looked at
MOST_TARGETS = 100_000


class FollowedPath(NamedTuple):
    """The way through m targets.

    Attributes
    ----------
    solutions : list of Solution
        One per target; the nearest where a target is not met.
    wanted : (m, 3) float, m
        Positions of the targets.
    states : (n, k, 3) float
        Length [m], u and v [rad] of each section along the way, ``BETWEEN`` from one target to the next.
    tips : (n, 3) float, m
    section_steps : (k, 3) float
        Largest change of s [m], u and v [rad] of each section from one target to the next.
    cable_steps : (k, 3) float, m
        The same of what the motor of each cable winds: its length in its own section and all before it.
    path_error : float, m
        Greatest distance of the tip from the straight lines between the targets while s, u and v of all
        sections change evenly from target to target. A target that is missed counts with its distance, and
        with its angle times the characteristic length.
    """

    solutions: list[Solution]
    wanted: FloatArray
    states: FloatArray
    tips: FloatArray
    section_steps: FloatArray
    cable_steps: FloatArray
    path_error: float

    @property
    def missed(self) -> list[int]:
        """Numbers of the targets that are not met, counted from 0."""
        return [number for number, found in enumerate(self.solutions) if not found.converged]


def follow_path(
    targets: Numbers,
    robot: Robot,
    mode: Mode = "pose",
    *,
    starts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-8,
    near: Numbers | None = None,
) -> FollowedPath:
    """Inverse kinematics along targets (m, 4, 4), each with the least change from the one before.

    The way begins at the first target's solution of the least bend and at other solutions there, or at the
    one near ``near``; of these ways, the one is taken that misses the fewest targets, then the one whose
    motors wind least from one target to the next. Where no solution is found from the sections before, other
    starts are tried: a large step shows it. The other parameters are those of
    :func:`models.continuum_kinematics.inverse.inverse`, which also says what is refused.
    """
    poses = finite_array(targets, (None, 4, 4), "targets", "poses")
    if len(poses) > MOST_TARGETS:
        raise InputError(f"{len(poses)} targets are too many; give at most {MOST_TARGETS}", ("targets",))
    poses = checked_targets(poses, mode)
    options: dict[str, Any] = {"starts": starts, "seed": seed, "tolerance": tolerance}
    if near is None:
        begins = least_bent(poses[0], robot, mode, **options)[:CHAINS]
    else:
        begins = [inverse(poses[0], robot, mode, near=near, **options)]
    ways = [_followed(poses, robot, mode, begin, options) for begin in begins]
    rows = winding_rows(robot)

    def worth(way: FollowedPath) -> tuple[int, float]:
        states = np.array([found.sections.ravel() for found in way.solutions])
        return len(way.missed), float(
            np.linalg.norm(np.diff(states, axis=0) @ rows.T, axis=1).max(initial=0.0)
        )

    return min(ways, key=worth)


def _followed(
    poses: FloatArray, robot: Robot, mode: Mode, begin: Solution, options: dict[str, Any]
) -> FollowedPath:
    """The way from one solution of the first pose."""
    solutions = [begin]
    for pose in poses[1:]:
        solutions.append(least_changed(pose, robot, mode, solutions[-1].sections, **options))
    sections = np.array([found.sections for found in solutions])
    wound = np.cumsum([found.lengths for found in solutions], axis=1)
    states = _between(sections)
    tips, wanted = tips_of(states), poses[:, :3, 3].copy()
    worth = characteristic_length(robot)
    misses = [found.position_error + worth * found.orientation_error for found in solutions]
    path_error = max(_greatest_distance(tips, wanted), *misses)
    steps = _largest(sections), _largest(wound)
    return FollowedPath(solutions, wanted, states, tips, *steps, path_error)


def _largest(values: FloatArray) -> FloatArray:
    """The largest change from one of (m, k, 3) values to the next; 0 for a single one."""
    return np.abs(np.diff(values, axis=0)).max(axis=0, initial=0.0)


def _between(sections: FloatArray) -> FloatArray:
    """States (n, k, 3) on the way through (m, k, 3) sections, evenly from each to the next."""
    shares = np.arange(BETWEEN)[:, None, None] / BETWEEN
    ways = [first + shares * (last - first) for first, last in pairwise(sections)]
    return np.concatenate([*ways, sections[-1:]])


def _greatest_distance(tips: FloatArray, wanted: FloatArray) -> float:
    """Greatest distance of tips (n, 3) from the lines between (m, 3) points, each from its own line."""
    lines = np.minimum(np.arange(len(tips)) // BETWEEN, max(len(wanted) - 2, 0))
    begins, ends = wanted[lines], wanted[np.minimum(lines + 1, len(wanted) - 1)]
    ways = ends - begins
    squares = np.maximum((ways**2).sum(axis=1), np.finfo(float).tiny)
    shares = np.clip(((tips - begins) * ways).sum(axis=1) / squares, 0.0, 1.0)
    return float(np.linalg.norm(tips - begins - shares[:, None] * ways, axis=1).max())
