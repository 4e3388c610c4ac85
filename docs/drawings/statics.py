"""Drawings of ``continuum-statics``: its segments and loads, and a fold with the jump that follows."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from docs.drawings.canvas import (
    FloatArray,
    Picture,
    Plot,
    View,
    draw_frame,
    draw_scene,
    fitted,
    resampled,
    scene_points,
    seen_from,
)
from models.continuum_statics import (
    ContinuumStatics,
    Event,
    Path,
    disks,
    equilibrium,
    equilibrium_path,
    stable_path,
)
from models.continuum_statics.scene import backbone, robot_lines
from models.scene import Scene

LOOK = {"backbone": "backbone", "cables": "cables", "disks": "faint"}
SNAPPING = ContinuumStatics(tip_mass=0.07, density=0.0, planar=True, enforce_material_limits=False)
"""The paper's rod with 70 g at its tip, which can bend in its plane alone."""


def robot() -> str:
    """The default robot with a payload, bent by cable 1."""
    parameters = ContinuumStatics(tip_mass=0.03, density=0.0, disks=4, disk_spacing=0.1, hole_radius=0.034)
    state = equilibrium(parameters, [8.0, 0.0, 0.0])
    scene = Scene(robot_lines(parameters, state.q))
    picture = Picture(600, 380, "Segments, cables and loads of a rod with four disks behind its base")
    view = fitted(seen_from(-62, 16, "y"), scene_points(scene), (70, 70, 500, 315))
    draw_scene(picture, view, scene, LOOK)
    draw_frame(picture, view, (0, 0, 0), 0.075)
    where = disks(parameters, state.q)
    tip = view(where.positions[-1])
    picture.arrow(tip, tip + [0, 56], "load", 2.5)
    picture.text(tip + [8, 56], "{m_t g}", "load")
    picture.dot(tip, "load", 5)
    picture.label(tip, tip + [-40, -60], "tip {P}", anchor="end")
    _cable_labels(picture, view, scene)
    middle = view(backbone(parameters, state.q)[12])
    picture.label(
        middle,
        (middle[0] + 30, 352),
        "segment: {\u03b1}, {\u03b2}, {\u03b3}, length {L}",
        "backbone",
        anchor="start",
    )
    rim = view(scene.shapes[6].points)
    picture.label(rim[rim[:, 1].argmin()], rim[rim[:, 1].argmin()] + [-10, -46], "disk 2", anchor="middle")
    return picture.svg()


def _cable_labels(picture: Picture, view: View, scene: Scene) -> None:
    (cable,) = (shape for shape in scene.shapes if shape.name == "cable 1")
    start, second = view(cable.points[0]), view(cable.points[1])
    way = (start - second) / np.linalg.norm(start - second)
    picture.arrow(start, start + 52 * way, "cables", 2.5)
    picture.text(start + 56 * way + [4, -8], "{T_1}", "cables", anchor="end")
    picture.line([view((0, 0, 0)), start], "other", 1.5)
    picture.text((view((0, 0, 0)) + start) / 2 + [-6, 4], "{r}", "other", anchor="end")


@cache
def snapping() -> tuple[Path, Event]:
    """Equilibria of :data:`SNAPPING` under a rising tension of cable 1, and its first jump."""
    jump = next(event for event in stable_path(SNAPPING).events if event.snap is not None)
    return equilibrium_path(SNAPPING), jump


def fold() -> str:
    """The path of :data:`SNAPPING` with its fold, the jump, and the shapes before and after it."""
    path, jump = snapping()
    snap = jump.snap
    picture = Picture(640, 330, "Bend of the tip over tension: two folds and a jump; shapes before and after")
    plot = Plot(picture, (60, 40, 350, 270), (0, 14), (-60, 260))
    plot.axes("tension of cable 1 [N]", "bend of the tip [deg]", (0, 4, 8, 12), (0, 90, 180))
    kept = path.tensions <= 14.0
    for stable, part in _runs(path.stable[kept], np.column_stack([path.tensions, _bends(path.states)])[kept]):
        curve = resampled(plot(part), 60)
        picture.line(curve, "backbone" if stable else "faint", 2.5, dashed=not stable)
    before = plot([snap.tension, _bends(snap.before)])
    after = plot([snap.tension, _bends(snap.after)])
    picture.arrow(before, after + [0, 4], "load", 2)
    picture.dot(before, "load", 4)
    picture.label(before, before + [20, 22], f"fold, {snap.tension:.2f} N", "load", anchor="start")
    picture.text((before + after) / 2 + [7, 0], "jump", "load")
    first = int(np.flatnonzero(~path.stable)[len(path.stable[~path.stable]) // 2])
    middle = plot([path.tensions[first], _bends(path.states[first])])
    picture.label(middle, middle + [-60, -10], "unstable", "faint", anchor="end")
    shapes = {"before": snap.before, "after": snap.after}
    lines = {name: backbone(SNAPPING, q) for name, q in shapes.items()}
    view = fitted(
        np.array([[0, 0], [0, -1.0], [1.0, 0]]), np.concatenate(list(lines.values())), (410, 60, 610, 290)
    )
    for name, points in lines.items():
        colour = "other" if name == "before" else "backbone"
        picture.line(view(points), colour, 3)
        picture.dot(view(points[-1]), colour, 5)
        picture.text(view(points[-1]) + [0, -12], name, colour, anchor="middle")
    picture.text((510, 318), f"{snap.energy_released * 1e3:.1f} mJ are released", anchor="middle", size=15)
    return picture.svg()


def _bends(states: FloatArray) -> FloatArray:
    """Angle [deg] between tip and base of planar states (..., n, 3) rad, upwards."""
    return -np.degrees(states[..., 0].sum(axis=-1))


def _runs(stable: FloatArray, points: FloatArray) -> list[tuple[bool, FloatArray]]:
    """Parts of a path (k, 2) that are stable or not throughout; each begins where the last one ends."""
    turns = np.flatnonzero(np.diff(stable.astype(int))) + 1
    edges = [0, *turns.tolist(), len(points)]
    return [(bool(stable[a]), points[max(a - 1, 0) : b]) for a, b in pairwise(edges) if b - a > 1]
