"""Drawings of ``hybrid-cable-robot``: its frames and loads, the wrench test, the tests of cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from docs.drawings.canvas import (
    FloatArray,
    Picture,
    Plot,
    View,
    draw_frame,
    draw_scene,
    fitted,
    scene_points,
    seen_from,
)
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose, workspace
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.scene import outline
from models.scene import Box, Scene
from service.examples import FOLDER
from studies.definition.study_file import read_study
from studies.problem.problem import check

IntArray = NDArray[np.int64]
LOOK = {
    "cables": "cables", "frame": "faint", "pulleys": "faint", "platform": "platform", "arm": "ink",
    "arm end": "ink",
}  # fmt: skip
POINT = HybridCableRobot(
    freedoms="2T", plane="xz", pulleys=((-1.2, 0, 1), (1.2, 0, 1), (0.4, 0, -1)),
    attachments=((0, 0, 0),) * 3,
    f_min=4, f_max=40, space=((-1.2, -0.5, -1), (1.2, 0.5, 1)), characteristic_length=1.0,
    wrench_set={"center": [0, 0, -20, 0, 0, 0], "half_range": [9, 0, 6, 0, 0, 0]},
)  # fmt: skip
"""A point on three cables in a plane, whose wrenches are forces in this plane: all of them can be drawn."""
PLACE = (0.1, 0.0, 0.1)
"""Its place in the picture [m]."""
CELLS = 25
"""Cells along a side of the section of the workspace."""
SETTINGS = {"wrench_set": "gravity", "weight_moment": "ignored"}
SHADES = {
    "passes": ("workspace", 0.9), "a cable touches": ("platform", 0.9),
    "tensions fail when turned": ("cables", 0.75), "tensions fail": ("faint", 0.3),
}  # fmt: skip
"""Verdicts on a cell, by the number that :func:`verdicts` gives them, with their colours."""


def robot() -> str:
    """The suspended preset, whole and with its platform enlarged."""
    parameters = MODEL.resolve("suspended", {**SETTINGS, "cells": 12})
    scene = MODEL.scene(parameters)
    (box,) = (shape for shape in scene.shapes if isinstance(shape, Box))
    where, model = box.center, robot_of(parameters)
    ends = where + model.attachments
    picture = Picture(640, 420, "Frames, cables and loads of the suspended preset; its platform enlarged")
    columns = seen_from(-62, 18)
    whole = fitted(columns, np.concatenate([model.pulleys, [[0, 0, -0.25]]]), (16, 70, 330, 360))
    draw_scene(picture, whole, scene, LOOK)
    _whole_labels(picture, whole, model.pulleys, ends)
    zoom = fitted(columns, where + np.array([[-0.07, 0, -0.33], [0.07, 0, 0.12]]), (400, 20, 560, 390))
    near = int((ends @ np.cross(columns[:, 0], columns[:, 1])).argmin())
    for end, pulley in zip(ends, model.pulleys, strict=True):
        picture.line(zoom([end, end + 0.1 * _unit(pulley - end)]), "cables", 1.5)
    shown = {name: colour for name, colour in LOOK.items() if name in ("platform", "arm", "arm end")}
    draw_scene(picture, zoom, scene, shown)
    _platform_labels(picture, zoom, where, ends[near], model.pulleys[near])
    return picture.svg()


def _unit(vector: FloatArray) -> FloatArray:
    return vector / np.linalg.norm(vector)


def _whole_labels(picture: Picture, view: View, pulleys: FloatArray, ends: FloatArray) -> None:
    origin = np.zeros(3)
    draw_frame(picture, view, origin, 0.2)
    picture.text(view(origin) + [-6, 18], "{O}", anchor="end")
    top = int(view(pulleys)[:, 1].argmin())
    picture.label(view(pulleys[top]), view(pulleys[top]) + [40, -34], "pulley {A_i}", anchor="start")
    right = int(view(pulleys)[:, 0].argmax())
    way = view(0.4 * ends[right] + 0.6 * pulleys[right])
    picture.label(way, way + [18, 52], "{l_i}, {t_i}", "cables", anchor="start")
    centre = np.array([0.0, 0.0, pulleys[0, 2]])
    left = int(view(pulleys)[:, 0].argmin())
    picture.line(view([centre, pulleys[left]]), "other", 1.5, dashed=True)
    picture.text(view(0.3 * centre + 0.7 * pulleys[left]) + [0, -8], "{r}", "other", anchor="middle")
    picture.line(view([centre, origin]), "other", 1.5, dashed=True)
    picture.text(view(0.6 * centre) + [7, 0], "{h}", "other")
    picture.text((16, 408), "The whole robot", "faint", size=15)


def _platform_labels(
    picture: Picture, view: View, where: FloatArray, end: FloatArray, pulley: FloatArray
) -> None:
    draw_frame(picture, view, where, 0.1, names=("x_P", "y_P", "z_P"))
    picture.arrow(view(end), view(end + 0.13 * _unit(pulley - end)), "cables", 2.5)
    picture.text(view(end + 0.13 * _unit(pulley - end)) + [-4, -8], "{u_i}", "cables", anchor="end")
    picture.arrow(view(where), view(end), "other", 2)
    picture.label((view(where) + view(end)) / 2, view(where) + [70, -50], "{b_i}", "other", anchor="start")
    picture.dot(view(end), "ink", 3)
    picture.label(view(end), view(end) + [8, 100], "attachment {B_i}", anchor="start")
    force = view(where) + [-78, 20]
    picture.arrow(view(where), force, "load", 2.5)
    picture.text(force + [-4, -6], "{f}", "load", anchor="end")
    turns = np.linspace(-0.4, 4.6, 24)
    ring = (view(where) + force) / 2 + [-12, 0] + np.column_stack([5 * np.cos(turns), 13 * np.sin(turns)])
    picture.turn(ring, "load", 1.5)
    picture.text(ring.mean(axis=0) + [-14, 32], "{\u03c4}", "load", anchor="middle")
    low = where + np.array([0, 0, -0.17])
    picture.arrow(view(low), view(low) + [0, 52], "load", 2.5)
    picture.text(view(low) + [-10, 44], "{m g}", "load", anchor="end")
    arm = view(where + np.array([0, 0, -0.27]))
    picture.label(arm, arm + [40, 10], "arm", anchor="start")
    picture.text((395, 408), "Its platform", "faint", size=15)


def available() -> FloatArray:
    """Corners (n, 2) N of the forces, along x and z, that the cables of :data:`POINT` hold at its place."""
    matrix = evaluate_pose(POINT, PLACE, (0, 0, 0)).wrench_matrix[[0, 2]]
    choices = np.array(np.meshgrid(*[(4.0, 40.0)] * 3)).reshape(3, -1)
    held = -(matrix @ choices).T
    return held[ConvexHull(held).vertices]


def margin_line(corners: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shortest way (2, 2) N from a corner of the box to a side of the set of held forces."""
    best = (np.inf, low, low)
    for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (last - first) / np.linalg.norm(last - first)
        normal = np.array([-side[1], side[0]])
        for corner in ((x, z) for x in (low[0], high[0]) for z in (low[1], high[1])):
            away = float(np.dot(np.asarray(corner) - first, normal))
            if abs(away) < best[0]:
                best = (abs(away), np.asarray(corner), np.asarray(corner) - away * normal)
    return best[1], best[2]


