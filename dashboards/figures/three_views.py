"""Points and lines in space from three sides, without perspective: planes xz, yz and xy on equal scales."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.figures.colour_scale import ValueScale, value_scales
from dashboards.figures.scene import line_group
from dashboards.palette import INK, is_numbered, part_colours
from dashboards.templating import plotly_text, rounded
from models.arrays import FloatArray, IntArray
from models.scene import Line, Points, Up

MOST_POINTS = 1500
"""Points of a cloud that are drawn in each view: three views of more would outweigh the report."""
_VIEWS = ((0, 2), (1, 2), (0, 1))
_NUMBERS = ("", "2", "3")  # of the axes, as Plotly counts them
_SIDES = ("from the front", "from the side", "from above")
_WIDTH, _GAP = 0.25, 0.125  # of a view and between two, by the width of the figure
_FEW = 60  # points that are drawn large
_ROOM = 0.06  # around what is drawn, by its longest side


def three_views_figure(
    clouds: Sequence[Points], lines: Sequence[Line] = (), broad: Collection[str] = (), up: Up = "z"
) -> Figure:
    """Clouds of points under lines, from three sides.

    Lines of one group share a colour; groups in ``broad`` are faint bands, so that what runs along them stays
    visible. Of a cloud, at most ``MOST_POINTS`` are drawn, evenly chosen. Where ``up`` is "-z", z points down
    in both views from the side.
    """
    drawn = [shape.points for shape in [*clouds, *lines] if len(shape.points)]
    if not drawn:
        return empty("there is nothing to draw")
    colours = part_colours([*(cloud.name for cloud in clouds), *(line_group(line) for line in lines)])
    scales = value_scales(clouds)
    data: list[dict[str, Any]] = []
    for number, view in zip(_NUMBERS, _VIEWS, strict=True):
        place = {"xaxis": f"x{number}", "yaxis": f"y{number}", "showlegend": number == _NUMBERS[0]}
        traces = [_cloud(cloud, view, colours, scales.get(cloud.value_name)) for cloud in clouds]
        traces += _lines(lines, view, colours, broad)
        data += [place | trace for trace in traces]
    return {"data": data, "layout": _layout(np.concatenate(drawn), scales, up)}


def thinned(points: FloatArray, most: int) -> IntArray:
    """Places of at most ``most`` of the points, evenly spread over their order."""
    return np.unique(np.linspace(0, len(points) - 1, min(len(points), most)).round().astype(np.int64))


def _cloud(
    cloud: Points, view: tuple[int, int], colours: Mapping[str, str], scale: ValueScale | None
) -> dict[str, Any]:
    chosen = thinned(cloud.points, MOST_POINTS)
    x, y = (rounded(cloud.points[chosen, world].tolist(), 4) for world in view)
    few = len(chosen) <= _FEW
    marker: dict[str, Any] = {"color": colours[cloud.name], "size": 7 if few else 3}
    marker["opacity"] = 1.0 if few else 0.4
    if scale is not None and cloud.values is not None:
        marker = scale.marker(cloud.values[chosen].tolist(), size=5)
    shown = {} if scale is None else {"showlegend": False}  # the bar of the scale stands for it
    return {
        "type": "scatter", "mode": "markers", "name": plotly_text(cloud.name), "x": x, "y": y,
        "marker": marker, "hoverinfo": "skip", "legendgroup": plotly_text(cloud.name), **shown,
    }  # fmt: skip


def _lines(
    lines: Sequence[Line], view: tuple[int, int], colours: Mapping[str, str], broad: Collection[str]
) -> list[dict[str, Any]]:
    """One trace per group, with gaps between its lines; bands below the others."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line_group(line), []).append(line)
    traces: list[dict[str, Any]] = []
    for group in sorted(groups, key=lambda name: name not in broad):
        coordinates: list[list[float | None]] = [[], []]
        for line in groups[group]:
            for place, world in enumerate(view):
                coordinates[place] += [*rounded(line.points[:, world].tolist(), 4), None]
        width = 8.0 if group in broad else 3.5 if is_numbered(group) else 2.0
        traces.append({
            "type": "scatter", "mode": "lines", "name": plotly_text(group), "x": coordinates[0],
            "y": coordinates[1], "line": {"color": colours[group], "width": width}, "hoverinfo": "name",
            "legendgroup": plotly_text(group), "opacity": 0.4 if group in broad else 1.0,
        })  # fmt: skip
    return traces


def _layout(points: FloatArray, scales: Mapping[str, ValueScale], up: Up) -> dict[str, Any]:
    """Three squares beside each other, each as long as the longest side of all, so that scales are equal."""
    lower, upper = points.min(axis=0), points.max(axis=0)
    middle, half = (lower + upper) / 2, (0.5 + _ROOM) * max(float((upper - lower).max()), 1e-9)
    settings: dict[str, Any] = {}
    notes: list[dict[str, Any]] = []
    for place, (number, (across, above), side) in enumerate(zip(_NUMBERS, _VIEWS, _SIDES, strict=True)):
        start = place * (_WIDTH + _GAP)
        domain = [round(start, 4), round(start + _WIDTH, 4)]
        ranges = [rounded([middle[i] - half, middle[i] + half], 4) for i in (across, above)]
        if up == "-z" and above == 2:
            ranges[1].reverse()
        settings[f"xaxis{number}"] = axis(
            f"{'xyz'[across]} [m]", anchor=f"y{number}", domain=domain, range=ranges[0], nticks=4,
            tickangle=0, constrain="domain", automargin=False,
        )  # fmt: skip
        settings[f"yaxis{number}"] = axis(
            f"{'xyz'[above]} [m]", anchor=f"x{number}", range=ranges[1], nticks=6, scaleanchor=f"x{number}",
            scaleratio=1, constrain="domain", domain=[0.0, 0.92], automargin=False,
        )  # fmt: skip
        notes.append(_note(side, number))
    bars = {scale.axis: scale.beside for scale in scales.values()}
    figure = frame(**settings, **bars, annotations=notes, showlegend=True)
    return figure | {"legend": {**figure["legend"], "itemsizing": "constant"}}


def _note(text: str, number: str) -> dict[str, Any]:
    """Title above a view."""
    return {
        "text": text, "xref": f"x{number} domain", "yref": f"y{number} domain", "x": 0.5, "y": 1.0,
        "yanchor": "bottom", "showarrow": False, "font": {"size": 12, "color": INK},
    }  # fmt: skip
