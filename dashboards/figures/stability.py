"""How near a robot is to losing its balance: the smallest eigenvalue of its stiffness against tension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.escaping import plotly_text, rounded
from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import number
from dashboards.palette import FAINT, INK, style_of

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
_SYMBOLS = {"fold": "x", "bifurcation": "diamond"}


@dataclass(frozen=True, slots=True)
class Mark:
    """An event on a curve: its ``kind`` (fold or bifurcation) at a ``tension`` [N], in a few words."""

    kind: str
    tension: float
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A path of equilibria: ``tensions`` (k,) N, ``values`` (k,), ``stable`` (k,)."""

    name: str
    tensions: FloatArray
    values: FloatArray
    stable: BoolArray
    marks: tuple[Mark, ...] = ()


def eigenvalue_figure(curves: Sequence[Curve], title: str = "smallest eigenvalue [N·m]") -> Figure:
    """One line per path, solid while stable and dotted where not; events are marked on the line of zero."""
    filled = [curve for curve in curves if len(curve.tensions)]
    if not filled:
        return empty("there is no path of equilibria to draw")
    data = [trace for index, curve in enumerate(filled) for trace in _curve(index, curve)]
    data += [_marks(index, curve) for index, curve in enumerate(filled) if curve.marks]
    zero: dict[str, Any] = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0,
        "line": {"color": INK, "width": 1},
    }  # fmt: skip
    lines = [_upright(mark) for curve in filled for mark in curve.marks]
    axes = {"xaxis": axis("tension of the swept cable [N]"), "yaxis": axis(title, rangemode="tozero")}
    return {"data": data, "layout": frame(**axes, shapes=[zero, *lines], showlegend=True)}


def _curve(index: int, curve: Curve) -> list[dict[str, Any]]:
    """The stable and the unstable stretches; each begins where the other ends, so that no gap shows."""
    look = style_of(index)
    parts = [(curve.stable, "", "solid", 2.5), (~curve.stable, ", unstable", "dot", 1.5)]
    traces: list[dict[str, Any]] = []
    for mask, words, dash, width in parts:
        if not mask.any():
            continue
        near = mask | np.append(mask[1:], False) if dash == "dot" else mask
        values = [float(v) if here else None for v, here in zip(curve.values, near, strict=True)]
        traces.append({
            "type": "scatter", "mode": "lines", "name": plotly_text(curve.name + words),
            "x": rounded(curve.tensions.tolist()), "y": rounded(values),
            "line": {"color": look.colour, "width": width, "dash": dash}, "connectgaps": False,
            "hovertemplate": "%{x:.4g} N: %{y:.4g}<extra></extra>",
        })  # fmt: skip
    return traces


def _marks(index: int, curve: Curve) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "name": plotly_text(f"events, {curve.name}"),
        "x": rounded([mark.tension for mark in curve.marks]), "y": [0.0] * len(curve.marks),
        "marker": {
            "symbol": [_SYMBOLS.get(mark.kind, "circle") for mark in curve.marks],
            "color": style_of(index).colour, "size": 10, "line": {"color": INK, "width": 1},
        },
        "text": [plotly_text(_told(mark)) for mark in curve.marks],
        "hoverinfo": "text",
    }  # fmt: skip


def _told(mark: Mark) -> str:
    return f"{mark.kind} at {number(mark.tension)} N: {mark.words}"


def _upright(mark: Mark) -> dict[str, Any]:
    return {
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": mark.tension, "x1": mark.tension,
        "line": {"color": FAINT, "width": 1, "dash": "dash"},
    }  # fmt: skip


def marks_text(marks: Sequence[Mark]) -> str:
    """The events in a sentence for the caption, which a picture alone does not tell to all."""
    return "; ".join(f"{mark.kind} at {number(mark.tension)} N ({mark.words})" for mark in marks)
