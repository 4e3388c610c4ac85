"""A backbone under rising tension or over time: its shapes over each other, from the side and from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.figures.up_axis import Upright, upright
from dashboards.formatting import number
from dashboards.palette import RAMP, ramp_colour
from dashboards.templating import plotly_text, rounded
from models.scene import Up

FloatArray = NDArray[np.float64]
FLAT = 1e-3
"""Share of the longest extent below which a robot counts as lying in a plane."""
MOST_SHAPES = 41
_NARROW = 0.5  # of its height: a narrower picture has few numbers along its width
_UNSTABLE = "#8A929C"
_BOLD: tuple[dict[str, Any], dict[str, Any]] = (
    {"color": "#CC79A7", "width": 4, "dash": "dash"},
    {"color": "#E69F00", "width": 4},
)


@dataclass(frozen=True, slots=True)
class Pose:
    """A configuration: the ``value`` of what is swept, ``points`` (k, 3) m along the backbone."""

    value: float
    points: FloatArray
    stable: bool = True


@dataclass(frozen=True, slots=True)
class Sweep:
    """Quantity that changes from shape to shape, its unit, and the name of the shapes in the legend."""

    quantity: str = "tension"
    unit: str = "N"
    shapes: str = "stable"


def configurations_figure(
    poses: Sequence[Pose], up: Up = "z", jump: Sequence[Pose] = (), sweep: Sweep | None = None
) -> Figure:
    """Shapes of one path, coloured by what is swept; unstable ones are dotted and grey.

    ``jump`` are the shapes before and after a snap-through, drawn bold. A robot that leaves the
    plane of the picture is shown from above as well.
    """
    if not poses:
        return empty("there is no equilibrium to draw")
    view, swept = upright(up), sweep or Sweep()
    across, away, above = _picture_axes(view, poses)
    shown = thinned(poses)
    sides = [(across, above, "x", "y", "from the side")]
    if _extent([*poses, *jump], away) > FLAT * _extent(poses, across):
        sides.append((across, away, "x2", "y2", "from above"))
    data: list[dict[str, Any]] = []
    for horizontal, vertical, x, y, _ in sides:
        data += [_shape(pose, shown, (horizontal, vertical), (x, y), swept.unit) for pose in shown]
        data += _jump(jump, (horizontal, vertical), (x, y), swept.unit)
        data.append(_tips(poses, (horizontal, vertical), (x, y)))
    data += [_scale(shown, swept), *_legend(shown, jump, swept)]
    narrow = _extent([*poses, *jump], across) < _NARROW * _extent([*poses, *jump], above)
    return {"data": data, "layout": _layout(view, sides, narrow)}


def thinned(poses: Sequence[Pose], most: int = MOST_SHAPES) -> list[Pose]:
    """At most ``most`` shapes, evenly spaced over what is swept, first and last among them."""
    if len(poses) <= most:
        return list(poses)
    values = np.array([pose.value for pose in poses])
    wanted = np.linspace(values[0], values[-1], most)
    return [poses[i] for i in dict.fromkeys(int(np.argmin(np.abs(values - value))) for value in wanted)]


def _picture_axes(view: Upright, poses: Sequence[Pose]) -> tuple[int, int, int]:
    """World axes across, away and upwards; across is the level axis along which the robot reaches farther."""
    one, other, above = view.order
    farther = _extent(poses, one) >= _extent(poses, other)
    return (one, other, above) if farther else (other, one, above)


def _extent(poses: Sequence[Pose], world: int) -> float:
    values = np.concatenate([pose.points[:, world] for pose in poses])
    return float(np.ptp(values))


def _span(poses: Sequence[Pose]) -> tuple[float, float]:
    values = [pose.value for pose in poses]
    return min(values), max(*values, min(values) + 1e-9)


def _shape(
    pose: Pose, shown: Sequence[Pose], world: tuple[int, int], axes: tuple[str, str], unit: str
) -> dict[str, Any]:
    least, most = _span(shown)
    colour = ramp_colour((pose.value - least) / (most - least))
    line = {"color": colour, "width": 1.5} if pose.stable else {"color": _UNSTABLE, "width": 1, "dash": "dot"}
    return _line(pose, world, axes, line, unit) | {"legendgroup": "stable" if pose.stable else "unstable"}


def _line(
    pose: Pose, world: tuple[int, int], axes: tuple[str, str], line: dict[str, Any], unit: str
) -> dict[str, Any]:
    state = "" if pose.stable else "<br>unstable"
    x, y = (rounded(pose.points[:, i].tolist(), 4) for i in world)
    return {
        "type": "scatter", "mode": "lines", "showlegend": False,
        "x": x, "y": y, "xaxis": axes[0], "yaxis": axes[1], "line": line,
        "text": f"{number(pose.value)} {unit}{state}", "hoverinfo": "text",
    }  # fmt: skip


def _jump(
    jump: Sequence[Pose], world: tuple[int, int], axes: tuple[str, str], unit: str
) -> list[dict[str, Any]]:
    return [
        _line(pose, world, axes, look, unit) | {"legendgroup": name}
        for pose, look, name in zip(jump, _BOLD, ("before", "after"), strict=False)
    ]


def _tips(poses: Sequence[Pose], world: tuple[int, int], axes: tuple[str, str]) -> dict[str, Any]:
    tips = np.array([pose.points[-1] for pose in poses])
    return {
        "type": "scatter", "mode": "lines", "showlegend": False, "hoverinfo": "skip", "legendgroup": "tip",
        "x": rounded(tips[:, world[0]].tolist(), 4), "y": rounded(tips[:, world[1]].tolist(), 4),
        "xaxis": axes[0], "yaxis": axes[1], "line": {"color": "#009E73", "width": 1.5, "dash": "dash"},
    }  # fmt: skip


def _scale(shown: Sequence[Pose], sweep: Sweep) -> dict[str, Any]:
    """An invisible point that carries the scale of what is swept."""
    least, most = _span(shown)
    steps = len(RAMP) - 1
    title = plotly_text(f"{sweep.quantity} [{sweep.unit}]")
    bar = {
        "title": {"text": title, "side": "right", "font": {"size": 12}},
        "thickness": 12, "len": 0.9, "outlinewidth": 0, "tickfont": {"size": 11},
    }  # fmt: skip
    marker = {
        "color": [least], "cmin": least, "cmax": most, "size": 0.1, "showscale": True, "colorbar": bar,
        "colorscale": [[i / steps, colour] for i, colour in enumerate(RAMP)],
    }  # fmt: skip
    return {
        "type": "scatter", "mode": "markers", "x": [None], "y": [None], "marker": marker,
        "showlegend": False, "hoverinfo": "skip",
    }  # fmt: skip


def _legend(shown: Sequence[Pose], jump: Sequence[Pose], sweep: Sweep) -> list[dict[str, Any]]:
    """Legend entries for groups of lines."""
    entries: list[tuple[str, str, dict[str, Any]]] = []
    if any(pose.stable for pose in shown):
        entries.append(("stable", sweep.shapes, {"color": RAMP[1], "width": 1.5}))
    if not all(pose.stable for pose in shown):
        entries.append(("unstable", "unstable", {"color": _UNSTABLE, "width": 1, "dash": "dot"}))
    entries.append(("tip", "tip", {"color": "#009E73", "width": 1.5, "dash": "dash"}))
    if jump:
        entries.append(("before", "before the snap", _BOLD[0]))
        entries.append(("after", "after the snap", _BOLD[1]))
    return [
        {
            "type": "scatter", "mode": "lines", "x": [None], "y": [None], "name": plotly_text(name),
            "legendgroup": group, "line": line,
        }
        for group, name, line in entries
    ]  # fmt: skip


def _layout(view: Upright, sides: Sequence[tuple[int, int, str, str, str]], narrow: bool) -> dict[str, Any]:
    """One panel, or two over each other with a common horizontal axis; equal scales in both."""
    names = "xyz"
    settings: dict[str, Any] = {}
    few = {"nticks": 3, "tickangle": 0} if narrow else {}
    heights = [[0.0, 1.0]] if len(sides) == 1 else [[0.42, 1.0], [0.0, 0.32]]
    for (horizontal, vertical, x, y, words), domain in zip(sides, heights, strict=True):
        title = f"{names[vertical]} [m]" if len(sides) == 1 else f"{names[vertical]} [m]<br>{words}"
        turned = "reversed" if view.turned and vertical == view.order[2] else True
        settings[x.replace("x", "xaxis")] = axis(
            f"{names[horizontal]} [m]", anchor=y, constrain="domain", **few
        )
        settings[y.replace("y", "yaxis")] = axis(
            title, anchor=x, domain=domain, scaleanchor=x, scaleratio=1, autorange=turned
        )
    if len(sides) == 2:
        settings["xaxis2"]["matches"] = "x"
        settings["xaxis"]["title"] = {"text": ""}
    return frame(**settings, showlegend=True)
