"""Robots of CASPR (Lau et al., IROS 2016): ``NAME_bodies.xml`` and ``NAME_cables.xml``.

Lengths are in metres, forces in newtons. A cable has two ends, one on link 0, which is the base. The
location of an end counts from the origin of the link's frame (``attachment_reference="joint"``) or from its
centre of mass (``"com"``). Of several sets of cables, the one that the file names as its default is read.
Limits of the joint are the space in which a pose may lie; CASPR's ``<K>`` of a cable is EA, in newtons. A
``<base_rotating_pulley>`` is a wheel that swivels about ``cable_entry_vector`` through ``fixed_location``, at
which the cable reaches it in that direction. Links in a row on the platform are its arm, at their first
values; others stand at these and count with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.freedoms import NORMALS, Freedoms, Plane
from models.numerics.rotations import rotation_matrix
from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.imported_robot import ImportedRobot, Pose, RobotReading, moved_inertia, number
from studies.exchange.link_tree import HERE, Body, Frame, lumped
from studies.exchange.serial_arm import ArmJoint, is_short, read_arm
from studies.exchange.source_text import SourceFile, xml_root

CABLES, BODIES = "_cables.xml", "_bodies.xml"
OTHERS = ("_operational_spaces.xml", "_trajectories.xml")
"""Ends of the names of files beside the robot's, from which nothing is read."""
_RIGID = ("cable_ideal", "cable_linear_spring")
_BASE, _PLATFORM = 0, 1
_POINT, _PULLEY = "attachment", "base_rotating_pulley"
_POSITION = 3  # coordinates
_DIGITS = 6  # of the number of a link
_LIMITS = {"force_min": "f_min", "force_max": "f_max", "diameter": "cable_diameter"}
_GUIDED = re.compile(r"(PLANAR|P|T|TRANSLATION|TRANSLATIONAL)_([XYZ]{2,3})")
_SINGLE = re.compile(r"([RP])_([XYZ])")
_MOTIONS = (
    "platforms that move freely (SPATIAL joints), in a plane (PLANAR_XY, P_XY ...) or without turning (P_XYZ)"
)
_QUARTER = math.pi / 2
"""The greatest limit of rotations that the back-end has, rad."""
_REMARKS = {
    "links@display_range": "only CASPR's drawing uses it",
    "links@view_angle": "only CASPR's drawing uses it",
    "physical/end_location": "only that of an arm's last link is a tool",
}


def read_caspr(file: SourceFile) -> ImportedRobot:
    """The robot of one of its two files, whose names differ in their ends; the other stands beside it."""
    stem = file.name.removesuffix(CABLES).removesuffix(BODIES)
    cables, bodies = (
        xml_entry(xml_root(file.text if name == file.name else file.beside(name), name))
        for name in (stem + CABLES, stem + BODIES)
    )
    reading = RobotReading(f"{stem} (CASPR)", [bodies, cables], _REMARKS)
    _read_cables(reading, cables, _read_body(reading, bodies))
    reading.unread += [text for end in OTHERS for text in _beside(file, stem + end)]
    return reading.robot()


def _beside(file: SourceFile, name: str) -> list[str]:
    """A sentence on a file beside the robot's, unless it says nothing."""
    try:
        parts = [part.tag for part in xml_entry(xml_root(file.beside(name), name))]
    except InputError:
        return []
    return [f"{name}, beside the robot's files: {', '.join(dict.fromkeys(parts))[:80]}"] if parts else []


def _vector(reading: RobotReading, text: str | None, what: str) -> FloatArray:
    try:
        values = [number(part) for part in (text or "").split()]
    except ValueError:
        values = []
    if len(values) != 3:
        raise reading.fault(f"{what} is '{(text or '')[:40]}'; it must be three finite numbers")
    return np.array(values)


def _value(reading: RobotReading, parent: Entry | None, name: str) -> float | None:
    """A number in an element; None where there is none."""
    text = None if parent is None else parent.text(name)
    if text is None:
        return None
    try:
        return number(text)
    except ValueError:
        raise reading.fault(f"<{name}> is '{text[:40]}', not a finite number") from None


