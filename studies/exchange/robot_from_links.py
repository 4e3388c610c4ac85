"""The cable robot in a tree of links and joints, by its structure: what moves freely, and what it carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from studies.exchange.cable_ends import CableEnds, cable_ends
from studies.exchange.imported_robot import FloatArray, RobotReading, body_record
from studies.exchange.link_tree import Body, Frame, Joint, LinkTree, lumped

_SAME = 1e-6  # [m], [1]; by which joints may differ from those of the back-end's arm
_RIGHT_ANGLE = 1e-4  # [1]; by which a turned box may miss one
_ARM_JOINTS = 6
_UP_IS_KNOWN = "z is taken as upwards, as ROS has it"
_SHOWN = 40  # characters of a name
_FEW = 4


def read_tree(reading: RobotReading, tree: LinkTree) -> None:
    """Read the cable robot of a tree.

    Pulleys are fixed to a root, attachments to one link, the platform, which moves by a known motion pattern.
    Its frame is turned to that of the root. What its joints carry counts with it, unless it is the arm of
    the back-end.

    Raises
    ------
    InputError
        Where the tree holds no such robot.
    """
    ends = cable_ends(reading, list(tree.links), tree.is_fixed)
    platform = _platform(reading, tree, ends.attachments)
    root = _root(reading, tree, ends.pulleys)
    _require_moving(reading, tree, ends)
    _read_motion(reading, tree, platform, root)
    turned = _turned(reading, tree, platform)
    for place, link in ends.pulleys.items():
        reading.pulleys[place] = tree.placed[link].pose.position
    for place, link in ends.attachments.items():
        reading.attachments[place] = turned @ tree.placed[link].in_body.position
    reading.assumed.append(_UP_IS_KNOWN)
    _read_box(reading, tree, platform, turned)
    _read_bodies(reading, tree, platform, turned)


def _platform(reading: RobotReading, tree: LinkTree, attachments: Mapping[int, str]) -> str:
    """Return the only link that holds attachments."""
    platforms = sorted({tree.placed[link].body for link in attachments.values()})
    if len(platforms) > 1:
        raise reading.fault(
            f"attachments are on several links that move against each other: {', '.join(platforms)[:80]}"
        )
    return platforms[0]


def _root(reading: RobotReading, tree: LinkTree, pulleys: Mapping[int, str]) -> str:
    """Return the root to which all pulleys are fixed."""
    for link in pulleys.values():
        if not tree.is_fixed(link):
            raise reading.fault(f"the pulley '{link[:_SHOWN]}' is not fixed to the root of the tree")
    roots = sorted({tree.placed[link].root for link in pulleys.values()})
    if len(roots) > 1:
        raise reading.fault(f"pulleys are fixed to several roots: {', '.join(roots)[:80]}")
    return roots[0]


def _require_moving(reading: RobotReading, tree: LinkTree, ends: CableEnds) -> None:
    """Raise ``InputError``, with the joints between, where attachments and pulleys have one root."""
    some, others = next(iter(ends.attachments.values())), next(iter(ends.pulleys.values()))
    if tree.placed[some].body != tree.placed[others].body:
        return
    shared = {joint.name for joint in tree.joints_above(others)}
    between = [joint for joint in tree.joints_above(some)[:-1] if joint.name not in shared]
    raise reading.fault(
        "the attachments are fixed to the root, as the pulleys are, so that nothing moves: give the "
        f"platform a joint of the type floating (joints: {_names(between) or 'none'})"
    )


def _read_motion(reading: RobotReading, tree: LinkTree, platform: str, root: str) -> None:
    """Take the motion pattern of a platform against the root; raises ``InputError`` for an unknown one."""
    if tree.placed[platform].root != root:
        return
    moving = [joint for joint in tree.joints_above(platform) if joint.kind != "fixed"]
    what = f"its platform, the link '{platform[:_SHOWN]}',"
    motion = tree.motion(moving)
    if motion.freedoms is None:
        raise reading.fault(
            f"{what} moves in {motion.freedom} of 6 degrees of freedom, by {_names(moving)}; the back-end "
            "has platforms that move freely, by a joint of the type floating or by six joints in a row; in a "
            "plane of two axes, by a joint of the type planar; or along two or all axes, by prismatic joints"
        )
    reading.freedoms, reading.plane = motion.freedoms, motion.plane
    if motion.freedoms != "3R3T":
        told = f" in the plane {motion.plane}" if motion.plane else ""
        reading.assumed.append(f"{what} has the motion pattern {motion.freedoms}{told}, by {_names(moving)}")
    elif len(moving) > 1:
        reading.assumed.append(f"{what} moves freely, by {_names(moving)} at zero")
    links = [joint.child for joint in moving[:-1]]
    mass = sum(body.mass for link in links if (body := tree.rigid(link)) is not None)
    if mass:
        reading.unread.append(f"{mass:g} kg of the links between the root and the platform")


def _turned(reading: RobotReading, tree: LinkTree, platform: str) -> FloatArray:
    """Return the rotation (3, 3) of the platform at zero of all joints; the identity within rounding."""
    rotation = tree.placed[platform].pose.rotation
    if np.abs(rotation - np.eye(3)).max() <= _SAME:
        return np.eye(3)
    reading.assumed.append(
        "the orientation in which the file places the platform, at zero of its joints, is the nominal one: "
        "its points are turned by it"
    )
    return rotation


def _names(joints: Sequence[Joint]) -> str:
    """Names of joints with their types."""
    more = f" and {len(joints) - _FEW} more" if len(joints) > _FEW else ""
    return ", ".join(f"'{joint.name[:_SHOWN]}' ({joint.kind[:_SHOWN]})" for joint in joints[:_FEW]) + more


def _read_box(reading: RobotReading, tree: LinkTree, platform: str, turned: FloatArray) -> None:
    """Read the box of the platform, if it has one around its origin, with sides along the axes."""
    for box in tree.links[platform].boxes():
        sides = np.abs(turned @ box.pose.rotation)
        if np.abs(box.pose.position).max() > _SAME or np.abs(sides - np.round(sides)).max() > _RIGHT_ANGLE:
            reading.unread.append("a box of the platform that is turned, or not around its origin")
            continue
        reading.parameters["platform_half_size"] = (np.round(sides) @ box.half_size).tolist()
        return


def _read_bodies(reading: RobotReading, tree: LinkTree, platform: str, turned: FloatArray) -> None:
    """Read the mass of the platform, with all that it carries but the back-end's arm."""
    body = tree.rigid(platform)
    moving = tree.moving_below(platform)
    if moving and _is_arm(moving):
        _read_arm(reading, tree, moving, turned)
    elif moving:
        carried = tree.carried(platform, moving)
        mass = 0.0 if carried is None else carried.mass
        reading.assumed.append(
            f"{len(moving)} moving joints on the platform stand at zero, and the {mass:g} kg that they move "
            f"count with its body: {_names(moving)}"
        )
        body = lumped([each for each in (body, carried) if each is not None])
    if body is None:
        reading.unread.append(f"mass of the platform '{platform[:_SHOWN]}': it has none")
        return
    seen = body.seen_from(Frame(np.zeros(3), turned))
    reading.body(seen.mass, seen.centre.tolist(), seen.inertia)


