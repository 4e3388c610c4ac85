"""Robots of CASPR (Lau et al., IROS 2016): ``NAME_bodies.xml`` and ``NAME_cables.xml``.

Lengths are in metres, forces in newtons. A cable has two ends, one on link 0, which is the base. The
location of an end counts from the origin of the link's frame (``attachment_reference="joint"``) or from its
centre of mass (``"com"``). Of several sets of cables, the one that the file names as its default is read.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from studies.exchange.imported_robot import FloatArray, ImportedRobot, RobotReading, moved_inertia, number
from studies.exchange.source_text import SourceFile, xml_root

CABLES, BODIES = "_cables.xml", "_bodies.xml"
_RIGID = {"cable_ideal", "cable_linear_spring"}
_BASE, _PLATFORM = 0, 1


def read_caspr(file: SourceFile) -> ImportedRobot:
    """The robot of one of its two files, whose names differ in their ends; the other stands beside it."""
    stem = file.name.removesuffix(CABLES).removesuffix(BODIES)
    cables, bodies = (
        xml_root(file.text if name == file.name else file.beside(name), name)
        for name in (stem + CABLES, stem + BODIES)
    )
    reading = RobotReading(f"{stem} (CASPR)")
    _read_cables(reading, cables, _read_body(reading, bodies))
    return reading.robot()


def _vector(reading: RobotReading, text: str | None, what: str) -> FloatArray:
    try:
        values = [number(part) for part in (text or "").split()]
    except ValueError:
        values = []
    if len(values) != 3:
        raise reading.fault(f"{what} is '{(text or '')[:40]}'; it must be three finite numbers")
    return np.array(values)


def _value(reading: RobotReading, parent: Element | None, name: str) -> float | None:
    """A number in an element; None where there is none."""
    text = None if parent is None else parent.findtext(name)
    if text is None:
        return None
    try:
        return number(text)
    except ValueError:
        raise reading.fault(f"<{name}> is '{text[:40]}', not a finite number") from None


def _read_body(reading: RobotReading, root: Element) -> FloatArray:
    """Take mass and inertia of the only link; its centre of mass (3,) m in the frame of its joint."""
    links = root.findall("link_rigid") or root.findall("links/link_rigid")
    if len(links) != 1:
        raise reading.fault(f"has {len(links)} rigid links; the back-end has robots with one platform")
    link = links[0]
    joint = (link.findtext("joint_type") or "").strip()
    if not joint:
        joint = next((each.get("type", "") for each in link.findall("joint")), "")
    if not joint.startswith("SPATIAL"):
        raise reading.fault(
            f"its platform has the joint '{joint[:40]}'; the back-end has platforms with six degrees of "
            "freedom (SPATIAL joints)"
        )
    if (origin := link.findtext("parent/location")) is not None and _vector(reading, origin, "parent").any():
        reading.unread.append("the location of the platform's joint in the base: poses count from the origin")
    physical = link.find("physical")
    given = None if physical is None else physical.findtext("com_location")
    centre = np.zeros(3) if given is None else _vector(reading, given, "com_location")
    mass = _value(reading, physical, "mass")
    if physical is not None and mass is not None:
        reading.body(mass, centre.tolist(), _inertia(reading, physical.find("inertia"), mass, centre))
    reading.unread += [
        f"<{name}> of the link" for name in ("display", "end_location") if _is_told(link, physical, name)
    ]
    return centre


def _is_told(link: Element, physical: Element | None, name: str) -> bool:
    return link.find(name) is not None or (physical is not None and physical.find(name) is not None)


def _inertia(reading: RobotReading, element: Element | None, mass: float, centre: FloatArray) -> FloatArray:
    """The tensor (3, 3) kg m^2 about the centre of mass."""
    entries = {
        name: _value(reading, element, name) or 0.0 for name in ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
    }
    tensor = np.diag([entries["Ixx"], entries["Iyy"], entries["Izz"]])
    for i, j, name in ((0, 1, "Ixy"), (0, 2, "Ixz"), (1, 2, "Iyz")):
        tensor[i, j] = tensor[j, i] = entries[name]
    if element is not None and element.get("ref") == "joint":
        tensor -= moved_inertia(mass, centre)
    return tensor


def _read_cables(reading: RobotReading, root: Element, centre: FloatArray) -> None:
    sets = {each.get("id", ""): each for each in root.findall("cable_set")}
    wanted = root.get("default_cable_set", "")
    if not sets:
        raise reading.fault("has no <cable_set>")
    chosen = sets.get(wanted, next(iter(sets.values())))
    if len(sets) > 1:
        others = ", ".join(name[:40] for name, each in sets.items() if each is not chosen)
        reading.unread.append(f"the sets of cables that are not the default one: {others}")
    least: list[float] = []
    greatest: list[float] = []
    elastic: list[float] = []
    for place, cable in enumerate(chosen, 1):
        if cable.tag not in _RIGID:
            raise reading.fault(
                f"cable {place} is a <{cable.tag}>; only {', '.join(sorted(_RIGID))} are read"
            )
        _read_ends(reading, cable, place, centre)
        properties = cable.find("properties")
        for values, name in ((least, "force_min"), (greatest, "force_max"), (elastic, "K_cable")):
            value = _value(reading, properties, name)
            if value is not None:
                values.append(value)
    reading.limits(least, greatest)
    if elastic and len(elastic) == len(reading.pulleys):
        reading.parameters["axial_stiffness"] = elastic  # K_cable over the length is a cable's stiffness


def _read_ends(reading: RobotReading, cable: Element, place: int, centre: FloatArray) -> None:
    ends = cable.findall("attachments/attachment")
    if len(ends) != 2:
        raise reading.fault(f"cable {place} has {len(ends)} attachments; the back-end has straight cables")
    of_mass = cable.get("attachment_reference") == "com"
    for end in ends:
        link = int(_value(reading, end, "link") or 0)
        point = _vector(reading, end.findtext("location"), f"a location of cable {place}")
        if link == _BASE:
            reading.pulleys[place] = point
        elif link == _PLATFORM:
            reading.attachments[place] = point + (centre if of_mass else 0.0)
        else:
            raise reading.fault(f"cable {place} ends at link {link}; the robot has one link")
