"""The robot as links, joints and cables: a platform on straight cables, with the joints of its arm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.kinematics import chain_of, joint_rotations
from models.hybrid_cable_robot.bodies import ARM_LINKS, PLATFORM_BODY, Body
from models.hybrid_cable_robot.obstacles.pictures import floor_corners
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.scene import shown_position, workspace_of
from models.hybrid_cable_robot.shapes import Shape
from models.mechanism import Cuboid, Cylinder, Joint, Mechanism, RigidLink, StraightCable
from models.numerics.rotations import rotation_matrix

FRAME, PLATFORM = "frame", "platform"
_X, _Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
_ARM = "arm_base"
FLOOR_THICKNESS = 0.1  # [m], of the floor in robot files


def mechanism(parameters: HybridCableRobot) -> Mechanism:
    """The robot with its platform where the 3D view shows it, and the arm's joints at zero.

    A robot whose pulleys are listed, but not the links of its arm, has no arm of its own: the arm of the
    paper's robot, which is the default, is left out.
    """
    robot = robot_of(parameters)
    position, place = shown_position(parameters, workspace_of(parameters))
    body = parameters.platform_body
    own = parameters.platform_shape
    shape = Cuboid(np.zeros(3), np.array(parameters.platform_half_size)) if own is None else _solid(own)
    links = [
        RigidLink(FRAME, 0.0, np.zeros(3), np.zeros((3, 3))),
        RigidLink(PLATFORM, body.mass, np.array(body.centre_of_mass), body.tensor, shape),
    ]
    between, joints = _platform_joints(parameters, robot, position)
    links[1:1] = between
    if parameters.has_arm:
        links += _arm_links(parameters)
        joints += _arm_joints(parameters)
    for name, solid, origin, rotation in _surroundings(parameters):
        links.append(RigidLink(name, 0.0, np.zeros(3), np.zeros((3, 3)), solid))
        joints.append(Joint(f"{name}_joint", "fixed", FRAME, name, origin, rotation, _X))
    return Mechanism(
        tuple(links), tuple(joints), _cables(parameters, robot), "z",
        f"{place} The joints of the arm are at zero." if parameters.has_arm else place,
        tuple(_warnings(parameters)),
    )  # fmt: skip


def _platform_joints(
    parameters: HybridCableRobot, robot: Robot, position: FloatArray
) -> tuple[list[RigidLink], list[Joint]]:
    """Links without mass and joints between the frame and the platform at ``position`` (3,) m.

    One joint for each freedom of a point or a body in a plane, along or about an axis of the world; ways end
    at the space. A body or a bar in space floats.
    """
    if parameters.freedoms in ("3R3T", "2R3T"):
        return [], [Joint("platform_joint", "floating", FRAME, PLATFORM, position, np.eye(3), _X)]
    low, high = np.array(parameters.space) - position
    joints: list[Joint] = []
    for row in np.flatnonzero(robot.rows).tolist():
        parent = joints[-1].child if joints else FRAME
        kind, axis = ("prismatic" if row < 3 else "revolute"), row % 3
        name, child = f"platform_{kind}_{'xyz'[axis]}", f"platform_{'xyz'[axis]}"
        place = np.zeros(3) if joints else position
        limits = (float(low[axis]), float(high[axis])) if row < 3 else None
        joints.append(Joint(name, kind, parent, child, place, np.eye(3), np.eye(3)[axis], limits))
    joints[-1] = replace(joints[-1], name="platform_joint", child=PLATFORM)
    return [RigidLink(joint.child, 0.0, np.zeros(3), np.zeros((3, 3))) for joint in joints[:-1]], joints


def _solid(shape: Shape) -> Cuboid | Cylinder:
    """A shape in its frame; around a mesh the least box, as no format holds triangles."""
    if shape.mesh is not None:
        vertices = np.array(shape.mesh.vertices)
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        return Cuboid((low + high) / 2, (high - low) / 2)
    if shape.half_size is not None:
        return Cuboid(np.zeros(3), np.array(shape.half_size))
    return Cylinder(np.zeros(3), shape.radius or 0.0, shape.length or 0.0, shape.kind == "capsule")


def _surroundings(
    parameters: HybridCableRobot,
) -> Iterator[tuple[str, Cuboid | Cylinder, FloatArray, FloatArray]]:
    """Name, shape, place (3,) m and rotation (3, 3) of each obstacle, and of the floor as a slab."""
    for number, each in enumerate(parameters.obstacles, 1):
        rotation = rotation_matrix(np.array(each.rotation))
        yield f"obstacle_{number}", _solid(each), np.array(each.position), rotation
    if parameters.floor is not None:
        low, high = floor_corners(parameters)
        size = np.array([*(high - low) / 2, FLOOR_THICKNESS / 2])
        place = np.array([*(low + high) / 2, parameters.floor - FLOOR_THICKNESS / 2])
        yield "floor", Cuboid(np.zeros(3), size), place, np.eye(3)


def _arm_links(parameters: HybridCableRobot) -> list[RigidLink]:
    base = RigidLink(_ARM, 0.0, np.zeros(3), np.zeros((3, 3)))
    links = [base, *(_rigid_link(f"arm_link_{n}", link) for n, link in enumerate(parameters.arm_links, 1))]
    if any(parameters.arm_tool):
        links.append(RigidLink("arm_tool", 0.0, np.zeros(3), np.zeros((3, 3))))
    return links


def _rigid_link(name: str, body: Body) -> RigidLink:
    return RigidLink(name, body.mass, np.array(body.centre_of_mass), body.tensor)


def _arm_joints(parameters: HybridCableRobot) -> list[Joint]:
    """The fixed base of the arm, then a joint about or along the z axis of each link's frame."""
    turned = rotation_matrix(np.array(parameters.arm_base_rotation))
    place = np.array(parameters.arm_base_position)
    joints = [Joint("arm_mount", "fixed", PLATFORM, _ARM, place, turned, _Z)]
    least, greatest = parameters.arm_joint_limits
    chain = chain_of(parameters.arm_joints)
    for number, rotation in enumerate(joint_rotations(np.zeros(len(least)), chain)):
        parent = f"arm_link_{number}" if number else _ARM
        name, link = f"arm_joint_{number + 1}", f"arm_link_{number + 1}"
        limits = (least[number], greatest[number])
        kind, origin = parameters.arm_joints[number].kind, chain.origins[number]
        joints.append(Joint(name, kind, parent, link, origin, rotation, _Z, limits))
    if any(parameters.arm_tool):
        last, tool = f"arm_link_{len(least)}", np.array(parameters.arm_tool)
        joints.append(Joint("arm_tool_joint", "fixed", last, "arm_tool", tool, np.eye(3), _Z))
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
    meshes = [f"obstacle_{n}" for n, each in enumerate(parameters.obstacles, 1) if each.mesh is not None]
    if parameters.platform_shape is not None and parameters.platform_shape.mesh is not None:
        meshes.append(PLATFORM)
    if meshes:
        found.append(f"the meshes {', '.join(meshes)} are written as the boxes around them")
    bodies = {PLATFORM: parameters.platform_body}
    if parameters.has_arm:
        bodies |= {f"arm_link_{n}": link for n, link in enumerate(parameters.arm_links, 1)}
    found += [
        f"{name} {body.fault}: simulators such as Gazebo refuse such a body"
        for name, body in bodies.items()
        if body.fault
    ]
    return found