def _is_arm(moving: Sequence[Joint]) -> bool:
    """True if joints are those of the back-end's arm: six in a row, with its geometry."""
    if len(moving) != _ARM_JOINTS or any(joint.kind not in ("revolute", "continuous") for joint in moving):
        return False
    from models.hybrid_cable_robot.arm_kinematics import chain_of, joint_rotations  # loads numba
    from models.hybrid_cable_robot.bodies import ARM_JOINTS

    chain = chain_of(ARM_JOINTS)
    turns = joint_rotations(np.zeros(_ARM_JOINTS), chain)
    for place, joint in enumerate(moving):
        if place and joint.parent != moving[place - 1].child:
            return False
        wanted = (turns[place], chain.origins[place], np.eye(3)[2])
        given = (joint.pose.rotation, joint.pose.position, joint.axis())
        if any(np.abs(a - b).max() > _SAME for a, b in zip(wanted, given, strict=True)):
            return False
    return True


def _read_arm(reading: RobotReading, tree: LinkTree, moving: Sequence[Joint], turned: FloatArray) -> None:
    base = Frame(np.zeros(3), turned).then(tree.placed[moving[0].parent].in_body)
    reading.parameters["arm_base_position"] = base.position.tolist()
    reading.parameters["arm_base_rotation"] = _rotation_vector(base.rotation).tolist()
    none = Body(0.0, np.zeros(3), np.zeros((3, 3)))
    bodies = [tree.rigid(joint.child) or none for joint in moving]
    reading.parameters["arm_links"] = [
        body_record(each.mass, each.centre.tolist(), each.inertia) for each in bodies
    ]
    limits = [joint.limits() for joint in moving]
    if all(limits):
        reading.parameters["arm_joint_limits"] = [[limit[end] for limit in limits if limit] for end in (0, 1)]


def _rotation_vector(rotation: FloatArray) -> FloatArray:
    """The rotation vector (3,) rad, also of half a turn, about which ``rotation_vector`` says nothing."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(rotation).as_rotvec(), dtype=np.float64)
