"""Robots of cdpyr (Tempel): what its streams write as JSON, YAML or XML, in metres, kilograms and newtons.

A robot has ``frame`` with ``anchors``, ``platforms`` with theirs, ``cables``, and ``kinematic_chains``, which
join a frame anchor, a platform anchor and a cable by their places in these lists. Older versions write the
position of an anchor as a table with ``position``. None, an empty text, infinity and NaN are not given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from models.hybrid_cable_robot.freedoms import FREEDOMS
from studies.exchange.file_entries import Entry, value_entry
from studies.exchange.imported_robot import GREATEST, FloatArray, ImportedRobot, RobotReading
from studies.exchange.source_text import SourceFile, xml_root, yaml_or_json

_MOST = 1000
"""Anchors, cables and chains."""
_NEUTRAL = {"dcm": np.eye(3).tolist(), "center_of_linkage": [0.0, 0.0, 0.0]}
"""Values that say nothing: an anchor that is not turned, a platform that is linked at its origin."""
_REMARKS = {
    "drivetrain": "winches are not read",
    "elasticities": "one modulus of each cable is read",
    "breaking_load": "write f_max",
}

_LISTS = frozenset({"anchors", "platforms", "cables", "kinematic_chains"})
"""Names of lists of tables: one of them is a list all the same."""
_LONGEST = 1000
"""Characters of a text that is read as a list of numbers."""


def read_cdpyr(file: SourceFile) -> ImportedRobot:
    """Read the robot of a file."""
    reading = RobotReading(f"{file.name} (cdpyr)")
    is_xml = file.text.lstrip().startswith("<")
    tree = _xml_tree(xml_root(file.text, file.name)) if is_xml else yaml_or_json(file.text, file.name)
    if not isinstance(tree, dict) or not {"frame", "platforms", "kinematic_chains"} <= tree.keys():
        raise reading.fault("is no robot of cdpyr: it needs frame, platforms and kinematic_chains")
    robot = value_entry(_given(tree))
    reading.trees, reading.remarks = [robot], _REMARKS
    robot.get("version")
    robot.get("name")
    platforms = _list(reading, robot, "platforms", "platforms")
    if len(platforms) != 1:
        raise reading.fault(f"has {len(platforms)} platforms; the back-end has robots with one")
    platform = _table(reading, platforms[0], "the platform")
    platform.get("name")
    _read_pattern(reading, platform.find("motion_pattern") or platform.find("motionpattern"))
    frame = _anchors(reading, _table(reading, robot.find("frame"), "frame"), "frame")
    ends = _anchors(reading, platform, "platform")
    cables = _list(reading, robot, "cables", "cables") if robot.find("cables") else []
    chains = _list(reading, robot, "kinematic_chains", "kinematic_chains")
    used = [_chain(reading, each) for each in chains]
    anchors = list(robot.findall("frame/anchors"))[:1]
    holders = list(anchors[0]) if anchors else []
    for place, (anchor, end, _) in enumerate(used, 1):
        reading.pulleys[place] = _at(reading, frame, anchor, "frame_anchor")
        reading.attachments[place] = _at(reading, ends, end, "platform_anchor")
        reading.cables.names[place] = f"kinematic chain {place - 1}"
        _read_pulley(reading, holders[anchor], place)
    _read_cables(reading, [_at(reading, cables, cable, "cable") for *_, cable in used] if cables else [])
    _read_body(reading, platform)
    return reading.robot()


def _given(value: Any) -> Any:
    """Return a value with None in the place of all that is not given, or says nothing."""
    if isinstance(value, dict):
        return {key: None if item == _NEUTRAL.get(key) else _given(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_given(item) for item in value]
    if isinstance(value, float | str):
        try:
            return value if math.isfinite(float(value)) else None
        except ValueError:
            return value or None
    return value


def _is_given(value: Any) -> bool:
    """True if a value of a cleaned tree, and each item of a list, is given."""
    if isinstance(value, list):
        return bool(value) and all(map(_is_given, value))
    return value is not None


def _list(reading: RobotReading, entry: Entry, name: str, what: str) -> list[Entry]:
    found = entry.find(name)
    items = list(found) if found is not None and found.is_list else None
    if items is None or len(items) > _MOST:
        raise reading.fault(f"{what} must be a list of at most {_MOST} items")
    return items


def _table(reading: RobotReading, entry: Entry | None, what: str) -> Entry:
    if entry is None or not entry.is_table:
        raise reading.fault(f"{what} must be a table")
    return entry


def _array(reading: RobotReading, value: Any, shape: tuple[int, ...], what: str) -> FloatArray:
    """Numbers of a shape."""
    try:
        found = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.array(math.nan)
    if found.shape != shape or not (np.abs(found) <= GREATEST).all():
        raise reading.fault(f"{what} must hold {' x '.join(map(str, shape))} finite numbers")
    return found


def _at(reading: RobotReading, items: Sequence[Any], place: int, what: str) -> Any:
    if not 0 <= place < len(items):
        raise reading.fault(f"a chain names {what} {place}, of which there are {len(items)}, from 0")
    return items[place]


def _anchors(reading: RobotReading, entry: Entry, what: str) -> list[FloatArray]:
    found: list[FloatArray] = []
    for each in _list(reading, entry, "anchors", f"anchors of the {what}"):
        anchor = _table(reading, each, f"an anchor of the {what}")
        position = anchor.find("position")
        if position is not None and position.is_table:
            position = position.find("position")
        value = None if position is None else position.take()
        found.append(_array(reading, value, (3,), f"the position of an anchor of the {what}"))
    return found


def _chain(reading: RobotReading, entry: Entry) -> tuple[int, int, int]:
    """Places of the frame anchor, the platform anchor and the cable of a chain."""
    chain = _table(reading, entry, "a kinematic chain")
    places = [chain.get(name, 0) for name in ("frame_anchor", "platform_anchor", "cable")]
    if chain.get("platform", 0) != 0 or any(type(place) is not int for place in places):
        raise reading.fault("a kinematic chain must name its anchors and its cable by their places")
    return places[0], places[1], places[2]


def _read_pattern(reading: RobotReading, pattern: Entry | None) -> None:
    """Take the motion pattern; one that says nothing is that of six freedoms. Planes are xy, as cdpyr's."""
    if pattern is None:
        return
    if pattern.is_table:
        parts = {
            name: pattern.get(name, pattern.get(f"dof_{name}", 3)) for name in ("rotation", "translation")
        }
        name = "".join(f"{count}{part[0].upper()}" for part, count in parts.items() if count)
    else:
        name = pattern.take()
    if name is None:
        return
    if not isinstance(name, str) or name not in FREEDOMS:
        raise reading.fault(
            f"its platform has the motion pattern {str(name)[:20]}; the back-end has {', '.join(FREEDOMS)}"
        )
    reading.freedoms = name


