"""A cable robot in reports: its conditions in numbers, and drawings of a motion by its winches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import ValidationError

from dashboards.content.drawing import Drawing
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.figures.motion import scene_motion_figure
from dashboards.figures.time_series import TimeCurve, TimeMark, TimePanel, time_series_figure
from dashboards.formatting import percent, quantity, value_text
from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot import HybridCableRobot, WinchMotion, follow_winches, motion_scene
from models.hybrid_cable_robot.robot import Robot, middle_wrench, robot_of
from models.parameters import flatten_names
from studies.problem.problem import Setup

MOTION = {
    "platform_body", "arm_links", "arm_base_position", "arm_base_rotation", "trajectory",
    "trajectory_samples",
}  # fmt: skip
MOMENT = {"weight_moment", "arm_posture", "arm_postures", "arm_joint_limits"}
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
    for name, depends in DEPENDS.items():
        also = wrench if "wrench_set" in depends else set[str]()
        if found := sorted(varied & (depends | also)):
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
        "orientations tested": f"{len(robot.rotations)}{turned if len(robot.rotations) > 1 else ''}",
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


def design_drawings(parameters: HybridCableRobot) -> Sequence[Drawing]:
    """Drawings of a design that was given a motion of its own; none without one, or if it cannot start."""
    if isinstance(parameters.winch_lengths, str) and isinstance(parameters.trajectory, str):
        return ()
    try:
        motion = follow_winches(parameters)
    except InputError:
        return ()
    return _motion_drawing(parameters, motion), _tensions_drawing(parameters, motion)


def _motion_drawing(parameters: HybridCableRobot, motion: WinchMotion) -> Drawing:
    """The motion itself, with the path of the platform."""
    view = motion_scene(parameters, motion)
    caption = f"{view.caption} Press Play, or move the slider with the mouse or the arrow keys."
    return Drawing("The motion by the winches", caption, scene_motion_figure(view), "motion")


def _tensions_drawing(parameters: HybridCableRobot, motion: WinchMotion) -> Drawing:
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
    return Drawing("Tensions of the motion by the winches", _tensions_caption(motion), figure, "tall")


def _tensions_caption(motion: WinchMotion) -> str:
    cable = int(np.argmax(motion.peaks))
    slack = (
        f"At least one cable is slack for {percent(motion.slack_share)} of the time."
        if motion.slack_share
        else "No cable is ever slack."
    )
    peak = f"Cable {cable + 1} pulls most, with up to {quantity(float(motion.peaks[cable]), 'N', 3)}."
    ends = f" The motion was not found to its end: {motion.fault}." if motion.fault else ""
    return f"{peak} {slack}{ends}"
