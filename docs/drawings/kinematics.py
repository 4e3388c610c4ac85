"""Drawings of ``continuum-kinematics``: its sections, the places and the directions that the tip reaches."""

from __future__ import annotations

import math

import numpy as np

from docs.drawings.canvas import (
    FloatArray,
    Picture,
    Plot,
    draw_frame,
    draw_scene,
    fitted,
    scene_points,
    seen_from,
)
from models.continuum_kinematics import (
    MODEL,
    ContinuumKinematics,
    dexterity,
    reachable_volume,
    robot_of,
    section_frames,
)
from models.continuum_kinematics.scene import robot_lines
from models.continuum_kinematics.shapes import backbones
from models.scene import Scene

LOOK = {"section 1": "backbone", "section 2": "workspace", "cables": "cables", "guides": "faint"}
BENT = [[0.2, 0.2, -0.85], [0.18, 0.5, 1.15]]
"""Length [m], u and v [rad] of the two sections of the drawing."""
STANDING = ContinuumKinematics(mounting="standing", task_points=(), task_poses=(), path=())
POINT = (0.12, 0.0, 0.1)
"""The task point at which directions are drawn [m]."""
DIRECTIONS = 200


def shapes() -> tuple[ContinuumKinematics, Scene]:
    """Two standing sections with their guides and cables."""
    parameters = MODEL.resolve("two-segment-tendon", {"guides": 6, "guide_radius": "14 mm"})
    return parameters, Scene(robot_lines(parameters, np.array(BENT)))


def robot() -> str:
    """The two sections with their frames."""
    parameters, scene = shapes()
    picture = Picture(600, 400, "Two sections of constant curvature with guides and cables, and their frames")
    view = fitted(seen_from(-60, 16), scene_points(scene), (150, 40, 420, 350))
    draw_scene(picture, view, scene, LOOK)
    draw_frame(picture, view, (0, 0, 0), 0.06)
    found = section_frames(np.array(BENT))
    for position, rotation, names in zip(
        found.positions[1:], found.rotations[1:], (("x_1", "y_1", "z_1"), ("", "", "z_2")), strict=True
    ):
        draw_frame(picture, view, position, 0.06, rotation=rotation, names=names, colour="load")
    parts = backbones(parameters, np.array(BENT))
    low, high = view(parts[0][len(parts[0]) // 2]), view(parts[1][len(parts[1]) // 2])
    picture.label(low, (300, 250), "section 1: {s_1}, {u_1}, {v_1}", "backbone", anchor="start")
    picture.label(high, high + [70, -40], "section 2: {s_2}, {u_2}, {v_2}", "workspace", anchor="start")
    tip = view(parts[1][-1])
    picture.dot(tip, "load", 4)
    picture.text((tip[0] - 10, tip[1] - 8), "tip", "load", anchor="end")
    rings = [shape.points for shape in scene.shapes if shape.name.startswith("guide")]
    ring = view(rings[3])
    picture.label(ring[ring[:, 0].argmin()], ring[ring[:, 0].argmin()] + [-60, -30], "guide", anchor="end")
    cable = view(next(shape.points for shape in scene.shapes if shape.name == "cable 2 of section 1"))
    picture.label(cable[2], cable[2] + [-75, 20], "cable {l_2}", "cables", anchor="end")
    return picture.svg()


def reach() -> str:
    """Places of the default robot's tip, and the directions of its tool at one of them."""
    picture = Picture(640, 350, "Section through the reachable volume; sphere of tool directions at a point")
    body = robot_of(STANDING)
    found = reachable_volume(body, STANDING.samples, 25)
    edge = float(body.upper.sum()) / 25
    plot = Plot(picture, (50, 40, 300, 290), (-0.25, 0.25), (-0.25, 0.25))
    for row in range(found.held.shape[1]):
        _row(plot, found.held[:, row], edge, (row - 25) * edge)
    plot.axes("distance from the axis [m]", "{z} [m]", (-0.2, 0, 0.2), (-0.2, 0, 0.2))
    picture.dot(plot((0, 0)), "ink", 3)
    picture.text(plot((0, 0)) + [6, 16], "base", size=15)
    picture.dot(plot((POINT[0], POINT[2])), "load", 4)
    litres = found.volume * 1e3
    picture.text((175, 22), f"reachable_volume {litres:.1f} l", "workspace", anchor="middle", size=15)
    _sphere(picture, np.array([490.0, 165.0]), 120.0)
    return picture.svg()


def _row(plot: Plot, held: FloatArray, edge: float, low: float) -> None:
    """Draw the rings of one height, both sides of the axis, neighbours as one box."""
    places = np.flatnonzero(held)
    for part in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []:
        inner, outer = edge * part[0], edge * (part[-1] + 1)
        sides = ((-outer, outer),) if inner == 0 else ((-outer, -inner), (inner, outer))
        for a, b in sides:
            corners = plot([(a, low), (b, low), (b, low + edge), (a, low + edge)])
            plot.picture.line(
                corners, "workspace", 0, closed=True, fill="workspace", opacity=0.55, crisp=True
            )


def _sphere(picture: Picture, middle: FloatArray, radius: float) -> None:
    """Draw the directions at :data:`POINT`, those in front larger."""
    found = dexterity(robot_of(STANDING), POINT, DIRECTIONS)
    columns = seen_from(-60, 20)
    depth = np.cross(columns[:, 0], columns[:, 1])
    turns = np.linspace(0, 2 * math.pi, 73)
    picture.line(middle + radius * np.column_stack([np.cos(turns), np.sin(turns)]), "faint", 1, closed=True)
    for direction, reached in zip(found.directions, found.reached, strict=True):
        front = float(direction @ depth) < 0
        place = middle + radius * (direction @ columns)
        picture.dot(
            place, "load" if reached else "faint", (4.0 if reached else 2.0) * (1.0 if front else 0.55)
        )
    picture.text(
        middle - [0, radius + 23], f"dexterity {found.share:.2f} at the dot", "load", anchor="middle", size=15
    )
    for place, colour, words in ((360, "load", "direction reached"), (520, "faint", "not reached")):
        picture.dot((place, 318), colour, 4)
        picture.text((place + 10, 323), words, size=15)
