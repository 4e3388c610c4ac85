"""Lines in the colours of their values, each with its number: cables and their tensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.figures.colour_scale import ValueScale
from dashboards.formatting import number
from dashboards.templating import plotly_text, rounded
from models.scene import Line, Scene

SCALE = "scale"
"""Marks the trace that carries the scale of colours; a small picture leaves it out."""


def valued_lines(scene: Scene) -> list[Line]:
    """The lines with a value, without those that move: their values change with time."""
    moving = {(line.name, line.group) for moment in scene.moments[:1] for line in moment.lines}
    return [
        shape
        for shape in scene.shapes
        if isinstance(shape, Line) and shape.value is not None and (shape.name, shape.group) not in moving
    ]


def valued_line_traces(
    lines: Sequence[Line], scales: Mapping[str, ValueScale], width: int
) -> list[dict[str, Any]]:
    """A trace for each line, one entry of the legend for each group, and the bar of each scale."""
    drawn: list[dict[str, Any]] = []
    groups: set[str] = set()
    for line in lines:
        group = line.group or line.name
        drawn.append(_line(line, group, scales[line.value_name], width) | {"showlegend": group not in groups})
        groups.add(group)
    return drawn + [_bar(scale, lines) for scale in scales.values() if _values(lines, scale)]


def _line(line: Line, group: str, scale: ValueScale, width: int) -> dict[str, Any]:
    x, y, z = (rounded(line.points[:, i].tolist()) for i in range(3))
    value = 0.0 if line.value is None else line.value
    hover = f"{plotly_text(line.name)}<br>{plotly_text(scale.title)}: {number(value, 3)}"
    texts = [*[""] * (len(line.points) - 1), str(line.number)] if line.number else []
    dashed = {"dash": "dash"} if line.dashed else {}
    return {
        "type": "scatter3d", "mode": "lines+text" if texts else "lines", "name": plotly_text(group),
        "legendgroup": plotly_text(group), "x": x, "y": y, "z": z,
        "line": {"color": scale.colour(value), "width": width, **dashed},
        **({"text": texts, "hovertext": hover} if texts else {"text": hover}), "hoverinfo": "text",
    }  # fmt: skip


def _values(lines: Sequence[Line], scale: ValueScale) -> list[Line]:
    return [line for line in lines if line.value_name == scale.title]


def _bar(scale: ValueScale, lines: Sequence[Line]) -> dict[str, Any]:
    """A point that nobody sees, in the middle of the scale, which shows the bar of the scale."""
    x, y, z = ([value] for value in rounded(_values(lines, scale)[0].points[0].tolist()))
    middle = [(scale.least + scale.most) / 2]
    return {
        "type": "scatter3d", "mode": "markers", "name": plotly_text(scale.title), "meta": SCALE,
        "x": x, "y": y, "z": z, "showlegend": False, "hoverinfo": "skip",
        "marker": scale.marker(middle, size=0.1, opacity=0.0),
    }  # fmt: skip
