"""Robots of cdpyr (Tempel): what its streams write as JSON or YAML, in metres, kilograms and newtons.

A robot has ``frame`` with ``anchors``, ``platforms`` with theirs, ``cables``, and ``kinematic_chains``, which
join a frame anchor, a platform anchor and a cable by their places in these lists. Older versions write the
position of an anchor as a table with ``position``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from studies.exchange.imported_robot import GREATEST, FloatArray, ImportedRobot, RobotReading
from studies.exchange.source_text import SourceFile, yaml_or_json

_MOST = 1000
"""Anchors, cables and chains."""


def read_cdpyr(file: SourceFile) -> ImportedRobot:
    """The robot of a file."""
    reading = RobotReading(f"{file.name} (cdpyr)")
    tree = yaml_or_json(file.text, file.name)
    if not isinstance(tree, Mapping) or not {"frame", "platforms", "kinematic_chains"} <= tree.keys():
        raise reading.fault("is no robot of cdpyr: it needs frame, platforms and kinematic_chains")
    robot: Mapping[str, Any] = tree
    platforms = _list(reading, robot["platforms"], "platforms")
    if len(platforms) != 1:
        raise reading.fault(f"has {len(platforms)} platforms; the back-end has robots with one")
    platform = _table(reading, platforms[0], "the platform")
    _require_free(reading, platform.get("motion_pattern", platform.get("motionpattern")))
    frame = _anchors(reading, _table(reading, robot["frame"], "frame").get("anchors"), "frame")
    ends = _anchors(reading, platform.get("anchors"), "platform")
    cables = _list(reading, robot.get("cables") or [], "cables")
    used = [_chain(reading, each) for each in _list(reading, robot["kinematic_chains"], "kinematic_chains")]
    for place, (anchor, end, _) in enumerate(used, 1):
        reading.pulleys[place] = _at(reading, frame, anchor, "frame_anchor")
        reading.attachments[place] = _at(reading, ends, end, "platform_anchor")
    _read_cables(reading, [_at(reading, cables, cable, "cable") for *_, cable in used] if cables else [])
    _read_body(reading, platform)
    if any(isinstance(each, Mapping) and each.get("pulley") for each in robot["frame"]["anchors"]):
        reading.unread.append("pulleys and drums of the frame: cables run from points")
    reading.unread += [f"'{name}' of the robot" for name in ("gravity", "geometry") if robot.get(name)]
    return reading.robot()


def _list(reading: RobotReading, value: Any, what: str) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > _MOST:
        raise reading.fault(f"{what} must be a list of at most {_MOST} items")
    return value


def _table(reading: RobotReading, value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise reading.fault(f"{what} must be a table")
    return value


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


def _anchors(reading: RobotReading, value: Any, what: str) -> list[FloatArray]:
    found: list[FloatArray] = []
    for each in _list(reading, value, f"anchors of the {what}"):
        position = _table(reading, each, f"an anchor of the {what}").get("position")
        if isinstance(position, Mapping):
            position = position.get("position")
        found.append(_array(reading, position, (3,), f"the position of an anchor of the {what}"))
    return found


def _chain(reading: RobotReading, value: Any) -> tuple[int, int, int]:
    """Places of the frame anchor, the platform anchor and the cable of a chain."""
    chain = _table(reading, value, "a kinematic chain")
    places = [chain.get(name, 0) for name in ("frame_anchor", "platform_anchor", "cable")]
    if chain.get("platform", 0) != 0 or any(type(place) is not int for place in places):
        raise reading.fault("a kinematic chain must name its anchors and its cable by their places")
    return places[0], places[1], places[2]


def _require_free(reading: RobotReading, pattern: Any) -> None:
    """Raise where the platform does not move in all six degrees of freedom; one that says nothing does."""
    if isinstance(pattern, Mapping):
        free: Mapping[str, Any] = pattern
        if (free.get("translation", 3), free.get("rotation", 3)) != (3, 3):
            raise reading.fault("its platform has not six degrees of freedom, which the back-end has")


def _read_cables(reading: RobotReading, cables: Sequence[Any]) -> None:
    diameters: list[float] = []
    axial: list[float] = []
    for each in cables:
        cable = _table(reading, each, "a cable")
        diameter = cable.get("diameter")
        if not diameter:
            continue
        diameters.append(float(_array(reading, diameter, (), "the diameter of a cable")))
        modulus = cable.get("modulus")
        elastic = modulus.get("elasticities") if isinstance(modulus, Mapping) else None
        if isinstance(elastic, list) and len(elastic) == 1:
            elastic = elastic[0]
        if isinstance(elastic, int | float) and 0 < elastic <= GREATEST:
            axial.append(float(elastic) * math.pi * diameters[-1] ** 2 / 4)
        elif elastic is not None:
            reading.unread.append("a modulus of a cable that is not one number")
    reading.common("cable_diameter", diameters, max)
    if axial and len(axial) == len(cables):
        reading.parameters["axial_stiffness"] = axial
    if any(isinstance(each, Mapping) and each.get("breaking_load") for each in cables):
        reading.unread.append("breaking loads of the cables")


def _read_body(reading: RobotReading, platform: Mapping[str, Any]) -> None:
    inertia = platform.get("inertia")
    if not isinstance(inertia, Mapping):
        return
    given: Mapping[str, Any] = inertia
    if not given.get("linear"):
        return
    linear = _array(reading, given["linear"], (3, 3), "the linear inertia of the platform")
    angular = np.zeros((3, 3))
    if given.get("angular"):
        angular = _array(reading, given["angular"], (3, 3), "the angular inertia of the platform")
    centre = platform.get("center_of_gravity") or [0.0, 0.0, 0.0]
    where = _array(reading, centre, (3,), "the platform's centre of gravity")
    reading.body(float(linear[0, 0]), where.tolist(), (angular + angular.T) / 2)
