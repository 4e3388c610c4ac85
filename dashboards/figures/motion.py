"""A robot that moves while tension rises: frames with a play button and a slider, none by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures.axes import Figure, empty, frame
from dashboards.figures.scene import roomy
from dashboards.figures.up_axis import CAMERA, Upright, scene_axes, upright
from dashboards.templating import plotly_text, rounded
from models.scene import Line, Up

FloatArray = NDArray[np.float64]
_WIDTHS = {"backbone": 8, "cables": 3, "disks": 4}
_COLOURS = {"backbone": "#D55E00", "cables": "#2F8FCE", "disks": "#8A929C"}
_OTHER = "#CC79A7"
_PAUSE = 60  # ms from frame to frame


@dataclass(frozen=True, slots=True)
class MotionFrame:
    """One moment: a label that names it, and the lines that show it, joined by their groups."""

    label: str
    lines: tuple[Line, ...]


def motion_figure(
    moments: Sequence[MotionFrame], trail: FloatArray, up: Up = "z", name: str = "tension"
) -> Figure:
    """Moments as Plotly frames over the path of the tip, ``trail`` (k, 3) m.

    The figure brings Plotly's own play button and slider for notebooks; reports replace them by
    controls of the page that the keyboard reaches. ``name`` is what the labels tell.
    """
    if not moments:
        return empty("there is no path to follow")
    view = upright(up)
    groups = list(dict.fromkeys(line.group or line.name for moment in moments for line in moment.lines))
    points = np.concatenate([trail, *(line.points for moment in moments for line in moment.lines)])
    frames = [
        {"name": str(index), "data": _moment(moment, groups, view), "traces": list(range(len(groups)))}
        for index, moment in enumerate(moments)
    ]
    layout = frame(
        scene={
            **scene_axes(view, *roomy(points.min(axis=0), points.max(axis=0))),
            "camera": CAMERA,
            "dragmode": "turntable",
        },
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
        **_controls([moment.label for moment in moments], name),
    )
    return {
        "data": [*_moment(moments[0], groups, view), _trail(trail, view)],
        "layout": layout,
        "frames": frames,
    }


def _moment(moment: MotionFrame, groups: Sequence[str], view: Upright) -> list[dict[str, Any]]:
    """One trace per group, also where a moment has no line of it: frames address traces by number."""
    members = {
        group: [line for line in moment.lines if (line.group or line.name) == group] for group in groups
    }
    return [view.placed(_lines(group, lines)) for group, lines in members.items()]


def _lines(group: str, lines: Sequence[Line]) -> dict[str, Any]:
    coordinates: list[list[float | None]] = [[], [], []]
    for line in lines:
        for i in range(3):
            coordinates[i] += [*rounded(line.points[:, i].tolist(), 4), None]
    return {
        "type": "scatter3d", "mode": "lines", "name": plotly_text(group), "hoverinfo": "name",
        "line": {"color": _COLOURS.get(group, _OTHER), "width": _WIDTHS.get(group, 3)},
        "x": coordinates[0], "y": coordinates[1], "z": coordinates[2],
    }  # fmt: skip


def _trail(trail: FloatArray, view: Upright) -> dict[str, Any]:
    x, y, z = (rounded(trail[:, i].tolist(), 4) for i in range(3))
    return view.placed({
        "type": "scatter3d", "mode": "lines", "name": "path of the tip", "hoverinfo": "skip",
        "line": {"color": "#009E73", "width": 3, "dash": "dash"}, "x": x, "y": y, "z": z,
    })  # fmt: skip


def _controls(labels: Sequence[str], name: str) -> dict[str, Any]:
    """Plotly's play and pause buttons and its slider."""
    at_once = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    playing = {
        "fromcurrent": True,
        "frame": {"duration": _PAUSE, "redraw": True},
        "transition": {"duration": 0},
    }
    buttons = [
        {"label": "Play", "method": "animate", "args": [None, playing]},
        {"label": "Pause", "method": "animate", "args": [[None], at_once]},
    ]
    steps = [
        {"label": plotly_text(label), "method": "animate", "args": [[str(index)], at_once]}
        for index, label in enumerate(labels)
    ]
    menu = {
        "type": "buttons", "direction": "left", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top",
        "showactive": False, "buttons": buttons,
    }  # fmt: skip
    slider = {
        "active": 0, "x": 0.2, "len": 0.8, "y": 0, "steps": steps,
        "currentvalue": {"prefix": f"{plotly_text(name)}: "},
    }  # fmt: skip
    return {"updatemenus": [menu], "sliders": [slider]}