def _read_body(reading: RobotReading, root: Entry) -> FloatArray:
    """Take mass, inertia and limits of the platform; its centre of mass (3,) m in the frame of its joint."""
    links = root.findall("link_rigid") or root.findall("links/link_rigid")
    if not links:
        raise reading.fault("has no <link_rigid>; the back-end has robots with one platform")
    link = links[0]
    joint = link.find("joint")
    kind = _kind(link)
    motion = joint_motion(kind)
    if motion is None:
        raise reading.fault(f"its platform has the joint '{kind[:40]}'; the back-end has {_MOTIONS}")
    link.get("num")
    reading.freedoms, reading.plane = motion.freedoms, motion.plane
    _read_joint(reading, joint, kind, motion, _origin(reading, link))
    body = _body(reading, link)
    centre = np.zeros(3) if body is None else body.centre
    carried = _carried(reading, links[1:])
    if carried:
        body = lumped([*([] if body is None else [body]), *carried])
    if body is not None:
        reading.body(body.mass, body.centre.tolist(), body.inertia)
    return centre


def _kind(link: Entry) -> str:
    """Return the type of a link's joint, in either spelling."""
    joint = link.find("joint")
    return str(link.text("joint_type") or (joint.get("type", "") if joint else "")).strip()


def _body(reading: RobotReading, link: Entry) -> Body | None:
    """Return the body of a link in the frame of its joint; None without a mass."""
    physical = link.find("physical")
    given = None if physical is None else physical.text("com_location")
    centre = np.zeros(3) if given is None else _vector(reading, given, "com_location")
    mass = _value(reading, physical, "mass")
    if physical is None or mass is None:
        return None
    return Body(mass, centre, _inertia(reading, physical.find("inertia"), mass, centre))


class _Carried(NamedTuple):
    """A link on the platform: its number, that of its parent, and its joint."""

    number: int
    parent: int
    joint: ArmJoint
    value: float

    def moved(self) -> Frame:
        """Return the pose of the link in its parent at the joint's first value."""
        way = self.value * self.joint.axis
        if self.joint.kind == "prismatic":
            return self.joint.pose.then(Frame(way, np.eye(3)))
        return self.joint.pose.then(Frame(np.zeros(3), rotation_matrix(way)))


def _carried(reading: RobotReading, links: Sequence[Entry]) -> list[Body]:
    """Take links in a row on the platform as its arm; return the bodies of others, in its frame."""
    found: dict[int, _Carried] = {}
    for link in links:
        each = _carried_link(reading, link)
        if each.parent != _PLATFORM and each.parent not in found:
            raise reading.fault(_STRANGE.format(_kind(link)[:40]))
        found[each.number] = each
    row = list(found.values())
    if is_short(row) and [each.parent for each in row] == [_PLATFORM, *(each.number for each in row[:-1])]:
        end = links[-1].text("physical/end_location")
        tool = None if end is None else _vector(reading, end, "end_location")
        read_arm(reading, HERE, [each.joint for each in row], tool, [each.value for each in row])
        return []
    frames = {_PLATFORM: HERE}
    for each in row:
        frames[each.number] = frames[each.parent].then(each.moved())
    bodies = [each.joint.body.seen_from(frames[each.number]) for each in row if each.joint.body is not None]
    if row:
        mass = math.fsum(body.mass for body in bodies)
        reading.assumed.append(
            f"the {len(links)} links on the platform stand at their first values (q_initial), and their "
            f"{mass:g} kg count with its body"
        )
    return bodies


_STRANGE = (
    "has a link on the joint '{}'; links on the platform are read that turn or slide about one axis (R_X to "
    "R_Z, P_X to P_Z), each on the platform or on another such link"
)


def _carried_link(reading: RobotReading, link: Entry) -> _Carried:
    kind, parent, joint = _kind(link), link.find("parent"), link.find("joint")
    match = _SINGLE.fullmatch(kind)
    if parent is None or match is None:
        raise reading.fault(_STRANGE.format(kind[:40]))
    number_of = str(link.get("num", ""))
    if not number_of.isdecimal() or len(number_of) > _DIGITS:
        raise reading.fault(f"has a link with the number '{number_of[:20]}'; it must be a whole number")
    value, least, greatest = (
        _coordinates(reading, joint, name, 1) for name in ("q_initial", "q_min", "q_max")
    )
    place = _vector(reading, parent.text("location"), "the location of a joint on the platform")
    limits = None if least is None or greatest is None else (float(least[0]), float(greatest[0]))
    name = str(link.get("name", "") or number_of)
    what = "revolute" if match[1] == "R" else "prismatic"
    axis, body = np.eye(3)["XYZ".index(match[2])], _body(reading, link)
    arm_joint = ArmJoint(name, what, Frame(place, np.eye(3)), axis, body, limits)
    above = int(_value(reading, parent, "num") or 0)
    return _Carried(int(number_of), above, arm_joint, 0.0 if value is None else float(value[0]))


