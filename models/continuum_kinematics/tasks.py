"""The tasks of a record: poses one by one, a path, and points with directions; in the robot's base frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.arrays import FloatArray
from models.continuum_kinematics.dexterity import Dexterity, dexterity
from models.continuum_kinematics.inverse import Solution, inverse
from models.continuum_kinematics.parameters import ContinuumKinematics, TaskPose
from models.continuum_kinematics.path_following import FollowedPath, follow_path
from models.continuum_kinematics.redundancy_resolution import least_bent
from models.continuum_kinematics.robot import Robot, characteristic_length, robot_of
from models.numerics.rotations import rotation_matrix

TURNED = np.diag([1.0, -1.0, -1.0])
"""Rotation from the base frame of a hanging robot to the world frame, and back."""
TOLERANCE = 1e-8  # of a pose: m and rad
SHARES = 64  # of the limits, by which a margin is found


def base_rotation(parameters: ContinuumKinematics) -> FloatArray:
    """Rotation (3, 3) from the base frame to the world frame; it is its own inverse."""
    return TURNED if parameters.mounting == "hanging" else np.eye(3)


def base_pose(parameters: ContinuumKinematics, pose: TaskPose) -> FloatArray:
    """A pose of the tip (4, 4), base frame, whose counterpart in the world frame is given."""
    turn, found = base_rotation(parameters), np.eye(4)
    found[:3, :3] = turn @ rotation_matrix(np.array([pose.rx, pose.ry, pose.rz])) @ turn
    found[:3, 3] = turn @ np.array([pose.x, pose.y, pose.z])
    return found


def solve_task_poses(parameters: ContinuumKinematics) -> list[Solution]:
    """Solutions of the least bend of each of the record's task poses, or the nearest sections."""
    body = robot_of(parameters)
    return [
        least_bent(
            base_pose(parameters, pose),
            body,
            parameters.task_mode,
            starts=parameters.starts,
            tolerance=TOLERANCE,
        )[0]
        for pose in parameters.task_poses
    ]


def solve_path(parameters: ContinuumKinematics) -> FollowedPath | None:
    """The way through the record's path; None without one."""
    if not parameters.path:
        return None
    poses = [base_pose(parameters, pose) for pose in parameters.path]
    return follow_path(
        np.array(poses),
        robot_of(parameters),
        parameters.task_mode,
        starts=parameters.starts,
        tolerance=TOLERANCE,
    )


def solve_task_points(parameters: ContinuumKinematics, most: int | None = None) -> list[Dexterity]:
    """Directions that are reached at each of the record's task points, or the first so many; base frame."""
    body, turn = robot_of(parameters), base_rotation(parameters)
    return [
        dexterity(body, turn @ np.array(point), parameters.directions)
        for point in parameters.task_points[:most]
    ]


def task_margin(parameters: ContinuumKinematics, solutions: Sequence[Solution]) -> float:
    """The share by which all limits can shrink so that every task pose is still met.

    Bends shrink towards 0, ranges of length towards their middles. Found to 1/64. Negative where a pose is
    missed: minus the greatest miss, position and orientation together, by the robot's length.
    """
    body = robot_of(parameters)
    worth, length = characteristic_length(body), float(body.upper.sum())
    misses = [
        found.position_error + worth * found.orientation_error for found in solutions if not found.converged
    ]
    if misses:
        return -max(misses) / length
    held, lost, states = 0, SHARES, [found.sections for found in solutions]
    while lost - held > 1:
        middle = (held + lost) // 2
        found = _met_within(parameters, _shrunk(body, middle / SHARES), states)
        if found is None:
            lost = middle
        else:
            held, states = middle, found
    return held / SHARES


def _shrunk(body: Robot, share: float) -> Robot:
    """The robot with limits that are smaller by a share."""
    half = share * (body.upper - body.lower) / 2
    return body._replace(lower=body.lower + half, upper=body.upper - half, bend=(1 - share) * body.bend)


def _met_within(
    parameters: ContinuumKinematics, body: Robot, states: Sequence[FloatArray]
) -> list[FloatArray] | None:
    """Sections that meet every task pose within the limits of ``body``; None where one is missed."""
    met: list[FloatArray] = []
    for pose, near in zip(parameters.task_poses, states, strict=True):
        target = base_pose(parameters, pose)
        found = inverse(
            target, body, parameters.task_mode, starts=parameters.starts, tolerance=TOLERANCE, near=near
        )
        if not found.converged:
            return None
        met.append(found.sections)
    return met
