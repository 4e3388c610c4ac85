"""Cable robots in URDF: a tree of links and joints in which frames mark where cables run.

URDF knows no cables. Links whose names hold ``pulley`` or ``frame_anchor`` and a number are the points from
which cables run; ``attachment`` or ``platform_anchor`` with the same number are where they hold the
platform; :mod:`studies.exchange.robot_from_links` reads the robot from the structure of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.imported_robot import FloatArray, ImportedRobot, RobotReading
from studies.exchange.link_tree import (
    HERE,
    Body,
    Box,
    Frame,
    Joint,
    Link,
    LinkTree,
    direction,
    numbers,
    rotation_of,
    tensor_of,
)
from studies.exchange.robot_from_links import read_tree
from studies.exchange.source_text import SourceFile, xml_root

_REMARKS = {"visual": "how links look", "mesh@filename": "no file that the description names is opened"}
_SHOWN = 60  # characters of a text


def read_urdf(file: SourceFile) -> ImportedRobot:
    """Read the robot of a file; meshes and other files that it names are not opened."""
    reading = RobotReading(f"{file.name} (URDF)")
    root = xml_root(file.text, file.name)
    if root.tag != "robot":
        raise reading.fault(f"begins with <{root.tag[:40]}>; URDF begins with <robot>")
    if any("xacro" in element.tag for element in root.iter()):
        raise reading.fault("is xacro; convert it first: xacro FILE > robot.urdf")
    if sum(1 for _ in root.iter("mesh")):
        reading.unread.append("meshes: no file that the description names is opened")
    robot = xml_entry(root)
    reading.trees, reading.remarks = [robot], _REMARKS
    robot.get("name")
    urdf = _Urdf(reading)
    read_tree(reading, LinkTree(reading, urdf.links(robot), map(urdf.joint, robot.findall("joint"))))
    return reading.robot()


class _Urdf:
    """Elements of URDF as links and joints."""

    def __init__(self, reading: RobotReading) -> None:
        self._reading = reading

    def links(self, robot: Entry) -> dict[str, Link]:
        """Return the links of a robot by their names."""
        found: dict[str, Link] = {}
        for entry in robot.findall("link"):
            name = str(entry.get("name", ""))
            if name in found:
                raise self._reading.fault(f"has two links of the name '{name[:_SHOWN]}'")
            found[name] = Link(name, partial(self._body, entry), partial(self._boxes, entry))
        return found

    def joint(self, entry: Entry) -> Joint:
        """Return a joint; its axis is x without one, as URDF has it."""
        ends = [entry.find("parent"), entry.find("child")]
        parent, child = ("" if end is None else str(end.get("link", "")) for end in ends)
        name, kind = str(entry.get("name", "")), str(entry.get("type", ""))
        return Joint(
            name, kind, parent, child, self._origin(entry),
            partial(self._axis, entry), partial(self._limits, entry, kind),
        )  # fmt: skip

    def _numbers(self, text: str, count: int) -> FloatArray:
        return numbers(self._reading, text, count)

    def _origin(self, entry: Entry) -> Frame:
        """Return the pose of an element's origin; that of the parent without one."""
        origin = entry.find("origin")
        if origin is None:
            return HERE
        turns = self._numbers(origin.get("rpy", "0 0 0"), 3)
        return Frame(self._numbers(origin.get("xyz", "0 0 0"), 3), rotation_of(turns))

    def _axis(self, entry: Entry) -> FloatArray:
        """Return the axis (3,) of a joint, of length 1."""
        element = entry.find("axis")
        text = "1 0 0" if element is None else element.get("xyz", "1 0 0")
        return direction(self._reading, text, str(entry.get("name", "")))

    def _limits(self, entry: Entry, kind: str) -> tuple[float, float] | None:
        limit = entry.find("limit")
        if limit is None or kind not in ("revolute", "prismatic"):
            return None
        lower, upper = (float(self._numbers(limit.get(name, "0"), 1)[0]) for name in ("lower", "upper"))
        return lower, upper

    def _body(self, link: Entry) -> Body | None:
        """Return the body of a link; None of one without mass."""
        inertial = link.find("inertial")
        mass = None if inertial is None else inertial.find("mass")
        if inertial is None or mass is None:
            return None
        pose = self._origin(inertial)
        inertia = inertial.find("inertia")
        tensor = tensor_of(self._reading, lambda name: None if inertia is None else inertia.get(name))
        value = float(self._numbers(mass.get("value", ""), 1)[0])
        return Body(value, np.zeros(3), tensor).seen_from(pose)

    def _boxes(self, link: Entry) -> Sequence[Box]:
        """Return the boxes of a link, those that collide first."""
        return [
            Box(self._origin(shape), self._numbers(box.get("size", ""), 3) / 2)
            for shape in (*link.findall("collision"), *link.findall("visual"))
            if (box := shape.find("geometry/box")) is not None
        ]