def _origin(reading: RobotReading, link: Entry) -> FloatArray:
    """The origin (3,) m of the joint in the base, from which its positions count."""
    parent = link.find("parent")
    if parent is None:
        return np.zeros(3)
    parent.text("num")
    text = parent.text("location")
    return np.zeros(3) if text is None else _vector(reading, text, "the location of the platform's joint")


class JointMotion(NamedTuple):
    """Motion pattern of a platform's joint; ``axes`` are the numbers of its positions along x, y and z.

    ``turns`` is the number of its coordinates that are angles, None where they are no angles.
    """

    freedoms: Freedoms
    plane: Plane | None
    axes: tuple[int, ...]
    turns: int | None


def joint_motion(kind: str) -> JointMotion | None:
    """Return the motion of a joint of CASPR by its name; None for one that the back-end has not."""
    if kind.startswith("SPATIAL"):
        return JointMotion("3R3T", None, (0, 1, 2), 3 if "EULER" in kind else None)
    if not (match := _GUIDED.fullmatch(kind)):
        return None
    axes = tuple("XYZ".index(letter) for letter in match[2])
    if len(set(axes)) < len(axes):
        return None
    if len(axes) == 3:
        return None if match[1] == "PLANAR" else JointMotion("3T", None, axes, 0)
    normal = 3 - sum(axes)
    plane = next(name for name, axis in NORMALS.items() if axis == normal)
    if match[1] == "PLANAR":
        return JointMotion("1R2T", plane, axes, 1)
    return JointMotion("2T", plane, axes, 0) if match[1] == "P" else None


def _read_joint(
    reading: RobotReading, joint: Entry | None, kind: str, motion: JointMotion, origin: FloatArray
) -> None:
    """Take the limits of the pose as the space, and its first value as the pose at which the robot is."""
    count = None if motion.turns is None else len(motion.axes) + motion.turns
    lower, upper, first = (
        _coordinates(reading, joint, name, count) for name in ("q_min", "q_max", "q_initial")
    )
    axes, number = list(motion.axes), len(motion.axes)
    if lower is not None and upper is not None:
        corners = np.array([origin, origin])
        corners[:, axes] += np.array([lower[:number], upper[:number]])
        if (corners[0][axes] < corners[1][axes]).all():
            reading.parameters["space"] = corners.tolist()
        else:
            reading.unread.append(f"limits of the position that leave no space, {corners.tolist()}")
        if motion.turns:
            _read_turns(reading, kind, motion, np.minimum(-lower[number:], upper[number:]))
    if first is not None:
        place, turned = origin.copy(), np.eye(3)
        place[axes] += first[:number]
        if motion.turns:
            for axis, angle in zip(_turning_axes(kind, motion), first[number:].tolist(), strict=True):
                turned = turned @ rotation_matrix(angle * axis)
        reading.pose = Pose.of(place, turned)


def _turning_axes(kind: str, motion: JointMotion) -> FloatArray:
    """Return the axes (k, 3) of a joint's angles, in their order."""
    if motion.plane is not None:
        return np.eye(3)[[NORMALS[motion.plane]]]
    return _axes(kind)


def _axes(kind: str) -> FloatArray:
    """Axes (3, 3) of Euler angles in their order, as the name of a joint ends."""
    order = kind[-3:] if set(kind[-3:]) <= set("XYZ") else "XYZ"
    return np.eye(3)[["XYZ".index(letter) for letter in order]]


def _coordinates(
    reading: RobotReading, joint: Entry | None, name: str, count: int | None
) -> FloatArray | None:
    """Coordinates of a joint, in metres and radians; None where it has none."""
    text = None if joint is None else joint.get(name)
    if not text:
        return None
    try:
        values = [number(part) for part in text.split()]
    except ValueError:
        values = []
    if len(values) < (count or _POSITION) or (count is not None and len(values) != count):
        raise reading.fault(f"{name} is '{text[:40]}'; it must be {count or 'at least 3'} finite numbers")
    return np.array(values)


