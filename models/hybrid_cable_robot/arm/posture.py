"""The arm as pictures show it: its joints, which a picture may turn, and the lines of its links."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.kinematics import forward_kinematics
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.bodies import JOINT_UNITS
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.numerics.rotations import rotation_matrix
from models.scene import Line, PostureCoordinate

END_AXES = 0.06  # [m], so long are the axes of the arm's end
UPRIGHT = np.eye(3)
SHORTEST_LINK = 1e-9  # [m]: frames with the same origin are one corner of the arm


def drawn_angles(parameters: HybridCableRobot) -> FloatArray:
    """Coordinates (n,) of the arm in pictures: its first listed posture, else the one of its weight."""
    listed = parameters.arm_postures
    return rest_posture(parameters) if listed is None or listed == "range" else np.array(listed[0])


def posture(parameters: HybridCableRobot) -> tuple[PostureCoordinate, ...]:
    """The joints of the arm within ``arm_joint_limits``, at :func:`drawn_angles`; none without an arm.

    A joint that stands beyond its limits can stay there.
    """
    if not parameters.has_arm:
        return ()
    limits = zip(*parameters.arm_joint_limits, drawn_angles(parameters).tolist(), strict=True)
    units = [JOINT_UNITS[joint.kind] for joint in parameters.arm_joints]
    return tuple(
        PostureCoordinate(f"arm joint {number}", unit, min(low, angle), max(high, angle), angle)
        for number, (unit, (low, high, angle)) in enumerate(zip(units, limits, strict=True), 1)
    )


def arm_lines(
    parameters: HybridCableRobot, platform: FloatArray, angles: FloatArray, rotation: FloatArray = UPRIGHT
) -> tuple[Line, ...]:
    """The arm in the world: its links from the base to the last joint and the tool, and the axes of its end.

    Parameters
    ----------
    platform : (3,) float, m
        The platform's origin.
    angles : (n,) float, rad and m
    rotation : (3, 3) float, optional
        Platform to world; if left out, the platform is not turned.
    """
    positions, rotations = forward_kinematics(angles, parameters.arm_joints)
    turned = rotation @ rotation_matrix(np.array(parameters.arm_base_rotation))
    tool = positions[-1] + rotations[-1] @ np.array(parameters.arm_tool)
    points = np.concatenate([np.zeros((1, 3)), positions, tool[None]])
    corners = platform + rotation @ np.array(parameters.arm_base_position) + points @ turned.T
    apart = np.linalg.norm(np.diff(corners, axis=0), axis=1) > SHORTEST_LINK
    end, axes = corners[-1], turned @ rotations[-1]
    return (
        Line("arm", corners[np.concatenate([[True], apart])]),
        *(
            Line(f"arm end {name}", np.stack([end, end + END_AXES * axes[:, place]]), "arm end")
            for place, name in enumerate("xyz")
        ),
    )