def _read_pulley(reading: RobotReading, anchor: Entry, place: int) -> None:
    """Take the wheel of a frame anchor: it swivels about z of its frame, which both may turn (dcm)."""
    pulley = anchor.find("pulley")
    if pulley is None or not pulley.is_table:
        return
    holder = pulley if pulley.find("radius") else pulley.find("geometry")
    radius = None if holder is None or not holder.is_table else holder.get("radius")
    if radius is None:
        return
    what = f"of the pulley of kinematic chain {place - 1}"
    turned = _turned(reading, anchor, what) @ _turned(reading, pulley, what)
    reading.cables.wheel(place, float(_array(reading, radius, (), f"the radius {what}")), turned[:, 2])
    told = (
        "wheels swivel about the z axes of their pulleys' frames, along which cables reach them (pulley_axis)"
    )
    if told not in reading.assumed:
        reading.assumed.append(told)


def _turned(reading: RobotReading, entry: Entry, what: str) -> FloatArray:
    """Return the rotation (3, 3) of an anchor or a pulley; the identity where none is given."""
    holder = entry if entry.find("dcm") else entry.find("angular")
    given = None if holder is None or not holder.is_table else holder.get("dcm")
    return np.eye(3) if given is None else _array(reading, given, (3, 3), f"the rotation (dcm) {what}")


