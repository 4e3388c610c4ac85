"""A robot that moves along a path: frames with a play button and a slider, none by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, empty, frame
from dashboards.figures.scene import axis_letters, roomy
from dashboards.figures.up_axis import CAMERA, Upright, scene_axes, upright
from dashboards.palette import INK, is_numbered, part_colours
from dashboards.templating import plotly_text, rounded
from models.arrays import FloatArray
from models.scene import Line, Up

_WIDTHS = {"backbone": 8, "cables": 3, "disks": 4, "guides": 3}
_TRAIL = ("#009E73", "#E69F00", INK)  # the first that no other part has
_PAUSE = 60  # ms from frame to frame


@dataclass(frozen=True, slots=True)
class MotionFrame:
    """One moment: a label that names it, and the lines that show it, joined by their groups."""

    label: str
    lines: tuple[Line, ...]


def motion_figure(
    moments: Sequence[MotionFrame],
    trail: FloatArray,
    up: Up = "z",
    name: str = "tension",
    still: Sequence[Line] = (),
) -> Figure:
    """Moments as Plotly frames over the path of the tip, ``trail`` (k, 3) m, and lines that stand ``still``.

    The figure brings Plotly's own play button and slider for notebooks; reports replace them by
    controls of the page that the keyboard reaches. ``name`` is what the labels tell.
    """
    if not moments:
        return empty("there is no path to follow")
    view = upright(up)
    moving = [line for moment in moments for line in moment.lines]
    groups = list(dict.fromkeys(_group(line) for line in moving))
    colours = part_colours([*groups, *(_group(line) for line in still)])
    points = np.concatenate([trail, *(line.points for line in [*moving, *still])])
    frames = [
        {
            "name": str(index),
            "data": _drawn(moment.lines, groups, colours, view),
            "traces": list(range(len(groups))),
        }
        for index, moment in enumerate(moments)
    ]
    standing = list(dict.fromkeys(_group(line) for line in still))
    layout = _layout(points, view) | _controls([moment.label for moment in moments], name)
    return {
        "data": [
            *_drawn(moments[0].lines, groups, colours, view),
            _trail(trail, view, next(each for each in _TRAIL if each not in colours.values())),
            *_drawn(still, standing, colours, view),
        ],
        "layout": layout,
        "frames": frames,
    }


def _layout(points: FloatArray, view: Upright) -> dict[str, Any]:
    axes = scene_axes(view, *roomy(points.min(axis=0), points.max(axis=0)))
    return frame(
        scene={**axes, "camera": CAMERA, "dragmode": "turntable"},
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
    )


def _group(line: Line) -> str:
    return line.group or line.name


def _drawn(
    lines: Sequence[Line], groups: Sequence[str], colours: Mapping[str, str], view: Upright
) -> list[dict[str, Any]]:
    """One trace per group, also where there is no line of it: frames address traces by number."""
    members = {group: [line for line in lines if _group(line) == group] for group in groups}
    return [view.placed(_lines(group, held, colours[group])) for group, held in members.items()]


def _lines(group: str, lines: Sequence[Line], colour: str) -> dict[str, Any]:
    coordinates: list[list[float | None]] = [[], [], []]
    for line in lines:
        for i in range(3):
            coordinates[i] += [*rounded(line.points[:, i].tolist(), 4), None]
    width = _WIDTHS.get(group, 8 if is_numbered(group) else 3)
    letters = axis_letters(lines)
    return {
        "type": "scatter3d", "mode": "lines", "name": plotly_text(group), "hoverinfo": "name",
        "line": {"color": colour, "width": width},
        "x": coordinates[0], "y": coordinates[1], "z": coordinates[2],
        **({"mode": "lines+text", "text": letters} if letters else {}),
    }  # fmt: skip


def _trail(trail: FloatArray, view: Upright, colour: str) -> dict[str, Any]:
    x, y, z = (rounded(trail[:, i].tolist(), 4) for i in range(3))
    return view.placed({
        "type": "scatter3d", "mode": "lines", "name": "path of the tip", "hoverinfo": "skip",
        "line": {"color": colour, "width": 3, "dash": "dash"}, "x": x, "y": y, "z": z,
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