def _read_turns(reading: RobotReading, kind: str, motion: JointMotion, limits: FloatArray) -> None:
    """Take limits (k,) rad of turns in both directions, as far as they are limits; half a turn is none."""
    if (limits < 0).any():
        reading.unread.append(f"limits of turns that exclude the nominal orientation, {limits.tolist()} rad")
        return
    if not (limits < _QUARTER).any():
        reading.assumed.append(
            f"the file lets the platform turn by {float(limits.min()):g} rad: turned poses are not tested "
            "unless you ask (orientations)"
        )
        return
    each = np.full(3, _QUARTER)
    each[np.argmax(_turning_axes(kind, motion), axis=1)] = np.minimum(limits, _QUARTER)
    own = each[np.argmax(_turning_axes(kind, motion), axis=1)].tolist()
    reading.parameters["rotation_limit"] = own[0] if len(set(own)) == 1 else each.tolist()
    if len(own) > 1:
        reading.assumed.append("limits of Euler angles are those of the rotation vector (rotation_limit)")


def _inertia(reading: RobotReading, element: Entry | None, mass: float, centre: FloatArray) -> FloatArray:
    """The tensor (3, 3) kg m^2 about the centre of mass."""
    tensor = np.zeros((3, 3))
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        tensor[i, j] = tensor[j, i] = _value(reading, element, f"I{'xyz'[i]}{'xyz'[j]}") or 0.0
    if element is not None and element.get("ref") == "joint":
        tensor -= moved_inertia(mass, centre)
    return tensor


def _read_cables(reading: RobotReading, root: Entry, centre: FloatArray) -> None:
    sets = {each.get("id", ""): each for each in root.findall("cable_set")}
    wanted = root.get("default_cable_set", "")
    if not sets:
        raise reading.fault("has no <cable_set>")
    chosen = sets.get(wanted, next(iter(sets.values())))
    others = [name for name, each in sets.items() if each is not chosen]
    for name in others:
        sets[name].take()
    if others:
        names = ", ".join(name[:40] for name in others)
        reading.unread.append(f"the sets of cables that are not the default one: {names}")
    axial: list[float] = []
    for place, cable in enumerate(chosen, 1):
        if cable.tag not in _RIGID:
            raise reading.fault(f"cable {place} is a <{cable.tag[:40]}>; only {', '.join(_RIGID)} are read")
        reading.cables.names[place] = f"cable '{str(cable.get('name', place))[:20]}'"
        _read_ends(reading, cable, place, centre, others)
        properties = cable.find("properties")
        for name, parameter in _LIMITS.items():
            reading.cables.take(place, parameter, _value(reading, properties, name))
        if (stiffness := _value(reading, properties, "K")) is not None:
            axial.append(stiffness)
    if axial and len(axial) == len(reading.pulleys):
        reading.parameters["axial_stiffness"] = axial  # over its length it is a cable's stiffness


def _read_ends(
    reading: RobotReading, cable: Entry, place: int, centre: FloatArray, others: list[str]
) -> None:
    """Take both ends of a cable; ``others`` are the sets of cables that are not read."""
    name = reading.cables.names[place]
    ends = [end for holder in cable.findall("attachments") for end in holder]
    strange = [each.tag for each in ends if each.tag not in (_POINT, _PULLEY)]
    if strange:
        instead = f"; write another set of the file as default_cable_set: {', '.join(others)[:80]}"
        raise reading.fault(
            f"{name} ends at <{strange[0][:40]}>; the back-end has cables that run from points (<{_POINT}>) "
            f"or over swivelling wheels (<{_PULLEY}>){instead if others else ''}"
        )
    if len(ends) != 2:
        raise reading.fault(f"{name} has {len(ends)} attachments; the back-end has straight cables")
    of_mass = cable.get("attachment_reference") == "com"
    for end in ends:
        if end.tag == _PULLEY:
            _read_pulley(reading, end, place, name)
            continue
        link = int(_value(reading, end, "link") or 0)
        point = _vector(reading, end.text("location"), f"a location of {name}")
        if link == _BASE:
            reading.pulleys[place] = point
        elif link == _PLATFORM:
            reading.attachments[place] = point + (centre if of_mass else 0.0)
        else:
            raise reading.fault(
                f"{name} ends at link {link}; the back-end has cables to one platform, link 1"
            )


def _read_pulley(reading: RobotReading, pulley: Entry, place: int, name: str) -> None:
    """Take a wheel on the base that swivels about the direction in which its cable reaches it."""
    what = f"of <{_PULLEY}> of {name}"
    reading.pulleys[place] = _vector(reading, pulley.text("fixed_location"), f"fixed_location {what}")
    radius = _value(reading, pulley, "pulley_radius")
    if radius is None:
        raise reading.fault(f"<{_PULLEY}> of {name} has no pulley_radius")
    axis = _vector(reading, pulley.text("cable_entry_vector"), f"cable_entry_vector {what}")
    reading.cables.wheel(place, radius, axis)
