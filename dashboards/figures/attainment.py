"""Attainment of each layout's seeds in two objectives: the line of half of them, and the quartiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboards.figures.axes import (
    Figure,
    Quantity,
    axis,
    better_ends,
    conditions_mark,
    frame,
    objective_quantities,
)
from dashboards.palette import Style, styles
from dashboards.templating import plotly_text
from studies.comparison.comparison import Comparison
from studies.search.indicators import QUARTILES, FloatArray, attainment

LEAST_SEEDS = 3
"""Fewest seeds with which quartiles say something."""
_BEYOND = 0.08
"""Share of the seen range by which the lines go on beyond the worst corner."""
_WIDTHS = {25: 1, 50: 3, 75: 1}
_DASHES = {25: "dot", 50: "solid", 75: "dash"}
_WORDS = {25: "a quarter", 50: "half", 75: "three quarters"}


def attainment_layouts(comparison: Comparison) -> list[str]:
    """The layouts with enough seeds for quartiles."""
    return [label for label, seeds in comparison.seed_fronts.items() if len(seeds) >= LEAST_SEEDS]


def attainment_figure(comparison: Comparison, x: int, y: int) -> Figure:
    """Objective ``y`` over objective ``x`` (columns of the comparison)."""
    quantities = objective_quantities(comparison)
    looks = styles(comparison.fronts)
    pair = (quantities[x], quantities[y])
    lines = {
        label: attainment([front[:, [x, y]] for front in comparison.seed_fronts[label].values()])
        for label in attainment_layouts(comparison)
    }
    worst = _worst([corners for by_share in lines.values() for corners in by_share.values()])
    data = [
        _line(label, share, _to_the_worst(by_share[share], worst), looks[label], pair)
        for label, by_share in lines.items()
        for share in QUARTILES
    ]
    layout = frame(
        xaxis=axis(quantities[x].title),
        yaxis=axis(quantities[y].title),
        showlegend=True,
        annotations=conditions_mark(comparison),
        meta=better_ends([quantities[x], quantities[y]]),
    )
    return {"data": data, "layout": layout}


def _worst(lines: Sequence[FloatArray]) -> FloatArray:
    """A little beyond the worst corner of all lines (k, 2) of minimised objectives: (2,)."""
    corners = np.concatenate(lines) if lines else np.empty((0, 2))
    if not len(corners):
        return np.zeros(2)
    span = np.ptp(corners, axis=0)
    return corners.max(axis=0) + _BEYOND * np.where(span > 0.0, span, np.maximum(np.abs(corners[0]), 1e-9))


def _to_the_worst(corners: FloatArray, worst: FloatArray) -> FloatArray:
    """Corners (k + 2, 2) of a line that goes on to the worst values: a single point makes a line, too."""
    if not len(corners):
        return corners
    return np.concatenate([[[corners[0, 0], worst[1]]], corners, [[worst[0], corners[-1, 1]]]])


def _line(
    label: str, share: int, corners: FloatArray, look: Style, quantities: tuple[Quantity, Quantity]
) -> dict[str, Any]:
    signs = [1.0 if quantity.sense == "minimize" else -1.0 for quantity in quantities]
    x, y = (
        quantity.values((sign * column).tolist())
        for quantity, sign, column in zip(quantities, signs, corners.T, strict=True)
    )
    name = plotly_text(label)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "legendgroup": name,
        "showlegend": share == QUARTILES[1],
        "x": x,
        "y": y,
        "line": {"shape": "hv", "color": look.colour, "width": _WIDTHS[share], "dash": _DASHES[share]},
        "hovertemplate": f"<b>{name}</b><br>attained by {_WORDS[share]} of the seeds<extra></extra>",
    }
