"""Robots of CASPR (Lau et al., IROS 2016): ``NAME_bodies.xml`` and ``NAME_cables.xml``.

Lengths are in metres, forces in newtons. A cable has two ends, one on link 0, which is the base. The
location of an end counts from the origin of the link's frame (``attachment_reference="joint"``) or from its
centre of mass (``"com"``). Of several sets of cables, the one that the file names as its default is read.
Limits of the joint are the space in which a pose may lie; CASPR's ``<K>`` of a cable is EA, in newtons.
"""

from __future__ import annotations

import math

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.numerics.rotations import rotation_matrix
from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.imported_robot import ImportedRobot, Pose, RobotReading, moved_inertia, number
from studies.exchange.source_text import SourceFile, xml_root

CABLES, BODIES = "_cables.xml", "_bodies.xml"
OTHERS = ("_operational_spaces.xml", "_trajectories.xml")
"""Ends of the names of files beside the robot's, from which nothing is read."""
_RIGID = ("cable_ideal", "cable_linear_spring")
_BASE, _PLATFORM = 0, 1
_POSITION, _POSE = 3, 6  # coordinates of a pose; of one with Euler angles
_QUARTER = math.pi / 2
"""The greatest limit of rotations that the back-end has, rad."""
_REMARKS = {
    "links@display_range": "only CASPR's drawing uses it",
    "links@view_angle": "only CASPR's drawing uses it",
    "physical/end_location": "the back-end has no tool",
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
    """Take mass, inertia and limits of the only link; its centre of mass (3,) m in the frame of its joint."""
    links = root.findall("link_rigid") or root.findall("links/link_rigid")
    if len(links) != 1:
        raise reading.fault(f"has {len(links)} rigid links; the back-end has robots with one platform")
    link = links[0]
    joint = link.find("joint")
    kind = (link.text("joint_type") or (joint.get("type", "") if joint else "")).strip()
    if not kind.startswith("SPATIAL"):
        raise reading.fault(
            f"its platform has the joint '{kind[:40]}'; the back-end has platforms with six degrees of "
            "freedom (SPATIAL joints)"
        )
    link.get("num")
    _read_joint(reading, joint, kind, _origin(reading, link))
    physical = link.find("physical")
    given = None if physical is None else physical.text("com_location")
    centre = np.zeros(3) if given is None else _vector(reading, given, "com_location")
    mass = _value(reading, physical, "mass")
    if physical is not None and mass is not None:
        reading.body(mass, centre.tolist(), _inertia(reading, physical.find("inertia"), mass, centre))
    return centre


def _origin(reading: RobotReading, link: Entry) -> FloatArray:
    """The origin (3,) m of the joint in the base, from which its positions count."""
    parent = link.find("parent")
    if parent is None:
        return np.zeros(3)
    parent.text("num")
    text = parent.text("location")
    return np.zeros(3) if text is None else _vector(reading, text, "the location of the platform's joint")


def _read_joint(reading: RobotReading, joint: Entry | None, kind: str, origin: FloatArray) -> None:
    """Take the limits of the pose as the space, and its first value as the pose at which the robot is."""
    angles = "EULER" in kind
    poses = [
        _coordinates(reading, joint, name, _POSE if angles else None)
        for name in ("q_min", "q_max", "q_initial")
    ]
    lower, upper, first = poses
    if lower is not None and upper is not None:
        space = [(origin + each[:_POSITION]).tolist() for each in (lower, upper)]
        if (lower[:_POSITION] < upper[:_POSITION]).all():
            reading.parameters["space"] = space
        else:
            reading.unread.append(f"limits of the position that leave no space, {space}")
        if angles:
            _read_turns(reading, np.concatenate([-lower[_POSITION:], upper[_POSITION:]]))
    if first is not None:
        turned = np.eye(3)
        if angles:
            for axis, angle in zip(_axes(kind), first[_POSITION:].tolist(), strict=True):
                turned = turned @ rotation_matrix(angle * axis)
        reading.pose = Pose.of(origin + first[:_POSITION], turned)


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
    if len(values) < _POSITION or (count is not None and len(values) != count):
        raise reading.fault(f"{name} is '{text[:40]}'; it must be {count or 'at least 3'} finite numbers")
    return np.array(values)


def _read_turns(reading: RobotReading, limits: FloatArray) -> None:
    """Take the least of six limits of rotations, rad: the back-end has one, about all axes."""
    least, greatest = float(limits.min()), float(limits.max())
    if not 0 <= least < _QUARTER:
        told = f"the file lets the platform turn by {least:g} rad"
        reading.assumed.append(f"{told}: turned poses are not tested unless you ask (orientations)")
        return
    reading.parameters["rotation_limit"] = least
    if greatest > least:
        reading.assumed.append(
            f"rotation_limit is {least:g} rad about all axes, the tightest of {least:g} to {greatest:g} rad"
        )


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
    found: dict[str, list[float]] = {"force_min": [], "force_max": [], "diameter": [], "K": []}
    for place, cable in enumerate(chosen, 1):
        if cable.tag not in _RIGID:
            raise reading.fault(f"cable {place} is a <{cable.tag[:40]}>; only {', '.join(_RIGID)} are read")
        _read_ends(reading, cable, place, centre, others)
        properties = cable.find("properties")
        for name, values in found.items():
            value = _value(reading, properties, name)
            if value is not None:
                values.append(value)
    reading.limits(found["force_min"], found["force_max"])
    reading.common("cable_diameter", found["diameter"], max)
    if found["K"] and len(found["K"]) == len(reading.pulleys):
        reading.parameters["axial_stiffness"] = found["K"]  # over its length it is a cable's stiffness


def _read_ends(
    reading: RobotReading, cable: Entry, place: int, centre: FloatArray, others: list[str]
) -> None:
    """Take both ends of a cable; ``others`` are the sets of cables that are not read."""
    name = str(cable.get("name", place))[:20]
    ends = cable.findall("attachments/attachment")
    strange = [each.tag for holder in cable.findall("attachments") for each in holder if each not in ends]
    if strange:
        instead = f"; write another set of the file as default_cable_set: {', '.join(others)[:80]}"
        raise reading.fault(
            f"cable {name} ends at <{strange[0][:40]}>; the back-end has cables that run from points "
            f"(<attachment>){instead if others else ''}"
        )
    if len(ends) != 2:
        raise reading.fault(f"cable {name} has {len(ends)} attachments; the back-end has straight cables")
    of_mass = cable.get("attachment_reference") == "com"
    for end in ends:
        link = int(_value(reading, end, "link") or 0)
        point = _vector(reading, end.text("location"), f"a location of cable {name}")
        if link == _BASE:
            reading.pulleys[place] = point
        elif link == _PLATFORM:
            reading.attachments[place] = point + (centre if of_mass else 0.0)
        else:
            raise reading.fault(f"cable {name} ends at link {link}; the robot has one link")
