"""First moments of mass of platform and arm: where their weight acts.

With ``s = sum m_i c_i`` about the platform's origin, in the platform's frame, the weight's torque about
that origin at the orientation R is ``(R s) x g``.
"""

from __future__ import annotations

import itertools

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm_kinematics import forward_kinematics, inverse_kinematics, nearest_branch
from models.hybrid_cable_robot.bodies import JOINTS
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.trajectory import RESTING_ARM
from models.numerics.rotations import rotation_matrix, turn

SAMPLED_POSTURES = 1024  # of the range of the joints, besides its corners
ROUNDS = 50  # of the ascent, each over all joints; a handful is enough
STEPS = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0, 13.0])  # of the sample, turns per posture: no posture recurs


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
    """Angles (6,) rad of the arm: as given, else those of the trajectory's first waypoint.

    Where the tool's path starts out of reach, those of the arm at rest.
    """
    path = parameters.path
    if parameters.arm_posture is not None:
        return np.array(parameters.arm_posture)
    if path.joints is not None:
        return np.array(path.joints[0])
    rest = np.array(RESTING_ARM)
    if path.tool_positions is None or path.tool_rotations is None:
        return rest
    position, rotation = np.array(path.tool_positions[0]), rotation_matrix(np.array(path.tool_rotations[0]))
    found = inverse_kinematics(position, rotation)
    return nearest_branch(found, rest) if found.reach == "reachable" else rest


def moments_at(parameters: HybridCableRobot, postures: FloatArray) -> FloatArray:
    """First moments (p, 3) kg m of platform and arm at postures (p, 6) rad."""
    positions, rotations = forward_kinematics(postures)
    masses = np.array([link.mass for link in parameters.arm_links])
    centres = np.array([link.centre_of_mass for link in parameters.arm_links])
    arm = np.einsum("i,pij->pj", masses, positions + turn(rotations, centres))
    base = rotation_matrix(np.array(parameters.arm_base_rotation))
    body = parameters.platform_body
    fixed = body.mass * np.array(body.centre_of_mass)
    return fixed + masses.sum() * np.array(parameters.arm_base_position) + arm @ base.T


def moment_extremes(parameters: HybridCableRobot) -> tuple[FloatArray, FloatArray]:
    """Least and greatest components (3,) kg m of the first moment within the joints' limits.

    The best of a fixed sample of postures, improved joint by joint. As a function of one angle a
    component is a constant plus a sine, whose greatest value in an interval is known.
    """
    low, high = np.array(parameters.arm_joint_limits)
    corners = np.array(list(itertools.product((0.0, 1.0), repeat=JOINTS)))
    inner = (np.arange(1, SAMPLED_POSTURES + 1)[:, None] * STEPS) % 1.0
    postures = low + np.concatenate([corners, inner]) * (high - low)
    moments = moments_at(parameters, postures)
    ends: list[FloatArray] = []
    for sign in (-1.0, 1.0):
        best = [postures[int(np.argmax(sign * moments[:, axis]))] for axis in range(3)]
        found = [_ascended(parameters, posture, axis, sign) for axis, posture in enumerate(best)]
        ends.append(np.array(found))
    return ends[0], ends[1]


def _ascended(parameters: HybridCableRobot, posture: FloatArray, axis: int, sign: float) -> float:
    """The component of the moment (least for ``sign`` -1, else greatest) reached from a posture."""
    limits, posture = np.array(parameters.arm_joint_limits), posture.copy()
    reached = float(moments_at(parameters, posture[None])[0, axis])
    for _ in range(ROUNDS):
        before = reached
        for joint in range(JOINTS):
            turns = np.array([0.0, 1.0, 2.0]) * np.pi / 2
            tried = np.repeat(posture[None], 3, axis=0)
            tried[:, joint] = turns
            a, b, c = sign * moments_at(parameters, tried)[:, axis]
            middle = (a + c) / 2  # constant part; the rest is (a - middle) cos q + (b - middle) sin q
            peak = float(np.arctan2(b - middle, a - middle))
            peak += 2 * np.pi * np.ceil((limits[0, joint] - peak) / (2 * np.pi))
            tried = np.repeat(posture[None], 4, axis=0)
            tried[1:, joint] = *limits[:, joint], min(peak, limits[1, joint])
            values = moments_at(parameters, tried)[:, axis]
            best = int(np.argmax(sign * values))
            posture, reached = tried[best], float(values[best])
        if abs(reached - before) <= 1e-12 * (1.0 + abs(reached)):
            break
    return reached
