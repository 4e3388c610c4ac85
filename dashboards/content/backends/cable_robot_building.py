"""Dimensions of a cable robot for those who build and check it: task, platform, cables, frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dashboards.content.tables import listed
from dashboards.formatting import counted, scale_of, value_text
from models.arrays import FloatArray
from models.hybrid_cable_robot import HybridCableRobot
from models.hybrid_cable_robot.freedoms import PLANAR, POINTS
from models.hybrid_cable_robot.robot import robot_of
from models.scene import Box, Points, Scene

TOLD = frozenset({
    "task_box", "task_path", "platform_half_size", "cable_diameter", "cable_stiffness", "axial_stiffness",
})  # fmt: skip
"""Parameters that :func:`building_facts` tells."""
_TIMES = " \N{MULTIPLICATION SIGN} "


def building_facts(parameters: HybridCableRobot, scene: Scene | None) -> Mapping[str, str]:
    """Task, platform, cables, frame and floor in words, by what they are called."""
    robot = robot_of(parameters)
    low, high = robot.pulleys.min(axis=0), robot.pulleys.max(axis=0)
    axial = parameters.axial_stiffness is not None
    springs = _per_cable(robot.stiffness, "N" if axial else "N/m")
    diameters = np.array(np.broadcast_to(parameters.cable_diameter, len(robot.pulleys)))
    thick = value_text(float(diameters[0]), "m") if not np.ptp(diameters) else _per_cable(diameters, "m")
    cables = f"{len(robot.pulleys)}, diameter {thick}, "
    cables += f"axial stiffness EA {springs}" if axial else f"spring constant {springs}"
    return {
        **_task(parameters),
        "platform": _platform(parameters),
        "cables": cables,
        "frame": f"pulleys {_extent(low, high)}{_wheels(robot.wheels)}",
        "floor": _floor(parameters, float(low[2]), scene),
    }


def with_task(parameters: HybridCableRobot, scene: Scene) -> Scene:
    """The scene with the task box, where the robot has one."""
    if parameters.task_box is None:
        return scene
    low, high = (np.array(corner, dtype=np.float64) for corner in parameters.task_box)
    box = Box("task box", (low + high) / 2, np.eye(3), (high - low) / 2)
    return replace(scene, shapes=(*scene.shapes, box))


def _task(parameters: HybridCableRobot) -> Mapping[str, str]:
    found: dict[str, str] = {}
    if parameters.task_box is not None:
        low, high = (np.array(corner, dtype=np.float64) for corner in parameters.task_box)
        found["task box"] = _extent(low, high)
    if parameters.task_path is not None:
        points = np.array(parameters.task_path, dtype=np.float64)
        extent = _extent(points.min(axis=0), points.max(axis=0))
        found["task path"] = f"{counted(len(points), 'point')} {extent}"
    return found or {"task": "none is stated: no position must be reached"}


def _extent(low: FloatArray, high: FloatArray) -> str:
    ends = [value_text(corner.tolist(), "m") for corner in (low, high)]
    return f"from {ends[0]} to {ends[1]}: {_sides(high - low)}"


def _sides(lengths: FloatArray) -> str:
    scale = scale_of(lengths.tolist(), "m")
    return f"{_TIMES.join(scale.bare(side) for side in lengths.tolist())} {scale.unit}"


def _per_cable(values: FloatArray, unit: str) -> str:
    """One value for every cable, or each with the cables that have it."""
    different = dict.fromkeys(values.tolist())
    if len(different) == 1:
        return f"{value_text(values[0].item(), unit)} each"
    return listed([
        f"{value_text(value, unit)} (cable {_numbers(np.flatnonzero(values == value) + 1)})"
        for value in different
    ])  # fmt: skip


def _numbers(cables: np.ndarray) -> str:
    """Numbers of cables, neighbours as a range."""
    runs = np.split(cables, np.flatnonzero(np.diff(cables) > 1) + 1)
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _platform(parameters: HybridCableRobot) -> str:
    """The platform's box, or that it is a point, and the plane in which it moves if it has one."""
    plane = f", moves in the plane {parameters.plane}" if parameters.freedoms in PLANAR else ""
    if parameters.freedoms in POINTS:
        return f"a point mass{plane}"
    untested = "" if parameters.check_platform else "; no cable is tested against it"
    return f"box of {_sides(2 * np.array(parameters.platform_half_size))}{plane}{untested}"


def _wheels(radii: FloatArray) -> str:
    """Radii of the wheels, after a semicolon; nothing for eyelets."""
    return f"; wheels with a radius of {_per_cable(radii, 'm')}" if radii.any() else ""


def _floor(parameters: HybridCableRobot, pulley: float, scene: Scene | None) -> str:
    """Heights below which nothing of the robot is; the model itself knows no floor."""
    lowest = f"lowest pulley at z = {value_text(pulley, 'm')}"
    shapes = () if scene is None else scene.shapes
    cells = next((s for s in shapes if isinstance(s, Points) and s.name == "workspace"), None)
    if cells is None:
        return f"{lowest}; the model has no floor"
    under = float(cells.points[:, 2].min()) - parameters.platform_half_size[2]
    return (
        f"{lowest}, underside of the platform in the workspace down to {value_text(round(under, 3), 'm')} "
        "(not turned); the model has no floor"
    )
