"""Robots of WireX and WireCenter (Pott, Fraunhofer IPA): XML (``.xml``, ``.wcrfx``) and the older text.

The XML is that of versions 0.31 and 0.32 (``<models>``, ``<robot>``, ``<geometry>`` with a ``<chain>`` for
each cable).
Its lengths are in metres, forces in newtons, Young's modulus in pascals.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.imported_robot import ImportedRobot, RobotReading, number
from studies.exchange.source_text import SourceFile, xml_root

_COMMENT = "//"
_LIMITS = {"fmin": "f_min", "fmax": "f_max"}
_UNKNOWN = {"", "none", "nan", "inf", "+inf", "-inf", "infinity", "-infinity"}
_LENGTHS = "the back-end has no limits of cable lengths"
_REMARKS = {
    "base@radius": "cables run from points",
    "application@load_mass": "the cables hold the platform's own weight; add it to platform_body.mass",
    "cable@breaking_load": "no factor of safety is taken off it",
    "cable@max_length": _LENGTHS,
    "cable@l_min": _LENGTHS,
    "cable@dl_max": _LENGTHS,
    "cable@l0": _LENGTHS,
}
"""Remarks on entries whose names say too little."""


def read_wirex(file: SourceFile) -> ImportedRobot:
    """The robot of a file: XML where the text begins like it, else the older format."""
    if file.text.lstrip().startswith("<"):
        return _read_xml(xml_entry(xml_root(file.text, file.name)), file.name)
    return _read_text(file.text, file.name)


# ---------------------------------------------------------------- XML


def _read_xml(root: Entry, name: str) -> ImportedRobot:
    version = root.get("version", "without version")
    reading = RobotReading(f"{name} (WireX {version})", [root], _REMARKS)
    robot = root.find("robot")
    if root.tag != "models" or robot is None:
        if root.find("wireRobot") is not None:
            raise reading.fault("is in an older format, <wireRobot>; open it in WireCenter and save it again")
        raise reading.fault("has no <robot> in <models>")
    pattern = robot.get("motionpattern", "")
    if pattern.lower() in _UNKNOWN:
        reading.assumed.append("the platform moves in six degrees of freedom (motionpattern)")
    elif pattern != "3R3T":
        raise reading.fault(f"has the motion pattern {pattern[:20]}; the back-end has 3R3T")
    chains = robot.findall("geometry/chain")
    for place, chain in enumerate(chains, 1):
        named = f"of chain {chain.get('id', str(place))[:20]}"
        reading.pulleys[place] = _point(reading, chain.find("base"), f"<base> {named}")
        reading.attachments[place] = _point(reading, chain.find("platform"), f"<platform> {named}")
    _read_platform(reading, robot.find("platform"))
    _read_cable_type(reading, root.findall("cable"), len(chains))
    _read_limits(reading, root, robot, chains)
    return reading.robot()


def _numbers(reading: RobotReading, element: Entry | None, names: str, what: str) -> list[float] | None:
    """Attributes as numbers; None where one is missing, or infinite, as cdpyr writes what is not known."""
    texts = [None if element is None else element.get(name) for name in names.split()]
    if any(text is None or text.strip().lower() in _UNKNOWN for text in texts):
        return None
    try:
        return [number(text) for text in texts]
    except ValueError:
        raise reading.fault(f"{what} has an attribute of {names} that is not a finite number") from None


def _point(reading: RobotReading, element: Entry | None, what: str) -> FloatArray:
    found = _numbers(reading, element, "x y z", what)
    if found is None:
        raise reading.fault(f"{what} is missing, or its x, y and z are not finite numbers")
    return np.array(found)


def _read_platform(reading: RobotReading, platform: Entry | None) -> None:
    mass = _numbers(reading, platform, "mass", "<platform>")
    if platform is None or mass is None:
        return
    centre = _numbers(reading, platform.find("centerofgravity"), "x y z", "<centerofgravity>")
    if centre is None:
        reading.assumed.append("the platform's centre of mass is its origin")
    tensor = _tensor(reading, platform.find("inertiatensor"))
    reading.body(mass[0], centre or [0.0] * 3, (tensor + tensor.T) / 2)


def _tensor(reading: RobotReading, element: Entry | None) -> FloatArray:
    """The tensor (3, 3) kg m^2; entries that the file leaves out are zero."""
    names = [f"I{row}{column}" for row in "xyz" for column in "xyz"]
    given = [_numbers(reading, element, name, "<inertiatensor>") for name in names]
    missing = [names[place] for place in (0, 4, 8) if given[place] is None]
    if missing:
        listed = ", ".join(missing) if len(missing) < 3 else "moments of inertia"
        reading.assumed.append(f"the platform has no {listed}")
    return np.array([0.0 if value is None else value[0] for value in given]).reshape(3, 3)


def _read_cable_type(reading: RobotReading, cables: list[Entry], count: int) -> None:
    """Diameter and EA of the cables, all of the first type."""
    if len(cables) > 1:
        reading.assumed.append("all cables are of the first type in the file")
    if not cables:
        return
    radius = _numbers(reading, cables[0], "radius", "<cable>")
    if radius is None or radius[0] <= 0:
        return
    reading.parameters["cable_diameter"] = 2 * radius[0]
    modulus = _numbers(reading, cables[0], "elasticity", "<cable>")
    if modulus is not None and modulus[0] > 0:
        reading.parameters["axial_stiffness"] = [modulus[0] * math.pi * radius[0] ** 2] * count


def _read_limits(reading: RobotReading, root: Entry, robot: Entry, chains: list[Entry]) -> None:
    """Tension limits: what the application asks for, the cable needs and the winches can; 0 says nothing."""
    winches = {winch.get("name", ""): winch for winch in root.findall("winch")}
    types = dict.fromkeys(chain.get("winchtype", "") for chain in chains)
    used = {name: winches[name] for name in types if name in winches}
    if winches and len(used) < len(types):
        name, first = next(iter(winches.items()))
        used[name] = first
        reading.assumed.append(f"chains whose winch is not in the file have the first one, {name[:40]}")
    application = robot.find("application")
    least = [
        *_given(reading, application, "min_cable_load", "<application>"),
        *_given(reading, root.find("cable"), "minimum_load", "<cable>"),
    ]
    greatest = _given(reading, application, "max_cable_load", "<application>")
    for winch in used.values():
        greatest += _given(reading, winch.find("cable"), "f_max", "<winch>")
    reading.limits(least, greatest)


def _given(reading: RobotReading, element: Entry | None, name: str, what: str) -> list[float]:
    """A positive number, if the attribute is one."""
    found = _numbers(reading, element, name, what)
    return [value for value in found or [] if value > 0]


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
        (text,) = rest
        reading.parameters[_LIMITS[first]] = number(text)
    elif first in ("now", "dof"):
        (text,) = rest
        counts[first] = int(text)
    return first in ("base", "platform", "now", "dof", *_LIMITS)
