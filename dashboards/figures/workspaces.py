"""Stable workspaces over each other: surfaces of the stable tip positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures.axes import Figure, empty, frame
from dashboards.figures.scene import roomy
from dashboards.figures.up_axis import CAMERA, scene_axes, upright
from dashboards.palette import style_of
from dashboards.templating import plotly_text, rounded
from models.scene import Up

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
_OPACITY = 0.6


@dataclass(frozen=True, slots=True)
class WorkspaceSurface:
    """A workspace: ``vertices`` (k, 3) m, ``triangles`` (t, 3), ``lost`` (s, 3) m where stability was lost.

    ``rims`` are polylines (k, 3) m that trace the surface. Of several workspaces one is drawn as a
    surface and the others by their rims alone, or they would hide each other.
    """

    name: str
    vertices: FloatArray
    triangles: IntArray
    lost: FloatArray
    rims: tuple[FloatArray, ...] = ()


def workspaces_figure(reaches: Sequence[WorkspaceSurface], up: Up = "z") -> Figure:
    """Workspaces in one frame of equal scales, with crosses where the robot loses stability.

    The last one is a surface, the others are nets.
    """
    filled = [reach for reach in reaches if len(reach.triangles)]
    if not filled:
        return empty("no design has a stable workspace")
    points = np.concatenate([np.zeros((1, 3)), *(reach.vertices for reach in filled)])
    view = upright(up)
    data: list[dict[str, Any]] = []
    for index, reach in enumerate(reaches):
        colour = style_of(index).colour
        if len(reach.triangles):
            last = reach is filled[-1]
            data += [_surface(reach, colour)] if last else []
            data.append(_rims(reach, colour, alone=not last))
        if len(reach.lost):
            data.append(_lost(reach, colour))
    data.append(_base())
    axes = scene_axes(view, *roomy(points.min(axis=0), points.max(axis=0)))
    layout = frame(
        scene={**axes, "camera": CAMERA, "dragmode": "turntable"},
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
    )
    return {"data": [view.placed(trace) for trace in data], "layout": layout}


def _surface(reach: WorkspaceSurface, colour: str) -> dict[str, Any]:
    x, y, z = (rounded(reach.vertices[:, i].tolist(), 4) for i in range(3))
    i, j, k = (reach.triangles[:, corner].tolist() for corner in range(3))
    return {
        "type": "mesh3d", "name": plotly_text(reach.name), "x": x, "y": y, "z": z, "i": i, "j": j, "k": k,
        "color": colour, "opacity": _OPACITY, "showlegend": True, "hoverinfo": "name",
        "legendgroup": plotly_text(reach.name),
        "lighting": {"ambient": 0.7, "diffuse": 0.55, "specular": 0.05, "roughness": 0.9},
    }  # fmt: skip


def _rims(reach: WorkspaceSurface, colour: str, *, alone: bool) -> dict[str, Any]:
    """The rims of a workspace; they stand for it in the legend where they are ``alone``."""
    coordinates: list[list[float | None]] = [[], [], []]
    for rim in reach.rims:
        for i in range(3):
            coordinates[i] += [*rounded(rim[:, i].tolist(), 4), None]
    return {
        "type": "scatter3d", "mode": "lines", "name": plotly_text(reach.name), "showlegend": alone,
        "hoverinfo": "name" if alone else "skip", "legendgroup": plotly_text(reach.name),
        "line": {"color": colour, "width": 3 if alone else 1.5},
        "x": coordinates[0], "y": coordinates[1], "z": coordinates[2],
    }  # fmt: skip


def _lost(reach: WorkspaceSurface, colour: str) -> dict[str, Any]:
    x, y, z = (rounded(reach.lost[:, i].tolist(), 4) for i in range(3))
    return {
        "type": "scatter3d", "mode": "markers", "name": plotly_text(f"{reach.name}: stability lost"),
        "x": x, "y": y, "z": z, "marker": {"symbol": "x", "size": 4, "color": colour}, "hoverinfo": "name",
    }  # fmt: skip


def _base() -> dict[str, Any]:
    return {
        "type": "scatter3d", "mode": "markers", "name": "base", "x": [0.0], "y": [0.0], "z": [0.0],
        "marker": {"color": "#8A929C", "size": 5}, "hoverinfo": "name",
    }  # fmt: skip
