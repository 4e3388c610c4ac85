"""The cable robot in a tree of links and joints, by its structure: what moves freely, and what it carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from studies.exchange.cable_ends import CableEnds, cable_ends
from studies.exchange.imported_robot import FloatArray, RobotReading
from studies.exchange.link_tree import HERE, Frame, Joint, LinkTree, lumped
from studies.exchange.serial_arm import KINDS, ArmJoint, is_short, read_arm

_SAME = 1e-6  # [m], [1]; by which a platform may be turned or a box lie beside its origin
_RIGHT_ANGLE = 1e-4  # [1]; by which a turned box may miss one
_UP_IS_KNOWN = "z is taken as upwards, as ROS has it"
_SHOWN = 40  # characters of a name
_FEW = 4


def read_tree(reading: RobotReading, tree: LinkTree) -> None:
    """Read the cable robot of a tree.

    Pulleys are fixed to a root, attachments to one link, the platform, which moves by a known motion pattern.
    Its frame is turned to that of the root. A row of joints on it is its arm; what others carry
    counts with it.

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
    """Read the mass of the platform, and its arm; what other joints carry counts with the platform."""
    body = tree.rigid(platform)
    moving = tree.moving_below(platform)
    if moving and _is_arm(reading, tree, platform, moving):
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


def _is_arm(reading: RobotReading, tree: LinkTree, platform: str, moving: Sequence[Joint]) -> bool:
    """True if joints are those of an arm: turning or sliding ones in a row, no more than the back-end has.

    Raises ``InputError`` for an arm that branches.
    """
    if not is_short(moving) or any(joint.kind not in KINDS for joint in moving):
        return False
    holders = [tree.placed[joint.parent].body for joint in moving]
    if holders.count(platform) != 1:
        return False
    for number, (joint, holder) in enumerate(zip(moving[1:], holders[1:], strict=True)):
        if holder != moving[number].child:
            other = moving[holders.index(holder)] if holders.index(holder) <= number else moving[number]
            raise reading.fault(
                f"the arm on the platform branches: its link '{holder[:_SHOWN]}' carries the joints "
                f"'{other.name[:_SHOWN]}' and '{joint.name[:_SHOWN]}'; an arm is a row of joints: give "
                "those of the other branch, such as the fingers of a gripper, the type fixed"
            )
    return True


def _read_arm(reading: RobotReading, tree: LinkTree, moving: Sequence[Joint], turned: FloatArray) -> None:
    base = Frame(np.zeros(3), turned).then(tree.placed[moving[0].parent].in_body)
    joints: list[ArmJoint] = []
    for number, joint in enumerate(moving):
        within = tree.placed[joint.parent].in_body if number else HERE
        axis, body = joint.axis(), tree.rigid(joint.child)
        joints.append(ArmJoint(joint.name, joint.kind, within.then(joint.pose), axis, body, joint.limits()))
    read_arm(reading, base, joints, tree.tip(moving[-1].child))