def wrench_box() -> str:
    """The wrench test of :data:`POINT`: the box of loads in the set that the cables hold, and the margin."""
    picture = Picture(640, 330, "A box of loads in the set of forces that three cables hold, with its margin")
    view = fitted(np.array([[1.0, 0], [0, 0], [0, -1.0]]), np.array(POINT.pulleys), (30, 50, 240, 270))
    for number, pulley in enumerate(POINT.pulleys, 1):
        picture.line(view([pulley, PLACE]), "cables", 2)
        picture.dot(view(pulley), "faint", 5)
        middle = view(0.5 * np.array(pulley) + 0.5 * np.array(PLACE))
        picture.text(middle + [8, -4], f"{{t_{number}}}", "cables")
    picture.arrow(view(PLACE), view(PLACE) + [0, 48], "load", 2.5)
    picture.dot(view(PLACE), "platform", 7)
    picture.text(view(PLACE) + [-8, 44], "load {w}", "load", anchor="end")
    corners = available()
    plot = Plot(picture, (330, 40, 610, 275), (-60, 60), (-60, 40))
    plot.axes("force along {x} [N]", "force along {z} [N]", (-40, -20, 0, 20, 40), (-40, -20, 0, 20))
    picture.line(plot(corners), "cables", 2, closed=True, fill="cables", opacity=0.18)
    low, high = np.array([-9.0, -26.0]), np.array([9.0, -14.0])
    box = [low, (high[0], low[1]), high, (low[0], high[1])]
    picture.line(plot(box), "load", 2, closed=True, fill="load", opacity=0.3)
    picture.dot(plot((low + high) / 2), "load", 3)
    start, end = plot(np.array(margin_line(corners, low, high)))
    picture.line([start, end], "backbone", 2.5)
    margin = evaluate_pose(POINT, PLACE, (0, 0, 0)).capacity_margin
    picture.label((start + end) / 2, (500, 250), f"margin {margin:.1f} N", "backbone", anchor="start")
    picture.label(plot((-6, -22)), (400, 255), "box of loads", "load", anchor="end")
    picture.text(plot((-8, 12)), "held forces", "cables", anchor="middle", size=15)
    return picture.svg()


