"""The robot in space: cables, frame, platform and the cells of its workspace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, frame
from dashboards.figures.up_axis import scene_axes, upright
from dashboards.figures.voxels import FloatArray, IntArray, hull
from dashboards.formatting import value_text
from dashboards.templating import plotly_text, rounded
from models.scene import Box, Line, Points, Scene, Surface

CAMERA = {
    "eye": {"x": 1.3, "y": -1.6, "z": 0.7},
    "center": {"x": 0, "y": 0, "z": -0.25},
    "up": {"x": 0, "y": 0, "z": 1},
}
_ROLES = {
    "cables": "#2F8FCE",
    "frame": "#8A929C",
    "pulleys": "#8A929C",
    "platform": "#E69F00",
    "workspace": "#009E73",
    "backbone": "#D55E00",
    "disks": "#8A929C",
    "before the snap": "#CC79A7",
    "after the snap": "#E69F00",
    "stable workspace": "#009E73",
}
_OTHERS = ("#CC79A7", "#D55E00", "#56B4E9", "#A08C00")
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
_BOX_TRIANGLES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip
_BOX_EDGES = ((0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7), (6, 7))

Bounds = tuple[FloatArray, FloatArray]


def scene_figure(scene: Scene, bounds: Bounds | None = None) -> Figure:
    """A scene with equal scales on all axes.

    ``bounds`` (lower and upper corner, m) give several scenes the same frame, so that one can
    compare them; :func:`scene_bounds` finds them.
    """
    lower, upper = bounds or scene_bounds([scene])
    view = upright(scene.up)
    data: list[dict[str, Any]] = []
    lines: dict[str, list[Line]] = {}
    colour = _colours(scene)
    for shape in scene.shapes:
        if isinstance(shape, Line):
            lines.setdefault(shape.group or shape.name, []).append(shape)
    data += [_lines(group, members, colour[group]) for group, members in lines.items()]
    for shape in scene.shapes:
        if not isinstance(shape, Line):
            data += _solid(shape, colour[shape.name])
    layout = frame(
        scene={**scene_axes(view, lower, upper), "camera": CAMERA, "dragmode": "turntable"},
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
    )
    return {"data": [view.placed(trace) for trace in data], "layout": layout}


def scene_bounds(scenes: Iterable[Scene]) -> Bounds:
    """Lower and upper corner (m) of everything in ``scenes``, with a little room around it.

    No side is shorter than a third of the longest: flat robots stand in a box that can be turned.
    """
    points = np.concatenate(
        [np.zeros((0, 3)), *(_extent(shape) for scene in scenes for shape in scene.shapes)]
    )
    if len(points) == 0:
        return np.full(3, -0.5), np.full(3, 0.5)
    return roomy(points.min(axis=0), points.max(axis=0))


def roomy(lower: FloatArray, upper: FloatArray) -> Bounds:
    """Corners (3,) m with room around them, no side shorter than a third of the longest."""
    longest = max(float((upper - lower).max()), 1e-6)
    room = np.maximum(0.04 * longest, (longest / 3 - (upper - lower)) / 2)
    return lower - room, upper + room


def has_extent(scene: Scene) -> bool:
    """Whether there is more to see than a single point."""
    points = [_extent(shape) for shape in scene.shapes]
    return bool(points) and float(np.ptp(np.concatenate(points), axis=0).max()) > 0.0


def scene_summary(scene: Scene) -> str:
    """What the picture shows, in words, for those who do not see it."""
    groups: dict[str, int] = {}
    parts: list[str] = []
    for shape in scene.shapes:
        if isinstance(shape, Line):
            name = shape.group or shape.name
            groups[name] = groups.get(name, 0) + 1
        elif isinstance(shape, Box):
            sides = value_text((2.0 * shape.half_size).tolist(), "m")
            parts.append(f"{shape.name} with sides {sides} at {_place(shape.center)}")
        elif isinstance(shape, Points):
            kind = "points" if shape.cell_size is None else "cells"
            parts.append(f"{shape.name}: {len(shape.points)} {kind}")
        else:
            parts.append(f"{shape.name}: a surface of {len(shape.triangles)} triangles")
    return "; ".join([*(f"{name}: {_count(count)}" for name, count in groups.items()), *parts]) + "."


def _count(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"


def _place(point: FloatArray) -> str:
    return value_text([float(f"{x:.3g}") for x in point], "m")


def _extent(shape: Line | Box | Surface | Points) -> FloatArray:
    if isinstance(shape, Box):
        return shape.center + (_CORNERS * shape.half_size) @ shape.rotation.T
    if isinstance(shape, Surface):
        return shape.vertices
    if isinstance(shape, Points) and shape.cell_size is not None and len(shape.points):
        half = shape.cell_size / 2
        return np.concatenate([shape.points - half, shape.points + half])
    return shape.points


def _colours(scene: Scene) -> dict[str, str]:
    """A colour per legend entry: known parts have their own, others take the next that is free."""
    names = dict.fromkeys(s.group or s.name if isinstance(s, Line) else s.name for s in scene.shapes)
    unknown = [name for name in names if name not in _ROLES]
    return {name: _ROLES.get(name) or _OTHERS[unknown.index(name) % len(_OTHERS)] for name in names}


def _lines(name: str, members: Sequence[Line], colour: str) -> dict[str, Any]:
    """Polylines of one group as one trace, with gaps between them."""
    coordinates: list[list[float | None]] = [[], [], []]
    texts: list[str] = []
    for line in members:
        for i in range(3):
            coordinates[i] += [*rounded(line.points[:, i].tolist()), None]
        texts += [plotly_text(line.name)] * (len(line.points) + 1)
    width = 3 if name == "frame" else 5
    return {
        "type": "scatter3d",
        "mode": "lines",
        "name": plotly_text(name),
        "x": coordinates[0],
        "y": coordinates[1],
        "z": coordinates[2],
        "line": {"color": colour, "width": width},
        "text": texts,
        "hoverinfo": "text",
    }


def _solid(shape: Box | Surface | Points, colour: str) -> list[dict[str, Any]]:
    if isinstance(shape, Box):
        corners = _extent(shape)
        edges = [Line(shape.name, corners[list(edge)]) for edge in _BOX_EDGES]
        outline = _lines(shape.name, edges, colour) | {"showlegend": False, "legendgroup": shape.name}
        mesh = _mesh(shape.name, corners, _BOX_TRIANGLES, colour, 0.85)
        return [mesh | {"legendgroup": shape.name}, outline]
    if isinstance(shape, Surface):
        return [_mesh(shape.name, shape.vertices, shape.triangles, colour, 0.6)]
    if shape.cell_size is not None:
        faces = hull(shape.points, shape.cell_size)
        return [_mesh(shape.name, faces.corners.reshape(-1, 3), faces.triangles, colour, 0.22)]
    x, y, z = (rounded(shape.points[:, i].tolist()) for i in range(3))
    marker = {"color": colour, "size": 4, "symbol": "circle"}
    return [{
        "type": "scatter3d", "mode": "markers", "name": plotly_text(shape.name),
        "x": x, "y": y, "z": z, "marker": marker, "hoverinfo": "name+x+y+z",
    }]  # fmt: skip


def _mesh(
    name: str, vertices: FloatArray, triangles: IntArray, colour: str, opacity: float
) -> dict[str, Any]:
    x, y, z = (rounded(vertices[:, axis].tolist()) for axis in range(3))
    i, j, k = (triangles[:, corner].tolist() for corner in range(3))
    return {
        "type": "mesh3d", "name": plotly_text(name), "x": x, "y": y, "z": z, "i": i, "j": j, "k": k,
        "color": colour, "opacity": opacity, "flatshading": True, "showlegend": True,
        "lighting": {"ambient": 0.75, "diffuse": 0.5, "specular": 0.05, "roughness": 0.9},
        "hoverinfo": "name",
    }  # fmt: skip
