"""A cable robot in reports: its conditions, the ranges of its cables, its building, and its motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from pydantic import ValidationError

from dashboards.content.drawing import Drawing
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.figures.motion import scene_motion_figure
from dashboards.figures.time_series import TimeCurve, TimeMark, TimePanel, time_series_figure
from dashboards.formatting import MISSING, Scale, counted, percent, quantity, rounded, scale_of, value_text
from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot import HybridCableRobot, WinchMotion, follow_winches, motion_scene
from models.hybrid_cable_robot.cables.geometry import cable_vectors
from models.hybrid_cable_robot.freedoms import PLANAR, POINTS
from models.hybrid_cable_robot.robot import Robot, middle_wrench, robot_of
from models.hybrid_cable_robot.tensions.distribution import held_tensions
from models.hybrid_cable_robot.workspace_grid.workspace import workspace
from models.hybrid_cable_robot.wrench_sets import path_fault
from models.parameters import flatten_names
from models.scene import Box, Points, Scene
from studies.problem.problem import Setup

MOTION = {
    "platform_body", "arm_joints", "arm_links", "arm_base_position", "arm_base_rotation", "trajectory",
    "trajectory_samples",
}  # fmt: skip
MOMENT = {"weight_moment", "arm_joints", "arm_posture", "arm_postures", "arm_joint_limits"}
DEPENDS = {
    "external wrench, centre": {"wrench_set"},
    "external wrench, half range": {"wrench_set"},
    "cable tension": {"f_min", "f_max", "max_winch_torque", "max_winch_power"},
    "orientations tested": {"orientations", "rotation_limit"},
    "cells tested": {"cells", "space"},
    "indices summed over": {"index_domain"},
    "collision tests": {"check_interference", "check_platform"},
    "characteristic length": {"characteristic_length", "attachments"},
}


def robot_table(setup: Setup) -> Table | None:
    """Wrenches, tensions, orientations, cells and tests of every layout of a study of cable robots.

    None when the installed version refuses the conditions of a layout.
    """
    columns = [robot_numbers(setup, layout) for layout in setup.layouts]
    if not all(columns):
        return None
    rows: list[list[Cell | str]] = []
    for name in columns[0]:
        texts = [column[name] for column in columns]
        mark = "differs" if len(set(texts)) > 1 else ""
        note = "differs between layouts" if mark else ""
        rows.append([Cell(name, note, mark), *(Cell(text, mark=mark) for text in texts)])
    return table("Conditions in numbers", ["condition", *setup.layouts], rows)


def robot_numbers(setup: Setup, layout: str) -> dict[str, str]:
    """A layout's conditions; one that depends on a variable says so instead of showing one of its values.

    None at all when the installed version refuses them.
    """
    try:
        record = HybridCableRobot.model_validate(setup.fixed(layout))
    except ValidationError:
        return {}
    conditions = _conditions(record)
    varied = flatten_names(dict.fromkeys(setup.varied(layout)))
    chosen = setup.fixed(layout).get("wrench_set", "box")
    wrench = MOTION | MOMENT if chosen in ("gravity", "box", "trajectory") else set[str]()
    stated = {"attachments"} if record.characteristic_length is not None else set[str]()
    for name, depends in DEPENDS.items():
        also = wrench if "wrench_set" in depends else set[str]()
        if found := sorted(varied & (depends - stated | also)):
            conditions[name] = f"varies with {listed(found)}"
    return conditions


def _conditions(record: HybridCableRobot) -> dict[str, str]:
    robot = robot_of(record)
    sides = [(upper - lower) / record.cells for lower, upper in zip(*record.space, strict=True)]
    about = "x, y and z" if isinstance(record.rotation_limit, tuple) else "each axis"
    limit = value_text(np.array(record.rotation_limit).tolist(), "rad")
    turned = f", a sample of those within {limit} about {about}"
    return {
        "external wrench, centre": _wrench(middle_wrench(robot, robot.rotations[0]))
        + _turning(record, robot),
        "external wrench, half range": _wrench(robot.wrench_range),
        "cable tension": _tension(record),
        "orientations tested": f"all within {limit} about {about}, by proof"
        if len(robot.spans)
        else f"{len(robot.rotations)}{turned if len(robot.rotations) > 1 else ''}",
        "cells tested": f"{record.cells} per axis, each {_cell(sides)}",
        "indices summed over": "the workspace" if record.index_domain == "feasible" else "the whole space",
        "collision tests": _checks(record),
        "characteristic length": value_text(robot.length_scale, "m"),
    }


def _tension(record: HybridCableRobot) -> str:
    """Limits of all cables, or those of each where they differ."""
    lower, upper = record.tension_limits
    if np.ptp(lower) or np.ptp(upper):
        ends = (value_text(lower.tolist(), "N"), value_text(upper.tolist(), "N"))
        return f"{ends[0]} to {ends[1]}, cable by cable"
    return f"{value_text(float(lower[0]), 'N')} to {value_text(float(upper[0]), 'N')}"


def _turning(record: HybridCableRobot, robot: Robot) -> str:
    """A clause on the moment of the weight."""
    if record.wrench_set not in ("gravity", "box"):
        return ""
    if record.weight_moment == "ignored":
        return "; the weight's moment ignored"
    postures = len(robot.first_moments)
    many = f", the mean of {postures} arm postures" if postures > 1 else ""
    return f" not turned{many}; the weight's moment turns with the platform"


def _cell(sides: list[float]) -> str:
    cube = max(sides) - min(sides) < 1e-9 * max(sides)
    return f"a cube of {value_text(sides[0], 'm')}" if cube else value_text(sides, "m")


def _wrench(wrench: FloatArray) -> str:
    return f"{value_text(wrench[:3].tolist(), 'N')} and {value_text(wrench[3:].tolist(), 'N m')}"


def _checks(record: HybridCableRobot) -> str:
    checks = {
        "cables against cables": record.check_interference,
        "cables against the platform": record.check_platform,
    }
    return listed([name for name, wanted in checks.items() if wanted]) or "none"


TITLE = "Cables over the workspace"
_ROUNDING = 1e-12
"""Share of the greatest value below which a value is the rounding of a slack cable."""


def cable_table(parameters: HybridCableRobot) -> Table | None:
    """One row per cable: pulley, attachment, least, mean and greatest length and tension.

    Over the feasible cells, with the platform not turned; tensions by the tension rule for the middle of the
    wrench set. Without a workspace, lengths and tensions are missing; None without a wrench set.
    """
    if path_fault(parameters) is not None:
        return None
    robot = robot_of(parameters)
    lengths, tensions = cable_lengths_and_tensions(parameters, robot)
    metres, newtons = scale_of(_ends(lengths), "m"), scale_of(_ends(tensions), "N")
    small = scale_of(robot.attachments.ravel().tolist(), "m")
    rows = [
        [
            str(i + 1),
            *(_millimetre(value) for value in robot.pulleys[i].tolist()),
            *(small.bare(value) for value in robot.attachments[i].tolist()),
            *_range(lengths, i, metres),
            *_range(tensions, i, newtons),
        ]
        for i in range(len(robot.pulleys))
    ]
    head = ["cable", *(f"pulley {axis} [m]" for axis in "xyz")]
    head += [f"attachment {axis} [{small.unit}]" for axis in "xyz"]
    head += [f"length {what} [{metres.unit}]" for what in ("min", "mean", "max")]
    head += [f"tension {what} [{newtons.unit}]" for what in ("min", "mean", "max")]
    return table(TITLE, head, rows, range(1, len(head)))


def cable_lengths_and_tensions(parameters: HybridCableRobot, robot: Robot) -> tuple[FloatArray, FloatArray]:
    """Lengths (k, m) m at the feasible cells, and tensions (l, m) N at those where the rule finds some."""
    points, nominal = workspace(parameters).points, np.eye(3)
    none = np.empty((0, len(robot.pulleys)))
    if not len(points):
        return none, none
    vectors = np.stack([cable_vectors(robot, point, nominal) for point in points])
    tensions, held = held_tensions(robot, points, nominal)
    return np.linalg.norm(vectors, axis=-1), tensions[held]


def _millimetre(metres: float) -> str:
    """A coordinate in m to the millimetre."""
    return f"{rounded(metres, 3):f}".replace("-", "\N{MINUS SIGN}")


def _range(values: FloatArray, cable: int, scale: Scale) -> Sequence[str]:
    if not len(values):
        return [MISSING] * 3
    own = values[:, cable]
    own = np.where(np.abs(own) > _ROUNDING * np.abs(values).max(), own, 0.0)
    return [scale.bare(float(value)) for value in (own.min(), own.mean(), own.max())]


def _ends(values: FloatArray) -> list[float]:
    return [float(values.max())] if len(values) else []


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


def design_drawings(parameters: HybridCableRobot) -> Sequence[Drawing]:
    """Drawings of a design that was given a motion of its own; none without one, or if it cannot start."""
    if isinstance(parameters.winch_lengths, str) and isinstance(parameters.trajectory, str):
        return ()
    try:
        motion = follow_winches(parameters)
    except InputError:
        return ()
    return motion_drawing(parameters, motion), tensions_drawing(parameters, motion)


def motion_drawing(parameters: HybridCableRobot, motion: WinchMotion) -> Drawing:
    """The motion itself, with the path of the platform."""
    view = motion_scene(parameters, motion)
    caption = f"{view.caption} Press Play, or move the slider with the mouse or the arrow keys."
    return Drawing("The motion by the winches", caption, scene_motion_figure(view), "motion")


def tensions_drawing(parameters: HybridCableRobot, motion: WinchMotion) -> Drawing:
    """Tensions of the cables over time and, with a trajectory, the distance from it."""
    curves = (
        TimeCurve(f"cable {number}", motion.times, column)
        for number, column in enumerate(motion.tensions.T, 1)
    )
    panels = [TimePanel("tension", "N", tuple(curves))]
    errors = motion.path_errors
    if errors is not None:
        panels.append(TimePanel("path error", "m", (TimeCurve("path error", motion.times, errors),)))
    stop = (TimeMark(float(motion.times[0] + motion.moving), "winches stop"),)
    figure = time_series_figure(panels, stop if parameters.settling_duration else ())
    return Drawing("Tensions of the motion by the winches", _words(motion), figure, "tall")


def _words(motion: WinchMotion) -> str:
    cable = int(np.argmax(motion.peaks))
    slack = (
        f"At least one cable is slack for {percent(motion.slack_share)} of the time."
        if motion.slack_share
        else "No cable is ever slack."
    )
    peak = f"Cable {cable + 1} pulls most, with up to {quantity(float(motion.peaks[cable]), 'N', 3)}."
    ends = f" The motion was not found to its end: {motion.fault}." if motion.fault else ""
    return f"{peak} {slack}{ends}"
