"""First moments of mass of platform and arm: where their weight acts.

With ``s = sum m_i c_i`` about the platform's origin, in the platform's frame, the weight's torque about
that origin at the orientation R is ``(R s) x g``.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.kinematics import forward_kinematics, inverse_kinematics, nearest_branch
from models.hybrid_cable_robot.bodies import ArmJoint, Body
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.numerics.rotations import rotation_matrix, turn

SAMPLED_POSTURES = 1024  # of the range of the joints, besides its corners
STARTS = 24  # of the sample, for each extreme
ROUNDS = 50  # of the ascent, each over all joints; a handful is enough
STEPS = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0])  # turns per sampled posture: none recurs


def first_moments(parameters: HybridCableRobot) -> FloatArray:
    """First moments of mass (p, 3) kg m about the platform's origin, platform frame, one per posture.

    For ``arm_postures = "range"`` the eight corners of the box around all of them.
    """
    chosen = parameters.arm_postures
    if chosen == "range":
        return box_corners(np.array(moment_extremes(parameters)))
    postures = [rest_posture(parameters)] if chosen is None else chosen
    return moments_at(parameters, np.array(postures))


def box_corners(moments: FloatArray) -> FloatArray:
    """Corners (c, 3) of the least box around moments (n, 3), each once: one corner where all are the same."""
    ends = zip(moments.min(axis=0), moments.max(axis=0), strict=True)
    return np.unique(np.array(list(itertools.product(*ends))), axis=0)


def rest_posture(parameters: HybridCableRobot) -> FloatArray:
    """Coordinates (n,) of the arm: as given, else those of the trajectory's first waypoint.

    Where the tool's path starts out of reach, those of the arm at rest.
    """
    path = parameters.path
    if parameters.arm_posture is not None:
        return np.array(parameters.arm_posture)
    if path.joints is not None:
        return np.array(path.joints[0])
    rest = np.array(parameters.resting_arm)
    if path.tool_positions is None or path.tool_rotations is None:
        return rest
    position, rotation = np.array(path.tool_positions[0]), rotation_matrix(np.array(path.tool_rotations[0]))
    found = inverse_kinematics(position, rotation, parameters.arm_joints)
    return nearest_branch(found, rest) if found.reach == "reachable" else rest


class Bodies(NamedTuple):
    """Bodies on which the moment of the weight depends, named as in the parameters."""

    platform_body: Body
    arm_joints: tuple[ArmJoint, ...]
    arm_links: tuple[Body, ...]
    arm_base_position: tuple[float, float, float]
    arm_base_rotation: tuple[float, float, float]
    arm_joint_limits: tuple[tuple[float, ...], tuple[float, ...]]


def moments_at(parameters: HybridCableRobot | Bodies, postures: FloatArray) -> FloatArray:
    """First moments (p, 3) kg m of platform and arm at postures (p, n)."""
    positions, rotations = forward_kinematics(postures, parameters.arm_joints)
    masses = np.array([link.mass for link in parameters.arm_links])
    centres = np.array([link.centre_of_mass for link in parameters.arm_links]).reshape(-1, 3)
    arm = np.einsum("i,pij->pj", masses, positions + turn(rotations, centres))
    base = rotation_matrix(np.array(parameters.arm_base_rotation))
    body = parameters.platform_body
    fixed = body.mass * np.array(body.centre_of_mass)
    return fixed + masses.sum() * np.array(parameters.arm_base_position) + arm @ base.T


def moment_extremes(parameters: HybridCableRobot) -> tuple[FloatArray, FloatArray]:
    """Least and greatest components (3,) kg m of the first moment within the joints' limits."""
    return _extremes(Bodies(*(getattr(parameters, name) for name in Bodies._fields)))


@lru_cache(maxsize=64)  # a search rarely varies the arm, whose extremes take 40 ms
def _extremes(bodies: Bodies) -> tuple[FloatArray, FloatArray]:
    """Least and greatest components, see :func:`moment_extremes`.

    The best of a fixed sample of postures, each improved joint by joint. As a function of one angle a
    component is a constant plus a sine, whose greatest value in an interval is known; as one of a travel it
    is a straight line. Of 600 extremes of random arms and limits, ``STARTS`` starts miss none by more than
    1e-6 of the arm's greatest moment; the best one alone misses one in five.
    """
    low, high = np.array(bodies.arm_joint_limits)
    joints = len(low)
    corners = np.array(list(itertools.product((0.0, 1.0), repeat=joints)))
    inner = (np.arange(1, SAMPLED_POSTURES + 1)[:, None] * STEPS[:joints]) % 1.0
    postures = low + np.concatenate([corners, inner]) * (high - low)
    signed = moments_at(bodies, postures) @ np.concatenate([-np.eye(3), np.eye(3)]).T
    starts = postures[np.argsort(-signed, axis=0, kind="stable")[:STARTS]]  # (STARTS, 6 ends, joints)
    ends = np.tile(np.concatenate([-np.eye(3), np.eye(3)]), (len(starts), 1))
    found = _ascended(bodies, starts.reshape(-1, joints), ends).reshape(-1, 6).max(axis=0)
    return -found[:3], found[3:]


def _ascended(bodies: Bodies, postures: FloatArray, directions: FloatArray) -> FloatArray:
    """Components (n,) of the moment along directions (n, 3), each ascended from a posture (n, j)."""
    low, high = np.array(bodies.arm_joint_limits)
    postures, count = postures.copy(), len(postures)

    def along(tried: FloatArray) -> FloatArray:  # (k, n, j) to (k, n)
        moments = moments_at(bodies, tried.reshape(-1, len(low))).reshape(-1, count, 3)
        return np.einsum("kni,ni->kn", moments, directions)

    reached = along(postures[None])[0]
    for _ in range(ROUNDS):
        before = reached
        for joint in range(len(low)):
            tried = np.repeat(postures[None], 3, axis=0)
            tried[..., joint] = (np.array([0.0, 1.0, 2.0]) * np.pi / 2)[:, None]
            a, b, c = along(tried)
            middle = (a + c) / 2  # constant part; the rest is (a - middle) cos q + (b - middle) sin q
            peak = np.arctan2(b - middle, a - middle)
            peak += 2 * np.pi * np.ceil((low[joint] - peak) / (2 * np.pi))
            tried = np.repeat(postures[None], 4, axis=0)
            tried[1, :, joint], tried[2, :, joint] = low[joint], high[joint]
            tried[3, :, joint] = np.minimum(peak, high[joint])
            values = along(tried)
            best = values.argmax(axis=0)
            postures, reached = tried[best, np.arange(count)], values.max(axis=0)
        if (reached - before <= 1e-12 * (1.0 + np.abs(reached))).all():
            break
    return reached
