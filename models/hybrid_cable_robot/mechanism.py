"""The robot as links, joints and cables: a free platform on straight cables, with the arm's six joints."""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.arm_kinematics import JOINT_ORIGINS, joint_rotations
from models.hybrid_cable_robot.bodies import ARM_LINKS, JOINTS, PLATFORM_BODY, Body
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.scene import shown_position, workspace_of
from models.mechanism import Cuboid, Joint, Mechanism, RigidLink, StraightCable
from models.numerics.rotations import rotation_matrix

FRAME, PLATFORM = "frame", "platform"
_X, _Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
_ARM = "arm_base"


def mechanism(parameters: HybridCableRobot) -> Mechanism:
    """The robot with its platform where the 3D view shows it, and the arm's joints at zero.

    A robot whose pulleys are listed, but not the links of its arm, has no arm of its own: the arm of the
    paper's robot, which is the default, is left out.
    """
    robot = robot_of(parameters)
    position, place = shown_position(parameters, workspace_of(parameters))
    body = parameters.platform_body
    shape = Cuboid(np.zeros(3), np.array(parameters.platform_half_size))
    links = [
        RigidLink(FRAME, 0.0, np.zeros(3), np.zeros((3, 3))),
        RigidLink(PLATFORM, body.mass, np.array(body.centre_of_mass), body.tensor, shape),
    ]
    joints = [Joint("platform_joint", "floating", FRAME, PLATFORM, position, np.eye(3), _X)]
    if parameters.has_arm:
        links += _arm_links(parameters)
        joints += _arm_joints(parameters)
    return Mechanism(
        tuple(links), tuple(joints), _cables(parameters, robot), "z",
        f"{place} The joints of the arm are at zero." if len(links) > 2 else place,
        tuple(_warnings(parameters)),
    )  # fmt: skip


def _arm_links(parameters: HybridCableRobot) -> list[RigidLink]:
    base = RigidLink(_ARM, 0.0, np.zeros(3), np.zeros((3, 3)))
    return [base, *(_rigid_link(f"arm_link_{n}", link) for n, link in enumerate(parameters.arm_links, 1))]


def _rigid_link(name: str, body: Body) -> RigidLink:
    return RigidLink(name, body.mass, np.array(body.centre_of_mass), body.tensor)


def _arm_joints(parameters: HybridCableRobot) -> list[Joint]:
    """The fixed base of the arm, then a revolute joint about the z axis of each link's frame."""
    turned = rotation_matrix(np.array(parameters.arm_base_rotation))
    place = np.array(parameters.arm_base_position)
    joints = [Joint("arm_mount", "fixed", PLATFORM, _ARM, place, turned, _Z)]
    least, greatest = parameters.arm_joint_limits
    for number, rotation in enumerate(joint_rotations(np.zeros(JOINTS))):
        parent = f"arm_link_{number}" if number else _ARM
        name, link = f"arm_joint_{number + 1}", f"arm_link_{number + 1}"
        limits = (least[number], greatest[number])
        joints.append(Joint(name, "revolute", parent, link, JOINT_ORIGINS[number], rotation, _Z, limits))
    return joints


def _cables(parameters: HybridCableRobot, robot: Robot) -> tuple[StraightCable, ...]:
    diameters = np.broadcast_to(parameters.cable_diameter, len(robot.pulleys)).tolist()
    ends = zip(robot.pulleys, robot.attachments, diameters, robot.stiffness.tolist(), strict=True)
    return tuple(
        StraightCable(f"cable_{n}", pulley, PLATFORM, attachment, diameter, stiffness, robot.axial)
        for n, (pulley, attachment, diameter, stiffness) in enumerate(ends, 1)
    )


def _warnings(parameters: HybridCableRobot) -> list[str]:
    own = parameters.pulleys is not None
    found: list[str] = []
    if own and parameters.platform_body == PLATFORM_BODY:
        found.append(
            "mass and inertia of the platform are those of the paper's robot, the default: set platform_body"
        )
    if own and parameters.arm_links == ARM_LINKS:
        found.append("the arm of the paper's robot, the default, is left out: set arm_links to have one")
    bodies = {PLATFORM: parameters.platform_body}
    if parameters.has_arm:
        bodies |= {f"arm_link_{n}": link for n, link in enumerate(parameters.arm_links, 1)}
    found += [
        f"{name} {body.fault}: simulators such as Gazebo refuse such a body"
        for name, body in bodies.items()
        if body.fault
    ]
    return found
