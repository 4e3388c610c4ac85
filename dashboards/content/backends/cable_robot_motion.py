"""Drawings of a cable robot that moves by its winches, for reports: the motion, and tensions over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dashboards.content.drawing import Drawing
from dashboards.figures.motion import scene_motion_figure
from dashboards.figures.time_series import TimeCurve, TimeMark, TimePanel, time_series_figure
from dashboards.formatting import percent, quantity
from errors import InputError
from models.hybrid_cable_robot import HybridCableRobot, WinchMotion, follow_winches, motion_scene


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
