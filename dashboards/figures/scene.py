"""The robot in space: cables, frame, platform, the cells of its workspace, points coloured by a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, frame
from dashboards.figures.colour_scale import ValueScale, value_scales
from dashboards.figures.up_axis import Upright, scene_axes, upright
from dashboards.figures.valued_lines import valued_line_traces, valued_lines
from dashboards.formatting import number, value_text
from dashboards.palette import is_numbered, part_colours
from dashboards.templating import SIGNIFICANT, plotly_text, rounded
from models.scene import Box, Line, Points, Scene, Surface
from studies.exchange.voxels import FloatArray, IntArray, creases, hull

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
EDGES = "workspace edges"
"""Marks the lines along the edges of a workspace, which are seen with it."""
HULL = 0.14
"""Opacity of the hull of cells: what stands in it stays visible."""
CABLE = 5
"""Width of a line with a value, in pixels."""
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
    valued = valued_lines(scene)
    scales = value_scales([*(shape for shape in scene.shapes if isinstance(shape, Points)), *valued])
    unseen = {name for name in scales if not any(_is_seen(shape, name) for shape in [*scene.shapes, *valued])}
    for line in plain_lines(scene):
        lines.setdefault(line_group(line), []).append(line)
    data += [_lines(group, members, colour[group]) for group, members in lines.items()]
    data += valued_line_traces(valued, scales, CABLE)
    for shape in scene.shapes:
        if isinstance(shape, Points) and shape.value_name in scales:
            data.append(_valued(shape, scales[shape.value_name]))
        elif not isinstance(shape, Line):
            data += _solid(shape, colour[shape.name])
    layout = frame(
        scene=_look(scene, view, scene_axes(view, lower, upper)),
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
        meta={"axes": list(view.names)},
        **{scale.axis: scale.below for name, scale in scales.items() if name not in unseen},
    )
    return {"data": [view.placed(trace) for trace in data], "layout": layout}


def plain_lines(scene: Scene) -> list[Line]:
    """The lines that have the colour of their group: all but :func:`valued_lines`."""
    valued = {id(line) for line in valued_lines(scene)}
    return [shape for shape in scene.shapes if isinstance(shape, Line) and id(shape) not in valued]


def _is_seen(shape: Line | Box | Surface | Points, value_name: str) -> bool:
    """True if the picture shows values of this name from the start."""
    if isinstance(shape, Points):
        return shape.shown and shape.values is not None and shape.value_name == value_name
    return isinstance(shape, Line) and shape.value_name == value_name


def _look(scene: Scene, view: Upright, axes: Mapping[str, Any]) -> dict[str, Any]:
    """The scene of a layout; one that lies in a plane is seen straight on, without the axis across it."""
    normal = _normal(scene)
    if normal is None:
        return {**axes, "camera": CAMERA, "dragmode": "turntable"}
    place = view.order.index(normal)
    name = "xyz"[place]
    eye = {"x": 0.0, "y": 0.0, "z": 0.0, name: -2.0 if place == 1 else 2.0}
    above = {"x": 0, "y": 1, "z": 0} if place == 2 else {"x": 0, "y": 0, "z": 1}
    camera = {
        "eye": eye, "center": {"x": 0, "y": 0, "z": 0}, "up": above, "projection": {"type": "orthographic"},
    }  # fmt: skip
    hidden = {**axes[f"{name}axis"], "visible": False}
    return {**axes, f"{name}axis": hidden, "camera": camera, "dragmode": "pan"}


def _normal(scene: Scene) -> int | None:
    """The world's axis across the plane in which a scene lies at all times; None without such a plane."""
    lines = [line for moment in scene.moments for line in moment.lines]
    points = [_extent(shape) for shape in (*scene.shapes, *lines)]
    spans = np.ptp(np.concatenate(points), axis=0) if points else np.zeros(3)
    flat = np.flatnonzero(spans <= FLAT * spans.max())
    return int(flat[0]) if len(flat) == 1 else None


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
    values: dict[str, list[Line]] = {}
    parts: list[str] = []
    for shape in scene.shapes:
        if isinstance(shape, Line):
            name = line_group(shape)
            groups[name] = groups.get(name, 0) + 1
            if shape.value is not None:
                values.setdefault(name, []).append(shape)
        elif isinstance(shape, Box):
            sides = value_text((2.0 * shape.half_size).tolist(), "m")
            parts.append(f"{shape.name} with sides {sides} at {_place(shape.center)}")
        elif isinstance(shape, Points):
            kind = "points" if shape.cell_size is None else "cells"
            parts.append(f"{shape.name}: {len(shape.points)} {kind}{_values_text(shape)}")
        else:
            parts.append(f"{shape.name}: a surface of {len(shape.triangles)} triangles")
    counts = [f"{name}: {_count(count)}{_carried(values.get(name, []))}" for name, count in groups.items()]
    return "; ".join([*counts, *parts]) + "."


def _count(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"


def _carried(lines: Sequence[Line]) -> str:
    """The least and the greatest value of lines; empty without values."""
    values = [line.value for line in lines if line.value is not None]
    if not values:
        return ""
    return f", {lines[0].value_name} {number(min(values), 3)} to {number(max(values), 3)}"


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
    """Points in the colours of their values; the bar of the scale stands for them instead of the legend.

    Those that are not shown are an entry of the legend, and bring the bar along.
    """
    x, y, z = (rounded(shape.points[:, i].tolist()) for i in range(3))
    place = "x %{x}, y %{y}, z %{z} m"
    values = [] if shape.values is None else shape.values.tolist()
    look = {"size": 4, "symbol": "circle", "opacity": 0.6 if len(values) > MANY else 1.0}
    if shape.shown:
        shown = {"marker": scale.marker(values, **look), "showlegend": False}
    else:
        shown = {"marker": scale.own_marker(values, **look), "visible": "legendonly", "showlegend": True}
    return {
        "meta": WORKSPACE,
        "type": "scatter3d", "mode": "markers", "name": plotly_text(shape.name), "x": x, "y": y, "z": z,
        **shown,
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
        if shape.solid:
            return [_mesh(shape.name, shape.vertices, shape.triangles, colour, 0.5)]
        return [_mesh(shape.name, shape.vertices, shape.triangles, colour, 0.3) | {"meta": WORKSPACE}]
    if shape.cell_size is not None:
        faces = hull(shape.points, shape.cell_size)
        mesh = _mesh(shape.name, faces.corners.reshape(-1, 3), faces.triangles, colour, HULL)
        return [mesh | {"meta": WORKSPACE, "legendgroup": shape.name}, _edges(shape, colour)]
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


def _edges(cells: Points, colour: str) -> dict[str, Any]:
    """Thin lines where the outer faces of cells meet at an angle."""
    size = np.zeros(3) if cells.cell_size is None else cells.cell_size
    edges = [Line(cells.name, ends) for ends in creases(cells.points, size)]
    line = {"color": colour, "width": 1}
    own = {"line": line, "opacity": 0.5, "hoverinfo": "skip", "showlegend": False, "meta": EDGES}
    return _lines(cells.name, edges, colour) | own | {"legendgroup": cells.name, "text": None}


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
