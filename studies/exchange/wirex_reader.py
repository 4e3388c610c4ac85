"""Robots of WireX and WireCenter (Pott, Fraunhofer IPA): XML (``.xml``, ``.wcrfx``) and the older text.

The XML is that of version 0.32 (``<models>``, ``<robot>``, ``<geometry>`` with a ``<chain>`` for each cable).
Its lengths are in metres, forces in newtons, Young's modulus in pascals.
"""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element

import numpy as np

from studies.exchange.imported_robot import FloatArray, ImportedRobot, RobotReading, number
from studies.exchange.source_text import SourceFile, xml_root

_COMMENT = "//"
_LIMITS = {"fmin": "f_min", "fmax": "f_max"}


def read_wirex(file: SourceFile) -> ImportedRobot:
    """The robot of a file: XML where the text begins like it, else the older format."""
    if file.text.lstrip().startswith("<"):
        return _read_xml(xml_root(file.text, file.name), file.name)
    return _read_text(file.text, file.name)


# ---------------------------------------------------------------- XML


def _read_xml(root: Element, name: str) -> ImportedRobot:
    reading = RobotReading(f"{name} (WireX {root.get('version', 'without version')})")
    robot = root.find("robot")
    if root.tag != "models" or robot is None:
        if root.find("wireRobot") is not None:
            raise reading.fault("is in an older format, <wireRobot>; open it in WireCenter and save it again")
        raise reading.fault("has no <robot> in <models>")
    pattern = robot.get("motionpattern", "3R3T")
    if pattern != "3R3T":
        raise reading.fault(f"has the motion pattern {pattern[:20]}; the back-end has 3R3T")
    chains = robot.findall("geometry/chain")
    for place, chain in enumerate(chains, 1):
        reading.pulleys[place] = _point(reading, chain.find("base"), f"<base> of chain {place}")
        reading.attachments[place] = _point(reading, chain.find("platform"), f"<platform> of chain {place}")
    if any(chain.find("base[@radius]") is not None for chain in chains):
        reading.unread.append("radius and orientation of the pulleys: cables run from points")
    _read_platform(reading, robot.find("platform"))
    _read_cable_types(reading, root, len(chains))
    if robot.find("controller") is not None:
        reading.unread.append("<controller>")
    return reading.robot()


def _numbers(reading: RobotReading, element: Element | None, names: str, what: str) -> list[float] | None:
    """Attributes as numbers; None where one is missing."""
    texts = [None if element is None else element.get(name) for name in names.split()]
    if None in texts:
        return None
    try:
        return [number(text) for text in texts]
    except ValueError:
        raise reading.fault(f"{what} has an attribute of {names} that is not a finite number") from None


def _point(reading: RobotReading, element: Element | None, what: str) -> FloatArray:
    found = _numbers(reading, element, "x y z", what)
    if found is None:
        raise reading.fault(f"{what} is missing, or has not x, y and z")
    return np.array(found)


def _read_platform(reading: RobotReading, platform: Element | None) -> None:
    mass = _numbers(reading, platform, "mass", "<platform>")
    if platform is None or mass is None:
        return
    centre = _numbers(reading, platform.find("centerofgravity"), "x y z", "<centerofgravity>") or [0.0] * 3
    names = "Ixx Ixy Ixz Iyx Iyy Iyz Izx Izy Izz"
    given = _numbers(reading, platform.find("inertiatensor"), names, "<inertiatensor>")
    tensor = np.zeros((3, 3)) if given is None else np.array(given).reshape(3, 3)
    if given is None:
        reading.assumed.append("the platform has no moments of inertia")
    reading.body(mass[0], centre, (tensor + tensor.T) / 2)


def _read_cable_types(reading: RobotReading, root: Element, count: int) -> None:
    """Diameter and EA of the cables, and the greatest force of a winch; of the first type of each."""
    cables, winches = root.findall("cable"), root.findall("winch")
    if len(cables) > 1 or len(winches) > 1:
        reading.assumed.append("all cables and winches are of the first type in the file")
    if cables:
        radius = _numbers(reading, cables[0], "radius", "<cable>")
        modulus = _numbers(reading, cables[0], "elasticity", "<cable>")
        if radius is not None and radius[0] > 0:
            reading.parameters["cable_diameter"] = 2 * radius[0]
            if modulus is not None and modulus[0] > 0:
                reading.parameters["axial_stiffness"] = [modulus[0] * math.pi * radius[0] ** 2] * count
        unread = [name for name in ("breaking_load", "damping", "weight") if cables[0].get(name) is not None]
        reading.unread += [f"{name} of the cables" for name in unread]
    if winches:
        force = _numbers(reading, winches[0].find("cable"), "f_max", "<winch>")
        if force is not None and force[0] > 0:
            reading.parameters["f_max"] = force[0]
        reading.unread.append("motors, drums and sensors of the winches")


# ---------------------------------------------------------------- text


def _read_text(text: str, name: str) -> ImportedRobot:
    """Lines such as ``base 1 -2 1.5 2``, ``platform 1 ...``, ``fmin 1``, ``now 8``."""
    reading = RobotReading(f"{name} (WireX text)")
    counts: dict[str, int] = {}
    for place, line in enumerate(text.splitlines(), 1):
        words = line.split(_COMMENT)[0].split()
        try:
            known = not words or _read_line(reading, words, counts)
        except (ValueError, IndexError):
            raise reading.fault(f"line {place}: '{line.strip()[:60]}' cannot be read") from None
        if not known:
            reading.unread.append(f"line {place}: {line.strip()[:40]}")
    if counts.get("dof", 6) != 6:
        raise reading.fault(f"has {counts['dof']} degrees of freedom (dof); the back-end has 6")
    if (count := counts.get("now", len(reading.pulleys))) != len(reading.pulleys):
        raise reading.fault(f"announces {count} cables (now) and has {len(reading.pulleys)} base points")
    return reading.robot()


def _read_line(reading: RobotReading, words: list[str], counts: dict[str, int]) -> bool:
    """Take a line, and say whether its first word is known; raises ``ValueError`` or ``IndexError``."""
    first, *rest = words
    if first in ("base", "platform"):
        x, y, z = (number(word) for word in rest[1:])
        points = reading.pulleys if first == "base" else reading.attachments
        points[int(rest[0])] = np.array([x, y, z])
    elif first in _LIMITS:
        reading.parameters[_LIMITS[first]] = number(rest[0])
    elif first in ("now", "dof"):
        counts[first] = int(rest[0])
    return first in ("base", "platform", "now", "dof", *_LIMITS)