def verdicts(preset: str) -> IntArray:
    """Numbers (n, n) of :data:`SHADES` on the cells of the plane y = 0, along x and z."""
    layers = []
    for orientations in ("corners", "nominal"):
        parameters = MODEL.resolve(preset, {**SETTINGS, "cells": CELLS, "orientations": orientations})
        layers.append(workspace(parameters).verdicts[:, CELLS // 2, :])
    turned, still = layers
    return np.select([still == 1, turned == 1, turned > 0], [3, 2, 1], 0)


def cell_tests() -> str:
    """A section of the constrained preset's and the suspended preset's space: what each cell fails."""
    picture = Picture(640, 350, "Cells of the plane y = 0 of both presets, by the first test that they fail")
    edges = np.linspace(-0.5, 0.5, CELLS + 1)
    for left, preset in ((60, "constrained"), (370, "suspended")):
        plot = Plot(picture, (left, 34, left + 240, 274), (-0.5, 0.5), (-0.5, 0.5))
        for row, found in enumerate(verdicts(preset).T):
            _row(plot, found, edges, row)
        plot.axes("{x} [m]", "{z} [m]", (-0.5, 0, 0.5), (-0.5, 0, 0.5))
        picture.text((left + 120, 22), preset, anchor="middle")
    for left, (name, (colour, opacity)) in zip((16, 110, 262, 494), SHADES.items(), strict=True):
        corners = [(left, 327), (left + 14, 327), (left + 14, 341), (left, 341)]
        picture.line(corners, colour, 0, closed=True, fill=colour, opacity=opacity)
        picture.text((left + 20, 339), name, size=15)
    return picture.svg()


def obstacles() -> str:
    """The robot of ``examples/obstacles.toml`` in the middle of its ranges."""
    problem = next(iter(check(read_study(FOLDER / "obstacles.toml")).values()))
    scene = outline(problem.model.resolve(problem.preset, {**problem.settings, **problem.space.middle()}))
    picture = Picture(620, 400, "A robot above a floor, a column, a pipe, and capsules around its arm")
    view = fitted(seen_from(-58, 20), scene_points(scene), (20, 20, 480, 380))
    around = {"floor": "faint", "obstacle": "other", "arm capsules": "backbone"}
    draw_scene(picture, view, scene, {**around, **LOOK})
    where = {shape.name: view(scene_points(Scene((shape,)))).mean(axis=0) for shape in scene.shapes}
    for name, shift, words, colour in (
        ("obstacle 1", [70, -10], "column", "other"),
        ("obstacle 2", [-60, -24], "pipe", "other"),
        ("floor", [120, 40], "floor", "ink"),
        ("arm capsules", [-60, 50], "arm_radii", "backbone"),
    ):
        picture.label(where[name], where[name] + shift, words, colour)
    return picture.svg()


def _row(plot: Plot, found: IntArray, edges: FloatArray, row: int) -> None:
    """Draw the cells of a row, those of one verdict beside each other as one box."""
    begin = 0
    for end in range(1, CELLS + 1):
        if end == CELLS or found[end] != found[begin]:
            colour, opacity = list(SHADES.values())[found[begin]]
            a, b, low, high = edges[begin], edges[end], edges[row], edges[row + 1]
            corners = plot([(a, low), (b, low), (b, high), (a, high)])
            plot.picture.line(corners, colour, 0, closed=True, fill=colour, opacity=opacity, crisp=True)
            begin = end
