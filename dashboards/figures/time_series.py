"""Quantities over time: panels above each other on one time axis, each with its own unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import Scale, heading, scale_of
from dashboards.palette import INK, Style, style_of
from dashboards.templating import plotly_text, rounded
from models.arrays import FloatArray, IntArray

MOST_SAMPLES = 400
"""Most samples of a curve that are drawn."""
_GAP = 0.06  # between panels, by the height of the figure
_LINE, _PIXELS = 0.04, 20  # height of a mark's words, by that of all panels, and where no legend gives room
_DIGITS = 5


@dataclass(frozen=True, slots=True)
class TimeCurve:
    """``values`` (k,) of one thing at ``times`` (k,) [s]; not finite where there are none.

    ``dots`` draws them as points, as for measurements.
    """

    name: str
    times: FloatArray
    values: FloatArray
    dots: bool = False


@dataclass(frozen=True, slots=True)
class TimePanel:
    """Curves of one quantity in one unit (SI). Curves of one name look alike in all panels."""

    quantity: str
    unit: str
    curves: tuple[TimeCurve, ...]


@dataclass(frozen=True, slots=True)
class TimeMark:
    """An event at a ``time`` [s], in a few words."""

    time: float
    words: str


def time_series_figure(panels: Sequence[TimePanel], marks: Sequence[TimeMark] = ()) -> Figure:
    """Panels over one time axis, the first on top, with marks as vertical lines through all of them."""
    filled = [panel for panel in panels if any(len(curve.times) for curve in panel.curves)]
    if not filled:
        return empty("there is nothing to draw over time")
    names = list(dict.fromkeys(curve.name for panel in filled for curve in panel.curves))
    looks = {name: style_of(place) for place, name in enumerate(names)}
    data: list[dict[str, Any]] = []
    seen: set[str] = set()
    settings: dict[str, Any] = {}
    for place, panel in enumerate(filled):
        scale = scale_of([float(v) for curve in panel.curves for v in curve.values], panel.unit)
        for curve in panel.curves:
            shown = {"showlegend": curve.name not in seen, **_axes_of(place)}
            data.append(_trace(curve, scale, looks[curve.name]) | shown)
            seen.add(curve.name)
        settings |= _axes(place, len(filled), heading(panel.quantity, scale.unit))
    lines = [_line(mark, place) for mark in marks for place in range(len(filled))]
    notes = [_note(mark, row, _end(filled)) for row, mark in enumerate(marks)]
    layout = frame(**settings, shapes=lines, annotations=notes, showlegend=len(names) > 1)
    layout["legend"] = {**layout["legend"], "y": 1.02 + _LINE * len(marks)}
    layout["margin"] = {**layout["margin"], "t": 16 + _PIXELS * len(marks)}
    return {"data": data, "layout": layout}


def peak_places(values: FloatArray, most: int = MOST_SAMPLES) -> IntArray:
    """Places of at most ``most`` of the values (k,), among them both ends and the peaks.

    Of each stretch of equal length, the place of the least and of the greatest value is kept.
    """
    if len(values) <= most:
        return np.arange(len(values))
    edges = np.linspace(0, len(values), (most - 2) // 2 + 1).round().astype(int)
    kept: set[int] = {0, len(values) - 1}
    for first, last in pairwise(edges.tolist()):
        stretch = np.nan_to_num(values[first:last], nan=0.0)
        kept |= {first + int(stretch.argmin()), first + int(stretch.argmax())}
    return np.array(sorted(kept))


def _trace(curve: TimeCurve, scale: Scale, style: Style) -> dict[str, Any]:
    kept = peak_places(curve.values)
    line = {"line": {"color": style.colour, "dash": style.dash, "width": 2}}
    look = {"marker": {"color": style.colour, "size": 6}} if curve.dots else line
    name = plotly_text(curve.name)
    return {
        "type": "scatter", "mode": "markers" if curve.dots else "lines", "name": name, "legendgroup": name,
        "x": rounded(curve.times[kept].tolist(), _DIGITS),
        "y": rounded((scale.factor * curve.values[kept]).tolist(), _DIGITS), **look,
        "hovertemplate": f"{name}<br>%{{x:.4g}} s: %{{y:.4g}} {plotly_text(scale.unit)}<extra></extra>",
    }  # fmt: skip


def _number(place: int) -> str:
    """Number of a panel's axes in the names of Plotly."""
    return str(place + 1) if place else ""


def _axes_of(place: int) -> dict[str, str]:
    return {"xaxis": f"x{_number(place)}", "yaxis": f"y{_number(place)}"}


def _axes(place: int, count: int, title: str) -> dict[str, Any]:
    """The axes of a panel; only the lowest one names the time."""
    height = (1 + _GAP) / count
    top = 1 - place * height
    own = _number(place)
    low = place == count - 1
    across = axis("time [s]" if low else "", anchor=f"y{own}", showticklabels=low)
    if place:
        across["matches"] = "x"
    upwards = axis(
        plotly_text(title),
        anchor=f"x{own}",
        domain=[round(max(top - height + _GAP, 0), 4), round(top, 4)],
        exponentformat="power",
    )
    return {f"xaxis{own}": across, f"yaxis{own}": upwards}


def _end(panels: Sequence[TimePanel]) -> float:
    return max(float(curve.times[-1]) for panel in panels for curve in panel.curves if len(curve.times))


def _line(mark: TimeMark, place: int) -> dict[str, Any]:
    own = _number(place)
    return {
        "type": "line", "xref": f"x{own}", "yref": f"y{own} domain",
        "x0": mark.time, "x1": mark.time, "y0": 0, "y1": 1,
        "line": {"color": INK, "width": 1, "dash": "dot"}, "layer": "below",
    }  # fmt: skip


def _note(mark: TimeMark, row: int, end: float) -> dict[str, Any]:
    """The words of a mark above its line, on the side where there is more room, each in a row of its own."""
    left = mark.time > end / 2
    return {
        "text": plotly_text(mark.words), "xref": "x", "yref": "paper", "x": mark.time, "y": 1 + row * _LINE,
        "xanchor": "right" if left else "left", "yanchor": "bottom", "showarrow": False,
        "xshift": 4 if left else -4, "font": {"size": 12, "color": INK},
    }  # fmt: skip
