"""A robot that moves along a path or over time: frames with a play button and a slider."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, empty, frame
from dashboards.figures.scene import (
    axis_letters,
    joined,
    line_group,
    plain_lines,
    roomy,
    scene_bounds,
    scene_figure,
)
from dashboards.figures.up_axis import CAMERA, Upright, scene_axes, upright
from dashboards.formatting import scale_of, with_unit
from dashboards.palette import INK, is_numbered, part_colours
from dashboards.templating import plotly_text, rounded
from models.arrays import FloatArray
from models.scene import Line, Scene, Up

_WIDTHS = {"backbone": 8, "cables": 3, "disks": 4, "guides": 3, "links": 6}
_TRAIL = ("#009E73", "#E69F00", INK)  # the first that no other part has
_PAUSE = 60  # ms from frame to frame of a motion without times
_DIGITS = 4
_FINEST = 2e-4  # of the longest side, to which places are rounded
SHORTEST, LONGEST = 2.0, 20.0
"""Shortest and longest motion [s] that is played in real time."""
_AT_ONCE = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}


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
    times: Sequence[float] = (),
    camera: Mapping[str, Any] = CAMERA,
) -> Figure:
    """Moments as Plotly frames over the path of the tip, ``trail`` (k, 3) m, and lines that stand ``still``.

    ``name`` is what the labels tell. With ``times`` [s], one per moment, the motion is played by the clock.
    """
    if not moments:
        return empty("there is no path to follow")
    view = upright(up)
    moving = [line for moment in moments for line in moment.lines]
    groups = list(dict.fromkeys(line_group(line) for line in moving))
    colours = part_colours([*groups, *(line_group(line) for line in still)])
    points = np.concatenate([trail, *(line.points for line in [*moving, *still])])
    decimals = _decimals(points)
    frames = [
        _frame(index, range(len(groups)), [_members(moment.lines, group) for group in groups], view, decimals)
        for index, moment in enumerate(moments)
    ]
    standing = list(dict.fromkeys(line_group(line) for line in still))
    layout = _layout(points, view, camera) | _controls([moment.label for moment in moments], name, times)
    return {
        "data": [
            *_drawn(moments[0].lines, groups, colours, view),
            _trail(trail, view, next(each for each in _TRAIL if each not in colours.values())),
            *_drawn(still, standing, colours, view),
        ],
        "layout": layout,
        "frames": frames,
    }


def scene_motion_figure(scene: Scene) -> Figure:
    """A scene as :func:`dashboards.figures.scene.scene_figure` draws it, its moments as Plotly frames.

    It begins at the last moment, which the shapes and the caption of the scene describe.
    """
    if not scene.moments:
        return scene_figure(scene)
    figure = scene_figure(scene, scene_bounds([scene, *(Scene(moment.lines) for moment in scene.moments)]))
    view, lines = upright(scene.up), plain_lines(scene)
    groups = list(
        dict.fromkeys(line_group(line) for line in lines)
    )  # the first traces of the figure, in order
    moving = {line_group(line) for line in scene.moments[0].lines}
    traces = [place for place, group in enumerate(groups) if group in moving]
    decimals = _decimals(np.concatenate([line.points for each in scene.moments for line in each.lines]))
    frames: list[dict[str, Any]] = []
    for index, moment in enumerate(scene.moments):
        places = {(line.name, line_group(line)): line for line in moment.lines}
        now = [places.get((line.name, line_group(line)), line) for line in lines]
        frames.append(
            _frame(index, traces, [_members(now, groups[place]) for place in traces], view, decimals)
        )
    times = [moment.time for moment in scene.moments]
    controls = _controls(time_labels(times), "time", times, len(times) - 1)
    meta = figure["layout"]["meta"] | controls["meta"]
    return {**figure, "layout": figure["layout"] | controls | {"meta": meta}, "frames": frames}


def time_labels(times: Sequence[float]) -> list[str]:
    """Times [s] in the unit that reads best, all with as many decimals as show how far apart they are."""
    scale = scale_of(times, "s")
    shown = scale.factor * np.asarray(times, dtype=np.float64)
    step = float(np.diff(shown).min()) if len(shown) > 1 else 1.0
    far = (places for places in range(4) if np.abs(shown.round(places) - shown).max() <= step / 6)
    decimals = next(far, 4)
    return [with_unit(f"{time:.{decimals}f}", scale.unit) for time in shown]


def playing_speed(duration: float) -> float:
    """Seconds of a motion of this duration [s] that play in one second: 1, 2, 5, 10 or 0.5, 0.2, 0.1 ...

    1 where playing takes between ``SHORTEST`` and ``LONGEST``.
    """
    if duration > LONGEST:
        return _preferred(duration / LONGEST)
    return 1 / _preferred(SHORTEST / duration) if 0.0 < duration < SHORTEST else 1.0


def _preferred(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20 ... that is not below ``least``."""
    decade = 10.0 ** math.floor(math.log10(least))
    return next(step * decade for step in (1.0, 2.0, 5.0, 10.0) if step * decade >= least * (1 - 1e-9))