def _read_cables(reading: RobotReading, cables: Sequence[Entry]) -> None:
    """Read diameters, and EA where every cable gives one modulus."""
    axial: list[float] = []
    for place, each in enumerate(cables, 1):
        cable = _table(reading, each, "a cable")
        cable.get("name")
        diameter = cable.get("diameter")
        if not diameter:
            continue
        thick = float(_array(reading, diameter, (), "the diameter of a cable"))
        reading.cables.take(place, "cable_diameter", thick)
        if (elastic := _modulus(reading, cable.find("modulus"))) is not None:
            axial.append(elastic * math.pi * thick**2 / 4)
    if axial and len(axial) == len(cables):
        reading.parameters["axial_stiffness"] = axial


def _modulus(reading: RobotReading, modulus: Entry | None) -> float | None:
    """Return the modulus of elasticity of a cable, Pa; None of a cable that gives none, or several."""
    found = None if modulus is None or not modulus.is_table else modulus.find("elasticities")
    if found is None:
        return None
    parts = list(found) if found.is_list else [found]
    value = parts[0].take() if len(parts) == 1 else None
    if value is None:
        return None
    modulus_of = float(_array(reading, value, (), "the modulus of a cable"))
    if modulus_of <= 0:
        raise reading.fault(f"the modulus of a cable is {modulus_of:g} Pa; it must be greater than 0")
    return modulus_of


def _read_body(reading: RobotReading, platform: Entry) -> None:
    """Read mass, centre of mass and inertia of the platform, where the file gives its mass."""
    inertia = platform.find("inertia")
    linear = None if inertia is None or not inertia.is_table else inertia.get("linear")
    if inertia is None or not _is_given(linear):
        return
    mass = _array(reading, linear, (3, 3), "the linear inertia of the platform")
    angular = inertia.get("angular")
    turns = np.zeros((3, 3))
    if _is_given(angular):
        turns = _array(reading, angular, (3, 3), "the angular inertia of the platform")
    else:
        reading.assumed.append("the platform has no moments of inertia")
    centre = platform.get("center_of_gravity") or [0.0, 0.0, 0.0]
    where = _array(reading, centre, (3,), "the platform's centre of gravity")
    reading.body(float(mass[0, 0]), where.tolist(), (turns + turns.T) / 2)


# ---------------------------------------------------------------- XML
#
# Each entry of a table is an element, each item of a list one more element of the same name. A list within a
# list is a text, such as ``(1.0, 0.0, 0.0)``.


def _xml_tree(element: Element) -> Any:
    """Return the value of an element: a table, a list of numbers, a number, a text, or None without any.

    An attribute stands in the table under its name after ``@``, a text beside elements under ``#text``.
    """
    text = " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    if not len(element) and not element.attrib:
        return _xml_leaf(text)
    table: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    if text:
        table["#text"] = text
    items: dict[str, list[Any]] = {}
    for child in element:
        items.setdefault(child.tag, []).append(_xml_tree(child))
    return table | {
        name: values if len(values) > 1 or name in _LISTS else values[0] for name, values in items.items()
    }


def _xml_leaf(text: str) -> Any:
    """Return the value of a text; None for an empty one."""
    if "," in text and len(text) <= _LONGEST:
        return [_xml_number(part.strip()) for part in text.strip("()[]").split(",") if part.strip()]
    return _xml_number(text)


def _xml_number(text: str) -> int | float | str | None:
    if not text or "_" in text or len(text) > _LONGEST:
        return text or None
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
