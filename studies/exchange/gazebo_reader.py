"""Cable robots of Gazebo (the package cdpr of Kermorgant): YAML with ``points``, ``platform`` and ``frame``.

Lengths are in metres, forces in newtons, angles in radians. Each of ``points`` is a cable, with its end on
``frame`` in the world and on ``platform`` in the platform's frame. Gazebo moves a cable by a prismatic joint:
of ``joints: actuated``, ``effort`` and ``min`` are its tension limits, ``velocity`` is its greatest speed.
The box of the frame, from ``lower`` to ``upper``, is the space.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.arrays import FloatArray
from studies.exchange.file_entries import Entry, value_entry
from studies.exchange.imported_robot import GREATEST, ImportedRobot, Pose, RobotReading
from studies.exchange.link_tree import rotation_of
from studies.exchange.source_text import SourceFile, yaml_or_json

_REMARKS = {
    "color": "only drawings use it",
    "visual": "only drawings use it",
    "sim_cables": "Gazebo alone uses it",
    "cable/mass": "of the parts of which Gazebo makes a cable; write cable_density",
    "joints/passive": "of the joints at the ends of Gazebo's cables",
    "actuated/damping": "write winch_friction",
    "frame/radius": "only drawings use it",
}
_MOMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def read_gazebo(file: SourceFile) -> ImportedRobot:
    """Read the robot of a file."""
    reading = RobotReading(f"{file.name} (Gazebo's cable robots)")
    tree = yaml_or_json(file.text, file.name)
    if not isinstance(tree, dict):
        raise reading.fault("is no table with points and platform")
    robot = value_entry(tree)
    reading.trees, reading.remarks = [robot], _REMARKS
    points = robot.find("points")
    if points is None or not points.is_list:
        raise reading.fault("'points' must be a list with 'frame' and 'platform' of each cable")
    for place, point in enumerate(points, 1):
        reading.cables.names[place] = f"point {place}"
        reading.pulleys[place] = _numbers(reading, point, "frame", 3, f"point {place}, frame")
        reading.attachments[place] = _numbers(reading, point, "platform", 3, f"point {place}, platform")
    _read_platform(reading, robot.find("platform"))
    _read_frame(reading, robot.find("frame"))
    _read_cables(reading, robot)
    return reading.robot()


def _numbers(reading: RobotReading, entry: Entry | None, name: str, count: int, what: str) -> FloatArray:
    """Return the numbers (count,) under a key; raises ``InputError`` for anything else."""
    value: Any = None if entry is None or not entry.is_table else entry.get(name)
    try:
        found = np.atleast_1d(np.array(value, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        found = np.empty(0)
    if found.shape != (count,) or not (np.abs(found) <= GREATEST).all():
        raise reading.fault(f"{what} must be {count} finite number{'s' * (count > 1)}")
    return found


def _has(entry: Entry | None, name: str) -> bool:
    return entry is not None and entry.is_table and entry.find(name) is not None


def _read_platform(reading: RobotReading, platform: Entry | None) -> None:
    """Take mass, inertia, box and pose of the platform, as far as the file has them."""
    if _has(platform, "mass"):
        mass = float(_numbers(reading, platform, "mass", 1, "mass of the platform")[0])
        tensor = np.zeros((3, 3))
        if _has(platform, "inertia"):
            for (i, j), value in zip(
                _MOMENTS, _numbers(reading, platform, "inertia", 6, "inertia of the platform"), strict=True
            ):
                tensor[i, j] = tensor[j, i] = value
        reading.body(mass, [0.0] * 3, tensor)
    if platform is not None and _has(platform, "size") and platform.get("type", "box") == "box":
        size = _numbers(reading, platform, "size", 3, "size of the platform")
        reading.parameters["platform_half_size"] = (size / 2).tolist()
    position = None if platform is None else platform.find("position")
    if _has(position, "xyz"):
        place = _numbers(reading, position, "xyz", 3, "position of the platform")
        angles = np.zeros(3)
        if _has(position, "rpy"):
            angles = _numbers(reading, position, "rpy", 3, "orientation of the platform")
        reading.pose = Pose.of(place, rotation_of(angles))


def _read_frame(reading: RobotReading, frame: Entry | None) -> None:
    """Take the box of the frame as the space."""
    if frame is None or not (_has(frame, "lower") and _has(frame, "upper")):
        return
    frame.get("type")
    corners = [
        _numbers(reading, frame, end, 3, f"the {end} corner of the frame") for end in ("lower", "upper")
    ]
    if (corners[0] < corners[1]).all():
        reading.parameters["space"] = [corner.tolist() for corner in corners]
        reading.assumed.append("the workspace is looked for in the box of the frame (space)")
    else:
        reading.unread.append("a frame whose lower corner is not below the upper one")


def _read_cables(reading: RobotReading, robot: Entry) -> None:
    """Take diameter, tension limits and speed of all cables."""
    cable, winch = robot.find("cable"), robot.find("joints/actuated")
    if _has(cable, "radius"):
        radius = float(_numbers(reading, cable, "radius", 1, "radius of the cables")[0])
        reading.parameters["cable_diameter"] = 2 * radius
    for key, parameter in (("min", "f_min"), ("effort", "f_max")):
        if _has(winch, key):
            value = float(_numbers(reading, winch, key, 1, f"'{key}' of the actuated joints")[0])
            for place in reading.pulleys:
                reading.cables.take(place, parameter, value)
    if _has(winch, "velocity"):
        speed = float(_numbers(reading, winch, "velocity", 1, "'velocity' of the actuated joints")[0])
        reading.parameters["max_cable_speed"] = speed
