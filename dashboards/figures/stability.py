"""Stability of a robot: the smallest eigenvalue of its stiffness against tension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import number
from dashboards.palette import FAINT, INK, style_of
from dashboards.templating import plotly_text, rounded

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
_SYMBOLS = {"fold": "x", "bifurcation": "diamond"}
_NARROW = 0.15  # events that lie closer, by the range of tensions, are shown enlarged as well
_ROOM = 0.6  # around them, by their distance


@dataclass(frozen=True, slots=True)
class Mark:
    """An event on a curve: its ``kind`` (fold or bifurcation) at a ``tension`` [N], in a few words.

    ``value`` is the curve's there: not zero where another eigenvalue than the smallest passes zero.
    """

    kind: str
    tension: float
    words: str
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A path of equilibria: ``tensions`` (k,) N, ``values`` (k,), ``stable`` (k,).

    A ``broad`` one is drawn as a band, so that a path that runs along it stays visible.
    """

    name: str
    tensions: FloatArray
    values: FloatArray
    stable: BoolArray
    marks: tuple[Mark, ...] = ()
    broad: bool = False


def eigenvalue_figure(curves: Sequence[Curve], title: str = "smallest eigenvalue [N·m]") -> Figure:
    """One line per path, solid while stable and dotted where not, with its events.

    Events that lie close together are shown enlarged in a second panel.
    """
    filled = [curve for curve in curves if len(curve.tensions)]
    if not filled:
        return empty("there is no path of equilibria to draw")
    near = _neighbourhood(filled)
    panels = [("x", "y")] if near is None else [("x", "y"), ("x2", "y2")]
    data = [
        trace | {"xaxis": x, "yaxis": y, "showlegend": x == "x"}
        for x, y in panels
        for trace in _traces(filled)
    ]
    shapes = [shape for _, y in panels for shape in _shapes(filled, y)]
    return {"data": data, "layout": frame(**_axes(filled, near, title), shapes=shapes, showlegend=True)}


def marks_text(marks: Sequence[Mark]) -> str:
    """The events in a sentence for the caption, for readers who cannot see the picture."""
    return "; ".join(f"{mark.kind} at {number(mark.tension)} N ({mark.words})" for mark in marks)


def _neighbourhood(curves: Sequence[Curve]) -> tuple[float, float] | None:
    """Tensions [N] around events that lie close together; None when there is nothing to enlarge."""
    at = [mark.tension for curve in curves for mark in curve.marks]
    if not at:
        return None
    span = max(float(np.ptp(curve.tensions)) for curve in curves)
    if max(at) - min(at) > _NARROW * span:
        return None
    room = max(_ROOM * (max(at) - min(at)), 0.005 * span)
    return min(at) - room, max(at) + room


def _traces(curves: Sequence[Curve]) -> list[dict[str, Any]]:
    order = sorted(range(len(curves)), key=lambda index: not curves[index].broad)
    lines = [trace for index in order for trace in _curve(index, curves[index])]
    return lines + [_marks(index, curve) for index, curve in enumerate(curves) if curve.marks]


def _curve(index: int, curve: Curve) -> list[dict[str, Any]]:
    """The stable and the unstable stretches; each begins where the other ends, so that no gap shows."""
    look = style_of(index)
    parts = [(curve.stable, "", "solid", 2.0), (~curve.stable, ", unstable", "dot", 1.5)]
    if curve.broad:
        parts = [(np.full(len(curve.tensions), True), "", "solid", 8.0)]
    traces: list[dict[str, Any]] = []
    for mask, words, dash, width in parts:
        if not mask.any():
            continue
        near = mask | np.append(mask[1:], False) | np.append(False, mask[:-1]) if dash == "dot" else mask
        values = [float(v) if here else None for v, here in zip(curve.values, near, strict=True)]
        traces.append({
            "type": "scatter", "mode": "lines", "name": plotly_text(curve.name + words),
            "legendgroup": plotly_text(curve.name + words),
            "x": rounded(curve.tensions.tolist()), "y": rounded(values),
            "line": {"color": look.colour, "width": width, "dash": dash},
            "opacity": 0.35 if curve.broad else 1.0, "connectgaps": False,
            "hovertemplate": "%{x:.4g} N: %{y:.4g}<extra></extra>",
        })  # fmt: skip
    return traces


def _marks(index: int, curve: Curve) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "name": "events", "legendgroup": f"events {index}",
        "x": rounded([mark.tension for mark in curve.marks]),
        "y": rounded([mark.value for mark in curve.marks]),
        "marker": {
            "symbol": [_SYMBOLS.get(mark.kind, "circle") for mark in curve.marks],
            "color": style_of(index).colour, "size": 9, "line": {"color": INK, "width": 1},
        },
        "text": [plotly_text(_mark_text(mark)) for mark in curve.marks],
        "hoverinfo": "text",
    }  # fmt: skip


def _mark_text(mark: Mark) -> str:
    return f"{mark.kind} at {number(mark.tension)} N: {mark.words}"


def _shapes(curves: Sequence[Curve], y: str) -> list[dict[str, Any]]:
    """The line of zero, and a faint upright at each event, in one panel."""
    x = y.replace("y", "x")
    zero: dict[str, Any] = {
        "type": "line", "xref": f"{x} domain", "x0": 0, "x1": 1, "yref": y, "y0": 0, "y1": 0,
        "line": {"color": INK, "width": 1},
    }  # fmt: skip
    uprights = [
        {
            "type": "line", "xref": x, "yref": f"{y} domain", "y0": 0, "y1": 1, "x0": at, "x1": at,
            "line": {"color": FAINT, "width": 1, "dash": "dash"},
        }
        for at in dict.fromkeys(mark.tension for curve in curves for mark in curve.marks)
    ]  # fmt: skip
    return [zero, *uprights]


def _axes(curves: Sequence[Curve], near: tuple[float, float] | None, title: str) -> dict[str, Any]:
    tension = "tension of the swept cable [N]"
    if near is None:
        return {"xaxis": axis(tension), "yaxis": axis(title, rangemode="tozero")}
    return {
        "xaxis": axis("", anchor="y"),
        "yaxis": axis(title, anchor="x", rangemode="tozero", domain=[0.46, 1.0]),
        "xaxis2": axis(tension, anchor="y2", range=rounded(near)),
        "yaxis2": axis("enlarged", anchor="x2", domain=[0.0, 0.36], range=_heights(curves, near)),
    }


def _heights(curves: Sequence[Curve], near: tuple[float, float]) -> list[float | None]:
    """Range of what curves do between two tensions, the line of zero included."""
    lower, upper = near
    inside = [0.0]
    for curve in curves:
        ends = np.interp(near, curve.tensions, curve.values) if _rises(curve.tensions) else []
        inside += [*curve.values[(curve.tensions >= lower) & (curve.tensions <= upper)].tolist(), *ends]
    room = 0.08 * max(max(inside) - min(inside), 1e-9)
    return rounded([min(inside) - room, max(inside) + room])


def _rises(tensions: FloatArray) -> bool:
    return bool(np.all(np.diff(tensions) > 0))
