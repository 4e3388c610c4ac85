"""Drawings of ``continuum-dynamics``: its disks and drives, and the response to a fast one."""

from __future__ import annotations

from functools import cache

import numpy as np

from docs.drawings.canvas import Picture, Plot, draw_frame, draw_scene, fitted, scene_points, seen_from
from models.continuum_dynamics import MODEL, ContinuumDynamics, Motion, simulate, static_solution, wound
from models.continuum_dynamics.response import settling
from models.continuum_dynamics.scene import robot_lines
from models.scene import Scene

LOOK = {"backbone": "backbone", "cables": "cables", "disks": "faint"}
SLACK = {"state": "slack"}
FAST = {
    "length": "300 mm", "disks": 8, "gravity": "down", "drives": [{"pull": "15 mm"}, SLACK, SLACK],
    "drive_time": "0.3 s", "duration": "4 s", "mass_damping": 3.0,
}  # fmt: skip
INSTANTS = 300
"""Instants of a curve."""


@cache
def motion() -> tuple[ContinuumDynamics, Motion]:
    """A hanging robot whose first cable is wound quickly."""
    parameters = MODEL.resolve(None, FAST)
    return parameters, simulate(parameters)


def robot() -> str:
    """A standing picture of five elements, bent by one cable; a second one is locked, a third one slack."""
    look = {"length": "200 mm", "disk_radius": "24 mm", "hole_radius": "20 mm", "gravity": "horizontal"}
    parameters = MODEL.resolve(None, {**FAST, "disks": 5, **look})
    rest = static_solution(parameters, [0.022, 0.0, 0.0])
    lines = robot_lines(parameters, rest.positions, rest.rotations)
    scene = Scene(tuple(lines))
    picture = Picture(600, 380, "Disks, cables and drives; motors wind the cables below the base")
    view = fitted(seen_from(-78, 14), scene_points(scene), (150, 30, 480, 290))
    draw_scene(picture, view, scene, LOOK)
    draw_frame(picture, view, (0, 0, 0), 0.05)
    for line in lines:
        if line.name.startswith("cable"):
            start = view(line.points[0])
            picture.line([start, start + [0, 40]], "cables", 1.5, dashed=line.number > 1)
    cable = view(lines[-3].points)
    picture.label((cable[2] + cable[3]) / 2, (120, 120), "tension {\u03bb_1}", "cables", anchor="end")
    disk = view(lines[4].points)
    right = disk[disk[:, 0].argmax()]
    picture.label(right, right + [60, 30], "disk: {m}, {J}", anchor="start")
    middle = view((rest.positions[1] + rest.positions[2]) / 2)
    picture.label(middle, middle + [90, 40], "element: {q_k}, length {L}", "backbone", anchor="start")
    tip = view(rest.positions[-1])
    picture.dot(tip, "load", 4)
    picture.label(tip, tip + [40, -30], "tip", "load", anchor="start")
    motor = view(lines[-3].points[0]) + [8, 48]
    picture.dot(motor, "ink", 9, hollow=True)
    picture.label(motor + [9, 2], motor + [60, 14], "motor winds {\u0394S_1}", "cables", anchor="start")
    slack = view(lines[-1].points[0]) + [0, 40]
    picture.label(slack, slack + [-60, 14], "slack", "cables", anchor="end")
    return picture.svg()


def response() -> str:
    """Tension and distance of the tip from its rest over time."""
    parameters, found = motion()
    rest = static_solution(parameters, [0.015, 0.0, 0.0])
    settled = settling(found, wound(parameters, found.times), rest, parameters.length)
    picture = Picture(640, 420, "Tension, and distance of the tip from its rest, after a fast drive")
    times = np.linspace(0.0, 4.0, INSTANTS)
    pull = np.interp(times, found.times, found.tensions[:, 0])
    upper = Plot(picture, (60, 40, 610, 170), (0, 4), (0, 1.15 * float(found.tensions.max())))
    top = float(np.ceil(found.tensions.max()))
    upper.axes("", "tension of cable 1 [N]", (0, 1, 2, 3, 4), (0, top / 2, top))
    upper.curve(times, pull, "cables")
    peak = int(found.tensions[:, 0].argmax())
    at = upper([found.times[peak], found.tensions[peak, 0]])
    picture.dot(at, "load", 4)
    picture.label(at, at + [40, 0], f"peak_tension {found.tensions.max():.2f} N", "load", anchor="start")
    away = np.linalg.norm(found.positions[:, -1] - rest.positions[-1], axis=1) * 1e3
    lower = Plot(picture, (60, 230, 610, 360), (0, 4), (0, 1.05 * float(away.max())))
    lower.axes("time [s]", "distance of the tip from its rest [mm]", (0, 1, 2, 3, 4), (0, 50, 100))
    band = settled.band * 1e3
    picture.line(
        lower([(0, 0), (4, 0), (4, band), (0, band)]),
        "workspace",
        0,
        closed=True,
        fill="workspace",
        opacity=0.35,
    )
    lower.curve(times, np.interp(times, found.times, away), "backbone")
    for time, words, side in (
        (0.3, "drive ends", 8),
        (settled.arrival, f"arrival_time {settled.arrival:.2f} s", 8),
    ):
        picture.line([upper([time, 0]) - [0, 130], lower([time, 0])], "faint", 1, dashed=True)
        picture.text(lower([time, away.max()]) + [side, 12], words, size=15)
    picture.text(lower([4, band]) + [-4, -8], "2 % of tip_way", "workspace", anchor="end", size=15)
    return picture.svg()
