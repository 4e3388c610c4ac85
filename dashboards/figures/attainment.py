"""What the seeds of each layout attain in two objectives: the line of half of them, and the quartiles."""

from __future__ import annotations

from typing import Any

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
from studies.comparison import Comparison
from studies.indicators import QUARTILES, FloatArray, attainment

LEAST_SEEDS = 3
"""With fewer, quartiles say nothing."""
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
    data: list[dict[str, Any]] = []
    for label in attainment_layouts(comparison):
        lines = attainment([front[:, [x, y]] for front in comparison.seed_fronts[label].values()])
        pair = (quantities[x], quantities[y])
        data += [_line(label, share, lines[share], looks[label], pair) for share in QUARTILES]
    layout = frame(
        xaxis=axis(quantities[x].title),
        yaxis=axis(quantities[y].title),
        showlegend=True,
        annotations=conditions_mark(comparison),
        meta=better_ends([quantities[x], quantities[y]]),
    )
    return {"data": data, "layout": layout}


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
