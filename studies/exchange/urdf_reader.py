"""Cable robots in URDF: a tree of links and joints in which frames mark where cables run.

URDF knows no cables. Links whose names hold ``pulley`` or ``frame_anchor`` and a number are the points from
which cables run; ``attachment`` or ``platform_anchor`` with the same number are where they hold the
platform. Pulleys are fixed to the root, attachments to one link, the platform. Six revolute joints on the
platform are its arm, where they are those of the back-end, whose arm has one geometry.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from models.numerics.rotations import rotation_matrix
from studies.exchange.imported_robot import (
    FloatArray,
    ImportedRobot,
    RobotReading,
    body_record,
    moved_inertia,
    number,
)
from studies.exchange.source_text import SourceFile, xml_root

_PULLEY = re.compile(r"pulley|frame_?anchor", re.IGNORECASE)
_ATTACHMENT = re.compile(r"attachment|platform_?anchor", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_SAME = 1e-6  # [m], [1]; by which joints may differ from those of the back-end's arm
_ARM_JOINTS = 6
_DIGITS = 9  # of the number of a cable
_UP_IS_KNOWN = "z is taken as upwards, as ROS has it"


@dataclass(frozen=True, slots=True)
class _Joint:
    """A joint, with the child's position (3,) m and rotation (3, 3) in the frame of its parent."""

    name: str
    kind: str
    parent: str
    child: str
    position: FloatArray
    rotation: FloatArray
    limits: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A link of the tree.

    ``body`` is the link to which it is fixed, by any number of fixed joints: the first one that moves, or the
    root. Position (3,) m and rotation (3, 3) are in its frame, ``depth`` counts joints from the root.
    """

    body: str
    depth: int
    position: FloatArray
    rotation: FloatArray


@dataclass(frozen=True, slots=True)
class _Body:
    """Mass kg, centre of mass (3,) m, inertia (3, 3) kg m^2 about it; in the frame of a link."""

    mass: float
    centre: FloatArray
    inertia: FloatArray


def read_urdf(file: SourceFile) -> ImportedRobot:
    """The robot of a file; meshes and other files that it names are not opened."""
    return _Reader(file).read()


class _Reader:
    """The tree of a file."""

    def __init__(self, file: SourceFile) -> None:
        root = xml_root(file.text, file.name)
        self._reading = RobotReading(f"{file.name} (URDF)")
        if root.tag != "robot":
            raise self._reading.fault(f"begins with <{root.tag[:40]}>; URDF begins with <robot>")
        if any("xacro" in element.tag for element in root.iter()):
            raise self._reading.fault("is xacro; convert it first: xacro FILE > robot.urdf")
        self._links = {each.get("name", ""): each for each in root.findall("link")}
        self._joint_of = {each.child: each for each in map(self._joint, root.findall("joint"))}
        self._placed = self._placed_links()
        self._fixed_to: dict[str, list[str]] = defaultdict(list)
        for name in self._links:
            self._fixed_to[self._placed[name].body].append(name)
        if sum(1 for _ in root.iter("mesh")):
            self._reading.unread.append("meshes: no file that the description names is opened")

    def read(self) -> ImportedRobot:
        reading = self._reading
        pulleys, attachments = (self._points(pattern) for pattern in (_PULLEY, _ATTACHMENT))
        if not pulleys or not attachments:
            raise reading.fault(
                "has no links whose names hold 'pulley' or 'attachment' and the number of a cable, as in "
                "cable_1_pulley: URDF knows no cables, and such links mark their ends"
            )
        platforms = {self._placed[link].body for link in attachments.values()}
        if len(platforms) > 1:
            raise reading.fault(f"attachments are on several links: {', '.join(sorted(platforms))[:80]}")
        platform = platforms.pop()
        for place, link in pulleys.items():
            if self._joint_of.get(self._placed[link].body) is not None:
                raise reading.fault(f"the pulley '{link[:40]}' is not fixed to the root of the tree")
            reading.pulleys[place] = self._placed[link].position
        for place, link in attachments.items():
            reading.attachments[place] = self._placed[link].position
        reading.assumed.append(_UP_IS_KNOWN)
        self._read_platform(platform)
        return reading.robot()

    # ------------------------------------------------------------ the tree

    def _joint(self, element: Element) -> _Joint:
        parent, child = element.find("parent"), element.find("child")
        names = [each.get("link", "") if each is not None else "" for each in (parent, child)]
        position, rotation = self._origin(element)
        limit = element.find("limit")
        limits = None
        if limit is not None and element.get("type") == "revolute":
            lower, upper = (self._numbers(limit.get(name, "0"), 1) for name in ("lower", "upper"))
            limits = (float(lower[0]), float(upper[0]))
        kind, name = element.get("type", ""), element.get("name", "")
        return _Joint(name, kind, names[0], names[1], position, rotation, limits)

    def _numbers(self, text: str, count: int) -> FloatArray:
        try:
            values = [number(part) for part in text.split()]
        except ValueError:
            values = []
        if len(values) != count:
            raise self._reading.fault(f"'{text[:60]}' is not {count} finite numbers")
        return np.array(values)

    def _origin(self, element: Element) -> tuple[FloatArray, FloatArray]:
        """Position (3,) m and rotation (3, 3) of an element's origin; those of the parent without one."""
        origin = element.find("origin")
        if origin is None:
            return np.zeros(3), np.eye(3)
        turns = self._numbers(origin.get("rpy", "0 0 0"), 3)
        roll, pitch, yaw = (rotation_matrix(turn * axis) for turn, axis in zip(turns, np.eye(3), strict=True))
        return self._numbers(origin.get("xyz", "0 0 0"), 3), yaw @ pitch @ roll

    def _points(self, pattern: re.Pattern[str]) -> dict[int, str]:
        """Links by the number in their names, of those that a pattern fits."""
        found: dict[int, str] = {}
        for name in self._links:
            numbers = _NUMBER.findall(name)
            if not pattern.search(name) or not numbers:
                continue
            number_of = int(numbers[-1][-_DIGITS:])
            if number_of in found:
                raise self._reading.fault(f"'{name[:40]}' and another link have the number {number_of}")
            found[number_of] = name
        return found

    def _placed_links(self) -> dict[str, _Placed]:
        """Every link in the frame of its body, each after its parent, with all joints at zero."""
        below: dict[str, list[_Joint]] = defaultdict(list)
        for joint in self._joint_of.values():
            if absent := {joint.parent, joint.child} - self._links.keys():
                name = joint.name[:40]
                raise self._reading.fault(
                    f"the joint '{name}' names the link '{min(absent)[:40]}', which is not there"
                )
            below[joint.parent].append(joint)
        roots = [name for name in self._links if name not in self._joint_of]
        found = {name: _Placed(name, 0, np.zeros(3), np.eye(3)) for name in roots}
        waiting = roots
        while waiting:
            link = waiting.pop()
            above = found[link]
            for joint in below.get(link, ()):
                body, position, rotation = joint.child, np.zeros(3), np.eye(3)
                if joint.kind == "fixed":
                    body, position = above.body, above.position + above.rotation @ joint.position
                    rotation = above.rotation @ joint.rotation
                found[joint.child] = _Placed(body, above.depth + 1, position, rotation)
                waiting.append(joint.child)
        if any(name not in found for name in self._joint_of):
            raise self._reading.fault("its joints form a circle")
        return found

    # ------------------------------------------------------------ bodies

    def _body(self, link: str) -> _Body | None:
        """The body of a link; None of one without mass."""
        element = self._links.get(link)
        inertial = None if element is None else element.find("inertial")
        mass = None if inertial is None else inertial.find("mass")
        if inertial is None or mass is None:
            return None
        centre, turned = self._origin(inertial)
        tensor = np.zeros((3, 3))
        inertia = inertial.find("inertia")
        for i, j, name in (
            (0, 0, "ixx"),
            (1, 1, "iyy"),
            (2, 2, "izz"),
            (0, 1, "ixy"),
            (0, 2, "ixz"),
            (1, 2, "iyz"),
        ):
            text = "0" if inertia is None else inertia.get(name, "0")
            tensor[i, j] = tensor[j, i] = self._numbers(text, 1)[0]
        return _Body(float(self._numbers(mass.get("value", ""), 1)[0]), centre, turned @ tensor @ turned.T)

    def _rigid(self, link: str) -> _Body | None:
        """The body of a link and of all that is fixed to it, in its frame."""
        parts: list[_Body] = []
        for name in self._fixed_to[link]:
            if (part := self._body(name)) is not None:
                position, turned = self._placed[name].position, self._placed[name].rotation
                parts.append(
                    _Body(part.mass, position + turned @ part.centre, turned @ part.inertia @ turned.T)
                )
        mass = math.fsum(part.mass for part in parts)
        if not mass:
            return None
        if len(parts) == 1:
            return parts[0]
        centre = np.sum([part.mass * part.centre for part in parts], axis=0) / mass
        inertia = np.sum(
            [part.inertia + moved_inertia(part.mass, part.centre - centre) for part in parts], axis=0
        )
        return _Body(mass, centre, inertia)

    def _read_platform(self, platform: str) -> None:
        reading = self._reading
        body = self._rigid(platform)
        if body is None:
            reading.unread.append(f"mass of the platform '{platform[:40]}': it has none")
        else:
            reading.body(body.mass, body.centre.tolist(), body.inertia)
        self._read_box(platform)
        moving = self._moving_from(platform)
        if not moving:
            return
        if self._is_arm(moving):
            self._read_arm(moving)
            return
        masses = [part.mass for joint in moving if (part := self._rigid(joint.child)) is not None]
        reading.unread.append(
            f"{len(moving)} moving joints on the platform, with {sum(masses):g} kg: they are not those of "
            "the back-end's arm, which has one geometry"
        )

    def _read_box(self, platform: str) -> None:
        """The box of the platform, if it has one that is not turned and stands around its origin."""
        element = self._links[platform]
        for shape in (*element.findall("collision"), *element.findall("visual")):
            box = shape.find("geometry/box")
            if box is None:
                continue
            position, turned = self._origin(shape)
            if np.abs(position).max() > _SAME or np.abs(turned - np.eye(3)).max() > _SAME:
                self._reading.unread.append("a box of the platform that is turned, or not around its origin")
                continue
            self._reading.parameters["platform_half_size"] = (
                self._numbers(box.get("size", ""), 3) / 2
            ).tolist()
            return

    def _moving_from(self, platform: str) -> list[_Joint]:
        """The joints that move against the platform, each after those before it in the tree."""
        below = {platform}
        joints: list[_Joint] = []
        for name in sorted(self._placed, key=lambda name: self._placed[name].depth):
            joint = self._joint_of.get(name)
            if joint is not None and joint.parent in below:
                below.add(name)
                joints += [joint] if joint.kind != "fixed" else []
        return joints

    def _is_arm(self, moving: Sequence[_Joint]) -> bool:
        """Whether joints are those of the back-end's arm: six in a row, with its geometry."""
        if len(moving) != _ARM_JOINTS or any(
            joint.kind not in ("revolute", "continuous") for joint in moving
        ):
            return False
        from models.hybrid_cable_robot.arm_kinematics import JOINT_ORIGINS, joint_rotations  # loads numba

        turns = joint_rotations(np.zeros(_ARM_JOINTS))
        for place, joint in enumerate(moving):
            if place and joint.parent != moving[place - 1].child:
                return False
            if np.abs(joint.rotation - turns[place]).max() > _SAME:
                return False
            if np.abs(joint.position - JOINT_ORIGINS[place]).max() > _SAME:
                return False
        return True

    def _read_arm(self, moving: Sequence[_Joint]) -> None:
        parameters = self._reading.parameters
        base = self._placed[moving[0].parent]
        parameters["arm_base_position"] = base.position.tolist()
        parameters["arm_base_rotation"] = _rotation_vector(base.rotation).tolist()
        none = body_record(0.0, [0.0] * 3, np.zeros((3, 3)))
        bodies = [self._rigid(joint.child) for joint in moving]
        parameters["arm_links"] = [
            none if each is None else body_record(each.mass, each.centre.tolist(), each.inertia)
            for each in bodies
        ]
        limits = [joint.limits for joint in moving]
        if all(limits):
            parameters["arm_joint_limits"] = [[limit[end] for limit in limits if limit] for end in (0, 1)]


def _rotation_vector(rotation: FloatArray) -> FloatArray:
    """The rotation vector (3,) rad, also of half a turn, about which ``rotation_vector`` says nothing."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(rotation).as_rotvec(), dtype=np.float64)