def _frame(
    index: int, traces: Iterable[int], groups: Iterable[Sequence[Line]], view: Upright, decimals: int
) -> dict[str, Any]:
    """A frame with the lines of each group at a moment [m], rounded to ``decimals``, for these traces."""
    data: list[dict[str, Any]] = []
    for lines in groups:
        x, y, z = joined([replace(line, points=line.points.round(decimals) + 0.0) for line in lines], _DIGITS)
        data.append({"type": "scatter3d", **view.placed({"x": x, "y": y, "z": z})})
    return {"name": str(index), "data": data, "traces": list(traces)}


def _decimals(points: FloatArray) -> int:
    """Decimals of coordinates (k, 3) [m] that no screen tells from more."""
    longest = max(float(np.ptp(points, axis=0).max()), 1e-9)
    return math.ceil(-math.log10(_FINEST * longest))


def _members(lines: Iterable[Line], group: str) -> list[Line]:
    return [line for line in lines if line_group(line) == group]


def _layout(points: FloatArray, view: Upright, camera: Mapping[str, Any]) -> dict[str, Any]:
    axes = scene_axes(view, *roomy(points.min(axis=0), points.max(axis=0)))
    return frame(
        scene={**axes, "camera": dict(camera), "dragmode": "turntable"},
        showlegend=True,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
    )


def _drawn(
    lines: Sequence[Line], groups: Sequence[str], colours: Mapping[str, str], view: Upright
) -> list[dict[str, Any]]:
    """One trace per group, also where there is no line of it: frames address traces by number."""
    return [view.placed(_lines(group, _members(lines, group), colours[group])) for group in groups]


def _lines(group: str, lines: Sequence[Line], colour: str) -> dict[str, Any]:
    x, y, z = joined(lines, _DIGITS)
    width = _WIDTHS.get(group, 8 if is_numbered(group) else 3)
    letters = axis_letters(lines)
    return {
        "type": "scatter3d", "mode": "lines", "name": plotly_text(group), "hoverinfo": "name",
        "line": {"color": colour, "width": width}, "x": x, "y": y, "z": z,
        **({"mode": "lines+text", "text": letters} if letters else {}),
    }  # fmt: skip


def _trail(trail: FloatArray, view: Upright, colour: str) -> dict[str, Any]:
    x, y, z = (rounded(trail[:, i].tolist(), 4) for i in range(3))
    return view.placed({
        "type": "scatter3d", "mode": "lines", "name": "path of the tip", "hoverinfo": "skip",
        "line": {"color": colour, "width": 3, "dash": "dash"}, "x": x, "y": y, "z": z,
    })  # fmt: skip


def _controls(labels: Sequence[str], name: str, times: Sequence[float], active: int = 0) -> dict[str, Any]:
    """Plotly's play and pause buttons and its slider, and what controls of a page need.

    Notebooks show the former. Pages and reports replace them by ``static/core/player.js``, which the keyboard
    reaches; it reads the times [s] and the speed of playing.
    """
    speed = playing_speed(times[-1] - times[0]) if len(times) else 1.0
    pause = 1000 * (times[-1] - times[0]) / speed / (len(times) - 1) if len(times) > 1 else _PAUSE
    menu = {
        "type": "buttons", "direction": "left", "x": 0, "y": 0, "xanchor": "left", "yanchor": "top",
        "showactive": False, "buttons": _buttons(round(pause)),
    }  # fmt: skip
    steps = [
        {"label": plotly_text(label), "method": "animate", "args": [[str(index)], _AT_ONCE]}
        for index, label in enumerate(labels)
    ]
    slider = {
        "active": active, "x": 0.2, "len": 0.8, "y": 0, "steps": steps,
        "currentvalue": {"prefix": f"{plotly_text(name)}: "},
    }  # fmt: skip
    meta = {"meta": {"times": rounded(times), "speed": speed}} if len(times) else {}
    return {"updatemenus": [menu], "sliders": [slider], **meta}


def _buttons(pause: int) -> list[dict[str, Any]]:
    """Buttons that play with ``pause`` [ms] from frame to frame, and pause."""
    playing = {
        "fromcurrent": True,
        "frame": {"duration": pause, "redraw": True},
        "transition": {"duration": 0},
    }
    return [
        {"label": "Play", "method": "animate", "args": [None, playing]},
        {"label": "Pause", "method": "animate", "args": [[None], _AT_ONCE]},
    ]
