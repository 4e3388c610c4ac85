"""The robot in space: cables, frame, platform, the cells of its workspace, points coloured by a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, frame
from dashboards.figures.colour_scale import ValueScale, value_scales
from dashboards.figures.up_axis import Upright, camera_across, scene_axes, upright
from dashboards.formatting import number, value_text
from dashboards.palette import is_numbered, part_colours
from dashboards.templating import SIGNIFICANT, plotly_text, rounded
from models.scene import Box, Line, Points, Scene, Surface
from studies.exchange.voxels import FloatArray, IntArray, hull

CAMERA = {
    "eye": {"x": 1.3, "y": -1.6, "z": 0.7},
    "center": {"x": 0, "y": 0, "z": -0.25},
    "up": {"x": 0, "y": 0, "z": 1},
}
MOST_LETTERS = 18
"""Axes of frames in a group that have their letters."""
FLAT = 1e-9
"""Share of the longest side of a scene below which another one is none."""
WORKSPACE = "workspace"
"""Marks traces of cells, clouds of points and surfaces: a page can make them fainter."""
MANY = 200
"""Points of a cloud through which one can look at what lies in it."""
_WIDTHS = {
    "frame": 3, "guides": 3, "other task poses": 2, "along the path": 2, "at task points": 2,
}  # fmt: skip
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
_BOX_TRIANGLES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip
_BOX_EDGES = ((0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7), (6, 7))

Bounds = tuple[FloatArray, FloatArray]


def scene_figure(scene: Scene, bounds: Bounds | None = None) -> Figure:
    """A scene with equal scales on all axes.

    What shows a workspace or the like, and not the robot, has :data:`WORKSPACE` as ``meta`` of its traces.
    ``meta`` of the layout names the world axes along the ``axes`` of the picture.

    ``bounds`` (lower and upper corner, m) give several scenes the same frame, so that one can
    compare them; :func:`scene_bounds` finds them.
    """
    lower, upper = bounds or scene_bounds([scene])
    view = upright(scene.up)
    data: list[dict[str, Any]] = []
    lines: dict[str, list[Line]] = {}
    colour = part_colours(line_group(s) if isinstance(s, Line) else s.name for s in scene.shapes)
    scales = value_scales([shape for shape in scene.shapes if isinstance(shape, Points)])
    for shape in scene.shapes:
        if isinstance(shape, Line):
            lines.setdefault(line_group(shape), []).append(shape)
    data += [_lines(group, members, colour[group]) for group, members in lines.items()]
    for shape in scene.shapes:
        if isinstance(shape, Points) and shape.value_name in scales:
            data.append(_valued(shape, scales[shape.value_name]))
        elif not isinstance(shape, Line):
            data += _solid(shape, colour[shape.name])
    layout = frame(
        scene={**scene_axes(view, lower, upper), "camera": _camera(scene, view), "dragmode": "turntable"},
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
        meta={"axes": list(view.names)},
        **{scale.axis: scale.below for scale in scales.values()},
    )
    return {"data": [view.placed(trace) for trace in data], "layout": layout}


def _camera(scene: Scene, view: Upright) -> Mapping[str, Any]:
    """:data:`CAMERA`; across the plane of a scene that lies in an upright one."""
    points = [_extent(shape) for shape in scene.shapes]
    spans = np.ptp(np.concatenate(points), axis=0) if points else np.zeros(3)
    one, other, _ = view.order
    if max(spans[one], spans[other]) == 0.0 or min(spans[one], spans[other]) > FLAT * spans.max():
        return CAMERA
    way = np.zeros(3)
    way[one if spans[one] > spans[other] else other] = 1.0
    return camera_across(view, way, CAMERA)


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
    """True if there is more to see than a single point."""
    points = [_extent(shape) for shape in scene.shapes]
    return bool(points) and float(np.ptp(np.concatenate(points), axis=0).max()) > 0.0


def scene_summary(scene: Scene) -> str:
    """Description of the picture in words, for those who do not see it."""
    groups: dict[str, int] = {}
    parts: list[str] = []
    for shape in scene.shapes:
        if isinstance(shape, Line):
            name = line_group(shape)
            groups[name] = groups.get(name, 0) + 1
        elif isinstance(shape, Box):
            sides = value_text((2.0 * shape.half_size).tolist(), "m")
            parts.append(f"{shape.name} with sides {sides} at {_place(shape.center)}")
        elif isinstance(shape, Points):
            kind = "points" if shape.cell_size is None else "cells"
            parts.append(f"{shape.name}: {len(shape.points)} {kind}{_values_text(shape)}")
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


def _values_text(shape: Points) -> str:
    if shape.values is None or not len(shape.values):
        return ""
    least, most = number(float(shape.values.min()), 3), number(float(shape.values.max()), 3)
    return f", {shape.value_name} {least} to {most}"


def _lines(name: str, members: Sequence[Line], colour: str) -> dict[str, Any]:
    """Polylines of one group as one trace, with gaps between them; axes of a frame with their letters."""
    x, y, z = joined(members)
    texts = [text for line in members for text in [plotly_text(line.name)] * (len(line.points) + 1)]
    letters = axis_letters(members)
    return {
        "type": "scatter3d",
        "mode": "lines+text" if letters else "lines",
        "name": plotly_text(name),
        "x": x,
        "y": y,
        "z": z,
        "line": {"color": colour, "width": line_width(name)},
        **({"text": letters, "hovertext": texts} if letters else {"text": texts}),
        "hoverinfo": "text",
    }


def joined(lines: Iterable[Line], digits: int = SIGNIFICANT) -> list[list[float | None]]:
    """World coordinates x, y and z of all lines, with a gap after each."""
    coordinates: list[list[float | None]] = [[], [], []]
    for line in lines:
        for i in range(3):
            coordinates[i] += [*rounded(line.points[:, i].tolist(), digits), None]
    return coordinates


def line_group(line: Line) -> str:
    """The group of a line; one without a group is by itself."""
    return line.group or line.name


def line_width(group: str) -> int:
    """Pixels: sections of a backbone are the widest, frames and guides the thinnest."""
    return _WIDTHS.get(group, 8 if is_numbered(group) else 5)


def axis_letters(members: Sequence[Line]) -> list[str]:
    """Texts for each point of the axes of a frame and each gap: the letter of the axis at its end.

    Axes are lines whose name or group ends in the letter, as in "target 1 x". There are none where other
    lines are among them, or so many frames that letters would cover each other.
    """
    letters = [_axis_letter(line) for line in members]
    if len(members) > MOST_LETTERS or not all(letters):
        return []
    return [
        text
        for line, letter in zip(members, letters, strict=True)
        for text in [*[""] * (len(line.points) - 1), letter, ""]
    ]


def _axis_letter(line: Line) -> str:
    return next((text[-1] for text in (line.name, line.group) if text[-2:] in {" x", " y", " z"}), "")


def _valued(shape: Points, scale: ValueScale) -> dict[str, Any]:
    """Points in the colours of their values; the bar of the scale stands for them instead of the legend."""
    x, y, z = (rounded(shape.points[:, i].tolist()) for i in range(3))
    place = "x %{x}, y %{y}, z %{z} m"
    values = [] if shape.values is None else shape.values.tolist()
    opacity = 0.6 if len(values) > MANY else 1.0
    return {
        "meta": WORKSPACE,
        "type": "scatter3d", "mode": "markers", "name": plotly_text(shape.name), "x": x, "y": y, "z": z,
        "marker": scale.marker(values, size=4, symbol="circle", opacity=opacity), "showlegend": False,
        "hovertemplate": f"{plotly_text(scale.title)}: %{{marker.color:.3g}}<br>{place}<extra></extra>",
    }  # fmt: skip


def _solid(shape: Box | Surface | Points, colour: str) -> list[dict[str, Any]]:
    if isinstance(shape, Box):
        corners = _extent(shape)
        edges = [Line(shape.name, corners[list(edge)]) for edge in _BOX_EDGES]
        outline = _lines(shape.name, edges, colour) | {"showlegend": False, "legendgroup": shape.name}
        mesh = _mesh(shape.name, corners, _BOX_TRIANGLES, colour, 0.85)
        return [mesh | {"legendgroup": shape.name}, outline]
    if isinstance(shape, Surface):
        return [_mesh(shape.name, shape.vertices, shape.triangles, colour, 0.6) | {"meta": WORKSPACE}]
    if shape.cell_size is not None:
        faces = hull(shape.points, shape.cell_size)
        mesh = _mesh(shape.name, faces.corners.reshape(-1, 3), faces.triangles, colour, 0.22)
        return [mesh | {"meta": WORKSPACE}]
    x, y, z = (rounded(shape.points[:, i].tolist()) for i in range(3))
    marker: dict[str, Any] = {"color": colour, "size": 4, "symbol": "circle"}
    cloud = len(shape.points) > MANY
    if cloud:
        marker |= {"size": 2, "opacity": 0.35}
    return [{
        **({"meta": WORKSPACE} if cloud else {}),
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
