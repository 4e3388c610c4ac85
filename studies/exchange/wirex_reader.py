"""Robots of WireX and WireCenter (Pott, Fraunhofer IPA): XML (``.xml``, ``.wcrfx``) and the older text.

The XML is that of versions 0.31 and 0.32 (``<models>``, ``<robot>``, ``<geometry>`` with a ``<chain>`` for
each cable).
Its lengths are in metres, forces in newtons, speeds in m/s, Young's modulus in pascals. A number of 0 says
nothing. ``radius`` of ``<base>`` is that of a pulley whose swivel axis is the third column of the rotation
matrix a11 to a33 (Pott, "Cable-Driven Parallel Robots", 2018, section 7.2); planar robots stay in the plane
xy.
"""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.freedoms import FREEDOMS, Freedoms
from studies.exchange.file_entries import Entry, xml_entry
from studies.exchange.freedoms import plane_of
from studies.exchange.imported_robot import ImportedRobot, RobotReading, number
from studies.exchange.source_text import SourceFile, xml_root

_COMMENT = "//"
_LIMITS = {"fmin": "f_min", "fmax": "f_max"}
_UNKNOWN = {"", "none", "nan", "inf", "+inf", "-inf", "infinity", "-infinity"}
_STROKE = "not read: the format does not say from where it counts"
_REMARKS = {
    "application@load_mass": "the cables hold the platform's own weight; add it to platform_body.mass",
    "cable@breaking_load": "no factor of safety is taken off it",
    "cable@dl_max": _STROKE,
    "cable@l0": _STROKE,
    "motor@max_power": "write max_winch_power with the task_speed at which it counts",
}
"""Remarks on entries whose names say too little."""
_TURNS = [f"a{row}{column}" for row in "123" for column in "123"]
_UP = np.array([0.0, 0.0, 1.0])


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
    _read_pattern(reading, robot.get("motionpattern", ""))
    chains = robot.findall("geometry/chain")
    for place, chain in enumerate(chains, 1):
        named = f"chain {chain.get('id', str(place))[:20]}"
        reading.cables.names[place] = named
        reading.pulleys[place] = _point(reading, chain.find("base"), f"<base> of {named}")
        reading.attachments[place] = _point(reading, chain.find("platform"), f"<platform> of {named}")
        _read_pulley(reading, place, chain.find("base"), f"<base> of {named}")
    _read_platform(reading, robot.find("platform"))
    _read_cable_type(reading, root.findall("cable"), len(chains))
    _read_winches(reading, root, robot, chains)
    return reading.robot()


def _read_pattern(reading: RobotReading, pattern: str) -> None:
    known = {name.lower(): name for name in FREEDOMS}
    if pattern.lower() in _UNKNOWN:
        reading.assumed.append("the platform moves in six degrees of freedom (motionpattern)")
    elif pattern.lower() in known:
        reading.freedoms = known[pattern.lower()]
    else:
        raise reading.fault(f"has the motion pattern {pattern[:20]}; the back-end has {', '.join(FREEDOMS)}")


def _read_pulley(reading: RobotReading, place: int, base: Entry | None, what: str) -> None:
    """Take the wheel of a chain, if it has one; without a rotation matrix the cable reaches it upwards."""
    radius = _numbers(reading, base, "radius", what)
    turned = _numbers(reading, base, " ".join(_TURNS), what)
    if radius is None:
        return
    axis = _UP if turned is None else np.array(turned).reshape(3, 3)[:, 2]
    reading.cables.wheel(place, radius[0], axis)
    told = (
        "wheels swivel about the z axes of the frames of <base> (a13, a23, a33), along which cables reach "
        "them (pulley_axis)"
    )
    if radius[0] and told not in reading.assumed:
        reading.assumed.append(told)


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


def _read_winches(reading: RobotReading, root: Entry, robot: Entry, chains: list[Entry]) -> None:
    """Tension limits of each cable: what the application asks for, the cable needs and its winch can."""
    winches = {winch.get("name", ""): winch for winch in root.findall("winch")}
    first = next(iter(winches.items()), None)
    types = [chain.get("winchtype", "") for chain in chains]
    if first is not None and not set(types) <= winches.keys():
        reading.assumed.append(f"chains whose winch is not in the file have the first one, {first[0][:40]}")
    application = robot.find("application")
    kind = root.find("cable")
    least = [
        *_given(reading, application, "min_cable_load", "<application>"),
        *_given(reading, kind, "minimum_load", "<cable>"),
    ]
    greatest = _given(reading, application, "max_cable_load", "<application>")
    longest = _given(reading, kind, "max_length", "<cable>")
    speeds: list[float] = []
    for place, name in enumerate(types, 1):
        winch = winches.get(name, None if first is None else first[1])
        cable = None if winch is None else winch.find("cable")
        own = [*greatest, *_given(reading, cable, "f_max", "<winch>")]
        shortest = _given(reading, cable, "l_min", "<winch>")
        for parameter, value in (
            ("f_min", max(least, default=None)), ("f_max", min(own, default=None)),
            ("length_min", max(shortest, default=None)), ("length_max", min(longest, default=None)),
        ):  # fmt: skip
            reading.cables.take(place, parameter, value)
        speeds += _given(reading, cable, "max_velocity", "<winch>")
    if speeds:
        reading.parameters["max_cable_speed"] = min(speeds)
    drums = [
        value
        for winch in winches.values()
        for value in _given(reading, winch.find("drum"), "r_drum", "<drum>")
    ]
    if len(set(drums)) == 1:
        reading.parameters["winch_radius"] = drums[0]


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
    _read_freedom(reading, counts.get("dof", 6))
    if (count := counts.get("now", len(reading.pulleys))) != len(reading.pulleys):
        raise reading.fault(f"announces {count} cables (now) and has {len(reading.pulleys)} base points")
    return reading.robot()


def _read_freedom(reading: RobotReading, count: int) -> None:
    """Take the number of degrees of freedom; of three, the points say if they are those of a plane."""
    patterns: dict[int, Freedoms] = {6: "3R3T", 5: "2R3T", 3: "3T", 2: "2T"}
    if count not in patterns:
        known = ", ".join(map(str, patterns))
        raise reading.fault(f"has {count} degrees of freedom (dof); the back-end has {known}")
    reading.freedoms = patterns[count]
    ends = [np.array(list(points.values())) for points in (reading.pulleys, reading.attachments)]
    if count == 3 and all(map(len, ends)) and plane_of(*ends) and np.ptp(ends[1], axis=0).any():
        reading.freedoms = "1R2T"


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
